package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/wire"
	"nacre/gateway/gatewaytest"
)

const testKey = "sk-secret-0123456789"

// serve returns a Client whose server is h.
func serve(t *testing.T, h http.Handler) *Client {
	t.Helper()
	client := connect(t, h)
	return New(Options{BaseURL: "http://double/v1", Key: testKey, Model: "small", Client: client, Provider: "double"})
}

// connect returns a client whose every request goes to h, over pipes.
func connect(t testing.TB, h http.Handler) *http.Client {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// raw answers every request with one body.
func raw(contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	})
}

func user(texts ...string) llm.Request {
	var req llm.Request
	for _, s := range texts {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: s})
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
		{"echo", llmtest.Reply{}, llm.Response{Text: "echo: one\ntwo", Stop: llm.StopEnd}},
		{"text and usage", llmtest.Reply{Text: "Good morning, Ann.", Usage: usage}, llm.Response{Text: "Good morning, Ann.", Stop: llm.StopEnd, Usage: usage}},
		{"not streamed", llmtest.Reply{Text: "Good morning.", Usage: usage, Whole: true}, llm.Response{Text: "Good morning.", Stop: llm.StopEnd, Usage: usage}},
		{"comments", llmtest.Reply{Text: "a b c", Comments: true}, llm.Response{Text: "a b c", Stop: llm.StopEnd}},
		{"carriage returns", llmtest.Reply{Text: "a b c", CRLF: true, Comments: true}, llm.Response{Text: "a b c", Stop: llm.StopEnd}},
		{"emoji in halves", llmtest.Reply{Text: "a 🎩 and 👩‍👩‍👧", Halves: true}, llm.Response{Text: "a 🎩 and 👩‍👩‍👧", Stop: llm.StopEnd}},
		{"tool calls", llmtest.Reply{Calls: []llm.ToolCall{call, second}}, llm.Response{Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools}},
		{"tool calls not streamed", llmtest.Reply{Calls: []llm.ToolCall{call, second}, Whole: true}, llm.Response{Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools}},
		{"text and a tool call", llmtest.Reply{Text: "I look.", Calls: []llm.ToolCall{call}}, llm.Response{Text: "I look.", Calls: []llm.ToolCall{call}, Stop: llm.StopTools}},
		{"tool calls said to stop", llmtest.Reply{Calls: []llm.ToolCall{call}, Finish: "stop"}, llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools}},
		{"length", llmtest.Reply{Text: "and then", Finish: "length"}, llm.Response{Text: "and then", Stop: llm.StopLength}},
		{"filtered", llmtest.Reply{Text: "I", Finish: "content_filter"}, llm.Response{Text: "I", Stop: llm.StopRefused}},
		{"function_call without any", llmtest.Reply{Text: "so", Finish: "function_call"}, llm.Response{Text: "so", Stop: llm.StopEnd}},
		{"reasoning is not text", llmtest.Reply{Text: "42", Reasoning: "six by seven"}, llm.Response{Text: "42", Stop: llm.StopEnd}},
		{"reasoning alone", llmtest.Reply{Reasoning: "six by seven"}, llm.Response{Stop: llm.StopEnd}},
		{"reasoning before a call", llmtest.Reply{Reasoning: "look at <the> clock", Calls: []llm.ToolCall{call}},
			llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools, Blob: json.RawMessage(`{"host":"double","reasoning_content":"look at \u003cthe\u003e clock"}`)}},
		{"reasoning not streamed", llmtest.Reply{Reasoning: "look", Calls: []llm.ToolCall{call}, Whole: true},
			llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools, Blob: json.RawMessage(`{"host":"double","reasoning_content":"look"}`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.OpenAI{Strict: true, Key: testKey}
			double.Push(tt.reply)
			got, emitted, err := complete(t, serve(t, double), user("one", "two"))
			if err != nil {
				t.Fatal(err)
			}
			if emitted != tt.want.Text {
				t.Errorf("emitted %q; want the text %q", emitted, tt.want.Text)
			}
			if tt.want.Usage == (llm.Usage{}) {
				tt.want.Usage = got.Usage
			}
			tt.want.Model = "small"
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A whole tool exchange against a server that checks pairing, as DeepSeek
// wants it: the reasoning goes back with the call.
func TestToolExchange(t *testing.T) {
	double := &llmtest.OpenAI{Strict: true}
	double.Push(
		llmtest.Reply{Reasoning: "the clock", Calls: []llm.ToolCall{{Name: "now", ID: "c1"}}},
		llmtest.Reply{Text: "It is noon."})
	c := serve(t, double)
	req := user("what time is it?")
	req.Tools = []llm.ToolSpec{{Name: "now", Description: "The time.", Schema: json.RawMessage(`{"type":"object"}`)}}
	first, _, err := complete(t, c, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Assistant, Text: first.Text, Calls: first.Calls, Blob: first.Blob},
		llm.Message{Role: llm.Tool, CallID: first.Calls[0].ID, Text: "12:00"})
	second, _, err := complete(t, c, req)
	if err != nil || second.Text != "It is noon." {
		t.Fatalf("got %q, %v", second.Text, err)
	}
	bodies := double.Received()
	want := `{"role":"assistant","content":null,"reasoning_content":"the clock","tool_calls":[{"id":"c1","type":"function","function":{"name":"now","arguments":"{}"}}]},` +
		`{"role":"tool","content":"12:00","tool_call_id":"c1"}]}` + "\n"
	if got := string(bodies[1].Body); !strings.HasSuffix(got, want) {
		t.Errorf("second request\n%s\nshould end in\n%s", got, want)
	}
	shared := strings.TrimSuffix(string(bodies[0].Body), "]}\n")
	if !strings.HasPrefix(string(bodies[1].Body), shared) {
		t.Errorf("the second request does not begin with the bytes of the first")
	}
}

func TestUnpairedIsRefused(t *testing.T) {
	c := serve(t, &llmtest.OpenAI{Strict: true})
	req := user("hello")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: "gone", Text: "x"})
	_, _, err := complete(t, c, req)
	if e := failure(t, err); e.Cause != llm.BadRequest || e.Status != 400 {
		t.Errorf("got %v; want a bad request", e)
	}
	if _, _, err := complete(t, c, user("hello")); err != nil {
		t.Errorf("a paired request fails: %v", err)
	}
}

func TestStreamFaults(t *testing.T) {
	tests := []struct {
		name     string
		reply    llmtest.Reply
		cause    llm.Cause
		message  string
		streamed bool
	}{
		{"cut before the text", llmtest.Reply{Text: "a", Cut: true}, llm.Network, "the stream was cut before the answer ended", true},
		{"cut in the text", llmtest.Reply{Text: "one two three four five six", Cut: true}, llm.Network, "the stream was cut before the answer ended", true},
		{"cut in a call", llmtest.Reply{Calls: []llm.ToolCall{{Name: "now", ID: "c", Args: json.RawMessage(`{"a":{"b":1}}`)}}, Cut: true}, llm.Network, "the stream was cut before the answer ended", false},
		{"error in the text", llmtest.Reply{Text: "one two three four", Break: true, Message: "Overloaded", Code: "server_error"}, llm.Overloaded, "Overloaded", true},
		{"error before the text", llmtest.Reply{Reasoning: "long", Break: true, Message: "busy"}, llm.Overloaded, "busy", false},
		{"quota in the text", llmtest.Reply{Text: "one two", Break: true, Code: "insufficient_quota"}, llm.Billing, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.OpenAI{}
			double.Push(tt.reply)
			_, emitted, err := complete(t, serve(t, double), user("hi"))
			e := failure(t, err)
			if e.Cause != tt.cause || e.Message != tt.message || e.Provider != "double" {
				t.Errorf("got %v; want %s: %s", e, tt.cause, tt.message)
			}
			if e.Streamed != tt.streamed || e.Streamed != (emitted != "") {
				t.Errorf("streamed %t after %q; want %t", e.Streamed, emitted, tt.streamed)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name    string
		reply   llmtest.Reply
		cause   llm.Cause
		message string
		after   time.Duration
	}{
		{"too many", llmtest.Reply{Status: 429, RetryAfter: "7", Message: "slow down"}, llm.Overloaded, "slow down", 7 * time.Second},
		{"quota", llmtest.Reply{Status: 429, Code: "insufficient_quota", Message: "You exceeded your current quota"}, llm.Billing, "You exceeded your current quota", 0},
		{"payment", llmtest.Reply{Status: 402, Message: "Insufficient Balance"}, llm.Billing, "Insufficient Balance", 0},
		{"server", llmtest.Reply{Status: 500, Message: "boom"}, llm.Overloaded, "boom", 0},
		{"overloaded", llmtest.Reply{Status: 529, Message: "overloaded_error"}, llm.Overloaded, "overloaded_error", 0},
		{"web page", llmtest.Reply{Status: 502, HTML: true}, llm.Overloaded, "Bad Gateway", 0},
		{"forbidden", llmtest.Reply{Status: 403, Message: "not your model"}, llm.Refused, "not your model", 0},
		{"no such model", llmtest.Reply{Status: 404, Message: "model not found"}, llm.BadRequest, "model not found", 0},
		{"window by code", llmtest.Reply{Status: 400, Code: "context_length_exceeded", Message: "too big"}, llm.TooLong, "too big", 0},
		{"window by words", llmtest.Reply{Status: 400, Message: "This model's maximum context length is 8192 tokens."}, llm.TooLong, "This model's maximum context length is 8192 tokens.", 0},
		{"large", llmtest.Reply{Status: 413}, llm.TooLong, "Request Entity Too Large", 0},
		{"malformed", llmtest.Reply{Status: 400, Message: "bad\n\tschema\x00"}, llm.BadRequest, "bad schema", 0},
		{"redirect", llmtest.Reply{Status: 301}, llm.BadRequest, "Moved Permanently", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.OpenAI{}
			double.Push(tt.reply)
			c := serve(t, double)
			_, emitted, err := complete(t, c, user("hi"))
			e := failure(t, err)
			if e.Cause != tt.cause || e.Message != tt.message || e.Status != tt.reply.Status || e.After != tt.after {
				t.Errorf("got %v after %v; want %s (%d): %s after %v", e, e.After, tt.cause, tt.reply.Status, tt.message, tt.after)
			}
			if e.Streamed || emitted != "" {
				t.Errorf("streamed %t, emitted %q before any answer", e.Streamed, emitted)
			}
			if _, _, err := complete(t, c, user("hi")); err != nil {
				t.Errorf("the next request fails: %v", err)
			}
		})
	}
}

func TestKeyStaysSecret(t *testing.T) {
	double := &llmtest.OpenAI{Key: "another"}
	c := serve(t, double)
	_, _, err := complete(t, c, user("hi"))
	e := failure(t, err)
	if got := double.Received()[0].Header.Get("Authorization"); got != "Bearer "+testKey {
		t.Fatalf("the server got %q", got)
	}
	if e.Cause != llm.Refused || e.Message != "Incorrect API key provided: [key]" {
		t.Errorf("got %v; want a refusal without the key", e)
	}

	masked := &llmtest.OpenAI{}
	masked.Push(llmtest.Reply{Status: 401, Message: "Incorrect API key provided: sk-secre***6789. Find yours at example.org."})
	_, _, err = complete(t, serve(t, masked), user("hi"))
	if got := failure(t, err).Message; got != "Incorrect API key provided: [key] Find yours at example.org." {
		t.Errorf("got %q; want no part of the key", got)
	}
}

// A redirect would turn the POST into a GET and could carry the prompt away.
func TestRedirectIsNotFollowed(t *testing.T) {
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	_, err := New(Options{BaseURL: server.URL, Model: "small"}).Complete(t.Context(), user("hi"), nil)
	if e := failure(t, err); e.Cause != llm.BadRequest || e.Status != http.StatusFound || len(paths) != 1 {
		t.Errorf("got %v after requests for %v", e, paths)
	}
}

func TestNoKey(t *testing.T) {
	double := &llmtest.OpenAI{}
	client := connect(t, double)
	c := New(Options{BaseURL: "http://double/v1/", Model: "small", Client: client})
	if _, err := c.Complete(t.Context(), user("hi"), nil); err != nil {
		t.Fatal(err)
	}
	if _, ok := double.Received()[0].Header["Authorization"]; ok {
		t.Error("an Authorization header was sent without a key")
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	c := New(Options{BaseURL: strings.Replace(server.URL, "http://", "http://someone:"+testKey+"@", 1), Key: testKey, Model: "small"})
	_, err := c.Complete(t.Context(), user("hi"), nil)
	e := failure(t, err)
	if e.Cause != llm.Network || !strings.Contains(e.Message, "refused") {
		t.Errorf("got %v; want a refused connection", e)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(err.Error(), testKey) {
			t.Errorf("%T shows the key", err)
		}
	}
}

// A connection is used again after a stream, so a busy gateway does not dial
// for every message.
func TestConnectionIsKept(t *testing.T) {
	var addrs []string
	double := &llmtest.OpenAI{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		addrs = append(addrs, r.RemoteAddr)
		double.ServeHTTP(w, r)
	}))
	defer server.Close()
	c := New(Options{BaseURL: server.URL, Model: "small"})
	for range 3 {
		if _, err := c.Complete(t.Context(), user("hi"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if addrs[0] != addrs[1] || addrs[1] != addrs[2] {
		t.Errorf("three requests came from %v; want one connection", addrs)
	}
}

// A kept connection that the server has closed is replaced without a word; a
// fresh one that fails is an error.
func TestStaleConnection(t *testing.T) {
	requests := 0
	double := &llmtest.OpenAI{}
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if requests == 2 || requests > 3 {
			panic(http.ErrAbortHandler)
		}
		double.ServeHTTP(w, r)
	}))
	for range 2 {
		if resp, _, err := complete(t, c, user("hi")); err != nil || resp.Text != "echo: hi" {
			t.Fatalf("got %q, %v", resp.Text, err)
		}
	}
	if _, ok := double.Received()[1].Header["Idempotency-Key"]; ok || requests != 3 {
		t.Errorf("%d requests, key header sent: %t; want 3 without", requests, ok)
	}
	c.endpoint.Client.CloseIdleConnections()
	_, _, err := complete(t, c, user("hi"))
	if e := failure(t, err); e.Cause != llm.Network {
		t.Errorf("got %v; want a network error", e)
	}
}

func TestSilence(t *testing.T) {
	tests := []struct {
		name  string
		pause time.Duration
		want  llm.Cause
	}{
		{"slow", 80 * time.Second, ""},
		{"silent", 100 * time.Second, llm.Network},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				double := &llmtest.OpenAI{}
				double.Push(llmtest.Reply{Text: "one two", Pause: tt.pause})
				client := connect(t, double)
				c := New(Options{BaseURL: "http://double", Model: "small", Client: client})
				start := time.Now()
				resp, err := c.Complete(t.Context(), user("hi"), nil)
				if tt.want == "" {
					if err != nil || resp.Text != "one two" {
						t.Errorf("got %q, %v; want the text", resp.Text, err)
					}
					return
				}
				e := failure(t, err)
				// The first pause is before the headers, which only ctx bounds.
				if took := time.Since(start); e.Cause != tt.want || e.Message != "nothing arrived for 1m30s" || took != tt.pause+wire.Idle {
					t.Errorf("got %v after %v", e, took)
				}
			})
		})
	}
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		double := &llmtest.OpenAI{}
		double.Push(llmtest.Reply{Gate: llmtest.NewGate()})
		c := New(Options{BaseURL: "http://double", Model: "small", Client: connect(t, double), Patience: 30 * time.Second})
		start := time.Now()
		_, err := c.Complete(t.Context(), user("hi"), nil)
		if e := failure(t, err); e.Cause != llm.Network || time.Since(start) != 30*time.Second {
			t.Errorf("got %v after %v", e, time.Since(start))
		}
	})
}

// A server that keeps the connection open after its answer delays nobody for
// long.
func TestLingeringServer(t *testing.T) {
	for _, end := range []string{"", "data: [DONE]\n\n"} {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, `data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`+"\n\n"+end)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}))
			c := New(Options{BaseURL: "http://double", Model: "small", Client: client})
			start := time.Now()
			resp, err := c.Complete(t.Context(), user("hi"), nil)
			if took := time.Since(start); err != nil || resp.Text != "hi" || took > wire.Linger {
				t.Errorf("with end %q: got %q, %v after %v", end, resp.Text, err, took)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply llmtest.Reply
	}{
		{"before the answer", llmtest.Reply{Gate: llmtest.NewGate()}},
		{"in the answer", llmtest.Reply{Text: "one two", Pause: time.Minute}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reply := tt.reply
				if reply.Gate != nil {
					reply.Gate = llmtest.NewGate() // one of this bubble
				}
				double := &llmtest.OpenAI{}
				double.Push(reply)
				client := connect(t, double)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				start := time.Now()
				_, err := New(Options{BaseURL: "http://double", Model: "small", Client: client}).Complete(ctx, user("hi"), nil)
				if !errors.Is(err, context.DeadlineExceeded) || llm.Passing(err) || time.Since(start) != 10*time.Second {
					t.Errorf("got %v after %v; want the deadline after 10s", err, time.Since(start))
				}
			})
		})
	}
}

func BenchmarkComplete(b *testing.B) {
	client := connect(b, raw("text/event-stream", stream(
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{"content":"ok m0001-0001 this is a f"},"finish_reason":null}]}`,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{"content":"ixed reply from the bench"},"finish_reason":null}]}`,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"small","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"small","choices":[],"usage":{"prompt_tokens":900,"completion_tokens":12,"prompt_tokens_details":{"cached_tokens":800}}}`,
		`[DONE]`)))
	c := New(Options{BaseURL: "http://double/v1", Key: testKey, Model: "small", Client: client})
	req := user("hello there")
	req.System = strings.Repeat("You are a helpful assistant. ", 100)
	for range 10 {
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "ok"}, llm.Message{Role: llm.User, Text: "and another question"})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Complete(b.Context(), req, func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}
