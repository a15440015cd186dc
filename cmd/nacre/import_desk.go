package main

import (
	"context"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/moving"
	"nacre/web"
)

// Limits of what is imported at once.
const (
	maxImport      = 1_000_000 // bytes
	mostImported   = 10_000    // notes
	importedLength = 200       // characters that are shown of one
)

// Import implements web.Memory. All of it is one decision, which an undo takes back
// as one.
func (m memoryDesk) Import(ctx context.Context, i web.Import) (web.Imported, error) {
	if len(i.Text) > maxImport {
		return web.Imported{}, nacre.Errorf(nacre.Invalid, "That is more than 1 MB of text; import it in parts.")
	}
	notes, err := moving.Markdown(strings.NewReader(i.Text))
	if err != nil {
		return web.Imported{}, err
	}
	if len(notes) > mostImported {
		return web.Imported{}, nacre.Errorf(nacre.Invalid, "Those are more than 10,000 notes; import them in parts.")
	}
	decide := m.book().Propose
	if i.Dry {
		decide = m.book().Try
	}
	outcomes, err := decide(ctx, m.proposals(notes)...)
	if err != nil {
		return web.Imported{}, err
	}
	if !i.Dry {
		m.settled(ctx)
	}
	return importedOf(notes, outcomes, i.Dry), nil
}

// proposals are what is to be decided of notes.
func (m memoryDesk) proposals(notes []moving.Note) []memory.Proposal {
	var list []memory.Proposal
	for i := range notes {
		if n := &notes[i]; n.Left == "" {
			list = append(list, memory.Proposal{Writer: memory.ByImport, Via: channelOf(m.by), Do: memory.Learn, Draft: n.Draft, Sensitive: &n.Sensitive})
		}
	}
	return list
}

// importedOf says what became of notes; outcomes are those of the ones that were
// not left out before.
func importedOf(notes []moving.Note, outcomes []memory.Outcome, dry bool) web.Imported {
	done := web.Imported{Dry: dry, Lines: make([]web.ImportedLine, len(notes))}
	count := map[web.ImportWhat]*int{web.ImportAdds: &done.Added, web.ImportWaits: &done.Waits, web.ImportKnown: &done.Known, web.ImportLeft: &done.Kept}
	for i, n := range notes {
		l := web.ImportedLine{Line: n.Line, Area: n.Draft.Area, Text: shortened(n.Draft.Text), What: web.ImportLeft, Words: n.Left}
		if n.Left == "" {
			o := outcomes[0]
			outcomes = outcomes[1:]
			l.What, l.Reason = becameOf(o)
			l.Words = sentence(l.Reason)
			if l.Reason == memory.IsSecret {
				l.Text = "" // the number of the line leads to it
			}
			if o.Note != nil && !dry {
				l.Note = o.Note.ID
			}
		}
		*count[l.What]++
		done.Lines[i] = l
	}
	return done
}

// becameOf is what became of a line, and why.
func becameOf(o memory.Outcome) (web.ImportWhat, memory.Reason) {
	why, waits := o.Waits()
	switch {
	case o.Refused != "":
		return web.ImportLeft, o.Refused
	case o.Same:
		return web.ImportKnown, ""
	case waits:
		return web.ImportWaits, why
	}
	return web.ImportAdds, ""
}

// shortened is the beginning of a line of what is imported.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= importedLength {
		return text
	}
	return string([]rune(text)[:importedLength]) + "…"
}
