package browse

import (
	"bytes"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// minArticle is how many bytes an article must have. Of a page with less, such
// as a list of links or a form, everything is shown.
const minArticle = 500

// readable makes a title and Markdown of HTML in UTF-8, found at u, and reports
// whether that is all of the page. It takes at most a second or so for any
// input: what the parser and both libraries take quadratic time and memory for
// is sifted out before.
func readable(body []byte, u *url.URL) (title, text string, whole bool) {
	clean, whole := sift(body)
	doc := grow(clean)
	if doc == nil {
		return "", bare(clean), whole
	}
	parser := readability.NewParser()
	parser.DisableJSONLD = true
	article, err := parser.ParseAndMutate(doc, u)
	if err == nil && article.Node != nil {
		text = markdown(article.Node, u)
	}
	if len(text) < minArticle {
		text = markdown(grow(clean), u)
	}
	return article.Title(), text, whole
}

// grow parses sifted HTML and trims the tree. It returns nil for what is
// nested more deeply than the parser takes.
func grow(clean []byte) *html.Node {
	doc, err := html.Parse(bytes.NewReader(clean))
	if err != nil {
		return nil
	}
	trim(doc, 0, 0)
	return doc
}

// markdown renders a tree. Relative links become whole; nothing is escaped,
// because a model reads it and no renderer.
func markdown(n *html.Node, u *url.URL) string {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			base.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(),
			table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorNone)),
		),
	)
	text, err := c.ConvertNode(n, converter.WithDomain(u.String()))
	if err != nil {
		return ""
	}
	return string(text)
}

// bare is the text between the tags.
func bare(clean []byte) string {
	var b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(clean)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
			b.WriteByte('\n')
		}
	}
}
