// Package distill reads an owner's words and proposes what to remember of them.
// It writes nothing: what becomes of a proposal is decided in memory.
//
// A model, or rules where there is none, sees the owner's own words and the notes
// that exist, and nothing else: no answer of the assistant, no tool, page, mail,
// quotation, forwarded text or file name. What the model answers is a stranger's
// word too. It may name places in what it was shown, and never who said so, who
// asked or what is allowed; that is worked out here or in Review.
package distill

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/memory"
)

// Options are what a Distiller works with. All are required, but for the Model of
// a Simple one.
type Options struct {
	Model  llm.Model
	Simple bool // no model that can write notes: go by rules, without a call
	Log    *slog.Logger
}

// Distiller makes proposals. It keeps nothing between calls and is safe for many
// goroutines.
type Distiller struct{ opts Options }

// New makes a Distiller.
func New(o Options) *Distiller { return &Distiller{o} }

// Input is what one call of Learn goes by. A message may be in several of the
// lists. Messages of another scope, and segments that are not the owner's own
// words, are not looked at.
type Input struct {
	// Writer is for whom the messages are read: ByReflect, which reads back what
	// nobody asked to keep, or ByChat, which it is if empty.
	Writer memory.Writer
	// Steering is how the owner wants messages read back, in their words; at most
	// 8,000 characters are told to the model. Whatever it says, it is but the
	// model that reads it: no rule here or in Review does.
	Steering string

	Account string          // whom the call is counted for
	Current []memory.Source // what the owner said in this turn, oldest first
	Recent  []memory.Source // what they said before, oldest first; the last ten are shown, as context and for corrections
	Named   []memory.Source // older ones that the chat model named; the last twenty are shown
	Notes   []*memory.Note  // those that a model may see in this scope
	Scope   memory.Scope
	Via     nacre.ChannelName
	Now     time.Time // in the zone where the owner lives: their days and weekdays
}

// Learn proposes what to remember of messages. Where there is something that may
// not be read, or an answer of the model that cannot be, there is a proposal
// with Do Decline for each, whose reason is only to be recorded. No proposals
// mean that there is nothing to remember. An error means that the model could not
// be asked, or, where messages are read back, ErrUnreadable.
func (d *Distiller) Learn(ctx context.Context, in Input) ([]memory.Proposal, error) {
	in.Writer = cmp.Or(in.Writer, memory.ByChat)
	w := look(&in)
	if !w.news() {
		return w.declined, nil
	}
	if d.opts.Simple {
		return append(w.declined, byRules(&in, w)...), nil
	}
	notes, err := d.ask(ctx, &in, w)
	if err != nil {
		return nil, err
	}
	return append(w.declined, notes...), nil
}

// ErrUnreadable says that a model which was to read messages back answered with
// nothing that can be used, twice. They count as not read.
var ErrUnreadable = errors.New("the memory model's answer cannot be used")

// unasked reports whether nobody asked to keep anything, so that no words of a
// message count as such a wish.
func (in *Input) unasked() bool { return in.Writer == memory.ByReflect }

// decline is a proposal that does nothing but record a reason, and the messages
// that it is about.
func (in *Input) decline(why memory.Reason, about ...nacre.MessageID) memory.Proposal {
	p := memory.Proposal{Writer: in.Writer, Via: in.Via, Scope: in.Scope, Do: memory.Decline, Why: why}
	for _, id := range about {
		p.Cites = append(p.Cites, memory.Cite{Message: id})
	}
	return p
}

// learn is a proposal to keep a note that rests on words of one message.
func (in *Input) learn(draft memory.Draft, from *saying, quote string) memory.Proposal {
	return memory.Proposal{
		Writer: in.Writer, Via: in.Via, Scope: in.Scope, Do: memory.Learn, Draft: draft,
		Cites: []memory.Cite{{Message: from.id, Quote: quote}}, Asked: !in.unasked() && from.asks(quote),
	}
}
