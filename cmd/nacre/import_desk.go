package main

import (
	"context"
	"io"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/moving"
	"nacre/web"
)

// Limits of what is imported at once.
const (
	mostImported   = 10_000 // notes and jobs
	mostLeftOut    = 1000   // of all else that are told one by one
	importedLength = 200    // characters that are shown of one
)

// Import implements web.Moving.
func (m movingDesk) Import(ctx context.Context, w web.ImportWish, body io.Reader, tell func(web.ImportProgress)) (web.Imported, error) {
	owner := m.app.ownerOf(m.by)
	done, err := m.app.imports.begin(owner)
	if err != nil {
		return web.Imported{}, err
	}
	defer done()
	if tell == nil {
		tell = func(web.ImportProgress) {}
	}
	in, err := m.takeIn(ctx, w, body, tell)
	if err != nil {
		return web.Imported{}, err
	}
	defer in.Close()
	leave, err := m.app.imports.read(ctx)
	if err != nil {
		return web.Imported{}, err
	}
	defer leave()
	parcel, err := moving.Open(w.Name, leashed{ctx, in}, in.size)
	if err != nil {
		return web.Imported{}, err
	}
	b := &bringing{memoryDesk: memoryDesk{m.app, owner, m.by.By}, ctx: ctx, zone: m.app.zoneOf(owner), dry: w.Dry, tell: tell}
	return b.bring(parcel)
}

// takeIn keeps all that comes in. The caller closes the spool.
func (m movingDesk) takeIn(ctx context.Context, w web.ImportWish, body io.Reader, tell func(web.ImportProgress)) (*spool, error) {
	if w.Size > mostSpool {
		return nil, errSpoolFull
	}
	in, err := newSpool(m.app.cfg.Data, body, func(done int64) { tell(web.ImportProgress{Step: web.ImportTakes, Done: done, All: w.Size}) })
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case w.Size > 0 && in.size != w.Size:
		in.Close()
		return nil, nacre.Errorf(nacre.Invalid, "What you bring over did not come in whole; send it again.")
	}
	return in, nil
}

// leashed is read until a context ends.
type leashed struct {
	ctx context.Context
	io.ReaderAt
}

// ReadAt implements io.ReaderAt.
func (l leashed) ReadAt(p []byte, off int64) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.ReaderAt.ReadAt(p, off)
}

// bringing is an import while it is read. What was said is stored as it comes; what is
// to be remembered is decided at the end, as one decision, which an undo takes back as
// one.
type bringing struct {
	memoryDesk
	ctx  context.Context
	zone *time.Location
	dry  bool
	tell func(web.ImportProgress)

	notes []moving.Note
	jobs  []web.ImportedLine
	said  []moving.Said // not handed to the storer yet
	size  int           // bytes of said
	store *storer
	named [2]string // the name of a file that was seen last, and how it is shown
	done  web.Imported
}

// bring takes over what is in a Parcel.
func (b *bringing) bring(p *moving.Parcel) (web.Imported, error) {
	b.done = web.Imported{Dry: b.dry, Sources: []string{}}
	for _, s := range p.Sources() {
		b.done.Sources = append(b.done.Sources, s.Name())
	}
	b.store = newStorer(b)
	err := p.Read(b.zone, moving.Receiver{Note: b.note, Said: b.say, Job: b.job, Setting: b.setting, Progress: b.progress,
		Left: func(l moving.Left) error { return b.leave(l.Place, l.What, l.Why) }})
	if err == nil {
		err = b.handOver()
	}
	if stored := b.store.end(&b.done); err == nil {
		err = stored
	}
	if err == nil {
		err = b.decide()
	}
	if err == nil {
		err = b.ctx.Err()
	}
	b.settle()
	if err != nil {
		return web.Imported{}, err
	}
	return b.done, nil
}

// settle lets everything follow what was taken over, also of an import that broke off.
func (b *bringing) settle() {
	if b.dry {
		return
	}
	b.settled(context.WithoutCancel(b.ctx))
	if b.done.Said == 0 {
		return
	}
	b.app.index.Drop(b.owner) // what was said long ago is not looked for behind its end
	if !b.app.since.IsZero() {
		b.app.index.Warm(b.owner) // so that it is read before somebody asks
	}
}

func (b *bringing) progress(read, all int64) {
	b.tell(web.ImportProgress{Step: web.ImportReads, Done: read, All: all})
}

// leave tells what is left out.
func (b *bringing) leave(at moving.Place, what, why string) error {
	if len(b.done.Left) < mostLeftOut {
		b.done.Left = append(b.done.Left, web.ImportedLeft{File: b.fileOf(at.File), Line: at.Line, What: what, Words: unsecret(why, unclear)})
	} else {
		b.done.LeftMore++
	}
	return b.ctx.Err()
}

const tooMany = "There are more than 10,000 notes and jobs; bring over the rest in a file of its own."

// note takes a note.
func (b *bringing) note(n moving.Note) error {
	if len(b.notes) >= mostImported {
		return b.leave(moving.Place{File: n.File, Line: n.Line}, "a note", tooMany)
	}
	b.notes = append(b.notes, n)
	return b.ctx.Err()
}

// decide decides on the notes.
func (b *bringing) decide() error {
	list, err := b.proposals()
	if err != nil {
		return err
	}
	decide := b.book().Propose
	if b.dry {
		decide = b.book().Try
	}
	outcomes, err := decide(b.ctx, list...)
	if err != nil {
		return err
	}
	b.tellNotes(outcomes)
	return nil
}

// proposals are what is to be decided of the notes.
func (b *bringing) proposals() ([]memory.Proposal, error) {
	var list []memory.Proposal
	for i := range b.notes {
		n := &b.notes[i]
		if n.Left != "" {
			continue
		}
		cites, err := b.cites(n)
		if err != nil {
			return nil, err
		}
		list = append(list, memory.Proposal{Writer: memory.ByImport, Via: channelOf(b.by), Do: memory.Learn, Draft: n.Draft, Sensitive: &n.Sensitive, Cites: cites})
	}
	return list, nil
}

// cites are the words that a note rests on, where they were taken over. While nothing
// is changed they are not there yet.
func (b *bringing) cites(n *moving.Note) (list []memory.Cite, err error) {
	if b.dry {
		return nil, nil
	}
	for _, q := range n.Quotes {
		chat, id := elsewhereName(b.owner, q.Source, q.Chat, q.Message)
		m, err := b.app.ledger.SaidElsewhere(b.ctx, chat, id)
		if err != nil {
			return nil, err
		}
		if m != "" {
			list = append(list, memory.Cite{Message: m, Quote: q.Text})
		}
	}
	return list, nil
}

// tellNotes says what became of the notes, before the jobs; outcomes are those of the
// ones that were not left out before.
func (b *bringing) tellNotes(outcomes []memory.Outcome) {
	lines := make([]web.ImportedLine, 0, len(b.notes)+len(b.jobs))
	for _, n := range b.notes {
		l := web.ImportedLine{File: b.fileOf(n.File), Line: n.Line, Area: n.Draft.Area, What: web.ImportLeft, Words: n.Left}
		if n.Left == "" {
			b.judge(&l, n, outcomes[0])
			outcomes = outcomes[1:]
		}
		if l.What == web.ImportAdds {
			b.done.Added++
		}
		lines = append(lines, discreet(l, n.Draft.Text))
	}
	b.done.Lines = append(lines, b.jobs...)
	for _, l := range b.done.Lines {
		switch l.What {
		case web.ImportKnown:
			b.done.Known++
		case web.ImportLeft:
			b.done.Kept++
		}
	}
}

// judge says what became of a note.
func (b *bringing) judge(l *web.ImportedLine, n moving.Note, o memory.Outcome) {
	l.What, l.Reason = becameOf(o)
	l.Words = sentence(l.Reason)
	if l.What == web.ImportAdds {
		l.Pinned = n.Draft.Pinned && o.Note != nil && o.Note.Pinned
	}
	if o.Note != nil && !b.dry {
		l.Note = o.Note.ID
	}
}

// becameOf is what became of a line, and why.
func becameOf(o memory.Outcome) (web.ImportWhat, memory.Reason) {
	switch {
	case o.Refused != "":
		return web.ImportLeft, o.Refused
	case o.Same:
		return web.ImportKnown, ""
	}
	return web.ImportAdds, ""
}
