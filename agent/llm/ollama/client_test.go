package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
)

// serve returns a Client whose server is h.
func serve(t *testing.T, h http.Handler) *Client {
	t.Helper()
	return New(Options{BaseURL: "http://double/", Model: "small", Window: 1000, Client: connect(t, h)})
}

// connect returns a client whose every request goes to h, over pipes.
func connect(t testing.TB, h http.Handler) *http.Client {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func said(text string) llm.Message { return llm.Message{Role: llm.User, Text: text} }

func user(texts ...string) llm.Request {
	var req llm.Request
	for _, s := range texts {
		req.Messages = append(req.Messages, said(s))
	}
	return req
}

// complete calls c and also returns what was emitted.
func complete(t *testing.T, c *Client, req llm.Request) (llm.Response, string, error) {
	t.Helper()
	var emitted strings.Builder
	resp, err := c.Complete(t.Context(), req, func(s string) { emitted.WriteString(s) })
	return resp, emitted.String(), err
}

func failure(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v; want an *llm.Error", err)
	}
	return e
}

func TestComplete(t *testing.T) {
	call := llm.ToolCall{ID: "call_1", Name: "now", Args: json.RawMessage(`{"zone":"Asia/Tokyo","long":{"a":1}}`)}
	second := llm.ToolCall{ID: "call_2", Name: "memory_find", Args: json.RawMessage(`{"words":"tea"}`)}
	usage := llm.Usage{Input: 120, Output: 7, CacheRead: 100}
	tests := []struct {
		name  string
		reply llmtest.Reply
		want  llm.Response
	}{
		{"text", llmtest.Reply{Text: "one two 🎩", Usage: usage}, llm.Response{Text: "one two 🎩", Stop: llm.StopEnd, Usage: usage}},
		{"whole", llmtest.Reply{Text: "one two", Usage: usage, Whole: true}, llm.Response{Text: "one two", Stop: llm.StopEnd, Usage: usage}},
		{"reasoning is not shown", llmtest.Reply{Text: "so", Reasoning: "hm", Usage: usage}, llm.Response{Text: "so", Stop: llm.StopEnd, Usage: usage}},
		{"reasoning in the text", llmtest.Reply{Text: "<think> hm </think> \n so it is", Usage: usage}, llm.Response{Text: "so it is", Stop: llm.StopEnd, Usage: usage}},
		{"only reasoning", llmtest.Reply{Text: "<think> hm", Usage: usage}, llm.Response{Stop: llm.StopEnd, Usage: usage}},
		{"cut by a limit", llmtest.Reply{Text: "one", Finish: "length", Usage: usage}, llm.Response{Text: "one", Stop: llm.StopLength, Usage: usage}},
		{"carriage returns", llmtest.Reply{Text: "one two", CRLF: true, Usage: usage}, llm.Response{Text: "one two", Stop: llm.StopEnd, Usage: usage}},
		{"call", llmtest.Reply{Calls: []llm.ToolCall{call}, Usage: usage}, llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools, Usage: usage}},
		{"text and parallel calls", llmtest.Reply{Text: "wait", Reasoning: "hm", Calls: []llm.ToolCall{call, second}, Usage: usage},
			llm.Response{Text: "wait", Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools, Usage: usage, Blob: json.RawMessage(`{"ollama_thinking":"hm"}`)}},
		{"whole calls", llmtest.Reply{Calls: []llm.ToolCall{call, second}, Whole: true, Usage: usage}, llm.Response{Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools, Usage: usage}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Ollama{Strict: true}
			double.Push(tt.reply)
			resp, emitted, err := complete(t, serve(t, double), user("hello"))
			tt.want.Model = "small"
			if err != nil || !reflect.DeepEqual(resp, tt.want) {
				t.Errorf("got %+v, %v; want %+v", resp, err, tt.want)
			}
			if emitted != tt.want.Text {
				t.Errorf("emitted %q; want %q", emitted, tt.want.Text)
			}
		})
	}
}

// Servers give no ids, or the same again; every call gets one of its own, by
// which the next request says what it answers.
func TestCallIDs(t *testing.T) {
	double := &llmtest.Ollama{Strict: true}
	args := json.RawMessage(`{}`)
	double.Push(
		llmtest.Reply{Calls: []llm.ToolCall{{Name: "now", Args: args}, {Name: "now", Args: args}, {ID: "call_0", Name: "calc", Args: args}, {ID: "call_0", Name: "now", Args: args}}},
		llmtest.Reply{Calls: []llm.ToolCall{{ID: "call_0", Name: "now", Args: args}}},
	)
	c := serve(t, double)
	req := user("hello")
	seen := map[string]bool{}
	for range 2 {
		resp, _, err := complete(t, c, req)
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: resp.Calls})
		for _, call := range resp.Calls {
			if seen[call.ID] || !strings.HasPrefix(call.ID, "call_") {
				t.Errorf("the id %q", call.ID)
			}
			seen[call.ID] = true
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: call.ID, Text: "noon"})
		}
	}
	if _, _, err := complete(t, c, req); err != nil || len(seen) != 5 {
		t.Errorf("after %d calls: %v", len(seen), err)
	}
}

func TestFailures(t *testing.T) {
	const engine = `{"error":{"code":400,"message":"request (2622 tokens) exceeds the available context size (512 tokens), try increasing it","type":"exceed_context_size_error","n_ctx":512}}`
	tests := []struct {
		name    string
		reply   llmtest.Reply
		want    llm.Error
		emitted string
	}{
		{"busy", llmtest.Reply{Status: 503, Message: "server busy, please try again. maximum pending requests exceeded"},
			llm.Error{Cause: llm.Overloaded, Status: 503, Message: "server busy, please try again. maximum pending requests exceeded"}, ""},
		{"out of memory", llmtest.Reply{Status: 500, Message: "model requires more system memory (5.6 GiB) than is available (3 GiB)"},
			llm.Error{Cause: llm.Overloaded, Status: 500, Message: "model requires more system memory (5.6 GiB) than is available (3 GiB)"}, ""},
		{"too many", llmtest.Reply{Status: 429, RetryAfter: "7", Message: "slow"}, llm.Error{Cause: llm.Overloaded, Status: 429, Message: "slow", After: 7 * time.Second}, ""},
		{"signed out of the cloud", llmtest.Reply{Status: 401, Message: "unauthorized"}, llm.Error{Cause: llm.Refused, Status: 401, Message: "unauthorized"}, ""},
		{"not pulled", llmtest.Reply{Status: 404, Message: "model 'small' not found"},
			llm.Error{Cause: llm.BadRequest, Status: 404, Message: "the model small is not there; get it with: ollama pull small"}, ""},
		{"not pulled, older", llmtest.Reply{Status: 404, Message: `model "small" not found, try pulling it first`},
			llm.Error{Cause: llm.BadRequest, Status: 404, Message: "the model small is not there; get it with: ollama pull small"}, ""},
		{"wrong address", llmtest.Reply{Status: 404, HTML: true}, llm.Error{Cause: llm.BadRequest, Status: 404, Message: "Not Found"}, ""},
		{"too long since 0.12.6", llmtest.Reply{Status: 400, Message: "the input length exceeds the context length"},
			llm.Error{Cause: llm.TooLong, Status: 400, Message: "the input length exceeds the context length"}, ""},
		{"too long since 0.33", llmtest.Reply{Status: 400, Message: "the prompt is longer than the context length currently available to the model; shorten the prompt"},
			llm.Error{Cause: llm.TooLong, Status: 400, Message: "the prompt is longer than the context length currently available to the model; shorten the prompt"}, ""},
		{"too long since 0.34", llmtest.Reply{Status: 400, Message: engine}, llm.Error{Cause: llm.TooLong, Status: 400, Message: engine}, ""},
		{"bad request", llmtest.Reply{Status: 400, Message: "illegal base64 data at input byte 0"}, llm.Error{Cause: llm.BadRequest, Status: 400, Message: "illegal base64 data at input byte 0"}, ""},
		{"web page", llmtest.Reply{Status: 502, HTML: true}, llm.Error{Cause: llm.Overloaded, Status: 502, Message: "Bad Gateway"}, ""},
		{"dies in the stream", llmtest.Reply{Text: "one two three", Break: true, Message: "model runner has unexpectedly stopped"},
			llm.Error{Cause: llm.Overloaded, Message: "model runner has unexpectedly stopped", Streamed: true}, "one two "},
		{"dies before text", llmtest.Reply{Reasoning: "hm", Text: "<think>", Break: true, Message: "unexpected EOF"},
			llm.Error{Cause: llm.Overloaded, Message: "unexpected EOF"}, ""},
		{"only loaded", llmtest.Reply{Reasoning: "hm", Finish: "load"}, llm.Error{Cause: llm.BadAnswer, Message: `no answer, though the model was asked ("load")`}, ""},
		{"unloaded", llmtest.Reply{Reasoning: "hm", Finish: "unload"}, llm.Error{Cause: llm.BadAnswer, Message: `no answer, though the model was asked ("unload")`}, ""},
		{"cut", llmtest.Reply{Text: "one two three", Cut: true}, llm.Error{Cause: llm.Network, Message: "the stream was cut before the answer ended", Streamed: true}, "one two "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Ollama{Strict: true}
			double.Push(tt.reply)
			_, emitted, err := complete(t, serve(t, double), user("hello"))
			got := *failure(t, err)
			got.Err = nil
			tt.want.Provider = "ollama"
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
			if emitted != tt.emitted {
				t.Errorf("emitted %q; want %q", emitted, tt.emitted)
			}
			if resp, _, err := complete(t, serve(t, double), user("again")); err != nil || resp.Text != "echo: again" {
				t.Errorf("the next call: %q, %v", resp.Text, err)
			}
		})
	}
}

// A server that cuts the prompt although asked not to gives itself away by its
// count. What was shown already stays an answer.
func TestPromptCut(t *testing.T) {
	full := llm.Usage{Input: 1000, Output: 3}
	tests := []struct {
		name   string
		usage  llm.Usage
		window int
		silent bool // nobody watches
		want   llm.Cause
	}{
		{"cut", full, 1000, true, llm.TooLong},
		{"cut, but shown", full, 1000, false, ""},
		{"nearly full", llm.Usage{Input: 999, Output: 3}, 1000, true, ""},
		{"window of the server", full, 0, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Ollama{}
			double.Push(llmtest.Reply{Text: "so", Usage: tt.usage})
			c := New(Options{BaseURL: "http://double", Model: "small", Window: tt.window, Client: connect(t, double)})
			emit := func(string) {}
			if tt.silent {
				emit = nil
			}
			resp, err := c.Complete(t.Context(), user("hello"), emit)
			if tt.want == "" && (err != nil || resp.Text != "so") || tt.want != "" && failure(t, err).Cause != tt.want {
				t.Errorf("got %q, %v; want %q", resp.Text, err, tt.want)
			}
			if resp.Usage != tt.usage {
				t.Errorf("counted %+v; want %+v", resp.Usage, tt.usage)
			}
		})
	}
}

// A model without tools answers all the same, and is not asked twice again.
func TestNoTools(t *testing.T) {
	double := &llmtest.Ollama{Strict: true, Models: []llmtest.OllamaModel{{Name: "small", Capabilities: []string{"completion"}}}}
	c := serve(t, double)
	req := user("hello")
	req.Tools = []llm.ToolSpec{{Name: "now"}}
	for i, want := range []int{2, 3} {
		if resp, emitted, err := complete(t, c, req); err != nil || resp.Text != "echo: hello" || emitted != resp.Text {
			t.Errorf("call %d: %q, %v", i, resp.Text, err)
		}
		if got := len(double.Received()); got != want {
			t.Errorf("%d requests after call %d; want %d", got, i, want)
		}
	}
	able := serve(t, &llmtest.Ollama{Strict: true})
	if _, _, err := complete(t, able, req); err != nil || able.toolless.Load() {
		t.Errorf("a model with tools: %v, toolless %t", err, able.toolless.Load())
	}
}

func TestUnreachable(t *testing.T) {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, &llmtest.Ollama{})
	network.Refuse(true)
	c := New(Options{Client: &http.Client{Transport: &http.Transport{DialContext: network.DialContext}}})
	_, _, err := complete(t, c, user("hello"))
	if e := failure(t, err); e.Cause != llm.Network || e.Streamed {
		t.Errorf("got %+v", e)
	}
}

func TestCancelled(t *testing.T) {
	for _, reply := range []llmtest.Reply{{Gate: llmtest.NewGate()}, {Text: "one two three", Pause: time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			if reply.Gate != nil {
				reply.Gate = llmtest.NewGate() // of this bubble
			}
			double := &llmtest.Ollama{}
			double.Push(reply)
			ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
			defer cancel()
			start := time.Now()
			_, err := serve(t, double).Complete(ctx, user("hello"), nil)
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 90*time.Second {
				t.Errorf("got %v after %v", err, time.Since(start))
			}
		})
	}
}

// Silence inside an answer ends it; before the answer it does not, because the
// model may have to be loaded, unless a fallback waits.
func TestSilence(t *testing.T) {
	tests := []struct {
		name     string
		reply    llmtest.Reply
		patience time.Duration
		want     llm.Cause
		took     time.Duration
	}{
		{"slow", llmtest.Reply{Text: "one two", Pause: 80 * time.Second}, 0, "", 240 * time.Second},
		{"silent", llmtest.Reply{Text: "one two", Pause: 10 * time.Minute}, 15 * time.Minute, llm.Network, 11*time.Minute + 30*time.Second},
		{"late", llmtest.Reply{Text: "one two", Pause: 10 * time.Minute}, time.Minute, llm.Network, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				double := &llmtest.Ollama{}
				double.Push(tt.reply)
				c := New(Options{BaseURL: "http://double", Client: connect(t, double), Patience: tt.patience})
				start := time.Now()
				_, err := c.Complete(t.Context(), user("hello"), nil)
				if tt.want == "" && err != nil || tt.want != "" && failure(t, err).Cause != tt.want || time.Since(start) != tt.took {
					t.Errorf("got %v after %v; want %q after %v", err, time.Since(start), tt.want, tt.took)
				}
			})
		})
	}
}

// raw answers every request with one body.
func raw(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-ndjson")
		io.WriteString(w, body)
	})
}

// Words of the conversation never get into an error's text.
func TestNoPromptInErrors(t *testing.T) {
	for _, body := range []string{`{"message":{"content":7,"x":"secret"}}`, `secret`} {
		_, _, err := complete(t, serve(t, raw(body)), user("secret"))
		if e := failure(t, err); e.Cause != llm.BadAnswer || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
	}
}
