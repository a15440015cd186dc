package openai

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// A model that takes tools only without reasoning is asked so, from the second
// request on at once; other hosts are never sent what they may not know.
func TestReasonerWithTools(t *testing.T) {
	const none = `"reasoning_effort":"none"`
	tools := user("hi")
	tools.Tools = []llm.ToolSpec{{Name: "now", Schema: json.RawMessage(`{"type":"object"}`)}}
	for _, tt := range []struct {
		name, base string
		requests   []llm.Request
		want       []string // of each request that arrived: n with none, - without
	}{
		{"OpenAI", "https://api.openai.com/v1", []llm.Request{user("hi"), tools, tools, user("hi")}, []string{"-", "-", "n", "n", "-"}},
		{"another host", "http://double/v1", []llm.Request{tools}, []string{"-"}},
	} {
		double := &llmtest.OpenAI{Reasoner: "gpt-6-luna"}
		client := connect(t, double)
		c := New(Options{BaseURL: strings.Replace(tt.base, "https:", "http:", 1), Model: "gpt-6-luna", Client: client})
		for _, req := range tt.requests {
			_, _, err := complete(t, c, req)
			if own := c.host == ownHost; own != (err == nil) {
				t.Errorf("%s: got %v", tt.name, err)
			}
		}
		var got []string
		for _, r := range double.Received() {
			got = append(got, map[bool]string{true: "n", false: "-"}[strings.Contains(string(r.Body), none)])
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %q; want %q", tt.name, got, tt.want)
		}
	}
}

// One that takes tools neither way fails, and is not thought to do without
// reasoning.
func TestToolsRefused(t *testing.T) {
	double := &llmtest.OpenAI{}
	tools := user("hi")
	tools.Tools = []llm.ToolSpec{{Name: "now"}}
	for range 2 {
		double.Push(
			llmtest.Reply{Status: 400, Message: "Function tools with reasoning_effort are not supported for gpt-6-astra in /v1/chat/completions. To use function tools, use /v1/responses."},
			llmtest.Reply{Status: 400, Message: "Unsupported value: 'reasoning_effort' does not support 'none' with this model."})
	}
	c := New(Options{BaseURL: "http://api.openai.com/v1", Model: "gpt-6-astra", Client: connect(t, double)})
	for i := range 2 {
		_, _, err := complete(t, c, tools)
		if e := failure(t, err); e.Cause != llm.BadRequest || len(double.Received()) != 2*(i+1) {
			t.Errorf("got %v after %d requests", e, len(double.Received()))
		}
	}
	if body := string(double.Received()[2].Body); strings.Contains(body, "reasoning_effort") {
		t.Errorf("later sent %s", body)
	}
}
