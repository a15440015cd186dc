package notebook

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"nacre/memory"
	"nacre/memory/canon"
)

// tongue is the languages in which texts are read, so that their words compare:
// all, or one.
type tongue []string

// undetermined is the language of which nothing is known, so that no word of it
// goes without saying (ISO 639).
const undetermined = "und"

// tongueOf is the one in which what somebody looks for has words with meaning:
// all languages, or where these leave nothing, as of "my hat" and "my son", the
// one that leaves the least.
func tongueOf(text string) tongue {
	best := tongue{"en", "de", "es", "fr"}
	if len(best.words(text)) > 0 {
		return best
	}
	least := 0
	for _, lang := range []string{"en", "de", "es", "fr", undetermined} {
		one := tongue{lang}
		if n := len(one.words(text)); n > 0 && (least == 0 || n < least) {
			best, least = one, n
		}
	}
	return best
}

// words are the words with meaning of a text, by which notes are found: without
// endings, case and accents.
func (t tongue) words(text string) []string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x370 { // accents of Latin letters
			return -1
		}
		return r
	}, norm.NFD.String(text))
	return canon.Words(norm.NFC.String(bare), t)
}

// wording is all that a note says.
func (t tongue) wording(n *memory.Note) []string {
	return t.words(strings.Join(append([]string{spaced(n.Slot.Slug), n.Abstract, n.Text}, n.Entities...), "\n"))
}

// spaced is the words of a place.
func spaced(place string) string { return strings.NewReplacer("/", " ", "-", " ").Replace(place) }

// shared counts the words of a that b has too.
func shared(a, b []string) int {
	n := 0
	for _, w := range a {
		if has(b, w) {
			n++
		}
	}
	return n
}

// has reports whether a word is among others. Where there are no spaces these are
// pairs of characters, and a single one is part of a pair.
func has(list []string, word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	alone := size == len(word) && unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	return slices.ContainsFunc(list, func(w string) bool { return w == word || alone && strings.Contains(w, word) })
}

// search ranks the notes that have any of some words: those with the most of
// them first, then the surest, then the newest.
func (t tongue) search(notes []*memory.Note, wanted []string) []*memory.Note {
	type hit struct {
		note *memory.Note
		has  int
	}
	var hits []hit
	for _, n := range notes {
		if has := shared(wanted, t.wording(n)); has > 0 {
			hits = append(hits, hit{n, has})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.has, a.has), cmp.Compare(trust(b.note), trust(a.note)), b.note.Recorded.From.Compare(a.note.Recorded.From))
	})
	found := make([]*memory.Note, len(hits))
	for i, h := range hits {
		found[i] = h.note
	}
	return found
}

// trust orders notes by how sure they are.
func trust(n *memory.Note) int {
	return slices.Index([]memory.Status{memory.Tentative, memory.Observed, memory.Stated}, n.Status)
}

// meant finds the notes that somebody calls about. Sure says that it is these and
// no others, because about names their place or all of its words are theirs, and
// words that mostly mean nothing, as in "forget it", are those of their place.
// Words that are not in the owner's request count for nothing, so that a model can
// only point at what they spoke of.
func meant(notes []*memory.Note, about, request string) (found []*memory.Note, sure bool) {
	t := tongueOf(spaced(about))
	asked := t.words(request)
	if n := named(notes, about); n != nil {
		slug := t.words(spaced(n.Slot.Slug))
		if len(slug) > 0 && shared(slug, asked) == len(slug) || canon.Contains(request, n.Slot.Slug) {
			return []*memory.Note{n}, true
		}
	}
	wanted := slices.DeleteFunc(t.words(spaced(about)), func(w string) bool { return !has(asked, w) })
	found = t.search(notes, wanted)
	if len(found) == 0 {
		return nil, false
	}
	best := shared(wanted, t.wording(found[0]))
	found = slices.DeleteFunc(found, func(n *memory.Note) bool { return shared(wanted, t.wording(n)) < best })
	return found, best == len(wanted) && (len(t) > 1 || shared(wanted, t.words(spaced(found[0].Slot.Slug))) == best)
}

// named is the note in the place, or with the slug, that somebody names; nil if
// there is none, or more than one.
func named(notes []*memory.Note, about string) *memory.Note {
	about = strings.ToLower(strings.TrimSpace(about))
	var found *memory.Note
	for _, n := range notes {
		if n.Slot.String() == about {
			return n
		}
		if n.Slot.Slug != about {
			continue
		}
		if found != nil {
			return nil
		}
		found = n
	}
	return found
}
