package whatsapp

import (
	"context"
	"time"

	"nacre"
)

// logoutTime is for a farewell.
const logoutTime = 20 * time.Second

// Unlink logs the account out and forgets it, without the network too; and what is
// left of one that was being linked, or unlinked, when the program was killed, or
// of one that was ended elsewhere. NotFound if there is nothing.
func (c *Channel) Unlink(ctx context.Context) error {
	is, err := c.file.exists()
	switch {
	case err != nil:
		return explain(err)
	case !is && c.memo.read().Ended == "":
		return nacre.Errorf(nacre.NotFound, "no account is linked")
	}
	if err := c.custody.claim(); err != nil {
		return err
	}
	defer c.custody.unclaim()
	running := c.custody.isRunning()
	if running && is {
		c.farewell(ctx)
	}
	if err := c.custody.vacate(ctx); err != nil {
		return nacre.Errorf(nacre.Transient, "unlinking was stopped before it was done; unlink the account once more (%w)", err)
	}
	defer c.custody.release()
	if !running && is {
		c.call(ctx)
	}
	c.memo.change(func(f *facts) { *f = facts{} })
	return c.file.erase(context.WithoutCancel(ctx), libraryLog{c.log}) // there is no way back from a farewell
}

// farewell tells WhatsApp that this device is no more, if there is a connection.
func (c *Channel) farewell(ctx context.Context) {
	l, err := c.current()
	if err == nil {
		err = l.logout(ctx)
	}
	c.noteFarewell(err)
}

// call makes a connection only to say farewell.
func (c *Channel) call(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	a, err := c.file.open(ctx, libraryLog{c.log})
	if err != nil {
		return // erase says why
	}
	defer a.Close()
	device, err := a.device(ctx)
	if err == nil && device != nil {
		c.noteFarewell(c.visit(ctx, device, func(l *line) error { return l.logout(ctx) }))
	}
}

func (l *line) logout(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	return l.client.Logout(ctx)
}

// noteFarewell notes when WhatsApp was not told. Then the phone still lists the
// device until its owner removes it there.
func (c *Channel) noteFarewell(err error) {
	if err != nil {
		c.log.Warn("WhatsApp was not told that the device is unlinked; it can be removed on the phone", "cause", causeOf(err))
	}
}
