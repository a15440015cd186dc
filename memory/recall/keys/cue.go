package keys

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nacre/memory/recall/terms"
)

// word is a word of a cue.
type word struct {
	terms.Asked
	notes  []posting // that have it
	weight float64   // its rarity
	credit float64   // 1, or less if the notes have only a word that it resembles
}

// loose is what a single character of writing without spaces counts, beside the
// pairs that it is part of.
const loose = 0.3

// cue looks the words of a cue up, each once. With guesses, those that no note has
// are taken for slips.
func (s *Set) cue(text string, guesses bool) []word {
	x := s.index()
	asked := s.words.Query(strings.ReplaceAll(text, "/", " "))
	var list []word
	for _, a := range asked {
		if a.Stop || slices.ContainsFunc(list, func(w word) bool { return w.Term == a.Term }) {
			continue
		}
		w := word{Asked: a, notes: x.having(a.Alternatives), credit: 1}
		if len(w.notes) == 0 && guesses && a.Kind == terms.Word && !s.void(a.Form) {
			w.notes, w.credit = x.guess(a.Form)
		}
		w.weight = x.rarity(len(w.notes))
		if a.Kind == terms.Gram && len(asked) > 1 && utf8.RuneCountInString(a.Term) == 1 {
			w.weight *= loose
		}
		list = append(list, w)
	}
	return list
}

// void reports whether a word that was asked for, perhaps because there was no
// other, means nothing beside another: "that" is no slip of "hat".
func (s *Set) void(form string) bool {
	tokens := s.words.Doc("1 " + form)
	return tokens[len(tokens)-1].Stop
}

// answer is how a note answers a cue, in shares from 0 to 1.
type answer struct {
	at    int
	cue   float64 // of the cue's words that the note has, by rarity and place
	named float64 // of the cue's words that its slug and its names have
	slug  float64 // of the slug's words that the cue has
}

// score is how good an answer is.
func (a answer) score() float64 { return a.cue * (1 - slugShare + slugShare*a.slug) }

// slugShare is how much it matters that a cue has the whole slug of a note and not
// a part: so "dog" is the dog rather than the dog's doctor.
const slugShare = 0.3

// answers finds the notes that have any of some words, in their order.
func (x *index) answers(words []word) []answer {
	var all float64
	for _, w := range words {
		all += w.weight
	}
	list := make([]answer, x.size)
	for _, w := range words {
		share := w.weight * w.credit / all
		for _, p := range w.notes {
			a := &list[p.at]
			a.at = p.at
			a.cue += share * p.weight
			a.slug += p.part * w.credit
			if p.weight >= nameWeight {
				a.named += share
			}
		}
	}
	return slices.DeleteFunc(list, func(a answer) bool { return a.cue == 0 })
}
