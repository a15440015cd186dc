//go:build linux

package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// moody is the provider's double, which is now and then out of order.
type moody struct {
	mu   sync.Mutex
	rnd  *rand.Rand
	mood string // "", "429", "5xx" or "mad"
	bad  int    // answers that were not in order
}

func (m *moody) be(mood string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mood = mood
}

// spoilt are answers as they should not be. Those that a person gets to see have a
// word by which they are known.
var spoilt = []llmtest.Reply{
	{Text: "half of this", Cut: true},
	{Text: "and of this", Break: true, Message: "the server had an error"},
	{Calls: []llm.ToolCall{{ID: "c1", Name: "no such tool", Args: []byte(`{}`)}}},
	{Calls: []llm.ToolCall{{ID: "c1", Name: "now", Args: []byte(`{"zone":`)}}},
	{Calls: []llm.ToolCall{{ID: "c1", Name: "memory_forget", Args: []byte(`[1]`)}}},
	{Text: " \n"},
	{Text: strings.Repeat("zqhuge ", 6000)},
	{Text: "zqodd \xff\xfe\xc3( \x00"},
	{Text: "zqlong", Finish: "length"},
	{Text: "zqfinish", Finish: "no such reason"},
}

// raw are answers that are no answer at all.
var raw = []string{"", "data: {\"choices\":[{\"delta\":{\"content\":\"zq\n\n", "<html><title>Login</title></html>", "data: [DONE]\n\n", "data: {}\n\ndata: \xff\n\n", "{\"choices\":"}

// ServeHTTP implements http.Handler. Each request gets a double of its own, so that
// nothing is kept of it.
func (m *moody) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	one := &llmtest.OpenAI{Strict: true, Key: "sk-test-secret", Tail: "[now: "}
	switch reply, text, done := m.draw(); {
	case bytes.Contains(body, []byte("heartbeat_decision")):
		one.Push(llmtest.Reply{Text: "HEARTBEAT_OK"})
	case done:
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, text)
		return
	case reply != nil:
		one.Push(*reply)
	}
	one.ServeHTTP(w, r)
}

// draw draws what is wrong with the next answer; in every mood some are in order.
func (m *moody) draw() (reply *llmtest.Reply, text string, done bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mood == "" || m.rnd.IntN(3) == 0 {
		return nil, "", false
	}
	m.bad++
	switch m.mood {
	case "429":
		return &llmtest.Reply{Status: http.StatusTooManyRequests, RetryAfter: "1", Message: "slow down"}, "", false
	case "5xx":
		return &llmtest.Reply{Status: 500 + m.rnd.IntN(4), Message: "oops", HTML: m.rnd.IntN(2) == 0}, "", false
	}
	if n := m.rnd.IntN(len(spoilt) + len(raw)); n < len(spoilt) {
		return &spoilt[n], "", false
	} else {
		return nil, raw[n-len(spoilt)], true
	}
}
