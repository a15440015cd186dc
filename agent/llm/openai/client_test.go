package openai

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
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
			llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools, Blob: json.RawMessage(`{"origin":"double@double","reasoning_content":"look at \u003cthe\u003e clock"}`)}},
		{"reasoning not streamed", llmtest.Reply{Reasoning: "look", Calls: []llm.ToolCall{call}, Whole: true},
			llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools, Blob: json.RawMessage(`{"origin":"double@double","reasoning_content":"look"}`)}},
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
		{"forbidden", llmtest.Reply{Status: 403, Message: "no permission for this model"}, llm.Refused, "no permission for this model", 0},
		{"flagged", llmtest.Reply{Status: 403, Message: "your input was flagged"}, llm.Flagged, "your input was flagged", 0},
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
