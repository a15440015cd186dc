package memory

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"nacre"
)

// Book is the memory of one Owner, and the only way to change it. Its methods
// may be called from any goroutine.
type Book struct {
	owner nacre.OwnerID
	lib   *Library

	gate sync.RWMutex // held for writing while something is being forgotten

	mu    sync.Mutex // guards what follows, and is held while it is read or changed
	state *State     // nil until it was read
	seq   int64      // of the newest Op in it
}

// zone is where the owner lives.
func (b *Book) zone() *time.Location { return b.lib.zone(b.owner) }

// State is what is believed now. It waits while something is being forgotten, so
// that nobody builds a prompt of what is on its way out.
func (b *Book) State(ctx context.Context) (*State, error) {
	b.gate.RLock()
	defer b.gate.RUnlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current(ctx)
}

// current reads the Ops once. The caller holds mu.
func (b *Book) current(ctx context.Context) (*State, error) {
	if b.state == nil {
		if err := b.catchUp(ctx, NewState(), -1); err != nil {
			return nil, err
		}
	}
	return b.state, nil
}

// catchUp folds the Ops after a sequence number into a State, which becomes the
// current one.
func (b *Book) catchUp(ctx context.Context, s *State, seq int64) error {
	ops, err := b.lib.log.Ops(ctx, b.owner, seq, false)
	if err == nil {
		b.take(s, seq, ops)
	}
	return err
}

// take folds Ops. What changed nothing is not counted as read: it was appended
// whatever the version, so that there may be a change before it that was not.
func (b *Book) take(s *State, seq int64, ops []Op) {
	b.state, b.seq = Fold(s, ops...), seq
	for i := range ops {
		if ops[i].Changes() {
			b.seq = ops[i].Seq
		}
	}
}

// At is what was believed at an instant: the Ops until then, without the words
// of what was forgotten since.
func (b *Book) At(ctx context.Context, known time.Time) (*State, error) {
	b.gate.RLock()
	defer b.gate.RUnlock()
	ops, err := b.lib.log.Ops(ctx, b.owner, -1, false)
	if err != nil {
		return nil, err
	}
	return Fold(NewState(), slices.DeleteFunc(ops, func(o Op) bool { return o.At.After(known) })...), nil
}

// Rebuild reads and folds everything anew, and reports whether that is what was
// believed.
func (b *Book) Rebuild(ctx context.Context) (same bool, err error) {
	b.gate.RLock()
	defer b.gate.RUnlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	old, err := b.current(ctx)
	if err != nil {
		return false, err
	}
	if err := b.catchUp(ctx, NewState(), -1); err != nil {
		return false, err
	}
	return old.equal(b.state), nil
}

// Log lists what happened to memory, the oldest first: the changes of a note, or
// all for an empty id, and refusals where asked for.
func (b *Book) Log(ctx context.Context, note nacre.NoteID, refusals bool) ([]Op, error) {
	ops, err := b.lib.log.Ops(ctx, b.owner, -1, refusals)
	if err != nil || note == "" {
		return ops, err
	}
	return slices.DeleteFunc(ops, func(o Op) bool { return o.Note != note && o.Payload.Replaces != note }), nil
}

// Propose decides on proposals in order, each on what the ones before it made,
// and appends what comes of them at once: all of it is one decision, which
// /undo takes back as one. An error means that nothing was stored; a refusal is
// an Outcome and no error.
func (b *Book) Propose(ctx context.Context, proposals ...Proposal) ([]Outcome, error) {
	return b.propose(ctx, nil, proposals)
}

// ProposeRead is Propose for a reader of messages, whose mark moves in the same
// transaction as what it proposes, also if that is nothing.
func (b *Book) ProposeRead(ctx context.Context, mark Mark, proposals ...Proposal) ([]Outcome, error) {
	return b.propose(ctx, &mark, proposals)
}

func (b *Book) propose(ctx context.Context, mark *Mark, proposals []Proposal) ([]Outcome, error) {
	return b.conclude(ctx, &decision{proposals: proposals, mark: mark})
}

// sources reads the messages that proposals cite.
func (b *Book) sources(ctx context.Context, proposals []Proposal) (map[nacre.MessageID]Source, error) {
	var ids []nacre.MessageID
	for i := range proposals {
		for _, c := range proposals[i].cites() {
			ids = append(ids, c.Message)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return b.lib.log.Sources(ctx, b.owner, ids)
}

// Quoted is the words of one Evidence.
type Quoted struct {
	Evidence Evidence
	Text     string
	Chat     nacre.Chat
}

// Quotes reads the words that a note rests on, newest first; without those that
// are not there any more.
func (b *Book) Quotes(ctx context.Context, n *Note) ([]Quoted, error) {
	ids := make([]nacre.MessageID, len(n.Evidence))
	for i, e := range n.Evidence {
		ids[i] = e.Message
	}
	if len(ids) == 0 {
		return nil, nil
	}
	sources, err := b.lib.log.Sources(ctx, b.owner, ids)
	if err != nil {
		return nil, err
	}
	var list []Quoted
	for _, e := range slices.Backward(n.Evidence) {
		s := sources[e.Message]
		if text := e.Quote(s); strings.Trim(text, "* ") != "" { // a blanked one is gone
			list = append(list, Quoted{e, text, s.Chat})
		}
	}
	return list, nil
}
