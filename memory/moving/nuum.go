package moving

import (
	"regexp"
	"strings"
	"time"

	"nacre/memory"
)

// dated is a fact of Nuum: its day, a middle dot, and what it says.
var dated = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)\s*·\s*(\S.*)$`)

// noDay is why a fact is left out: it would be of another day.
const noDay = "Its day is none of the calendar."

// nuumLog reads a month of what Nuum noted: facts and notes, each under its day.
func nuumLog(_ *Parcel, e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	for l := range linesOf(text) {
		if l.level > 0 || !says(l.text) {
			continue
		}
		n := Note{File: e.place(0).File, Line: l.number, Draft: memory.Draft{Area: memory.About, Text: l.text}}
		if m := dated.FindStringSubmatch(l.text); m != nil {
			n.Draft.Text, n.Draft.Event = m[2], m[1]
		}
		_, err := time.Parse(time.DateOnly, n.Draft.Event)
		switch {
		case !l.bullet:
			n.Left = outside
		case n.Draft.Event != "" && err != nil:
			n.Draft.Event, n.Left = "", noDay
		}
		if err := r.note(n); err != nil {
			return err
		}
	}
	return nil
}

// nuumMonth tells a month of Nuum.
var nuumMonth = regexp.MustCompile(`(?m)^- \d{4}-\d\d-\d\d · `)

// nuumProfile tells the profile of Nuum from that of others.
func nuumProfile(head []byte) bool {
	return strings.HasPrefix(strings.TrimPrefix(string(head), mark), "# Standing facts")
}
