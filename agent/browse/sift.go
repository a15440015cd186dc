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
// whether it read all of the page.
func sift(page []byte) (clean []byte, whole bool) {
	s := sifter{in: html.NewTokenizer(bytes.NewReader(page))}
	for s.out.Len() < maxClean && s.tags < maxTags {
		if !s.next() {
			s.lower()
			return s.out.Bytes(), s.hides == ""
		}
	}
	return s.out.Bytes(), false
}

// sifter is where sift is on a page.
type sifter struct {
	in     *html.Tokenizer
	out    bytes.Buffer
	tags   int    // start tags in out
	hides  string // the element whose text is being left out, "" if none
	hidden int    // how many of it are open
	struck int    // open elements of deleted text
	raised        // what is being raised or lowered
}

// next sifts one token; it is false at the end.
func (s *sifter) next() bool {
	switch kind := s.in.Next(); kind {
	case html.ErrorToken:
		return false
	case html.TextToken:
		if s.hides == "" {
			s.text(string(s.in.Text()))
		}
	case html.StartTagToken:
		name, more := s.in.TagName()
		s.start(string(name), more)
	case html.SelfClosingTagToken:
		name, more := s.in.TagName()
		tag := string(name)
		s.in.NextIsNotRawText() // <iframe/> is not closed in browsers, but was meant to be
		s.start(tag, more)
		if s.hides != "" {
			s.end(tag)
		}
	case html.EndTagToken:
		name, _ := s.in.TagName()
		s.end(string(name))
	}
	return true
}

func (s *sifter) start(tag string, more bool) {
	if s.hides != "" && !(foreign(s.hides) && block(tag)) {
		if tag == s.hides {
			s.hidden++
		}
		return
	}
	s.hides = ""
	switch {
	case invisible(tag) || foreign(tag):
		s.text(" ")
		s.hides, s.hidden = tag, 1
	case tag == "sup" || tag == "sub":
		s.lower()
		s.raise(tag)
	case tag == "del" || tag == "s" || tag == "strike":
		s.struck++
		s.text("~~")
	case kept(tag):
		if !s.holds(tag) {
			s.lower()
			s.writeTag(tag, more)
		}
	case !inline(tag):
		s.text(" ")
	}
}

func (s *sifter) end(tag string) {
	switch {
	case s.hides != "":
		if tag == s.hides {
			s.hidden--
		}
		if s.hidden == 0 {
			s.hides = ""
		}
	case tag == "sup" || tag == "sub":
		s.lower()
	case tag == "del" || tag == "s" || tag == "strike":
		if s.struck > 0 {
			s.struck--
			s.text("~~")
		}
	case kept(tag):
		if !s.frees(tag) {
			s.lower()
			s.out.WriteString("</" + tag + ">")
		}
	case !inline(tag):
		s.text(" ")
	}
}

// text writes characters that stand in the page or for an element of it.
func (s *sifter) text(t string) {
	t = s.take(t)
	room := max(0, maxClean-s.out.Len())
	s.out.WriteString(html.EscapeString(t[:min(len(t), room)]))
}

// lower writes what has been raised, if anything.
func (s *sifter) lower() { s.out.WriteString(html.EscapeString(s.settle())) }

// invisible reports whether browsers that run scripts show nothing of what is
// inside an element, or nothing but a field. All but template and noscript end
// nowhere but at their end tag.
func invisible(tag string) bool {
	switch tag {
	case "script", "style", "noscript", "template", "iframe", "noembed", "noframes", "xmp", "plaintext", "textarea":
		return true
	}
	return false
}

// foreign reports whether an element holds something that is no HTML. It ends
// with the first block inside it, as in browsers, so that the rest of the page
// is not lost where its end tag is missing.
func foreign(tag string) bool { return tag == "svg" || tag == "math" || tag == "object" }

func block(tag string) bool { return kept(tag) && tag != "a" && tag != "title" }

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

// inline reports whether an element that vanishes may stand inside a word or a
// number. In place of the others there is a space.
func inline(tag string) bool {
	switch tag {
	case "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "dfn", "em", "font", "i", "kbd", "mark", "nobr", "q",
		"samp", "small", "span", "strong", "time", "tt", "u", "var", "wbr":
		return true
	}
	return false
}

// writeTag writes a start tag with the attributes that matter.
func (s *sifter) writeTag(tag string, more bool) {
	s.tags++
	s.out.WriteString("<" + tag)
	for more && tag != "code" {
		var key, value []byte
		key, value, more = s.in.TagAttr()
		if telling(string(key)) && len(value) <= maxValue {
			s.out.WriteString(" " + string(key) + `="` + html.EscapeString(string(value)) + `"`)
		}
	}
	s.out.WriteByte('>')
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
