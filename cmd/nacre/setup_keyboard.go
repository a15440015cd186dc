package main

import (
	"context"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// keyboard reads a terminal for several dialogues, one after the other. Each of them
// reads ahead, and would take along what is typed for the next one.
type keyboard struct {
	in    *os.File
	keys  chan []byte // closed when the terminal is gone
	begin sync.Once

	mu   sync.Mutex // guards rest
	rest []byte     // read, and not taken
}

func newKeyboard(in *os.File) *keyboard { return &keyboard{in: in, keys: make(chan []byte)} }

// during runs a dialogue with the terminal in raw mode. What it reads ends when the
// dialogue does, and the dialogue when the terminal is gone.
func (k *keyboard) during(ctx context.Context, dialogue func(context.Context, io.Reader) error) error {
	before, err := term.MakeRaw(int(k.in.Fd()))
	if err != nil {
		return err
	}
	defer term.Restore(int(k.in.Fd()), before)
	k.begin.Do(func() { go k.read() })
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return dialogue(ctx, &typed{k, ctx, cancel})
}

func (k *keyboard) read() {
	defer close(k.keys)
	for {
		p := make([]byte, 4096)
		n, err := k.in.Read(p)
		if n > 0 {
			k.keys <- p[:n]
		}
		if err != nil {
			return
		}
	}
}

// typed is what one dialogue reads.
type typed struct {
	*keyboard
	ctx context.Context
	end func()
}

// Read waits for keys, or for the end of the dialogue.
func (t *typed) Read(p []byte) (int, error) {
	t.mu.Lock()
	waiting := len(t.rest)
	t.mu.Unlock()
	if waiting == 0 {
		select {
		case <-t.ctx.Done():
			return 0, io.EOF
		case keys, ok := <-t.keys:
			if !ok {
				t.end()
				return 0, io.EOF
			}
			t.mu.Lock()
			t.rest = append(t.rest, keys...)
			t.mu.Unlock()
		}
	}
	if t.ctx.Err() != nil {
		return 0, io.EOF // what came is for the next
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}
