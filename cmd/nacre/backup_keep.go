package main

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"nacre"
	"nacre/memory/backup"
	"nacre/web"
)

// keeper makes the backups of an app. It is a web.Backups.
type keeper struct {
	app *app
	set backup.Set

	making sync.Mutex // held while a snapshot is made; never taken under mu
	mu     sync.Mutex // held while the key bundle is written
	stale  bool       // the one of set could not be; guarded by mu
}

func (a *app) wireBackups() {
	a.backups = &keeper{app: a, set: backup.Set{Dir: a.cfg.Backup.Dir}}
}

// Backups implements web.Desk.
func (a *app) Backups() web.Backups { return a.backups }

// List implements web.Backups.
func (k *keeper) List(ctx context.Context) (web.BackupList, error) {
	found, err := k.set.Snapshots()
	if err != nil {
		return web.BackupList{}, err
	}
	recipient, err := k.app.ledger.Recovery(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	list := web.BackupList{Dir: k.set.Dir, Recipient: recipient, Keys: k.set.KeysAt(), Stale: k.stale, Snapshots: make([]web.Backup, len(found))}
	for i, s := range found {
		list.Snapshots[i] = web.Backup{Path: s.Path, At: s.At, Bytes: s.Bytes}
	}
	return list, err
}

// Make implements web.Backups.
func (k *keeper) Make(ctx context.Context, o web.BackupOrder) (made web.Backup, err error) {
	k.making.Lock()
	defer k.making.Unlock()
	set := k.set
	if o.To != "" {
		set.Dir = o.To
	}
	if !filepath.IsAbs(set.Dir) {
		return made, nacre.Errorf(nacre.Invalid, "%s is no place to back up to; name a directory from the root on", set.Dir)
	}
	if err := set.Make(); err != nil {
		return made, err
	}
	if err := k.storeFiles(ctx); err != nil {
		return made, err
	}
	s, err := k.app.ledger.Snapshot(ctx, set.Path(time.Now()))
	if err != nil {
		return made, err
	}
	made = web.Backup{Path: s.Path, At: s.At, Bytes: s.Bytes, Messages: s.Messages, Changes: s.Ops}
	if made.Keys, err = k.putKeys(ctx, set); err == nil && o.To == "" {
		made.Deleted, err = set.Keep(k.app.cfg.Backup.Keep)
	}
	k.app.log.Info("a backup was made", "bytes", s.Bytes, "keys", made.Keys, "deleted", made.Deleted)
	return made, err
}

// SetRecovery implements web.Backups.
func (k *keeper) SetRecovery(ctx context.Context, r web.Recovery) error {
	if err := backup.CheckRecipient(r.Recipient); err != nil {
		return err
	}
	if err := k.set.Make(); err != nil {
		return err
	}
	was, err := k.app.ledger.Recovery(ctx)
	if err != nil {
		return err
	}
	if err := k.app.ledger.SetRecovery(ctx, r.Recipient, r.Replace); err != nil {
		return err
	}
	if _, err = k.putKeys(ctx, k.set); err != nil {
		// Nobody is shown the new secret, so the key must not hold.
		err = errors.Join(err, k.app.ledger.SetRecovery(ctx, was, true))
	}
	return err
}

// putKeys makes the key bundle of a set anew, and reports whether there is a recovery key, without
// which there is none. A snapshot that is being made does not hold it up, since whoever
// forgets something waits for it.
func (k *keeper) putKeys(ctx context.Context, set backup.Set) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	recipient, err := k.app.ledger.Recovery(ctx)
	if err != nil || recipient == "" {
		return false, err
	}
	bundle, err := k.app.ledger.Bundle(ctx)
	if err != nil {
		return false, err
	}
	err = set.PutKeys(bundle, recipient)
	if set == k.set {
		k.stale = err != nil
	}
	return true, err
}

// keysWait is what a receipt says while the key bundle could not be made anew. The page
// knows it in other languages.
const keysWait = "the key bundle beside the backups still opens what older ones hold of it; it is made anew within an hour, if it can be written"

// forgotten makes the key bundle anew after a forgetting, since the one before still
// opens what is gone. It returns what the receipt says of it.
func (k *keeper) forgotten(ctx context.Context) (pending []string) {
	if _, err := k.putKeys(ctx, k.set); err != nil {
		k.app.log.Error("the key bundle could not be made anew after a forgetting; it is tried again every hour", "err", err)
		return []string{keysWait}
	}
	return nil
}

// checkpoint signs one of the audit log, for somebody to keep. The key bundle is made
// anew behind it, so that a restore with the newest bundle is never taken for an older
// one because of what was only learned in between.
func (k *keeper) checkpoint(ctx context.Context) ([]byte, error) {
	signed, err := k.app.ledger.SignedCheckpoint(ctx)
	if err == nil {
		if err := k.renewKeys(ctx); err != nil {
			k.app.log.Warn("the key bundle knows less than a checkpoint; it is made anew within an hour", "err", err)
		}
	}
	return signed, err
}
