package ledger

import (
	"context"
	"time"

	"nacre"
)

// Open lists the runs that have not ended, oldest slot first. The clock calls it
// at the start, and when it looks for what is to be tried again.
func (l *Ledger) Open(ctx context.Context) ([]nacre.Run, error) {
	return l.runs(ctx, "WHERE state IN ('claimed', 'running') ORDER BY slot_ms")
}

// Runs lists the newest runs of a job or a round, or all of an owner for an empty
// job; newest first.
func (l *Ledger) Runs(ctx context.Context, owner nacre.OwnerID, job nacre.JobID, most int) ([]nacre.Run, error) {
	if job == "" {
		return l.runs(ctx, "WHERE owner = ? ORDER BY slot_ms DESC LIMIT ?", owner, most)
	}
	return l.runs(ctx, "WHERE owner = ? AND job = ? ORDER BY slot_ms DESC LIMIT ?", owner, job, most)
}

func (l *Ledger) runs(ctx context.Context, which string, args ...any) ([]nacre.Run, error) {
	rows, err := l.query(ctx, "SELECT "+runColumns+" FROM runs "+which, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Run
	for rows.Next() {
		var r runRow
		if err := rows.Scan(r.into()...); err != nil {
			return nil, explain(err)
		}
		list = append(list, r.run())
	}
	return list, explain(rows.Err())
}

// Spent sums what the runs of a job used whose slots are at or after an instant,
// and counts those that said something.
func (l *Ledger) Spent(ctx context.Context, job nacre.JobID, since time.Time) (used nacre.Usage, said int, err error) {
	err = l.row(ctx, `SELECT coalesce(sum(calls), 0), coalesce(sum(input), 0), coalesce(sum(output), 0), coalesce(sum(cache_read), 0),
		coalesce(sum(cache_write), 0), coalesce(sum(cost), 0), coalesce(sum(unpriced), 0), count(*) FILTER (WHERE state = 'done')
		FROM runs WHERE owner = (SELECT owner FROM jobs WHERE id = ?1) AND job = ?1 AND slot_ms >= ?2`, []any{job, since.UnixMilli()},
		&used.Calls, &used.Input, &used.Output, &used.CacheRead, &used.CacheWrite, &used.Cost, &used.Unpriced, &said)
	return used, said, err
}

// ClearJobs removes jobs that are finished since before an instant, and runs from
// before it of jobs that are gone. A daily chore calls it.
func (l *Ledger) ClearJobs(ctx context.Context, before time.Time) error {
	const over = " FROM jobs WHERE state = 'finished' AND last_ms < ?"
	return l.writer.do(ctx, func(t *tx) error {
		for _, query := range []string{
			"INSERT INTO replaced (owner, record) SELECT owner, record" + over + " AND record > 0 ON CONFLICT DO NOTHING",
			"DELETE" + over,
			`DELETE FROM runs WHERE slot_ms < ? AND state NOT IN ('claimed', 'running') AND job NOT IN ('repair', 'reflect', 'promote', 'style')
				AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = runs.job)`,
		} {
			if _, err := t.exec(query, before.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}
