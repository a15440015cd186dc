package markup

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// starParser reads emphasis, but a single star between operands, as in 5*3,
// multiplies.
type starParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p starParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); line[0] == '*' && operands(block.PrecendingCharacter(), line[1:]) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// pairParser reads what stands between two pairs of a character.
type pairParser struct {
	char byte
	mark mark
}

// marked is what stands between two pairs.
type marked struct {
	ast.BaseInline
	mark mark
}

var kindMarked = ast.NewNodeKind("Marked")

// Kind implements ast.Node.
func (*marked) Kind() ast.NodeKind { return kindMarked }

// Dump implements ast.Node.
func (m *marked) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// Trigger implements parser.InlineParser.
func (p pairParser) Trigger() []byte { return []byte{p.char} }

// Parse implements parser.InlineParser. A pair between operands, as in a||b,
// is program text and neither opens nor closes.
func (p pairParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 2, p)
	if d == nil || d.OriginalLength != 2 || before == rune(p.char) || operands(before, line[2:]) {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + 2)
	block.Advance(2)
	pc.PushDelimiter(d)
	return d
}

// operands reports whether what stands before a sign and after it look like
// the operands of a program or a formula.
func operands(before rune, after []byte) bool {
	return operand(before, ")]") && len(after) > 0 && operand(rune(after[0]), "(")
}

// operand reports whether r is an ASCII letter or digit or one of signs.
func operand(r rune, signs string) bool {
	return r < utf8.RuneSelf && util.IsAlphaNumeric(byte(r)) || strings.ContainsRune(signs, r)
}

// IsDelimiter implements parser.DelimiterProcessor.
func (p pairParser) IsDelimiter(b byte) bool { return b == p.char }

// CanOpenCloser implements parser.DelimiterProcessor.
func (p pairParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (p pairParser) OnMatch(int) ast.Node { return &marked{mark: p.mark} }
