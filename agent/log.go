package agent

import (
	"context"
	"log/slog"
	"time"

	"nacre/agent/llm"
)

// LogHandler returns a handler that adds to each line the ids of the session and the
// turn in whose context it was logged. So tools, models and recall, which know of no
// turn, need not be told: they log with their context. What the session itself logs has
// the ids of its logger.
func LogHandler(h slog.Handler) slog.Handler { return logHandler{h} }

type logHandler struct{ slog.Handler }

// idsKey is where a context holds the ids of a turn.
type idsKey struct{}

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if ids, ok := ctx.Value(idsKey{}).([]slog.Attr); ok {
		r = r.Clone()
		r.AddAttrs(ids...)
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name)}
}

// observed is the context of what is done for a turn: its lines have the turn's ids, and
// the turn counts what its models use.
func (s *session) observed(ctx context.Context, t *turn) context.Context {
	ctx, t.used = llm.Counting(context.WithValue(ctx, idsKey{}, []slog.Attr{slog.Any("session", s.info.ID), slog.Any("turn", t.id)}))
	return ctx
}

// report logs how a turn ended and what it took.
func (t *turn) report(words string, took time.Duration) {
	var used llm.Total
	if t.used != nil {
		used = t.used.Total()
	}
	t.log.Info(words, "outcome", t.outcome, "seconds", took.Seconds(), "calls", used.Calls, "input", used.Input, "output", used.Output)
}
