package keys

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre/memory/canon"
)

//go:embed testdata/notes.txt
var notesText string

//go:embed testdata/kin.txt
var kinText string

//go:embed testdata/strange.txt
var strangeText string

// The kinds of cues. What is absent is asked about a note that is not there,
// what is strange about nothing that anybody noted.
const (
	kindExact     = "exact"
	kindTypo      = "typo"
	kindReordered = "reordered"
	kindPartial   = "partial"
	kindInflected = "inflected"
	kindQuestion  = "question"
	kindAbsent    = "absent"
	kindStrange   = "strange"
)

var kinds = []string{kindExact, kindTypo, kindReordered, kindPartial, kindInflected, kindQuestion, kindAbsent, kindStrange}

// cue asks for the note in a place; for none if that is empty. Half of all cues
// calibrate (0), the other half measure (1).
type cue struct {
	kind, text, place string
	half              int
}

// known is a note with the cues that ask for it.
type known struct {
	Entry
	cues []cue
}

// lines are the lines of a table, by columns.
func lines(text string) (table [][]string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSpace(line), "|")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		table = append(table, columns)
	}
	return table
}

// written are the notes that were written for this, each with the cues that can
// be made of it.
func written(r *rand.Rand) (list []known) {
	for _, c := range lines(notesText) {
		k := known{Entry: Entry{Place: c[1], Text: c[2]}}
		if c[3] != "" {
			for name := range strings.SplitSeq(c[3], ";") {
				k.Entities = append(k.Entities, strings.TrimSpace(name))
			}
		}
		k.ask(r, c[4], c[5])
		list = append(list, k)
	}
	return list
}

const people = "Ada Bela Cosmo Dunja Edda Fabio Gita Henk Iris Jarle Kaja Ludo Mira Nino Odin Pia Quin Rasmus Sanne Tilda Ugo Valentina Wanda Xenia Yann Zelda Anouk Birk Celine Dov Elif Fynn Gwen Hugo Ilka Joris Kolja Livia Matteo Noor Ovid Petra"

// combined are notes about people, one of each kind for each.
func combined(r *rand.Rand) (list []known) {
	for _, name := range strings.Fields(people) {
		for _, c := range lines(kinText) {
			k := known{Entry: Entry{Place: "people/" + strings.ToLower(name) + "-" + c[0], Text: strings.ReplaceAll(c[1], "%", name), Entities: []string{name}}}
			k.ask(r, "", strings.ReplaceAll(c[2], "%", name))
			list = append(list, k)
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// ask makes the cues of a note.
func (k *known) ask(r *rand.Rand, inflected, question string) {
	add := func(kind, text string) { k.cues = append(k.cues, cue{kind, text, k.Place, r.IntN(2)}) }
	_, slug, _ := strings.Cut(k.Place, "/")
	words := strings.Split(slug, "-")
	add(kindExact, strings.Join(words, " "))
	add(kindQuestion, question)
	if typo, ok := mistyped(r, words); ok {
		add(kindTypo, typo)
	}
	if typo, ok := mistyped(r, strings.Fields(question)); ok {
		add(kindTypo, typo)
	}
	if inflected != "" {
		add(kindInflected, inflected)
	}
	if len(words) > 1 {
		mixed := slices.Clone(words)
		slices.Reverse(mixed)
		add(kindReordered, strings.Join(mixed, " "))
	}
	if len(words) > 1 && inflected != "" {
		add(kindPartial, words[r.IntN(len(words))])
	}
}

// mistyped makes one slip in one of the longer words.
func mistyped(r *rand.Rand, words []string) (string, bool) {
	words = slices.Clone(words)
	var long []int
	for i, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); utf8.RuneCountInString(w) >= 4 && !canon.Unspaced(first) && len(canon.Words(w, []string{"en", "de", "es", "fr", "ru"})) > 0 {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return "", false
	}
	i := long[r.IntN(len(long))]
	letters := []rune(words[i])
	at := r.IntN(len(letters) - 1)
	switch r.IntN(4) {
	case 0:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	case 1:
		letters = slices.Delete(letters, at, at+1)
	case 2:
		letters = slices.Insert(letters, at, letters[r.IntN(len(letters))])
	default:
		letters[at] = letters[r.IntN(len(letters))]
	}
	if string(letters) == words[i] {
		return "", false
	}
	words[i] = string(letters)
	return strings.Join(words, " "), true
}

// world is some notes, and cues to them and to nothing.
type world struct {
	entries []Entry
	cues    []cue
}

// sizes are how many notes worlds have, and how many worlds of each size there are.
var sizes = []struct{ notes, worlds int }{{1, 400}, {10, 40}, {100, 4}, {1000, 1}}

// worlds makes worlds of a size, with the cues of one half. Each has as many cues
// to nothing as to notes, half of them strange and half absent.
func worlds(size, count, half int) (list []world) {
	r := rand.New(rand.NewPCG(uint64(size), 5))
	own, more := written(r), combined(r)
	var strange []cue
	for i, c := range lines(strangeText) {
		if i%2 == half {
			strange = append(strange, cue{kind: kindStrange, text: c[1]})
		}
	}
	for range count {
		r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
		r.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		// A fifth of the notes written for this are never there, and nothing that
		// was combined is until they are used up.
		some := min(size, maxWritten)
		list = append(list, peopled(r, slices.Concat(own[:some], more[:size-some]), slices.Concat(own[some:], more[size-some:][:20]), strange, half))
	}
	return list
}

// maxWritten is how many of the notes that were written for this a world has.
const maxWritten = 156

// maxCombined bounds how many of the combined notes are asked for, which are much
// alike.
const maxCombined = 100

// peopled is a world of the notes that are in it, with cues to these and to those
// that are out of it.
func peopled(r *rand.Rand, in, out []known, strange []cue, half int) (w world) {
	for i, k := range in {
		w.entries = append(w.entries, k.Entry)
		for _, c := range k.cues {
			if c.half == half && i < maxWritten+maxCombined {
				w.cues = append(w.cues, c)
			}
		}
	}
	var absent []cue
	for _, k := range out {
		for _, c := range k.cues {
			if c.half == half && (c.kind == kindQuestion || c.kind == kindExact) {
				absent = append(absent, cue{kind: kindAbsent, text: c.text})
			}
		}
	}
	for i := range w.cues {
		from := strange
		if i%2 == 0 {
			from = absent
		}
		w.cues = append(w.cues, from[r.IntN(len(from))])
	}
	return w
}
