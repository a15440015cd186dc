package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
	"nacre/gateway"
)

// intake is what receiving remembers from one message to the next.
type intake struct {
	kinds     once // kinds of messages that were logged
	garbled   once // ids of messages that were logged because they cannot be read
	nobody    once // senders without an identity that were logged
	nameless  once // senders known by LID alone that were logged
	moves     once // chats that go by the LID now
	ancient   tally
	echoes    echoes
	owed      owed
	revisions revisions
	renewals  renewals
}

// storePatience is how long storing a message is tried again, with pauses that grow from
// storeAgain to storeRest. Other messages wait meanwhile, in their order.
const (
	storePatience = 2 * time.Minute
	storeAgain    = 500 * time.Millisecond
	storeRest     = 15 * time.Second
)

// receive stores a message. False means that it could not be stored; the server
// brings it again after a new connection.
func (l *line) receive(e *events.Message) (stored bool) {
	return l.handled(e.Info.ID, func() error { return l.take(e) })
}

// handled runs take until it succeeds, or until trying longer would serve nobody.
func (l *line) handled(id string, take func() error) bool {
	started, pause := time.Now(), storeAgain
	for {
		err := take()
		switch {
		case err == nil:
			return true
		case l.life.Err() != nil:
			return false
		case nacre.KindOf(err) == nacre.Invalid:
			l.log.Error("a message cannot be stored and is dropped", "id", id, "err", err)
			return true
		}
		wait := max(pause, nacre.RetryAfter(err))
		if nacre.KindOf(err) != nacre.Transient || time.Since(started)+wait > storePatience {
			l.log.Error("a message is not stored yet", "id", id, "err", err)
			return false
		}
		gateway.Sleep(l.life, wait)
		pause = min(2*pause, storeRest)
	}
}

// take stores a message that is for us.
func (l *line) take(e *events.Message) error {
	if !l.heeds(&e.Info.MessageSource) {
		return nil
	}
	env, err := l.envelope(l.life, &e.Info.MessageSource)
	if err != nil {
		return err
	}
	e = l.opened(e)
	l.noteExpiry(e, env)
	m, ok := convert(e, env)
	if !ok {
		l.skip(e.Message)
		return nil
	}
	if m.Revision != 0 {
		m.Revision = l.intake.revisions.of(revised{m.Chat, m.External}, e.Info.ID, m.Revision)
	}
	if err := l.store(&m, &env, e.Info.ID); err != nil {
		return err
	}
	l.markRead(&m, &e.Info)
	return nil
}

// skip logs a kind of message that is not read, once.
func (l *line) skip(m *waE2E.Message) {
	if k := kind(m); k != "" && l.intake.kinds.first(k) {
		l.log.Info("skipped a message of a kind that is not known", "kind", k)
	}
}

// store hands a message, which came under an id of its own, to the gateway, unless it is
// none to be kept.
func (l *line) store(m *nacre.Message, env *envelope, own types.MessageID) error {
	m.Received = time.Now()
	switch {
	case m.Author == nacre.Address{}:
		if l.intake.nobody.first(string(m.External)) {
			l.log.Warn("dropped a message of a sender without an identity", "id", m.External)
		}
		return nil
	case !dated(m):
		l.intake.ancient.add(l.log, "dropped messages that came too late")
		return nil
	}
	if env.from.number.IsEmpty() && l.intake.nameless.first(m.Author.ID) {
		l.log.Info("the phone number of a sender is not known, only their LID counts", "lid", m.Author.ID)
	}
	if env.own {
		echoed, err := l.echoed(l.life, m, own)
		if err != nil || echoed {
			return err
		}
	}
	if err := l.move(env); err != nil {
		return err
	}
	return l.host.Receive(l.life, []nacre.Message{*m})
}

// move tells the gateway, once, that the chat under somebody's number goes on under
// their LID.
func (l *line) move(env *envelope) error {
	from, to, ok := env.moved()
	if !ok || !l.intake.moves.first(string(from.ID)) {
		return nil
	}
	err := l.host.Move(l.life, from, to)
	if err != nil {
		l.intake.moves.undo(string(from.ID))
	}
	return err
}

// readTime is how long telling that a message was read may take.
const readTime = 15 * time.Second

// markRead shows people whom we know that their message was read. It is done beside
// what comes next, and if it fails nobody is worse off.
func (l *line) markRead(m *nacre.Message, info *types.MessageInfo) {
	heard := m.Private || m.ToUs
	if l.opts.Own || !heard || m.Revision != 0 || m.Quiet && !m.Late || !l.host.Knows(m) {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(l.life, readTime)
		defer cancel()
		if err := l.client.MarkRead(ctx, []types.MessageID{info.ID}, time.Now(), info.Chat, info.Sender); err != nil {
			l.log.Debug("a message could not be marked as read", "id", info.ID, "err", err)
		}
	}()
}
