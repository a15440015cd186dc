package anthropic

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
	"nacre/agent/llm/wire"
	"nacre/gateway/gatewaytest"
)

const testKey = "sk-ant-secret-0123456789"

// serve returns a Client whose server is h.
func serve(t *testing.T, h http.Handler) *Client {
	t.Helper()
	return New(Options{BaseURL: "http://double", Key: testKey, Model: "claude", Client: connect(t, h), Provider: "double"})
}

// connect returns a client whose every request goes to h, over pipes.
func connect(t testing.TB, h http.Handler) *http.Client {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func asking(texts ...string) llm.Request {
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
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Fatalf("got error %v; want an *llm.Error", err)
	}
	return e
}

func TestComplete(t *testing.T) {
	call := llm.ToolCall{ID: "toolu_1", Name: "now", Args: json.RawMessage(`{"zone":"Asia/Tokyo","long":{"a":1}}`)}
	second := llm.ToolCall{ID: "toolu_2", Name: "memory_find", Args: json.RawMessage(`{"words":"tea"}`)}
	usage := llm.Usage{Input: 120, Output: 7, CacheRead: 100, CacheWrite: 15}
	tests := []struct {
		name  string
		reply llmtest.Reply
		want  llm.Response
	}{
		{"echo", llmtest.Reply{}, llm.Response{Text: "echo: one\ntwo", Stop: llm.StopEnd}},
		{"text and usage", llmtest.Reply{Text: "Good morning, Ann.", Usage: usage}, llm.Response{Text: "Good morning, Ann.", Stop: llm.StopEnd, Usage: usage}},
		{"not streamed", llmtest.Reply{Text: "Good morning.", Usage: usage, Whole: true}, llm.Response{Text: "Good morning.", Stop: llm.StopEnd, Usage: usage}},
		{"comments", llmtest.Reply{Text: "a b c", Comments: true}, llm.Response{Text: "a b c", Stop: llm.StopEnd}},
		{"carriage returns", llmtest.Reply{Text: "a b c", CRLF: true}, llm.Response{Text: "a b c", Stop: llm.StopEnd}},
		{"emoji in halves", llmtest.Reply{Text: "a 🎩 and 👩‍👩‍👧", Halves: true}, llm.Response{Text: "a 🎩 and 👩‍👩‍👧", Stop: llm.StopEnd}},
		{"tool calls", llmtest.Reply{Calls: []llm.ToolCall{call, second}}, llm.Response{Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools}},
		{"tool calls not streamed", llmtest.Reply{Calls: []llm.ToolCall{call, second}, Whole: true}, llm.Response{Calls: []llm.ToolCall{call, second}, Stop: llm.StopTools}},
		{"text and a tool call", llmtest.Reply{Text: "I look.", Calls: []llm.ToolCall{call}}, llm.Response{Text: "I look.", Calls: []llm.ToolCall{call}, Stop: llm.StopTools}},
		{"tool calls said to end", llmtest.Reply{Calls: []llm.ToolCall{call}, Finish: "end_turn"}, llm.Response{Calls: []llm.ToolCall{call}, Stop: llm.StopTools}},
		{"tool_use without any", llmtest.Reply{Text: "so", Finish: "tool_use"}, llm.Response{Text: "so", Stop: llm.StopEnd}},
		{"stop sequence", llmtest.Reply{Text: "so", Finish: "stop_sequence"}, llm.Response{Text: "so", Stop: llm.StopEnd}},
		{"another reason", llmtest.Reply{Text: "so", Finish: "tired"}, llm.Response{Text: "so", Stop: llm.StopEnd}},
		{"length", llmtest.Reply{Text: "and then", Finish: "max_tokens"}, llm.Response{Text: "and then", Stop: llm.StopLength}},
		{"window", llmtest.Reply{Text: "and then", Finish: "model_context_window_exceeded"}, llm.Response{Text: "and then", Stop: llm.StopLength}},
		{"paused", llmtest.Reply{Text: "and then", Finish: "pause_turn"}, llm.Response{Text: "and then", Stop: llm.StopLength}},
		{"declined", llmtest.Reply{Text: "I", Finish: "refusal"}, llm.Response{Text: "I", Stop: llm.StopRefused}},
		{"reasoning is not text", llmtest.Reply{Text: "42", Reasoning: "six by seven"}, llm.Response{Text: "42", Stop: llm.StopEnd}},
		{"reasoning alone", llmtest.Reply{Reasoning: "six by seven"}, llm.Response{Stop: llm.StopEnd}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Anthropic{Key: testKey}
			double.Push(tt.reply)
			got, emitted, err := complete(t, serve(t, double), asking("one", "two"))
			if err != nil {
				t.Fatal(err)
			}
			if emitted != tt.want.Text {
				t.Errorf("emitted %q; want the text %q", emitted, tt.want.Text)
			}
			if tt.want.Usage == (llm.Usage{}) {
				tt.want.Usage = got.Usage
			}
			tt.want.Model = "claude"
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A whole tool exchange: the signed reasoning goes back with the calls, in
// front of them, and the results come first in the next message.
func TestToolExchange(t *testing.T) {
	for _, whole := range []bool{false, true} {
		double := &llmtest.Anthropic{Key: testKey, Tail: "It is"}
		double.Push(
			llmtest.Reply{Whole: whole, Reasoning: "the <clock>", Calls: []llm.ToolCall{{Name: "now", ID: "c1"}, {Name: "now", ID: "c2"}}},
			llmtest.Reply{Text: "It is noon."})
		c := serve(t, double)
		req := asking("what time is it?")
		req.Tail = "It is Monday."
		req.Tools = []llm.ToolSpec{{Name: "now", Description: "The time.", Schema: json.RawMessage(`{"type":"object"}`)}}
		first, _, err := complete(t, c, req)
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.Assistant, Text: first.Text, Calls: first.Calls, Blob: first.Blob},
			llm.Message{Role: llm.Tool, CallID: first.Calls[0].ID, Text: "12:00"},
			llm.Message{Role: llm.Tool, CallID: first.Calls[1].ID, Text: "Error: no such zone"},
			llm.Message{Role: llm.User, Text: "quickly"})
		second, _, err := complete(t, c, req)
		if err != nil || second.Text != "It is noon." {
			t.Fatalf("got %q, %v", second.Text, err)
		}
		const thought = `{"role":"assistant","content":[{"type":"thinking","thinking":"the <clock>","signature":"`
		const results = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"12:00"},{"type":"tool_result","tool_use_id":"c2","content":"Error: no such zone","is_error":true},` +
			`{"type":"text","text":"quickly","cache_control":{"type":"ephemeral"}},{"type":"text","text":"It is Monday."}]}]}` + "\n"
		if got := string(double.Received()[1].Body); !strings.Contains(got, thought) || !strings.HasSuffix(got, results) {
			t.Errorf("second request\n%s\nshould hold %s and end in\n%s", got, thought, results)
		}
		// Reasoning that another host signed would be refused.
		other := &llmtest.Anthropic{}
		o := New(Options{BaseURL: "http://other", Model: "claude", Client: connect(t, other)})
		if _, _, err := complete(t, o, req); err != nil || strings.Contains(string(other.Received()[0].Body), "thinking") {
			t.Errorf("another host got %s, %v", other.Received()[0].Body, err)
		}
	}
}

// Reasoning that is bound to what stood before it is refused once, because the
// Tail has changed, and not sent again. Where nothing has changed it is taken.
func TestBoundReasoning(t *testing.T) {
	tests := []struct {
		name  string
		binds bool
		tail  string
		want  []bool // whether each request held reasoning
	}{
		{"bound", true, "It is Monday.", []bool{false, true, false, false, false}},
		{"bound, nothing changed", true, "", []bool{false, true, true, true}},
		{"not bound", false, "It is Monday.", []bool{false, true, true, true}},
	}
	for _, tt := range tests {
		double := &llmtest.Anthropic{Key: testKey, Binds: tt.binds, Tail: "It is"}
		c := serve(t, double)
		req := asking("what time is it?")
		for i := range 4 {
			if req.Tail = ""; tt.tail != "" {
				req.Tail = tt.tail + strings.Repeat("!", i)
			}
			double.Push(llmtest.Reply{Reasoning: "the clock", Calls: []llm.ToolCall{{Name: "now", ID: "c" + strings.Repeat("c", i)}}})
			resp, _, err := complete(t, c, req)
			if err != nil || len(resp.Calls) != 1 {
				t.Fatalf("%s: step %d: %+v, %v", tt.name, i, resp, err)
			}
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: resp.Calls, Blob: resp.Blob},
				llm.Message{Role: llm.Tool, CallID: resp.Calls[0].ID, Text: "12:00"})
		}
		var got []bool
		for _, r := range double.Received() {
			got = append(got, strings.Contains(string(r.Body), `"thinking"`))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: reasoning in %v; want %v", tt.name, got, tt.want)
		}
	}
}

// Another bad request is not repeated, and one whose words name thinking only
// where there was any to leave out.
func TestBadRequestIsNotRepeated(t *testing.T) {
	withBlob := asking("a")
	withBlob.Messages = append(withBlob.Messages,
		llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "c", Name: "now"}}, Blob: json.RawMessage(`{"origin":"double@double","thoughts":[{"block":{"type":"redacted_thinking","data":"x"}}]}`)},
		llm.Message{Role: llm.Tool, CallID: "c", Text: "12:00"})
	for _, tt := range []struct {
		name  string
		req   llm.Request
		words string
		want  int // requests
	}{
		{"thinking, and none sent", asking("a"), "thinking: no", 1},
		{"something else", withBlob, "max_tokens: no", 1},
		{"thinking", withBlob, "thinking: no", 2},
	} {
		double := &llmtest.Anthropic{}
		for range 2 {
			double.Push(llmtest.Reply{Status: 400, Message: tt.words})
		}
		_, _, err := complete(t, serve(t, double), tt.req)
		if e := failure(t, err); e.Cause != llm.BadRequest || len(double.Received()) != tt.want {
			t.Errorf("%s: got %v after %d requests; want %d", tt.name, e, len(double.Received()), tt.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	double := &llmtest.Anthropic{}
	if _, _, err := complete(t, serve(t, double), asking("hi")); err != nil {
		t.Fatal(err)
	}
	h := double.Received()[0].Header
	for name, want := range map[string]string{"X-Api-Key": testKey, "Anthropic-Version": "2023-06-01", "Content-Type": "application/json", "Accept": "text/event-stream"} {
		if got := h.Get(name); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
}

func TestUnpairedIsRefused(t *testing.T) {
	c := serve(t, &llmtest.Anthropic{})
	req := asking("hello")
	req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: "gone", Text: "x"})
	_, _, err := complete(t, c, req)
	if e := failure(t, err); e.Cause != llm.BadRequest || e.Status != 400 {
		t.Errorf("got %v; want a bad request", e)
	}
	if _, _, err := complete(t, c, asking("hello")); err != nil {
		t.Errorf("a paired request fails: %v", err)
	}
}

// A stream that fails leaves the tokens that were counted by then.
func TestStreamFaults(t *testing.T) {
	const cut = "the stream was cut before the answer ended"
	usage := llm.Usage{Input: 120, Output: 7, CacheRead: 100}
	tests := []struct {
		name     string
		reply    llmtest.Reply
		cause    llm.Cause
		message  string
		streamed bool
	}{
		{"cut in the text", llmtest.Reply{Text: "one two three four five six", Cut: true}, llm.Network, cut, true},
		{"cut in a call", llmtest.Reply{Calls: []llm.ToolCall{{Name: "now", ID: "c", Args: json.RawMessage(`{"a":{"b":1}}`)}}, Cut: true}, llm.Network, cut, false},
		{"overloaded in the text", llmtest.Reply{Text: "one two three four", Break: true, Message: "Overloaded"}, llm.Overloaded, "Overloaded", true},
		{"overloaded before the text", llmtest.Reply{Reasoning: "long", Break: true, Message: "Overloaded"}, llm.Overloaded, "Overloaded", false},
		{"rate limit in the text", llmtest.Reply{Text: "one two", Break: true, Code: "rate_limit_error"}, llm.Overloaded, "", true},
		{"inner error in the text", llmtest.Reply{Text: "one two", Break: true, Code: "api_error"}, llm.Overloaded, "", true},
		{"our fault in the text", llmtest.Reply{Text: "one two", Break: true, Code: "invalid_request_error", Message: "no"}, llm.BadRequest, "no", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Anthropic{}
			tt.reply.Usage = usage
			double.Push(tt.reply)
			resp, emitted, err := complete(t, serve(t, double), asking("hi"))
			e := failure(t, err)
			if e.Cause != tt.cause || e.Message != tt.message || e.Provider != "double" {
				t.Errorf("got %v; want %s: %s", e, tt.cause, tt.message)
			}
			if e.Streamed != tt.streamed || e.Streamed != (emitted != "") {
				t.Errorf("streamed %t after %q; want %t", e.Streamed, emitted, tt.streamed)
			}
			if want := (llm.Usage{Input: 120, Output: 1, CacheRead: 100}); resp.Usage != want {
				t.Errorf("counted %+v; want %+v", resp.Usage, want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name  string
		reply llmtest.Reply
		cause llm.Cause
		after time.Duration
	}{
		{"too many", llmtest.Reply{Status: 429, RetryAfter: "7", Message: "slow down"}, llm.Overloaded, 7 * time.Second},
		{"no credit", llmtest.Reply{Status: 400, Message: "Your credit balance is too low to access the Anthropic API."}, llm.Billing, 0},
		{"billing", llmtest.Reply{Status: 402, Message: "pay"}, llm.Billing, 0},
		{"server", llmtest.Reply{Status: 500, Message: "boom"}, llm.Overloaded, 0},
		{"overloaded", llmtest.Reply{Status: 529, Message: "Overloaded"}, llm.Overloaded, 0},
		{"web page", llmtest.Reply{Status: 502, HTML: true}, llm.Overloaded, 0},
		{"forbidden", llmtest.Reply{Status: 403, Code: "permission_error", Message: "not your model"}, llm.Refused, 0},
		{"no such model", llmtest.Reply{Status: 404, Message: "model: none"}, llm.BadRequest, 0},
		{"window", llmtest.Reply{Status: 400, Message: "prompt is too long: 9 tokens > 8 maximum"}, llm.TooLong, 0},
		{"large", llmtest.Reply{Status: 413, Message: "too large"}, llm.TooLong, 0},
		{"malformed", llmtest.Reply{Status: 400, Message: "no"}, llm.BadRequest, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &llmtest.Anthropic{}
			double.Push(tt.reply)
			c := serve(t, double)
			_, emitted, err := complete(t, c, asking("hi"))
			e := failure(t, err)
			if e.Cause != tt.cause || e.Status != tt.reply.Status || e.After != tt.after || tt.reply.Message != "" && e.Message != tt.reply.Message {
				t.Errorf("got %v after %v; want %s (%d) after %v", e, e.After, tt.cause, tt.reply.Status, tt.after)
			}
			if e.Streamed || emitted != "" {
				t.Errorf("streamed %t, emitted %q before any answer", e.Streamed, emitted)
			}
			if _, _, err := complete(t, c, asking("hi")); err != nil {
				t.Errorf("the next request fails: %v", err)
			}
		})
	}
}

func TestKeyStaysSecret(t *testing.T) {
	double := &llmtest.Anthropic{Key: "another"}
	_, _, err := complete(t, serve(t, double), asking("hi"))
	e := failure(t, err)
	if e.Cause != llm.Refused || e.Status != 401 {
		t.Errorf("got %v; want a refusal", e)
	}
	quoting := &llmtest.Anthropic{}
	quoting.Push(llmtest.Reply{Status: 401, Message: "invalid x-api-key: " + testKey})
	_, _, err = complete(t, serve(t, quoting), asking("hi"))
	if got := failure(t, err).Message; got != "invalid x-api-key: [key]" {
		t.Errorf("got %q; want no part of the key", got)
	}
}

func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		double := &llmtest.Anthropic{}
		double.Push(llmtest.Reply{Text: "one two", Pause: 100 * time.Second})
		c := New(Options{BaseURL: "http://double", Model: "claude", Client: connect(t, double)})
		start := time.Now()
		_, err := c.Complete(t.Context(), asking("hi"), nil)
		if e := failure(t, err); e.Cause != llm.Network || time.Since(start) != 100*time.Second+wire.Idle {
			t.Errorf("got %v after %v", e, time.Since(start))
		}
	})
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		double := &llmtest.Anthropic{}
		double.Push(llmtest.Reply{Gate: llmtest.NewGate()})
		c := New(Options{BaseURL: "http://double", Model: "claude", Client: connect(t, double), Patience: 30 * time.Second})
		start := time.Now()
		_, err := c.Complete(t.Context(), asking("hi"), nil)
		if e := failure(t, err); e.Cause != llm.Network || time.Since(start) != 30*time.Second {
			t.Errorf("got %v after %v", e, time.Since(start))
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		double := &llmtest.Anthropic{}
		double.Push(llmtest.Reply{Text: "one two", Pause: time.Minute})
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Second)
		defer cancel()
		c := New(Options{BaseURL: "http://double", Model: "claude", Client: connect(t, double)})
		resp, err := c.Complete(ctx, asking("hi"), nil)
		if !errors.Is(err, context.DeadlineExceeded) || llm.Passing(err) || resp.Usage.Input == 0 {
			t.Errorf("got %+v, %v; want the deadline and the tokens of the prompt", resp, err)
		}
	})
}

// A server that keeps the connection open after its answer delays nobody.
func TestLingeringServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := connect(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, stream(hello, end))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		start := time.Now()
		resp, err := New(Options{BaseURL: "http://double", Client: client}).Complete(t.Context(), asking("hi"), nil)
		if took := time.Since(start); err != nil || resp.Text != "hello" || took > 100*time.Millisecond {
			t.Errorf("got %q, %v after %v", resp.Text, err, took)
		}
	})
}
