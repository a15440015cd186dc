package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// reminder is a message that is due.
func reminder(text string) nacre.Message {
	return nacre.Message{Due: &nacre.Due{Job: "j", Kind: nacre.Reminder, Slot: time.Now()},
		Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: text}}}
}

// remind is a reminder coming due, and a minute.
func (w *world) remind(text string) {
	w.send(reminder(text))
	w.pass(time.Minute)
}

// why is what later prompts see before the words of a reminder.
const why = `[system: "a reminder that was due on Sat 1 Jan 2000 00:00"]`

func TestDueIsSaidWordForWord(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"plain", "Call Ada *now*", "Call Ada *now*"},
		{"a command", "/new", "/new"},
		{"no words", " \n", "Something was due here, but its words are not there any more."},
	} {
		t.Run(c.name, func(t *testing.T) {
			in(t, func(w *world) {
				w.remind(c.text)
				w.expect(c.want)
				if n := len(w.model.Requests()); n != 0 {
					t.Errorf("a model was asked %d times", n)
				}
				w.say("and?")
				if got, want := w.seen(), []string{why, c.want, "and?"}; !slices.Equal(got, want) {
					t.Errorf("the model sees %q, want %q", got, want)
				}
			})
		})
	}
}

// Words whose key is gone leave a message with a label alone.
func TestDueWithLostWords(t *testing.T) {
	in(t, func(w *world) {
		m := reminder("")
		m.Segments = []nacre.Segment{{Provenance: nacre.Label, Text: "[this message can no longer be read]"}}
		w.send(m)
		w.pass(time.Minute)
		w.expect("Something was due here")
	})
}

// A model that is slow, or a tool, does not hold up what is due; and prompts have
// the same bytes as those of a process that reads the history anew.
func TestDueDuringATurn(t *testing.T) {
	in(t, func(w *world) {
		gate := llmtest.NewGate()
		w.tools = []agent.Tool{tool{"wait", "", func(nacre.Caller, string) (agent.Result, error) {
			time.Sleep(time.Minute)
			return agent.Result{Text: "done"}, nil
		}}}
		w.say("hello")
		w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "wait", `{}`)}}, llmtest.Step{Text: "slow"})
		w.send(typed("be slow"))
		<-gate.Reached()
		w.send(reminder("one"))
		w.pass(time.Second)
		w.expect("echo: hello", "one")
		gate.Open()
		w.pass(time.Second)
		w.send(reminder("two"))
		w.pass(time.Second)
		w.expect("echo: hello", "one", "two")
		w.pass(5 * time.Minute)
		w.expect("echo: hello", "one", "two", "slow")
		w.say("thanks")
		live := bytesOf(w.model.Requests()[3])
		w.journal.mu.Lock()
		w.journal.turns = w.journal.turns[:4]
		w.journal.mu.Unlock()
		w.end()
		w.say("thanks")
		again := bytesOf(w.model.Requests()[4])
		if live != again {
			t.Errorf("after a restart the prompt is\n%s\nbefore it was\n%s", again, live)
		}
		w.holds("the prompt", live, "two", "nobody says this")
	})
}

// What came behind a reminder may answer it: it is not seen by a turn that does
// not know of it, whether that was said by then or not. What came before it is.
func TestNothingIsSteeredPastADueMessage(t *testing.T) {
	for _, pause := range []time.Duration{0, time.Second} {
		in(t, func(w *world) {
			w.tools = []agent.Tool{tool{"wait", "", func(nacre.Caller, string) (agent.Result, error) {
				w.send(typed("before"))
				w.send(reminder("take the pill"))
				time.Sleep(pause)
				w.send(typed("done"))
				return agent.Result{Text: "waited"}, nil
			}}}
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "wait", `{}`)}}, llmtest.Step{Text: "first"})
			w.say("go")
			if got := w.answers(); len(got) != 3 || got[2] != "echo: done" || pause > 0 && got[0] != "take the pill" {
				t.Errorf("pause %v: the person reads %q", pause, got)
			}
			if got := bytesOf(w.model.Requests()[1]); !strings.Contains(got, "before") || strings.Contains(got, "done") || strings.Contains(got, "pill") {
				t.Errorf("pause %v: the turn in progress sees %s", pause, got)
			}
			if got := w.seen(); !slices.Contains(got, "take the pill") || got[len(got)-1] != "done" {
				t.Errorf("pause %v: the next turn sees %q", pause, got)
			}
		})
	}
}

// What is typed behind something due answers that, and not a question of before;
// memory learns so before it is said, and is asked no reminder.
func TestDueEndsTheWaitingForTypedWords(t *testing.T) {
	for _, c := range []struct {
		name string
		due  bool
		fail error
	}{{"nothing was due", false, nil}, {"a reminder", true, nil}, {"memory fails", true, errors.New("disk full")}} {
		in(t, func(w *world) {
			var heard []string
			n := &notes{err: c.fail}
			n.answer = func(c nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
				heard = append(heard, m.Text()+" to "+c.Asked)
				return agent.Result{Text: "Forgotten."}, c.Asked == "Really?", nil
			}
			w.notes, w.tools = n, []agent.Tool{agent.AskUser{}}
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "ask_user", `{"question":"Really?","options":["yes","no"]}`)}})
			w.say("forget my bike")
			want, answers := "yes to Really?", []string{"Really?", "Forgotten."}
			if c.due {
				w.remind("Did you water the plants?")
				want, answers = "yes to ", []string{"Really?", "Did you water", "echo: yes"}
			}
			w.say("yes")
			w.expect(answers...)
			if !slices.Equal(heard, []string{"forget my bike to ", want}) || (n.passed == 1) != c.due {
				t.Errorf("%s: memory hears %q, and %d times that it was passed", c.name, heard, n.passed)
			}
		})
	}
}

// A question that is asked behind what was due is the last, though its turn began
// before.
func TestQuestionBehindDue(t *testing.T) {
	in(t, func(w *world) {
		var asked []string
		w.notes = &notes{answer: func(c nacre.Caller, _ nacre.Message) (agent.Result, bool, error) {
			asked = append(asked, c.Asked)
			return agent.Result{}, false, nil
		}}
		w.tools = []agent.Tool{agent.AskUser{}}
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "ask_user", `{"question":"Really?","options":["yes","no"]}`)}})
		w.send(typed("forget my bike"))
		<-gate.Reached()
		w.remind("pill")
		gate.Open()
		w.pass(time.Minute)
		w.say("yes")
		w.expect("pill", "Really?", "echo: yes")
		if want := []string{"", "Really?"}; !slices.Equal(asked, want) {
			t.Errorf("memory hears of %q, want %q", asked, want)
		}
	})
}

func TestCommandsBehindDueMessages(t *testing.T) {
	for _, c := range []struct {
		command string
		live    bool
		want    []string
		next    []string
	}{
		{"/stop", true, []string{"pill", "", "Stopped."}, []string{why, "pill", "go", "[I was told to stop before I had answered that.]", "next"}},
		{"/stop", false, []string{"pill", "", "Stopped."}, []string{why, "pill", "go", "[I was told to stop before I had answered that.]", "next"}},
		{"/new", true, []string{"pill", "", "A fresh start"}, []string{"next"}},
		{"/new", false, []string{"pill", "", "A fresh start"}, []string{"next"}},
	} {
		in(t, func(w *world) {
			if gate := llmtest.NewGate(); c.live {
				w.model.Push(llmtest.Step{Gate: gate})
				w.send(typed("go"))
				<-gate.Reached()
				w.remind("pill")
				w.send(typed(c.command))
			} else {
				for i, m := range []nacre.Message{typed("go"), reminder("pill"), typed(c.command)} {
					m.Chat, m.Private, m.Received, m.External = info.Chat, true, time.Now(), nacre.ExternalID(rune('a'+i))
					w.journal.put(m)
				}
				w.begin()
				w.sessions.Wake(info, nacre.Message{})
			}
			w.pass(time.Minute)
			w.expect(c.want...)
			w.say("next")
			if got := w.seen(); !slices.Equal(got, c.next) {
				t.Errorf("%s, live %v: the model sees %q, want %q", c.command, c.live, got, c.next)
			}
		})
	}
}

// A reminder is nothing that could be answered again.
func TestRetryPassesDueMessagesOver(t *testing.T) {
	for _, restart := range []bool{false, true} {
		in(t, func(w *world) {
			w.say("question")
			w.remind("pill")
			if restart {
				w.end()
			}
			w.say("/retry")
			w.expect("echo: question", "pill", "echo: question")
			if got := w.seen(); !strings.HasPrefix(got[0], "[system: ") || !slices.Equal(got[1:], []string{"pill", "question"}) {
				t.Errorf("the model sees %q", got)
			}
			w.end()
			w.journal.turns = w.journal.turns[1:2] // the reminder alone
			w.say("/retry")
			if a := w.answers(); a[1] != "There is nothing that I could answer again." {
				t.Errorf("of a reminder alone /retry says %q", a[1])
			}
		})
	}
}

// What a task repeats of strangers stays theirs, in the archive and in the chat.
func TestStrangeDueMessages(t *testing.T) {
	for _, strange := range []bool{false, true} {
		in(t, func(w *world) {
			tainted := false
			w.tools = []agent.Tool{tool{"look", "", func(c nacre.Caller, _ string) (agent.Result, error) {
				tainted = c.Tainted
				return agent.Result{Text: "ok"}, nil
			}}}
			m := reminder("The page says hi.")
			m.Due.Kind, m.Due.Strange = nacre.Task, strange
			w.send(m)
			w.pass(time.Minute)
			text, marked, ok := agent.AnswerOf(w.journal.turns[0].History)
			if text != "The page says hi." || marked != strange || !ok || w.journal.turns[0].Outcome != nacre.Answered {
				t.Errorf("strange %v: the archive reads %q, %v, %v", strange, text, marked, ok)
			}
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{call("a", "look", `{}`)}})
			w.say("and?")
			if tainted != strange {
				t.Errorf("strange %v: the chat is tainted %v", strange, tainted)
			}
			if got := w.seen()[0]; !strings.HasPrefix(got, `[system: "about a task that was due on `) {
				t.Errorf("the model reads before it %q", got)
			}
		})
	}
}

// What was said while a turn ran is forgotten with the rest, before and after that
// turn ends.
func TestForgetWhatWasDue(t *testing.T) {
	in(t, func(w *world) {
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Gate: gate, Text: "hi"})
		w.send(typed("go"))
		<-gate.Reached()
		w.send(reminder("PIN 4711, dog Rex"))
		w.pass(time.Second)
		w.sessions.Forget("o", blanking(pin))
		w.send(reminder("again 4711 and Rex"))
		w.pass(time.Second)
		w.holds("what is stored of the second", w.stored(1), dog, pin)
		gate.Open()
		w.pass(time.Minute)
		w.say("next")
		w.holds("the next prompt", bytesOf(w.model.Requests()[1]), dog, pin)
		w.sessions.Forget("o", blanking(""))
		w.pass(time.Minute)
		w.say("what now?")
		if got := w.seen(); !slices.Equal(got, []string{"what now?"}) {
			t.Errorf("when everything is forgotten the model sees %q", got)
		}
	})
}

// lame is a journal that fails to commit now and then, and counts what is read.
type lame struct {
	*journal
	failures atomic.Int64
	read     atomic.Int64
}

func (l *lame) Commit(ctx context.Context, turn nacre.Turn) ([]nacre.Delivery, error) {
	if l.failures.Add(-1) >= 0 {
		return nil, errors.New("disk full")
	}
	return l.journal.Commit(ctx, turn)
}

func (l *lame) Conversation(ctx context.Context, s nacre.SessionInfo) (nacre.Conversation, error) {
	l.read.Add(1)
	return l.journal.Conversation(ctx, s)
}

// Many who want it said at once, a journal that fails and a second process come to
// one saying of each, in order. For that alone no conversation is read.
func TestDueIsSaidOnce(t *testing.T) {
	in(t, func(w *world) {
		l := &lame{journal: w.journal}
		l.failures.Store(3)
		w.store = l
		w.begin()
		for _, text := range []string{"one", "two", "three"} {
			m := reminder(text)
			m.Chat, m.Private, m.Received, m.External = info.Chat, true, time.Now(), nacre.ExternalID(text)
			m = w.journal.put(m)
			for range 10 {
				w.sessions.Wake(info, m)
			}
		}
		w.pass(time.Minute)
		w.end()
		w.begin()
		w.sessions.Wake(info, nacre.Message{})
		w.pass(time.Minute)
		w.expect("one", "two", "three")
		if n := l.read.Load(); n != 0 {
			t.Errorf("the conversation was read %d times", n)
		}
		w.say("and?")
		if n := l.read.Load(); n != 1 || len(w.seen()) != 7 {
			t.Errorf("then it was read %d times, and the model sees %q", n, w.seen())
		}
	})
}

// A summary tells what the assistant said by itself as nobody's words.
func TestSummaryOfDueMessages(t *testing.T) {
	in(t, func(w *world) {
		w.window = 3000
		w.remind("take the pill")
		w.memory.Push(llmtest.Step{Text: "They take pills."})
		for range 6 {
			w.say(prose(1200, "word"))
		}
		all := w.memory.Requests()
		if len(all) == 0 {
			t.Fatal("no summary was written")
		}
		if got := all[0].Messages[0].Text; !strings.HasPrefix(got, why+"\nYou: take the pill\nPerson: ") {
			t.Errorf("the summary is made of %.200q", got)
		}
	})
	in(t, func(w *world) { // nobody writes one, and the person's words stand for it
		w.window, w.simple = 3000, true
		w.remind("take the pill")
		for range 20 {
			w.memory.Push(llmtest.Step{Text: " "})
		}
		for range 6 {
			w.say(prose(1200, "word"))
		}
		if got := w.seen()[0]; !strings.Contains(got, "The person wrote") || !strings.Contains(got, "word") || strings.Contains(got, "reminder") {
			t.Errorf("the model sees %.300q", got)
		}
	})
}

// A turn of a reminder reads in storage as it is, so that others can tell it.
func TestStoredFormOfDueMessages(t *testing.T) {
	in(t, func(w *world) {
		w.remind("pill")
		var said []llm.Message
		if err := json.Unmarshal(w.journal.turns[0].History, &said); err != nil {
			t.Fatal(err)
		}
		if len(said) != 2 || said[0].Source != llm.FromSystem || said[0].Text != why || said[1].Role != llm.Assistant || said[1].Text != "pill" {
			t.Errorf("stored is %+v", said)
		}
	})
}
