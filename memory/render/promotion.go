package render

import (
	"fmt"

	"nacre/memory"
)

// pinnedAround is what stands around the pinned notes in MEMORY.md. In prompts it
// is less.
const pinnedAround = "\n## " + pinnedTitle + "\n\n"

// PinnedRoom is the space for what is pinned by itself: as much as fits under the
// heading of MEMORY.md within PinnedBudget, and so in prompts, where lines are
// shorter.
func PinnedRoom() memory.Room {
	return memory.Room{Budget: PinnedBudget - characters(pinnedAround), Size: func(n *memory.Note) int {
		return characters(bullet(n, n.Slot.String())) + len("\n")
	}}
}

// Promotion says to people why a note is to be pinned by itself, or no more: a
// short clause as of Why.
func Promotion(p memory.Promotion) string {
	switch {
	case p.Pin:
		return recalled(p.Use)
	case p.Use.Last == "":
		return "not recalled once in the 90 days since it was pinned"
	}
	return "not recalled for 90 days, since " + p.Use.Last
}

// Pinned says to people why a note is pinned, in the same form; empty if it is
// not.
func Pinned(n *memory.Note, u memory.Use) string {
	switch {
	case !n.Pinned:
		return ""
	case n.Held:
		return "you want it at hand"
	case n.PinnedBy == memory.ByImport && u.Days == 0:
		return "it stood at the top of what you imported"
	}
	return recalled(u)
}

func recalled(u memory.Use) string {
	if u.Days == 0 {
		return "not recalled yet"
	}
	return fmt.Sprintf("recalled on %s, last on %s", plural(u.Days, "day"), u.Last)
}
