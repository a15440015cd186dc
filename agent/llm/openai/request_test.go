package openai

import (
	"bytes"
	"encoding/json"
	"testing"

	"nacre/agent/llm"
)

func TestEncode(t *testing.T) {
	req := llm.Request{
		System: "Be brief & kind.",
		Tools:  []llm.ToolSpec{{Name: "now", Description: "The time <here>.", Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}}}`)}},
		Messages: []llm.Message{
			{Role: llm.User, Text: "what time is it?"},
			{Role: llm.Assistant, Text: "I look.", Calls: []llm.ToolCall{{ID: "a", Name: "now", Args: json.RawMessage(`{"zone": "UTC"}`)}}, Blob: json.RawMessage(`[{"type":"thinking"}]`)},
			{Role: llm.Tool, CallID: "a", Text: "12:00"},
			{Role: llm.Assistant, Text: "Noon.", Blob: json.RawMessage(`{"reasoning_content":"x"}`)},
			{Role: llm.User, Text: "thanks"},
		},
		MaxTokens: 500,
	}
	const want = `{"model":"small","stream":true,"stream_options":{"include_usage":true},"max_tokens":500,` +
		`"tools":[{"type":"function","function":{"name":"now","description":"The time <here>.","parameters":{"type":"object","properties":{"zone":{"type":"string"}}}}}],` +
		`"messages":[{"role":"system","content":"Be brief & kind."},` +
		`{"role":"user","content":"what time is it?"},` +
		`{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"now","arguments":"{\"zone\": \"UTC\"}"}}]},` +
		`{"role":"tool","content":"12:00","tool_call_id":"a"},` +
		`{"role":"assistant","content":"Noon."},` +
		`{"role":"user","content":"thanks"}]}` + "\n"
	got, err := New(Options{BaseURL: "https://example.org/v1", Model: "small"}).encode(req)
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

func TestEncodeLeavesOut(t *testing.T) {
	got, err := New(Options{BaseURL: "https://example.org/v1", Model: "small"}).encode(user("hi"))
	const want = `{"model":"small","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

func TestMaxTokensField(t *testing.T) {
	tests := []struct{ base, want string }{
		{"", `"max_completion_tokens":9,`},
		{"https://api.openai.com/v1/", `"max_completion_tokens":9,`},
		{"https://api.deepseek.com", `"max_tokens":9,`},
		{"https://api.openai.com.example.org/v1", `"max_tokens":9,`},
	}
	for _, tt := range tests {
		req := user("hi")
		req.MaxTokens = 9
		got, err := New(Options{BaseURL: tt.base, Model: "small"}).encode(req)
		if err != nil || !bytes.Contains(got, []byte(tt.want)) || bytes.Count(got, []byte("tokens\"")) != 1 {
			t.Errorf("%q: got %s, %v; want %s", tt.base, got, err, tt.want)
		}
	}
}

// Every request of a growing conversation repeats the bytes of the one before,
// up to the end of its last message.
func TestEncodeExtends(t *testing.T) {
	c := New(Options{Model: "small"})
	req := llm.Request{System: "s", Tools: []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{}`)}}, MaxTokens: 5}
	var before []byte
	for i := range 20 {
		role := llm.User
		if i%2 == 1 {
			role = llm.Assistant
		}
		req.Messages = append(req.Messages, llm.Message{Role: role, Text: "line \"x\" <é> 🎩"})
		got, err := c.encode(req)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(got, bytes.TrimSuffix(before, []byte("]}\n"))) {
			t.Fatalf("request %d does not extend the one before:\n%s\n%s", i, before, got)
		}
		before = got
	}
}

func TestEncodeBadSchema(t *testing.T) {
	req := user("hi")
	req.Tools = []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{`)}}
	if _, err := New(Options{Model: "small"}).Complete(t.Context(), req, nil); err == nil || llm.Passing(err) {
		t.Errorf("got %v; want an error for good", err)
	}
}
