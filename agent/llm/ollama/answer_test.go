package ollama

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

const (
	hello = `{"model":"small","message":{"role":"assistant","content":"hello"},"done":false}` + "\n"
	end   = `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":1}` + "\n"
)

// read assembles the answer that a stream holds.
func read(body string, emit func(string)) (llm.Response, error) {
	_, cancel := context.WithCancelCause(context.Background())
	a := (&Client{model: "small", window: 1000}).newAnswer(&llm.Request{}, emit)
	err := a.read(wire.NewBody(strings.NewReader(body), cancel))
	return a.response, err
}

func calling(calls string) string {
	return `{"message":{"content":"","tool_calls":[` + calls + `]},"done":false}` + "\n"
}

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	call := `{"function":{"name":"f","arguments":{"a":1}}}`
	tests := []struct {
		name string
		body string
		want string // the text, and the calls as name and arguments
		err  string
	}{
		{"plain", hello + end, "hello", ""},
		{"no last newline", strings.TrimSpace(hello + end), "hello", ""},
		{"blank lines", "\n" + hello + "\r\n\n" + end + "\n", "hello", ""},
		{"text in the last line", `{"message":{"content":"hello"},"done":true}`, "hello", ""},
		{"no reason", hello + `{"done":true}`, "hello", ""},
		{"nothing after the end", hello + end + hello, "hello", ""},
		{"junk after the end", hello + end + "junk", "hello", ""},
		{"unknown fields", `{"logprobs":[],"x":{}}` + "\n" + hello + end, "hello", ""},
		{"nulls", `{"message":{"content":null,"tool_calls":null,"images":null},"error":null}` + "\n" + hello + end, "hello", ""},
		{"long line", `{"message":{"content":"` + long + `"}}` + "\n" + end, long, ""},
		{"call", calling(call) + end, `f{"a":1}`, ""},
		{"call in the last line", `{"message":{"tool_calls":[` + call + `]},"done":true}`, `f{"a":1}`, ""},
		{"no arguments", calling(`{"function":{"name":"f"}},{"function":{"name":"g","arguments":null}}`) + end, "f{}g{}", ""},
		{"arguments that are no object", calling(`{"function":{"name":"f","arguments":"x"}}`) + end, `f"x"`, ""},
		{"most calls", calling(call+strings.Repeat(","+call, 127)) + end, strings.Repeat(`f{"a":1}`, 128), ""},

		{"empty", "", "", "cut"},
		{"no end", hello, "", "cut"},
		{"torn line", hello + end[:20], "", "not the JSON"},
		{"no JSON", "data: {}\n", "", "not the JSON"},
		{"a list", "[]\n", "", "not the JSON"},
		{"text is a number", `{"message":{"content":7}}`, "", "not the JSON"},
		{"line over the cap", `{"message":{"content":"` + strings.Repeat("x", 1<<20) + `"}}`, "", "longer than 1 MiB"},
		{"error word", hello + `{"error":"it died"}`, "", "it died"},
		{"error object", hello + `{"error":{"message":"it died"}}`, "", "it died"},
		{"error at once", `{"error":"it died"}`, "", "it died"},
		{"call without a name", calling(`{"function":{"arguments":{}}}`) + end, "", "without a name"},
		{"huge arguments", calling(`{"function":{"name":"f","arguments":{"a":"`+strings.Repeat("x", 256<<10)+`"}}}`) + end, "", "256 KiB"},
		{"too many calls", calling(call+strings.Repeat(","+call, 128)) + end, "", "too many"},
		{"loaded", `{"done":true,"done_reason":"load"}`, "", "no answer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, err := read(tt.body, nil)
			got := resp.Text
			for _, c := range resp.Calls {
				got += c.Name + string(c.Args)
			}
			if tt.err == "" && (err != nil || got != tt.want) {
				t.Errorf("got %.100q, %v; want %.100q", got, err, tt.want)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("got %.100q, %v; want an error with %q", got, err, tt.err)
			}
		})
	}
}

// Whatever a server sends, an answer that is taken for whole can be stored,
// shows what was emitted, and can be sent back.
func FuzzRead(f *testing.F) {
	for _, body := range []string{
		hello + end, end, hello, `{"error":"x"}`, "[]", `{"message":{"content":"<think>a</think>b"}}` + "\n" + end,
		calling(`{"id":"1","function":{"name":"f","arguments":{"a":1}}},{"id":"1","function":{"name":"g"}}`) + end,
		`{"message":{"thinking":"hm","content":"\ud83c"},"done":true,"done_reason":"length","prompt_eval_count":-1}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var shown strings.Builder
		resp, err := read(body, func(s string) { shown.WriteString(s) })
		if err != nil {
			return
		}
		if shown.String() != resp.Text || !utf8.ValidString(resp.Text) {
			t.Errorf("emitted %q of %q", shown.String(), resp.Text)
		}
		ids := map[string]bool{}
		req := llm.Request{Messages: []llm.Message{said("a"), {Role: llm.Assistant, Text: resp.Text, Calls: resp.Calls, Blob: resp.Blob}}}
		for _, c := range resp.Calls {
			if c.ID == "" || ids[c.ID] || c.Name == "" || !json.Valid(c.Args) {
				t.Errorf("the call %+v", c)
			}
			ids[c.ID] = true
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID})
		}
		if _, err := (&Client{}).encode(&req); err != nil {
			t.Errorf("it cannot be sent back: %v", err)
		}
	})
}
