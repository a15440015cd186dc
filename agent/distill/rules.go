package distill

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"nacre/agent/phrase"
	"nacre/memory"
	"nacre/memory/canon"
)

// byRules proposes what the owner asks to keep in so many words. The note is what
// they wrote, in the order of a main clause.
func byRules(in *Input, w *window) []memory.Proposal {
	var all []memory.Proposal
	for i := range w.sayings {
		s := &w.sayings[i]
		if s.role == before {
			continue
		}
		for _, text := range s.texts {
			for _, wish := range wishes(text) {
				p := in.learn(in.draft(wish), s, wish.Payload)
				p.Asked = wish.Kind != phrase.Preference && !in.unasked()
				p.Sensitive = new(bool) // no rule of ours: Review looks for topics itself
				all = append(all, p)
			}
		}
	}
	return all
}

// draft makes a note of a wish.
func (in *Input) draft(w phrase.Intent) memory.Draft {
	d := memory.Draft{Area: areaOf(w), Text: phrase.Statement(w.Payload, w.Lang), Kind: memory.KindFact}
	if prefers(w) {
		d.Kind = memory.KindPreference
	}
	t, ok := thingOf(w.Payload)
	if ok && t.single(d.Area) {
		d.Slug = t.slug()
	} else {
		d.Slug = in.free(d.Area, slug(salient(w.Payload, w.Lang)), d.Text)
	}
	old := in.at(d.Area, d.Slug)
	if old == nil && w.Kind == phrase.Correct {
		old = in.similar(d, w.Lang)
	}
	if old != nil && w.Kind != phrase.Preference && !same(old.Text, d.Text) {
		d.Replaces = []string{old.Slot.String()}
	}
	return d
}

// at is the note in a place, nil if there is none.
func (in *Input) at(a memory.Area, slug string) *memory.Note {
	i := slices.IndexFunc(in.Notes, func(n *memory.Note) bool { return n.Slot.Area == a && n.Slot.Slug == slug })
	if i < 0 {
		return nil
	}
	return in.Notes[i]
}

// free numbers a slug that was made of a note's words, if another note has the
// same.
func (in *Input) free(a memory.Area, base, text string) string {
	slug := base
	for i := 2; ; i++ {
		if n := in.at(a, slug); n == nil || same(n.Text, text) {
			return slug
		}
		slug = fmt.Sprintf("%s-%d", strings.TrimRight(cut(base, maxSlug-4), "-"), i)
	}
}

func same(a, b string) bool { return canon.Form(a) == canon.Form(b) }

// enough is the share of a correction's words that the corrected note has too.
const enough = 0.5

// similar is the note that a correction is most likely about: of the same area or
// with a name that it says too, and with half of its words. Of equals the newest
// is taken; nil means none.
func (in *Input) similar(d memory.Draft, lang string) *memory.Note {
	words := meaning(d.Text, lang)
	if len(words) < 2 {
		return nil
	}
	var best *memory.Note
	var most float64
	for _, n := range in.Notes {
		if n.Slot.Area != d.Area && !slices.ContainsFunc(n.Entities, func(name string) bool { return canon.Contains(d.Text, name) }) {
			continue
		}
		old := meaning(n.Text, lang)
		share := canon.Overlap(words, old)
		if score := share + canon.Overlap(old, words); share >= enough && score >= most {
			best, most = n, score
		}
	}
	return best
}

// meaning is the words by which two notes are compared; in Chinese, characters,
// since a pair of them is too much to have in common.
func meaning(text, lang string) []string {
	if lang != "zh" {
		return canon.Words(text, []string{lang})
	}
	apart := func(r rune) string {
		switch {
		case strings.ContainsRune("我你他她它的了是很", r):
			return " "
		case unicode.Is(unicode.Han, r):
			return " " + string(r) + " "
		}
		return string(r)
	}
	var b strings.Builder
	for _, r := range canon.Form(text) {
		b.WriteString(apart(r))
	}
	return strings.Fields(b.String())
}
