package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// Forgetting is what somebody wants forgotten.
type Forgetting struct {
	Writer Writer
	Via    nacre.ChannelName
	Scope  Scope
	Size   Size
	Note   nacre.NoteID      // SizeNote, SizeSaid
	Words  string            // SizeAbout: what it is about
	Asking []nacre.MessageID // the messages that ask for it, which say it too
}

// Plan is what a forgetting would take.
type Plan struct {
	Forgetting
	Base   int64          // the version on which it was made
	Notes  []*Note        // current and earlier versions, and those that wait
	Counts map[string]int // stored texts that say it, by kind; nil for SizeNote and SizeAll
}

// Receipt says what became of a forgetting. It never repeats what was forgotten.
type Receipt struct {
	Size    Size           `json:"size"`
	At      time.Time      `json:"at"`
	Done    map[string]int `json:"done"` // by kind: "notes", "messages", "turns", …
	Pending []string       `json:"pending,omitempty"`
	Prose   []string       `json:"prose,omitempty"` // files of the owner whose prose says it too, until they allow to cut it; see Cut
	Outside []string       `json:"outside"`         // what is not ours to erase
	Tombs   int            `json:"tombstones"`      // that keep it from coming back
}

// outside is what no program here can erase.
var outside = []string{
	"what the chat network keeps of our conversation",
	"what the provider of the language model keeps of earlier requests",
	"files that you downloaded, and copies of the key file or the key bundle elsewhere: overwrite them with the new ones",
}

// Plan finds out what a forgetting would take. NotFound means that nothing is
// kept of it.
func (b *Book) Plan(ctx context.Context, f Forgetting) (Plan, error) {
	if b.lib.hooks.Planning != nil {
		b.lib.hooks.Planning(ctx, b.owner)
	}
	s, err := b.State(ctx)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Forgetting: f, Base: s.Version, Notes: f.concerned(s)}
	if f.Size == SizeNote || f.Size == SizeAll {
		return p, nil
	}
	needle, err := b.needle(ctx, s, &p)
	if err != nil {
		return p, err
	}
	p.Counts, err = b.lib.log.Count(ctx, b.owner, needle)
	return p, err
}

// concerned lists the notes that a forgetting takes: all versions of one, which
// stand or stood in its place, others that state the same, or everything that
// speaks of something.
func (f *Forgetting) concerned(s *State) []*Note {
	var list []*Note
	add := func(n *Note) {
		for _, v := range s.notes {
			if v.Status != Erased && (v.Slot == n.Slot || slices.Contains(s.Versions(n.ID), v)) && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	switch f.Size {
	case SizeNote, SizeSaid:
		if n := s.Note(f.Note); n != nil && n.Status != Erased {
			add(n)
		}
		same, wanted := needleFor(list, nil, nil), slices.Clone(list)
		for _, n := range s.notes {
			rests := !n.Status.Live() && n.Status != Erased && len(list) > 0 && same.Finds(n.Text)
			if rests || n.Status.Live() && slices.ContainsFunc(wanted, func(w *Note) bool { return f.reaches(n, w) && n.restates(w) }) {
				add(n)
			}
		}
	case SizeAbout:
		about := needleAbout(f.Words)
		for _, n := range s.notes {
			if n.Status != Erased && about.Finds(n.says()) {
				add(n)
			}
		}
	case SizeHidden:
		for _, n := range s.notes {
			if n.Status != Erased && s.hides(n) {
				add(n)
			}
		}
	case SizeAll:
		for _, n := range s.notes {
			if n.Status != Erased {
				list = append(list, n)
			}
		}
	}
	return list
}

// reaches reports whether a forgetting of one note may take another that states the
// same: one beside it, and where the words go too, what the owner shared of their private
// memory with a group. From a group nothing reaches further.
func (f *Forgetting) reaches(n, wanted *Note) bool {
	return n.Slot.Scope == wanted.Slot.Scope || f.Size == SizeSaid && wanted.Slot.Scope == Private
}

// restates reports whether a note states what another one does, in about the same
// words: each has two thirds of the other's, and they name the same. Notes that
// name nothing are never taken for each other: a "not" is easily overlooked.
func (n *Note) restates(o *Note) bool {
	names := identifiers(n.Text)
	if len(names) == 0 || !sameSet(names, identifiers(o.Text)) {
		return false
	}
	mine, theirs := canon.Words(n.Text, languages), canon.Words(o.Text, languages)
	return canon.Overlap(mine, theirs) >= alike && canon.Overlap(theirs, mine) >= alike
}

func sameSet(a, b []string) bool {
	in := func(list []string) func(string) bool { return func(s string) bool { return !slices.Contains(list, s) } }
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

// says are all the words of a note, in sentences of their own.
func (n *Note) says() string {
	list := append([]string{n.Text, n.Abstract, spaced(n.Slot.Slug)}, n.Entities...)
	return strings.Join(list, "\n")
}

// others are the notes that a plan leaves.
func (s *State) others(p *Plan) []*Note {
	return slices.DeleteFunc(s.Select(Query{Everywhere: true, Hidden: true}), func(n *Note) bool { return slices.Contains(p.Notes, n) })
}

// needle finds what a plan is to erase.
func (b *Book) needle(ctx context.Context, s *State, p *Plan) (*Needle, error) {
	switch p.Size {
	case SizeNote:
		return nil, nil
	case SizeAll:
		return &Needle{All: true}, nil
	}
	var quotes []string
	for _, n := range p.Notes {
		list, err := b.Quotes(ctx, n)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			quotes = append(quotes, q.Text)
		}
	}
	needle := needleFor(p.Notes, quotes, s.others(p))
	if p.Size == SizeAbout {
		needle.join(needleAbout(p.Words))
	}
	return needle, nil
}

// Forget carries a Plan out. NotFound means that there is nothing to forget,
// Conflict that memory changed since the Plan was made.
func (b *Book) Forget(ctx context.Context, p Plan) (Receipt, error) {
	if len(p.Notes) == 0 && (p.Size == SizeNote || p.Size == SizeSaid || p.Size == SizeHidden) {
		return Receipt{}, nacre.Errorf(nacre.NotFound, "There is no such note, so nothing was forgotten.")
	}
	s, err := b.State(ctx)
	if err != nil {
		return Receipt{}, err
	}
	if s.Version != p.Base {
		return Receipt{}, nacre.Errorf(nacre.Conflict, "Memory changed meanwhile, so nothing was forgotten; please look again.")
	}
	e, err := b.erasure(ctx, s, &p)
	if err != nil {
		return Receipt{}, err
	}
	return b.erase(ctx, e)
}

// erasure decides what a Plan comes to.
func (b *Book) erasure(ctx context.Context, s *State, p *Plan) (Erasure, error) {
	e := Erasure{ID: nacre.NewID(time.Now()), Size: p.Size, Writer: p.Writer, Via: p.Via, Base: p.Base}
	needle, err := b.needle(ctx, s, p)
	if err != nil {
		return e, err
	}
	e.Needle = needle
	if p.Size == SizeAll {
		e.Ops = []Op{{Writer: p.Writer, Via: p.Via, Kind: Erase, Reason: Everything, Payload: Payload{V: 1}}}
		return e, nil
	}
	key, err := b.lib.log.TombKey(b.owner)
	if err != nil {
		return e, err
	}
	others := s.others(p)
	for _, n := range p.Notes {
		e.Notes = append(e.Notes, n.ID)
		op := Op{Writer: p.Writer, Via: p.Via, Kind: Erase, Note: n.ID, Reason: ByOwner,
			Payload: Payload{V: 1, Tomb: Entomb(key, n.Body, true), Lifts: s.rejections(n.ID)}}
		op.Payload.Tomb.name(key, n.Body, others)
		for _, ev := range n.Evidence {
			op.Payload.Revoked = append(op.Payload.Revoked, ev.Message)
		}
		if p.Size != SizeNote {
			e.Cited = append(e.Cited, n.Evidence...)
		}
		e.Ops = append(e.Ops, op)
	}
	if len(p.Asking) > 0 || len(e.Ops) == 0 {
		e.Ops = append(e.Ops, b.askedFor(p, key, others))
	}
	return e, nil
}

// askedFor revokes the messages that ask for a forgetting. Where no note says
// what is to be forgotten, the words that ask for it stand for one, so that it
// does not come back either.
func (b *Book) askedFor(p *Plan, key Hash, others []*Note) Op {
	op := Op{Writer: p.Writer, Via: p.Via, Kind: Erase, Reason: ByOwner, Payload: Payload{V: 1, Revoked: p.Asking}}
	if len(p.Notes) == 0 && canon.Form(p.Words) != "" {
		body := Body{Text: p.Words}
		op.Payload.Tomb = Entomb(key, body, false)
		op.Payload.Tomb.name(key, body, others)
	}
	return op
}

// erase carries an Erasure out, from wherever it stands. Nobody reads memory
// meanwhile.
func (b *Book) erase(ctx context.Context, e Erasure) (Receipt, error) {
	b.gate.Lock()
	defer b.gate.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx = context.WithoutCancel(ctx) // half a forgetting is none
	r := Receipt{Size: e.Size, At: time.Now(), Outside: outside}
	if b.lib.hooks.Forgetting != nil && e.Needle != nil {
		b.lib.hooks.Forgetting(b.owner, e.Needle)
	}
	done, ops, err := b.lib.log.Erase(ctx, b.owner, e)
	if err != nil {
		b.state = nil
		return r, err
	}
	r.Done = done
	if b.state != nil {
		b.take(b.state, b.seq, ops)
	}
	s, err := b.current(ctx)
	if err != nil {
		return r, err
	}
	if r.Tombs = s.Tombstones(); b.lib.hooks.Forgotten != nil {
		r.Prose, r.Pending = b.lib.hooks.Forgotten(ctx, b.owner, s, e.Needle)
	}
	swept, err := b.sweep(ctx, e, r.Done, len(r.Prose) > 0)
	if err != nil {
		return r, err
	}
	if r.Pending = append(r.Pending, swept.Pending...); swept.Left > 0 && len(r.Prose) == 0 {
		r.Pending = append(r.Pending, "something of it was found again; it is looked for once more at the next start")
	}
	b.lib.changed(b.owner)
	return r, nil
}

// sweep looks for what is left, and erases once more what was stored while the
// ledger looked for it. Prose of the owner's own that says it is left until they
// allow to cut it.
func (b *Book) sweep(ctx context.Context, e Erasure, done map[string]int, prose bool) (Swept, error) {
	swept, err := b.lib.log.Sweep(ctx, b.owner, e)
	if err != nil || swept.Left == 0 || prose {
		return swept, err
	}
	more, _, err := b.lib.log.Erase(ctx, b.owner, e)
	if err != nil {
		return swept, err
	}
	for kind, n := range more {
		done[kind] += n
	}
	return b.lib.log.Sweep(ctx, b.owner, e)
}

// Cut cuts what was forgotten out of the owner's own prose, which a forgetting
// leaves alone until they allow it, and finishes what waited for that.
func (b *Book) Cut(ctx context.Context) error {
	left, err := b.lib.log.Unfinished(ctx)
	if err != nil || b.lib.hooks.Cut == nil {
		return err
	}
	for _, u := range left {
		if u.Owner != b.owner || u.Erasure.Needle == nil {
			continue
		}
		if err := b.lib.hooks.Cut(ctx, b.owner, u.Erasure.Needle); err != nil {
			return err
		}
		if _, err := b.sweep(ctx, u.Erasure, map[string]int{}, false); err != nil {
			return err
		}
	}
	return nil
}
