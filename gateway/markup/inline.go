package markup

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inlines writes what is in a paragraph, or in a mark of one.
func (w *walker) inlines(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
}

func (w *walker) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(literal(n.Segment.Value(w.source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.newline()
		}
	case *ast.CodeSpan:
		w.codeSpan(n)
	case *ast.Emphasis:
		w.within([...]mark{1: italic, 2: bold}[n.Level], n)
	case *marked:
		w.within(n.mark, n)
	case *ast.Link:
		w.link(n, n.Destination)
	case *ast.Image:
		w.link(n, n.Destination)
	case *ast.AutoLink:
		w.autoLink(n)
	case *east.TaskCheckBox:
		w.checkBox(n.IsChecked)
	default:
		w.inlines(n)
	}
}

func (w *walker) checkBox(checked bool) {
	if checked {
		w.text("☑ ")
	} else {
		w.text("☐ ")
	}
}

// within writes what is in a node with one more mark.
func (w *walker) within(m mark, n ast.Node) {
	outer := w.style
	w.style.marks |= m
	w.inlines(n)
	w.style = outer
}

// codeSpan writes code in a line, or over the ends of lines. In a table its
// pipes have backslashes.
func (w *walker) codeSpan(n ast.Node) {
	outer := w.style
	w.style.marks |= code
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		words, newline := strings.CutSuffix(string(t.Segment.Value(w.source)), "\n")
		if w.inCell {
			words = strings.ReplaceAll(words, `\|`, "|")
		}
		w.text(words)
		if newline {
			w.newline()
		}
	}
	w.style = outer
}

// longestAddress is that of a link, in bytes. A longer one is text like any
// other, which can be cut.
const longestAddress = 1024

// link writes a link or an image, whose label is what it shows. There are no
// links in links: the label of an image in one is all that remains.
func (w *walker) link(n ast.Node, destination []byte) {
	outer, href := w.style, address(destination)
	if outer.href != "" || href == "" {
		w.inlines(n)
		return
	}
	w.flush()
	from := w.out.text.Len()
	w.style.href = href
	w.inlines(n)
	w.style = outer
	switch label := w.out.text.String()[from:]; {
	case !visible(label):
		w.out.unlink(from)
		w.text(href)
	case label == href:
		w.out.unlink(from)
	case len(href) > longestAddress:
		w.out.unlink(from)
		w.text(" (" + href + ")")
	}
}

// address is where a link leads, as people should see it: that of a mail has
// no scheme, because no platform opens it.
func address(destination []byte) string {
	href := strings.Join(strings.Fields(literal(destination)), "%20")
	if rest, ok := strings.CutPrefix(href, "mailto:"); ok {
		return rest
	}
	return href
}

// autoLink writes an address that the platform will find by itself. What only
// looks like one, such as Map<key:value>, keeps its brackets, and so does that
// of a mail, which stands behind a name.
func (w *walker) autoLink(n *ast.AutoLink) {
	label := string(n.Label(w.source))
	if linkable(label) || n.Protocol != nil {
		w.text(label)
	} else {
		w.text("<" + label + ">")
	}
}

// literal resolves the escapes and entities of text.
// See https://spec.commonmark.org/0.31.2/#backslash-escapes and the section
// that follows it.
func literal(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '&') < 0 {
		return string(text)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text) && util.IsPunct(text[i+1]):
			b.WriteByte(text[i+1])
			i += 2
		case text[i] == '&':
			s, n := entity(text[i:])
			b.WriteString(s)
			i += n
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// longestEntity is "&CounterClockwiseContourIntegral;".
const longestEntity = 33

// entity resolves the entity that text begins with and returns its length. An
// ampersand that begins none stands for itself.
func entity(text []byte) (s string, n int) {
	end := bytes.IndexByte(text[:min(len(text), longestEntity)], ';')
	if end < 0 {
		return "&", 1
	}
	name := string(text[1:end])
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if r := numeric(digits); r >= 0 {
			return clean(string(r)), end + 1
		}
	} else if e, ok := util.LookUpHTML5EntityByName(name); ok {
		return string(e.Characters), end + 1
	}
	return "&", 1
}

// numeric reads the number of a character; -1 if it is none.
func numeric(digits string) rune {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		base, digits = 16, digits[1:]
	}
	code, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return -1
	case code == 0 || code > unicode.MaxRune || !utf8.ValidRune(rune(code)):
		return utf8.RuneError
	}
	return rune(code)
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
