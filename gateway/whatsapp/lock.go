package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// What the operator is told when WhatsApp holds the account back.
const (
	tooMuchNotice   = "WhatsApp says that this account sends too much. I wait a minute before I send more, and longer if that is not enough."
	suspendedNotice = "WhatsApp has banned this account for a time. I send nothing for an hour, and longer if that is not enough; WhatsApp on the phone shows how long the ban lasts."
	noOpeningNotice = "WhatsApp does not let this account write to people who have not written to it lately. What I have for them waits; please do not add more until it is gone, or WhatsApp may ban the account."
)

// notice tells the operator once in a long while that the account is held back.
func (l *line) notice(ctx context.Context, words string) {
	l.log.Warn("WhatsApp holds the account back", "why", words)
	if l.opts.Notice != nil && l.brakes.tells(words) {
		l.opts.Notice(ctx, words)
	}
}

// mayAsk reports whether anything may be sent to a chat now. Its error is Transient
// and tells how long to wait.
func (l *line) mayAsk(ctx context.Context, to types.JID) error {
	if left := l.brakes.left(to); left > 0 {
		return paused(left)
	}
	if left := l.brakes.lockedFor(); left > 0 && l.stranger(ctx, to) {
		return paused(left)
	}
	return nil
}

// stranger reports whether nothing was ever said in a private chat, by whomever: there
// are no keys with that person then.
func (l *line) stranger(ctx context.Context, to types.JID) bool {
	if to.Server == types.GroupServer {
		return false
	}
	p, err := personOf(to).completed(ctx, l.client.Store.LIDs)
	if err != nil {
		return false
	}
	known, err := l.client.Store.ContainsSession(ctx, p.jid().SignalAddress())
	return err == nil && !known
}

// locked takes the news that WhatsApp lets the account write to nobody new.
func (l *line) locked(e *events.NotifyAccountReachoutTimelock) {
	if !e.IsActive {
		l.brakes.lock(time.Time{})
		return
	}
	until := e.TimeEnforcementEnds.Time
	if until.IsZero() {
		until = time.Now().Add(longestChatHold)
	}
	l.brakes.lock(until)
	l.notice(l.life, noOpeningNotice)
}
