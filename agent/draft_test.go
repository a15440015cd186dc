package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// checking makes every recall find something by which drafts are checked, and
// keeps the drafts.
func (w *world) checking(check func(ctx context.Context, draft string) (string, error)) *[]string {
	var drafts []string
	w.recall = finder(func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error) {
		return agent.Evidence{Text: "they plan to buy a bike", Check: func(ctx context.Context, draft string) (string, error) {
			drafts = append(drafts, draft)
			return check(ctx, draft)
		}}, nil
	})
	return &drafts
}

// planned puts a plan in the place of an event.
func planned(_ context.Context, draft string) (string, error) {
	return strings.ReplaceAll(draft, "bought", "plan to buy"), nil
}

// What is checked is not shown before; what goes out, what is stored and what the
// model sees later is what came of the check.
func TestDraftsAreChecked(t *testing.T) {
	const wrong, right = "You bought", "You plan to buy"
	now, ask := call("a", "now", `{}`), call("b", "ask_user", `{"question":"You bought it where?","options":["bought here","there"]}`)
	for name, c := range map[string]struct {
		steps  []llmtest.Step
		drafts []string
		reads  string
		seen   []string // by the model in the next turn, of its own
	}{
		"an answer":         {[]llmtest.Step{{Text: "You bought it."}}, []string{"You bought it."}, "You plan to buy it.", []string{"You plan to buy it."}},
		"one that is right": {[]llmtest.Step{{Text: "You plan to buy it."}}, []string{"You plan to buy it."}, "You plan to buy it.", []string{"You plan to buy it."}},
		"an answer after tools": {[]llmtest.Step{{Text: "wait", Calls: []llm.ToolCall{now}}, {Text: "You bought it."}},
			[]string{"You bought it."}, "You plan to buy it.", []string{"wait", "You plan to buy it."}},
		"an answer before tools": {[]llmtest.Step{{Text: "You bought it.\n", Calls: []llm.ToolCall{now}}, {}, {}},
			[]string{"You bought it."}, "You plan to buy it.", []string{"You plan to buy it."}},
		"the second of two tries": {[]llmtest.Step{{Text: " "}, {Text: "You bought it."}}, []string{"You bought it."}, "You plan to buy it.", []string{"You plan to buy it."}},
		"a question": {[]llmtest.Step{{Calls: []llm.ToolCall{ask}}}, []string{"You bought it where?"}, "You plan to buy it where?",
			[]string{"", "You plan to buy it where?"}},
		"a question after words": {[]llmtest.Step{{Text: "You bought it.", Calls: []llm.ToolCall{ask}}}, []string{"You bought it.", "You bought it where?"},
			"You plan to buy it.\n\nYou plan to buy it where?", []string{"You plan to buy it.", "You plan to buy it where?"}},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				s := &screen{host: w.host}
				w.network = s
				w.tools = append(w.tools, agent.AskUser{})
				drafts := w.checking(planned)
				w.model.Push(c.steps...)
				w.say("do I have a bike?")
				if !slices.Equal(*drafts, c.drafts) {
					t.Errorf("the drafts %q are checked, want %q", *drafts, c.drafts)
				}
				if got := w.answers(); len(got) != 1 || got[0] != c.reads {
					t.Errorf("the person reads %q, want %q", got, c.reads)
				}
				if len(s.shown) != 0 {
					t.Errorf("before the check %q was shown", s.shown)
				}
				w.holds("the stored turn", w.stored(0), right, wrong)
				w.say("and?")
				if got := w.own(); !slices.Equal(got, c.seen) {
					t.Errorf("then the model sees %q of its own, want %q", got, c.seen)
				}
				last := w.model.Requests()[len(w.model.Requests())-1]
				w.holds("then the request", bytesOf(last), right, wrong)
			})
		})
	}
}

// own are the texts of the model itself in its newest request.
func (w *world) own() []string {
	w.t.Helper()
	var list []string
	all := w.model.Requests()
	for _, m := range all[len(all)-1].Messages {
		if m.Role == llm.Assistant {
			list = append(list, m.Text)
		}
	}
	return list
}

// What the person can choose, and a question that a tool asks in its own words,
// stay as they are.
func TestChoicesAreNotChecked(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{agent.AskUser{}, tool{"memory_forget", "", func(nacre.Caller, string) (agent.Result, error) {
			return agent.Result{Text: "Asked.", Ask: &agent.Ask{Question: "Forget that you bought it?", Options: []string{"yes", "no"}}}, nil
		}}}
		w.checking(planned)
		w.model.Push(llmtest.Step{Text: "You bought it.", Calls: []llm.ToolCall{call("a", "memory_forget", `{}`)}},
			llmtest.Step{Calls: []llm.ToolCall{call("b", "ask_user", `{"question":"You bought it?","options":["bought","not"]}`)}})
		w.say("forget my bike")
		w.say("no")
		w.expect("You plan to buy it.\n\nForget that you bought it?", "You plan to buy it?")
		first, second := w.journal.turns[0].Replies[0], w.journal.turns[1].Replies[0]
		if first.ID != nacre.ReplyID(w.journal.turns[0].ID) || second.ID != nacre.ReplyID(w.journal.turns[1].ID) {
			t.Errorf("the answers %s and %s are not called by their turns", first.ID, second.ID)
		}
		if first.Text != "Forget that you bought it?" || second.Text != "You plan to buy it?" || !slices.Equal(second.Options, []string{"bought", "not"}) {
			t.Errorf("asked is %q, then %q with %q", first.Text, second.Text, second.Options)
		}
	})
}

// Files go out with a checked answer as with any other.
func TestFilesOfACheckedAnswer(t *testing.T) {
	in(t, func(w *world) {
		var files []nacre.File
		w.network = filing{w.host, &files}
		w.tools = []agent.Tool{agent.SendFile{}}
		w.checking(planned)
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "send_file", `{"name":"a.txt","content":"all that was bought"}`)}}, llmtest.Step{Text: "You bought it."})
		w.say("send me all")
		w.expect("You plan to buy it.")
		if len(files) == 0 || string(files[0].Data) != "all that was bought" {
			t.Errorf("the person gets %q", files)
		}
	})
}

// Reasoning about what was corrected is not kept; what led to it is.
func TestReasoningOfACorrectedDraft(t *testing.T) {
	in(t, func(w *world) {
		w.tools = append(w.tools, agent.AskUser{})
		w.checking(planned)
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "now", `{}`)}, Blob: []byte(`{"thought":"look"}`)}, llmtest.Step{Text: "You bought it.", Blob: []byte(`{"thought":"bought"}`)})
		w.say("do I have a bike?")
		w.holds("the stored turn", w.stored(0), `{"thought":"look"}`, `bought`)
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("b", "ask_user", `{"question":"You bought it?","options":["yes","no"]}`)}, Blob: []byte(`{"thought":"bought"}`)})
		w.say("look again")
		w.holds("the stored question", w.stored(1), `"You plan to buy it?"`, `bought`)
	})
}

// Nothing is held back where nothing is checked.
func TestUncheckedAnswersAreShown(t *testing.T) {
	in(t, func(w *world) {
		s := &screen{host: w.host}
		w.network = s
		w.found("they plan to buy a bike")
		w.model.Push(llmtest.Step{Text: "You bought it."})
		w.say("do I have a bike?")
		w.expect("You bought it.")
		if len(s.shown) != 3 || s.shown[2] != "You bought it." {
			t.Errorf("shown is %q", s.shown)
		}
	})
}

// A check that fails lets the draft out.
func TestCheckThatFails(t *testing.T) {
	for name, check := range map[string]func(context.Context, string) (string, error){
		"an error": func(context.Context, string) (string, error) { return "something else", errors.New("no bike") },
		"a panic":  func(context.Context, string) (string, error) { panic("no bike") },
		"no words": func(context.Context, string) (string, error) { return " \n", nil },
		"a check that never ends": func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.checking(check)
				w.model.Push(llmtest.Step{Text: "You bought it."})
				w.send(typed("do I have a bike?"))
				w.pass(2 * time.Minute)
				if got := w.answers(); len(got) != 1 || got[0] != "You bought it." || w.journal.turns[0].Outcome != nacre.Answered {
					t.Errorf("%s, the person reads %q", w.journal.turns[0].Outcome, got)
				}
				if log := w.log.String(); strings.Contains(log, "no bike") || strings.Contains(log, "a draft was not checked") == (name == "no words") {
					t.Errorf("the log says %s", log)
				}
			})
		})
	}
}

// A check is of its turn: a /stop ends both, and a turn that is parked in it is
// done again, whole.
func TestEndDuringACheck(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		in(t, func(w *world) {
			w.tools = []agent.Tool{agent.AskUser{}}
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "ask_user", `{"question":"one?","options":["yes","no"]}`)}})
			begun, forever := make(chan struct{}, 9), make(chan struct{})
			defer close(forever)
			drafts := w.checking(func(ctx context.Context, draft string) (string, error) {
				begun <- struct{}{}
				if deaf {
					<-forever
				}
				<-ctx.Done()
				return draft, nil
			})
			w.send(typed("one"))
			<-begun
			w.send(typed("/stop"))
			w.pass(time.Second)
			w.expect("", "Stopped.")
			if w.journal.turns[0].Outcome != nacre.Stopped || len(w.journal.turns[0].Replies) != 0 || strings.Contains(w.stored(0), "one?") {
				t.Errorf("stored is %s", w.stored(0))
			}
			w.send(typed("two"))
			<-begun
			w.park(time.Second)
			if n := len(w.answers()); n != 2 {
				t.Errorf("%d turns are stored", n)
			}
			if want := []string{"one?", "echo: two"}; !slices.Equal(*drafts, want) {
				t.Errorf("the drafts %q were checked, want %q", *drafts, want)
			}
			w.checking(func(_ context.Context, draft string) (string, error) { return draft + "!", nil })
			w.begin()
			w.sessions.Wake(info, nacre.Message{})
			w.pass(time.Second)
			w.expect("", "Stopped.", "echo: two!")
		})
	}
}

// The end of a turn's time in a check costs the check alone.
func TestDeadlineDuringACheck(t *testing.T) {
	in(t, func(w *world) {
		forever := make(chan struct{})
		defer close(forever)
		w.deadline = time.Second // a quarter of it, and the patience with a deaf one, end before
		w.checking(func(context.Context, string) (string, error) { <-forever; return "", nil })
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Text: "You bought it."})
		w.send(typed("do I have a bike?"))
		w.pass(900 * time.Millisecond)
		gate.Open()
		w.pass(time.Minute)
		w.expect("You bought it.")
	})
}

// What the person adds takes the check back as well: the newest one counts.
func TestCheckAfterWhatIsAdded(t *testing.T) {
	in(t, func(w *world) {
		recalls := 0
		w.recall = finder(func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error) {
			if recalls++; recalls == 1 {
				return agent.Evidence{Text: "first", Check: func(context.Context, string) (string, error) { return "stale", nil }}, nil
			}
			return agent.Evidence{}, nil
		})
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "now", `{}`)}}, llmtest.Step{Text: "fresh"})
		w.send(typed("do I have a bike?"))
		<-gate.Reached()
		w.send(typed("or a car?"))
		gate.Open()
		w.pass(time.Minute)
		w.expect("fresh")
		w.expectEvidence("first", "")
	})
}
