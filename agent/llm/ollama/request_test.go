package ollama

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

func TestEncode(t *testing.T) {
	const fixed = `{"model":"small","stream":true,"truncate":false,"shift":false,`
	c := New(Options{Model: "small", Window: 8192})
	call := llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "now", Args: json.RawMessage(`{"a":"<"}`)}}, Blob: json.RawMessage(`{"ollama_thinking":"hm"}`)}
	result := llm.Message{Role: llm.Tool, CallID: "1", Text: "noon", Source: llm.FromTool}
	picture := llm.Message{Role: llm.User, Text: "look", Images: []llm.Image{{Ref: "r", MIME: "image/png", Data: []byte("pixels")}, {Ref: "gone"}}}
	tests := []struct {
		name string
		req  llm.Request
		want string
	}{
		{"one", user("<a>"), `"messages":[{"role":"user","content":"<a>"}]}`},
		{"system and tail", llm.Request{System: "s", Messages: []llm.Message{said("a")}, Tail: "noon"},
			`"messages":[{"role":"system","content":"s"},{"role":"user","content":"a\n\nnoon"}]}`},
		{"in a row", user("a", "b", "c"), `"messages":[{"role":"user","content":"a\n\nb\n\nc"}]}`},
		{"limit", llm.Request{MaxTokens: 50, Messages: []llm.Message{said("a")}}, `"messages":[{"role":"user","content":"a"}]}`},
		{"tools", llm.Request{Tools: []llm.ToolSpec{{Name: "f", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "g"}}, Messages: []llm.Message{said("a")}},
			`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},` +
				`{"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{}}}}],"messages":[{"role":"user","content":"a"}]}`},
		{"call and result", llm.Request{Messages: []llm.Message{said("a"), call, result}, Tail: "noon"},
			`"messages":[{"role":"user","content":"a"},{"role":"assistant","thinking":"hm","tool_calls":[{"id":"1","function":{"name":"now","arguments":{"a":"<"}}}],"content":""},` +
				`{"role":"tool","tool_name":"now","tool_call_id":"1","content":"noon"},{"role":"user","content":"noon"}]}`},
		{"call that is no JSON", llm.Request{Messages: []llm.Message{said("a"), {Role: llm.Assistant, Text: "b", Calls: []llm.ToolCall{{ID: "1", Name: "no such", Args: json.RawMessage(`{"a`)}}, Blob: json.RawMessage(`[1]`)}}},
			`"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"no_such","arguments":{"invalid":"{\"a"}}}],"content":"b"}]}`},
		{"images", llm.Request{Messages: []llm.Message{said("a"), picture, said("b")}},
			`"messages":[{"role":"user","content":"a"},{"role":"user","images":["cGl4ZWxz"],"content":"look\n\nb"}]}`},
		{"only an image", llm.Request{Messages: []llm.Message{{Role: llm.User, Images: picture.Images}}, Tail: "noon"},
			`"messages":[{"role":"user","images":["cGl4ZWxz"],"content":"noon"}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			options := `"options":{"num_ctx":8192},`
			if tt.req.MaxTokens > 0 {
				options = `"options":{"num_ctx":8192,"num_predict":50},`
			}
			got, err := c.encode(&tt.req)
			if want := fixed + options + tt.want + "\n"; err != nil || string(got) != want {
				t.Errorf("got  %s, %v\nwant %s", got, err, want)
			}
		})
	}
	req := user("a")
	if got, _ := New(Options{Model: "small"}).encode(&req); strings.Contains(string(got), "options") {
		t.Errorf("options without any: %s", got)
	}
}

// A request repeats the bytes of the one before, up to the end of its last
// stored message, whatever the conversation does in between.
func TestPrefix(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := New(Options{Model: "small", Window: 8192})
		req := llm.Request{System: "s", Tools: []llm.ToolSpec{{Name: "now"}}}
		var stored string
		for step := range 20 {
			req.Messages = append(req.Messages, exchange(r, step)...)
			req.Tail = fmt.Sprint("It is ", step)
			body, err := c.encode(&req)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(body), stored) {
				t.Fatalf("seed %d, step %d: the request\n%s\ndoes not begin with\n%s", seed, step, body, stored)
			}
			if err := llmtest.Check(req); err != nil {
				t.Fatal(err)
			}
			stored = upToTail(t, string(body), req.Tail)
		}
	}
}

// upToTail cuts a body where the moving part begins: at the Tail's own message,
// or inside the user's message that it was added to.
func upToTail(t *testing.T, body, tail string) string {
	t.Helper()
	at := strings.LastIndex(body, tail)
	if at < 0 {
		t.Fatalf("no tail in %s", body)
	}
	head := strings.TrimSuffix(body[:at], `{"role":"user","content":"`)
	return strings.TrimSuffix(strings.TrimSuffix(head, `\n\n`), ",")
}

// exchange is what a conversation may grow by between two requests: an answer
// or a tool step, and what the person said.
func exchange(r *rand.Rand, step int) []llm.Message {
	var out []llm.Message
	if step > 0 {
		out = append(out, answers(r, step)...)
	}
	last := len(out) - 1
	if last < 0 || out[last].Role == llm.Assistant || r.IntN(3) == 0 {
		for range 1 + r.IntN(3) {
			m := said(fmt.Sprint("question <", step, ">"))
			if r.IntN(4) == 0 {
				m.Images = []llm.Image{{MIME: "image/png", Data: []byte("pixels")}}
			}
			out = append(out, m)
		}
	}
	return out
}

func answers(r *rand.Rand, step int) []llm.Message {
	if r.IntN(2) == 0 {
		return []llm.Message{{Role: llm.Assistant, Text: "answer"}}
	}
	m := llm.Message{Role: llm.Assistant, Blob: json.RawMessage(`{"ollama_thinking":"hm"}`)}
	out := []llm.Message{m}
	for i := range 1 + r.IntN(3) {
		id := fmt.Sprint("call_", step, "_", i)
		out[0].Calls = append(out[0].Calls, llm.ToolCall{ID: id, Name: "now", Args: json.RawMessage(`{"a":1}`)})
		out = append(out, llm.Message{Role: llm.Tool, CallID: id, Text: "noon"})
	}
	return out
}
