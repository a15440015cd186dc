package ledger

import (
	"context"
	"encoding/json"
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"nacre"
)

// jobContent is the sealed part of a job.
type jobContent struct {
	Text string `json:"t"`
}

var (
	errJobChanged = nacre.Errorf(nacre.Conflict, "this job was changed at the same moment; look again, and repeat what you wanted")
	errNoJob      = nacre.Errorf(nacre.NotFound, "There is no such job.")
	errHeartbeat  = nacre.Errorf(nacre.Conflict, "there is a heartbeat already; change that one")
)

// PutJob stores a new job and returns it with its Number. A second heartbeat of an
// owner is a Conflict.
func (l *Ledger) PutJob(ctx context.Context, job nacre.Job) (nacre.Job, error) {
	words, err := l.seal(job.Owner, "jobs", 0, jobContent{job.Text})
	if err != nil {
		return job, err
	}
	schedule, err := json.Marshal(job.Schedule)
	if err != nil {
		return job, err
	}
	err = l.writer.do(ctx, func(t *tx) error {
		if job.Number, err = t.nextNumber(job.Owner); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO jobs (id, owner, number, session, kind, state, schedule, made_ms, next_ms, last_ms, grace_ms, failures, may_plan, strange, chosen, record, sealed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, job.ID, job.Owner, job.Number, job.Session.ID, job.Kind, job.State, string(schedule),
			job.Made.UnixMilli(), msOf(job.Next), msOf(job.Last), job.Grace.Milliseconds(), job.Failures, job.MayPlan, job.Strange, job.Chosen, words.record, words.data)
		if job.Kind == nacre.Heartbeat && isConstraint(err, lib.SQLITE_CONSTRAINT_UNIQUE) {
			return errHeartbeat
		}
		return err
	})
	return job, err
}

// nextNumber is the number of an owner's new job.
func (t *tx) nextNumber(owner nacre.OwnerID) (n int, err error) {
	err = t.row("INSERT INTO job_numbers (owner, number) VALUES (?, 1) ON CONFLICT (owner) DO UPDATE SET number = number + 1 RETURNING number",
		[]any{owner}, &n)
	return n, err
}

// isConstraint reports whether the database refused a row for what is in it: of
// one code, or of any for SQLITE_CONSTRAINT.
func isConstraint(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == code || code == lib.SQLITE_CONSTRAINT && e.Code()&0xff == code)
}

// ChangeJob puts job in the place of was, but for its Owner, Session, Number and
// Made, which stay, and notes runs that will not be because of that. It is a
// Conflict if the job is not what it was any more. A Text and a Schedule that are
// the same in both stay as they are stored, which may be unreadable.
func (l *Ledger) ChangeJob(ctx context.Context, was, job nacre.Job, missed ...nacre.Run) error {
	words, err := l.reworded(&was, &job)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		same, err := l.stillIs(t, was)
		if err == nil && !same {
			err = errJobChanged
		}
		if err != nil {
			return err
		}
		if err := t.moveJob(was, job, words); err != nil {
			return err
		}
		_, err = t.takeSlots(was, missed)
		return err
	})
}

// reworded seals the Text of a job that is another than it was; nothing otherwise.
func (l *Ledger) reworded(was, job *nacre.Job) (sealed, error) {
	if job.Text == was.Text {
		return sealed{}, nil
	}
	return l.seal(was.Owner, "jobs", 0, jobContent{job.Text})
}

// moveJob writes what has become of a job.
func (t *tx) moveJob(was, job nacre.Job, words sealed) error {
	var schedule, record, data any
	if !sameSchedule(was.Schedule, job.Schedule) {
		text, err := json.Marshal(job.Schedule)
		if err != nil {
			return err
		}
		schedule = string(text)
	}
	if words.data != nil {
		record, data = words.record, words.data
		if err := t.replace("jobs", "id = ?", was.ID); err != nil {
			return err
		}
	}
	_, err := t.exec(`UPDATE jobs SET kind = ?, state = ?, schedule = coalesce(?, schedule), next_ms = ?, last_ms = ?, grace_ms = ?,
		failures = ?, may_plan = ?, strange = ?, chosen = ?, record = coalesce(?, record), sealed = coalesce(?, sealed) WHERE id = ? AND owner = ?`,
		job.Kind, job.State, schedule, msOf(job.Next), msOf(job.Last), job.Grace.Milliseconds(),
		job.Failures, job.MayPlan, job.Strange, job.Chosen, record, data, was.ID, was.Owner)
	return err
}

// DropJob removes a job with its words; its runs stay. NotFound if there is none.
func (l *Ledger) DropJob(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) error {
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("jobs", "id = ?", id); err != nil {
			return err
		}
		n, err := t.count("DELETE FROM jobs WHERE id = ? AND owner = ?", id, owner)
		if err == nil && n == 0 {
			err = errNoJob
		}
		return err
	})
}
