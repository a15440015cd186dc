package agent_test

import (
	"context"
	"encoding/json"
	"testing"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// teller is a tool that tells the person what it did, or asks them something as
// well.
type teller struct{ ask *agent.Ask }

func (teller) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: "teller", Description: "tells", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (t teller) Call(context.Context, nacre.Caller, json.RawMessage) (agent.Result, error) {
	return agent.Result{Text: "done", Tell: "It is set.", Ask: t.ask}, nil
}

// What a tool tells the person stands behind whatever the model says, and there
// is an answer even if that is nothing, or comes to nothing.
func TestToolsTellThePerson(t *testing.T) {
	calls := llmtest.Step{Calls: []llm.ToolCall{{ID: "1", Name: "teller", Args: json.RawMessage(`{}`)}}}
	asks := &agent.Ask{Question: "This, or all?", Options: []string{"this", "all"}}
	cases := []struct {
		name  string
		tool  teller
		steps []llmtest.Step
		want  string
	}{
		{"behind an answer", teller{}, []llmtest.Step{calls, {Text: "Sure."}}, "Sure.\n\nIt is set."},
		{"for no answer", teller{}, []llmtest.Step{calls, {Text: " "}, {Text: " "}}, "It is set."},
		{"before a question", teller{ask: asks}, []llmtest.Step{calls}, "It is set.\n\nThis, or all?"},
		{"with a failure", teller{}, []llmtest.Step{calls, {Err: &llm.Error{Cause: llm.Billing}}}, "The account for the language model has no credit left. Whoever runs me must top it up.\n\nIt is set."},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			in(t, func(w *world) {
				w.tools = []agent.Tool{tc.tool}
				w.model.Push(tc.steps...)
				w.say("set it")
				if got := w.answers(); len(got) != 1 || got[0] != tc.want {
					t.Errorf("the person reads %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// asker asks things as memory does.
type asker struct{ answers string }

func (a asker) Answer(_ context.Context, _ nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
	return agent.Result{Text: "heard by " + a.answers}, m.Segments[len(m.Segments)-1].Text == a.answers, nil
}

// Each asker hears what those before it did not take, memory first.
func TestAskersInOrder(t *testing.T) {
	in(t, func(w *world) {
		w.notes = &notes{answer: func(_ nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
			return agent.Result{Text: "heard by memory"}, m.Text() == "one", nil
		}}
		w.asks = []agent.Asker{asker{"one"}, asker{"two"}, asker{"three"}}
		for _, text := range []string{"one", "two", "three", "four"} {
			w.say(text)
		}
		w.expect("heard by memory", "heard by two", "heard by three", "echo: four")
	})
}

// What was done before somebody said stop is told.
func TestStoppedTurnTellsWhatWasDone(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{teller{}}
		gate := llmtest.NewGate()
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "1", Name: "teller", Args: json.RawMessage(`{}`)}}}, llmtest.Step{Gate: gate, Text: "never said"})
		w.send(typed("set it"))
		<-gate.Reached()
		w.say("/stop")
		w.expect("It is set.", "Stopped.")
	})
}
