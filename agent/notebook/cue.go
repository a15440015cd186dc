package notebook

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/memory"
	"nacre/memory/recall/keys"
)

// keyed makes notes findable. What is known of the words of the notes that were
// looked through last is used again.
func (n *Notebook) keyed(notes []*memory.Note) *keys.Set {
	entries := make([]keys.Entry, len(notes))
	for i, note := range notes {
		entries[i] = keys.Entry{Place: note.Slot.String(), Text: note.Text, Abstract: note.Abstract, Entities: note.Entities}
	}
	n.mu.Lock()
	last := n.keys
	n.mu.Unlock()
	if last == nil {
		last = keys.New(nil, n.opts.Keys)
	}
	set := last.Renew(entries)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.keys = set
	return set
}

// search ranks the notes that have any of some words. Of equally good ones those
// come first that are surer, then the newer ones.
func (n *Notebook) search(notes []*memory.Note, words string, most int) []*memory.Note {
	notes = slices.Clone(notes)
	slices.SortStableFunc(notes, func(a, b *memory.Note) int {
		return cmp.Or(cmp.Compare(trust(b), trust(a)), b.Recorded.From.Compare(a.Recorded.From))
	})
	var found []*memory.Note
	for _, m := range n.keyed(notes).Find(words, most) {
		found = append(found, notes[m.At])
	}
	return found
}

// resolve is the one note that a cue most likely means, nil if there is none.
func (n *Notebook) resolve(notes []*memory.Note, cue string) *memory.Note {
	if m, ok := n.keyed(notes).Resolve(cue); ok {
		return notes[m.At]
	}
	return nil
}

// unfound answers a wish to forget of which nothing was found. Where a note is
// called nearly what they said they are asked about it, and it is theirs to say
// yes: what is only guessed is never forgotten at once.
func (n *Notebook) unfound(ctx context.Context, c nacre.Caller, req request, text string) (agent.Result, error) {
	if req.of.Size == memory.SizeAbout { // nothing is said about what is only guessed
		return said(text), nil
	}
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	if note := n.resolve(forgettable(st, c), spoken(req)); note != nil {
		return n.pick(ctx, c, req, []*memory.Note{note})
	}
	return said(text), nil
}

// spoken is what is to be forgotten in the words that the owner used for it.
func spoken(req request) string {
	about := spaced(req.about)
	t := tongueOf(about)
	asked := t.words(req.words)
	words := slices.DeleteFunc(strings.Fields(about), func(w string) bool { return shared(t.words(w), asked) == 0 })
	return strings.Join(words, " ")
}
