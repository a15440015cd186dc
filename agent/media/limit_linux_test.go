package media

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"nacre"
)

// Only Linux enforces the limit of memory, so these tests are for Linux.

// bomb is a page that pushes operands without end: 64 MiB of them.
func bomb(t testing.TB) string {
	return string(compress(t, strings.NewReader(strings.Repeat("0 ", 1<<25))))
}

// A hostile file costs its child, and its person a sentence.
func TestPDFBombs(t *testing.T) {
	table := pdfOf(line("Hello")).bytes()
	table = bytes.Replace(table, []byte("xref\n0 8\n"), []byte("xref\n4000000000 8\n"), 1)
	stack := pdfOf(line("Hello"), "")
	stack.objects = stack.objects[:len(stack.objects)-1]
	stack.stream("/Filter /FlateDecode", bomb(t))

	_, err := readPDF(t, table)
	refused(t, err, nacre.Invalid, "too much time or memory")
	got, err := readPDF(t, stack.bytes())
	if want := "Hello\n[the rest cannot be read: this is page 1 to 1 of 2]"; err != nil || got != want {
		t.Errorf("got %q, %v; want what was read before the bomb", got, err)
	}
}

func TestLimitProcess(t *testing.T) {
	run := func(way string) error {
		c := self(t, way)
		return exec.CommandContext(t.Context(), c[0], c[1:]...).Run()
	}
	if err := run("thrift"); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	var exit *exec.ExitError
	if err := run("hoard"); !errors.As(err, &exit) || exit.ExitCode() < 1 {
		t.Errorf("too much memory: %v; want the runtime to give up", err)
	}
	if err := run("burn"); !errors.As(err, &exit) || exit.String() != "signal: killed" {
		t.Errorf("too much processor time: %v; want it killed", err)
	}
}
