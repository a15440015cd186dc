package keys

import (
	"fmt"
	"strings"
	"testing"
)

// orders are the steps alone, and orders of them.
var orders = [][]Step{
	{Exact}, {Words}, {Overlap}, {Fuzzy}, {Hologram},
	{Exact, Words, Overlap, Fuzzy}, {Exact, Overlap, Fuzzy}, {Exact, Words, Fuzzy}, {Exact, Fuzzy, Hologram}, {Exact, Hologram, Fuzzy},
}

// tally counts how many cues of each kind there are, and how many of them get what
// they ask for: a note, or to hear that there is none.
type tally struct{ cues, right map[string]int }

func (t tally) count(kind string, right bool) {
	t.cues[kind]++
	if right {
		t.right[kind]++
	}
}

func (t tally) share(kind string) float64 {
	return float64(t.right[kind]) / float64(max(1, t.cues[kind]))
}

// The names of the two sums of a tally: over all cues to notes, and to nothing.
const (
	hits   = "hit@1"
	silent = "silent"
)

func measure(order []Step, all []world) tally {
	t := tally{map[string]int{}, map[string]int{}}
	for _, w := range all {
		s := New(w.entries, Options{Steps: order})
		for _, c := range w.cues {
			m, ok := s.Resolve(c.text)
			right := ok && w.entries[m.At].Place == c.place || !ok && c.place == ""
			sum := hits
			if c.place == "" {
				sum = silent
			}
			t.count(c.kind, right)
			t.count(sum, right)
		}
	}
	return t
}

// The usual steps find most notes and are silent about what is not there. With -v
// it prints the same for every step and for orders of them.
func TestMeasure(t *testing.T) {
	for _, size := range sizes {
		all := worlds(size.notes, size.worlds, 1)
		usual := measure(nil, all)
		if usual.share(hits) < 0.85 || usual.share(silent) < 0.92 {
			t.Errorf("among %d notes %.3f are found and of what is not there %.3f is silent", size.notes, usual.share(hits), usual.share(silent))
		}
		if !testing.Verbose() {
			continue
		}
		columns := append(kinds[:len(kinds):len(kinds)], hits, silent)
		fmt.Printf("%4d notes%24s%s\n", size.notes, "", row(columns, func(k string) string { return k }))
		for _, order := range append(orders, []Step{Exact, Fuzzy}) {
			tally := measure(order, all)
			fmt.Printf("%-34s%s\n", fmt.Sprint(order), row(columns, func(k string) string { return fmt.Sprintf("%.3f", tally.share(k)) }))
		}
	}
}

func row(columns []string, cell func(string) string) string {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "%10s", cell(c))
	}
	return b.String()
}
