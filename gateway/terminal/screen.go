package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"golang.org/x/term"

	"nacre/gateway/live"
)

// The prompts are equally wide, so that what is being typed stays in its place
// when one takes the other's.
const (
	promptReady  = "› "
	promptTyping = "… "
	promptMore   = "· " // the message goes on
)

// screen is the person's side of a chat: a line being edited at the bottom,
// and above it all that was said.
type screen struct {
	keys   *keys
	out    io.Writer
	editor *term.Terminal
	styled bool

	mu        sync.Mutex // guards what follows, and what it does to the editor
	width     int
	typing    bool // an answer is being made
	gathering bool // a message has begun and goes on

	open bool // the cursor was left in a line; set before read ends
}

// newScreen takes a terminal in raw mode. in also sends what the terminal
// answers, out gets what it obeys.
func newScreen(in io.Reader, out io.Writer, styled bool) *screen {
	s := &screen{keys: newKeys(in), out: out, styled: styled, width: 80}
	s.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{s.keys, out}, s.prompt())
	s.editor.History = &history{}
	s.editor.SetBracketedPasteMode(true)
	return s
}

// close gives the terminal back, with the cursor at the beginning of a line
// where begin says that it is elsewhere.
func (s *screen) close(begin bool) {
	s.editor.SetBracketedPasteMode(false)
	if begin {
		io.WriteString(s.out, "\r\n")
	}
}

// prompt says what the prompt is now. s.mu is held.
func (s *screen) prompt() string {
	p := promptReady
	switch {
	case s.gathering:
		p = promptMore
	case s.typing:
		p = promptTyping
	}
	if s.styled {
		var b strings.Builder
		paint(&b, glyphs(p, bold|cyan))
		return b.String()
	}
	return p
}

// setTyping shows in the prompt whether an answer is being made.
func (s *screen) setTyping(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.typing == on {
		return
	}
	s.typing = on
	s.editor.SetPrompt(s.prompt())
	s.editor.Write(nil) // redraws the line
}

// setGathering changes the prompt of the next line.
func (s *screen) setGathering(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gathering = on
	s.editor.SetPrompt(s.prompt())
}

// resize tells the size of the terminal, in characters, at least 1.
func (s *screen) resize(width, height int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width = width
	s.editor.SetSize(width, height)
}

// show puts an answer above the line being edited and returns when it is there.
func (s *screen) show(markdown string) error {
	_, err := io.WriteString(s.editor, s.page().render(clean(markdown))+"\n")
	return err
}

// notice puts a line of the chat program itself there.
func (s *screen) notice(text string) {
	p := s.page()
	var b strings.Builder
	for _, row := range wrap(glyphs(clean(text), p.only(dim)), p.width) {
		paint(&b, row)
		b.WriteByte('\n')
	}
	io.WriteString(s.editor, b.String())
}

func (s *screen) page() page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return page{width: s.width, styled: s.styled}
}

// read sends every message that the person ends to messages, and closes it when
// they leave. It returns early when ctx ends, but may block in reading a key.
func (s *screen) read(ctx context.Context, messages chan<- string) {
	defer close(messages)
	var g gather
	for {
		line, err := s.editor.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			s.open = true // Ctrl-C, Ctrl-D or a lost terminal end no line
			return
		}
		message, whole := g.add(line, s.keys.pasting)
		s.setGathering(!whole)
		switch {
		case quit(message):
			return
		case live.Visible(message):
			select {
			case messages <- message:
			case <-ctx.Done():
				return
			}
		}
	}
}

// history is what the arrow keys bring back: the latest lines, without blank
// and repeated ones. It lives as long as the chat and is never written down.
type history struct{ lines []string } // oldest first

// historyKept is how many lines the arrow keys reach.
const historyKept = 200

// Add is called by the editor with every line.
func (h *history) Add(line string) {
	if !live.Visible(line) || h.Len() > 0 && h.At(0) == line {
		return
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > historyKept {
		h.lines = h.lines[1:]
	}
}

// Len and At are called by the editor; line 0 is the latest.
func (h *history) Len() int        { return len(h.lines) }
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
