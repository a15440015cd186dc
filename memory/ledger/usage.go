package ledger

import (
	"context"
	"maps"
	"sync"
	"time"

	"nacre"
)

// lagOfUsage is how long counted usage may wait for a transaction to ride on.
const lagOfUsage = 2 * time.Second

// tally is usage on its way into the database. It rides along with whatever is
// committed next, so that counting costs no sync of its own.
type tally struct {
	zone  *time.Location
	flush func() // commits something

	// whole is held while what rides along moves into the database, so that a
	// reader finds each call in one of the two places.
	whole sync.RWMutex

	mu      sync.Mutex
	waiting map[usageKey]nacre.Usage // guarded by mu
	riding  map[usageKey]nacre.Usage // guarded by mu; in the transaction that is being written
	timer   *time.Timer              // guarded by mu; nil while nothing waits
}

type usageKey struct {
	day   string
	owner nacre.OwnerID
	model string
}

// Spend counts what a model was asked for on behalf of an Owner. It does not
// block; up to lagOfUsage of it is lost when the process is killed.
func (l *Ledger) Spend(owner nacre.OwnerID, model string, u nacre.Usage) {
	l.tally.add(usageKey{l.day(time.Now()), owner, model}, u)
}

func (l *Ledger) day(t time.Time) string { return t.In(l.tally.zone).Format(time.DateOnly) }

func (y *tally) add(k usageKey, u nacre.Usage) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.waiting[k] = y.waiting[k].Plus(u)
	if y.timer == nil {
		y.timer = time.AfterFunc(lagOfUsage, y.flush)
	}
}

// ride writes what waits in a transaction; settle says what became of that.
func (y *tally) ride(t *tx) error {
	y.mu.Lock()
	y.riding, y.waiting = y.waiting, map[usageKey]nacre.Usage{}
	if y.timer != nil {
		y.timer.Stop()
		y.timer = nil
	}
	y.mu.Unlock()
	for k, u := range y.riding { // changed by the writer alone, which is us
		_, err := t.exec(`INSERT INTO usage (day, owner, model, calls, input, output, cache_read, cache_write, cost, unpriced)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day, owner, model) DO UPDATE SET calls = calls + excluded.calls,
			input = input + excluded.input, output = output + excluded.output, cache_read = cache_read + excluded.cache_read,
			cache_write = cache_write + excluded.cache_write, cost = cost + excluded.cost, unpriced = unpriced + excluded.unpriced`,
			k.day, k.owner, k.model, u.Calls, u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Cost, u.Unpriced)
		if err != nil {
			return err
		}
	}
	return nil
}

func (y *tally) settle(committed bool) {
	y.mu.Lock()
	riding := y.riding
	y.riding = nil
	y.mu.Unlock()
	if committed {
		return
	}
	for k, u := range riding {
		y.add(k, u)
	}
}

// pending is what is not in the database yet.
func (y *tally) pending() map[usageKey]nacre.Usage {
	y.mu.Lock()
	defer y.mu.Unlock()
	all := maps.Clone(y.waiting)
	for k, u := range y.riding {
		all[k] = all[k].Plus(u)
	}
	return all
}

// Usage sums up what an Owner's models were asked for from one day to another,
// both included, by model; an empty owner stands for everybody.
func (l *Ledger) Usage(ctx context.Context, owner nacre.OwnerID, from, to time.Time) (map[string]nacre.Usage, error) {
	all, err := l.usage(ctx, owner, from, to, false)
	return all[""], err
}

// UsageByDay is Usage of each day (YYYY-MM-DD) on which anything was used, and within
// it by model.
func (l *Ledger) UsageByDay(ctx context.Context, owner nacre.OwnerID, from, to time.Time) (map[string]map[string]nacre.Usage, error) {
	return l.usage(ctx, owner, from, to, true)
}

// usage sums up each day, or all of them together under no name.
func (l *Ledger) usage(ctx context.Context, owner nacre.OwnerID, from, to time.Time, byDay bool) (sums, error) {
	first, last, column := l.day(from), l.day(to), "''"
	if byDay {
		column = "day"
	}
	l.tally.whole.RLock()
	defer l.tally.whole.RUnlock()
	rows, err := l.query(ctx, "SELECT "+column+`, model, sum(calls), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cost), sum(unpriced)
		FROM usage WHERE day BETWEEN ? AND ? AND (owner = ? OR ? = '') GROUP BY 1, model`, first, last, owner, owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := sums{}
	for rows.Next() {
		var day, model string
		var u nacre.Usage
		if err := rows.Scan(&day, &model, &u.Calls, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Cost, &u.Unpriced); err != nil {
			return nil, explain(err)
		}
		all.add(day, model, u)
	}
	for k, u := range l.tally.pending() {
		if first > k.day || k.day > last || owner != "" && owner != k.owner {
			continue
		}
		if !byDay {
			k.day = ""
		}
		all.add(k.day, k.model, u)
	}
	return all, explain(rows.Err())
}

// sums are usage by day, and within it by model.
type sums map[string]map[string]nacre.Usage

func (s sums) add(day, model string, u nacre.Usage) {
	if s[day] == nil {
		s[day] = map[string]nacre.Usage{}
	}
	s[day][model] = s[day][model].Plus(u)
}
