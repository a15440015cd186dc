package markup

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// flatten makes rich text of Markdown. bullet stands before the items of lists
// that have no numbers.
func flatten(markdown, bullet string) rich {
	source := clean(markdown)
	all := pieces(source)
	parse(all)
	w := walker{bullet: bullet, cited: cited(all)}
	for _, p := range all {
		w.gap(p.gap)
		w.piece(p)
	}
	if r := w.out.rich(); visible(r.text) {
		return r
	}
	// Markup around nothing is all there is: it was meant to be seen.
	return rich{source, []run{{end: len(source)}}}
}

// walker writes the nodes of parsed Markdown as rich text. Newlines and what
// begins a line wait until there is something to follow them.
type walker struct {
	bullet string
	source []byte          // what the nodes point into
	cited  map[target]bool // the link definitions in use
	inCell bool            // of a table

	out    builder
	style  style
	indent string // begins each line of the block at hand

	breaks     int // newlines that wait
	breakStyle style
	lead       string // what waits to begin the line
	leadStyle  style
}

// piece writes a piece of an answer.
func (w *walker) piece(p piece) {
	switch p.kind {
	case prose:
		w.source = []byte(p.text)
		w.blocks(p.root)
	case fenced:
		w.code(p.text, language(p.info))
	case wild:
		w.verbatim(p.text)
	}
}

// gap asks for n newlines at least before what comes next.
func (w *walker) gap(n int) { w.wait(max(w.breaks, n)) }

// newline asks for one more newline.
func (w *walker) newline() { w.wait(w.breaks + 1) }

// wait lets n newlines wait, with what all that asked for them have in common,
// and the beginning of a line.
func (w *walker) wait(n int) {
	if w.breaks == 0 {
		w.breakStyle = w.style
	}
	w.breaks, w.breakStyle = n, w.breakStyle.shared(w.style)
	w.lead, w.leadStyle = w.indent, w.style
}

// flush writes what waits.
func (w *walker) flush() {
	if w.out.text.Len() > 0 {
		w.out.add(strings.Repeat("\n", w.breaks), w.breakStyle.settled())
	}
	w.out.add(w.lead, w.leadStyle.settled())
	w.breaks, w.lead = 0, ""
}

func (w *walker) text(s string) {
	if s == "" {
		return
	}
	w.flush()
	w.out.add(s, w.style.settled())
}

// verbatim writes text as it is.
func (w *walker) verbatim(text string) {
	for line := range strings.Lines(text) {
		w.text(strings.TrimSuffix(line, "\n"))
		w.newline()
	}
}

// blocks writes the blocks in a container, as far apart as their author put
// them.
func (w *walker) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n != parent.FirstChild() {
			w.apart(n)
		}
		w.block(n)
	}
}

func (w *walker) apart(n ast.Node) {
	if n.HasBlankPreviousLines() {
		w.gap(2)
	} else {
		w.gap(1)
	}
}

func (w *walker) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.within(bold, n)
	case *ast.ThematicBreak:
		w.text("———")
	case *ast.FencedCodeBlock:
		w.code(string(n.Lines().Value(w.source)), language(string(n.Language(w.source))))
	case *ast.CodeBlock:
		w.code(string(n.Lines().Value(w.source)), "")
	case *ast.Blockquote:
		w.quotation(n)
	case *ast.List:
		w.list(n)
	case *east.Table:
		w.table(n)
	case *ast.LinkReferenceDefinition:
		w.definition(n)
	default:
		w.inlines(n)
	}
}

// code writes a block of code. Tabs become spaces, because Telegram makes one
// space of each.
func (w *walker) code(lines, lang string) {
	if strings.TrimSpace(lines) == "" {
		return
	}
	w.ownLine()
	w.flush()
	s := w.style
	s.marks |= pre
	s.lang = lang
	w.out.add(strings.ReplaceAll(strings.TrimRight(lines, "\n"), "\t", "    "), s)
}

// ownLine makes a block begin a line without indentation. A bullet that waits
// gets a line of its own.
func (w *walker) ownLine() {
	if strings.Trim(w.lead, "> ") != "" {
		w.lead = strings.TrimRight(w.lead, " ")
		w.flush()
		w.newline()
	}
	w.lead = ""
}

// quotation writes a quotation. One within another only gets signs before its
// lines, because no platform nests them.
func (w *walker) quotation(n ast.Node) {
	indent, style := w.indent, w.style
	if w.style.has(quote) {
		w.indent += "> "
		w.lead += "> "
	} else {
		w.ownLine()
		w.indent = ""
		w.style.marks |= quote
		w.leadStyle = w.style
	}
	w.blocks(n)
	w.indent, w.style = indent, style
}

func (w *walker) list(n *ast.List) {
	i := 0
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if i > 0 {
			w.apart(item)
		}
		w.item(w.sign(n, item, i), item)
		i++
	}
}

// item writes an item of a list; one without anything in it is its sign alone.
func (w *walker) item(sign string, item ast.Node) {
	indent := w.indent
	w.lead += sign
	w.leadStyle = w.style
	w.indent += strings.Repeat(" ", utf8.RuneCountInString(sign))
	w.blocks(item)
	if !item.HasChildren() {
		w.flush()
	}
	w.indent = indent
}

// sign is what stands before the item with index i of a list.
func (w *walker) sign(list *ast.List, item ast.Node, i int) string {
	switch {
	case list.IsOrdered():
		return w.number(list, item, i) + string(list.Marker) + " "
	case !item.HasChildren():
		return string(list.Marker)
	case isTask(item):
		return ""
	default:
		return w.bullet
	}
}

// number is an item's own number, unless the author gave each item the same
// one and left the counting to us.
func (w *walker) number(list *ast.List, item ast.Node, i int) string {
	first, own := w.digits(list.FirstChild()), w.digits(item)
	if i > 0 && own == first {
		return strconv.Itoa(list.Start + i)
	}
	return own
}

// digits are those with which an item begins in the source.
func (w *walker) digits(item ast.Node) string {
	rest := w.source[item.Pos():]
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	return string(rest[:n])
}

// isTask reports whether an item begins with a check box.
func isTask(item ast.Node) bool {
	if first := item.FirstChild().FirstChild(); first != nil {
		return first.Kind() == east.KindTaskCheckBox
	}
	return false
}
