package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"nacre"
	"nacre/web"
)

// importCommand takes over what an owner brings from elsewhere.
type importCommand struct {
	Path   string `arg:"" name:"path" help:"What to bring over: a file, an archive (zip) or a folder; - for what is typed or piped in."`
	DryRun bool   `help:"Show what would become of it, and change nothing."`
	JSON   bool   `help:"Print it as JSON."`
}

// Run implements the command.
func (i importCommand) Run(c call) error {
	wish, from, err := i.open(c)
	if err != nil {
		return err
	}
	defer from.Close()
	c.anew = !i.DryRun
	return c.atDesk(func(d web.Desk) error {
		bar := newBar(c, i.JSON)
		done, err := d.Moving(shell).Import(c.ctx, wish, from, bar.tell)
		bar.end()
		switch {
		case err != nil && c.ctx.Err() != nil:
			return i.stopped()
		case err != nil:
			return err
		case i.JSON:
			return c.printJSON(done)
		}
		_, err = io.WriteString(c.out, importedText(done))
		return err
	})
}

// stopped is what is said when somebody stops an import.
func (i importCommand) stopped() error {
	words := "Stopped. What was brought over stays; import the same again to go on."
	if i.DryRun {
		words = "Stopped. Nothing was changed."
	}
	return errors.New(words)
}

// open opens what is to be brought over. A folder becomes an archive on its way.
func (i importCommand) open(c call) (web.ImportWish, io.ReadCloser, error) {
	wish := web.ImportWish{Dry: i.DryRun}
	if i.Path == "-" {
		return wish, io.NopCloser(bufio.NewReader(c.in)), nil
	}
	info, err := os.Stat(i.Path)
	if err != nil {
		return wish, nil, errUnreadable(err)
	}
	if info.IsDir() {
		from, err := packed(i.Path)
		wish.Name = "folder.zip"
		return wish, from, err
	}
	if !info.Mode().IsRegular() {
		return wish, nil, nacre.Errorf(nacre.Invalid, "that is neither a file nor a folder; name another one")
	}
	file, err := os.Open(i.Path)
	if err != nil {
		return wish, nil, errUnreadable(err)
	}
	wish.Name, wish.Size = filepath.Base(i.Path), info.Size()
	return wish, file, nil
}

func errUnreadable(err error) error {
	return nacre.Errorf(nacre.Invalid, "the file cannot be read (%w); name another one", err)
}
