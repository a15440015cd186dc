package memory

import (
	"slices"

	"nacre"
	"nacre/memory/canon"
)

// MaxLive bounds the bytes of text of an owner's live notes. A save beyond it is
// refused.
const MaxLive = 256 << 10

// learn decides on a new belief. The checks stand in the order in which a
// refusal says most: may anybody save, is there something to save, may it be
// kept at all, did the owner say it.
func (c *Case) learn() ([]Op, nacre.NoteID) {
	p := &c.Proposal
	if why := c.closed(); why != "" {
		return c.refuse(why), ""
	}
	b, why := c.body()
	if why != "" {
		return c.refuse(why), ""
	}
	ev, why := c.evidence(b)
	if why != "" {
		return c.refuse(why), ""
	}
	if why := c.sensitive(&b); why != "" {
		return c.refuse(why), ""
	}
	lifts, bad := c.entombed(b, c.spoken())
	if bad == "" && c.recalls(b) {
		bad = TombValue
	}
	switch {
	case bad == TombExact || bad == TombValue:
		if !c.spoken() {
			return c.refuse(bad), ""
		}
		if !p.Consent.Forgotten {
			return c.refuse(Forgotten), ""
		}
	case c.waits(b, ev) != "": // the graver reason to wait
		bad = c.waits(b, ev)
	}
	if bad == TombExact || bad == TombValue {
		ops, about := c.put(b, ev, "")
		return append(c.lift(lifts), ops...), about
	}
	return c.put(b, ev, bad)
}

// closed reports why nothing is saved now. What an owner imports they want kept now,
// also if nothing is to be taken from their chats.
func (c *Case) closed() Reason {
	p := &c.Proposal
	switch {
	case !c.State.On(Saving) && !p.Writer.Owner() && p.Writer != ByImport:
		return Paused
	case p.Scope != Private && !c.State.On(GroupSetting(p.Scope)):
		return GroupOff
	}
	return ""
}

// spoken reports whether the owner themselves wants exactly this, now.
func (c *Case) spoken() bool { return c.Proposal.Writer.Owner() || c.Proposal.Asked }

// waits reports why a note is for the owner to decide on.
func (c *Case) waits(b Body, ev []Evidence) Reason {
	p := &c.Proposal
	inPerson := p.Writer == ByPage || p.Writer == ByShell || p.Writer == ByFile
	switch {
	case !inPerson && c.orders(b, ev):
		return IsInstruction
	case len(ev) > 0 && !slices.ContainsFunc(ev, func(e Evidence) bool { return !e.Spoken }):
		return Spoken
	}
	return ""
}

// orders reports whether a note, or the words that it rests on, tell the
// assistant what to do.
func (c *Case) orders(b Body, ev []Evidence) bool {
	if canon.Instruction(b.Text) || canon.Instruction(b.Abstract) {
		return true
	}
	if c.Proposal.Writer == ByImport && slices.ContainsFunc(b.Entities, canon.Instruction) {
		return true
	}
	return slices.ContainsFunc(ev, func(e Evidence) bool { return canon.Instruction(e.Quote(c.Sources[e.Message])) })
}

// Unnamed is the topic of what its writer calls sensitive without our knowing
// why.
const Unnamed canon.Topic = "sensitive"

// sensitive finds the sensitive topic of a note, in whatever field or quote it
// shows, and refuses what the owner has not allowed. A writer's flag can only
// add to what is found.
func (c *Case) sensitive(b *Body) Reason {
	p := &c.Proposal
	if p.Sensitive == nil && !p.Writer.Owner() {
		return NoFlag
	}
	for _, text := range c.fields(*b) {
		if topics := canon.Topics(text); len(topics) > 0 {
			b.Topic = topics[0]
			break
		}
	}
	if b.Topic == "" && p.Sensitive != nil && *p.Sensitive {
		b.Topic = Unnamed
	}
	if b.Topic == "" || c.State.On(Sensitive) {
		return ""
	}
	b.Allowed = p.Consent.Sensitive && c.spoken()
	if !b.Allowed {
		return IsSensitive
	}
	return ""
}

// fields are all the words of a proposal: the slug reads as words too.
func (c *Case) fields(b Body) []string {
	list := []string{b.Text, b.Abstract, spaced(b.Slot.Slug)}
	list = append(list, b.Entities...)
	for _, cite := range c.Proposal.cites() {
		list = append(list, cite.Quote)
	}
	return list
}
