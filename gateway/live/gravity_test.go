package live

import (
	"errors"
	"log/slog"
	"testing"

	"nacre"
)

// What anybody can have refused does not fill the log.
func TestGravity(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want slog.Level
	}{
		{"a question that is not known", nacre.Errorf(nacre.NotFound, "This question is no longer open."), slog.LevelDebug},
		{"what is not allowed", nacre.Errorf(nacre.Denied, "no"), slog.LevelDebug},
		{"a host that is unable", nacre.Errorf(nacre.Transient, "later"), slog.LevelWarn},
		{"a fault", errors.New("broken"), slog.LevelWarn},
	} {
		if got := gravity(c.err); got != c.want {
			t.Errorf("%s is logged as %v, want %v", c.name, got, c.want)
		}
	}
}
