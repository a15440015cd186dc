package media

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
)

// Limits of the child process that takes a PDF file apart.
const (
	maxPDFTime   = 20 * time.Second // of the clock, and of the processor
	maxPDFMemory = 256 << 20        // bytes of data
	maxPDFOutput = 1 << 20          // bytes; maxText characters and their wrapping need less
)

// page is one line of JSON on the child's output: a page, or how it ended.
type page struct {
	Pages int    `json:"pages,omitempty"` // of the whole file
	Text  string `json:"text,omitempty"`
	End   ending `json:"end,omitempty"`
}

// ending says why a child had nothing more to say. A child that dies says
// nothing.
type ending string

const (
	endDone    ending = "done"
	endEnough  ending = "enough" // maxText characters are read
	endLocked  ending = "locked"
	endDamaged ending = "damaged"
)

// orPDF returns the type of a PDF file if data is one with a few bytes before
// its head, as some mail programs and scanners make them; else t.
func orPDF(t string, data []byte) string {
	head, tail := data[:min(len(data), 1024)], data[max(0, len(data)-2048):]
	if bytes.Contains(head, []byte("\n%PDF-")) && bytes.Contains(tail, []byte("startxref")) {
		return "application/pdf"
	}
	return t
}

// pdf returns the text of a PDF file. A child process reads it, because a
// hostile file can make any reader allocate without end; what the child could
// read before it died still counts.
func (r *Reader) pdf(ctx context.Context, data []byte) (string, error) {
	if len(r.opts.PDF) == 0 {
		return "", nacre.Errorf(nacre.Invalid, "I cannot read PDF files here; please send the text itself.")
	}
	give, err := r.take(ctx)
	if err != nil {
		return "", err
	}
	defer give(false)
	timed, cancel := context.WithTimeout(ctx, r.pdfTime)
	defer cancel()
	texts, last, err := readChild(timed, r.opts.PDF, data)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", &nacre.Error{Kind: nacre.Transient, Text: "I could not open that PDF file just now; please send it again.", Err: err}
	}
	return pdfText(texts, last)
}

// readChild runs the command over data and returns the text of the pages that
// it read, and its last line. It fails only if the command does not start.
func readChild(ctx context.Context, command []string, data []byte) (texts []string, last page, err error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = []string{"GOMAXPROCS=1"} // no secrets for a process that strangers write to
	c.Stdin = bytes.NewReader(data)
	c.WaitDelay = time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, page{}, fmt.Errorf("pipe: %w", err)
	}
	if err := c.Start(); err != nil {
		return nil, page{}, fmt.Errorf("start: %w", err)
	}
	lines := json.NewDecoder(io.LimitReader(out, maxPDFOutput))
	for last.End == "" {
		var p page
		if lines.Decode(&p) != nil {
			break
		}
		last = p
		if p.End == "" {
			texts = append(texts, p.Text)
		}
	}
	c.Cancel() // it has nothing more to say
	c.Wait()   // its end tells nothing that its last line does not
	return texts, last, nil
}

// pdfText joins pages and says at the end how many there are.
func pdfText(texts []string, last page) (string, error) {
	read, total := len(texts), last.Pages
	text, short := cut(clean(strings.Join(texts, "\n\n")))
	switch {
	case last.End == endLocked:
		return "", nacre.Errorf(nacre.Invalid, "That PDF file is locked with a password; please send a copy without one.")
	case last.End == endDamaged && text == "":
		return "", nacre.Errorf(nacre.Invalid, "I cannot read that PDF file; it is damaged or made in an unusual way.")
	case last.End == "" && text == "":
		return "", nacre.Errorf(nacre.Invalid, "I gave up on that PDF file, because it takes too much time or memory to read.")
	case text == "":
		return "", nacre.Errorf(nacre.Invalid, "That PDF file holds no text, as scans do; please send its pages as pictures.")
	case short || last.End == endEnough:
		text += fmt.Sprintf("\n[cut after %d characters, on page %d of %d]", utf8.RuneCountInString(text), read, total)
	case last.End != endDone:
		text += fmt.Sprintf("\n[the rest cannot be read: this is page 1 to %d of %d]", read, total)
	default:
		text += fmt.Sprintf("\n[end of the file; pages: %d]", total)
	}
	return text, nil
}
