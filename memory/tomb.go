package memory

import (
	"slices"

	"nacre/memory/canon"
)

// languages are those whose stop words and endings count in a tombstone. They
// are the same for everybody and for ever, because stems made for others would
// not compare.
var languages = []string{"en", "de", "es", "fr"}

// alike is the share of a forgotten value's words which makes a text resemble
// it.
const alike = 2.0 / 3

// Entomb makes what remains of a value: keyed hashes of it. Freeze holds
// whatever else comes into its slot for the owner, until they speak anew.
func Entomb(key Hash, b Body, freeze bool) *Tombstone {
	t := &Tombstone{Exact: tag(key, b), Value: canon.ValueTag(key, b.Text), Look: canon.SkeletonTag(key, b.Text),
		Stems: canon.StemTags(key, b.Text, languages), Distinctive: canon.Distinctive(b.Text)}
	if freeze {
		t.Slot = canon.SlotTag(key, place(b.Slot))
	}
	return t
}

// tag is the exact tag of a note: its slot with its value.
func tag(key Hash, b Body) Hash { return canon.SlotValueTag(key, place(b.Slot), b.Text) }

// place names a slot among all scopes of an owner.
func place(s Slot) string { return string(s.Scope) + "\n" + s.String() }

// entombed looks for tombstones over a value. Bad is why it cannot be stored as
// it is: TombExact and TombValue forbid it, TombSlot and TombStems leave it to the
// owner, who is not held by those two where they speak themselves. Lifts are the
// tombstones that the owner's yes would lift.
func (c *Case) entombed(b Body, spoken bool) (lifts []OpID, bad Reason) {
	mine := Entomb(c.Key, b, true)
	for id, t := range c.State.tombs {
		why := t.over(mine)
		if why == "" || spoken && (why == TombSlot || why == TombStems) {
			continue
		}
		lifts = append(lifts, id)
		bad = graver(bad, why)
	}
	slices.Sort(lifts)
	return lifts, bad
}

// over reports how a tombstone concerns a value, the gravest first.
func (t *Tombstone) over(v *Tombstone) Reason {
	switch {
	case t.Exact == v.Exact:
		return TombExact
	case (t.Value == v.Value || t.Look == v.Look) && v.Distinctive:
		return TombValue
	case t.Value == v.Value || t.Look == v.Look, canon.Overlap(t.Stems, v.Stems) >= alike:
		return TombStems
	case t.Slot != Hash{} && t.Slot == v.Slot:
		return TombSlot
	}
	return ""
}

func graver(a, b Reason) Reason {
	for _, r := range []Reason{TombExact, TombValue, TombStems, TombSlot} {
		if a == r || b == r {
			return r
		}
	}
	return ""
}
