package media

import "github.com/ledongthuc/pdf"

// font is what layout needs of a font: characters and widths. Widths are in
// the font's height.
type font struct {
	enc    pdf.TextEncoding
	wide   bool // two bytes a glyph
	widths map[int]float64
	usual  float64 // of other glyphs
}

// newFont reads a font dictionary (ISO 32000-1, 9.6 and 9.7).
func newFont(f pdf.Font) *font {
	if f.V.Key("Subtype").Name() == "Type0" {
		inner := f.V.Key("DescendantFonts").Index(0)
		out := &font{enc: f.Encoder(), wide: true, widths: map[int]float64{}, usual: 1}
		if w := inner.Key("DW"); !w.IsNull() {
			out.usual = w.Float64() / 1000
		}
		out.readWide(inner.Key("W"))
		return out
	}
	unit := 0.001
	if f.V.Key("Subtype").Name() == "Type3" {
		unit = f.V.Key("FontMatrix").Index(0).Float64()
	}
	// The 14 fonts that every program knows need no widths; half the height
	// is near enough for them.
	out := &font{enc: f.Encoder(), widths: map[int]float64{}, usual: 0.5}
	for i, w := range f.Widths() {
		out.widths[f.FirstChar()+i] = w * unit
	}
	return out
}

// readWide reads the widths of a composite font (ISO 32000-1, 9.7.4.3): a
// first glyph with a list, or a first and a last one with one width.
func (f *font) readWide(w pdf.Value) {
	for i := 0; i+1 < w.Len(); {
		first, second := int(w.Index(i).Int64()), w.Index(i+1)
		if second.Kind() == pdf.Array {
			for j := range second.Len() {
				f.widths[first+j] = second.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		last := min(int(second.Int64()), 1<<16-1)
		for glyph := max(first, 0); glyph <= last; glyph++ {
			f.widths[glyph] = w.Index(i+2).Float64() / 1000
		}
		i += 3
	}
}

// width measures a string of glyph codes, and counts glyphs and blanks.
func (f *font) width(raw string) (sum float64, glyphs, blanks int) {
	step := 1
	if f.wide {
		step = 2
	}
	for i := 0; i+step <= len(raw); i += step {
		code := int(raw[i])
		if f.wide {
			code = code<<8 | int(raw[i+1])
		} else if code == ' ' {
			blanks++
		}
		w, ok := f.widths[code]
		if !ok {
			w = f.usual
		}
		sum += w
		glyphs++
	}
	return sum, glyphs, blanks
}
