package media

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// ExtractPDF reads a PDF file from in and writes the text of its pages to out,
// in the form that Reader reads. It is the whole work of the process that
// Options.PDF names, which must call it first of all and then end: it limits
// the memory and processor time of the process for good. The error is about
// the limits or the pipes; what is wrong with the file goes to out.
func ExtractPDF(in io.Reader, out io.Writer) error {
	if err := limitProcess(maxPDFMemory, maxPDFTime); err != nil {
		return fmt.Errorf("limit process: %w", err)
	}
	debug.SetMemoryLimit(maxPDFMemory / 2) // collect harder above it
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read file: %w", err)
	}
	return (&extractor{out: json.NewEncoder(out)}).run(data)
}

// extractor writes the pages of one file.
type extractor struct {
	out   *json.Encoder
	total int // pages of the file
	chars int // characters written
	err   error
}

// run writes everything. The PDF library panics on what it does not
// understand.
func (x *extractor) run(data []byte) error {
	end := x.open(data)
	if x.err == nil {
		x.err = x.out.Encode(page{Pages: x.total, End: end})
	}
	return x.err
}

func (x *extractor) open(data []byte) (end ending) {
	defer func() {
		if recover() != nil {
			end = endDamaged
		}
	}()
	data = plainHead(data)
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case err != nil && strings.Contains(err.Error(), "encrypt"): // a password, or a cipher that the library lacks
		return endLocked
	case err != nil:
		return endDamaged
	}
	x.total = r.NumPage()
	if !x.walk(r.Trailer().Key("Root").Key("Pages"), 0) {
		return endEnough
	}
	return endDone
}

// plainHead cuts off what stands before the head and behind the end of a file,
// and claims version 1.7, because the library refuses newer ones that it could
// read, and a space behind the number.
func plainHead(data []byte) []byte {
	const head, end = "%PDF-", "%%EOF"
	if i := bytes.Index(data, []byte(head)); i > 0 {
		data = data[i:]
	}
	if i := bytes.LastIndex(data, []byte(end)); i >= 0 {
		data = data[:i+len(end)]
	}
	copy(data, head+"1.7\n")
	return data
}

// maxDepth bounds the tree of pages, which a hostile file may tie into a loop.
const maxDepth = 50

// walk writes the pages below a node of the page tree (ISO 32000-1, 7.7.3). It
// is false when enough is written.
func (x *extractor) walk(node pdf.Value, depth int) bool {
	kids := node.Key("Kids")
	for i := range kids.Len() {
		kid := kids.Index(i)
		more := true
		switch {
		case kid.Key("Kids").Kind() != pdf.Array:
			more = x.page(pdf.Page{V: kid})
		case depth < maxDepth:
			more = x.walk(kid, depth+1)
		}
		if !more {
			return false
		}
	}
	return true
}

// page writes one page, and reports whether another one is wanted.
func (x *extractor) page(p pdf.Page) bool {
	text := clean(pageText(p, maxText-x.chars))
	x.chars += utf8.RuneCountInString(text)
	x.err = x.out.Encode(page{Pages: x.total, Text: text})
	return x.err == nil && x.chars < maxText
}
