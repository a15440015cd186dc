package main

import (
	"slices"
	"strings"
	"unicode"

	"nacre/memory"
	"nacre/memory/canon"
)

// edited is a note with another text. What was noted of the old words stays as far
// as the new ones still say it: its kind, the names that are in them, and its dates
// where no number of the text changed, nor a word beside one. An abstract is of the
// old words alone.
func edited(n *memory.Note, text string) memory.Draft {
	d := memory.Draft{Area: n.Slot.Area, Slug: n.Slot.Slug, Text: text, Kind: n.Kind}
	for _, name := range n.Entities {
		if canon.Contains(text, name) {
			d.Entities = append(d.Entities, name)
		}
	}
	if was := numbered(n.Text); len(was) > 0 && slices.Equal(was, numbered(text)) {
		d.From, d.To, d.Event, d.Expires = n.Valid.From.String(), n.Valid.To.String(), n.Event.String(), n.Expires.String()
	}
	return d
}

// numbered are the words of a text that hold a digit, each with the words beside
// it, as in "on 3 May" and "May 2026".
func numbered(text string) []string {
	words := strings.Fields(canon.Form(text))
	var list []string
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			list = append(list, strings.Join(words[max(0, i-1):min(len(words), i+2)], " "))
		}
	}
	return list
}
