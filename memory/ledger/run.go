package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
)

// runsKept is how many runs of a job are kept.
const runsKept = 200

// errRunEnded is what a second end of a run gets.
var errRunEnded = nacre.Errorf(nacre.Conflict, "this run has ended already")

const runColumns = `job, owner, slot_ms, state, attempts, not_until_ms, began_ms, ended_ms, reason, by_hand,
	calls, input, output, cache_read, cache_write, cost, unpriced`

// putRun stores a run, unless its slot is taken.
func (t *tx) putRun(r nacre.Run) (added bool, err error) {
	n, err := t.count("INSERT INTO runs ("+runColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		r.Job, r.Owner, r.Slot.UnixMilli(), r.State, r.Attempts, notUntil(r), msOf(r.Began), t.endOf(r), r.Reason, r.ByHand,
		r.Used.Calls, r.Used.Input, r.Used.Output, r.Used.CacheRead, r.Used.CacheWrite, r.Used.Cost, r.Used.Unpriced)
	return n > 0, err
}

// notUntil is the earliest begin of a run, 0 for any time.
func notUntil(r nacre.Run) int64 {
	if r.NotUntil.IsZero() {
		return 0
	}
	return r.NotUntil.UnixMilli()
}

// endOf is when a run ended: now, unless it says otherwise; NULL if it did not.
func (t *tx) endOf(r nacre.Run) any {
	switch {
	case !r.State.Ended():
		return nil
	case r.Ended.IsZero():
		return t.nowMs
	}
	return r.Ended.UnixMilli()
}

// pruneRuns drops the oldest runs of a job that has more than are kept.
func (t *tx) pruneRuns(owner nacre.OwnerID, job nacre.JobID) error {
	_, err := t.exec(`DELETE FROM runs WHERE owner = ?1 AND job = ?2 AND state NOT IN ('claimed', 'running') AND slot_ms <=
		(SELECT slot_ms FROM runs WHERE owner = ?1 AND job = ?2 ORDER BY slot_ms DESC LIMIT 1 OFFSET ?3)`, owner, job, runsKept)
	return err
}

// ofRun is the condition for one run that has not ended.
const ofRun = " WHERE owner = ? AND job = ? AND slot_ms = ? AND state IN ('claimed', 'running')"

// Begin makes a run Running and counts the attempt. Conflict means that it has
// ended. The clock calls it right before the work.
func (l *Ledger) Begin(ctx context.Context, run nacre.Run) (nacre.Run, error) {
	var begun nacre.Run
	err := l.writer.do(ctx, func(t *tx) error {
		var r runRow
		err := t.row("UPDATE runs SET state = 'running', attempts = attempts + 1, began_ms = ?"+ofRun+" RETURNING "+runColumns,
			[]any{t.nowMs, run.Owner, run.Job, run.Slot.UnixMilli()}, r.into()...)
		if errors.Is(err, sql.ErrNoRows) {
			return errRunEnded
		}
		begun = r.run()
		return err
	})
	return begun, err
}

// End ends a run, or gives it back as Claimed to be tried again, and changes its
// job along with it, in one transaction with what is to be said, once for its Day.
// The run of a round is stored by it. A Quiet run that called no model leaves
// nothing. Of a job only the Failures are written, and that it is Disabled or
// Parked if it was active: what its owner decided meanwhile stays. Of a job that
// is gone nothing is said. Conflict means that the run has ended.
func (l *Ledger) End(ctx context.Context, e nacre.JobEnding) error {
	words, err := l.sealSaid(e.Say)
	if err != nil {
		return err
	}
	err = l.writer.do(ctx, func(t *tx) error {
		unsaid(e.Say)
		if err := t.endRun(e.Run); err != nil {
			return err
		}
		if err := t.settleJob(e.Run, e.Job); err != nil {
			return err
		}
		if wanted, err := t.wanted(e); err != nil || !wanted {
			return err
		}
		return l.say(t, e.Say, words)
	})
	if err == nil {
		l.rememberSaid(e.Say)
	}
	return err
}

// endRun writes what became of a run.
func (t *tx) endRun(r nacre.Run) error {
	if isRound(r.Job) {
		open := r
		open.State = nacre.Running
		if _, err := t.putRun(open); err != nil {
			return err
		}
	}
	n, err := t.leaveRun(r)
	if err == nil && n == 0 {
		err = errRunEnded
	}
	if err != nil {
		return err
	}
	return t.pruneRuns(r.Owner, r.Job)
}

// leaveRun leaves of a run what is worth to be kept.
func (t *tx) leaveRun(r nacre.Run) (int64, error) {
	if r.State == nacre.Quiet && r.Used.Calls == 0 {
		return t.count("DELETE FROM runs"+ofRun, r.Owner, r.Job, r.Slot.UnixMilli())
	}
	return t.count(`UPDATE runs SET state = ?, attempts = ?, not_until_ms = ?, ended_ms = ?, reason = ?,
		calls = ?, input = ?, output = ?, cache_read = ?, cache_write = ?, cost = ?, unpriced = ?`+ofRun,
		r.State, r.Attempts, notUntil(r), t.endOf(r), r.Reason, r.Used.Calls, r.Used.Input, r.Used.Output, r.Used.CacheRead, r.Used.CacheWrite,
		r.Used.Cost, r.Used.Unpriced, r.Owner, r.Job, r.Slot.UnixMilli())
}

func isRound(id nacre.JobID) bool {
	return id == nacre.RoundRepair || id == nacre.RoundReflect || id == nacre.RoundPromote || id == nacre.RoundStyle
}

// settleJob writes what a run has come to for its job.
func (t *tx) settleJob(r nacre.Run, job *nacre.Job) error {
	if job == nil {
		return nil
	}
	_, err := t.exec(`UPDATE jobs SET failures = ?1, state = iif(state = 'active' AND ?2 IN ('disabled', 'parked'), ?2, state)
		WHERE id = ?3 AND owner = ?4`, job.Failures, job.State, r.Job, r.Owner)
	return err
}

// wanted reports whether anybody still wants to hear what a run has to say, and
// did not hear such a thing on its day.
func (t *tx) wanted(e nacre.JobEnding) (wanted bool, err error) {
	if e.Say == nil || isRound(e.Run.Job) {
		return true, nil
	}
	err = t.row("SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ? AND owner = ?)", []any{e.Run.Job, e.Run.Owner}, &wanted)
	if err != nil || !wanted || e.Day == "" {
		return wanted, err
	}
	before, err := t.told(e.Run.Owner, "failed "+string(e.Run.Job), e.Day)
	return !before, err
}

// runRow is a run as it lies in the database.
type runRow struct {
	nacre.Run
	slotMs, notUntilMs, byHand int64
	beganMs, endedMs           sql.NullInt64
}

// into is where runColumns are scanned to.
func (r *runRow) into() []any {
	return []any{&r.Job, &r.Owner, &r.slotMs, &r.State, &r.Attempts, &r.notUntilMs, &r.beganMs, &r.endedMs, &r.Reason, &r.byHand,
		&r.Used.Calls, &r.Used.Input, &r.Used.Output, &r.Used.CacheRead, &r.Used.CacheWrite, &r.Used.Cost, &r.Used.Unpriced}
}

func (r *runRow) run() nacre.Run {
	run := r.Run
	run.ByHand = r.byHand != 0
	run.Slot, run.Began, run.Ended = timeOf(r.slotMs), maybeTime(r.beganMs), maybeTime(r.endedMs)
	if r.notUntilMs > 0 {
		run.NotUntil = timeOf(r.notUntilMs)
	}
	return run
}
