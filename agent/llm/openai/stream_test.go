package openai

import (
	"context"
	"encoding/json"
	"errors"
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

// read assembles the answer that a stream holds.
func read(body io.Reader, req llm.Request) (llm.Response, error) {
	resp, _, err := readShown(body, req)
	return resp, err
}

// readShown is read, and also returns what was emitted.
func readShown(body io.Reader, req llm.Request) (llm.Response, string, error) {
	_, cancel := context.WithCancelCause(context.Background())
	var emitted strings.Builder
	a := New(Options{Model: "small"}).newAnswer(&req, func(s string) { emitted.WriteString(s) })
	err := a.read(wire.NewBody(body, cancel))
	return a.response, emitted.String(), err
}

const (
	hello = `{"choices":[{"delta":{"content":"hello"}}]}`
	end   = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
)

func TestReadStream(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name string
		body string
		want string
		err  string
	}{
		{"plain", stream(hello, end, "[DONE]"), "hello", ""},
		{"carriage returns", strings.ReplaceAll(stream(hello, end, "[DONE]"), "\n", "\r\n"), "hello", ""},
		{"no last newline", strings.TrimSpace(stream(hello, end)), "hello", ""},
		{"no end but [DONE]", stream(hello, "[DONE]"), "hello", ""},
		{"end but no [DONE]", stream(hello, end), "hello", ""},
		{"nothing after [DONE]", stream(hello, end, "[DONE]", hello), "hello", ""},
		{"comments", ": OPENROUTER PROCESSING\n\n" + stream(hello) + ":\n" + stream(end), "hello", ""},
		{"heartbeat", "event: ping\ndata: 1\n\n" + stream(hello, end), "hello", ""},
		{"named object", "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: completion\n" + stream(hello, end), "hello", ""},
		{"name ends with its event", "event: ping\ndata: 1\n\ndata: junk\n\n" + stream(hello, end), "", "not the JSON"},
		{"empty object", stream("{}", hello, end), "hello", ""},
		{"null error", stream(`{"error":null,"choices":[{"delta":{"content":"hello"}}]}`, end), "hello", ""},
		{"junk after the end", stream(hello, end, "junk"), "hello", ""},
		{"long event", stream(`{"choices":[{"delta":{"content":"`+long+`"}}]}`, end), long, ""},
		{"event over the cap", stream(`{"choices":[{"delta":{"content":"`+strings.Repeat("x", 1<<20)+`"}}]}`, end), "", "longer than 1 MiB"},
		{"empty", "", "", "cut"},
		{"no end", stream(hello), "", "cut"},
		{"only [DONE]", stream("[DONE]"), "", "without choices"},
		{"truncated JSON", "data: {\"choices\":[{\"de", "", "not the JSON"},
		{"wrong types", stream(`{"choices":"none"}`), "", "not the JSON"},
		{"text is a number", stream(`{"choices":[{"delta":{"content":7}}]}`), "", "no text"},
		{"broken off", stream(hello, `{"choices":[{"delta":{},"finish_reason":"error"}]}`), "", "broken off (error)"},
		{"broken off by DeepSeek", stream(hello, `{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}`), "", "broken off"},
		{"error object", stream(hello, `{"error":{"message":"no room"}}`, "[DONE]"), "", "no room"},
		{"error word", stream(`{"error":"no such model"}`), "", "no such model"},
		{"bare error", stream(`{"object":"error","message":"engine died","code":500}`, "[DONE]"), "", "engine died"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, body := range []io.Reader{strings.NewReader(tt.body), iotest.OneByteReader(strings.NewReader(tt.body))} {
				got, err := read(body, llm.Request{})
				switch {
				case tt.err == "" && (err != nil || got.Text != tt.want):
					t.Errorf("got %.40q, %v; want %.40q", got.Text, err, tt.want)
				case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
					t.Errorf("got %.40q, %v; want an error with %q", got.Text, err, tt.err)
				}
			}
		})
	}
}

// A torn connection is told from a server that writes nonsense.
func TestReadStreamTorn(t *testing.T) {
	torn := errors.New("torn")
	body := func(s string) io.Reader {
		return io.MultiReader(strings.NewReader(s), iotest.ErrReader(torn))
	}
	if _, err := read(body(stream(hello)+`data: {"cho`), llm.Request{}); !errors.Is(err, torn) {
		t.Errorf("got %v; want the error of the connection", err)
	}
	if got, err := read(body(stream(hello, end)+`data: {"cho`), llm.Request{}); err != nil || got.Text != "hello" {
		t.Errorf("got %q, %v; want the text, which had ended", got.Text, err)
	}
}

func TestContentType(t *testing.T) {
	tests := []struct {
		name, contentType, body string
		want                    string
		cause                   llm.Cause
	}{
		{"stream", "text/event-stream; charset=utf-8", stream(hello, end), "hello", ""},
		{"unnamed stream", "text/plain", stream(hello, end), "hello", ""},
		{"whole", "application/json; charset=utf-8", `{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}`, "hello", ""},
		{"whole error", "application/json", `{"error":{"message":"no","code":429}}`, "", llm.Overloaded},
		{"whole error of its own kind", "application/json", `{"error":{"message":"no","type":"invalid_request_error"}}`, "", llm.BadRequest},
		{"other JSON", "application/json", `{"status":"ok"}`, "", llm.BadAnswer},
		{"truncated JSON", "application/json", `{"choices":[{"mess`, "", llm.BadAnswer},
		{"web page", "text/html", "<html>Welcome to the hotel</html>", "", llm.BadAnswer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := complete(t, serve(t, raw(tt.contentType, tt.body)), user("hi"))
			if tt.cause == "" {
				if err != nil || got.Text != tt.want {
					t.Errorf("got %q, %v; want %q", got.Text, err, tt.want)
				}
				return
			}
			if e := failure(t, err); e.Cause != tt.cause {
				t.Errorf("got %v; want %s", e, tt.cause)
			}
		})
	}
}

// full is a stream with a bit of everything.
var full = stream(delta(`{"role":"assistant","content":""}`), delta(`{"reasoning":"hm","content":""}`), delta(`{"reasoning_content":"hm"}`),
	delta(`{"content":"I "}`), delta(`{"content":"look."}`),
	delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]}`),
	delta(`{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}`),
	`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`, `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}`, "[DONE]")

// A stream that is cut before any of its events is an error, and no part of an
// answer, until the reason to stop has come.
func TestCutAtEveryEvent(t *testing.T) {
	events := strings.SplitAfter(full, "\n\n")
	for n := range events {
		got, emitted, err := readShown(strings.NewReader(strings.Join(events[:n], "")), llm.Request{})
		if whole := n >= len(events)-3; whole != (err == nil) {
			t.Errorf("after %d of %d events: got %+v, %v", n, len(events), got, err)
		}
		if !strings.HasPrefix("I look.", emitted) {
			t.Errorf("after %d events %q was emitted", n, emitted)
		}
		if err == nil && (got.Text != "I look." || len(got.Calls) != 2 || string(got.Calls[0].Args) != `{"x":1}`) {
			t.Errorf("after %d events: got %+v", n, got)
		}
	}
}

func TestTooMuch(t *testing.T) {
	first := delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}`)
	more := delta(`{"tool_calls":[{"index":0,"function":{"arguments":"` + strings.Repeat("x", 100_000) + `"}}]}`)
	many := func(n int) string {
		var events []string
		for i := range n {
			events = append(events, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"%d","function":{"name":"f","arguments":"{}"}}]}`, i, i)))
		}
		return stream(append(events, end)...)
	}
	tests := []struct{ name, body, want string }{
		{"arguments within the limit", stream(first, more, more, end), ""},
		{"arguments over the limit", stream(first, more, more, more, end), "256 KiB"},
		{"calls within the limit", many(wire.MaxCalls), ""},
		{"calls over the limit", many(wire.MaxCalls + 1), "too many tool calls"},
	}
	for _, tt := range tests {
		_, err := read(strings.NewReader(tt.body), llm.Request{})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v; want %q", tt.name, err, tt.want)
		}
	}
}

// An answer that fails leaves the tokens that were counted by then.
func TestUsageWithErrors(t *testing.T) {
	const counted = `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":1}}`
	for name, body := range map[string]string{
		"cut":    stream(counted, hello),
		"error":  stream(counted, `{"error":{"message":"no"}}`),
		"broken": stream(counted, `{"choices":[{"delta":{},"finish_reason":"error"}]}`),
	} {
		got, _, err := complete(t, serve(t, raw("text/event-stream", body)), user("hi"))
		if failure(t, err); got.Usage != (llm.Usage{Input: 10, Output: 1}) || got.Text != "" || got.Calls != nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// Whatever a server sends, the reader ends with an error or an answer that can
// be shown and stored, and what was emitted is its text.
func FuzzReadStream(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(stream(hello, end, "[DONE]")))
	f.Add([]byte(": c\r\nevent: x\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ud83c\"}}]}\r\n\r\n" + stream(`{"choices":[{"delta":{"content":"\udfa9<think>"}}]}`, end)))
	f.Add([]byte(stream(`{"choices":[{"delta":{"content":" <thi"}}]}`, `{"choices":[{"delta":{"content":"nk>a</think>b"}}]}`, end)))
	f.Add([]byte(stream(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"function":{"arguments":"\ud800"}}]}}]}`, end)))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}\n" + stream(end)))
	f.Add([]byte(stream(`{"error":{"code":[],"message":{}}}`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, emitted, err := readShown(strings.NewReader(string(body)), llm.Request{})
		if err != nil {
			return
		}
		if emitted != got.Text || !utf8.ValidString(got.Text) {
			t.Errorf("emitted %q for the text %q", emitted, got.Text)
		}
		seen := map[string]bool{}
		for _, c := range got.Calls {
			if c.ID == "" || seen[c.ID] || c.Name == "" || len(c.Args) == 0 || !utf8.Valid(c.Args) || !json.Valid(wire.Object(c.Args)) {
				t.Errorf("the call %+v cannot be stored", c)
			}
			seen[c.ID] = true
		}
	})
}
