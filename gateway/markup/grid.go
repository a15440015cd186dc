package markup

import (
	"strings"

	"github.com/rivo/uniseg"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// gridColumns is how wide a table may be to be shown as one. Phones wrap what
// is wider into a puzzle.
const gridColumns = 60

// table writes a table: aligned, as a block of code, if it is narrow, else as
// a list of its rows.
func (w *walker) table(t *east.Table) {
	g := grid{columns: t.Alignments, widths: make([]int, len(t.Alignments))}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		g.add(w.plainCells(row))
	}
	if g.width() <= gridColumns {
		w.code(g.String(), "")
	} else {
		w.records(t)
	}
}

// plainCells is the cells of a row without markup.
func (w *walker) plainCells(row ast.Node) []string {
	var all []string
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		sub := walker{source: w.source, inCell: true}
		sub.inlines(cell)
		r := sub.out.rich()
		text := plainForm(0, Characters).write(r, 0, len(r.text))
		all = append(all, strings.Join(strings.Fields(text), " "))
	}
	return all
}

// records writes each row of a table as an item with a line for each column.
func (w *walker) records(t *east.Table) {
	w.inCell = true
	header := t.FirstChild()
	for row := header.NextSibling(); row != nil; row = row.NextSibling() {
		w.record(header, row.FirstChild())
	}
	if header.NextSibling() == nil {
		w.record(header, nil)
	}
	w.inCell = false
}

// record writes the cells of a row, of which the first is given. A row may end
// before the last column of the header.
func (w *walker) record(header, cell ast.Node) {
	indent := w.indent
	w.lead += w.bullet
	w.indent += "  "
	for name := header.FirstChild(); name != nil; name = name.NextSibling() {
		w.field(name, cell)
		if cell != nil {
			cell = cell.NextSibling()
		}
	}
	w.indent = indent
	w.gap(1)
}

// field writes a cell behind the name of its column.
func (w *walker) field(name, cell ast.Node) {
	named, filled := name.HasChildren(), cell != nil && cell.HasChildren()
	if !named && !filled {
		return
	}
	if named {
		w.within(bold, name)
		w.text(": ")
	}
	if filled {
		w.inlines(cell)
	} else {
		w.text("—")
	}
	w.newline()
}

// grid is a table of plain text, its header first.
type grid struct {
	columns []east.Alignment
	widths  []int
	rows    [][]string
}

func (g *grid) add(row []string) {
	for i, cell := range row {
		g.widths[i] = max(g.widths[i], uniseg.StringWidth(cell))
	}
	g.rows = append(g.rows, row)
}

const gridGap = " | "

// width is that of the whole table.
func (g *grid) width() int {
	sum := len(gridGap) * (len(g.widths) - 1)
	for _, w := range g.widths {
		sum += w
	}
	return sum
}

func (g *grid) String() string {
	var b strings.Builder
	for i, row := range g.rows {
		g.row(&b, row)
		if i == 0 {
			g.rule(&b)
		}
	}
	return b.String()
}

func (g *grid) row(b *strings.Builder, row []string) {
	var line strings.Builder
	for i, cell := range row {
		if i > 0 {
			line.WriteString(gridGap)
		}
		room := g.widths[i] - uniseg.StringWidth(cell)
		left := 0
		switch g.columns[i] {
		case east.AlignRight:
			left = room
		case east.AlignCenter:
			left = room / 2
		}
		line.WriteString(strings.Repeat(" ", left) + cell + strings.Repeat(" ", room-left))
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// rule is the line below the header.
func (g *grid) rule(b *strings.Builder) {
	for i, width := range g.widths {
		if i > 0 {
			b.WriteString("-+-")
		}
		b.WriteString(strings.Repeat("-", width))
	}
	b.WriteByte('\n')
}
