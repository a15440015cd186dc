package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"nacre"
	"nacre/gateway/live"
)

const (
	// answerWait is how long an answer may take without any sign of life.
	answerWait = 60 * time.Second
	// lastWait is how long the end of the input waits for more of the last
	// answer, which may have several parts.
	lastWait = 300 * time.Millisecond
)

// pipe is a chat without a screen: every line of the input is a message, and
// the answers go to out as they are. One goroutine owns it.
type pipe struct {
	link  *link
	out   io.Writer
	notes io.Writer
}

// run asks line after line, so that each has an answer of its own. What goes
// wrong with one message is returned at the end, unless the server cannot be
// reached.
func (p *pipe) run(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	source := &input{messages: make(chan string)}
	go source.scan(ctx, in)
	var failed error
	for {
		message, ok, err := p.next(ctx, source)
		if err != nil {
			return errors.Join(failed, err)
		}
		if !ok {
			return errors.Join(failed, source.err, p.settle(ctx))
		}
		err = p.ask(ctx, message)
		failed = errors.Join(failed, err)
		if err != nil && (ctx.Err() != nil || len(p.link.waiting) > 0) {
			return failed
		}
	}
}

// next returns the next message, false at the end, and meanwhile shows what
// comes.
func (p *pipe) next(ctx context.Context, in *input) (message string, ok bool, err error) {
	for {
		select {
		case message, ok := <-in.messages:
			return message, ok, nil
		case e := <-p.link.events:
			if _, err := p.hear(e); err != nil {
				return "", false, err
			}
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

// ask sends a message and shows what comes until that holds an answer. Parts
// do not say what they answer, but the ids of both grow with time: an answer
// has a later one, what had been waiting has an earlier one.
func (p *pipe) ask(ctx context.Context, message string) error {
	mark := nacre.NewID(time.Now().Add(-time.Millisecond)) // ids of one millisecond are in no order
	id, err := p.link.say(message)
	if err != nil {
		return err
	}
	quiet := time.NewTimer(answerWait)
	for {
		select {
		case e := <-p.link.events:
			fresh, err := p.hear(e)
			switch {
			case err != nil:
				return err
			case e.frame.T == framePart && fresh && e.frame.ID > mark:
				return nil
			case e.frame.T == frameError && e.frame.ID == id:
				return nacre.Errorf(nacre.Invalid, "%s", clean(e.frame.Text))
			case e.frame.T == frameTyping:
				quiet.Reset(answerWait)
			}
		case <-quiet.C:
			return p.link.unsent(nacre.Errorf(nacre.Transient, "No answer came within %d seconds; it will be shown when a chat is open.", int(answerWait.Seconds())))
		case <-ctx.Done():
			return p.link.unsent(ctx.Err())
		}
	}
}

// settle shows what comes until nothing more does.
func (p *pipe) settle(ctx context.Context) error {
	quiet := time.NewTimer(lastWait)
	for {
		select {
		case e := <-p.link.events:
			fresh, err := p.hear(e)
			if err != nil {
				return err
			}
			if fresh && e.frame.T == framePart {
				quiet.Reset(lastWait)
			}
		case <-quiet.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hear writes what happened on the connection. It reports whether it was new
// and fails when out does.
func (p *pipe) hear(e event) (fresh bool, err error) {
	if !p.link.update(e) {
		return false, nil
	}
	switch {
	case e.lost:
		fmt.Fprintln(p.notes, awayNotice)
	case e.frame.T == frameReady:
		fmt.Fprintln(p.notes, backNotice)
	case e.frame.T == frameError && e.frame.ID == "":
		fmt.Fprintln(p.notes, clean(e.frame.Text))
	case e.frame.T == framePart:
		if _, err := fmt.Fprintln(p.out, clean(e.frame.words())); err != nil {
			return true, fmt.Errorf("write an answer: %w", err)
		}
		p.link.acknowledge(e.frame.ID)
	}
	return true, nil
}

// input is a source of messages without a keyboard.
type input struct {
	messages chan string
	err      error // why it ended early; set before messages is closed
}

// scan sends every message of r and then closes messages. Blank lines are
// none, and /quit ends the input.
func (in *input) scan(ctx context.Context, r io.Reader) {
	defer close(in.messages)
	var g gather
	lines := frameLines(r)
	for lines.Scan() {
		message, whole := g.add(lines.Text(), false)
		if quit(message) {
			return
		}
		if whole && !in.send(ctx, message) {
			return
		}
	}
	if in.send(ctx, g.rest()) && lines.Err() != nil {
		in.err = inputError(lines.Err())
	}
}

// send passes a message on, and drops an empty one. It is false when ctx ended.
func (in *input) send(ctx context.Context, message string) bool {
	if !live.Visible(message) {
		return true
	}
	select {
	case in.messages <- message:
		return true
	case <-ctx.Done():
		return false
	}
}

func inputError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return errTooLong()
	}
	return fmt.Errorf("read the input: %w", err)
}
