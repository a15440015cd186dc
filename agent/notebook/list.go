package notebook

import (
	"fmt"
	"strings"

	"nacre/memory"
	"nacre/memory/render"
)

// maxListed is how many notes a message to a person lists.
const maxListed = 50

// listing shows notes to the person, a line each, and counts those for which
// there is no room.
func listing(notes []*memory.Note, most int) string {
	var b strings.Builder
	for _, n := range notes[:min(most, len(notes))] {
		fmt.Fprintf(&b, "- %s: %s\n", render.Literal(n.Slot.String()), render.Literal(n.Text))
	}
	if rest := len(notes) - most; rest > 0 {
		fmt.Fprintf(&b, "- and %d more\n", rest)
	}
	return b.String()
}

// shortly is a note as it is named to the person.
func shortly(n *memory.Note) string { return render.Literal(clip(n.Text, maxShort)) }

const maxShort = 300 // characters

// saying tells where else something stands, besides the messages that ask to
// forget it; empty for nowhere.
func saying(counts map[string]int, asking int) string {
	said := counts["messages"] - asking
	switch others := counts["replies"] + counts["summaries"] + counts["files"]; {
	case said == 1:
		return "\nOne of your messages says it."
	case said > 1:
		return fmt.Sprintf("\n%d of your messages say it.", said)
	case others > 0:
		return "\nSome of my answers, summaries or files say it."
	}
	return ""
}

// clip is the beginning of a text.
func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
