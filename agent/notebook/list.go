package notebook

import (
	"fmt"
	"maps"
	"slices"
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

// saying tells where something is kept, in clauses; empty if it is nowhere but in
// the messages that ask to forget it. These are counted too, as the receipt counts
// them.
func saying(counts map[string]int, asking int) string {
	clauses := []string{heard(counts, asking)}
	set := maps.Clone(counts)
	maps.DeleteFunc(set, func(kind string, _ int) bool { return !slices.Contains(setThere, kind) })
	if where := render.Counted(set); where != "" {
		clauses = append(clauses, "it stands in "+where)
	}
	return strings.Join(slices.DeleteFunc(clauses, func(c string) bool { return c == "" }), ", and ")
}

// setThere are the kinds of what nobody said, but set.
var setThere = []string{"jobs", "settings", "logins", "passwords"}

// heard tells where something was said.
func heard(counts map[string]int, asking int) string {
	switch said := counts["messages"]; {
	case said > asking && asking > 0:
		return fmt.Sprintf("it was said in %d messages, yours just now among them", said)
	case said > asking:
		return "it was said in " + render.Counted(map[string]int{"messages": said})
	case counts["replies"]+counts["summaries"]+counts["files"] > 0:
		return "some of my answers, summaries or files say it"
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
