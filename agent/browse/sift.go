package browse

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Limits of what is left of a page.
const (
	maxClean = 1 << 20 // bytes of sifted HTML, some 60 views; the rest is not read
	maxTags  = 50_000  // start tags
	maxValue = 2000    // bytes of an attribute, else it is left out
	maxDepth = 60      // elements inside each other; real pages have 15 to 40
	maxNest  = 8       // lists and quotes inside each other
	maxCells = 20_000  // of one table, when all its rows are as long as the longest
)

// sift reduces HTML to the elements and attributes that make up a text. It
// works on tokens, in linear time, because a parser given the page itself can
// be made to build a tree thousands of times as large: each paragraph repeats
// every formatting element that is open, however many there are
// (https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements).
// Of those only links and code are kept, which cannot pile up. It reports
// whether it got to the end of the page.
func sift(page []byte) (clean []byte, whole bool) {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(page))
	for tags := 0; out.Len() < maxClean && tags < maxTags; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return out.Bytes(), true
		case html.TextToken:
			text := z.Text()
			out.WriteString(html.EscapeString(string(text[:min(len(text), maxClean-out.Len())])))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			if hidden(tag) {
				if kind == html.StartTagToken {
					skip(z, tag)
				}
			} else if kept(tag) {
				tags++
				writeTag(&out, z, tag, more)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); kept(string(name)) {
				out.WriteString("</" + string(name) + ">")
			}
		}
	}
	return out.Bytes(), false
}

// hidden reports whether what is inside an element is no text of the page.
func hidden(tag string) bool {
	switch tag {
	case "script", "style", "noscript", "template", "iframe", "noembed", "noframes", "xmp", "plaintext",
		"svg", "math", "canvas", "object", "audio", "video", "textarea", "select", "button", "dialog":
		return true
	}
	return false
}

// skip reads to the end of a hidden element, or of the page.
func skip(z *html.Tokenizer, tag string) {
	for open := 1; open > 0; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if kind != html.StartTagToken && kind != html.EndTagToken {
			continue
		}
		if name, _ := z.TagName(); string(name) != tag {
			continue
		}
		if kind == html.StartTagToken {
			open++
		} else {
			open--
		}
	}
}

// kept reports whether an element shapes the text. The others vanish and leave
// their text behind.
func kept(tag string) bool {
	switch tag {
	case "html", "head", "title", "meta", "body", "main", "article", "section", "header", "footer", "nav", "aside",
		"h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "blockquote", "pre", "code", "a", "br", "hr",
		"ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "address", "details", "summary",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td":
		return true
	}
	return false
}

// writeTag writes a start tag with the attributes that matter.
func writeTag(out *bytes.Buffer, z *html.Tokenizer, tag string, more bool) {
	out.WriteString("<" + tag)
	for more && tag != "code" {
		var key, value []byte
		key, value, more = z.TagAttr()
		if telling(string(key)) && len(value) <= maxValue {
			out.WriteString(" " + string(key) + `="` + html.EscapeString(string(value)) + `"`)
		}
	}
	out.WriteByte('>')
}

// telling reports whether an attribute says what an element is for, or whether
// it is seen. Spans of table cells are left out: a few bytes of them make
// millions of cells.
func telling(key string) bool {
	switch key {
	case "href", "class", "id", "role", "hidden", "aria-hidden", "style", "start", "name", "property", "content", "itemprop", "rel":
		return true
	}
	return false
}

// trim flattens what the libraries would take too long for: elements inside
// too many others, and lists, quotes and tables that render to many times
// their size. It keeps their text.
func trim(n *html.Node, depth, nest int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		inside := nest
		if c.Data == "ul" || c.Data == "ol" || c.Data == "dl" || c.Data == "blockquote" {
			inside++
		}
		if depth == maxDepth || inside > maxNest || c.Data == "table" && cells(c) > maxCells {
			flatten(c)
			continue
		}
		trim(c, depth+1, inside)
	}
}

// flatten leaves nothing but the text of an element.
func flatten(n *html.Node) {
	var words []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			words = append(words, d.Data)
		}
	}
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.Data, n.DataAtom, n.Attr = "div", 0, nil
	n.AppendChild(&html.Node{Type: html.TextNode, Data: strings.Join(words, " ")})
}

// cells counts what a table has once its rows are filled up to the longest.
func cells(table *html.Node) int {
	var rows []int
	for d := range table.Descendants() {
		switch d.Data {
		case "tr":
			rows = append(rows, 0)
		case "td", "th":
			if len(rows) > 0 {
				rows[len(rows)-1]++
			}
		}
	}
	if len(rows) == 0 {
		return 0
	}
	return len(rows) * slices.Max(rows)
}
