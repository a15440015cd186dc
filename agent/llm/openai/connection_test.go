package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/wire"
)

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

// A request that may have reached the server, which then was paid for its work,
// is not sent again by itself, also over a kept connection. That is for Retry.
func TestSentOnce(t *testing.T) {
	requests := 0
	double := &llmtest.OpenAI{}
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if requests%2 == 0 {
			io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		}
		double.ServeHTTP(w, r)
	}))
	if _, _, err := complete(t, c, user("hi")); err != nil {
		t.Fatal(err)
	}
	_, _, err := complete(t, c, user("hi"))
	if e := failure(t, err); e.Cause != llm.Network || requests != 2 {
		t.Errorf("got %v after %d requests; want a network error after 2", e, requests)
	}
	m := llm.Retry(c, llm.Policy{Base: 1})
	for _, want := range []int{3, 5} {
		if _, err := m.Complete(t.Context(), user("hi"), nil); err != nil || requests != want {
			t.Errorf("with Retry: %v after %d requests; want an answer after %d", err, requests, want)
		}
	}
}

func TestSilence(t *testing.T) {
	tests := []struct {
		name   string
		pause  time.Duration
		silent time.Duration // bound of our own
		after  time.Duration
		want   llm.Cause
	}{
		{"slow", 80 * time.Second, 0, 0, ""},
		{"silent", 100 * time.Second, 0, wire.Idle, llm.Network},
		{"silent for us", 30 * time.Second, 20 * time.Second, 20 * time.Second, llm.Network},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				double := &llmtest.OpenAI{}
				double.Push(llmtest.Reply{Text: "one two", Pause: tt.pause})
				client := connect(t, double)
				c := New(Options{BaseURL: "http://double", Model: "small", Client: client, Silence: tt.silent})
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
				if took := time.Since(start); e.Cause != tt.want || e.Message != "the answer stopped arriving" || took != tt.pause+tt.after {
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

// A server that keeps the connection open after its answer delays nobody, but
// for the usage that may still come.
func TestLingeringServer(t *testing.T) {
	const usage = `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1}}` + "\n\n"
	for _, tt := range []struct {
		name, late string
		after      time.Duration // before late
		want       time.Duration
		counted    int
	}{
		{"nothing follows", "", 0, wire.Linger, 0},
		{"the end follows", "data: [DONE]\n\n", 0, 100 * time.Millisecond, 0},
		{"the usage is late", usage + "data: [DONE]\n\n", 1500 * time.Millisecond, 1600 * time.Millisecond, 9},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := connect(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, `data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`+"\n\n")
				w.(http.Flusher).Flush()
				time.Sleep(tt.after)
				io.WriteString(w, tt.late)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}))
			c := New(Options{BaseURL: "http://double", Model: "small", Client: client})
			start := time.Now()
			resp, err := c.Complete(t.Context(), user("hi"), nil)
			if took := time.Since(start); err != nil || resp.Text != "hi" || took != tt.want || resp.Usage.Input != tt.counted {
				t.Errorf("%s: got %+v, %v after %v; want it after %v", tt.name, resp, err, took, tt.want)
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
