package markup

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// form is a way to write rich text.
type form struct {
	// tags appends the markup of a style, outermost first.
	tags func([]tag, style) []tag
	// escape changes text so that it is not taken for markup.
	escape func(string) string
	// quote begins each line of a quotation that is not empty.
	quote string
	// unit is what sizes are measured in, and most is the size of a message.
	unit Unit
	most size
}

// tag is the markup around a run of text.
type tag struct{ open, close string }

// size is how large something is when it is written.
type size struct {
	units int
	bytes int
	tags  int // pairs of them
}

func (s size) within(most size) bool {
	return s.units <= most.units && s.bytes <= most.bytes && s.tags <= most.tags
}

// write writes a stretch of rich text.
func (f form) write(r rich, from, to int) string {
	var out strings.Builder
	w := writer{form: f, out: &out, fresh: true}
	for text, s := range r.between(from, to) {
		w.run(text, s)
	}
	w.shut(0)
	return out.String()
}

// reach returns how far the stretch of a message may go that begins at from,
// and goes no further than to. More text never takes less room.
func (f form) reach(r rich, from, to int) int {
	w := writer{form: f, fresh: true}
	for text, s := range r.between(from, to) {
		next := w.copy()
		next.run(text, s)
		if !next.closed().within(f.most) {
			return from + w.room(text, s)
		}
		w = next
		from += len(text)
	}
	return to
}

// writer is what a form knows while it writes or, without out, measures.
type writer struct {
	form
	out   *strings.Builder
	size  size
	open  []tag // outermost first
	want  []tag // of the run at hand; its memory is used again
	fresh bool  // at the beginning of a line
}

// copy returns a writer that only measures.
func (w *writer) copy() writer {
	return writer{form: w.form, size: w.size, open: slices.Clone(w.open), fresh: w.fresh}
}

// closed is the size if nothing more comes.
func (w *writer) closed() size {
	end := w.copy()
	end.shut(0)
	return end.size
}

// room returns how many bytes of a run, which does not fit, may be written.
func (w *writer) room(text string, s style) int {
	n := sort.Search(len(text), func(i int) bool {
		try := w.copy()
		if i = whole(text, i+1); i > 0 {
			try.run(text[:i], s)
		}
		return !try.closed().within(w.most)
	})
	return whole(text, n)
}

// whole returns the last place up to at where a rune begins or the text ends.
func whole(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func (w *writer) put(text string) {
	w.size.units += length(text, w.unit)
	w.size.bytes += len(text)
	if w.out != nil {
		w.out.WriteString(text)
	}
}

func (w *writer) run(text string, s style) {
	w.want = w.tags(w.want[:0], s)
	w.shut(w.kept())
	prefix := ""
	if s.has(quote) {
		prefix = w.quote
	}
	if w.fresh && text[0] != '\n' {
		w.put(prefix)
		w.fresh = false
	}
	for _, t := range w.want {
		if !slices.Contains(w.open, t) {
			w.put(t.open)
			w.open = append(w.open, t)
			w.size.tags++
		}
	}
	w.body(text, prefix)
}

// kept returns how many of the open tags may stay open: those around all that
// must be closed.
func (w *writer) kept() int {
	for i, t := range w.open {
		if !slices.Contains(w.want, t) {
			return i
		}
	}
	return len(w.open)
}

// shut closes all but the outermost keep tags.
func (w *writer) shut(keep int) {
	for i := len(w.open) - 1; i >= keep; i-- {
		w.put(w.open[i].close)
	}
	w.open = w.open[:keep]
}

// body writes text, and prefix at the beginning of each line that has
// something on it.
func (w *writer) body(text, prefix string) {
	if prefix == "" {
		w.put(w.escape(text))
		w.fresh = strings.HasSuffix(text, "\n")
		return
	}
	for line := range strings.Lines(text) {
		if w.fresh && line != "\n" {
			w.put(prefix)
		}
		w.put(w.escape(line))
		w.fresh = strings.HasSuffix(line, "\n")
	}
}

// unescaped leaves text as it is, where nothing can be escaped.
func unescaped(text string) string { return text }
