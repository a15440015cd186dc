package main

import (
	"fmt"
	"io"

	"nacre"
	"nacre/memory/backup"
	"nacre/memory/ledger"
	"nacre/web"
)

type backupCommand struct {
	Now   backupNow   `cmd:"" default:"withargs" help:"Make one now (the default)."`
	Key   backupKey   `cmd:"" help:"Make the recovery key, without which a lost disk takes the keys along."`
	List  backupList  `cmd:"" help:"List what there is."`
	Check backupCheck `cmd:"" help:"Check a snapshot from the first page to the last."`
}

type backupNow struct {
	To string `help:"Put it there instead, such as on a disk that is kept elsewhere." placeholder:"DIR" type:"path"`
}

// Run makes a backup.
func (b backupNow) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		made, err := d.Backups().Make(c.ctx, web.BackupOrder{To: b.To})
		if err != nil {
			return err
		}
		_, err = io.WriteString(c.out, backupText(made, b.To != ""))
		return err
	})
}

// backupText is what was made, and what to do with it.
func backupText(b web.Backup, elsewhere bool) string {
	text := fmt.Sprintf("Made and checked %s: %s, with %s and %s of memory.\n", b.Path, size(uint64(b.Bytes)),
		number(int(b.Messages), "message", "messages"), number(int(b.Changes), "change", "changes"))
	if b.Deleted > 0 {
		text += fmt.Sprintf("Deleted %s.\n", number(b.Deleted, "older one", "older ones"))
	}
	switch {
	case !b.Keys:
		text += "It holds no key, so it can be restored only as long as the key file is there. Make a recovery key once: nacre backup key\n"
	case elsewhere:
		text += "The key bundle, keys.age beside it, was made too. Here nobody makes it anew when something is forgotten, so do that yourself, with this command: an old one opens what was forgotten since.\n"
	default:
		text += "The key bundle, keys.age beside it, was made anew. Where you keep a copy of it, overwrite that: an old one opens what was forgotten since.\n"
	}
	return text
}

type backupKey struct {
	Replace bool `help:"Put another in the place of the one that there is."`
}

// Run makes the recovery key. Its secret is shown once and kept nowhere.
func (k backupKey) Run(c call) error {
	secret, recipient, err := backup.NewRecovery()
	if err != nil {
		return err
	}
	return c.atDesk(func(d web.Desk) error {
		if err := d.Backups().SetRecovery(c.ctx, web.Recovery{Recipient: recipient, Replace: k.Replace}); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.out, "This is your recovery key. Nacre does not keep it, and shows it never again:\n\n%s\n\n"+
			"Write it down or put it into a password manager, away from this machine. It opens\n"+
			"keys.age, which lies with the backups and opens them. Who has all three can read\n"+
			"everything; without the recovery key nobody can, not even you.\n", secret)
		return err
	})
}

type backupList struct {
	JSON bool `help:"Print it as JSON."`
}

// Run lists the backups.
func (b backupList) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		list, err := d.Backups().List(c.ctx)
		if err != nil {
			return err
		}
		if b.JSON {
			return c.printJSON(list)
		}
		fmt.Fprintf(c.out, "In %s: %s\n", list.Dir, number(len(list.Snapshots), "snapshot", "snapshots"))
		for _, s := range list.Snapshots {
			fmt.Fprintf(c.out, "  %s  %8s  %s\n", s.At.Local().Format("2006-01-02 15:04"), size(uint64(s.Bytes)), s.Path)
		}
		_, err = fmt.Fprintln(c.out, keyWords(list))
		return err
	})
}

// keyWords tells of the key bundle.
func keyWords(list web.BackupList) string {
	at := list.Keys.Local().Format("2006-01-02 15:04")
	switch {
	case list.Recipient == "":
		return "No recovery key: they can be restored only as long as the key file is there. Make one with nacre backup key"
	case list.Keys.IsZero():
		return "The key bundle is missing; nacre backup makes it anew."
	case list.Stale:
		return "The key bundle is of " + at + " and could not be made anew since; nacre backup tries it, and says what is wrong."
	}
	return "The key bundle is of " + at + ", for the recovery key " + list.Recipient
}

type backupCheck struct {
	Snapshot string `arg:"" optional:"" help:"The newest, if left out."`
}

// Run checks a snapshot. It needs no server and no key.
func (b backupCheck) Run(c call) error {
	if b.Snapshot == "" {
		cfg, err := c.config()
		if err != nil {
			return err
		}
		if b.Snapshot, err = newestIn(cfg.Backup.Dir); err != nil {
			return err
		}
	}
	s, err := ledger.CheckSnapshot(c.ctx, b.Snapshot)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s is whole: %s, with %s and %s of memory.\n", s.Path, size(uint64(s.Bytes)),
		number(int(s.Messages), "message", "messages"), number(int(s.Ops), "change", "changes"))
	return err
}

// newestIn is the newest snapshot of a directory.
func newestIn(dir string) (string, error) {
	list, err := (backup.Set{Dir: dir}).Snapshots()
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", nacre.Errorf(nacre.NotFound, "there is no backup in %s; make one with nacre backup, or name its directory", dir)
	}
	return list[0].Path, nil
}
