package main

import (
	"context"
	"slices"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// channelOf is the channel over which a hand writes.
func channelOf(by memory.Writer) nacre.ChannelName {
	if by == memory.ByPage {
		return nacre.Web
	}
	return nacre.Terminal
}

// Propose implements web.Memory.
func (m memoryDesk) Propose(ctx context.Context, c web.Change) (web.Outcome, error) {
	p := memory.Proposal{Writer: m.by, Via: channelOf(m.by), Do: c.Do, Note: c.Note, Hash: c.Hash,
		Draft: memory.Draft{Text: c.Text}, Consent: memory.Consent{Sensitive: c.Sensitive, Forgotten: c.Forgotten},
		Setting: c.Setting, On: c.On}
	switch c.Do {
	case memory.Learn:
		slot, ok := parsePath(c.Path)
		if !ok {
			return web.Outcome{}, nacre.Errorf(nacre.Invalid, "write where the note stands as area/name, such as about/bike; the areas are %s", areas())
		}
		p.Draft.Area, p.Draft.Slug = slot.Area, slot.Slug
	case memory.Set, memory.TakeBack:
	case memory.Decline: // is for those who ask on behalf of somebody
		return web.Outcome{}, nacre.Errorf(nacre.Invalid, "there is no change of that kind")
	default:
		if c.Note == "" || c.Hash == "" {
			return web.Outcome{}, nacre.Errorf(nacre.Invalid, "name the note by its id and by the hash of what you were shown; nobody decides on what they have not seen")
		}
	}
	return m.propose(ctx, p)
}

func (m memoryDesk) propose(ctx context.Context, p memory.Proposal) (web.Outcome, error) {
	if p.Note != "" {
		n, err := m.known(ctx, p.Note)
		if err != nil {
			return web.Outcome{}, err
		}
		p.Scope = n.Slot.Scope
		if p.Do == memory.Edit {
			p.Draft = edited(n, p.Draft.Text)
		}
	}
	before, err := m.book().State(ctx)
	if err != nil {
		return web.Outcome{}, err
	}
	done, err := m.book().Propose(ctx, p)
	if err != nil {
		return web.Outcome{}, err
	}
	m.settled(ctx)
	out := web.Outcome{Refused: done[0].Refused, Same: done[0].Same, Words: sentence(done[0].Refused)}
	if p.Do == memory.TakeBack && out.Refused == "" {
		after, err := m.book().State(ctx)
		if err != nil {
			return out, err
		}
		out.Undone = render.Differences(before, after, oneRow)
	}
	if n := done[0].Note; n != nil {
		note := m.shown(n, 0)
		out.Note = &note
	}
	return out, nil
}

// known is a note of any scope that is not forgotten.
func (m memoryDesk) known(ctx context.Context, id nacre.NoteID) (*memory.Note, error) {
	state, err := m.book().State(ctx)
	if err != nil {
		return nil, err
	}
	return findNote(state, web.NoteName{Name: string(id), Which: web.AllNotes})
}

// plan makes the plan of a forgetting.
func (m memoryDesk) plan(ctx context.Context, f web.Forgetting) (memory.Plan, error) {
	if !slices.Contains([]memory.Size{memory.SizeNote, memory.SizeSaid, memory.SizeAbout, memory.SizeHidden, memory.SizeAll}, f.Size) {
		return memory.Plan{}, nacre.Errorf(nacre.Invalid, "one can forget a note, what was said of it, what is about something, what is hidden, and all")
	}
	want := memory.Forgetting{Writer: m.by, Via: channelOf(m.by), Size: f.Size, Note: f.Note, Words: f.Words}
	if f.Note != "" {
		n, err := m.known(ctx, f.Note)
		if err != nil {
			return memory.Plan{}, err
		}
		want.Scope = n.Slot.Scope
	}
	return m.book().Plan(ctx, want)
}

// Plan implements web.Memory.
func (m memoryDesk) Plan(ctx context.Context, f web.Forgetting) (web.Plan, error) {
	p, err := m.plan(ctx, f)
	if err != nil {
		return web.Plan{}, err
	}
	out := web.Plan{Base: p.Base, Size: p.Size, Notes: []web.Note{}, Counts: p.Counts}
	for _, n := range p.Notes {
		out.Notes = append(out.Notes, m.shown(n, 0))
	}
	return out, nil
}

// Forget implements web.Memory. The plan is made once more, so that words that
// were said since it was shown go too; it takes no other notes, since memory is
// at the same version. Without a size it only cuts.
func (m memoryDesk) Forget(ctx context.Context, f web.Forgetting) (memory.Receipt, error) {
	if f.Size == "" && f.Cut {
		return memory.Receipt{}, m.cut(ctx)
	}
	p, err := m.plan(ctx, f)
	switch {
	case err != nil:
		return memory.Receipt{}, err
	case p.Base != f.Base:
		return memory.Receipt{}, nacre.Errorf(nacre.Conflict, "memory has changed since you were shown what would be forgotten, so nothing was; look again")
	}
	r, err := m.book().Forget(ctx, p)
	if err != nil {
		return r, err
	}
	if f.Cut {
		if err := m.book().Cut(ctx); err != nil {
			return r, err
		}
		r.Prose = nil
	}
	m.settled(ctx)
	return r, nil
}

// cut blanks out, in the owner's own prose, what they had forgotten before.
func (m memoryDesk) cut(ctx context.Context) error {
	left, err := m.app.ledger.Unfinished(ctx)
	if err != nil {
		return err
	}
	mine := func(u memory.Unfinished) bool { return u.Owner == m.owner && u.Erasure.Needle != nil }
	if !slices.ContainsFunc(left, mine) {
		return nacre.Errorf(nacre.NotFound, "nothing that was forgotten is left in your own words, so nothing was changed")
	}
	if err := m.book().Cut(ctx); err != nil {
		return err
	}
	m.settled(ctx)
	return nil
}

// settled writes MEMORY.md anew where nothing runs that would. What fails is made
// good at the next start, and takes nothing back.
func (m memoryDesk) settled(ctx context.Context) {
	if m.app.since.IsZero() {
		m.app.folder.Sync(ctx, m.owner)
	}
}
