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

// words are the words with meaning of a text, by which notes are found: without
// endings, case and accents.
func words(text string) []string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x370 { // accents of Latin letters
			return -1
		}
		return r
	}, norm.NFD.String(text))
	return canon.Words(norm.NFC.String(bare), []string{"en", "de", "es", "fr"})
}

// wording is all that a note says.
func wording(n *memory.Note) []string {
	return words(strings.Join(append([]string{strings.ReplaceAll(n.Slot.Slug, "-", " "), n.Abstract, n.Text}, n.Entities...), "\n"))
}

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
func search(notes []*memory.Note, wanted []string) []*memory.Note {
	type hit struct {
		note *memory.Note
		has  int
	}
	var hits []hit
	for _, n := range notes {
		if has := shared(wanted, wording(n)); has > 0 {
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
// no others, because about names their place or all of its words are theirs.
// Words that are not in the owner's request count for nothing, so that a model can
// only point at what they spoke of.
func meant(notes []*memory.Note, about, request string) (found []*memory.Note, sure bool) {
	asked := words(request)
	if n := named(notes, about); n != nil {
		slug := words(strings.ReplaceAll(n.Slot.Slug, "-", " "))
		if len(slug) > 0 && shared(slug, asked) == len(slug) || canon.Contains(request, n.Slot.Slug) {
			return []*memory.Note{n}, true
		}
	}
	wanted := slices.DeleteFunc(words(strings.NewReplacer("/", " ", "-", " ").Replace(about)), func(w string) bool { return !has(asked, w) })
	found = search(notes, wanted)
	if len(found) == 0 {
		return nil, false
	}
	best := shared(wanted, wording(found[0]))
	found = slices.DeleteFunc(found, func(n *memory.Note) bool { return shared(wanted, wording(n)) < best })
	return found, best == len(wanted)
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
