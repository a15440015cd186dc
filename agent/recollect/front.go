package recollect

import (
	"maps"
	"slices"

	"nacre"
	"nacre/memory/recall"
)

// Front is what was put before the model for one answer, besides what always is.
type Front struct {
	Notes    []nacre.NoteID
	Messages []recall.Key
}

// held is a Front with whose it is.
type held struct {
	owner nacre.OwnerID
	Front
}

// Last returns what was selected, or found by history_search, for the last answer of
// a session; false if that was nothing, or was before the program began.
func (r *Recollector) Last(session nacre.SessionID) (Front, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok := r.fronts[session]
	return Front{slices.Clone(h.Notes), slices.Clone(h.Messages)}, ok
}

// Forgotten drops what was made of the words of an owner's notes. It is called when
// something of the owner's was forgotten. What was put before the model stays known,
// by ids that lead to no words that are not there any more.
func (r *Recollector) Forgotten(owner nacre.OwnerID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgets++
	maps.DeleteFunc(r.drawers, func(in drawer, _ cards) bool { return in.owner == owner })
}

// begin forgets what was put before the model for the answer before.
func (r *Recollector) begin(c nacre.Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.fronts, c.Session)
}

// put notes what is put before the model.
func (r *Recollector) put(c nacre.Caller, f Front) {
	if len(f.Notes)+len(f.Messages) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.fronts[c.Session]
	h.owner = c.Owner
	h.Notes = joined(h.Notes, f.Notes)
	h.Messages = joined(h.Messages, f.Messages)
	r.fronts[c.Session] = h
}

// joined appends what is not there yet.
func joined[T comparable](list, more []T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}
