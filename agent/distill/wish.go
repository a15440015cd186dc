package distill

import (
	"strings"

	"nacre/agent/phrase"
	"nacre/memory/canon"
)

// wishes are what a text asks to keep, in its order: what to remember, what was
// said wrongly before, what is preferred. Sentences without a phrase of their own
// go on with what there is to remember, until a blank line; one that says what
// something of the owner's is ("my cat is called Tom") stands for itself.
func wishes(text string) []phrase.Intent {
	var all []phrase.Intent
	open := false // the last one may go on
	for _, s := range phrase.Sentences(text) {
		in := phrase.Parse(text[s.Start:s.End])
		switch {
		case in.Kind == phrase.Remember || in.Kind == phrase.Correct || in.Kind == phrase.Preference:
			in.Start, in.End = in.Start+s.Start, in.End+s.Start
			all = append(all, in)
			open = in.Kind == phrase.Remember
		case in.Kind != phrase.None || s.Apart:
			open = false
		case open:
			all = goOn(all, text, s)
		}
	}
	return all
}

// goOn adds a sentence to what there is to remember.
func goOn(all []phrase.Intent, text string, s phrase.Sentence) []phrase.Intent {
	last := &all[len(all)-1]
	end := s.Start + len(strings.TrimRight(text[s.Start:s.End], ".!…。！ "))
	if end == s.Start {
		return all
	}
	if _, ok := thingOf(text[s.Start:end]); ok {
		return append(all, phrase.Intent{Kind: phrase.Remember, Lang: last.Lang, Payload: text[s.Start:end], Start: s.Start, End: end})
	}
	last.End = end
	last.Payload = text[last.Start:end]
	return all
}

// asks reports whether the owner asks, in the message itself, to keep the quoted
// words.
func (s *saying) asks(quote string) bool {
	for _, text := range s.texts {
		from, to, ok := canon.Find(text, quote)
		if !ok {
			continue
		}
		for _, w := range wishes(text) {
			if w.Kind != phrase.Preference && from < w.End && w.Start < to {
				return true
			}
		}
	}
	return false
}
