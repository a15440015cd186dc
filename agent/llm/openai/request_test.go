package openai

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nacre/agent/llm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got, indented, with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, got, "", "\t"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || b.String() != string(want) {
		t.Errorf("%s: got\n%s\n%v", name, b.Bytes(), err)
	}
}

var picture = llm.Image{Ref: "a1", MIME: "image/png", Data: []byte("\x89PNG")}

// exchange is a request that holds a bit of everything.
func exchange() llm.Request {
	return llm.Request{
		System: "Be brief & kind.",
		Tools:  []llm.ToolSpec{{Name: "now", Description: "The time <here>.", Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}}}`)}},
		Messages: []llm.Message{
			{Role: llm.User, Text: "what time is it?"},
			{Role: llm.User, Text: "and where is this?", Images: []llm.Image{picture, {Ref: "gone", MIME: "image/png"}}},
			{Role: llm.Assistant, Text: "I look.", Calls: []llm.ToolCall{{ID: "a", Name: "now", Args: json.RawMessage(`{"zone": "UTC"}`)}, {ID: "b", Name: "no such()", Args: json.RawMessage(`{"zone`)}}, Blob: json.RawMessage(`[{"type":"thinking"}]`)},
			{Role: llm.Tool, CallID: "a", Text: "12:00", Images: []llm.Image{picture}},
			{Role: llm.Tool, CallID: "b", Text: "Error: no such tool"},
			{Role: llm.Assistant, Text: "Noon.", Blob: json.RawMessage(`{"origin":"openai@api.deepseek.com","reasoning_content":"x"}`)},
			{Role: llm.User, Text: "thanks"},
			{Role: llm.User, Text: "and good night"},
		},
		Tail:      "It is 12:01.",
		MaxTokens: 500,
		Account:   "ann",
		CacheKey:  "telegram:1001",
	}
}

func TestEncode(t *testing.T) {
	tests := []struct{ golden, base, model string }{
		{"openai.json", "", "gpt"},
		{"other.json", "https://example.org/v1", "small"},
		{"deepseek.json", "https://api.deepseek.com", "deepseek-chat"},
		{"openrouter.json", "https://openrouter.ai/api/v1", "mistralai/small"},
		{"openrouter_claude.json", "https://openrouter.ai/api/v1/", "anthropic/claude"},
	}
	for _, tt := range tests {
		req := exchange()
		got, err := New(Options{BaseURL: tt.base, Model: tt.model}).encode(&req, false)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, tt.golden, got)
		for _, private := range []string{"ann", "1001"} {
			if strings.Contains(string(got), private) {
				t.Errorf("%s: %q is sent", tt.golden, private)
			}
		}
	}
}

// However many tools a turn used, little stands after the last breakpoint, and
// the one of the request before is still there.
func TestEncodeMarksToolLoops(t *testing.T) {
	c := New(Options{BaseURL: "https://openrouter.ai/api/v1", Model: "anthropic/claude"})
	req := user("u")
	req.System = "s"
	marked := func() (texts []string) {
		t.Helper()
		raw, err := c.encode(&req, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"text":"([^"]*)","cache_control"`).FindAllSubmatch(raw, -1) {
			texts = append(texts, string(m[1]))
		}
		return texts
	}
	if got := marked(); !slices.Equal(got, []string{"s", "u"}) {
		t.Errorf("at first marked %q", got)
	}
	last := "u"
	for i := range 15 {
		a, b := fmt.Sprint("a", i), fmt.Sprint("b", i)
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: a, Name: "t"}, {ID: b, Name: "t"}}},
			llm.Message{Role: llm.Tool, CallID: a, Text: a}, llm.Message{Role: llm.Tool, CallID: b, Text: b})
		if got := marked(); !slices.Equal(got, []string{"s", last, b}) {
			t.Errorf("step %d marked %q; want the system, %q and %q", i, got, last, b)
		}
		last = b
	}
	req.Messages[len(req.Messages)-1].Text = ""
	if got := marked(); !slices.Equal(got, []string{"s", "b13", "a14"}) {
		t.Errorf("an empty result: marked %q", got)
	}
}

func TestEncodeContent(t *testing.T) {
	const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw==","detail":"auto"}}`
	gone := llm.Image{Ref: "gone", MIME: "image/png"}
	answered := []llm.Message{{Role: llm.User, Text: "a"}, {Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "f"}}}, {Role: llm.Tool, CallID: "1", Text: "x"}}
	tests := []struct {
		name string
		req  llm.Request
		want string // the end of the messages
	}{
		{"text", user("hi"), `[{"role":"user","content":"hi"}]`},
		{"nothing", user(""), `[{"role":"user","content":""}]`},
		{"two", user("a", "b"), `[{"role":"user","content":"a\n\nb"}]`},
		{"an empty one between", user("a", "", "b"), `[{"role":"user","content":"a\n\nb"}]`},
		{"tail", llm.Request{Messages: user("a").Messages, Tail: "t"}, `[{"role":"user","content":"a\n\nt"}]`},
		{"tail after a result", llm.Request{Messages: answered, Tail: "t"}, `{"role":"tool","content":"x","tool_call_id":"1"},{"role":"user","content":"t"}]`},
		{"steered", llm.Request{Messages: append(slices.Clone(answered), llm.Message{Role: llm.User, Text: "b"}), Tail: "t"}, `{"role":"tool","content":"x","tool_call_id":"1"},{"role":"user","content":"b\n\nt"}]`},
		{"arguments left out", llm.Request{Messages: answered}, `"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"x","tool_call_id":"1"}]`},
		{"image", llm.Request{Messages: []llm.Message{{Role: llm.User, Images: []llm.Image{picture}}}}, `[{"role":"user","content":[` + image + `]}]`},
		{"image without its bytes", llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "a", Images: []llm.Image{gone}}}}, `[{"role":"user","content":"a"}]`},
		{"image, text, tail", llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "a", Images: []llm.Image{picture}}, {Role: llm.User, Text: "b"}}, Tail: "t"},
			`[{"role":"user","content":[{"type":"text","text":"a"},` + image + `,{"type":"text","text":"b\n\nt"}]}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := New(Options{BaseURL: "https://example.org/v1", Model: "small"}).encode(&tt.req, false)
			if err != nil || !strings.HasSuffix(string(got), tt.want+"}\n") {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestEncodeLeavesOut(t *testing.T) {
	req := user("hi")
	got, err := New(Options{BaseURL: "https://example.org/v1", Model: "small"}).encode(&req, false)
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
		got, err := New(Options{BaseURL: tt.base, Model: "small"}).encode(&req, false)
		if err != nil || !bytes.Contains(got, []byte(tt.want)) || bytes.Count(got, []byte("tokens\"")) != 1 {
			t.Errorf("%q: got %s, %v; want %s", tt.base, got, err, tt.want)
		}
	}
}

// randomTurn appends what one step of a conversation adds.
func randomTurn(r *rand.Rand, req *llm.Request) {
	say := func(images bool) {
		m := llm.Message{Role: llm.User, Text: fmt.Sprintf("line \"%d\" <é> 🎩\n\nmore", r.IntN(100))}
		if images {
			m.Images = []llm.Image{picture}
		}
		req.Messages = append(req.Messages, m)
	}
	switch last := req.Messages[len(req.Messages)-1]; {
	case last.Role != llm.User:
		say(r.IntN(4) == 0)
	case r.IntN(4) == 0: // again, because no answer came
		say(len(last.Images) > 0)
	case r.IntN(2) == 0:
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "fine"})
		say(r.IntN(4) == 0)
	default:
		a := llm.Message{Role: llm.Assistant, Blob: json.RawMessage(`{"origin":"openai@api.deepseek.com","reasoning_content":"hm"}`)}
		var results []llm.Message
		for i := range 1 + r.IntN(3) {
			id := fmt.Sprintf("c%d-%d", len(req.Messages), i)
			a.Calls = append(a.Calls, llm.ToolCall{ID: id, Name: "f", Args: json.RawMessage(`{"x": [1,2]}`)})
			results = append(results, llm.Message{Role: llm.Tool, CallID: id, Text: "result & more"})
		}
		req.Messages = append(append(req.Messages, a), results...)
	}
	req.Tail = [...]string{"", fmt.Sprintf("It is %d o'clock.", r.IntN(24))}[r.IntN(2)]
}

var (
	breakpoints = regexp.MustCompile(`,"cache_control":\{"type":"ephemeral"\}`)
	closing     = regexp.MustCompile(`("\}?\]?\}\]\}|\]\}\]\})\n$`) // of a text or of parts, the message and the body
)

// Every request of a conversation repeats the bytes of the one before, up to
// the end of its last stored message.
func TestEncodeExtends(t *testing.T) {
	for _, o := range []Options{{Model: "small"}, {BaseURL: "https://api.deepseek.com"}, {BaseURL: "https://openrouter.ai/api/v1", Model: "anthropic/claude"}} {
		c := New(o)
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 0))
			req := llm.Request{System: "s", Tools: []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{}`)}}, MaxTokens: 5, CacheKey: "k"}
			req.Messages = user("first").Messages
			var before string
			for step := range 20 {
				got := encoded(t, c, req)
				if !strings.HasPrefix(got, before) {
					t.Fatalf("%q, seed %d: request %d does not extend the one before:\n%s\n%s", o.BaseURL, seed, step, before, got)
				}
				stored := req
				stored.Tail = ""
				before = closing.ReplaceAllString(encoded(t, c, stored), "")
				if !strings.HasPrefix(got, before) || len(before) < 40 {
					t.Fatalf("%q, seed %d: the tail changes what comes before it:\n%s\n%s", o.BaseURL, seed, before, got)
				}
				randomTurn(r, &req)
			}
		}
	}
}

func encoded(t *testing.T, c *Client, req llm.Request) string {
	t.Helper()
	got, err := c.encode(&req, false)
	if err != nil {
		t.Fatal(err)
	}
	return breakpoints.ReplaceAllString(string(got), "")
}

func TestEncodeBadSchema(t *testing.T) {
	req := user("hi")
	req.Tools = []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{`)}}
	if _, err := New(Options{Model: "small"}).Complete(t.Context(), req, nil); err == nil || llm.Passing(err) {
		t.Errorf("got %v; want an error for good", err)
	}
}
