package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
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
		w.image(n)
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
