package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"nacre"
)

// Inbox keeps what came in.
type Inbox interface {
	// Put stores messages durably; see nacre.Inbound. A Transient error means
	// that nothing was stored.
	Put(ctx context.Context, in []nacre.Inbound) error
	// Knows reports whether a message of a chat is stored.
	Knows(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) (bool, error)
}

// Questions keeps what people are asked to choose from.
type Questions interface {
	// Question finds an open or settled question; NotFound if there is none.
	Question(ctx context.Context, id nacre.ReplyID) (nacre.Question, error)
	// Choose settles a question and stores the choice as a message, in one
	// step. It returns false, and stores nothing, if it was settled before or
	// the message is known.
	Choose(ctx context.Context, id nacre.ReplyID, option int, in *nacre.Inbound) (bool, error)
	// OpenQuestion finds the newest question of a chat; NotFound if there is
	// none, if it is settled, or if somebody said something there since.
	OpenQuestion(ctx context.Context, chat nacre.Chat) (nacre.Question, error)
}

// Outbox keeps what is to go out.
type Outbox interface {
	// Undelivered lists what an earlier process left, in order.
	Undelivered(ctx context.Context) ([]nacre.Delivery, error)
	// Ask records that a part is being sent; durable on return. NotFound means
	// that it is not to be sent any more: it was forgotten.
	Ask(ctx context.Context, id nacre.DeliveryID) error
	// Settle records what became of a part, and that next is asked now; asked is
	// false if that one is not to be sent any more. The words of one that was sent
	// stay for its Keep.
	Settle(ctx context.Context, d nacre.Delivery, external nacre.ExternalID, reason string, next nacre.DeliveryID) (asked bool, err error)
	// Post appends a reply of the gateway's own.
	Post(ctx context.Context, owner nacre.OwnerID, reply nacre.RenderedReply) ([]nacre.Delivery, error)
	// KeepBubble remembers the message in which a turn's answer is shown; the
	// turn's commit makes its answer take that place. An empty id means that
	// such a message is being sent: if nothing more is kept, the answer is
	// labelled as a possible repeat.
	KeepBubble(ctx context.Context, turn nacre.TurnID, id nacre.ExternalID) error
	// DropBubble forgets it, when certainly nothing was sent.
	DropBubble(ctx context.Context, turn nacre.TurnID) error
	// Bubble returns what KeepBubble remembered; kept is false for nothing.
	Bubble(ctx context.Context, turn nacre.TurnID) (id nacre.ExternalID, kept bool, err error)
}

// Roster keeps who is admitted.
type Roster interface {
	Owners(ctx context.Context) ([]nacre.Owner, error)
	GroupOwner(ctx context.Context, chat nacre.Chat) (nacre.OwnerID, error)
	EnableGroup(ctx context.Context, chat nacre.Chat, owner nacre.OwnerID) error
	// Adopt gives an address to an Owner, unless it is somebody's.
	Adopt(ctx context.Context, owner nacre.OwnerID, a nacre.Address) error
	MoveChat(ctx context.Context, from, to nacre.Chat) error
	OfferPairing(ctx context.Context, p nacre.Pairing, seal nacre.OwnerID, reply nacre.RenderedReply) ([]nacre.Delivery, error)
	Pairing(ctx context.Context, kind nacre.PairingKind, a nacre.Address, nowMs int64) (bool, error)
	UsePairing(ctx context.Context, kind nacre.PairingKind, tag []byte, by nacre.Address) (nacre.Pairing, error)
	// Strangers lists who waits to be admitted, oldest first. Admit does what
	// UsePairing does with the code of one, Refuse takes it away; both are NotFound
	// for one who does not wait any more.
	Strangers(ctx context.Context, now time.Time) ([]nacre.Stranger, error)
	Admit(ctx context.Context, stranger string) (nacre.Pairing, error)
	Refuse(ctx context.Context, stranger string) error
}

// Waker runs conversations.
type Waker interface {
	// Wake says that a stored message waits in a session. It does not block.
	Wake(s nacre.SessionInfo, m nacre.Message)
}

// Gateway stands between channels and sessions. Make it with New, give it its
// Waker, then Run it.
type Gateway struct {
	// Zone is where an owner lives, by whose clock the gateway tells them times;
	// nil for UTC. It is set before Start, and does not block.
	Zone func(nacre.OwnerID) *time.Location
	// Strangers is called when others wait to be admitted than before, except when
	// the time of one is over; nil for nobody who wants to know. It is set before
	// Start, and does not block.
	Strangers func()
	// Refused is called with one of the Refused codes for each thing that a sender
	// did beyond the limits; nil for nobody who counts. It is set before Start, and
	// does not block.
	Refused func(channel nacre.ChannelName, code string)

	inbox     Inbox
	outbox    Outbox
	roster    Roster
	questions Questions
	absence   Absence
	log       *slog.Logger
	channels  map[nacre.ChannelName]Channel
	waker     Waker

	heard     sync.Map // channels that have delivered something, by name
	admission admission
	limits    limits
	courier   courier
	late      *time.Timer // nil before Start; runs while late messages may come
}

// New makes a gateway over the given store, which is the ledger, and channels.
func New(store interface {
	Inbox
	Outbox
	Roster
	Questions
	Absence
}, channels []Channel, log *slog.Logger) *Gateway {
	g := &Gateway{inbox: store, outbox: store, roster: store, questions: store, absence: store, log: log, channels: map[nacre.ChannelName]Channel{}, limits: newLimits()}
	for _, c := range channels {
		g.channels[c.Name()] = c
	}
	g.courier.init(g)
	return g
}

// Start reads who is admitted and takes up the deliveries that an earlier process
// left, and the late messages that it did not speak of. It is called once, before
// Run, with the waker of the sessions.
func (g *Gateway) Start(ctx context.Context, waker Waker) error {
	g.waker = waker
	if err := g.readRoster(ctx); err != nil {
		return err
	}
	left, err := g.outbox.Undelivered(ctx)
	if err != nil {
		return err
	}
	var open []nacre.Delivery
	for _, d := range left {
		switch d.State {
		case nacre.Dead:
			if _, err := g.outbox.Settle(ctx, d, "", "unreadable", ""); err != nil {
				return err
			}
			continue
		case nacre.Asked:
			// The process died between asking and hearing the answer.
			d.State, d.Unsure = nacre.Waiting, max(d.Unsure, 1)
		}
		open = append(open, d)
	}
	g.Post(open)
	g.late = time.AfterFunc(lateEnds, g.speakOfLate)
	return nil
}

// Has reports whether a channel is here. What belongs to another one waits for
// a start that has it.
func (g *Gateway) Has(name nacre.ChannelName) bool { return g.channels[name] != nil }

// Run runs every channel until ctx ends. It returns early when a channel's
// credentials are refused around the start, since that is a mistake in the
// configuration; a channel that breaks later is reported and the others go on.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	started := time.Now()
	var all sync.WaitGroup
	for _, c := range g.channels {
		all.Go(func() {
			for err := g.runChannel(ctx, c); err != nil && ctx.Err() == nil; err = g.runChannel(ctx, c) {
				g.log.Error("channel stopped", "channel", c.Name(), "err", err)
				if nacre.KindOf(err) != nacre.Denied {
					return
				}
				if _, worked := g.heard.Load(c.Name()); !worked && time.Since(started) < graceOfStart {
					cancel(err)
					return
				}
				pause(ctx, refusedAgain)
			}
		})
	}
	wait(ctx, &all, g.log)
	if err := context.Cause(ctx); err != nil && nacre.KindOf(err) == nacre.Denied {
		return err
	}
	return nil
}

// runChannel runs a channel, and again after a panic.
func (g *Gateway) runChannel(ctx context.Context, c Channel) (err error) {
	for rest := time.Second; ; rest = min(2*rest, time.Minute) {
		if err, panicked := g.tryChannel(ctx, c); !panicked || ctx.Err() != nil {
			return err
		}
		pause(ctx, rest)
	}
}

func (g *Gateway) tryChannel(ctx context.Context, c Channel) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("channel panicked, starting it again", "channel", c.Name(), "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			panicked = true
		}
	}()
	return c.Run(ctx, g), false
}

// wait waits for channels to end; after ctx they have a few seconds.
func wait(ctx context.Context, all *sync.WaitGroup, log *slog.Logger) {
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(endOfChannels):
		log.Error("a channel does not end; going on without it")
	}
}

// endOfChannels is how long a channel has to end.
const endOfChannels = time.Second

// refusedAgain is how long a channel rests whose credentials were refused while
// it ran; services have been known to refuse by mistake.
const refusedAgain = 5 * time.Minute

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// graceOfStart is how long after the start refused credentials count as a
// mistake in the configuration.
const graceOfStart = time.Minute

// Receive implements Host.
func (g *Gateway) Receive(ctx context.Context, messages []nacre.Message) (err error) {
	if len(messages) > 0 {
		g.heard.Store(messages[0].Chat.Channel, true)
	}
	in := make([]nacre.Inbound, 0, len(messages))
	defer func() {
		if err != nil {
			g.release(in)
		}
	}()
	for _, m := range messages {
		m.Quiet = m.Quiet || m.Late
		owner, err := g.admit(ctx, &m)
		if err != nil {
			return err
		}
		if owner == "" {
			continue
		}
		if keep, err := g.hold(ctx, owner, &m); err != nil {
			return err
		} else if !keep {
			continue
		}
		m.ID = nacre.MessageID(nacre.NewID(m.Received))
		one := nacre.Inbound{Owner: owner, Message: m}
		if n, ok := g.numberOf(&m); ok {
			// What was said before it decides what it means.
			if err := g.store(ctx, in); err != nil {
				return err
			}
			in = nil
			chosen, err := g.chooseByNumber(ctx, one, n)
			if err != nil {
				return err
			}
			if chosen {
				continue
			}
		}
		in = append(in, one)
	}
	return g.store(ctx, in)
}

// store puts admitted messages in the inbox and wakes their sessions.
func (g *Gateway) store(ctx context.Context, in []nacre.Inbound) error {
	if len(in) == 0 {
		return nil
	}
	if err := g.inbox.Put(ctx, in); err != nil {
		return err
	}
	for i := range in {
		if in[i].Message.Seq != 0 {
			g.waker.Wake(in[i].Session, in[i].Message)
			if in[i].Message.Late {
				g.late.Reset(lateEnds)
			}
		}
	}
	return nil
}

// Render lets the reply's channel cut it into parts. A reply to a channel
// that is not running gives none.
func (g *Gateway) Render(r nacre.Reply) []nacre.Part {
	c := g.channels[r.Chat.Channel]
	if c == nil {
		return nil
	}
	return c.Render(r)
}

// rendered gives a reply its id and its parts.
func (g *Gateway) rendered(r nacre.Reply) nacre.RenderedReply {
	return nacre.RenderedReply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: r.Chat, Parts: g.Render(r)}
}

// Say sends a reply of the gateway's own, sealed with an owner's key.
func (g *Gateway) Say(ctx context.Context, owner nacre.OwnerID, r nacre.Reply) error {
	ds, err := g.outbox.Post(ctx, owner, g.rendered(r))
	if err != nil {
		return err
	}
	g.Post(ds)
	return nil
}

// State describes each channel, for status.
func (g *Gateway) State() map[nacre.ChannelName]ChannelState {
	all := map[nacre.ChannelName]ChannelState{}
	for name, c := range g.channels {
		s := ChannelState{OK: true, Words: "running"}
		if r, ok := c.(Reporter); ok {
			s.OK, s.Words = r.State()
		}
		all[name] = s
	}
	return all
}

// ChannelState is how a channel is.
type ChannelState struct {
	OK    bool
	Words string
}

// Fetch gets the bytes of an attachment from the channel of a chat.
func (g *Gateway) Fetch(ctx context.Context, chat nacre.Chat, ref string, most int64) ([]byte, error) {
	f, ok := g.channels[chat.Channel].(Fetcher)
	if !ok {
		return nil, nacre.Errorf(nacre.NotFound, "files cannot be fetched from %s", chat.Channel)
	}
	return f.Fetch(ctx, ref, most)
}
