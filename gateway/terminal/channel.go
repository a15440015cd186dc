package terminal

import (
	"context"
	"io"
	"log/slog"
	"net"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

// Channel is the gateway.Channel to which chats attach. It also says that an
// answer is being made (gateway.Typer) and how it is (gateway.Reporter).
type Channel struct {
	hub *live.Hub[frame]
}

var (
	_ gateway.Channel  = (*Channel)(nil)
	_ gateway.Typer    = (*Channel)(nil)
	_ gateway.Reporter = (*Channel)(nil)
)

// New returns a Channel without chats. It logs to log what goes wrong with
// them, never their words.
func New(log *slog.Logger) *Channel {
	return &Channel{live.NewHub("chat", frame{T: frameReady}, log)}
}

// Name is nacre.Terminal.
func (c *Channel) Name() nacre.ChannelName { return nacre.Terminal }

// Run lets Serve work until ctx ends; then it closes the connections of all
// chats, waits until none of them uses host, and returns nil. It is called once.
func (c *Channel) Run(ctx context.Context, host gateway.Host) error { return c.hub.Run(ctx, host) }

// Serve is one chat, from its arrival to its end. The handler of the control
// socket calls it, in a goroutine of its own, with the connection that it took
// over and with the reader to use, which may have bytes of it already; both
// may be the same. Serve closes conn. It returns nil when the chat left or Run
// ended, else a sentence on why the chat was not served, for the log.
func (c *Channel) Serve(conn net.Conn, in io.Reader) error {
	defer conn.Close()
	conn.SetDeadline(time.Time{}) // forget those of the handshake
	attached, err := c.hub.Attach(localChat, "", conn)
	if err != nil {
		writeFrame(conn, frame{T: frameError, Text: err.Error()})
		return err
	}
	cl := client{attached, conn, in}
	return cl.Serve(cl.read, cl.write)
}

// Send gives a part to every attached chat and returns, with the delivery's own
// id, when the first has shown it. Where nobody is attached, or all leave or
// are dropped before one did, the error is gateway.ErrAway. A repeat is
// labelled by the chats themselves, unless they know the id.
func (c *Channel) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	part := frame{T: framePart, ID: string(d.ID), Text: d.Part.Text, Repeat: repeat}
	if d.Part.File != nil {
		part.File, part.Text = d.Part.File.Name, string(d.Part.File.Data)
	}
	return c.hub.Send(ctx, d, part, live.ShowWait)
}

// Typing tells every attached chat that an answer is being made.
func (c *Channel) Typing(_ context.Context, chat nacre.Chat) error {
	c.hub.Hint(chat, frame{T: frameTyping})
	return nil
}

// State says how many chats are attached.
func (c *Channel) State() (ok bool, words string) { return c.hub.State() }
