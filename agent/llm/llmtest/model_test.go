package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"nacre/agent/llm"
)

func said(text string) llm.Message { return llm.Message{Role: llm.User, Text: text} }

func answered(text string, callIDs ...string) llm.Message {
	m := llm.Message{Role: llm.Assistant, Text: text}
	for _, id := range callIDs {
		m.Calls = append(m.Calls, llm.ToolCall{ID: id, Name: "now", Args: json.RawMessage("{}")})
	}
	return m
}

func result(id string) llm.Message { return llm.Message{Role: llm.Tool, CallID: id, Text: "noon"} }

func conversation(messages ...llm.Message) llm.Request { return llm.Request{Messages: messages} }

func TestModelFollowsItsScript(t *testing.T) {
	failure := errors.New("failure")
	call := []llm.ToolCall{{ID: "a", Name: "now"}}
	m := NewModel(Step{Text: "one two", Usage: llm.Usage{Input: 3}}, Step{Calls: call})
	m.Push(Step{Text: "half ", Err: failure}, Step{Text: "cut", Stop: llm.StopLength})
	tests := []struct {
		emitted string
		want    llm.Response
		err     error
	}{
		{"one two", llm.Response{Text: "one two", Stop: llm.StopEnd, Usage: llm.Usage{Input: 3}, Model: "llmtest"}, nil},
		{"", llm.Response{Calls: call, Stop: llm.StopTools, Model: "llmtest"}, nil},
		{"half ", llm.Response{}, failure},
		{"cut", llm.Response{Text: "cut", Stop: llm.StopLength, Model: "llmtest"}, nil},
		{"echo: b\nc", llm.Response{Text: "echo: b\nc", Stop: llm.StopEnd, Model: "llmtest"}, nil},
	}
	req := conversation(said("a"), answered("x"), said("b"), answered("", "1"), result("1"), said("c"))
	for i, tt := range tests {
		var emitted strings.Builder
		got, err := m.Complete(t.Context(), req, func(s string) { emitted.WriteString(s) })
		if err != tt.err || emitted.String() != tt.emitted || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("step %d: got %+v, %v, emitted %q", i, got, err, emitted.String())
		}
	}
	if got := m.Requests(); len(got) != len(tests) || !reflect.DeepEqual(got[0], req) {
		t.Errorf("recorded %d requests, the first %+v", len(got), got[0])
	}
}

func TestModelPanics(t *testing.T) {
	m := NewModel(Step{Panic: "boom"})
	defer func() {
		if got := recover(); got != "boom" {
			t.Errorf("recovered %v", got)
		}
	}()
	m.Complete(t.Context(), conversation(said("a")), nil)
	t.Error("no panic")
}

func TestGate(t *testing.T) {
	gate := NewGate()
	m := NewModel(Step{Gate: gate, Text: "late"}, Step{Gate: gate})
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome)
	complete := func(ctx context.Context) {
		r, err := m.Complete(ctx, conversation(said("a")), nil)
		done <- outcome{r.Text, err}
	}
	go complete(t.Context())
	<-gate.Reached()
	select {
	case got := <-done:
		t.Fatalf("passed a closed gate with %+v", got)
	default:
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	go complete(ctx)
	if got := <-done; !errors.Is(got.err, context.Canceled) {
		t.Errorf("a cancelled call gives %+v", got)
	}
	gate.Open()
	gate.Open()
	if got := <-done; got != (outcome{"late", nil}) {
		t.Errorf("after opening: %+v", got)
	}
}

func TestModelIsSafe(t *testing.T) {
	const n = 50
	m := &Model{}
	for range n / 2 {
		m.Push(Step{Text: "scripted"})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	count := map[string]int{}
	for range n {
		wg.Go(func() {
			r, err := m.Complete(t.Context(), conversation(said("hi")), nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				count[r.Text]++
			}
		})
	}
	wg.Wait()
	if count["scripted"] != n/2 || count["echo: hi"] != n/2 || len(m.Requests()) != n {
		t.Errorf("got %v after %d requests", count, len(m.Requests()))
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		req  llm.Request
		err  string
	}{
		{"one", conversation(said("a")), ""},
		{"two at once", conversation(said("a"), said("b")), ""},
		{"dialogue", conversation(said("a"), answered("b"), said("c")), ""},
		{"calls", conversation(said("a"), answered("", "1", "2"), result("2"), result("1")), ""},
		{"steered", conversation(said("a"), answered("b", "1"), result("1"), said("c")), ""},
		{"calls in turn", conversation(said("a"), answered("", "1"), result("1"), answered("", "1"), result("1")), ""},
		{"answer after calls", conversation(said("a"), answered("", "1"), result("1"), answered("b"), said("c")), ""},

		{"none", conversation(), "no messages"},
		{"begins with an answer", conversation(answered("a"), said("b")), "begins with the assistant"},
		{"begins with a result", conversation(result("1")), "unknown call"},
		{"ends with an answer", conversation(said("a"), answered("b")), "nothing to answer"},
		{"empty words", conversation(said("")), "empty user"},
		{"empty answer", conversation(said("a"), answered(""), said("b")), "empty assistant"},
		{"two answers", conversation(said("a"), answered("b"), answered("c"), said("d")), "in a row"},
		{"call without a result", conversation(said("a"), answered("", "1")), "1 tool calls without"},
		{"call half answered", conversation(said("a"), answered("", "1", "2"), result("1")), "1 tool calls without"},
		{"words before the result", conversation(said("a"), answered("", "1"), said("b"), result("1")), "before 1 tool results"},
		{"result without a call", conversation(said("a"), result("1")), `unknown call "1"`},
		{"result twice", conversation(said("a"), answered("", "1"), result("1"), result("1")), "unknown call"},
		{"result of an earlier call", conversation(said("a"), answered("", "1"), result("1"), answered("", "2"), result("1")), "unknown call"},
		{"result without an id", conversation(said("a"), answered("", "1"), result("")), "unknown call"},
		{"call without an id", conversation(said("a"), answered("", ""), result("")), "id or name"},
		{"same id twice", conversation(said("a"), answered("", "1", "1"), result("1")), "id or name"},
		{"other role", conversation(llm.Message{Role: "system", Text: "a"}), "unknown role"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(tt.req)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %v; want %q", err, tt.err)
			}
			strict := &Model{Strict: true}
			_, err = strict.Complete(t.Context(), tt.req, nil)
			var e *llm.Error
			if tt.err == "" && err != nil || tt.err != "" && (!errors.As(err, &e) || e.Cause != llm.BadRequest) {
				t.Errorf("a strict model gives %v", err)
			}
			if _, err := NewModel().Complete(t.Context(), tt.req, nil); err != nil {
				t.Errorf("another model gives %v", err)
			}
		})
	}
}
