package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"nacre"
	"nacre/web"
)

type memoryImport struct {
	File   string `arg:"" help:"A text of notes, such as an export; - for what is typed or piped in."`
	DryRun bool   `help:"Show what would be remembered, and change nothing."`
	JSON   bool   `help:"Print it as JSON."`
}

// Run takes over what another assistant remembered.
func (m memoryImport) Run(c call) error {
	text, err := m.text(c)
	if err != nil {
		return err
	}
	return c.atMemory(func(mem web.Memory) error {
		done, err := mem.Import(c.ctx, web.Import{Text: text, Dry: m.DryRun})
		switch {
		case err != nil:
			return err
		case m.JSON:
			return c.printJSON(done)
		}
		_, err = io.WriteString(c.out, importedText(done))
		return err
	})
}

// text reads what is to be imported; what is longer than can be is cut, and then
// refused.
func (m memoryImport) text(c call) (string, error) {
	from := c.in
	if m.File != "-" {
		file, err := os.Open(m.File)
		if err != nil {
			return "", nacre.Errorf(nacre.Invalid, "the file cannot be read (%w); name another one", err)
		}
		defer file.Close()
		from = file
	}
	raw, err := io.ReadAll(io.LimitReader(from, maxImport+1))
	if err != nil {
		return "", nacre.Errorf(nacre.Invalid, "the file cannot be read (%w); name another one", err)
	}
	return string(raw), nil
}

// importedText says what became of an import: the lines that were not simply
// remembered, and the numbers.
func importedText(done web.Imported) string {
	var b strings.Builder
	for _, l := range done.Lines {
		switch {
		case l.What == web.ImportAdds && done.Dry:
			fmt.Fprintf(&b, "%4d  %s: %s\n", l.Line, l.Area, oneRow(l.Text))
		case l.What == web.ImportLeft, l.What == web.ImportWaits:
			fmt.Fprintf(&b, "%4d  %s: %s\n", l.Line, importWords(l), oneRow(l.Text))
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	verb := "Remembered"
	if done.Dry {
		verb = "Would be remembered"
	}
	fmt.Fprintf(&b, "%s: %s. There already: %d. Left out: %d.\n", verb, number(done.Added, "note", "notes"), done.Known, done.Kept)
	if done.Waits > 0 {
		fmt.Fprintf(&b, "Waiting for you to decide: %d; see nacre memory review.\n", done.Waits)
	}
	return b.String()
}

// importWords says why a line was not simply remembered.
func importWords(l web.ImportedLine) string {
	what := "left out"
	if l.What == web.ImportWaits {
		what = "waits"
	}
	return what + " (" + strings.TrimSuffix(l.Words, ".") + ")"
}
