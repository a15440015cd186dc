package media

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"nacre"
)

// Limits of a Word file, which is an archive.
const (
	maxWordParts = 5_000    // files in it
	maxWordText  = 16 << 20 // bytes of its text with the markup, inflated
	maxWordRels  = 1 << 20  // bytes of the list that names the part with the text
)

// wordPart is the usual name of the part with the text, of which some programs
// make word/document2.xml.
const wordPart = "word/document.xml"

// isWord tells a Word file (.docx, ECMA-376) from other archives.
func isWord(data []byte) bool { return bytes.Contains(data, []byte("word/document")) }

// readWord returns the text of a Word file: paragraphs as lines, the cells of
// tables parted by tabs. Notes, headers and footers are left out.
func readWord(data []byte) (string, error) {
	part, err := openWord(data)
	if err != nil {
		return "", err
	}
	defer part.Close()
	limited := &io.LimitedReader{R: part, N: maxWordText}
	w := &word{in: xml.NewDecoder(limited)}
	err = w.read()
	text, short := cut(clean(w.out.String()))
	switch {
	case text == "" && err != nil:
		return "", damagedWord(err)
	case text == "":
		return "", nacre.Errorf(nacre.Invalid, "That Word file holds no text.")
	case short:
		text += fmt.Sprintf("\n[cut after %d characters]", utf8.RuneCountInString(text))
	case err != nil || limited.N <= 0:
		text += "\n[the rest cannot be read]"
	}
	return text, nil
}

// openWord finds the text in the archive, whose list of files is measured
// before it is read.
func openWord(data []byte) (io.ReadCloser, error) {
	if n := bytes.Count(data, []byte("PK\x01\x02")); n > maxWordParts {
		return nil, damagedWord(fmt.Errorf("%d files in the archive", n))
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, damagedWord(err)
	}
	part, err := archive.Open(mainPart(archive))
	if err != nil {
		return nil, damagedWord(err)
	}
	return part, nil
}

// mainPart is the name of the part with the text, as the relationships of the
// archive tell it (ECMA-376 part 2, 9.3), or the usual one.
func mainPart(archive *zip.Reader) string {
	f, err := archive.Open("_rels/.rels")
	if err != nil {
		return wordPart
	}
	defer f.Close()
	var list struct {
		Relationship []struct {
			Type   string `xml:",attr"`
			Target string `xml:",attr"`
		}
	}
	if xml.NewDecoder(io.LimitReader(f, maxWordRels)).Decode(&list) != nil {
		return wordPart
	}
	for _, r := range list.Relationship {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			return strings.TrimPrefix(r.Target, "/")
		}
	}
	return wordPart
}

func damagedWord(err error) error {
	return &nacre.Error{Kind: nacre.Invalid, Text: "I cannot open that Word file; it seems to be damaged. A PDF file works, too.", Err: err}
}

// word makes text of WordprocessingML (ECMA-376 part 1, section 17).
type word struct {
	in    *xml.Decoder
	out   strings.Builder
	run   bool // inside a run of text
	words bool // inside the words of a run
	cells int  // how many table cells it is in
	again int  // how many elements it is in that repeat what stands elsewhere
}

// read goes on to the end, or until there is enough. io.EOF is no error.
func (w *word) read() error {
	for w.out.Len() <= maxText*utf8.UTFMax {
		token, err := w.in.RawToken()
		switch t := token.(type) {
		case xml.StartElement:
			w.start(t.Name.Local)
		case xml.EndElement:
			w.end(t.Name.Local)
		case xml.CharData:
			if w.words && w.again == 0 {
				w.out.Write(t)
			}
		}
		if err == io.EOF && w.again > 0 {
			return io.ErrUnexpectedEOF
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repeats reports whether an element holds text that stands elsewhere, too:
// what was moved, at its old place, and what old programs show instead of a text
// box (ECMA-376 part 3, 7.7).
func repeats(name string) bool { return name == "moveFrom" || name == "Fallback" }

func (w *word) start(name string) {
	switch {
	case repeats(name):
		w.again++
	case w.again > 0:
	case name == "r":
		w.run = true
	case name == "t" && w.run:
		w.words = true
	case name == "tab" && w.run:
		w.out.WriteByte('\t')
	case (name == "br" || name == "cr") && w.run:
		w.out.WriteByte('\n')
	case name == "noBreakHyphen" && w.run:
		w.out.WriteByte('-')
	case name == "tc":
		w.cells++
	}
}

func (w *word) end(name string) {
	switch {
	case repeats(name):
		w.again = max(0, w.again-1)
	case w.again > 0:
	case name == "r":
		w.run = false
	case name == "t":
		w.words = false
	case name == "tc":
		w.cells--
		w.out.WriteByte('\t')
	case name == "p" && w.cells <= 0, name == "tr":
		w.out.WriteByte('\n')
	case name == "p":
		w.out.WriteByte(' ')
	}
}
