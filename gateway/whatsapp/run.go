package whatsapp

import (
	"context"

	"nacre"
	"nacre/gateway"
)

// Run keeps the account connected until ctx ends.
func (c *Channel) Run(ctx context.Context, host gateway.Host) error { panic("not yet") }

// Probe asks for a sign of life, which changes nothing.
func (c *Channel) Probe(ctx context.Context) error { panic("not yet") }

// Link links an account, by a QR code or, where phone is a number with its country
// code, by a code to be typed there. show takes each step as it comes and does not
// block. A running channel goes on with the new account; without one Link waits
// until the account is ready, so that a later Run finds it. Conflict if an account
// is linked already.
func (c *Channel) Link(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	panic("not yet")
}

// Unlink logs the account out and forgets it. NotFound if there is none.
func (c *Channel) Unlink(ctx context.Context) error { panic("not yet") }

// Scrub empties the log of the account's file, which holds what was overwritten
// there. A forgetting calls it before it looks through the files.
func (c *Channel) Scrub(ctx context.Context) error { panic("not yet") }
