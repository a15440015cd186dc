package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// What is forgotten while the turn goes on is in no evidence from then on, which
// is looked for once more; when everything is, nothing is.
func TestForgetInEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		forgotten string
		then      string
	}{
		"a value":    {pin, "dog Rex"},
		"everything": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				asked := w.found("PIN 4711, dog Rex", "dog Rex")
				gate := llmtest.NewGate()
				w.model.Push(llmtest.Step{Gate: gate, Calls: []llm.ToolCall{call("a", "now", `{}`)}}, llmtest.Step{Text: "fine"})
				w.send(typed("what do you know?"))
				<-gate.Reached()
				w.sessions.Forget("o", blanking(c.forgotten))
				gate.Open()
				w.pass(time.Minute)
				w.expectEvidence("PIN 4711, dog Rex", c.then)
				w.say("and now?")
				w.expectEvidence("PIN 4711, dog Rex", c.then, "dog Rex")
				if want := map[string]int{"": 2, pin: 3}[c.forgotten]; len(*asked) != want {
					t.Errorf("%d recalls, want %d", len(*asked), want)
				}
			})
		})
	}
}

// What is forgotten while it is being recalled does not come back with it, whether
// it is found again or not.
func TestForgetDuringARecall(t *testing.T) {
	for _, again := range []string{"dog Rex", "PIN 4711, dog Rex"} {
		in(t, func(w *world) {
			recalls := 0
			w.recall = finder(func(context.Context, nacre.Caller, agent.Window) (agent.Evidence, error) {
				if recalls++; recalls == 1 {
					w.sessions.Forget("o", blanking(pin))
					return agent.Evidence{Text: "PIN 4711, dog Rex"}, nil
				}
				return agent.Evidence{Text: again}, nil
			})
			w.say("what do you know?")
			want := again
			if strings.Contains(again, pin) {
				want = ""
			}
			w.expectEvidence(want)
			if recalls != 2 {
				t.Errorf("%d recalls", recalls)
			}
		})
	}
}

// What is forgotten during a check is in nothing that comes of it; when everything
// is, nothing does.
func TestForgetDuringACheck(t *testing.T) {
	in(t, func(w *world) {
		w.checking(func(_ context.Context, draft string) (string, error) {
			w.sessions.Forget("o", blanking(pin))
			return "dog Rex, PIN 4711", nil
		})
		w.say("what do you know?")
		w.expect("dog Rex, PIN ****")
		w.holds("the stored turn", w.stored(0), dog, pin)
	})
	ask := llmtest.Step{Calls: []llm.ToolCall{call("a", "ask_user", `{"question":"Who is Rex?","options":["a dog","a cat"]}`)}}
	for _, step := range []llmtest.Step{{Text: "Rex"}, ask} {
		in(t, func(w *world) {
			w.tools = []agent.Tool{agent.AskUser{}}
			w.checking(func(_ context.Context, draft string) (string, error) {
				w.sessions.Forget("o", blanking(""))
				return "dog Rex", nil
			})
			w.model.Push(step)
			w.say("what do you know?")
			w.expect("I was told to forget everything while I was answering")
			if strings.Contains(w.stored(0), dog) || w.journal.turns[0].Replies[0].Options != nil {
				t.Errorf("stored is %s", w.stored(0))
			}
		})
	}
}

// Nothing is checked by what was found before something was forgotten.
func TestForgetBeforeACheck(t *testing.T) {
	for _, forgotten := range []string{"nobody says this", ""} {
		in(t, func(w *world) {
			drafts := w.checking(planned)
			gate := llmtest.NewGate()
			w.model.Push(llmtest.Step{Text: "You bought it."}, llmtest.Step{Gate: gate, Text: "You bought it."})
			w.say("do I have a bike?")
			w.send(typed("sure?"))
			<-gate.Reached()
			w.sessions.Forget("o", blanking(forgotten))
			gate.Open()
			w.pass(time.Minute)
			want := []string{"You plan to buy it.", "You bought it."}
			if forgotten == "" {
				want[1] = "I was told to forget everything"
			}
			w.expect(want...)
			if len(*drafts) != 1 {
				t.Errorf("the drafts %q were checked", *drafts)
			}
		})
	}
}
