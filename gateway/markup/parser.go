package markup

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// nothing matches no text, and sees that at its beginning.
var nothing = regexp.MustCompile(`^\b\B`)

// newParser returns a parser of our Markdown. It leaves out HTML, which is
// text to us, and finds bare links, so that what looks like emphasis in an
// address is none.
func newParser() parser.Parser {
	links := extension.NewLinkifyParser(
		extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"}),
		extension.WithLinkifyEmailRegexp(nothing),
	)
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(breakParser{}, 300),
			util.Prioritized(parser.NewAutoLinkParser(), 400),
			util.Prioritized(starParser{parser.NewEmphasisParser()}, 500),
			util.Prioritized(pairParser{'~', strike}, 500),
			util.Prioritized(pairParser{'|', spoiler}, 500),
			util.Prioritized(links, 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(tableTransformer{}, 200),
		),
	)
}

// parse parses the pieces that are prose.
func parse(all []piece) {
	known, p := definitions(all), newParser()
	for i := range all {
		if all[i].kind != prose {
			continue
		}
		pc := parser.NewContext()
		for _, d := range known {
			pc.AddReference(d)
		}
		all[i].root = p.Parse(text.NewReader([]byte(all[i].text)), parser.WithContext(pc))
	}
}

// breakParser reads <br>, which models write where Markdown has no way to end
// a line.
type breakParser struct{}

var breakTag = regexp.MustCompile(`^<[bB][rR] ?/?>`)

// Trigger implements parser.InlineParser.
func (breakParser) Trigger() []byte { return []byte{'<'} }

// Parse implements parser.InlineParser.
func (breakParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	tag := breakTag.Find(line)
	if tag == nil {
		return nil
	}
	block.Advance(len(tag))
	t := ast.NewTextSegment(segment.WithStop(segment.Start))
	t.SetHardLineBreak(true)
	return t
}
