package main

import (
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// findNote looks a note up by path or id. Of several at a path the live one is
// meant, else the one that was let go last; of several scopes, the private one.
func findNote(state *memory.State, name web.NoteName) (*memory.Note, error) {
	wanted, err := statuses(name.Which)
	if err != nil {
		return nil, err
	}
	slot, isPath := parsePath(name.Name)
	if !isPath {
		if n := state.Note(nacre.NoteID(name.Name)); n != nil && slices.Contains(wanted, n.Status) {
			return n, nil
		}
		return nil, nacre.Errorf(nacre.NotFound, "there is no such note; name it by its path, such as about/bike, as nacre memory list shows it")
	}
	var best *memory.Note
	for _, n := range state.Select(memory.Query{Everywhere: true, Hidden: true, Area: slot.Area, Statuses: wanted}) {
		if n.Slot.Slug == slot.Slug && (best == nil || !rather(best, n)) {
			best = n
		}
	}
	if best == nil {
		return nil, nacre.Errorf(nacre.NotFound, "there is no such note at %s; nacre memory list --status all shows what there is", slot)
	}
	return best, nil
}

// rather reports whether a is meant rather than b, which is newer.
func rather(a, b *memory.Note) bool {
	if a.Status.Live() != b.Status.Live() {
		return a.Status.Live()
	}
	if !a.Status.Live() && !a.Recorded.To.Equal(b.Recorded.To) {
		return a.Recorded.To.After(b.Recorded.To)
	}
	return a.Slot.Scope == memory.Private && b.Slot.Scope != memory.Private
}

// parsePath reads "area/slug". What has no known area before a slash is none.
func parsePath(text string) (memory.Slot, bool) {
	area, slug, ok := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "/")
	slot := memory.Slot{Area: memory.Area(area), Slug: memory.Slug(slug)}
	return slot, ok && slices.Contains(memory.Areas, slot.Area) && slot.Slug != ""
}

// statuses are those of the notes that are meant. None would mean the live ones
// to a memory.Query, so an unknown standing is an error.
func statuses(w web.Which) ([]memory.Status, error) {
	list := w.Statuses()
	if list == nil {
		return nil, nacre.Errorf(nacre.Invalid, "there are notes that are live, waiting or archived, or all of them")
	}
	return list, nil
}

// areas names the areas in a sentence.
func areas() string {
	names := make([]string, len(memory.Areas))
	for i, a := range memory.Areas {
		names[i] = string(a)
	}
	return strings.Join(names, ", ")
}
