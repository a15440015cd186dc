package terminal

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/term"
)

// Options are what a Chat needs. All fields are required.
type Options struct {
	// Dial opens a connection on whose other end Channel.Serve answers. It is
	// called at the beginning and, with growing pauses of up to 5 s, after
	// every loss. Its first error ends the Chat.
	Dial func(context.Context) (net.Conn, error)

	// In and Out are the person's. Where both are terminals the chat has an
	// edited line, colours and wrapping, else it is plain text.
	In  io.Reader
	Out io.Writer

	// Err gets the notices of a plain chat; Out has only answers there.
	Err io.Writer

	// Getenv looks up TERM, where "dumb" makes the chat plain, and NO_COLOR,
	// which keeps the edited line but does without colours and other styles.
	Getenv func(name string) string
}

// Chat is the terminal program: it shows what Nacre says and sends what the
// person types, until they leave by Ctrl-C, Ctrl-D or /quit, the input ends, or
// ctx does. The terminal is then as it was.
//
// On a terminal a message is one line, or a whole paste; a line that ends in a
// backslash goes on. In a pipe a message is one line too; the next one is sent
// when the one before was answered, and the end of the input waits for the last
// answer. The error says that a message had no answer, or, as a sentence for
// the person, why it was not delivered.
//
// When Chat returns because ctx ended, a goroutine may still wait for input.
func Chat(ctx context.Context, o Options) error {
	conn, err := o.Dial(ctx)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := newLink(o.Dial)
	running.Go(func() { l.run(ctx, conn) })

	if in, out, ok := o.terminal(); ok {
		return converse(ctx, l, in, out, o.Getenv("NO_COLOR") == "")
	}
	p := pipe{link: l, out: o.Out, notes: o.Err}
	return p.run(ctx, o.In)
}

// terminal returns the terminal that a person sits at, if there is one that can
// move its cursor.
func (o Options) terminal() (in, out *os.File, ok bool) {
	in, inOK := o.In.(*os.File)
	out, outOK := o.Out.(*os.File)
	if !inOK || !outOK || o.Getenv("TERM") == "dumb" {
		return nil, nil, false
	}
	return in, out, term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// converse runs a talk on a real terminal, which it sets up and restores.
func converse(ctx context.Context, l *link, in, out *os.File, styled bool) error {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	defer term.Restore(int(in.Fd()), before)

	resized := make(chan os.Signal, 1)
	notifyResized(resized)
	defer signal.Stop(resized)

	t := newTalk(l, newScreen(in, out, styled))
	t.resized = resized
	t.size = func() (width, height int, err error) { return term.GetSize(int(out.Fd())) }
	return t.run(ctx)
}
