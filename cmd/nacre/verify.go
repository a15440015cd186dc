package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"nacre"
	"nacre/web"
)

type verifyCommand struct {
	Checkpoint []string `help:"Compare with a signed checkpoint that was kept elsewhere; may be given more than once." placeholder:"FILE" sep:"none"`
	Sign       bool     `help:"If all is well, print a signed checkpoint to keep elsewhere."`
	JSON       bool     `help:"Print it as JSON."`
}

// Run checks the whole audit log. It ends with exit code 0 only if all is well.
// With --sign the output is the checkpoint alone, and what else there is to say
// goes where errors go.
func (v verifyCommand) Run(c call) error {
	check := web.Check{Sign: v.Sign}
	for _, name := range v.Checkpoint {
		text, err := readCheckpoint(name)
		if err != nil {
			return err
		}
		check.Checkpoints = append(check.Checkpoints, text)
	}
	return c.atMemory(func(mem web.Memory) error {
		found, err := mem.Verify(c.ctx, check)
		if err != nil {
			return err
		}
		if err := v.print(c, found); err != nil {
			return err
		}
		if !found.OK {
			return errors.New("the audit log of memory is not as it should be; keep a copy of the data directory, and put back the newest backup")
		}
		return nil
	})
}

func (v verifyCommand) print(c call, found web.Verification) error {
	if v.JSON {
		return c.printJSON(found)
	}
	out := c.out
	if v.Sign {
		out = c.err
		if _, err := io.WriteString(c.out, found.Signed); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, verificationText(found, len(v.Checkpoint)))
	return err
}

// maxCheckpoint is how long a signed checkpoint may be, in bytes.
const maxCheckpoint = 4 << 10

func readCheckpoint(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", nacre.Errorf(nacre.Invalid, "the checkpoint cannot be read (%w)", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxCheckpoint+1))
	if err != nil || len(b) > maxCheckpoint {
		return "", nacre.Errorf(nacre.Invalid, "%s is no checkpoint; give the file that nacre verify --sign printed", name)
	}
	return uncopied(string(b)), nil
}

// originOfLogs is how the first line of each checkpoint begins.
const originOfLogs = "nacre/"

// uncopied is a checkpoint without what it has around it when it is copied from a chat:
// the words before it, the signs of code, and no end of its last line.
func uncopied(text string) string {
	text = strings.ReplaceAll(text, "`", "")
	if at := strings.Index(text, originOfLogs); at > 0 {
		text = text[at:]
	}
	return strings.TrimSpace(text) + "\n"
}

func verificationText(v web.Verification, given int) string {
	var b strings.Builder
	if v.OK {
		fmt.Fprintf(&b, "The audit log is in order: %s.\n", number(int(v.Size), "entry", "entries"))
	} else {
		fmt.Fprintf(&b, "The audit log is not in order: %s read.\n", number(int(v.Size), "entry", "entries"))
	}
	fmt.Fprintf(&b, "Root: %s\n", v.Root)
	switch {
	case given == 0:
		b.WriteString("Compared with no checkpoint, so a log that was forged as a whole would look the same; keep one elsewhere with --sign.\n")
	default:
		fmt.Fprintf(&b, "Proven by checkpoints: %s.\n", number(int(v.Anchored), "entry", "entries"))
	}
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "- %s\n", f)
	}
	if v.Omitted > 0 {
		fmt.Fprintf(&b, "- And %s.\n", number(int(v.Omitted), "more", "more"))
	}
	return b.String()
}

type rebuildCommand struct {
	Older bool `help:"Go on with a database from before something was forgotten, such as a backup."`
}

// Run makes everything anew that is made of the log.
func (r rebuildCommand) Run(c call) error {
	c.older = r.Older
	return c.atMemory(func(mem web.Memory) error {
		r, err := mem.Rebuild(c.ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "Made %s anew from the log, and wrote MEMORY.md anew.\n", number(r.Notes, "note", "notes"))
		if r.Edits != "" {
			fmt.Fprintln(c.out, r.Edits)
		}
		if !r.Same {
			return errors.New("the notes in use were not the same, and are now replaced; please report this as a bug")
		}
		_, err = fmt.Fprintln(c.out, "The notes in use were the same.")
		return err
	})
}
