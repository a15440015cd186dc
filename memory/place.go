package memory

import (
	"slices"
	"strconv"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// put finds the place of a new belief among the others: it repeats one, corrects
// one, contradicts one or is new. Hold is why it has to wait for the owner, if it
// has to. It returns the note that was known already, if one was.
func (c *Case) put(b Body, ev []Evidence, hold Reason) ([]Op, nacre.NoteID) {
	if n := c.same(b); n != nil {
		return c.repeat(n, ev, hold), n.ID
	}
	old := c.replaced(b)
	if len(b.Text)+c.State.size() > MaxLive {
		return c.refuse(Full), ""
	}
	if hold == "" && len(old) > 0 && !c.mayReplace(old[0], ev) {
		hold = Contradicts
	}
	if hold != "" {
		return c.wait(b, ev, hold, old), ""
	}
	ops := c.place(b, ev, old)
	if c.tops(b) {
		ops = append(ops, c.op(Pin, c.Fresh, ""))
	}
	return ops, ""
}

// tops reports whether a new note is pinned at once: it was at the top of what the
// owner imports. It is unpinned like any that was pinned by itself.
func (c *Case) tops(b Body) bool {
	return c.Proposal.Writer == ByImport && c.Proposal.Draft.Pinned && b.Topic == ""
}

// same is a note that says the same already: a live one first, then one that
// waits. To what is imported, one that was let go since says the same too, unless it
// is gone because an import of it was taken back.
func (c *Case) same(b Body) *Note {
	form := canon.Form(b.Text)
	var waiting *Note
	for _, n := range c.State.notes {
		past := n.Status == Archived && c.Proposal.Writer == ByImport && n.Decided != ByImport
		if !n.Status.Live() && n.Status != Candidate && !past || n.Slot.Scope != b.Slot.Scope || n.form() != form {
			continue
		}
		if n.Status.Live() {
			return n
		}
		waiting = n
	}
	return waiting
}

// repeat adds evidence to a note that is said again. Two messages that are
// independent make an inferred note an observed one, the owner's wish makes it
// stated; a note that waits goes on waiting, unless the owner themselves wants it
// and nothing holds it. What is imported says nothing anew, whatever it cites.
func (c *Case) repeat(n *Note, ev []Evidence, hold Reason) []Op {
	if c.Proposal.Writer == ByImport {
		return nil
	}
	ev = slices.DeleteFunc(ev, func(e Evidence) bool {
		return slices.ContainsFunc(n.Evidence, func(o Evidence) bool { return o.Message == e.Message })
	})
	to := c.raised(n, ev, hold)
	if len(ev) == 0 && to == n.Status {
		return nil
	}
	op := c.op(Support, n.ID, c.reason())
	op.Payload.Evidence = ev
	if to != n.Status {
		op.Payload.Status = to
	}
	return []Op{op}
}

func (c *Case) raised(n *Note, ev []Evidence, hold Reason) Status {
	switch {
	case hold != "":
		return n.Status
	case c.spoken() && (n.Status.Live() || n.Against == ""):
		return Stated
	case n.Status == Tentative && slices.ContainsFunc(ev, func(e Evidence) bool { return c.independent(n, e) }):
		return Observed
	}
	return n.Status
}

// independent reports whether a message says again what all before it said.
func (c *Case) independent(n *Note, e Evidence) bool {
	return !e.Spoken && !slices.ContainsFunc(n.Evidence, func(o Evidence) bool { return !Independent(o.Sent, e.Sent, c.Zone) })
}

// replaced are the live notes that a new one would take the place of: that of
// its slot and those that its writer names.
func (c *Case) replaced(b Body) []*Note {
	var list []*Note
	for _, n := range c.State.notes {
		named := len(c.Proposal.Draft.Replaces) > 0 && slices.Contains(c.Proposal.Draft.Replaces, n.Slot.String())
		if n.Status.Live() && n.Slot.Scope == b.Slot.Scope && (n.Slot == b.Slot || named) {
			list = append(list, n)
		}
	}
	return list
}

// mayReplace reports whether a writer may correct a note. The owner may. A model
// may where the words are newer than those of the note, and the note is not one
// that the owner stated; else the owner decides.
func (c *Case) mayReplace(old *Note, ev []Evidence) bool {
	switch {
	case c.spoken():
		return true
	case c.Proposal.Writer == ByStyle:
		return old.Origin == FromEmail && old.Status != Stated
	case old.Status == Stated || len(ev) == 0 || c.Proposal.Writer == ByImport:
		return false
	}
	return newest(ev).After(newest(old.Evidence))
}

func newest(ev []Evidence) time.Time {
	var t time.Time
	for _, e := range ev {
		if e.Sent.After(t) {
			t = e.Sent
		}
	}
	return t
}

// wait stores a note for the owner to decide on. It stands in a slot of its own.
func (c *Case) wait(b Body, ev []Evidence, why Reason, old []*Note) []Op {
	if c.Proposal.Writer == ByImport || c.Proposal.Writer == ByStyle || c.Proposal.Writer == ByRestore {
		return c.refuse(why)
	}
	op := c.add(Add, b, ev, Candidate)
	op.Reason = why
	if len(old) > 0 {
		op.Payload.Against = old[0].ID
	}
	return []Op{op}
}

// place stores a note, in the place of those that it corrects.
func (c *Case) place(b Body, ev []Evidence, old []*Note) []Op {
	status := c.status(b)
	if len(old) == 0 {
		return []Op{c.add(Add, b, ev, status)}
	}
	op := c.add(Revise, b, ev, status)
	op.Payload.Replaces = old[0].ID
	ops := []Op{op}
	for _, n := range old[1:] {
		gone := c.op(Settle, n.ID, Merged)
		gone.Payload.Status = Archived
		ops = append(ops, gone)
	}
	return ops
}

// status is how far a new note is trusted.
func (c *Case) status(b Body) Status {
	switch {
	case b.Origin == FromEmail:
		return Observed
	case c.spoken(), b.Origin == FromImport:
		return Stated
	}
	return Tentative
}

func (c *Case) add(k OpKind, b Body, ev []Evidence, s Status) Op {
	op := c.op(k, c.Fresh, c.Proposal.Why)
	op.Tag = tag(c.Key, b)
	op.Payload.Body, op.Payload.Evidence, op.Payload.Status = &b, ev, s
	return op
}

// edit puts the owner's new words in the place of a note's. What they leave
// empty stays as it was.
func (c *Case) edit(n *Note) []Op {
	if n.Status != Candidate && !n.Status.Live() {
		return c.refuse(NotLegal)
	}
	b, why := c.revision(n)
	if why == "" {
		why = c.sensitive(&b)
	}
	if why != "" {
		return c.refuse(why)
	}
	if b.Text == n.Text && b.Slot == n.Slot {
		return nil
	}
	lifts, bad := c.entombed(b, true)
	if bad != "" && !c.Proposal.Consent.Forgotten {
		return c.refuse(Forgotten)
	}
	if other := c.State.Live(b.Slot); other != nil && other != n {
		return c.refuse(Taken)
	}
	op := c.add(Revise, b, nil, Stated)
	op.Payload.Replaces = n.ID
	return append(c.lift(lifts), op)
}

// revision is what an Edit makes of a note.
func (c *Case) revision(n *Note) (Body, Reason) {
	d := &c.Proposal.Draft
	if d.Area == "" {
		d.Area = n.Slot.Area
	}
	if d.Slug == "" {
		d.Slug = n.Slot.Slug
	}
	return c.body()
}

// keep makes a note that waits live beside the one that it contradicts.
func (c *Case) keep(n *Note) []Op {
	if n.Status != Candidate {
		return c.refuse(NotLegal)
	}
	b := n.Body
	for i := 2; c.State.Live(b.Slot) != nil; i++ {
		b.Slot.Slug = Slug(n.Slot.Slug) + "-" + strconv.Itoa(i)
	}
	lifts, _ := c.entombed(b, true)
	op := c.add(Revise, b, n.Evidence, Stated)
	op.Payload.Replaces = n.ID
	return append(c.lift(lifts), op)
}
