package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// amid stands before what somebody calls a name, so that it neither begins a sentence nor
// is all of it: its capitals tell then.
const amid = "something other "

// naming is what a tombstone has that keeps the tags of names.
const naming = 1

// name keeps the tags of the words by which a value is recognised where one of them
// stands alone: names and numbers in any of its words. Those that others use too, which
// stay, give nothing away.
func (t *Tombstone) name(key Hash, b Body, others []*Note) {
	t.V = naming
	names := append(canon.Names(b.Text), canon.Names(b.Abstract)...)
	for _, e := range b.Entities {
		names = append(names, canon.Names(amid+e)...)
	}
	for _, text := range append([]string{b.Text, b.Abstract, spaced(b.Slot.Slug)}, b.Entities...) {
		names = append(names, identifiers(text)...)
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return utf8.RuneCountInString(n) < minMark || isNumber(n) && len(n) < minNumber
	})
	used := looksOf(others)
	names = slices.DeleteFunc(names, func(n string) bool { return used[canon.NameLook(n)] })
	slices.Sort(names)
	t.Names = canon.NameTags(key, slices.Compact(names))
}

// looksOf are what the words of notes look like.
func looksOf(notes []*Note) map[string]bool {
	looks := map[string]bool{}
	for _, n := range notes {
		text := canon.Bare(n.says())
		canon.WordsOf(text, func(from, to int) { looks[canon.NameLook(text[from:to])] = true })
		for _, id := range identifiers(text) {
			looks[canon.NameLook(id)] = true
		}
	}
	return looks
}

// Limits of looking for names.
const (
	maxJoint    = 3    // bytes between two words that may be one
	maxParts    = 6    // words that may be one, with marks alone between them
	minJoined   = 5    // bytes of what they come to
	maxApart    = 24   // letters of a name that is written letter by letter
	minApart    = 4    // and the least of them
	maxLetters  = 4096 // letters apart that are looked at in a text
	maxNameLook = 64   // bytes of a name
)

// piece is a word of a text, in which a name may stand.
type piece struct {
	from, to int
	look     string
	single   bool // it is one character
}

// names reports whether a name of a value stands in a bare text: as a word, in parts,
// or letter by letter.
func (y *yard) names(bare string) bool {
	if len(y.named) == 0 {
		return false
	}
	var list []piece
	found, end := false, 0
	canon.WordsOf(bare, func(from, to int) {
		if found {
			return
		}
		begins := len(list) == 0 || strings.ContainsAny(bare[end:from], sentenceEnds)
		l := y.looks(bare[from:to], begins)
		found = l.named
		_, size := utf8.DecodeRuneInString(bare[from:to])
		list, end = append(list, piece{from, to, l.look, size == to-from}), to
	})
	return found || y.joined(bare, list) || y.apart(bare, list)
}

// look is what a word looks like, and whether it is a name.
type look struct {
	look  string
	named bool
}

// looks looks a word up, once for all texts.
func (y *yard) looks(word string, begins bool) look {
	capital := !begins && capitalFirst(word)
	id := word
	if capital {
		id = "\n" + word
	}
	if l, there := y.seen[id]; there {
		return l
	}
	l := look{look: canon.NameLook(word)}
	for _, part := range append(parts(word), l.look) {
		l.named = l.named || slices.ContainsFunc(canon.WordTags(y.key, canon.NameLook(part), capital), y.isName)
	}
	if len(y.seen) >= maxKnown {
		clear(y.seen)
	}
	y.seen[id] = l
	return l
}

// isLook reports whether words look like a name together; it looks neighbours up once.
func (y *yard) isLook(whole string) bool {
	is, there := y.wholes[whole]
	if !there {
		if len(y.wholes) >= maxKnown {
			clear(y.wholes)
		}
		is = y.named[canon.NameTag(y.key, whole)]
		y.wholes[whole] = is
	}
	return is
}

func (y *yard) isName(tag Hash) bool { return y.named[tag] }

func capitalFirst(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

// parts are the letters of a word that has digits before or behind them; none of
// others.
func parts(word string) []string {
	if word = strings.TrimFunc(word, unicode.IsDigit); word == "" {
		return nil
	}
	if strings.IndexFunc(word, unicode.IsDigit) < 0 && utf8.RuneCountInString(word) >= minMark {
		return []string{word}
	}
	return nil
}

// joined reports whether neighbours among words make a name together: two with a
// little between them, or more with nothing but marks.
func (y *yard) joined(text string, list []piece) bool {
	for i := range list {
		whole, spaced := list[i].look, false
		for j := i + 1; j < len(list) && j < i+maxParts; j++ {
			gap := text[list[j-1].to:list[j].from]
			spaced = spaced || strings.Contains(gap, " ")
			if len(gap) > maxJoint || spaced && j > i+1 {
				break
			}
			if whole += list[j].look; len(whole) > maxNameLook {
				break
			}
			if len(whole) >= minJoined && y.isLook(whole) {
				return true
			}
		}
	}
	return false
}

// apart reports whether a name is written letter by letter, with or without a part at
// its ends that is not.
func (y *yard) apart(text string, list []piece) bool {
	close := func(i int) bool { return 0 < i && i < len(list) && list[i].from-list[i-1].to <= maxJoint }
	for from, left := 0, maxLetters; from < len(list) && left > 0; {
		if !list[from].single {
			from++
			continue
		}
		to := from + 1
		for close(to) && list[to].single {
			to++
		}
		first, last := from, to
		if close(from) {
			first--
		}
		if close(to) {
			last++
		}
		if to-from > 1 && y.spelled(list[first:min(last, first+left)]) {
			return true
		}
		left -= to - from
		from = to
	}
	return false
}

// spelled reports whether some of the pieces in a row make a name.
func (y *yard) spelled(list []piece) bool {
	for from := range list {
		whole := ""
		for _, p := range list[from:min(len(list), from+maxApart)] {
			if whole += p.look; len(whole) > maxNameLook {
				break
			}
			if len(whole) >= minApart && y.isLook(whole) {
				return true
			}
		}
	}
	return false
}

// old reports whether a text has a word of a value that was forgotten before
// tombstones kept names: one that could be a name, as nobody knows which were.
func (y *yard) old(text string, words []placed) bool {
	if !y.aged {
		return false
	}
	for _, w := range words {
		if word := text[w.from:w.to]; (len(words) == 1 || !w.begins && capitalFirst(word) || identifies(word)) && maybeName(word) &&
			slices.ContainsFunc(w.strict, func(stem int) bool { return y.tombs[y.of[stem]].V < naming }) {
			return true
		}
	}
	return false
}

// maybeName reports whether a word could be a name or a number that tells something
// apart.
func maybeName(word string) bool {
	switch form := canon.Form(word); {
	case strings.IndexFunc(word, canon.Unspaced) >= 0:
		return false
	case isNumber(form):
		return len(form) >= minNumber
	case identifies(word):
		return true
	default:
		return len(canon.Names(form)) > 0 && !canon.Everyday(form)
	}
}

// recalls reports whether what is imported names something that was forgotten, in any
// of its fields.
func (c *Case) recalls(b Body) bool {
	if c.Proposal.Writer != ByImport || len(c.State.tombs) == 0 {
		return false
	}
	if c.aids.yard == nil {
		c.aids.yard = newYard(c.Key, c.State.buried())
	}
	return slices.ContainsFunc(c.fields(b), c.aids.yard.holds)
}
