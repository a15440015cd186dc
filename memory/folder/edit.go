package folder

import (
	"context"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/render"
)

// readBack takes over what a hand did. What looks like an accident, or cannot be
// told from what was there before, changes nothing.
func (f *Folder) readBack(ctx context.Context, h *home, s *scene, st *memory.State, list []render.Line, found, patient bool) ([]Report, error) {
	shown := visible(st)
	if text, err := render.File(s.file, shown); err != nil || dated(text, dateOf(s.file)) == s.file {
		return nil, err // as is mostly so
	}
	now, err := s.marker.written(shown)
	if err != nil {
		return nil, err
	}
	notes := make(map[tag]*memory.Note, len(shown))
	for _, n := range shown {
		notes[s.marker.slot(n.Slot)] = n
	}
	mine := s.marker.trace(s.base, list, notes)
	if !s.written {
		return foreign(mine, now), nil
	}
	base, mine := s.marker.unseen(dateOf(s.file), st, s.base, mine)
	if !found && len(base) > 0 || accident(base, mine) {
		if patient && h.doubts(s.file) {
			return nil, errUnfinished
		}
		return []Report{{What: Lost, File: Memory}}, nil
	}
	reports, err := f.takeOver(ctx, h.owner, st, notes, compare(base, mine, now))
	if len(reports) > 0 {
		s.base, s.ahead = nil, true
		for _, l := range mine {
			s.base = append(s.base, l.mark)
		}
	}
	return reports, err
}

// foreign reports lines that memory does not have and of which nobody can tell
// where they are from.
func foreign(mine []hand, now []mark) []Report {
	is := bySlot(now)
	for i := range mine {
		if !same(&mine[i].mark, is[mine[i].slot]) {
			return []Report{{What: Foreign, File: Memory}}
		}
	}
	return nil
}

// takeOver proposes what a hand did, as the owner's own wish, and reports what
// became of it.
func (f *Folder) takeOver(ctx context.Context, owner nacre.OwnerID, st *memory.State, notes map[tag]*memory.Note, list []change) ([]Report, error) {
	reports := make([]Report, len(list))
	var proposals []memory.Proposal
	var asked []int // the place in list of each proposal
	for i, c := range list {
		n := notes[c.of]
		switch {
		case c.twice:
			reports[i] = c.report(Twice, "", n)
			continue
		case c.do == "" || c.do != memory.Learn && n == nil:
			reports[i] = c.report(Clashed, "", n)
			continue
		}
		proposals, asked = append(proposals, c.proposal(n)), append(asked, i)
	}
	if len(proposals) == 0 {
		return reports, nil
	}
	outcomes, err := f.library.Book(owner).Propose(ctx, proposals...)
	if err != nil {
		return nil, err
	}
	for j, i := range asked {
		reports[i] = list[i].outcome(outcomes[j], notes[list[i].of])
	}
	return reports, nil
}

// proposal is a change as memory is asked for it. N is the note that it is
// about, nil for Learn.
func (c change) proposal(n *memory.Note) memory.Proposal {
	p := memory.Proposal{Writer: memory.ByFile, Do: c.do}
	if n != nil {
		p.Note, p.Hash = n.ID, n.Hash()
	}
	if c.do == memory.Learn || c.do == memory.Edit {
		p.Draft = c.line.draft(n)
	}
	return p
}

// draft is a line as a note. What was noted of old words, such as dates, need
// not hold for new ones, and goes with them.
func (l *hand) draft(old *memory.Note) memory.Draft {
	d := memory.Draft{Area: l.place.Area, Slug: l.place.Slug, Text: l.text}
	if old == nil {
		return d
	}
	d.Kind = old.Kind
	if strings.Join(strings.Fields(l.text), " ") == old.Text {
		d.Abstract, d.Entities = old.Abstract, old.Entities
		d.From, d.To = old.Valid.From.String(), old.Valid.To.String()
		d.Event, d.Expires = old.Event.String(), old.Expires.String()
	}
	return d
}

// outcome is what became of a change; n is the note as it was before.
func (c change) outcome(o memory.Outcome, n *memory.Note) Report {
	switch why, waits := o.Waits(); {
	case o.Refused == memory.Stale:
		return c.report(Clashed, "", n)
	case o.Refused != "":
		return c.report(Refused, o.Refused, n)
	case waits:
		return c.report(Waiting, why, n)
	case c.do == memory.Learn:
		return c.report(Added, "", n)
	case c.do == memory.Archive:
		return c.report(Archived, "", n)
	}
	return c.report(Changed, "", n)
}

// report names the note only if memory has it: a new name is the hand's own
// words.
func (c change) report(what What, why memory.Reason, n *memory.Note) Report {
	r := Report{What: what, File: Memory, Reason: why}
	if c.line != nil {
		r.Line = c.line.number
		if (what == Refused || what == Clashed || what == Twice) && tellable(c.line.text, why) {
			r.Text = shortened(c.line.text)
		}
	}
	if n != nil {
		r.Note = n.Slot.String()
	}
	return r
}

// tellable reports whether the words of a line that is gone from the file may go
// into a message: not what was forgotten, nor what might be a secret or touches
// a sensitive topic, whatever else is wrong with it.
func tellable(text string, why memory.Reason) bool {
	switch why {
	case memory.IsSecret, memory.IsSensitive, memory.Forgotten, memory.TombExact, memory.TombValue:
		return false
	}
	_, secret := canon.Secret(text)
	return !secret && len(canon.Topics(text)) == 0
}

// mostQuoted is how many characters of a line are repeated to the owner.
const mostQuoted = 80

// shortened is the beginning of a text, on one line.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > mostQuoted {
		return string(r[:mostQuoted-1]) + "…"
	}
	return text
}
