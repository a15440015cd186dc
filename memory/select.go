package memory

import (
	"slices"
	"time"
)

// Query says which Notes a reader wants, and which they may see. It is the only
// filter of Notes: every reader goes through State.Select.
type Query struct {
	Scope      Scope
	Everywhere bool      // all scopes; for the owner's own eyes
	AsOf       time.Time // what was true in the world then; zero for whenever
	Statuses   []Status  // empty: those that a model may see
	Area       Area      // empty: all
	Hidden     bool      // with notes of sensitive topics that are switched off; for the owner's own eyes
	Now        time.Time // what expired before is left out; zero keeps it
}

// Select lists Notes, oldest first.
func (s *State) Select(q Query) []*Note {
	var list []*Note
	for _, n := range s.notes {
		if q.wants(n) && (q.Hidden || !s.hides(n)) {
			list = append(list, n)
		}
	}
	return list
}

// hides reports whether a note is of a sensitive topic that is switched off.
func (s *State) hides(n *Note) bool { return n.Topic != "" && !n.Allowed && !s.On(Sensitive) }

// Hidden counts the live notes of sensitive topics that are switched off.
func (s *State) Hidden() int {
	return len(s.Select(Query{Everywhere: true, Hidden: true})) - len(s.Select(Query{Everywhere: true}))
}

func (q *Query) wants(n *Note) bool {
	status := n.Status.Live()
	if len(q.Statuses) > 0 {
		status = slices.Contains(q.Statuses, n.Status)
	}
	return status && (q.Everywhere || n.Slot.Scope == q.Scope) && (q.Area == "" || n.Slot.Area == q.Area) &&
		(q.AsOf.IsZero() || n.holds(q.AsOf)) && (q.Now.IsZero() || !n.expired(q.Now))
}

// holds reports whether a note was true at an instant, as far as it says.
func (n *Note) holds(at time.Time) bool {
	return n.Valid.Holds(at) && (n.Event.IsZero() || !n.Event.Start.After(at))
}

func (n *Note) expired(now time.Time) bool {
	return !n.Expires.IsZero() && !n.Expires.End().After(now)
}
