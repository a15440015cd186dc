package ledger

import (
	"context"
	"errors"
	"slices"

	lib "modernc.org/sqlite/lib"

	"nacre"
)

// claiming is a claim on its way into the database.
type claiming struct {
	nacre.JobClaim
	words sealed // of what it says
	taken bool
	fault error // why it cannot be written
}

// Claim carries claims out in one transaction and reports which of them were
// taken. One whose job changed since it was read is not. Neither is one that
// cannot be written, which keeps none of the others back; its error is returned
// beside only if nothing at all was taken. What is said has its Session and Seq filled in
// then; a Seq of 0 means that it is not said. The clock calls it.
func (l *Ledger) Claim(ctx context.Context, claims []nacre.JobClaim) ([]bool, error) {
	list := make([]claiming, len(claims))
	for i, c := range claims {
		list[i].JobClaim = c
		list[i].words, list[i].fault = l.sealSaid(c.Say)
		if nacre.KindOf(list[i].fault) == nacre.Transient { // no fault of the claim
			return nil, list[i].fault
		}
	}
	err := l.writer.do(ctx, func(t *tx) error {
		for i := range list {
			if err := l.tryClaim(t, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l.taken(list)
}

// taken is what came of claims.
func (l *Ledger) taken(list []claiming) ([]bool, error) {
	taken, faults := make([]bool, len(list)), make([]error, len(list))
	for i, c := range list {
		taken[i], faults[i] = c.taken, c.fault
		l.rememberSaid(c.Say)
	}
	if slices.Contains(taken, true) {
		return taken, nil
	}
	return taken, explain(errors.Join(faults...))
}

// tryClaim carries one claim out, or leaves nothing of it. Its error is of the
// database as a whole.
func (l *Ledger) tryClaim(t *tx, c *claiming) (err error) {
	unsaid(c.Say)
	if c.Say != nil && c.words.data == nil {
		return nil // there is no key to seal it with
	}
	c.fault, err = t.apart(func() error {
		c.taken, err = l.claim(t, c)
		return err
	})
	if c.fault != nil {
		c.taken = false
		unsaid(c.Say)
	}
	return err
}

// apart runs a part of a transaction that is undone alone if the database refuses
// what it writes; refusal says so then.
func (t *tx) apart(run func() error) (refusal, err error) {
	if _, err := t.exec("SAVEPOINT apart"); err != nil {
		return nil, err
	}
	if err = run(); isConstraint(err, lib.SQLITE_CONSTRAINT) {
		refusal = err
		_, err = t.exec("ROLLBACK TO apart")
	}
	if err == nil {
		_, err = t.exec("RELEASE apart")
	}
	return refusal, err
}

// claim takes the slots of a claim; false if the job is not what it was.
func (l *Ledger) claim(t *tx, c *claiming) (bool, error) {
	same, err := l.stillIs(t, c.Was)
	if err != nil || !same {
		return false, err
	}
	if err := t.moveJob(c.Was, c.Job, sealed{}); err != nil {
		return false, err
	}
	fresh, err := t.takeSlots(c.Was, c.Runs)
	if err == nil && fresh {
		err = l.say(t, c.Say, c.words)
	}
	return true, err
}

// takeSlots stores the runs of a claim, of which the first is the one that it
// speaks of. It returns false if that was stored already.
func (t *tx) takeSlots(job nacre.Job, runs []nacre.Run) (fresh bool, err error) {
	fresh = true
	for i, run := range runs {
		run.Job, run.Owner = job.ID, job.Owner
		added, err := t.putRun(run)
		if err != nil {
			return false, err
		}
		if i == 0 {
			fresh = added
		}
	}
	return fresh, t.pruneRuns(job.Owner, job.ID)
}
