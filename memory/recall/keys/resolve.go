package keys

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"nacre/memory"
)

// Step is one way of resolving a cue.
type Step string

// The steps.
const (
	Exact    Step = "exact"    // the cue is a place, a slug or a name, and of one note alone
	Words    Step = "words"    // it has all words of a slug, or none but those of a slug and names
	Overlap  Step = "overlap"  // it shares words with a note
	Fuzzy    Step = "fuzzy"    // the same, taking words that no note has for slips of those that one has
	Hologram Step = "hologram" // the trace of all notes answers it
)

// Resolve finds the note that a cue means: that of the first step which is more
// likely right than wrong. It is false where there is none.
func (s *Set) Resolve(cue string) (Match, bool) {
	for _, step := range s.steps {
		at, g, ok := s.try(step, cue)
		if !ok {
			continue
		}
		if c := g.confidence(step); c >= 0.5 {
			return Match{at, step, c}, true
		}
	}
	return Match{}, false
}

// try finds the best answer of a step, however bad.
func (s *Set) try(step Step, cue string) (at int, g signs, ok bool) {
	switch step {
	case Exact:
		return s.exact(cue)
	case Hologram:
		return s.hear(cue)
	}
	list := s.index().answers(s.cue(cue, step == Fuzzy))
	if step == Words {
		list = slices.DeleteFunc(list, func(a answer) bool { return a.slug < whole && a.named < whole })
	}
	if len(list) == 0 {
		return 0, signs{}, false
	}
	rank(list)
	g = s.signs(list, 0)
	return list[0].at, g, g[2] > 0 // of two that fit equally well neither is meant
}

// whole is 1, as far as sums of shares reach it.
const whole = 1 - 1e-9

// exact finds the one note that is called what a cue says.
func (s *Set) exact(cue string) (int, signs, bool) {
	called := s.index().called
	list := called[strings.ToLower(strings.TrimSpace(cue))]
	if list == nil {
		list = called[memory.Slug(cue)]
	}
	if len(list) != 1 {
		return 0, signs{}, false
	}
	return list[0], signs{1, 1, 1, s.many()}, true
}

// rank sorts answers, the best first; of equal ones the earlier entry.
func rank(list []answer) {
	slices.SortStableFunc(list, func(a, b answer) int { return cmp.Compare(b.score(), a.score()) })
}

// signs says what speaks for one of several ranked answers.
func (s *Set) signs(list []answer, i int) signs {
	lead := 1.0
	if i > 0 {
		lead = 0
	} else if len(list) > 1 {
		lead = 1 - list[1].score()/list[0].score()
	}
	return signs{list[i].cue, list[i].slug, lead, s.many()}
}

// many is how many notes there are, as it counts.
func (s *Set) many() float64 { return math.Log10(float64(len(s.notes) + 1)) }
