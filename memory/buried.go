package memory

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// Forgotten tells which of some texts hold what the owner had forgotten: a value in
// its own words, wherever it stands, or two thirds of its words in one sentence. The
// importer asks, and leaves such texts out, so that it is stricter than Review: a name
// or number by which a value is recognised is enough, also with markup or look-alikes in
// it, in parts or letter by letter. What was only rejected is not looked for: the owner
// said it, and has it among what was said. It is quick where nothing was forgotten, and
// else looks at every word once.
func (b *Book) Forgotten(ctx context.Context, texts []string) ([]bool, error) {
	s, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	held := make([]bool, len(texts))
	tombs := s.buried()
	if len(tombs) == 0 {
		return held, nil
	}
	key, err := b.lib.log.TombKey(b.owner)
	if err != nil {
		return nil, err
	}
	y := newYard(key, tombs)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		held[i] = y.holds(text)
	}
	return held, nil
}

// buried are the tombstones of what was forgotten, without those of rejections.
func (s *State) buried() []*Tombstone {
	var list []*Tombstone
	for _, o := range s.ops {
		if t := s.tombs[o.ID]; t != nil && o.Kind == Erase {
			list = append(list, t)
		}
	}
	return list
}

// yard looks for many tombstones in many texts.
type yard struct {
	key   Hash
	tombs []*Tombstone
	stems map[Hash][]int // those of all tombstones, by number
	of    []int          // the tombstone of each
	bare  []int          // tombstones without any
	known map[string]grasp
	tally tally

	named  map[Hash]bool   // the tags of names of all tombstones
	seen   map[string]look // words
	wholes map[string]bool // neighbours, put together
	aged   bool            // there is a tombstone without names, from before there were any
}

// grasp is what a word has of the stems: strictly, and as a name or a part of a word,
// which only counts towards a whole value. An idle word has no meaning of its own.
type grasp struct {
	strict, loose []int
	idle          bool
}

// sentenceEnds are the marks after which a sentence begins.
const sentenceEnds = ".!?\n。！？"

// Limits of looking.
const (
	maxKnown  = 1 << 16 // words that a yard keeps in mind
	maxRepeat = 64      // words of a value that is found in its own words beyond a sentence
)

func newYard(key Hash, tombs []*Tombstone) *yard {
	y := &yard{key: key, tombs: tombs, stems: map[Hash][]int{}, known: map[string]grasp{}, named: map[Hash]bool{}, seen: map[string]look{}, wholes: map[string]bool{}}
	for i, t := range tombs {
		y.aged = y.aged || t.V < naming
		for _, name := range t.Names {
			y.named[name] = true
		}
		for _, stem := range t.Stems {
			y.stems[stem] = append(y.stems[stem], len(y.of))
			y.of = append(y.of, i)
		}
		if len(t.Stems) == 0 {
			y.bare = append(y.bare, i)
		}
	}
	y.tally = tally{seen: make([]int, len(y.of)), counted: make([]int, len(tombs)), counts: make([]int, len(tombs))}
	return y
}

// tally counts the different stems of each tombstone, in rounds.
type tally struct {
	round   int
	seen    []int // the last round of each stem
	counted []int // and of each tombstone
	counts  []int
}

// add counts a stem of a tombstone and returns how many it has by now; 0 if it had
// that one.
func (t *tally) add(stem, tomb int) int {
	if t.seen[stem] == t.round {
		return 0
	}
	if t.seen[stem] = t.round; t.counted[tomb] != t.round {
		t.counted[tomb], t.counts[tomb] = t.round, 0
	}
	t.counts[tomb]++
	return t.counts[tomb]
}

// holds reports whether any tombstone is over a part of a text, as it is written or
// as it reads.
func (y *yard) holds(text string) bool {
	if len(y.tombs) == 0 {
		return false
	}
	bare := canon.Bare(text)
	if y.names(bare) || y.states(text) {
		return true
	}
	if strings.Contains(text, "<") && y.names(canon.Bare(strings.ReplaceAll(text, "<", "< "))) { // between what looks like a tag
		return true
	}
	spelled := canon.Respelled(bare)
	return spelled != text && y.states(spelled)
}

// states reports whether a text says a value in its own words, or nearly so.
func (y *yard) states(text string) bool {
	words := y.read(text)
	if y.old(text, words) {
		return true
	}
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && !words[to].begins {
			to++
		}
		if y.resembles(words[from:to]) {
			return true
		}
		from = to
	}
	return y.repeats(text, words)
}

// placed is a word in a text.
type placed struct {
	from, to int  // bytes
	begins   bool // a sentence
	grasp
}

// read are the words of a text.
func (y *yard) read(text string) []placed {
	var list []placed
	begins := true
	for at := 0; ; {
		n := strings.IndexFunc(text[at:], inWord)
		if n < 0 {
			return list
		}
		begins = begins || strings.ContainsAny(text[at:at+n], sentenceEnds)
		at += n
		end := len(text)
		if n := strings.IndexFunc(text[at:], func(r rune) bool { return !inWord(r) }); n >= 0 {
			end = at + n
		}
		list = append(list, placed{at, end, begins, y.grasp(text[at:end], begins)})
		at, begins = end, false
	}
}

// inWord reports whether a character is a part of a word.
func inWord(r rune) bool {
	if r < unicode.MaxASCII {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Cf)
}

// grasp looks a word up, once for all texts. A name is known by its capital, which
// tells nothing where a sentence begins.
func (y *yard) grasp(word string, begins bool) grasp {
	first, _ := utf8.DecodeRuneInString(word)
	named, id := !begins && unicode.IsUpper(first), word
	if named {
		id = "\n" + word
	}
	g, there := y.known[id]
	if there {
		return g
	}
	tags := canon.StemTags(y.key, word, languages)
	g = grasp{strict: y.marks(tags), idle: len(tags) == 0}
	if g.loose = append(slices.Clone(g.strict), y.marks(y.characters(word))...); g.idle {
		const other = "0 " // a word before it, so that it is no sentence's first
		g.loose = y.marks(canon.StemTags(y.key, other+word, languages)[1:])
	}
	if named && g.idle {
		g.strict = g.loose
	}
	if len(y.known) >= maxKnown {
		clear(y.known)
	}
	y.known[id] = g
	return g
}

// characters are the tags of those of writing without spaces, each of which may be a
// word.
func (y *yard) characters(word string) []Hash {
	var list []Hash
	for _, r := range word {
		if canon.Unspaced(r) {
			list = append(list, canon.StemTags(y.key, string(r), languages)...)
		}
	}
	return list
}

func (y *yard) marks(tags []Hash) []int {
	var list []int
	for _, tag := range tags {
		list = append(list, y.stems[tag]...)
	}
	return list
}

// resembles reports whether a sentence has two thirds of the words of a value.
func (y *yard) resembles(sentence []placed) bool {
	y.tally.round++
	for i := range sentence {
		for _, stem := range sentence[i].strict {
			tomb := y.of[stem]
			if n := y.tally.add(stem, tomb); n > 0 && float64(n)/float64(len(y.tombs[tomb].Stems)) >= alike {
				return true
			}
		}
	}
	return false
}

// repeats reports whether a value stands in a text as it is. All its words that carry
// meaning do then, with only idle ones between them.
func (y *yard) repeats(text string, words []placed) bool {
	whole := slices.Clip(y.bare)
	y.tally.round++
	for i := range words {
		for _, stem := range words[i].loose {
			if tomb := y.of[stem]; y.tally.add(stem, tomb) == len(y.tombs[tomb].Stems) {
				whole = append(whole, tomb)
			}
		}
	}
	for _, tomb := range whole {
		for from := range words {
			if y.begins(text, words[from:min(len(words), from+maxRepeat)], tomb) {
				return true
			}
		}
	}
	return false
}

// begins reports whether some words begin with a value.
func (y *yard) begins(text string, words []placed, tomb int) bool {
	missing := len(y.tombs[tomb].Stems)
	y.tally.round++
	for i := range words {
		has := false
		for _, stem := range words[i].loose {
			if y.of[stem] == tomb {
				if has = true; y.tally.add(stem, tomb) > 0 {
					missing--
				}
			}
		}
		switch {
		case !has && !words[i].idle:
			return false
		case missing == 0 && canon.ValueTag(y.key, text[words[0].from:words[i].to]) == y.tombs[tomb].Value:
			return true
		}
	}
	return false
}
