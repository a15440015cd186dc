package anthropic

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
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
		Tools: []llm.ToolSpec{
			{Name: "calc", Description: "Sums.", Schema: json.RawMessage(`{"type":"object"}`)},
			{Name: "now", Description: "The time <here>.", Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}}}`)},
		},
		Messages: []llm.Message{
			{Role: llm.User, Text: "what time is it?"},
			{Role: llm.User, Text: "and where is this?", Images: []llm.Image{picture, {Ref: "gone", MIME: "image/png"}}},
			{Role: llm.Assistant, Text: "I look.",
				Calls: []llm.ToolCall{{ID: "a", Name: "now", Args: json.RawMessage(`{"zone": "UTC"}`)}, {ID: "functions.now:1", Name: "no such()", Args: json.RawMessage(`{"zone`)}},
				Blob:  json.RawMessage(`{"origin":"anthropic@api.anthropic.com","thoughts":[{"block":{"type":"thinking","thinking":"hm","signature":"abc"}}]}`)},
			{Role: llm.Tool, CallID: "a", Text: "12:00", Images: []llm.Image{picture}},
			{Role: llm.Tool, CallID: "functions.now:1", Text: "Error: no such tool"},
			{Role: llm.User, Text: "hurry"},
			{Role: llm.Assistant, Text: "Noon.", Blob: json.RawMessage(`{"origin":"anthropic@api.anthropic.com","thoughts":[{"block":{"type":"thinking"}}]}`)},
			{Role: llm.User, Text: " \n"},
			{Role: llm.User, Text: "thanks"},
			{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "b", Name: "calc"}}, Blob: json.RawMessage(`{"origin":"anthropic@api.deepseek.com","reasoning_content":"x"}`)},
			{Role: llm.Tool, CallID: "b"},
		},
		Tail:      "It is 12:01.",
		MaxTokens: 500,
		Account:   "ann",
		CacheKey:  "telegram:1001",
	}
}

func TestEncode(t *testing.T) {
	req := exchange()
	got, err := New(Options{Model: "claude"}).encode(&req)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "request.json", got)
	if s := string(got); strings.Contains(s, "ann") || strings.Contains(s, "1001") {
		t.Error("the account or the cache key is sent")
	}
}

func TestEncodeContent(t *testing.T) {
	const mark = `,"cache_control":{"type":"ephemeral"}`
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}`
	call := llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "f", Args: json.RawMessage(`{"x":"\ud800"}`)}}}
	result := llm.Message{Role: llm.Tool, CallID: "1", Text: "x"}
	said := func(text string, images ...llm.Image) llm.Message {
		return llm.Message{Role: llm.User, Text: text, Images: images}
	}
	tests := []struct {
		name     string
		messages []llm.Message
		tail     string
		want     string // the end of the messages
	}{
		{"text", []llm.Message{said("hi")}, "", `[{"role":"user","content":[{"type":"text","text":"hi"` + mark + `}]}]`},
		{"tail", []llm.Message{said("hi")}, "t", `[{"role":"user","content":[{"type":"text","text":"hi"` + mark + `},{"type":"text","text":"t"}]}]`},
		{"blank tail", []llm.Message{said("hi")}, "\n", `[{"role":"user","content":[{"type":"text","text":"hi"` + mark + `}]}]`},
		{"two, one of them blank", []llm.Message{said("a"), said(""), said("b")}, "", `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"` + mark + `}]}]`},
		{"image", []llm.Message{said("a", picture), said("b")}, "t", `[{"role":"user","content":[{"type":"text","text":"a"},` + image + `},{"type":"text","text":"b"` + mark + `},{"type":"text","text":"t"}]}]`},
		{"image alone", []llm.Message{said("", picture)}, "t", `[{"role":"user","content":[` + image + mark + `},{"type":"text","text":"t"}]}]`},
		{"image without its bytes", []llm.Message{said("a", llm.Image{Ref: "x", MIME: "image/png"})}, "", `[{"role":"user","content":[{"type":"text","text":"a"` + mark + `}]}]`},
		{"tail after a result", []llm.Message{said("a"), call, result}, "t", `[{"type":"tool_use","id":"1","name":"f","input":{"x":"` + "\uFFFD" + `"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x"` + mark + `},{"type":"text","text":"t"}]}]`},
		{"steered before the result", []llm.Message{said("a"), call, said("b"), result}, "t", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x"},{"type":"text","text":"b"` + mark + `},{"type":"text","text":"t"}]}]`},
		{"blank answer", []llm.Message{said("a"), {Role: llm.Assistant, Text: " "}, said("b")}, "", `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"` + mark + `}]}]`},
		{"two answers", []llm.Message{said("a"), {Role: llm.Assistant, Text: "b"}, {Role: llm.Assistant, Text: "c"}, said("d")}, "",
			`[{"role":"user","content":[{"type":"text","text":"a"` + mark + `}]},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]},{"role":"user","content":[{"type":"text","text":"d"` + mark + `}]}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Anthropic{}
			req := llm.Request{Messages: tt.messages, Tail: tt.tail}
			if _, _, err := complete(t, serve(t, double), req); err != nil {
				t.Errorf("refused: %v", err)
			}
			if got := string(double.Received()[0].Body); !strings.HasSuffix(got, tt.want+"}\n") {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestMaxTokens(t *testing.T) {
	tests := []struct{ asked, option, want int }{{0, 0, 16_000}, {0, 4096, 4096}, {500, 4096, 500}}
	for _, tt := range tests {
		req := asking("hi")
		req.MaxTokens = tt.asked
		got, err := New(Options{Model: "claude", MaxTokens: tt.option}).encode(&req)
		if want := fmt.Sprintf(`{"model":"claude","max_tokens":%d,"stream":true,"messages":`, tt.want); err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}

// randomTurn appends what one step of a conversation adds.
func randomTurn(r *rand.Rand, req *llm.Request) {
	say := func() {
		m := llm.Message{Role: llm.User, Text: fmt.Sprintf("line \"%d\" <é> 🎩", r.IntN(100))}
		if r.IntN(4) == 0 {
			m.Images = []llm.Image{picture}
		}
		req.Messages = append(req.Messages, m)
	}
	switch r.IntN(4) {
	case 0: // again, because no answer came
		say()
	case 1:
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "fine"})
		say()
	default:
		a := llm.Message{Role: llm.Assistant}
		if r.IntN(2) == 0 {
			a.Text = "I look."
		}
		var results []llm.Message
		for i := range 1 + r.IntN(15) {
			id := fmt.Sprintf("c.%d:%d", len(req.Messages), i)
			a.Calls = append(a.Calls, llm.ToolCall{ID: id, Name: "f g", Args: json.RawMessage([]string{`{"x": [1,2]}`, `{"x`, "", "null"}[r.IntN(4)])})
			results = append(results, llm.Message{Role: llm.Tool, CallID: id, Text: []string{"", "result & more", "Error: no"}[r.IntN(3)]})
		}
		req.Messages = append(append(req.Messages, a), results...)
	}
	req.Tail = [...]string{"", fmt.Sprintf("It is %d o'clock.", r.IntN(24))}[r.IntN(2)]
}

var breakpoints = regexp.MustCompile(`,"cache_control":\{"type":"ephemeral"\}`)

// Every request of a conversation repeats the bytes of the one before up to the
// end of its last stored block, but for the marks of the cache; it is accepted;
// and the block at which the one before ended is marked again or near enough
// for the cache to find it.
func TestEncodeExtends(t *testing.T) {
	double := &llmtest.Anthropic{}
	c := New(Options{BaseURL: "http://double", Model: "claude", Client: connect(t, double)})
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		req := llm.Request{System: "s", Tools: []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{}`)}}, MaxTokens: 5}
		req.Messages = asking("first").Messages
		var before string
		var kept int
		for step := range 20 {
			raw, err := c.encode(&req)
			if err != nil {
				t.Fatal(err)
			}
			got := breakpoints.ReplaceAllString(string(raw), "")
			if !strings.HasPrefix(got, before) {
				t.Fatalf("seed %d: request %d does not extend the one before:\n%s\n%s", seed, step, before, got)
			}
			stored := req
			stored.Tail = ""
			raw, _ = c.encode(&stored)
			before = strings.TrimSuffix(breakpoints.ReplaceAllString(string(raw), ""), "]}]}\n")
			if !strings.HasPrefix(got, before) || len(before) < 40 {
				t.Fatalf("seed %d: the tail changes what comes before it:\n%s\n%s", seed, before, got)
			}
			if _, err := c.Complete(t.Context(), req, nil); err != nil {
				t.Fatalf("seed %d: request %d is refused: %v", seed, step, err)
			}
			marks := marked(t, raw)
			if kept > 0 && !found(marks, kept) {
				t.Fatalf("seed %d: request %d marks the blocks %v, from which the cache does not find %d", seed, step, marks, kept)
			}
			kept = marks[len(marks)-1]
			randomTurn(r, &req)
		}
	}
}

// found reports whether the cache finds what it keeps up to a block: it looks
// back 20 blocks from a mark.
func found(marks []int, kept int) bool {
	for _, m := range marks {
		if m >= kept && m-kept < 20 {
			return true
		}
	}
	return false
}

// marked returns the numbers of the marked blocks of the messages, from 1.
func marked(t *testing.T, raw []byte) []int {
	t.Helper()
	var body struct {
		Messages []struct {
			Content []struct {
				CacheControl *cacheControl `json:"cache_control"`
			} `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatal(err)
	}
	var marks []int
	n := 0
	for _, m := range body.Messages {
		for _, b := range m.Content {
			if n++; b.CacheControl != nil {
				marks = append(marks, n)
			}
		}
	}
	return marks
}

func TestEncodeBadSchema(t *testing.T) {
	req := asking("hi")
	req.Tools = []llm.ToolSpec{{Name: "f", Schema: json.RawMessage(`{`)}}
	if _, err := New(Options{Model: "claude"}).Complete(t.Context(), req, nil); err == nil || llm.Passing(err) {
		t.Errorf("got %v; want an error for good", err)
	}
}
