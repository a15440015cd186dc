package ledger

import (
	"context"
	"time"
)

// aheadFor is how far ahead a claimed slot is allowed to be: clocks are set by
// seconds every day.
const aheadFor = time.Minute

// Rewind takes back what was claimed while the machine's clock was ahead, so that
// the slots which are still to come are said when they come: the runs of those
// that have ended, the end of jobs that had nothing left, and the ids by which
// what was said is known. It does nothing unless the newest slot that a job has
// come to is more than a minute ahead of now. The clock calls it when it starts,
// and when its wall clock was set back.
func (l *Ledger) Rewind(ctx context.Context, now time.Time) error {
	newest, err := l.instant(ctx, "SELECT max(last_ms) FROM jobs")
	if err != nil || !newest.After(now.Add(aheadFor)) {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		for _, query := range []string{
			"DELETE FROM runs WHERE slot_ms > ? AND state NOT IN ('claimed', 'running')",
			`UPDATE jobs SET state = iif(state = 'finished', 'active', state), next_ms = iif(state = 'finished', last_ms, next_ms),
				last_ms = (SELECT max(slot_ms) FROM runs r WHERE r.owner = jobs.owner AND r.job = jobs.id AND by_hand = 0) WHERE last_ms > ?`,
			"UPDATE inbox SET external = external || ':' || seq WHERE received_ms > ? AND job IS NOT NULL",
		} {
			if _, err := t.exec(query, now.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}
