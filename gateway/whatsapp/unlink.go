package whatsapp

import (
	"context"
	"time"

	"nacre"
)

// logoutTime is for a farewell, by whichever connection.
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
	return c.unlink(ctx, is && c.memo.read().Ended == "")
}

// unlink is the part of Unlink that has the claim. An account that lives is said
// farewell to: by the connection that is up, or by one for that alone.
func (c *Channel) unlink(ctx context.Context, lives bool) error {
	brief, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	var untold error
	if lives {
		untold = c.farewell(brief)
	}
	if err := c.custody.vacate(ctx); err != nil {
		return nacre.Errorf(nacre.Transient, "unlinking was stopped before it was done; unlink the account once more (%w)", err)
	}
	defer c.custody.release()
	if untold != nil {
		c.noteFarewell(c.call(brief))
	}
	return c.forget(context.WithoutCancel(ctx), "") // there is no way back from a farewell
}

// farewell tells WhatsApp that this device is no more, by the connection that is up.
func (c *Channel) farewell(ctx context.Context) error {
	l, err := c.current()
	if err != nil {
		return err
	}
	return l.client.Logout(ctx)
}

// call makes a connection only to say farewell.
func (c *Channel) call(ctx context.Context) error {
	a, err := c.file.open(ctx, libraryLog{c.log})
	if err != nil {
		return err
	}
	defer a.Close()
	device, err := a.device(ctx)
	if err != nil || device == nil {
		return err
	}
	return c.visit(ctx, device, func(l *line) error { return l.client.Logout(ctx) })
}

// forget erases the account, and then what was noted of it but why it ended, which is
// empty if nobody has to know.
func (c *Channel) forget(ctx context.Context, ended string) error {
	c.memo.change(func(f *facts) { f.Ended = ended })
	if err := c.file.erase(ctx, libraryLog{c.log}); err != nil {
		return err
	}
	c.memo.change(func(f *facts) { *f = facts{Ended: ended} })
	return nil
}

// noteFarewell notes when WhatsApp was not told. Then the phone still lists the
// device until its owner removes it there.
func (c *Channel) noteFarewell(err error) {
	if err != nil {
		c.log.Warn("WhatsApp was not told that the device is unlinked; it can be removed on the phone", "cause", causeOf(err))
	}
}
