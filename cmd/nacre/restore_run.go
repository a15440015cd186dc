package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"nacre"
	"nacre/configs"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/vault"
)

// restoration is what came back, and what is made of it.
type restoration struct {
	ledger.Restored
	notes, jobs int
}

// restore restores into the data directory of a configuration, with what lies beside the
// database: owners' files, and notes anew.
func (r restoreCommand) restore(ctx context.Context, cfg *configs.Config, snapshot string, bundle []byte) (back restoration, err error) {
	place := r.place(cfg)
	if back.Restored, err = ledger.Restore(ctx, place, snapshot, bundle); err != nil {
		return back, err
	}
	if back.notes, back.jobs, err = unpack(ctx, cfg); err != nil {
		return back, fmt.Errorf("the database is restored, but not everything beside it: %w", err)
	}
	return back, nil
}

func (r restoreCommand) place(cfg *configs.Config) ledger.Options {
	o := ledger.Options{Dir: cfg.Data, Keys: cfg.Keys, Zone: cfg.Zone, Older: r.Older}
	if master := cfg.MasterKey.Reveal(); master != "" {
		o.Master = []byte(master)
	}
	return o
}

// unpack makes what lies beside a restored database, and counts notes and jobs.
func unpack(ctx context.Context, cfg *configs.Config) (notes, plans int, err error) {
	log := slog.New(slog.DiscardHandler)
	o, err := reach(ctx, cfg, log, false)
	if err != nil {
		return 0, 0, err
	}
	a, err := build(ctx, cfg, log, o)
	if err != nil {
		return 0, 0, err
	}
	defer a.ledger.Close()
	if err := a.library.Resume(ctx); err != nil {
		return 0, 0, err
	}
	owners, err := a.ownerIDs(ctx)
	for _, owner := range owners {
		st, stateErr := a.library.Book(owner).State(ctx)
		list, jobsErr := a.board.Jobs(ctx, owner)
		err = errors.Join(err, a.backups.unpackFiles(ctx, owner), stateErr, jobsErr)
		if plans += len(list); stateErr == nil {
			notes += len(st.Select(memory.Query{Everywhere: true, Hidden: true}))
		}
	}
	return notes, plans, err
}

// rehearse restores into a directory of its own, compares that with the checkpoint, and
// removes it again.
func (r restoreCommand) rehearse(ctx context.Context, cfg configs.Config, snapshot string, bundle []byte) (back restoration, err error) {
	dir, err := os.MkdirTemp("", "nacre-rehearsal-")
	if err != nil {
		return back, nacre.Errorf(nacre.Transient, "there is no room for a rehearsal (%w); set TMPDIR to where there is", err)
	}
	defer os.RemoveAll(dir)
	present := cfg.Keys
	cfg.Data, cfg.Keys = dir, filepath.Join(dir, "keys.nacre")
	defer wipe(cfg.Keys)
	if bundle == nil {
		if err := vault.Copy(present, cfg.Keys); err != nil {
			return back, err
		}
	}
	if back, err = r.restore(ctx, &cfg, snapshot, bundle); err != nil {
		return back, err
	}
	return back, r.fresh(ctx, &cfg, back.Leaves)
}

// wipe leaves nothing of the keys of a rehearsal.
func wipe(path string) {
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		defer f.Close()
		if st, err := f.Stat(); err == nil {
			f.WriteAt(make([]byte, st.Size()), 0)
			f.Sync()
		}
	}
}

// fresh compares what was restored with a checkpoint: a log that is shorter than one of
// which the owner was told lacks what happened since, as do keys that are as old. Leaves
// is how long the log was of which backup and keys know.
func (r restoreCommand) fresh(ctx context.Context, cfg *configs.Config, leaves int64) error {
	if r.Checkpoint == "" || r.Older {
		return nil
	}
	signed, err := readCheckpoint(r.Checkpoint)
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, r.place(cfg))
	if err != nil {
		return err
	}
	c, err := l.OpenCheckpoint([]byte(signed))
	if err := errors.Join(err, l.Close()); err != nil {
		return err
	}
	if c.Size <= leaves {
		return nil
	}
	return nacre.Errorf(nacre.Denied, "the backup and its keys are older than the checkpoint: the log of memory had %d entries then, and they know of %d, so that what was forgotten in between could be read again; take newer ones, or allow it with --older. Nothing was restored", c.Size, leaves)
}

// receipt tells what came back.
func (c call) receipt(r restoration, did string) error {
	text := fmt.Sprintf("%s %s: %s of %s, %s and %s.\n", did, r.Path, number(r.Counts.Messages, "message", "messages"),
		number(r.Owners, "owner", "owners"), number(r.notes, "note", "notes"), number(r.jobs, "job", "jobs"))
	bundled := r.Bundled.Local().Format("2006-01-02 15:04")
	switch {
	case r.Bundled.IsZero():
		text += "The key file that was there opens it.\n"
	case r.Replayed > 0:
		text += fmt.Sprintf("The key bundle is of %s. Done again, since it came after the snapshot: %s. What was forgotten is gone here too, and is not learned again.\n",
			bundled, number(r.Replayed, "forgetting", "forgettings"))
	default:
		text += "The key bundle is of " + bundled + ". It knows of nothing that was forgotten after the snapshot.\n"
	}
	if r.Report.OK() {
		text += "The log of memory was checked, and is whole.\n"
	} else {
		text += "The log of memory is NOT whole; nacre verify says more:\n"
	}
	for _, f := range r.Report.Findings {
		text += fmt.Sprintf("  %s\n", f)
	}
	_, err := io.WriteString(c.out, text)
	return err
}
