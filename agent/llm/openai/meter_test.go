package openai

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// The provider is paid for an answer that a person stops, and for one that it
// does not count; for one that it refuses it is not.
func TestMetered(t *testing.T) {
	call := llm.ToolCall{Name: "f", ID: "c", Args: json.RawMessage(`{"a":{"b":1}}`)}
	for _, tt := range []struct {
		name  string
		reply llmtest.Reply
		stop  bool
		calls int
	}{
		{"stopped", llmtest.Reply{Text: "many words", Pause: time.Second}, true, 1},
		{"cut before any text", llmtest.Reply{Reasoning: "hm", Calls: []llm.ToolCall{call}, Cut: true}, false, 1},
		{"refused", llmtest.Reply{Status: 529}, false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			double := &llmtest.OpenAI{}
			double.Push(tt.reply)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			book := &countingBook{}
			m := llm.Meter(serve(t, double), "m", llm.Price{}, book)
			_, err := m.Complete(ctx, user("a question of thirty-two letters"), func(string) {
				if tt.stop {
					cancel()
				}
			})
			if err == nil || len(book.spent) != tt.calls {
				t.Errorf("%s: %v; booked %+v, want %d calls", tt.name, err, book.spent, tt.calls)
			}
			for _, s := range book.spent {
				if s.Usage.Input != 8 {
					t.Errorf("%s: booked %+v; want 8 tokens of input", tt.name, s.Usage)
				}
			}
		})
	}
}

// countingBook is an llm.Book of one goroutine.
type countingBook struct{ spent []llm.Spend }

func (b *countingBook) Spend(_ string, s llm.Spend) { b.spent = append(b.spent, s) }

func (b *countingBook) Spent(context.Context, string) (day, month llm.Total, err error) {
	return llm.Total{}, llm.Total{}, nil
}
