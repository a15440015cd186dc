package main

import (
	"errors"
	"fmt"
	"time"

	"nacre"
	"nacre/web"
)

type pairCommand struct {
	Code     pairCodeCommand     `cmd:"" default:"withargs" help:"Admit the person who was shown a code, or link another app of yours (the default)."`
	WhatsApp pairWhatsAppCommand `cmd:"" name:"whatsapp" help:"Link WhatsApp, or unlink it."`
}

type pairCodeCommand struct {
	Code string `arg:"" optional:"" help:"The code that the person was shown; leave it out to get one for another app of yours."`
}

// Run admits a stranger, or shows a code to join with.
func (p pairCodeCommand) Run(c call) error {
	return c.atDesk(func(d web.Desk) error {
		text, err := d.Pair(c.ctx, p.Code)
		if err == nil {
			_, err = fmt.Fprintln(c.out, text)
		}
		return err
	})
}

type pairWhatsAppCommand struct {
	Phone  *string `help:"Link by a code that is typed on the phone, not by a QR code: the phone's number with its country code." placeholder:"NUMBER" xor:"how"`
	Unlink bool    `help:"Unlink it." xor:"how"`
}

// Run links an account, or unlinks it. A number that is empty, as from a variable
// that is not set, asks for no QR code.
func (p pairWhatsAppCommand) Run(c call) error {
	phone := ""
	if p.Phone != nil {
		if phone = *p.Phone; phone == "" {
			return nacre.Errorf(nacre.Invalid, "--phone needs the number to link, with its country code; leave it out to link by a QR code")
		}
	}
	return c.atDesk(func(d web.Desk) error {
		if p.Unlink {
			return c.unlinkWhatsApp(d)
		}
		return c.linkWhatsApp(d, phone)
	})
}

func (c call) unlinkWhatsApp(d web.Desk) error {
	err := d.UnlinkWhatsApp(c.ctx)
	if err == nil {
		_, err = fmt.Fprintln(c.out, "WhatsApp is unlinked.")
	}
	return err
}

// linkWhatsApp shows each step as it comes.
func (c call) linkWhatsApp(d web.Desk, phone string) error {
	s, err := d.Status(c.ctx)
	if err != nil {
		return err
	}
	if s.WhatsApp == nil {
		return errNoWhatsApp
	}
	l := linking{screen: newScreen(c), own: s.WhatsApp.Own, running: !s.Since.IsZero()}
	err = d.LinkWhatsApp(c.ctx, phone, l.show)
	if c.ctx.Err() != nil {
		return errors.New("stopped before anything was linked")
	}
	return err
}

// linking is what a person at a terminal sees of the linking of an account.
type linking struct {
	*screen
	own     bool // the number is the operator's
	running bool // a server answers what is written next
	begun   bool
}

// show shows a step. What linking means comes before the first.
func (l *linking) show(s nacre.LinkStep) {
	if !l.begun {
		l.begun = true
		fmt.Fprintln(l.out, l.meaning())
	}
	switch {
	case s.QR != "":
		l.qr(s.QR, good(s.Until)+" The next one comes by itself.")
	case s.Code != "":
		fmt.Fprintf(l.out, "\nOn the phone open WhatsApp, Linked devices, Link a device, Link with phone\nnumber instead. Type this code there:\n\n    %s\n\n%s\n", s.Code, good(s.Until))
	default:
		fmt.Fprintf(l.out, "\nLinked as %s. %s\n", s.Account, l.next(s.Account))
	}
}

// good tells how long a code can be used.
func good(until time.Time) string {
	return "It is good for " + number(int(time.Until(until).Round(time.Second).Seconds()), "second", "seconds") + "."
}

func (l *linking) meaning() string {
	if l.own {
		return `This links your own number. Nacre answers only in the chat with yourself, and
says nothing to anybody else. WhatsApp allows no programs but its own, so this
breaks its terms: it can ban a number for it, for a while or for good.`
	}
	return `This links a number that is Nacre's alone, to which you write as to a person.
WhatsApp allows no programs but its own, so this breaks its terms: it can ban
the number, for a while or for good. Do not link the one that you live with.`
}

// next is what to do once an account is linked.
func (l *linking) next(account string) string {
	begin := "Now "
	if !l.running {
		begin = "Now start Nacre, and "
	}
	if l.own {
		return begin + "write to yourself on WhatsApp; it answers there."
	}
	return begin + "write to " + account + " from your phone. If it answers with a code, run: nacre pair CODE"
}
