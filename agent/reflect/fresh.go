package reflect

import (
	"context"
	"slices"

	"nacre"
	"nacre/memory"
)

// fresh drops what memory made something of already: a message that was noted in
// a place says nothing new there, in whatever words a model puts it. Nor does it
// bring back what the owner has archived or taken back since.
func fresh(ctx context.Context, book *memory.Book, proposals []memory.Proposal) ([]memory.Proposal, error) {
	if !slices.ContainsFunc(proposals, func(p memory.Proposal) bool { return p.Do == memory.Learn }) {
		return proposals, nil
	}
	ops, err := book.Log(ctx, "", false)
	if err != nil {
		return nil, err
	}
	known := noted(ops)
	return slices.DeleteFunc(proposals, func(p memory.Proposal) bool {
		return p.Do == memory.Learn && slices.ContainsFunc(places(p), func(at place) bool { return known[at] })
	}), nil
}

// place is a message in the place of a note.
type place struct {
	message nacre.MessageID
	slot    string
	scope   memory.Scope
}

// noted are the places in which messages were noted, whatever became of it.
func noted(ops []memory.Op) map[place]bool {
	slots := map[nacre.NoteID]memory.Slot{}
	all := map[place]bool{}
	for _, o := range ops {
		if o.Payload.Body != nil {
			slots[o.Note] = o.Payload.Body.Slot
		}
		at := slots[o.Note]
		for _, e := range o.Payload.Evidence {
			all[place{e.Message, at.String(), at.Scope}] = true
		}
	}
	return all
}

// places are those that a proposal would write to, or take the place of.
func places(p memory.Proposal) []place {
	slot := memory.Slot{Area: p.Draft.Area, Slug: memory.Slug(p.Draft.Slug)}
	var all []place
	for _, c := range p.Cites {
		for _, at := range append([]string{slot.String()}, p.Draft.Replaces...) {
			all = append(all, place{c.Message, at, p.Scope})
		}
	}
	return all
}
