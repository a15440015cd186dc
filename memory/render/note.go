package render

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
)

// ranked orders notes by what models need most: trust, then use, then newness.
// The slot decides between equals, so that the order is total.
func ranked(notes []*memory.Note, hits map[nacre.NoteID]int) []*memory.Note {
	out := slices.Clone(notes)
	slices.SortFunc(out, func(a, b *memory.Note) int {
		return cmp.Or(
			cmp.Compare(trust(a.Status), trust(b.Status)),
			cmp.Compare(hits[b.ID], hits[a.ID]),
			b.Recorded.From.Compare(a.Recorded.From),
			bySlot(a, b),
		)
	})
	return out
}

// trust is the place of a status in that order, and in every list for people.
func trust(s memory.Status) int {
	return slices.Index([]memory.Status{memory.Stated, memory.Observed, memory.Tentative, memory.Candidate, memory.Archived, memory.Rejected, memory.Erased}, s)
}

// bySlot orders notes as people look for them: by area, then by name.
func bySlot(a, b *memory.Note) int {
	return cmp.Or(
		cmp.Compare(slices.Index(memory.Areas, a.Slot.Area), slices.Index(memory.Areas, b.Slot.Area)),
		strings.Compare(a.Slot.Slug, b.Slot.Slug),
		strings.Compare(string(a.ID), string(b.ID)),
	)
}

// inArea lists the notes of an area, in their order.
func inArea(notes []*memory.Note, area memory.Area) []*memory.Note {
	return only(notes, func(n *memory.Note) bool { return n.Slot.Area == area })
}

// only lists the notes that are as wanted, in their order.
func only(notes []*memory.Note, wanted func(*memory.Note) bool) []*memory.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n *memory.Note) bool { return !wanted(n) })
}

// isLive reports whether a model may see a note.
func isLive(n *memory.Note) bool { return n.Status.Live() }

// waits reports whether a note waits for its owner.
func waits(n *memory.Note) bool { return n.Status == memory.Candidate }

// remarks says compactly what a note is besides its text: when it holds, and
// that it is not certain yet. Empty for most notes.
func remarks(n *memory.Note) string {
	all := when(&n.Body)
	if n.Status == memory.Tentative {
		all = append(all, "mentioned once")
	}
	return strings.Join(all, "; ")
}

// when tells the dates of a note: "since 2024-03", "2012–2024", "on 2026-05-01".
func when(b *memory.Body) []string {
	var all []string
	from, to := day(b.Valid.From), day(b.Valid.To)
	switch {
	case from != "" && to != "":
		all = append(all, from+"–"+to)
	case from != "":
		all = append(all, "since "+from)
	case to != "":
		all = append(all, "until "+to)
	}
	switch b.Event.Precision {
	case memory.Year, memory.Month:
		all = append(all, "in "+day(b.Event))
	case memory.Day, memory.Minute:
		all = append(all, "on "+day(b.Event))
	}
	if !b.Expires.IsZero() {
		all = append(all, "expires "+day(b.Expires))
	}
	return all
}

// day is a date as people write it, empty if it is unknown.
func day(d memory.Date) string { return strings.Replace(d.String(), "T", " ", 1) }

// characters measures a text as budgets do.
func characters(s string) int { return utf8.RuneCountInString(s) }
