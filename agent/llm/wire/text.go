package wire

import "strings"

// Text is the visible text of one answer, shown as it grows.
type Text struct {
	emit func(string)
	all  strings.Builder
}

// NewText returns an empty Text that gives every piece to emit, which may be
// nil.
func NewText(emit func(string)) *Text { return &Text{emit: emit} }

// Add appends a piece.
func (t *Text) Add(piece string) {
	if piece == "" {
		return
	}
	t.all.WriteString(piece)
	if t.emit != nil {
		t.emit(piece)
	}
}

// Shown reports whether somebody has seen any of it.
func (t *Text) Shown() bool { return t.emit != nil && t.all.Len() > 0 }

// String returns all of it.
func (t *Text) String() string { return t.all.String() }
