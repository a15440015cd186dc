package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"nacre/agent/llm"
	"nacre/agent/llm/wire"
)

// stream is the body that carries the events.
func stream(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// read assembles the answer that a stream holds, and returns what was emitted.
func read(body io.Reader, req llm.Request) (llm.Response, string, error) {
	_, cancel := context.WithCancelCause(context.Background())
	var emitted strings.Builder
	a := New(Options{Model: "claude"}).newAnswer(&req, func(s string) { emitted.WriteString(s) })
	err := a.read(wire.NewBody(body, cancel))
	return a.response, emitted.String(), err
}

const (
	begin = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":3,"cache_read_input_tokens":20,"cache_creation_input_tokens":5,"output_tokens":1}}}`
	hello = begin + "\n\ndata: " + `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` +
		"\n\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}` +
		"\n\ndata: " + `{"type":"content_block_stop","index":0}`
	ended = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}`
	stop  = `{"type":"message_stop"}`
	end   = ended + "\n\ndata: " + stop
)

// chunk is a block of a type with its pieces.
func chunk(index int, start string, deltas ...string) string {
	events := []string{fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)}
	for _, d := range deltas {
		events = append(events, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d))
	}
	return strings.Join(append(events, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index)), "\n\ndata: ")
}

func text(s string) string  { return `{"type":"text_delta","text":` + s + `}` }
func input(s string) string { return `{"type":"input_json_delta","partial_json":` + s + `}` }

func TestReadStream(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name string
		body string
		want string
		err  string
	}{
		{"plain", stream(hello, end), "hello", ""},
		{"ping", stream(begin, `{"type":"ping"}`, chunk(0, `{"type":"text","text":""}`, text(`"hello"`)), end), "hello", ""},
		{"an unknown event", stream(hello, `{"type":"weather","delta":{"text":"no"}}`, end), "hello", ""},
		{"an unknown block", stream(begin, chunk(0, `{"type":"server_tool_use","id":"s","name":"search","input":{}}`, input(`"{}"`)), chunk(1, `{"type":"text","text":""}`, text(`"hello"`)), end), "hello", ""},
		{"an unknown piece", stream(begin, chunk(0, `{"type":"text","text":""}`, `{"type":"citations_delta","citation":{}}`, text(`"hello"`)), end), "hello", ""},
		{"named by the stream alone", "event: message_start\ndata: {\"message\":{}}\n\nevent: content_block_delta\ndata: {\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\nevent: message_stop\ndata: {}\n\n", "hello", ""},
		{"text in its beginning", stream(begin, chunk(0, `{"type":"text","text":"hel"}`, text(`"lo"`)), end), "hello", ""},
		{"text without a beginning", stream(begin, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}`, end), "hello", ""},
		{"two texts", stream(begin, chunk(0, `{"type":"text","text":""}`, text(`"hel"`)), chunk(1, `{"type":"text","text":""}`, text(`"lo"`)), end), "hello", ""},
		{"two texts around a thought", stream(begin, chunk(0, `{"type":"text","text":""}`, text(`"a"`)), chunk(1, `{"type":"thinking"}`), chunk(2, `{"type":"text","text":""}`, text(`"b"`)), end), "a\n\nb", ""},
		{"thought in the text", stream(begin, chunk(0, `{"type":"text","text":""}`, text(`"<thi"`), text(`"nk>hm</think>\n\nhello"`)), end), "hello", ""},
		{"text in a thought", stream(begin, chunk(0, `{"type":"thinking"}`, text(`"no"`)), hello, end), "hello", ""},
		{"emoji in two pieces", stream(begin, chunk(0, `{"type":"text"}`, text(`"\ud83c"`), text(`"\udfa9"`)), end), "🎩", ""},
		{"end without message_stop", stream(hello, ended), "hello", ""},
		{"message_stop without an end", stream(hello, stop), "hello", ""},
		{"junk after the end", stream(hello, ended, "junk"), "hello", ""},
		{"nothing after message_stop", stream(hello, end, `{"type":"error"}`), "hello", ""},
		{"long event", stream(begin, chunk(0, `{"type":"text"}`, text(`"`+long+`"`)), end), long, ""},
		{"event over the cap", stream(begin, chunk(0, `{"type":"text"}`, text(`"`+strings.Repeat("x", 1<<20)+`"`)), end), "", "longer than 1 MiB"},
		{"empty", "", "", "cut"},
		{"no end", stream(hello), "", "cut"},
		{"only message_stop", stream(stop), "", "without a message"},
		{"truncated JSON", "data: {\"type\":\"mess", "", "not the JSON"},
		{"wrong types", stream(`{"type":"message_start","message":"none"}`), "", "not the JSON"},
		{"an index that is a word", stream(begin, `{"type":"content_block_delta","index":"a"}`), "", "not the JSON"},
		{"text is a number", stream(begin, chunk(0, `{"type":"text"}`, text("7")), end), "", "no text"},
		{"input without a beginning", stream(begin, `{"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{}"}}`, end), "", "never began"},
		{"a call without a name", stream(begin, chunk(0, `{"type":"tool_use","id":"a","input":{}}`), end), "", "without a name"},
		{"error", stream(hello, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), "", "Overloaded"},
		{"null error", stream(`{"type":"ping","error":null}`, hello, end), "hello", ""},
		{"error without a type", stream(hello, `{"error":{"message":"engine died"}}`), "", "engine died"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, body := range []io.Reader{strings.NewReader(tt.body), iotest.OneByteReader(strings.NewReader(tt.body))} {
				got, emitted, err := read(body, llm.Request{})
				switch {
				case tt.err == "" && (err != nil || got.Text != tt.want || emitted != tt.want):
					t.Errorf("got %.40q, emitted %.40q, %v; want %.40q", got.Text, emitted, err, tt.want)
				case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
					t.Errorf("got %.40q, %v; want an error with %q", got.Text, err, tt.err)
				}
			}
		})
	}
}

// full is a stream with a bit of everything.
var full = stream(begin, `{"type":"ping"}`,
	chunk(0, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"h"}`, `{"type":"thinking_delta","thinking":"m"}`, `{"type":"signature_delta","signature":"abc"}`),
	chunk(1, `{"type":"redacted_thinking","data":"xyz"}`),
	chunk(2, `{"type":"text","text":""}`, text(`"I "`), text(`"look."`)),
	chunk(3, `{"type":"tool_use","id":"a","name":"f","input":{}}`, input(`""`), input(`"{\"x\""`), input(`":1}"`)),
	chunk(4, `{"type":"tool_use","id":"b","name":"g","input":{}}`, input(`"{}"`)),
	`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`, stop)

// An answer goes back with its blocks in their order.
func TestOrderOfBlocks(t *testing.T) {
	const (
		a, b  = `{"type":"thinking","thinking":"A","signature":"1"}`, `{"type":"thinking","thinking":"B","signature":"2"}`
		d     = `{"type":"redacted_thinking","data":"D"}`
		text  = `{"type":"text","text":"between"}`
		after = `{"type":"text","text":"after ü"}`
		one   = `{"type":"tool_use","id":"t1","name":"now","input":{}}`
		two   = `{"type":"tool_use","id":"t2","name":"now","input":{"x":1}}`
	)
	for _, blocks := range [][]string{
		{a, one},
		{a, text, b, one},
		{text, a, after, one, two},
		{a, text, b, after, d, one},
		{a, one, b, two},
		{a, b, one},
		{text, a, one, d, two},
	} {
		content := strings.Join(blocks, ",")
		c := New(Options{Model: "claude"})
		answer := c.newAnswer(&llm.Request{}, nil)
		if err := answer.whole([]byte(`{"type":"message","content":[` + content + `]}`)); err != nil {
			t.Fatal(err)
		}
		if err := answer.end(); err != nil {
			t.Fatal(err)
		}
		r := answer.response
		got, err := c.encode(&llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}, {Role: llm.Assistant, Text: r.Text, Calls: r.Calls, Blob: r.Blob}}})
		if err != nil || !strings.Contains(string(got), `"role":"assistant","content":[`+content+`]`) {
			t.Errorf("%s\ncame back as %s, %v", content, got, err)
		}
	}
}

func TestFullAnswer(t *testing.T) {
	got, emitted, err := read(strings.NewReader(full), llm.Request{})
	if err != nil || got.Text != "I look." || emitted != got.Text || got.Stop != llm.StopTools {
		t.Fatalf("got %+v, %v", got, err)
	}
	if len(got.Calls) != 2 || got.Calls[0].ID != "a" || string(got.Calls[0].Args) != `{"x":1}` || got.Calls[1].Name != "g" {
		t.Errorf("got the calls %+v", got.Calls)
	}
	const blob = `{"origin":"anthropic@api.anthropic.com","thoughts":[{"text":0,"calls":0,"block":{"type":"thinking","thinking":"hm","signature":"abc"}},{"text":0,"calls":0,"block":{"type":"redacted_thinking","data":"xyz"}}]}`
	if strings.TrimSpace(string(got.Blob)) != blob {
		t.Errorf("kept %s", got.Blob)
	}
	if want := (llm.Usage{Input: 28, Output: 9, CacheRead: 20, CacheWrite: 5}); got.Usage != want {
		t.Errorf("counted %+v; want %+v", got.Usage, want)
	}
}

// A stream that is cut before any of its events is an error, and no part of an
// answer, until the reason to stop has come.
func TestCutAtEveryEvent(t *testing.T) {
	events := strings.SplitAfter(full, "\n\n")
	for n := range events {
		got, emitted, err := read(strings.NewReader(strings.Join(events[:n], "")), llm.Request{})
		if whole := n >= len(events)-2; whole != (err == nil) {
			t.Errorf("after %d of %d events: got %+v, %v", n, len(events), got, err)
		}
		if !strings.HasPrefix("I look.", emitted) {
			t.Errorf("after %d events %q was emitted", n, emitted)
		}
		if counted := got.Usage.Input == 28; counted != (n > 0) {
			t.Errorf("after %d events the usage is %+v", n, got.Usage)
		}
	}
}

func TestCalls(t *testing.T) {
	const use = `{"type":"tool_use","id":"%s","name":"f","input":%s}`
	tests := []struct {
		name   string
		blocks []string
		want   string // id args, a line each; "-" for a minted id
	}{
		{"pieces", []string{chunk(0, fmt.Sprintf(use, "a", "{}"), input(`"{\"x\""`), input(`":1}"`))}, `a {"x":1}`},
		{"none", []string{chunk(0, fmt.Sprintf(use, "a", "{}"))}, `a {}`},
		{"null", []string{chunk(0, fmt.Sprintf(use, "a", "null"), input("null"))}, `a {}`},
		{"in the beginning", []string{chunk(0, fmt.Sprintf(use, "a", `{"x":1}`))}, `a {"x":1}`},
		{"in the beginning and again", []string{chunk(0, fmt.Sprintf(use, "a", `{"x":1}`), input(`"{\"x\":1}"`))}, `a {"x":1}`},
		{"no JSON", []string{chunk(0, fmt.Sprintf(use, "a", "{}"), input(`"{\"x\": "`))}, `a {"x": `},
		{"duplicate ids", []string{chunk(0, fmt.Sprintf(use, "a", "{}")), chunk(1, fmt.Sprintf(use, "a", "{}"))}, "a {}\n- {}"},
		{"no id", []string{chunk(0, fmt.Sprintf(use, "", "{}"))}, "- {}"},
		{"id of an earlier call", []string{chunk(0, fmt.Sprintf(use, "old", "{}"))}, "- {}"},
		{"same index", []string{chunk(0, fmt.Sprintf(use, "a", "{}"), input(`"{\"x\":1}"`)), chunk(0, fmt.Sprintf(use, "b", "{}"), input(`"{\"y\":1}"`))}, "a {\"x\":1}\nb {\"y\":1}"},
		{"interleaved", []string{
			fmt.Sprintf(`{"type":"content_block_start","index":0,"content_block":`+use+`}`, "a", "{}"),
			fmt.Sprintf(`{"type":"content_block_start","index":1,"content_block":`+use+`}`, "b", "{}"),
			`{"type":"content_block_delta","index":0,"delta":` + input(`"{\"x\""`) + `}`,
			`{"type":"content_block_delta","index":1,"delta":` + input(`"{}"`) + `}`,
			`{"type":"content_block_delta","index":0,"delta":` + input(`":1}"`) + `}`,
		}, "a {\"x\":1}\nb {}"},
	}
	earlier := llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "old", Name: "f"}}}}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := read(strings.NewReader(stream(append(append([]string{begin}, tt.blocks...), end)...)), earlier)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, c := range got.Calls {
				id := c.ID
				if strings.HasPrefix(id, "call_") {
					id = "-"
				}
				lines = append(lines, id+" "+string(c.Args))
			}
			if s := strings.Join(lines, "\n"); s != tt.want || got.Stop != llm.StopTools {
				t.Errorf("got %s\n%s\nwant\n%s", got.Stop, s, tt.want)
			}
		})
	}
}

func TestTooMuch(t *testing.T) {
	piece := input(`"` + strings.Repeat("x", 100_000) + `"`)
	use := `{"type":"tool_use","id":"a","name":"f","input":{}}`
	many := func(n int) []string {
		out := []string{begin}
		for i := range n {
			out = append(out, chunk(i, use))
		}
		return append(out, end)
	}
	tests := []struct {
		name, body, want string
	}{
		{"arguments within the limit", stream(begin, chunk(0, use, piece, piece), end), ""},
		{"arguments over the limit", stream(begin, chunk(0, use, piece, piece, piece), end), "256 KiB"},
		{"arguments over the limit in the beginning", stream(begin, chunk(0, `{"type":"tool_use","id":"a","name":"f","input":{"x":"`+strings.Repeat("x", 300_000)+`"}}`), end), "256 KiB"},
		{"calls within the limit", stream(many(wire.MaxCalls)...), ""},
		{"calls over the limit", stream(many(wire.MaxCalls + 1)...), "too many tool calls"},
	}
	for _, tt := range tests {
		_, _, err := read(strings.NewReader(tt.body), llm.Request{})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v; want %q", tt.name, err, tt.want)
		}
	}
}

func TestWholeAnswers(t *testing.T) {
	tests := []struct {
		name, body, want string
		cause            llm.Cause
	}{
		{"message", `{"type":"message","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn","error":null}`, "hello", ""},
		{"error", `{"type":"error","error":{"type":"overloaded_error","message":"no"}}`, "", llm.Overloaded},
		{"something else", `{"status":"ok"}`, "", llm.BadAnswer},
		{"truncated", `{"type":"mess`, "", llm.BadAnswer},
	}
	for _, tt := range tests {
		_, cancel := context.WithCancelCause(t.Context())
		body := wire.NewBody(strings.NewReader(tt.body), cancel)
		body.Whole = true
		req := llm.Request{}
		a := New(Options{}).newAnswer(&req, nil)
		err := a.read(body)
		p, _ := err.(wire.Problem)
		if p.Cause != tt.cause || a.response.Text != tt.want {
			t.Errorf("%s: got %q, %v; want %q, %s", tt.name, a.response.Text, err, tt.want, tt.cause)
		}
	}
}

// Whatever a server sends, the reader ends with an error or an answer that can
// be shown and stored, and what was emitted is its text.
func FuzzReadStream(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(stream(hello, end)))
	f.Add([]byte(stream(begin, chunk(0, `{"type":"text","text":" <thi"}`, text(`"nk>a</think>\ud83c"`)), end)))
	f.Add([]byte(stream(begin, chunk(0, `{"type":"tool_use","id":"a","name":"f","input":{"x":[1]}}`), chunk(0, `{"type":"tool_use","id":"a","name":"\ud800","input":7}`), end)))
	f.Add([]byte("event: error\r\ndata: {\"error\":{\"type\":[],\"message\":{}}}\r\n\r\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, emitted, err := read(strings.NewReader(string(body)), llm.Request{})
		if err != nil {
			return
		}
		if emitted != got.Text || !utf8.ValidString(got.Text) {
			t.Errorf("emitted %q for the text %q", emitted, got.Text)
		}
		seen := map[string]bool{}
		for _, c := range got.Calls {
			if c.ID == "" || seen[c.ID] || c.Name == "" || len(c.Args) == 0 || !json.Valid(wire.Object(c.Args)) {
				t.Errorf("the call %+v cannot be stored", c)
			}
			seen[c.ID] = true
		}
		if got.Blob != nil && !json.Valid(got.Blob) {
			t.Errorf("the blob %s is no JSON", got.Blob)
		}
		back, err := New(Options{}).encode(&llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Text: got.Text, Calls: got.Calls, Blob: got.Blob}}})
		if err != nil || strings.Count(string(back), `{"type":"tool_use"`) < len(got.Calls) || strings.Contains(string(back), "null") && !strings.Contains(string(body), "null") {
			t.Errorf("goes back as %s, %v", back, err)
		}
	})
}
