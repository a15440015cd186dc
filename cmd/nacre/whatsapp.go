package main

import (
	"context"

	"nacre"
	"nacre/gateway/whatsapp"
)

// wireWhatsApp builds the channel over the ledger, which knows what was sent. Who
// runs Nacre hears elsewhere when it waits for them.
func (a *app) wireWhatsApp(o whatsapp.Options) *whatsapp.Channel {
	o.Dir, o.Sent, o.Log = a.cfg.Data, a.ledger, a.log
	o.Notice = func(ctx context.Context, words string) { a.tellBeside(ctx, a.operator, nacre.WhatsApp, words) }
	return whatsapp.New(o)
}

// scrub lets WhatsApp's file drop what was overwritten in it, before a forgetting
// looks through the files of the data directory. The file may be left from a time when
// WhatsApp was on.
func (a *app) scrub(ctx context.Context) error {
	c := a.whatsapp
	if c == nil {
		c = whatsapp.New(whatsapp.Options{Dir: a.cfg.Data})
	}
	return c.Scrub(ctx)
}

var errNoWhatsApp = nacre.Errorf(nacre.NotFound, "WhatsApp is off; set NACRE_WHATSAPP to own or separate, and start Nacre again")

// LinkWhatsApp implements web.Desk.
func (a *app) LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	if a.whatsapp == nil {
		return errNoWhatsApp
	}
	return a.whatsapp.Link(ctx, phone, show)
}

// UnlinkWhatsApp implements web.Desk.
func (a *app) UnlinkWhatsApp(ctx context.Context) error {
	if a.whatsapp == nil {
		return errNoWhatsApp
	}
	return a.whatsapp.Unlink(ctx)
}
