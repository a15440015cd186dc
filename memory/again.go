package memory

// again is the note that a proposal came to already, if that is the last that was
// decided on n: a request that comes twice, since its answer was lost, decides
// nothing anew. It is nil if anything else was decided since the owner saw n.
func (c *Case) again(n *Note) *Note {
	if n.was == "" || c.Proposal.Hash != n.as(n.was) {
		return nil
	}
	next, do := c.State.Note(n.ReplacedBy), c.Proposal.Do
	switch {
	case next == nil && settles[do] == n.Status:
		return n
	case next == nil || next.Status != Stated || next.was != "":
		return nil
	case do == Keep && next.Text == n.Text, do == Edit && c.became(n, next):
		return next
	}
	return nil
}

// settles is what a note is after a decision that gives it another status.
var settles = map[Verb]Status{Confirm: Stated, Bring: Stated, Archive: Archived, Reject: Rejected}

// became reports whether an Edit made next of n.
func (c *Case) became(n, next *Note) bool {
	b, why := c.revision(n)
	return why == "" && b.Text == next.Text && b.Slot == next.Slot
}
