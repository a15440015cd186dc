package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tableBytes bounds what a table may grow to when each row repeats the header
// or is padded. What would be larger stays as it was written.
const tableBytes = 64 << 10

// tableTransformer finds the tables of GitHub's Markdown in paragraphs. Unlike
// there, a pipe within code needs no backslash, and a row with more cells than
// the header keeps their words in its last cell. A row with fewer is not
// filled up, so that a small text cannot make a huge table.
type tableTransformer struct{}

// Transform implements parser.ParagraphTransformer.
func (tableTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), p.Lines()
	at, columns := findTable(source, lines)
	if at < 0 {
		return
	}
	table := east.NewTable()
	table.Alignments = columns
	table.SetBlankPreviousLines(at == 0 && p.HasBlankPreviousLines())
	for i := at; i < lines.Len(); i++ {
		if i != at+1 {
			table.AppendChild(table, newRow(source, lines.At(i), len(columns)))
		}
	}
	p.Parent().InsertAfter(p.Parent(), p, table)
	if at == 0 {
		p.Parent().RemoveChild(p.Parent(), p)
		return
	}
	lines.SetSliced(0, at)
	lines.Set(at-1, trimmed(source, lines.At(at-1)))
}

// findTable returns the line of a table's header and the alignment of its
// columns; -1 if there is no table.
func findTable(source []byte, lines *text.Segments) (at int, columns []east.Alignment) {
	for i := 1; i < lines.Len(); i++ {
		columns = alignments(string(value(source, lines.At(i))))
		if columns == nil {
			continue
		}
		header := trimmed(source, lines.At(i-1))
		rows := lines.Len() - i
		if len(cells(header.Value(source), len(columns)+1)) == len(columns) && rows*(header.Len()+gridColumns) <= tableBytes {
			return i - 1, columns
		}
	}
	return -1, nil
}

// alignments reads the line below a table's header; nil if it is none.
func alignments(line string) []east.Alignment {
	if !strings.Contains(line, "|") || strings.Trim(line, "|:- \t") != "" {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var all []east.Alignment
	for cell := range strings.SplitSeq(line, "|") {
		cell = strings.TrimSpace(cell)
		dashes := strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		all = append(all, alignment(cell[0] == ':', cell[len(cell)-1] == ':'))
	}
	return all
}

func alignment(left, right bool) east.Alignment {
	switch {
	case left && right:
		return east.AlignCenter
	case right:
		return east.AlignRight
	}
	return east.AlignLeft
}

// newRow makes the node of a row with at most width cells.
func newRow(source []byte, line text.Segment, width int) ast.Node {
	line = trimmed(source, line)
	row := east.NewTableRow(nil)
	for _, c := range cells(line.Value(source), width) {
		cell := east.NewTableCell()
		if s := trimmed(source, text.NewSegment(line.Start+c[0], line.Start+c[1])); s.Len() > 0 {
			cell.Lines().Append(s)
		}
		row.AppendChild(row, cell)
	}
	return row
}

// cells returns where the cells of a row begin and end. What is beyond the
// last of width cells belongs to it.
func cells(row []byte, width int) [][2]int {
	from, to := 0, len(row)
	if bytes.HasPrefix(row, []byte("|")) {
		from = 1
	}
	if to > from && row[to-1] == '|' && !(to > 1 && row[to-2] == '\\') {
		to--
	}
	var all [][2]int
	for i := from; i < to && len(all) < width-1; {
		switch row[i] {
		case '\\':
			i += 2
		case '`':
			i += codeLength(row[i:to])
		case '|':
			all = append(all, [2]int{from, i})
			i++
			from = i
		default:
			i++
		}
	}
	return append(all, [2]int{from, to})
}

// codeLength returns the length of the code that text begins with, or that of
// its backticks if nothing closes them.
func codeLength(text []byte) int {
	n := ticks(text)
	for i := n; i < len(text); {
		m := ticks(text[i:])
		if m == n {
			return i + m
		}
		i += max(m, 1)
	}
	return n
}

// ticks counts the backticks that text begins with.
func ticks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, "`")) }

// value is the text of a line without white space around it.
func value(source []byte, line text.Segment) []byte {
	line = trimmed(source, line)
	return line.Value(source)
}

func trimmed(source []byte, s text.Segment) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}
