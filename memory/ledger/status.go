package ledger

import (
	"context"
	"time"

	"nacre"
)

// Counts is how much waits, for status.
type Counts struct {
	Owners   int
	Messages int // put in the inbox ever, by people and by jobs; without what was said elsewhere
	Pending  int // not answered yet
	Waiting  int // parts not delivered yet
	Oldest   time.Time
	Dead     int
}

// Counts reads the numbers that status shows.
func (l *Ledger) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	var oldestMs int64
	err := l.reading.QueryRowContext(ctx, `SELECT (SELECT count(DISTINCT owner) FROM addresses), 
		(SELECT coalesce(max(seq), 0) FROM inbox) - (SELECT count(*) FROM inbox WHERE `+isElsewhere+`),
		(SELECT count(*) FROM inbox WHERE state = 0 AND quiet = 0), (SELECT count(*) FROM outbox WHERE state < 2),
		(SELECT coalesce(min(created_ms), 0) FROM outbox WHERE state < 2), (SELECT count(*) FROM outbox WHERE state = 3)`).
		Scan(&c.Owners, &c.Messages, &c.Pending, &c.Waiting, &oldestMs, &c.Dead)
	if oldestMs > 0 {
		c.Oldest = timeOf(oldestMs)
	}
	return c, explain(err)
}

// DeadLetter is a delivery that was given up.
type DeadLetter struct {
	ID     nacre.DeliveryID
	Chat   nacre.Chat
	Reason string
	At     time.Time
}

// DeadLetters lists the newest deliveries that were given up.
func (l *Ledger) DeadLetters(ctx context.Context, most int) ([]DeadLetter, error) {
	rows, err := l.reading.QueryContext(ctx, `SELECT id, channel, chat, thread, coalesce(reason, ''), coalesce(settled_ms, 0)
		FROM outbox WHERE state = 3 ORDER BY seq DESC LIMIT ?`, most)
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	var list []DeadLetter
	for rows.Next() {
		var d DeadLetter
		var ms int64
		if err := rows.Scan(&d.ID, &d.Chat.Channel, &d.Chat.ID, &d.Chat.Thread, &d.Reason, &ms); err != nil {
			return nil, explain(err)
		}
		d.At = timeOf(ms)
		list = append(list, d)
	}
	return list, explain(rows.Err())
}

// JobStates counts jobs by their state.
func (l *Ledger) JobStates(ctx context.Context) (map[nacre.JobState]int, error) {
	rows, err := l.query(ctx, "SELECT state, count(*) FROM jobs GROUP BY state")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	states := map[nacre.JobState]int{}
	for rows.Next() {
		var state nacre.JobState
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			return nil, explain(err)
		}
		states[state] = n
	}
	return states, explain(rows.Err())
}
