package whatsapp

import (
	"context"
	"strings"
	"time"

	wastore "go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// linkTime is for all of Link.
const linkTime = 5 * time.Minute

// Link links an account, by a QR code or, where phone is a number with its country
// code, by a code to be typed there. show takes each step as it comes and does not
// block. A running channel goes on with the new account; without one Link waits
// until the account is ready, so that a later Run finds it. Conflict if an account
// is linked already. Other errors are sentences for the person too; it takes five
// minutes at most.
func (c *Channel) Link(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	number, err := dialable(phone)
	if err != nil {
		return err
	}
	switch linked, err := c.file.linked(ctx, libraryLog{c.log}); {
	case err != nil:
		return err
	case linked:
		return errLinked
	}
	if err := c.custody.claim(); err != nil {
		return err
	}
	defer c.custody.unclaim()
	ctx, cancel := context.WithTimeoutCause(ctx, linkTime, errNobody)
	defer cancel()
	if err := c.custody.vacate(ctx); err != nil {
		return stopped(ctx)
	}
	defer c.custody.release()
	c.setState(true, claimed.words)
	return c.link(ctx, number, show)
}

var (
	errLinked = nacre.Errorf(nacre.Conflict, "an account is linked already; unlink it first")
	errNobody = nacre.Errorf(nacre.Transient, "nobody used the code in time; start again when the phone is at hand")
)

// stopped is why a linking was given up before its end.
func stopped(ctx context.Context) error {
	if cause := context.Cause(ctx); nacre.KindOf(cause) != nacre.Internal {
		return cause
	}
	return nacre.Errorf(nacre.Transient, "linking was stopped before it was done (%w)", ctx.Err())
}

// link is the part of Link that has the account to itself. Where it links none, no
// file remains.
func (c *Channel) link(ctx context.Context, number string, show func(nacre.LinkStep)) error {
	device, err := c.newAccount(ctx, number, show)
	if device == nil {
		c.sweep(ctx)
		return err
	}
	if err != nil {
		return nacre.Errorf(nacre.Transient, "the account is linked, but its first login failed: %w", err)
	}
	show(nacre.LinkStep{Account: "+" + device.GetJID().User})
	return nil
}

// newAccount links a device and returns it, with an error if it did not log in
// although nobody else will. Whose it is must be noted before there is one: a kill may
// come at any moment.
func (c *Channel) newAccount(ctx context.Context, number string, show func(nacre.LinkStep)) (*wastore.Device, error) {
	if err := c.file.create(); err != nil {
		return nil, explain(err)
	}
	a, err := c.file.open(ctx, libraryLog{c.log})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	c.memo.change(func(f *facts) {
		*f = facts{Whose: c.whose(), Linked: time.Now().UnixMilli(), Ended: f.Ended}
	})
	failure := c.pair(ctx, a, number, show)
	device, err := a.device(context.WithoutCancel(ctx)) // the phone may have consented at the last moment
	switch {
	case device == nil && failure != nil:
		return nil, failure
	case device == nil:
		return nil, err
	}
	c.memo.change(func(f *facts) { f.Ended = "" })
	if c.custody.isRunning() {
		return device, nil
	}
	return device, c.visit(ctx, device, func(*line) error { return nil })
}

// pair links a new device. After a refusal because of the version of WhatsApp Web it
// tries once more with a newer one.
func (c *Channel) pair(ctx context.Context, a *account, number string, show func(nacre.LinkStep)) error {
	c.version.refresh(ctx, c.files())
	err := c.newPairing(ctx, a, number, show).run()
	if err == outdated && c.version.renew(ctx, c.files()) {
		err = c.newPairing(ctx, a, number, show).run()
	}
	return sentence(err)
}

// sentence makes an error for the person of the end of a connection.
func sentence(err error) error {
	why, ok := err.(*ending)
	switch {
	case !ok:
		return err
	case why.final || why.away > 0:
		return nacre.Errorf(nacre.Denied, "%s", why.words)
	default:
		return nacre.Errorf(nacre.Transient, "%s", strings.TrimSuffix(why.words, "; trying again")+"; start again")
	}
}

// sweep removes the file of an account that did not come to be.
func (c *Channel) sweep(ctx context.Context) {
	if err := c.forget(context.WithoutCancel(ctx), c.memo.read().Ended); err != nil {
		c.log.Warn("the file of an account that was not linked could not be removed", "error", err)
	}
}

// visit logs in once, does something, and leaves. Messages that come
// meanwhile stay with the network.
func (c *Channel) visit(ctx context.Context, device *wastore.Device, do func(*line) error) error {
	l := c.newLine(ctx, nil, device)
	l.hear = func(event any) bool {
		if _, is := event.(*events.Message); is {
			<-l.life.Done()
			return false
		}
		l.heed(event)
		return true
	}
	defer l.close()
	l.login()
	if l.life.Err() != nil {
		return sentence(l.why())
	}
	return do(l)
}
