package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nacre/memory"
	"nacre/memory/backup"
	"nacre/memory/ledger"
	"nacre/web"
)

// stick is a backup that somebody keeps elsewhere, with the key bundle of that day, and
// the recovery key.
type stick struct{ dir, identity string }

// backUp makes a backup on a stick.
func (c *trial) backUp() stick {
	c.t.Helper()
	s := stick{filepath.Join(filepath.Dir(c.app.cfg.Data), "stick"), filepath.Join(c.t.TempDir(), "recovery.txt")}
	secret, recipient, err := backup.NewRecovery()
	if err == nil {
		err = c.app.Backups().SetRecovery(c.t.Context(), web.Recovery{Recipient: recipient})
	}
	if err == nil {
		_, err = c.app.Backups().Make(c.t.Context(), web.BackupOrder{To: s.dir})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(s.identity, []byte(secret))
	return s
}

// keysIn is the key bundle in a directory.
func (c *trial) keysIn(dir string) []byte { return c.read(filepath.Join(dir, "keys.age")) }

// restore restores a backup, while the program does not run, into a directory that it
// has from then on.
func (c *trial) restore(data string, args ...string) (out string, ok bool) {
	c.t.Helper()
	c.env = append(slices.Clone(c.env), "NACRE_DATA="+data)
	var said bytes.Buffer
	code := run(c.t.Context(), append([]string{"restore"}, args...), append(c.env, "NACRE_MODEL=offline"), console{strings.NewReader(""), &said, &said})
	return said.String(), code == exitOK
}

// restoredBackup loses the disk after something was forgotten, and restores a backup from
// before that: with keys from before too, and with the newest.
func restoredBackup(c *trial) {
	p := c.pets(ann)
	source := c.message(ann, theDog)
	c.settle()
	s, usual := c.backUp(), c.app.cfg.Backup.Dir
	c.forget(ann, p.forget, "people/"+p.dog.slug)
	c.settle()
	log, err := c.app.Memory(web.Hand{By: memory.ByShell}).Verify(c.t.Context(), web.Check{Sign: true})
	if err != nil {
		c.t.Fatal(err)
	}
	checkpoint, near, far := filepath.Join(c.t.TempDir(), "checkpoint"), filepath.Join(filepath.Dir(c.app.cfg.Data), "restored"), filepath.Join(c.t.TempDir(), "data")
	c.write(checkpoint, []byte(log.Signed))
	c.stop()

	out, ok := c.restore(far, s.dir, "--identity", s.identity, "--checkpoint", checkpoint)
	c.must(!ok && strings.Contains(out, "--older"), "keys that are older than a checkpoint are refused: %s", out)
	c.must(!ledger.Exists(far), "and nothing is there that could be started")
	out, ok = c.restore(far, s.dir, "--identity", s.identity, "--checkpoint", checkpoint, "--older")
	c.must(ok, "until somebody says that they know: %s", out)
	c.start()
	c.control(c.live(ann, theDog) && c.live(ann, theBike), "keys from before open what was said before")
	c.stop()
	if err := os.RemoveAll(far); err != nil {
		c.t.Fatal(err)
	}

	out, ok = c.restore(near, s.dir, "--keys", filepath.Join(usual, "keys.age"), "--identity", s.identity, "--checkpoint", checkpoint)
	c.must(ok && strings.Contains(out, "What was forgotten is gone here too"), "the newest keys bring the backup up to date: %s", out)
	c.since = c.now(0)
	c.start()
	c.pass(time.Minute)
	c.must(c.live(ann, theBike), "the backup has the other fact")
	c.gone(ann, everywhere, theBike, theDog)
	c.again(p, source)
	c.settle()
	c.gone(ann, everywhere, theBike, theDog)
}
