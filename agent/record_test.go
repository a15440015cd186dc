package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

func TestAnswerOf(t *testing.T) {
	user := llm.Message{Role: llm.User, Text: "hello"}
	says := func(text string) llm.Message { return llm.Message{Role: llm.Assistant, Text: text} }
	calls := llm.Message{Role: llm.Assistant, Text: "wait", Calls: []llm.ToolCall{call("a", "now", `{}`)}}
	result := llm.Message{Role: llm.Tool, CallID: "a", Text: "noon"}
	for name, c := range map[string]struct {
		history []llm.Message
		want    string
	}{
		"an answer":             {[]llm.Message{user, says("hi")}, "hi"},
		"after tools":           {[]llm.Message{user, calls, result, says("it is noon")}, "it is noon"},
		"words before tools":    {[]llm.Message{user, calls, result}, ""},
		"what was only noted":   {[]llm.Message{user}, ""},
		"stopped":               {[]llm.Message{user, says("[I was told to stop before I had answered that.]")}, ""},
		"failed":                {[]llm.Message{user, says("[I could not answer that.]")}, ""},
		"an answer about those": {[]llm.Message{user, says("I said: [I could not answer that.]")}, "I said: [I could not answer that.]"},
		"nothing":               {nil, ""},
	} {
		raw, err := json.Marshal(c.history)
		if err != nil {
			t.Fatal(err)
		}
		if got, strange, ok := agent.AnswerOf(raw); strange || got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, c.want)
		}
	}
	for _, raw := range []string{"", "{", `{"text":"hi"}`} {
		if got, _, ok := agent.AnswerOf(json.RawMessage(raw)); ok {
			t.Errorf("of %q the answer is %q", raw, got)
		}
	}
}

// An answer may repeat what strangers said in its turn.
func TestAnswerOfAStrangeTurn(t *testing.T) {
	for source, want := range map[string]bool{"web": true, "others": true, "tool": false, "summary": false, "": false} {
		raw := fmt.Sprintf(`[{"role":"user","text":"read it","source":%q},{"role":"assistant","text":"It says hello."}]`, source)
		if text, strange, ok := agent.AnswerOf(json.RawMessage(raw)); text != "It says hello." || strange != want || !ok {
			t.Errorf("with words from %q: %q, strange %v, %v", source, text, strange, ok)
		}
	}
}

// What a session stores is what AnswerOf reads, however a turn ends.
func TestAnswerOfWhatIsStored(t *testing.T) {
	in(t, func(w *world) {
		w.tools = []agent.Tool{agent.AskUser{}}
		w.model.Push(llmtest.Step{Text: "hi"}, llmtest.Step{Calls: []llm.ToolCall{call("a", "ask_user", `{"question":"which?","options":["a","b"]}`)}},
			llmtest.Step{Err: &llm.Error{Cause: llm.Billing}}, llmtest.Step{Gate: llmtest.NewGate()})
		for _, text := range []string{"hello", "choose", "fail", "/help"} {
			w.say(text)
		}
		w.send(typed("wait"))
		w.pass(time.Second)
		w.say("/stop")
		var got []string
		for _, turn := range w.journal.turns {
			if text, _, ok := agent.AnswerOf(turn.History); ok {
				got = append(got, text)
			}
		}
		if want := []string{"hi", "which?"}; !slices.Equal(got, want) || len(w.journal.turns) != 6 {
			t.Errorf("of %d turns the answers are %q, want %q", len(w.journal.turns), got, want)
		}
	})
}
