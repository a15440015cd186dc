package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"nacre"
)

// selectJob reads jobRows, with what is known of their sessions now. A job of which
// a cell is damaged, or whose session or owner is missing, is read nevertheless.
const selectJob = `SELECT j.id, j.number, j.owner, coalesce(s.id, ''), coalesce(o.operator <> 0, 0), coalesce(s.channel, ''), coalesce(s.chat, ''),
	coalesce(s.thread, ''), coalesce(s.private <> 0, 0), j.kind, j.state, j.schedule, j.made_ms, j.next_ms, j.last_ms, j.grace_ms, j.failures,
	j.may_plan <> 0, j.strange <> 0, j.chosen <> 0, max(j.record, 0), j.sealed
	FROM jobs j LEFT JOIN owners o ON o.id = j.owner LEFT JOIN sessions s ON s.id = j.session AND s.owner = o.id `

// jobRow is a job as it lies in the database.
type jobRow struct {
	nacre.Job
	schedule        string
	madeMs, graceMs int64
	nextMs, lastMs  sql.NullInt64
	words           sealed
}

// into is where selectJob is scanned to.
func (r *jobRow) into() []any {
	return []any{&r.ID, &r.Number, &r.Owner, &r.Session.ID, &r.Session.Operator, &r.Session.Chat.Channel, &r.Session.Chat.ID,
		&r.Session.Chat.Thread, &r.Session.Private, &r.Kind, &r.State, &r.schedule, &r.madeMs, &r.nextMs, &r.lastMs, &r.graceMs,
		&r.Failures, &r.MayPlan, &r.Strange, &r.Chosen, &r.words.record, &r.words.data}
}

// openJob makes the job of a row. What cannot be read of it is zero: nobody loses
// a job over that.
func (l *Ledger) openJob(r *jobRow) nacre.Job {
	job := r.Job
	job.Session.Owner = job.Owner
	job.Made, job.Next, job.Last = timeOf(r.madeMs), momentOf(r.nextMs), momentOf(r.lastMs)
	job.Grace = time.Duration(r.graceMs) * time.Millisecond
	if json.Unmarshal([]byte(r.schedule), &job.Schedule) != nil {
		job.Schedule = nacre.Schedule{}
	}
	var content jobContent
	if l.unseal(job.Owner, "jobs", 0, r.words, &content) == nil {
		job.Text = content.Text
	}
	return job
}

// msOf is an instant as a column takes it; NULL for the zero time.
func msOf(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// maybeTime reads what msOf wrote.
func maybeTime(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return timeOf(ms.Int64)
}

// momentOf is maybeTime, but zero for what no calendar has, as a damaged cell may
// say.
func momentOf(ms sql.NullInt64) time.Time {
	t := maybeTime(ms)
	if year := t.Year(); year < 1 || year > 9999 {
		return time.Time{}
	}
	return t
}

// stillIs reports whether a job is stored as it was read.
func (l *Ledger) stillIs(t *tx, was nacre.Job) (bool, error) {
	var r jobRow
	err := t.row(selectJob+"WHERE j.id = ? AND j.owner = ?", []any{was.ID, was.Owner}, r.into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil && sameJob(l.openJob(&r), was), err
}

// sameJob compares jobs to the millisecond, to which they are stored.
func sameJob(a, b nacre.Job) bool {
	if !sameSchedule(a.Schedule, b.Schedule) || !sameMs(a.Made, b.Made) || !sameMs(a.Next, b.Next) || !sameMs(a.Last, b.Last) {
		return false
	}
	a.Schedule, a.Made, a.Next, a.Last = b.Schedule, b.Made, b.Next, b.Last
	a.Grace, b.Grace = a.Grace.Truncate(time.Millisecond), b.Grace.Truncate(time.Millisecond)
	return a == b
}

func sameMs(a, b time.Time) bool { return a.UnixMilli() == b.UnixMilli() }

func sameSchedule(a, b nacre.Schedule) bool {
	same := a.At.Equal(b.At)
	a.At = b.At
	return same && a == b
}

// Job reads one job; NotFound if the owner has none of that id.
func (l *Ledger) Job(ctx context.Context, owner nacre.OwnerID, id nacre.JobID) (nacre.Job, error) {
	list, err := l.jobs(ctx, selectJob+"WHERE j.id = ? AND j.owner = ?", id, owner)
	if err == nil && len(list) == 0 {
		err = errNoJob
	}
	if err != nil {
		return nacre.Job{}, err
	}
	return list[0], nil
}

// Jobs lists the jobs of an owner by Number.
func (l *Ledger) Jobs(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error) {
	return l.jobs(ctx, selectJob+"WHERE j.owner = ? ORDER BY j.number", owner)
}

// JobsLeft lists the jobs of an owner that are not finished, by Number. Whoever
// makes a job looks there for the same one.
func (l *Ledger) JobsLeft(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error) {
	return l.jobs(ctx, selectJob+"WHERE j.owner = ? AND j.state <> 'finished' ORDER BY j.number", owner)
}

// Active lists the active jobs of all owners. The clock calls it when it starts.
func (l *Ledger) Active(ctx context.Context) ([]nacre.Job, error) {
	return l.jobs(ctx, selectJob+"WHERE j.state = 'active'")
}

// Parked lists the parked jobs of all owners. The clock calls it to find those that
// can go on.
func (l *Ledger) Parked(ctx context.Context) ([]nacre.Job, error) {
	return l.jobs(ctx, selectJob+"WHERE j.state = 'parked'")
}

// Due lists active jobs whose Next has come, the longest due first. The clock
// calls it, and then Claim.
func (l *Ledger) Due(ctx context.Context, now time.Time, most int) ([]nacre.Job, error) {
	return l.jobs(ctx, selectJob+"WHERE j.state = 'active' AND j.next_ms IS NOT NULL AND j.next_ms <= ? ORDER BY j.next_ms LIMIT ?", now.UnixMilli(), most)
}

func (l *Ledger) jobs(ctx context.Context, query string, args ...any) ([]nacre.Job, error) {
	rows, err := l.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Job
	for rows.Next() {
		var r jobRow
		if err := rows.Scan(r.into()...); err != nil {
			return nil, explain(err)
		}
		list = append(list, l.openJob(&r))
	}
	return list, explain(rows.Err())
}

// NextDue is when the next active job is due; zero for never.
func (l *Ledger) NextDue(ctx context.Context) (time.Time, error) {
	return l.instant(ctx, "SELECT min(next_ms) FROM jobs WHERE state = 'active' AND next_ms IS NOT NULL")
}

// instant reads the one moment that a query is about; zero for none.
func (l *Ledger) instant(ctx context.Context, query string) (time.Time, error) {
	var ms sql.NullInt64
	err := l.row(ctx, query, nil, &ms)
	return maybeTime(ms), err
}
