package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

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

// image writes an image as a link from its description. One that holds links
// itself keeps those.
func (w *walker) image(n *ast.Image) {
	if w.style.href != "" || !holdsLink(n) {
		w.link(n, n.Destination)
		return
	}
	w.inlines(n)
	w.text(" (" + address(n.Destination) + ")")
}

func holdsLink(parent ast.Node) bool {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindLink || n.Kind() == ast.KindImage || holdsLink(n) {
			return true
		}
	}
	return false
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
