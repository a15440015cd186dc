package mail

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page makes lines of HTML. It takes what the tokenizer finds, one after the other,
// and never builds a tree, so that no nesting is too deep for it.
type page struct {
	lines   []line
	current strings.Builder
	seen    bool   // the current line holds something, if only a blank that was put there
	quotes  []bool // the open blockquotes; true for those that hold older mail
	depth   int    // how many of them do
	raw     int    // how many elements are open whose line breaks count
	divs    int    // how many divisions are open
	bars    []int  // of them those with a bar at their left, which hold older mail
	folds   []bool // the open folds; true for those that hold older mail
	left    string // the name of the element that is left out
	nested  int    // how many of that name are open
}

// htmlLines divides HTML into lines as they are seen: quotes get their depth,
// signatures and what is hidden are left out.
func htmlLines(text string) []line {
	p := page{}
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if len(p.lines) >= maxLines {
			kind = html.ErrorToken
		}
		switch kind {
		case html.ErrorToken: // the end
			p.end()
			return p.lines
		case html.TextToken:
			if p.nested == 0 {
				p.say(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			t.Type = kind
			p.start(t)
		case html.EndTagToken:
			p.close(z.Token())
		}
	}
}

// say adds text to the line. Runs of blanks count as one, but in raw text.
func (p *page) say(text string) {
	text = clean(text)
	if p.raw > 0 {
		for i, l := range strings.Split(text, "\n") {
			if i > 0 {
				p.breakLine()
			}
			p.current.WriteString(l)
			p.seen = p.seen || l != ""
		}
		return
	}
	// A blank that was put there has become a plain one, so that a line with nothing
	// but blanks and no line break counts as seen: it is how an empty line is written.
	p.seen = p.seen || text != "" && !strings.Contains(text, "\n") || !blank(text)
	if !blank(text) || p.current.Len() > 0 {
		p.current.WriteString(text)
	}
}

// breakLine ends the line, empty or not.
func (p *page) breakLine() {
	text := p.current.String()
	if p.raw == 0 {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }), " ")
	}
	p.lines = append(p.lines, line{depth: p.depth, text: text})
	p.current.Reset()
	p.seen = false
}

// end ends the line if there is something on it.
func (p *page) end() {
	if p.seen {
		p.breakLine()
	}
	p.current.Reset()
}

// gap leaves one empty line before what comes, as paragraphs have.
func (p *page) gap() {
	p.end()
	if n := len(p.lines); n > 0 && p.lines[n-1].text != "" {
		p.lines = append(p.lines, line{depth: p.depth})
	}
}

func (p *page) start(t html.Token) {
	if p.nested > 0 {
		if t.Data == p.left && t.Type == html.StartTagToken {
			p.nested++
		}
		return
	}
	a := attributesOf(t)
	if a.begins() {
		p.end()
		p.lines = append(p.lines, line{cut: true})
	}
	if strings.EqualFold(a.id, "lineBreakAtBeginningOfSignature") {
		p.end()
		p.lines = append(p.lines, line{depth: p.depth, text: signatureMark})
	}
	if !empty(t.DataAtom) && (invisible(t.DataAtom) || a.hidden() || a.signs() || a.quotes()) {
		if t.Type == html.StartTagToken {
			p.end()
			p.left, p.nested = t.Data, 1
		}
		return
	}
	p.arrange(t, a)
}

// arrange does to the lines what the beginning of an element means for them.
func (p *page) arrange(t html.Token, a attributes) {
	switch t.DataAtom {
	case atom.Br:
		p.breakLine()
	case atom.P:
		if strings.HasPrefix(strings.ToLower(a.class), "mso") { // Outlook's paragraphs are lines
			p.end()
		} else {
			p.gap()
		}
	case atom.Ul, atom.Ol, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.Hr:
		p.gap()
	case atom.Pre:
		p.end()
		p.raw++
	case atom.Li:
		p.end()
		p.say("- ")
	case atom.Td, atom.Th:
		p.say(" ")
	case atom.Blockquote:
		p.end()
		p.quotes = append(p.quotes, !a.indents())
		if !a.indents() {
			p.depth++
		}
	case atom.Details:
		p.end()
		p.folds = append(p.folds, false)
	case atom.Div:
		p.end()
		p.divide(t, a)
	default:
		if block(t.DataAtom) {
			p.end()
		}
	}
}

// divide begins a division. A bar at its left marks older mail, but where nothing
// stands before it: then it is how the whole mail looks.
func (p *page) divide(t html.Token, a attributes) {
	if t.Type == html.SelfClosingTagToken {
		return
	}
	p.divs++
	if a.barred() && wordsOf(p.lines) > 0 {
		p.bars = append(p.bars, p.divs)
		p.depth++
	}
}

// undivide ends a division.
func (p *page) undivide() {
	if n := len(p.bars); n > 0 && p.bars[n-1] == p.divs {
		p.bars = p.bars[:n-1]
		p.depth--
	}
	p.divs = max(0, p.divs-1)
}

// summarise ends what is seen of a fold. Where that introduces a quote, the rest of
// the fold is one.
func (p *page) summarise() {
	text := strings.TrimRight(strings.TrimSpace(p.current.String()), ":：")
	how, _ := introduces(text + ":")
	if n := len(p.folds); n > 0 && !p.folds[n-1] && how != notAtAll {
		p.folds[n-1] = true
		p.depth++
	}
	p.end()
}

// unfold ends a fold.
func (p *page) unfold() {
	n := len(p.folds)
	if n == 0 {
		return
	}
	if p.folds[n-1] {
		p.depth--
	}
	p.folds = p.folds[:n-1]
}

func (p *page) close(t html.Token) {
	if p.nested > 0 {
		if t.Data == p.left {
			p.nested--
		}
		return
	}
	switch t.DataAtom {
	case atom.Pre:
		p.end()
		p.raw = max(0, p.raw-1)
	case atom.Ul, atom.Ol, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4:
		p.gap()
	case atom.Blockquote:
		p.end()
		if n := len(p.quotes); n > 0 {
			if p.quotes[n-1] {
				p.depth--
			}
			p.quotes = p.quotes[:n-1]
		}
	case atom.Div:
		p.end()
		p.undivide()
	case atom.Summary:
		p.summarise()
	case atom.Details:
		p.end()
		p.unfold()
	default:
		if block(t.DataAtom) || t.DataAtom == atom.P {
			p.end()
		}
	}
}

func block(a atom.Atom) bool {
	switch a {
	case atom.Div, atom.Tr, atom.Li, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Dl, atom.Dt, atom.Dd, atom.Center, atom.Address, atom.Fieldset, atom.Body, atom.H5, atom.H6, atom.Details, atom.Summary:
		return true
	}
	return false
}

// empty reports whether an element never has an end.
func empty(a atom.Atom) bool {
	switch a {
	case atom.Br, atom.Hr, atom.Img, atom.Meta, atom.Link, atom.Input, atom.Base, atom.Col, atom.Area, atom.Wbr, atom.Embed, atom.Source:
		return true
	}
	return false
}

// invisible reports whether nothing of an element is text to be read.
func invisible(a atom.Atom) bool {
	switch a {
	case atom.Style, atom.Script, atom.Title, atom.Template, atom.Svg, atom.Object, atom.Select, atom.Textarea, atom.Iframe, atom.Noscript:
		return true
	}
	return false
}

// attributes are those of an element that tell what it is in a mail.
type attributes struct{ id, class, style, name, cite string }

func attributesOf(t html.Token) attributes {
	var a attributes
	for _, at := range t.Attr {
		switch at.Key {
		case "id":
			a.id = at.Val
		case "class":
			a.class = at.Val
		case "style":
			a.style = strings.ToLower(strings.Join(strings.Fields(at.Val), ""))
		case "name":
			a.name = at.Val
		case "cite":
			a.cite = at.Val
		case "type":
			a.cite += at.Val
		case "hidden":
			a.style += ";display:none"
		}
	}
	return a
}

func (a attributes) hidden() bool {
	for _, s := range []string{"display:none", "visibility:hidden", "mso-hide:all", "max-height:0"} {
		if strings.Contains(a.style, s) {
			return true
		}
	}
	return false
}

// signs reports whether a program put a signature there: Gmail, Thunderbird, Outlook,
// Apple Mail, Yahoo and Proton all say so in the name of the element.
func (a attributes) signs() bool {
	return strings.Contains(strings.ToLower(a.class+" "+a.id), "signature") && !strings.EqualFold(a.id, "lineBreakAtBeginningOfSignature")
}

// quotes reports whether an element other than a blockquote holds the older mail
// whole: Yahoo's, GMX's, Web.de's and Proton's.
func (a attributes) quotes() bool {
	return strings.Contains(a.class, "yahoo_quoted") || strings.Contains(a.class, "protonmail_quote") || a.name == "quote"
}

// begins reports whether the older mail begins here and goes on to the end, as in the
// mails of Outlook, Foxmail and NetEase.
func (a attributes) begins() bool {
	id := strings.TrimPrefix(a.id, "x_")
	switch id {
	case "appendonsend", "divRplyFwdMsg", "mail-editor-reference-message-container", "OLK_SRC_BODY_SECTION", "isReplyContent", "isForwardContent":
		return true
	}
	return strings.HasPrefix(a.style, "border:none;border-top:solid")
}

// barred reports whether a bar is drawn at the left of an element, and nowhere else, as
// programs do beside older mail.
func (a attributes) barred() bool {
	return strings.Contains(a.style, "border-left:") && !strings.Contains(a.style, "border-left:none") && !strings.Contains(a.style, "border-left:0") &&
		!strings.Contains(a.style, "border-right:") && !strings.Contains(a.style, "border-bottom:")
}

// indents reports whether a blockquote only moves the sender's own words to the
// right.
func (a attributes) indents() bool {
	return a.cite == "" && !strings.Contains(a.class, "quote") && strings.Contains(a.style, "border:none")
}
