package notebook

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/render"
)

// front is what stood in the prompts of a session last.
type front struct {
	voice int  // characters; 0 for the built-in one
	named bool // the owner said how they want to be spoken to
	notes int  // characters
	shown []nacre.NoteID
	left  []nacre.NoteID // for which there was no room
}

// Frozen implements agent.Memory. A group session sees the notes of its group
// alone.
func (n *Notebook) Frozen(ctx context.Context, c nacre.Caller, held agent.Frozen, cold bool) (agent.Frozen, error) {
	st, err := n.book(c).State(ctx)
	if err != nil {
		return held, err
	}
	voice, person := n.opts.Voice(c.Owner), n.person(c)
	due := held.Fence == "" || st.Urgent > held.Version || cold && st.Version > held.Version
	if !due && voice == held.Voice && person == held.Person {
		return held, nil
	}
	next := agent.Frozen{Voice: voice, Person: person, Version: st.Version, Fence: held.Fence}
	hits, err := n.opts.Log.Hits(ctx, c.Owner)
	if err != nil {
		return held, err
	}
	notes := visible(st, c, time.Now())
	next.Notes = render.Section(notes, hits, next.Fence)
	if held.Fence == "" || next.Notes != held.Notes || voice != held.Voice || person != held.Person {
		if next.Fence, err = n.fence(c, st.Version); err != nil {
			return held, err
		}
		next.Notes = render.Section(notes, hits, next.Fence)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fronts[c.Session] = frontOf(next, notes)
	return next, nil
}

// person is how the owner wants to be spoken to. In a group others are spoken to as
// well, and need not read how they are called in private.
func (n *Notebook) person(c nacre.Caller) string {
	if n.opts.Person == nil || !c.Private {
		return ""
	}
	return n.opts.Person(c.Owner)
}

// InFront are the notes that stood in the prompts of a session when a model was
// asked there last; known is false if none was since the start. The page tells its
// owner.
func (n *Notebook) InFront(session nacre.SessionID) (notes []nacre.NoteID, known bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f, known := n.fronts[session]
	return slices.Clone(f.shown), known
}

// front is what stands in the prompts of a session, or would; known is false if
// nothing was asked there since the start.
func (n *Notebook) front(ctx context.Context, c nacre.Caller, st *memory.State) (f front, known bool, err error) {
	n.mu.Lock()
	f, known = n.fronts[c.Session]
	n.mu.Unlock()
	if known {
		return f, true, nil
	}
	hits, err := n.opts.Log.Hits(ctx, c.Owner)
	if err != nil {
		return f, false, err
	}
	fence, err := n.fence(c, st.Version)
	notes := visible(st, c, time.Now())
	return frontOf(agent.Frozen{Voice: n.opts.Voice(c.Owner), Person: n.person(c), Notes: render.Section(notes, hits, fence)}, notes), false, err
}

// fence is what nobody who wrote a note can know: drawn from a secret of the
// owner's for this session and this version of memory, so that another process
// begins its prompts with the same bytes.
func (n *Notebook) fence(c nacre.Caller, version int64) (string, error) {
	key, err := n.opts.Log.TombKey(c.Owner)
	if err != nil {
		return "", err
	}
	mark := canon.Tag(key, "fence", string(c.Session), strconv.FormatInt(version, 10))
	return hex.EncodeToString(mark[:8]), nil
}

// frontOf tells which notes a prompt shows: those whose place begins a line.
func frontOf(f agent.Frozen, notes []*memory.Note) front {
	places := map[string]bool{}
	for line := range strings.Lines(f.Notes) {
		place, _, _ := strings.Cut(line, ": ")
		places[place] = true
	}
	v := front{voice: utf8.RuneCountInString(f.Voice), named: f.Person != "", notes: utf8.RuneCountInString(f.Notes)}
	for _, n := range notes {
		if places[n.Slot.String()] {
			v.shown = append(v.shown, n.ID)
		} else {
			v.left = append(v.left, n.ID)
		}
	}
	return v
}
