package whatsapp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"regexp"
	"strconv"
	"syscall"

	"go.mau.fi/libsignal/logger"
	waLog "go.mau.fi/whatsmeow/util/log"
	"modernc.org/sqlite"
)

// libraryLog takes what the library logs. Its lines are made of a constant form and
// of arguments that can be numbers, texts and whole stanzas; only the form and the
// code of a fault are passed on.
type libraryLog struct{ log *slog.Logger }

// Errorf, Warnf, Infof, Debugf and Sub implement waLog.Logger. The library calls an
// error what it mends by itself, so everything is one level quieter here.
func (l libraryLog) Errorf(form string, args ...any) { l.tell(slog.LevelWarn, form, args) }
func (l libraryLog) Warnf(form string, args ...any)  { l.tell(slog.LevelInfo, form, args) }
func (l libraryLog) Infof(form string, args ...any)  { l.tell(slog.LevelDebug, form, args) }
func (l libraryLog) Debugf(string, ...any)           {}
func (l libraryLog) Sub(string) waLog.Logger         { return l }

func (l libraryLog) tell(level slog.Level, form string, args []any) {
	ctx := context.Background()
	cause := ""
	for _, a := range args {
		err, ok := a.(error)
		if !ok {
			continue
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed) {
			level = slog.LevelDebug // we ended it
		}
		cause = causeOf(err)
	}
	if !l.log.Enabled(ctx, level) {
		return
	}
	l.log.Log(ctx, level, "the WhatsApp library reports", "what", withoutVerbs(form), "cause", cause)
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9.]*[a-zA-Z]`)

// withoutVerbs is the constant part of a format.
func withoutVerbs(form string) string { return verb.ReplaceAllLiteralString(form, "…") }

// causeOf names the fault at the bottom of an error in words that hold nothing but a
// code, because the words of the error itself can name people. It is empty for a
// fault that has none.
func causeOf(err error) string {
	var (
		no    syscall.Errno
		file  *sqlite.Error
		reach net.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &no):
		return no.Error()
	case errors.As(err, &file):
		return "SQLite code " + strconv.Itoa(file.Code())
	case errors.As(err, &reach) && reach.Timeout():
		return "timeout"
	}
	return ""
}

// silence takes what the library's Signal implementation would print on the
// standard output.
type silence struct{}

var _ logger.Loggable = silence{}

// Debug, Info, Warning, Error and Configure implement logger.Loggable.
func (silence) Debug(_, _ string)   {}
func (silence) Info(_, _ string)    {}
func (silence) Warning(_, _ string) {}
func (silence) Error(_, _ string)   {}
func (silence) Configure(string)    {}
