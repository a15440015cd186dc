package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"nacre"
	"nacre/web"
)

// exportCommand takes along what is here.
type exportCommand struct {
	Archive string `help:"Write everything, conversations, jobs and settings too, as an archive that can be imported again." placeholder:"FILE"`
	Force   bool   `help:"Overwrite the file if it is there."`
}

// Run prints memory as Markdown, or writes an archive of everything.
func (e exportCommand) Run(c call) error {
	if e.Archive == "" {
		return memoryExport{}.Run(c)
	}
	if err := e.free(); err != nil {
		return err
	}
	return c.atDesk(func(d web.Desk) error {
		if err := e.write(func(w io.Writer) error { return d.Moving(shell).Archive(c.ctx, w) }); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.out, "Written to %s. This copy is yours to delete; forgetting does not reach it.\n", e.Archive)
		return err
	})
}

// free refuses a file that is there already.
func (e exportCommand) free() error {
	_, err := os.Lstat(e.Archive)
	switch {
	case err == nil && !e.Force:
		return nacre.Errorf(nacre.Conflict, "%s is there already; name another file, or overwrite it with --force", e.Archive)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return errUnwritable(err)
	}
	return nil
}

// write puts a file in its place when it is whole; only this user can read it.
func (e exportCommand) write(fill func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(e.Archive), ".nacre-archive-*") // mode 0600
	if err != nil {
		return errUnwritable(err)
	}
	defer os.Remove(file.Name()) // is gone if all went well
	if err := fill(file); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return errUnwritable(err)
	}
	if err := os.Rename(file.Name(), e.Archive); err != nil {
		return errUnwritable(err)
	}
	return nil
}

func errUnwritable(err error) error {
	return nacre.Errorf(nacre.Invalid, "the archive cannot be written (%w); name another file", err)
}
