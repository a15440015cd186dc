package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
)

// Archive is everything of an owner's memory that an export shows.
type Archive struct {
	Notes     []*memory.Note // of every scope and status that the owner may see
	Quotes    map[nacre.NoteID][]memory.Quoted
	Sensitive bool      // notes of sensitive topics are in use
	At        time.Time // when it is made, in the owner's zone
}

// Export is one Markdown file of everything that is remembered or was: each note
// with its status in plain words, its dates, where it applies, and the owner's
// words that it rests on.
func Export(a Archive) string {
	var b strings.Builder
	gone := only(a.Notes, func(n *memory.Note) bool { return n.Status == memory.Erased })
	kept := only(a.Notes, func(n *memory.Note) bool { return n.Status != memory.Erased })
	fmt.Fprintf(&b, "# Everything I remember\n\nMade on %s. It holds %s", moment(a.At, a.At), plural(len(kept), "note"))
	if len(gone) > 0 {
		fmt.Fprintf(&b, ". Forgotten, with nothing left to show: %d", len(gone))
	}
	b.WriteString(".\n")
	for _, scope := range scopes(kept) {
		fmt.Fprintf(&b, "\n## %s\n", whereabouts(scope))
		in := only(kept, func(n *memory.Note) bool { return n.Slot.Scope == scope })
		for _, area := range memory.Areas {
			a.area(&b, area, inArea(in, area))
		}
	}
	return b.String()
}

// scopes lists the scopes of notes, the private one first.
func scopes(notes []*memory.Note) []memory.Scope {
	var all []memory.Scope
	for _, n := range notes {
		all = append(all, n.Slot.Scope)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// whereabouts says where the notes of a scope apply.
func whereabouts(s memory.Scope) string {
	if s == memory.Private {
		return "In your private chats"
	}
	return "In the group " + Literal(string(s)) + " alone"
}

// area writes the notes of an area: by status, then by name, then the newest.
func (a Archive) area(b *strings.Builder, area memory.Area, notes []*memory.Note) {
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading(area))
	notes = slices.SortedFunc(slices.Values(notes), func(x, y *memory.Note) int {
		return cmp.Or(
			cmp.Compare(trust(x.Status), trust(y.Status)),
			strings.Compare(x.Slot.Slug, y.Slot.Slug),
			y.Recorded.From.Compare(x.Recorded.From),
			bySlot(x, y),
		)
	})
	for _, n := range notes {
		fmt.Fprintf(b, "- **%s**: %s\n", Literal(n.Slot.Slug), Literal(n.Text))
		for _, fact := range a.facts(n) {
			fmt.Fprintf(b, "  - %s\n", fact)
		}
	}
}

// facts is what there is to know about a note.
func (a Archive) facts(n *memory.Note) []string {
	all := []string{a.state(n)}
	if dates := when(&n.Body); dates != nil {
		all = append(all, "Dates: "+strings.Join(dates, "; "))
	}
	if n.Abstract != "" {
		all = append(all, "In short: "+Literal(n.Abstract))
	}
	if n.Kind != "" && n.Kind != memory.KindFact {
		all = append(all, "Kind: "+string(n.Kind))
	}
	if len(n.Entities) > 0 {
		all = append(all, "Names: "+Literal(strings.Join(n.Entities, ", ")))
	}
	if n.Topic != "" {
		all = append(all, a.topic(n))
	}
	for _, q := range a.Quotes[n.ID] {
		all = append(all, fmt.Sprintf("You said, on %s over %s: “%s”", moment(q.Evidence.Sent, a.At), Literal(string(q.Chat.Channel)), Literal(q.Text)))
	}
	return all
}

// state says how far a note is trusted, why, and since when.
func (a Archive) state(n *memory.Note) string {
	s := Status(n.Status)
	switch {
	case waits(n) && n.Waits != "":
		s += ": " + Why(n.Waits)
	case n.Status == memory.Rejected:
		s += ": you said no"
	case n.ReplacedBy != "":
		s += ": corrected"
	}
	if o := Origin(n.Origin); o != "" {
		s += "; " + o
	}
	if n.Pinned {
		s += "; pinned"
	}
	if n.Recorded.To.IsZero() {
		return s + "; since " + moment(n.Recorded.From, a.At)
	}
	return s + "; believed from " + moment(n.Recorded.From, a.At) + " until " + moment(n.Recorded.To, a.At)
}

// topic says that a note is sensitive, and whether it is in use.
func (a Archive) topic(n *memory.Note) string {
	s := "Sensitive: " + string(n.Topic)
	switch {
	case n.Allowed:
		return s + "; you allowed this one"
	case !a.Sensitive:
		return s + "; hidden from every conversation while sensitive topics are off"
	}
	return s
}

// moment is an instant as people write it, in the zone of another.
func moment(t, zone time.Time) string { return t.In(zone.Location()).Format("2006-01-02 15:04") }
