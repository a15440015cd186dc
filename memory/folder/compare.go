package folder

import (
	"nacre/memory"
	"nacre/memory/render"
)

// hand is a line as it stands in the file, and the note that it is of.
type hand struct {
	mark
	place  memory.Slot
	text   string
	number int // from 1
	of     tag // the slot of the note
}

// trace finds out which note each line in the file is of: the one of its slot,
// else one with the same words whose own line is gone, which was moved or lost
// its name; else it is new. A new line without a name is called by its words.
func (m marker) trace(base []mark, mine []render.Line, notes map[tag]*memory.Note) []hand {
	was, here := bySlot(base), map[tag]bool{}
	for _, l := range mine {
		here[m.slot(l.Slot)] = true
	}
	orphans := map[tag]tag{} // slots by their words
	for _, b := range base {
		if !here[b.slot] {
			orphans[b.words] = b.slot
		}
	}
	hands := make([]hand, len(mine))
	for i, l := range mine {
		h := hand{m.mark(l.Slot, l.Text, l.Pinned), l.Slot, l.Text, l.Number, tag{}}
		orphan, ok := orphans[h.words]
		if ok = ok && was[h.slot] == nil; ok {
			delete(orphans, h.words)
		}
		if h.place.Slug == "" {
			h.place.Slug = memory.Slug(l.Text)
			if n := notes[orphan]; ok && n != nil {
				h.place.Slug = n.Slot.Slug
			}
			h.slot = m.slot(h.place)
		}
		if h.of = h.slot; ok {
			h.of = orphan
		}
		hands[i] = h
	}
	return hands
}

// change is one thing that a hand did to MEMORY.md.
type change struct {
	do    memory.Verb // Learn, Edit, Archive, PinNote or UnpinNote; empty if it cannot be done
	of    tag         // the slot of the note that it is about; of Learn, where it shall stand
	line  *hand       // nil if it was removed
	twice bool        // why it cannot: a line above is of the same note; else memory changed in the same place
}

// compare finds what a hand did: base is what was last written, now what memory
// would write. Only what differs from base was done by the hand, and it is taken
// over only where memory has not changed meanwhile. Order and spacing mean
// nothing.
func compare(base []mark, mine []hand, now []mark) []change {
	was, is := bySlot(base), bySlot(now)
	var list []change
	done := map[tag]*mark{}
	for i := range mine {
		l := &mine[i]
		first, twice := done[l.of]
		switch {
		case !twice:
			done[l.of] = &l.mark
			list = append(list, judge(was[l.of], l, is[l.of])...)
		case !same(&l.mark, first) && !same(&l.mark, was[l.of]):
			list = append(list, change{of: l.of, line: l, twice: true})
		}
	}
	for i := range base {
		b := &base[i]
		if done[b.slot] != nil || is[b.slot] == nil {
			continue
		}
		if done[b.slot] = b; same(b, is[b.slot]) {
			list = append(list, change{do: memory.Archive, of: b.slot})
		} else {
			list = append(list, change{of: b.slot})
		}
	}
	return list
}

// judge decides on one line: what was written of its note and what memory says
// of that now, each nil for nothing.
func judge(was *mark, l *hand, now *mark) []change {
	switch {
	case same(was, &l.mark):
		return pinned(was, l, now)
	case same(&l.mark, now): // both did the same, or it was taken over before
		return nil
	case !same(was, now):
		return []change{{of: l.of, line: l}}
	case was == nil:
		return []change{{do: memory.Learn, of: l.of, line: l}}
	}
	return []change{{do: memory.Edit, of: l.of, line: l}}
}

// pinned notices a line that was moved to what is always at hand, or out of it.
func pinned(was *mark, l *hand, now *mark) []change {
	switch {
	case now == nil || was.pinned == l.pinned || was.pinned != now.pinned:
		return nil
	case l.pinned:
		return []change{{do: memory.PinNote, of: l.of, line: l}}
	}
	return []change{{do: memory.UnpinNote, of: l.of, line: l}}
}

// longList is how many lines a list has whose greater half does not go on
// purpose in one edit: an editor that crashed and a paste in the wrong place look
// like that.
const longList = 10

// accident reports whether so many lines are gone that nobody meant it.
func accident(base []mark, mine []hand) bool {
	left := bySlot(base)
	for _, l := range mine {
		delete(left, l.of)
	}
	return len(base) >= longList && 2*len(left) > len(base)
}
