package recollect

import (
	"context"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/recall/keys"
)

// drawer names the notes that one sort of session sees.
type drawer struct {
	owner nacre.OwnerID
	scope memory.Scope
}

// cards are the notes in a drawer, ready for cues.
type cards struct {
	notes []*memory.Note
	set   *keys.Set
}

// guess is a note with how sure it is that it is meant, from 0 to 1.
type guess struct {
	note *memory.Note
	sure float64
}

// visible lists the notes that the model may see in a session: those of its scope,
// and none in a group that has no memory.
func visible(st *memory.State, c nacre.Caller) []*memory.Note {
	if !c.Private && !st.On(memory.GroupSetting(scope(c))) {
		return nil
	}
	return st.Select(memory.Query{Scope: scope(c), Now: time.Now()})
}

// cards are the notes that a session may see, and the memory that they are of. What was made of them is kept while
// nothing is forgotten, since most requests see the same notes as the one before.
func (r *Recollector) cards(ctx context.Context, c nacre.Caller) (cards, *memory.State, error) {
	in := drawer{c.Owner, scope(c)}
	r.mu.Lock()
	had, forgets := r.drawers[in], r.forgets
	r.mu.Unlock()
	st, err := r.opts.Library.Book(c.Owner).State(ctx)
	if err != nil {
		return cards{}, nil, err
	}
	now := cards{notes: visible(st, c)}
	if had.set != nil && slices.Equal(had.notes, now.notes) {
		return had, st, nil
	}
	now.set = r.renewed(had.set, now.notes)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.forgets == forgets {
		r.drawers[in] = now
	}
	return now, st, nil
}

// renewed makes the Set of notes, of an older one where there is one.
func (r *Recollector) renewed(old *keys.Set, notes []*memory.Note) *keys.Set {
	entries := make([]keys.Entry, len(notes))
	for i, n := range notes {
		entries[i] = keys.Entry{Place: n.Slot.String(), Text: n.Text, Abstract: n.Abstract, Entities: n.Entities}
	}
	if old != nil {
		return old.Renew(entries)
	}
	return keys.New(entries, keys.Options{Terms: r.opts.Terms})
}

// find ranks the notes by how well a text names them.
func (all cards) find(text string) []guess {
	if len(all.notes) == 0 {
		return nil
	}
	var list []guess
	for _, m := range all.set.Find(text, maxCandidates) {
		list = append(list, guess{all.notes[m.At], m.Confidence})
	}
	return list
}

// noteWords is all by which a note may be meant.
func noteWords(n *memory.Note) string {
	return strings.Join(append([]string{strings.ReplaceAll(n.Slot.Slug, "-", " "), n.Text}, n.Entities...), "\n")
}
