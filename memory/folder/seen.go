package folder

import (
	"regexp"
	"slices"
	"time"

	"nacre/memory"
)

// beginning is how the mark before the generated section begins, by which
// memory/render knows it. Behind it we write the instant of which the section is:
// an editor may bring back an older one than the last, and this says what the
// hand has seen.
const beginning = "<!-- memory:begin"

// instant is the form of that instant.
const instant = "2006-01-02T15:04:05.000Z"

var dating = regexp.MustCompile(regexp.QuoteMeta(beginning) + `(?: (\d{4}-\d\d-\d\dT[\d:.]+Z))?`)

// dated writes into the section of a file of which instant it is; none for a zero
// one.
func dated(file string, at time.Time) string {
	m := dating.FindStringIndex(file)
	switch {
	case m == nil:
		return file
	case at.IsZero():
		return file[:m[0]] + beginning + file[m[1]:]
	}
	return file[:m[0]] + beginning + " " + at.UTC().Format(instant) + file[m[1]:]
}

// dateOf is the instant of which the section of a file is, zero if it does not
// say.
func dateOf(file string) time.Time {
	m := dating.FindStringSubmatch(file)
	if m == nil {
		return time.Time{}
	}
	at, err := time.Parse(instant, m[1])
	if err != nil {
		return time.Time{}
	}
	return at
}

// unseen takes out what the hand did not do, because it had an older section
// before it: notes that came later are not missing, and lines that memory said
// then and does not say now are not new. What a hand itself changed it has seen.
func (m marker) unseen(at time.Time, st *memory.State, base []mark, mine []hand) ([]mark, []hand) {
	if at.IsZero() {
		return base, mine
	}
	type said struct{ slot, words tag }
	later, then := map[said]bool{}, map[said]bool{}
	for _, n := range st.Select(memory.Query{Hidden: true, Statuses: []memory.Status{memory.Tentative, memory.Observed, memory.Stated, memory.Archived}}) {
		l := m.mark(n.Slot, n.Text, false)
		switch {
		case n.Decided == memory.ByFile:
		case n.Status.Live() && n.Recorded.From.Truncate(time.Millisecond).After(at):
			later[said{l.slot, l.words}] = true
		case !n.Status.Live() && n.Recorded.At(at):
			then[said{l.slot, l.words}] = true
		}
	}
	written := bySlot(base)
	mine = slices.DeleteFunc(mine, func(l hand) bool {
		return then[said{l.slot, l.words}] && !same(&l.mark, written[l.slot])
	})
	return slices.DeleteFunc(base, func(b mark) bool { return later[said{b.slot, b.words}] }), mine
}
