package agent

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"nacre"
)

// Lines of whoever works for a turn have its ids, in every form of a logger; others have
// none.
func TestLinesTellTheirTurn(t *testing.T) {
	s := &session{info: nacre.SessionInfo{ID: "s1"}}
	ctx := s.observed(context.Background(), &turn{id: "t1"})
	for _, c := range []struct {
		ctx  context.Context
		with func(*slog.Logger) *slog.Logger
		want string
	}{
		{ctx, func(l *slog.Logger) *slog.Logger { return l }, "msg=hello a=1 session=s1 turn=t1\n"},
		{ctx, func(l *slog.Logger) *slog.Logger { return l.With("b", 2) }, "msg=hello b=2 a=1 session=s1 turn=t1\n"},
		{ctx, func(l *slog.Logger) *slog.Logger { return l.WithGroup("g") }, "msg=hello g.a=1 g.session=s1 g.turn=t1\n"},
		{context.Background(), func(l *slog.Logger) *slog.Logger { return l }, "msg=hello a=1\n"},
	} {
		var b bytes.Buffer
		bare := slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
				return slog.Attr{}
			}
			return a
		}})
		c.with(slog.New(LogHandler(bare))).InfoContext(c.ctx, "hello", "a", 1)
		if got := b.String(); got != c.want {
			t.Errorf("logged %q, want %q", got, c.want)
		}
	}
}
