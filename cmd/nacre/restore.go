package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"nacre"
	"nacre/memory/backup"
	"nacre/web"
)

type restoreCommand struct {
	From       string `arg:"" help:"A snapshot, or a directory of backups, of which the newest is taken." type:"path"`
	Keys       string `help:"The key bundle, if it is not keys.age beside the snapshot." placeholder:"FILE" type:"existingfile"`
	Identity   string `help:"A file that holds your recovery key; without one it is asked for." placeholder:"FILE" type:"existingfile"`
	Check      bool   `help:"Rehearse it: restore beside everything, say what would be there, and remove it again."`
	Checkpoint string `help:"A checkpoint that you were sent, against which a restored log that is too old is noticed." placeholder:"FILE" type:"existingfile"`
	Older      bool   `help:"Go on with keys or a log from before something was forgotten."`
}

// Run restores a backup into a data directory that has no database, or rehearses it.
func (r restoreCommand) Run(c call) error {
	cfg, err := c.config()
	if err != nil {
		return err
	}
	if !r.Check && web.NewClient(cfg.Data).Running(c.ctx) {
		return nacre.Errorf(nacre.Conflict, "Nacre is running in %s; stop it, and restore into an empty directory", cfg.Data)
	}
	snapshot, err := r.snapshot()
	if err != nil {
		return err
	}
	bundle, err := r.bundle(c, snapshot, cfg.Keys)
	if err != nil {
		return err
	}
	if r.Check || r.Checkpoint != "" && !r.Older {
		rehearsed, err := r.rehearse(c.ctx, *cfg, snapshot, bundle)
		switch {
		case err != nil:
			return err
		case r.Check:
			return c.receipt(rehearsed, "Rehearsed, and changed nothing: this would restore")
		}
	}
	restored, err := r.restore(c.ctx, cfg, snapshot, bundle)
	if err != nil {
		return err
	}
	if err := c.receipt(restored, "Restored"); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, "Start Nacre now. WhatsApp has to be linked again, if you use it: nacre pair whatsapp. nacre.toml and the secrets that it names are not in a backup.")
	return err
}

// snapshot is the file that is restored.
func (r restoreCommand) snapshot() (string, error) {
	st, err := os.Stat(r.From)
	if err != nil {
		return "", nacre.Errorf(nacre.NotFound, "there is no backup at %s", r.From)
	}
	if st.IsDir() {
		return newestIn(r.From)
	}
	return r.From, nil
}

// bundle opens the key bundle; nil where there is none and the key file has to do.
func (r restoreCommand) bundle(c call, snapshot, keyFile string) ([]byte, error) {
	path := r.Keys
	if path == "" {
		path = backup.Set{Dir: filepath.Dir(snapshot)}.Keys()
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the key bundle cannot be read (%w); give this user the right to", err)
	}
	defer f.Close()
	secret, err := r.secret(c)
	if err != nil {
		return nil, err
	}
	if _, statErr := os.Stat(keyFile); strings.TrimSpace(secret) == "" && statErr == nil {
		fmt.Fprintln(c.err, "nacre: without the recovery key the key file does; what was forgotten after the snapshot stays unreadable, but could be learned again")
		return nil, nil
	}
	return backup.OpenKeys(f, secret)
}

// secret is the recovery key.
func (r restoreCommand) secret(c call) (string, error) {
	if r.Identity != "" {
		text, err := os.ReadFile(r.Identity)
		if err != nil {
			return "", nacre.Errorf(nacre.Invalid, "the recovery key cannot be read (%w)", err)
		}
		return string(text), nil
	}
	fmt.Fprint(c.err, "Your recovery key (AGE-SECRET-KEY-1…): ")
	defer fmt.Fprintln(c.err)
	if f, ok := c.in.(*os.File); ok && isTerminal(c.in) {
		text, err := term.ReadPassword(int(f.Fd()))
		return string(text), err
	}
	line, err := bufio.NewReader(io.LimitReader(c.in, 4<<10)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return line, err
}
