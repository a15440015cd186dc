// Package llmtest is the other end of agent/llm for tests: Model stands in for
// any model; OpenAI, Anthropic and Ollama for the servers of providers, in their
// own formats and with their own refusals. They follow a script, of Steps or of
// Replies, and where it is over echo what the person wrote, so that a test which
// does not care about the answer needs no script at all. A Replayer answers from
// a recording of llm.Record instead, and Check knows what providers refuse in
// any format.
package llmtest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"nacre/agent/llm"
)

// Step is one scripted completion of a Model.
type Step struct {
	Gate  *Gate  // wait here first, if set
	Panic any    // panic with this, if set
	Text  string // visible text, emitted word by word
	Calls []llm.ToolCall
	Stop  llm.Stop // empty means StopTools with calls, else StopEnd
	Usage llm.Usage
	Blob  []byte
	Err   error // fail with this, after Text was emitted
}

// Model is an llm.Model that follows a script. It is safe for many goroutines,
// which take its steps in the order of their calls. The zero Model echoes.
type Model struct {
	Strict bool // refuse, as BadRequest, what Check refuses

	mu       sync.Mutex // guards what follows
	steps    []Step
	requests []llm.Request
}

// NewModel returns a Model with a script.
func NewModel(steps ...Step) *Model { return &Model{steps: steps} }

// Push adds steps to the end of the script.
func (m *Model) Push(steps ...Step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = append(m.steps, steps...)
}

// Requests returns every request so far, refused ones included.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Complete implements llm.Model.
func (m *Model) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	step, err := m.take(req)
	if err != nil {
		return llm.Response{}, err
	}
	if err := step.Gate.pass(ctx); err != nil {
		return llm.Response{}, err
	}
	if step.Panic != nil {
		panic(step.Panic)
	}
	if emit != nil {
		for piece := range strings.SplitAfterSeq(step.Text, " ") {
			emit(piece)
		}
	}
	if step.Err != nil {
		return llm.Response{}, step.Err
	}
	return step.response(), ctx.Err()
}

// take records the request and returns its step. A refused request takes none.
func (m *Model) take(req llm.Request) (Step, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	req.Messages = slices.Clone(req.Messages)
	m.requests = append(m.requests, req)
	if m.Strict {
		if err := Check(req); err != nil {
			return Step{}, &llm.Error{Cause: llm.BadRequest, Provider: "llmtest", Status: 400, Message: err.Error()}
		}
	}
	if len(m.steps) == 0 {
		return Step{Text: Echo(req)}, nil
	}
	step := m.steps[0]
	m.steps = m.steps[1:]
	return step, nil
}

func (s *Step) response() llm.Response {
	r := llm.Response{Text: s.Text, Calls: s.Calls, Stop: s.Stop, Usage: s.Usage, Blob: s.Blob, Model: "llmtest"}
	if r.Stop == "" {
		r.Stop = llm.StopEnd
		if len(r.Calls) > 0 {
			r.Stop = llm.StopTools
		}
	}
	return r
}

// Echo is the answer of an unscripted double: "echo: " and all texts of the
// user since the last answer, joined by newlines. An assistant message that
// calls tools is no answer yet.
func Echo(req llm.Request) string {
	var texts []string
	for _, m := range req.Messages {
		switch {
		case m.Role == llm.User:
			texts = append(texts, m.Text)
		case m.Role == llm.Assistant && len(m.Calls) == 0:
			texts = nil
		}
	}
	return "echo: " + strings.Join(texts, "\n")
}
