package memory

import (
	"context"
	"time"
)

// Plans lists what Plans finds in what is believed now. Heartbeats call it for
// every owner in turn, so it lets go again of a memory that it had to read.
func (b *Book) Plans(ctx context.Context, now time.Time) ([]*Note, error) {
	defer b.borrow()()
	s, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	return Plans(s, now, b.zone()), nil
}

// Plans lists the private plans and events of a State that fall on this day, or
// begin within 24 hours: what a heartbeat looks after. Dates that name no day are
// nobody's appointment, and sensitive topics stay out of what nobody asked for.
func Plans(s *State, now time.Time, zone *time.Location) []*Note {
	var list []*Note
	for _, n := range s.Select(Query{Now: now}) {
		if (n.Kind == KindPlan || n.Kind == KindEvent) && n.Topic == "" && n.Event.near(now.In(zone)) {
			list = append(list, n)
		}
	}
	return list
}

// near reports whether a date is today, or begins within 24 hours. A day means
// itself wherever the owner is by then.
func (d Date) near(now time.Time) bool {
	start := d.Start.In(now.Location())
	switch d.Precision {
	case Day:
		year, month, day := d.Start.Date()
		start = time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	case Minute:
	default:
		return false
	}
	today := start.Format(time.DateOnly) == now.Format(time.DateOnly)
	return today || start.After(now) && !start.After(now.Add(oneDay))
}
