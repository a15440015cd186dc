package main

import (
	"cmp"
	"context"
	"time"

	"nacre/web"
)

// choreSlack is how much earlier than due a backup is made, since the chores come once
// an hour, some seconds apart.
const choreSlack = 10 * time.Minute

// whenDue makes the key bundle anew, so that it does not stay older than what was
// forgotten or rejected since, and a backup if the newest is old enough. A chore calls it
// every hour. The operator hears of trouble once, until it is over.
func (k *keeper) whenDue(ctx context.Context) error {
	err := cmp.Or(k.renewKeys(ctx), k.makeDue(ctx))
	if ctx.Err() == nil {
		k.tellTrouble(ctx, err)
	}
	return err
}

// renewKeys makes the key bundle anew if there is one.
func (k *keeper) renewKeys(ctx context.Context) error {
	if k.set.KeysAt().IsZero() {
		return nil
	}
	_, err := k.putKeys(ctx, k.set)
	return err
}

func (k *keeper) makeDue(ctx context.Context) error {
	due, err := k.due()
	if err == nil && due {
		_, err = k.Make(ctx, web.BackupOrder{})
	}
	return err
}

// due reports whether it is time for a backup. One from the future, as a clock that was
// wrong leaves it, postpones none.
func (k *keeper) due() (bool, error) {
	every := k.app.cfg.Backup.Every
	list, err := k.set.Snapshots()
	if every == 0 || err != nil {
		return false, err
	}
	now := time.Now()
	for _, s := range list {
		if !s.At.After(now) && now.Sub(s.At) < every-choreSlack {
			return false, nil
		}
	}
	return true, nil
}

// How backups are, as the ledger notes it of the operator, so that a restart repeats
// nothing.
const (
	backupsWell = "well"
	backupsFail = "failing"
)

// tellTrouble tells the operator that no backup can be made, once in each stretch of
// trouble. That it is over stands in the log alone.
func (k *keeper) tellTrouble(ctx context.Context, trouble error) {
	a, how := k.app, backupsWell
	if trouble != nil {
		how = backupsFail
	}
	before, err := a.ledger.Told(ctx, a.operator, "backup", how)
	switch {
	case err != nil:
		a.log.Error("it could not be noted how backups are", "err", err)
	case before:
	case trouble != nil:
		a.tell(ctx, a.operator, "I could not make a backup: "+trouble.Error()+". I try again every hour, and nacre doctor says more.")
	default:
		a.log.Info("backups are well")
	}
}
