package render

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain puts a text on one line from which nothing of it can escape, for models
// and for files. What would break the line, hide in it or look like structure
// around it is written as HTML writes it, which models and Markdown viewers read
// alike: line breaks as <br>, tags with &lt;, and control, direction and other
// invisible characters by number. Joiners stay where scripts and emoji need them.
// Bytes that are no UTF-8 become U+FFFD. Lines reads it back.
func Plain(text string) string { return escape(text, "") }

// Literal is Plain for Markdown that people see rendered: emphasis, code, links
// and spoilers in the text are shown to them as they were written, too.
func Literal(text string) string { return escape(text, "\\`*_[~|") }

// escape does the work of both; marks are punctuation that gets a backslash.
func escape(text, marks string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	var b strings.Builder
	b.Grow(len(text))
	from, prev := 0, rune(0) // text before from is written
	for i, r := range text {
		if !letter(r) {
			to := i + utf8.RuneLen(r)
			edge := i == 0 || to == len(text)
			if s := escaped(prev, r, text[to:], edge, marks); s != "" {
				b.WriteString(text[from:i])
				b.WriteString(s)
				from = to
			}
		}
		prev = r
	}
	b.WriteString(text[from:])
	return b.String()
}

// escaped is what stands for a character between prev and rest, empty if it may
// stand for itself. At an edge of the text a space may not, since spaces there
// are lost on the way.
func escaped(prev, r rune, rest string, edge bool, marks string) string {
	switch {
	case r == ' ' && !edge:
		return ""
	case r == '\n':
		return "<br>"
	case r == '<' && opens(rest):
		return "&lt;"
	case r == '&' && names(rest):
		return "&amp;"
	case strings.ContainsRune(marks, r):
		return "\\" + string(r)
	case edge && unicode.IsSpace(r), structural(r, rest), !visible(prev, r, rest):
		return numbered(r)
	}
	return ""
}

// letter reports whether nothing more needs to be asked about a character, as
// about most of them.
func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' }

// opens reports whether a "<" before rest could begin a tag, a comment or a
// token of a model, rather than being one of "a < b", "<3", "<=" or "<-".
func opens(rest string) bool {
	return rest == "" || !strings.ContainsRune(" 0123456789=-", rune(rest[0]))
}

// longestName is the length of the longest name of a character, with its
// semicolon: CounterClockwiseContourIntegral.
const longestName = 32

// names reports whether a "&" before rest would be read as the name of a
// character, such as "&amp;" or "&#x20;".
func names(rest string) bool {
	name, _, ok := strings.Cut(rest[:min(len(rest), longestName)], ";")
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '#' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) < 0
}

// structural reports whether a character begins a fence of code, or an image,
// which viewers would fetch from wherever it points.
func structural(r rune, rest string) bool {
	return r == '`' && strings.HasPrefix(rest, "``") || r == '!' && strings.HasPrefix(rest, "[")
}

// visible reports whether a reader sees a character between prev and rest, or
// what it does to them.
func visible(prev, r rune, rest string) bool {
	switch {
	case r <= unicode.MaxLatin1:
		return unicode.IsPrint(r) || r == '\u00a0'
	case r == '\u200c' || r == '\u200d': // joiners, between two characters that can be joined
		next, _ := utf8.DecodeRuneInString(rest)
		return prev >= utf8.RuneSelf && unicode.IsPrint(prev) && next >= utf8.RuneSelf && unicode.IsPrint(next)
	case unicode.Is(unicode.Variation_Selector, r): // one, after what has variants
		return prev >= utf8.RuneSelf && !unicode.Is(unicode.Variation_Selector, prev) || strings.ContainsRune("#*0123456789", prev)
	}
	return (unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// numbered is the reference to a character by its number:
// https://html.spec.whatwg.org/multipage/syntax.html#character-references.
func numbered(r rune) string {
	return "&#x" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + ";"
}

// unescaped is what Plain made a line of. What it would not have written stands
// for itself, so that people may type "AT&T" and "a < b".
func unescaped(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(line, "<&")
		if i < 0 {
			b.WriteString(line)
			return b.String()
		}
		b.WriteString(line[:i])
		char, n := reference(line[i:])
		b.WriteString(char)
		line = line[i+n:]
	}
}

// longestDigits is how many digits the number of a character has at most.
const longestDigits = 6

// reference reads what stands at the beginning of line for a character, and how
// many bytes it takes.
func reference(line string) (char string, n int) {
	switch {
	case strings.HasPrefix(line, "<br>"):
		return "\n", len("<br>")
	case strings.HasPrefix(line, "&lt;"):
		return "<", len("&lt;")
	case strings.HasPrefix(line, "&amp;"):
		return "&", len("&amp;")
	}
	if digits, ok := strings.CutPrefix(line, "&#x"); ok {
		digits, _, ok = strings.Cut(digits[:min(len(digits), longestDigits+1)], ";")
		code, err := strconv.ParseUint(digits, 16, 31)
		if ok && err == nil && utf8.ValidRune(rune(code)) {
			return string(rune(code)), len("&#x;") + len(digits)
		}
	}
	return line[:1], 1
}
