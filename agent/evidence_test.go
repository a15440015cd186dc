package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/prompt"
)

// finder is a Recaller.
type finder func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error)

func (f finder) Recall(ctx context.Context, c nacre.Caller, w agent.Window) (agent.Evidence, error) {
	return f(ctx, c, w)
}

// recalled is one call of a Recaller.
type recalled struct {
	caller nacre.Caller
	window agent.Window
}

// found makes each recall find one of these texts, and the last one from then
// on; it keeps what was asked.
func (w *world) found(texts ...string) *[]recalled {
	var asked []recalled
	w.recall = finder(func(_ context.Context, c nacre.Caller, seen agent.Window) (agent.Evidence, error) {
		asked = append(asked, recalled{c, seen})
		return agent.Evidence{Text: texts[min(len(asked), len(texts))-1]}, nil
	})
	return &asked
}

// evidence is what stands before the time in each request so far.
func (w *world) evidence() []string {
	w.t.Helper()
	var list []string
	for _, req := range w.model.Requests() {
		text, _, ok := strings.Cut("\n"+req.Tail, "\n[now: ")
		if !ok {
			w.t.Errorf("a request ends with %q", req.Tail)
		}
		list = append(list, strings.TrimPrefix(text, "\n"))
	}
	return list
}

func (w *world) expectEvidence(want ...string) {
	w.t.Helper()
	if got := w.evidence(); !slices.Equal(got, want) {
		w.t.Errorf("the requests end with the evidence %q, want %q", got, want)
	}
}

// Evidence stands at the end of each request of its turn, and nowhere else, then
// or later.
func TestEvidenceIsOfItsTurn(t *testing.T) {
	in(t, func(w *world) {
		w.notes = &notes{now: agent.Frozen{Notes: "<memory-x>\nabout/bike: red\n</memory-x>"}}
		asked := w.found("<found>\nthe bike is blue\n</found>", "the cat is grey")
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "now", `{}`)}}, llmtest.Step{Text: "blue"})
		w.say("what colour is my bike?")
		w.say("and my cat?")
		bike := "<found>\nthe bike is blue\n</found>"
		w.expectEvidence(bike, bike, "the cat is grey")
		for i, req := range w.model.Requests() {
			if strings.Contains(wholeOf(req), "the bike is blue") {
				t.Errorf("request %d repeats it", i)
			}
		}
		if got := w.stored(0); strings.Contains(got, "the bike is blue") || !strings.Contains(got, "what colour is my bike?") {
			t.Errorf("stored is %s", got)
		}
		if len(*asked) != 2 {
			t.Fatalf("%d recalls for two turns", len(*asked))
		}
		first, second := (*asked)[0], (*asked)[1]
		if c := first.caller; c.Owner != "o" || c.Turn != "m1" || len(c.Said) != 1 || c.Said[0].Text() != "what colour is my bike?" {
			t.Errorf("it is recalled for %+v", c)
		}
		if first.window.Notes != w.notes.(*notes).now.Notes || !slices.Equal(first.window.Turns, []nacre.TurnID{"m1"}) {
			t.Errorf("first the prompt is said to hold %+v", first.window)
		}
		if first.window.Since != 1 || second.window.Since != 1 {
			t.Errorf("the windows begin with message %d and %d, want the first", first.window.Since, second.window.Since)
		}
		if !slices.Equal(second.window.Turns, []nacre.TurnID{"m2", "m1"}) {
			t.Errorf("then the prompt is said to hold %+v", second.window)
		}
	})
}

// What the person adds makes what was found for less count no more; a reaction
// does not.
func TestRecallAgainForWhatIsAdded(t *testing.T) {
	edit := typed("what colour is it?")
	edit.Revision, edit.Quiet = 7, true
	for name, c := range map[string]struct {
		added nacre.Message
		again bool
	}{
		"a message":  {typed("the old one"), true},
		"an edit":    {edit, true},
		"a reaction": {reaction(), false},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				asked := w.found("first", "second")
				gate := llmtest.NewGate()
				w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "now", `{}`)}}, llmtest.Step{Calls: []llm.ToolCall{call("b", "now", `{}`)}}, llmtest.Step{Text: "fine"})
				w.send(typed("what colour is my bike?"))
				<-gate.Reached()
				w.send(c.added)
				gate.Open()
				w.pass(time.Minute)
				if !c.again {
					w.expectEvidence("first", "first", "first")
					return
				}
				w.expectEvidence("first", "second", "second")
				if said := (*asked)[1].caller.Said; len(said) != 2 {
					t.Errorf("the second recall is for %+v", said)
				}
			})
		})
	}
}

// Only what a model is asked for is recalled for.
func TestNoRecallWithoutAModel(t *testing.T) {
	in(t, func(w *world) {
		asked := w.found("something")
		w.say("/help")
		for range 50 {
			w.send(reaction())
		}
		w.pass(time.Minute)
		if len(*asked) != 0 || len(w.journal.turns) != 2 {
			t.Errorf("%d recalls for a command and for what is only noted, in %d turns", len(*asked), len(w.journal.turns))
		}
		w.say("hello")
		w.say("/retry")
		if len(*asked) != 2 {
			t.Errorf("%d recalls for a message and its retry", len(*asked))
		}
		if got, want := (*asked)[1].window.Turns, (*asked)[0].window.Turns[0]; len(got) != 3 || !slices.Contains(got, want) {
			t.Errorf("a retry is said to hold %q, want the noted turn, itself and %s, which it repeats", got, want)
		}
	})
}

// What goes wrong with a recall costs the evidence, not the answer, and is logged
// without a word.
func TestRecallThatFails(t *testing.T) {
	for name, find := range map[string]finder{
		"fails": func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error) {
			return agent.Evidence{Text: "the bike is blue"}, errors.New("no bike")
		},
		"panics": func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error) { panic("no bike") },
		"is slow": func(ctx context.Context, _ nacre.Caller, _ agent.Window) (agent.Evidence, error) {
			<-ctx.Done()
			return agent.Evidence{}, ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.recall = find
				w.say("hello")
				w.expect("echo: hello")
				w.expectEvidence("")
				if log := w.log.String(); strings.Contains(log, "no bike") || !strings.Contains(log, "nothing was recalled") {
					t.Errorf("the log says %s", log)
				}
			})
		})
	}
}

// Nothing that a recall does holds up the end of its turn.
func TestRecallHearsTheEnd(t *testing.T) {
	for name, deaf := range map[string]bool{"that listens": false, "that does not listen": true} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				begun, forever := make(chan struct{}, 9), make(chan struct{})
				defer close(forever)
				w.recall = finder(func(ctx context.Context, _ nacre.Caller, _ agent.Window) (agent.Evidence, error) {
					begun <- struct{}{}
					if deaf {
						<-forever
					}
					<-ctx.Done()
					return agent.Evidence{Text: "late"}, nil
				})
				w.send(typed("hello"))
				<-begun
				w.send(typed("/stop"))
				w.pass(time.Second)
				w.expect("", "Stopped.")
				w.send(typed("again"))
				<-begun
				w.park(time.Second) // the next process takes it
				if n := len(w.answers()); n != 2 || len(w.model.Requests()) != 0 {
					t.Errorf("%d turns are stored, the model was asked %d times", n, len(w.model.Requests()))
				}
				w.found("the bike is blue")
				w.begin()
				w.sessions.Wake(info, nacre.Message{})
				w.pass(time.Second)
				w.expect("", "Stopped.", "echo: again")
				w.expectEvidence("the bike is blue")
			})
		})
	}
}

// Evidence has the room that a conversation leaves, and makes no prompt larger
// than its model takes.
func TestRoomForEvidence(t *testing.T) {
	in(t, func(w *world) {
		var rooms []int
		w.recall = finder(func(_ context.Context, _ nacre.Caller, seen agent.Window) (agent.Evidence, error) {
			rooms = append(rooms, seen.Room)
			return agent.Evidence{Text: strings.Repeat("four", seen.Room)}, nil
		})
		for i := range 40 {
			w.say(prose(300, fmt.Sprint("m", i)))
		}
		for i, req := range w.model.Requests() {
			if n := prompt.Tokens(req); n > 6800 || n < 6790 || w.evidence()[i] == "" {
				t.Errorf("request %d has %d tokens", i, n)
			}
		}
		if least := slices.Min(rooms); least < 800 || rooms[0] <= rooms[1] || len(rooms) != 40 {
			t.Errorf("the rooms are %d", rooms)
		}
		if len(w.flushed) == 0 {
			t.Error("the conversation never filled its share")
		}
	})
}

// Evidence changes nothing of what else is sent: no summary comes earlier for it.
func TestEvidenceTakesNoRoomFromTheConversation(t *testing.T) {
	sent := func(evidence string) (all []string) {
		in(t, func(w *world) {
			w.tools = []agent.Tool{tool{"read", "", func(nacre.Caller, string) (agent.Result, error) {
				return agent.Result{Text: prose(150, "page")}, nil
			}}}
			w.found(evidence)
			for i := range 30 {
				w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(fmt.Sprint("c", i), "read", `{}`)}}, llmtest.Step{Text: "read"})
				w.say(prose(100, fmt.Sprint("m", i)))
			}
			for _, req := range w.model.Requests() {
				all = append(all, wholeOf(req))
			}
			if w.evidence()[59] != evidence || len(w.flushed) == 0 {
				t.Errorf("the last evidence is %.80q, after %d summaries", w.evidence()[59], len(w.flushed))
			}
		})
		return all
	}
	if with, without := sent(prose(600, "large")), sent(""); !slices.Equal(with, without) {
		t.Error("with evidence the model sees another conversation")
	}
}

// What has no room is left out, and said in the log.
func TestEvidenceWithoutRoom(t *testing.T) {
	const gone = "no room for evidence"
	t.Run("larger than asked for", func(t *testing.T) {
		in(t, func(w *world) {
			w.recall = finder(func(_ context.Context, _ nacre.Caller, seen agent.Window) (agent.Evidence, error) {
				return agent.Evidence{Text: strings.Repeat("four", seen.Room+2)}, nil
			})
			w.say("hello")
			w.expectEvidence("")
			if !strings.Contains(w.log.String(), gone) {
				t.Errorf("the log says %s", w.log.String())
			}
		})
	})
	t.Run("a window that is full", func(t *testing.T) {
		in(t, func(w *world) {
			w.window = 700
			asked := w.found("small")
			w.say("hello")
			w.expect("echo: hello")
			w.expectEvidence("")
			if len(*asked) != 0 || !strings.Contains(w.log.String(), gone) {
				t.Errorf("%d recalls; the log says %s", len(*asked), w.log.String())
			}
		})
	})
	t.Run("a long turn", func(t *testing.T) {
		in(t, func(w *world) {
			w.tools = []agent.Tool{tool{"read", "", func(nacre.Caller, string) (agent.Result, error) {
				return agent.Result{Text: prose(4500, "page")}, nil
			}}}
			w.found("small", prose(3000, "large"), "small")
			w.model.Push(llmtest.Step{Text: "hi"}, llmtest.Step{Calls: []llm.ToolCall{call("a", "read", `{}`)}}, llmtest.Step{Text: "read"})
			w.say("hello")
			w.say("read it")
			w.expectEvidence("small", prose(3000, "large"), "")
			w.expect("hi", "read")
			if got := w.results(); !strings.HasPrefix(got[0], "page pebble") || len(w.flushed) != 0 {
				t.Errorf("the page, or the turn before, was cut for it: %.80q", got[0])
			}
			if !strings.Contains(w.log.String(), gone) {
				t.Errorf("the log says %s", w.log.String())
			}
			w.say("and now?")
			if got := w.evidence(); got[3] != "small" {
				t.Errorf("the next turn has the evidence %q", got[3])
			}
		})
	})
	t.Run("a model that takes less", func(t *testing.T) {
		in(t, func(w *world) {
			w.more = []agent.Choice{{Name: "small", Model: small{w.model, 3000}, Window: 8000}}
			w.found(prose(3000, "large"))
			w.say("/model 2")
			w.say(prose(300, "hello"))
			w.expect("small answers", "echo: hello")
			w.expectEvidence("")
			if got := w.seen(); len(got) != 1 || got[0] != prose(300, "hello") || len(w.memory.Requests()) != 0 {
				t.Errorf("the conversation was cut for it: %.80q", got)
			}
		})
	})
}

// A summary that takes the place of older turns changes nothing of what was found.
func TestEvidenceOutlivesASummary(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{tool{"read", "", func(nacre.Caller, string) (agent.Result, error) {
			return agent.Result{Text: prose(2000, "page")}, nil
		}}}
		asked := w.found("the bike is blue")
		for i := 0; len(w.flushed) == 0; i++ {
			w.say(prose(300, fmt.Sprint("m", i)))
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call(fmt.Sprint("c", i), "read", `{}`)}}, llmtest.Step{Text: "read"})
		}
		turns, got := len(w.journal.turns), w.evidence()
		if i := slices.Index(got, ""); i >= 0 || len(*asked) != turns || len(got) < turns+1 {
			t.Errorf("%d recalls in %d turns, the requests end with %q", len(*asked), turns, got)
		}
	})
}

// An answer that is asked for once more has the evidence as well.
func TestEvidenceWhenAskedOnceMore(t *testing.T) {
	in(t, func(w *world) {
		w.host.files["0"] = []byte("image of a cat")
		asked := w.found("the bike is blue")
		w.model.Push(llmtest.Step{Err: &llm.Error{Cause: llm.BadRequest, Provider: "usual", Status: 400}}, llmtest.Step{Text: " "})
		m := typed("look")
		m.Attachments = attach(nacre.Photo)
		w.send(m)
		w.pass(time.Minute)
		w.expect("echo: look")
		w.expectEvidence("the bike is blue", "the bike is blue", "the bike is blue")
		if len(*asked) != 1 {
			t.Errorf("%d recalls", len(*asked))
		}
	})
}
