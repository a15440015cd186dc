package terminal

import (
	"slices"
	"strings"
	"unicode"
)

// inline turns the marks inside a line into styles: **bold**, __bold__,
// *italics*, _italics_ and `code`. Marks without a partner stay as they are,
// also inside words_like_this.
func inline(text string, s style) []glyph {
	return spans([]rune(text), s)
}

// spans is linear in practice: a mark that has no partner after one place has
// none after a later place either, so nothing is searched for twice.
func spans(text []rune, s style) (out []glyph) {
	lonely := map[string]bool{}
	for i := 0; i < len(text); {
		mark := markAt(text, i)
		end := -1
		if mark != "" && !lonely[mark] && opens(text, i, mark) {
			end = partner(text, i+len(mark), mark)
			lonely[mark] = end < 0
		}
		if end < 0 {
			n := max(len(mark), 1)
			out = append(out, glyphs(string(text[i:i+n]), s)...)
			i += n
			continue
		}
		inner := text[i+len(mark) : end]
		if mark[0] == '`' {
			out = append(out, glyphs(string(inner), s|cyan)...)
		} else {
			out = append(out, spans(inner, s|styleOf(mark))...)
		}
		i = end + len(mark)
	}
	return out
}

func styleOf(mark string) style {
	if len(mark) == 2 {
		return bold
	}
	return italic
}

// markAt returns the mark that begins at i: a run of backticks, or one or two
// stars or underscores.
func markAt(text []rune, i int) string {
	c := text[i]
	n := 1
	for i+n < len(text) && text[i+n] == c {
		n++
	}
	switch c {
	case '`':
		return strings.Repeat("`", n)
	case '*', '_':
		return strings.Repeat(string(c), min(n, 2))
	}
	return ""
}

// opens reports whether a mark at i can begin a span.
func opens(text []rune, i int, mark string) bool {
	after := i + len(mark)
	switch {
	case mark[0] == '`':
		return true
	case after == len(text) || unicode.IsSpace(text[after]):
		return false
	case mark[0] == '_':
		return i == 0 || !wordRune(text[i-1])
	}
	return true
}

// partner returns where the mark that ends a span stands, at from+1 or later,
// or -1.
func partner(text []rune, from int, mark string) int {
	m := []rune(mark)
	for j := from; j < len(text); {
		n := run(text, j, m[0])
		if n == 0 {
			j++
			continue
		}
		if j > from && n >= len(m) && closes(text, j, n, mark) {
			return j + n - len(m)
		}
		j += n
	}
	return -1
}

// run returns how many of c stand at j.
func run(text []rune, j int, c rune) int {
	n := slices.IndexFunc(text[j:], func(r rune) bool { return r != c })
	if n < 0 {
		return len(text) - j
	}
	return n
}

// closes reports whether a run of n marks at j can end a span of mark. A run
// of two is bold, so it does not end italics, while a run of three ends both.
func closes(text []rune, j, n int, mark string) bool {
	after := j + n
	switch {
	case mark[0] == '`':
		return n == len(mark)
	case unicode.IsSpace(text[j-1]) || n == 2 && len(mark) == 1:
		return false
	case mark[0] == '_':
		return after == len(text) || !wordRune(text[after])
	}
	return true
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
