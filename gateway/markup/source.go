package markup

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// pieceBytes is the most Markdown that is parsed at a time. Hostile text takes
// the parser longer than its length, so it gets no more than this of it.
const pieceBytes = 16 << 10

// kind says how a piece of an answer is read.
type kind int

const (
	prose  kind = iota // parsed as Markdown
	fenced             // a block of code
	wild               // shown as it is
)

// piece is a stretch of an answer that can be read by itself.
type piece struct {
	kind kind
	text string
	info string   // what stands behind the fence that opens it
	gap  int      // newlines between the piece before and this one
	root ast.Node // of prose, once it is parsed
}

// clean makes text valid UTF-8 without control characters, save tabs and
// newlines, which it makes the only ends of lines.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// pieces cuts clean Markdown at the fences that begin a line, which are fences
// wherever they stand, and what is between them where a new block begins.
// Code may be of any length, because reading it is simple; other pieces have
// at most pieceBytes, but for wild ones.
func pieces(source string) []piece {
	var all []piece
	for at := 0; at < len(source); {
		fence := at + untilFence(source[at:])
		all = appendProse(all, source[:fence], at)
		if at = fence; at < len(source) {
			p, n := readFence(source[at:])
			p.gap = gap(source, at)
			all = append(all, p)
			at += n
		}
	}
	return all
}

// gap returns how many newlines a piece that begins a line deserves before it:
// two if the line before is empty.
func gap(source string, at int) int {
	before := strings.TrimRight(strings.TrimSuffix(source[:at], "\n"), " \t")
	if strings.HasSuffix(before, "\n") {
		return 2
	}
	return 1
}

// appendProse adds the pieces of source from an offset to its end, which hold
// no fence at the beginning of a line.
func appendProse(all []piece, source string, from int) []piece {
	add := func(k kind, from, to int) {
		text := strings.TrimRight(source[from:to], " \t\n")
		if blank := len(text) - len(strings.TrimLeft(text, "\n")); text != "" {
			all = append(all, piece{kind: k, text: text[blank:], gap: gap(source, from+blank)})
		}
	}
	at := from // the end of what is gathered
	for at < len(source) {
		n := block(source[at:])
		switch {
		case hostile(source[at : at+n]):
			add(prose, from, at)
			add(wild, at, at+n)
			from = at + n
		case at+n-from > pieceBytes:
			add(prose, from, at)
			from = at
		}
		at += n
	}
	add(prose, from, at)
	return all
}

// block returns how many bytes source has up to the next line that certainly
// begins a new block: one that follows an empty line and is not indented. If
// there is none within pieceBytes it is the next line that is beyond them.
func block(source string) int {
	n, empty := 0, false
	for line := range strings.Lines(source) {
		fresh := empty && line[0] != ' ' && line[0] != '\t' && line[0] != '\n'
		if n > 0 && (fresh || n+len(line) > pieceBytes) {
			return n
		}
		empty = strings.TrimSpace(line) == ""
		n += len(line)
	}
	return n
}

// untilFence returns how many bytes stand before the first line that begins
// with a fence.
func untilFence(source string) int {
	n := 0
	for line := range strings.Lines(source) {
		if sign, _ := fenceSign(line); sign != "" {
			return n
		}
		n += len(line)
	}
	return n
}

// fenceSign returns the signs of a fence with which a line begins, and what
// follows them. Signs of backticks with more of them behind are code in a line.
// See https://spec.commonmark.org/0.31.2/#fenced-code-blocks.
func fenceSign(line string) (sign, info string) {
	n := 0
	for n < len(line) && (line[0] == '`' || line[0] == '~') && line[n] == line[0] {
		n++
	}
	info = strings.TrimSpace(line[n:])
	if n < 3 || line[0] == '`' && strings.Contains(info, "`") {
		return "", ""
	}
	return line[:n], info
}

// readFence reads the block of code that begins source, and returns how many
// bytes it takes. One that is never closed goes on to the end.
func readFence(source string) (p piece, n int) {
	first, rest, _ := strings.Cut(source, "\n")
	sign, info := fenceSign(first)
	from := min(len(first)+1, len(source))
	to, n := from, from
	for line := range strings.Lines(rest) {
		n += len(line)
		if closes(line, sign) {
			break
		}
		to = n
	}
	return piece{kind: fenced, text: source[from:to], info: info}, n
}

// closes reports whether a line closes the fence that a sign opened.
func closes(line, sign string) bool {
	words := strings.TrimLeft(line, " ")
	if len(line)-len(words) > 3 {
		return false
	}
	closing, info := fenceSign(words)
	return info == "" && strings.HasPrefix(closing, sign)
}

// language is the name of a language in the info of a fence; empty if it is
// not one that a platform could know.
func language(info string) string {
	name, _, _ := strings.Cut(info, " ")
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-#._", r)
	}
	if len(name) > 30 || strings.ContainsFunc(name, odd) {
		return ""
	}
	return name
}
