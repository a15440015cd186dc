package memory

import (
	"slices"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// Case is everything that Review may know.
type Case struct {
	State    *State
	Proposal Proposal
	Sources  map[nacre.MessageID]Source // those that the Proposal cites
	Key      Hash                       // of the owner's tombstones
	Now      time.Time
	Zone     *time.Location
	Fresh    nacre.NoteID // the id of a new Note, if one is made

	aids *aids // of all that is decided at once; Review makes some where there are none
}

// aids are what is made once for all the Proposals of a decision, when it is first
// needed.
type aids struct {
	yard *yard // looks for what was forgotten

	said string      // the text that was cited last
	text *canon.Text // to find quotes in it
}

// find finds a quote in a text. Notes that cite one message come one after another.
func (a *aids) find(text, quote string) (from, to int, ok bool) {
	if a.text == nil || a.said != text {
		a.said, a.text = text, canon.NewText(text)
	}
	return a.text.Find(quote)
}

// Review decides on a Proposal: the Ops that carry it out, one Refuse Op that
// says why not, or none where nothing would change; about is the Note that was
// known already then. It is pure.
func Review(c Case) (ops []Op, about nacre.NoteID) {
	p := &c.Proposal
	if c.aids == nil {
		c.aids = &aids{}
	}
	if !may[p.Writer][p.Do] {
		return c.refuse(NotAllowed), ""
	}
	switch p.Do {
	case Learn:
		return c.learn()
	case Decline:
		return c.refuse(p.Why), ""
	case Set:
		return c.set(), ""
	case TakeBack:
		return c.takeBack(), ""
	}
	n := c.State.Note(p.Note)
	switch {
	case n == nil || n.Status == Erased || n.Slot.Scope != p.Scope && !p.Writer.Owner():
		return c.refuse(NoNote), ""
	case p.Hash != "" && p.Hash != n.Hash():
		if done := c.again(n); done != nil {
			return nil, done.ID
		}
		return c.refuse(Stale), n.ID
	case p.Writer.automatic() && n.Status == Stated && p.Do == Archive:
		return c.refuse(StatedKept), n.ID
	}
	return c.decide(n), n.ID
}

// may says which writer may do what. Nothing else is done for it, whatever it
// proposes.
var may = map[Writer]map[Verb]bool{
	ByChat:    verbs(Learn, Decline),
	ByCommand: verbs(Learn, Edit, Confirm, Keep, Archive, Bring, Reject, PinNote, UnpinNote, Set, TakeBack, Decline),
	ByPage:    verbs(Learn, Edit, Confirm, Keep, Archive, Bring, Reject, PinNote, UnpinNote, Set, TakeBack, Decline),
	ByShell:   verbs(Learn, Edit, Confirm, Keep, Archive, Bring, Reject, PinNote, UnpinNote, Set, TakeBack, Decline),
	ByFile:    verbs(Learn, Edit, Archive, PinNote, UnpinNote, Decline),
	ByImport:  verbs(Learn, Decline),
	ByReflect: verbs(Learn, Archive, Decline),
	ByRepair:  verbs(Archive, PinNote, UnpinNote, Decline),
	ByStyle:   verbs(Learn, Decline),
	ByRestore: verbs(Learn, Decline),
}

func verbs(list ...Verb) map[Verb]bool {
	m := map[Verb]bool{}
	for _, v := range list {
		m[v] = true
	}
	return m
}

// automatic reports whether a writer runs by itself, without the owner's having
// spoken just now.
func (w Writer) automatic() bool {
	return w == ByReflect || w == ByRepair || w == ByStyle || w == ByImport || w == ByRestore
}

// legal are the ways from one status to another.
var legal = map[Status][]Status{
	Candidate: {Stated, Rejected, Archived},
	Tentative: {Observed, Stated, Archived, Rejected},
	Observed:  {Stated, Archived, Rejected},
	Stated:    {Archived, Rejected},
	Archived:  {Stated},
	Rejected:  {Stated},
}

// decide does what is asked with one note.
func (c *Case) decide(n *Note) []Op {
	switch c.Proposal.Do {
	case Edit:
		return c.edit(n)
	case Keep:
		return c.keep(n)
	case Confirm:
		return c.confirm(n)
	case Archive:
		return c.settle(n, Archived, "")
	case Bring:
		return c.bring(n)
	case Reject:
		return c.reject(n)
	}
	return c.pin(n)
}

// pin pins a note, or does so no more. That says nothing about its being true, so
// what the owner stated may be pinned by itself, but not against their own
// decision, and nothing sensitive is.
func (c *Case) pin(n *Note) []Op {
	pin, itself := c.Proposal.Do == PinNote, c.Proposal.Writer.automatic()
	switch {
	case !n.Status.Live():
		return c.refuse(NotLegal)
	case n.Pinned == pin:
		return nil
	case itself && n.Held:
		return c.refuse(StatedKept)
	case itself && pin && n.Topic != "":
		return c.refuse(IsSensitive)
	case pin:
		return []Op{c.op(Pin, n.ID, c.Proposal.Why)}
	}
	return []Op{c.op(Unpin, n.ID, c.Proposal.Why)}
}

// settle gives a note another status. What it takes the place of is archived,
// unless that is gone meanwhile.
func (c *Case) settle(n *Note, to Status, instead nacre.NoteID) []Op {
	if n.Status == to {
		return nil
	}
	if !slices.Contains(legal[n.Status], to) {
		return c.refuse(NotLegal)
	}
	op := c.op(Settle, n.ID, c.reason())
	op.Payload.Status = to
	if to.Live() {
		if old := c.State.Live(n.Slot); old != nil {
			instead = old.ID
		}
		if old := c.State.Note(instead); old != nil && old.Status.Live() {
			op.Payload.Replaces = old.ID
		}
	}
	return []Op{op}
}

// reason is why a note changes: what the writer says, else that the owner wants
// it.
func (c *Case) reason() Reason {
	switch {
	case c.Proposal.Why != "":
		return c.Proposal.Why
	case c.Proposal.Writer.Owner():
		return ByOwner
	}
	return ""
}

// confirm accepts a note that waits or is in use. One that was let go since the
// owner saw it is only brought back in so many words.
func (c *Case) confirm(n *Note) []Op {
	if n.Status != Candidate && !n.Status.Live() {
		return c.refuse(NotLegal)
	}
	return c.accept(n)
}

// accept makes a note one that the owner vouches for. They see its exact words,
// so whatever keeps those from coming back by themselves is lifted.
func (c *Case) accept(n *Note) []Op {
	lifts, _ := c.entombed(n.Body, true)
	ops := c.settle(n, Stated, n.Against)
	if len(ops) == 1 && ops[0].Kind == Settle {
		return append(c.lift(lifts), ops...)
	}
	return ops
}

// bring takes a note back from the archive. One that was rejected is rejected
// no more.
func (c *Case) bring(n *Note) []Op {
	if n.Status.Live() {
		return nil
	}
	if n.Status != Archived && n.Status != Rejected {
		return c.refuse(NotLegal)
	}
	return c.accept(n)
}

// reject lets a note go for good: its value does not come back by itself.
func (c *Case) reject(n *Note) []Op {
	ops := c.settle(n, Rejected, "")
	if len(ops) == 1 && ops[0].Kind == Settle {
		ops[0].Payload.Tomb = Entomb(c.Key, n.Body, false)
	}
	return ops
}

func (c *Case) set() []Op {
	p := &c.Proposal
	if p.Setting != Saving && p.Setting != Sensitive && p.Setting != Checkpoints && !isGroupSetting(p.Setting) {
		return c.refuse(NotAllowed)
	}
	if c.State.On(p.Setting) == p.On {
		return nil
	}
	op := c.op(Switch, "", ByOwner)
	op.Payload.Setting, op.Payload.On = p.Setting, p.On
	return []Op{op}
}

// takeBack undoes the newest decision, but never a forgetting.
func (c *Case) takeBack() []Op {
	act := c.State.lastAct()
	if len(act) == 0 {
		return c.refuse(NothingToUndo)
	}
	op := c.op(Undo, act[0].Note, ByOwner)
	for _, o := range act {
		if o.Kind == Erase || o.Kind == Lift {
			return c.refuse(NotUndone)
		}
		op.Payload.Undoes = append(op.Payload.Undoes, o.ID)
		if o.Payload.Tomb != nil {
			op.Payload.Lifts = append(op.Payload.Lifts, o.ID)
		}
	}
	return []Op{op}
}

// op begins an Op of this Proposal.
func (c *Case) op(k OpKind, note nacre.NoteID, why Reason) Op {
	return Op{Writer: c.Proposal.Writer, Via: c.Proposal.Via, Kind: k, Note: note, Reason: why, Payload: Payload{V: 1}}
}

// refuse records that nothing was done, and why. It repeats no word of the
// Proposal.
func (c *Case) refuse(why Reason) []Op {
	return []Op{c.op(Refuse, "", why)}
}

func (c *Case) lift(ids []OpID) []Op {
	if len(ids) == 0 {
		return nil
	}
	op := c.op(Lift, "", ByOwner)
	op.Payload.Lifts = ids
	return []Op{op}
}
