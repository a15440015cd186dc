package main

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/memory"
	"nacre/web"
)

// mailDesk is an owner's Gmail in their own hand. It is a web.Mail.
type mailDesk struct {
	app   *app
	hand  web.Hand
	owner nacre.OwnerID
}

// Mail implements web.Desk.
func (a *app) Mail(h web.Hand) web.Mail { return mailDesk{a, h, a.ownerOf(h)} }

// Show implements web.Mail.
func (m mailDesk) Show(ctx context.Context) (web.MailSheet, error) {
	s, err := m.app.mail.State(ctx, m.owner)
	if err != nil {
		return web.MailSheet{}, err
	}
	st, err := m.app.library.Book(m.owner).State(ctx)
	if err != nil {
		return web.MailSheet{}, err
	}
	zone := m.app.zoneOf(m.owner)
	sheet := web.MailSheet{Connected: s.Connected, Address: s.Address, Drafts: s.Drafts, Client: s.Connected,
		Since: within(s.Since, zone), Learned: within(s.Learned, zone), Trouble: troubleWords[s.Trouble], Failed: s.Failed}
	if n := st.Live(memory.StyleSlot); n != nil {
		sheet.Style, sheet.Note, sheet.Yours = n.Text, n.ID, n.Origin != memory.FromEmail
	}
	return sheet, nil
}

// within is a moment by a zone's clock; the zero time stays what it is.
func within(at time.Time, zone *time.Location) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(zone)
}

// Connect implements web.Mail.
func (m mailDesk) Connect(ctx context.Context, c web.MailConnect) (web.MailConsent, error) {
	back, err := comeBack(c.At, m.app.port)
	if err != nil {
		return web.MailConsent{}, err
	}
	client := gmail.Client{ID: strings.TrimSpace(c.ID), Secret: strings.TrimSpace(c.Secret)}
	consent, err := m.app.mail.Begin(ctx, m.owner, gmail.Wish{Client: client, Drafts: c.Drafts, Back: back, Anywhere: m.hand.By == memory.ByShell})
	return web.MailConsent{URL: consent, Back: back}, err
}

// comeBack is where Google sends a browser after consent: to the page by which it was
// asked for, and under its name, by which the browser is logged in, if Google takes
// that, which it does with https and with this machine; else to this machine, from where
// the person brings the address back. port is the page's own; empty while it is off.
func comeBack(at, port string) (string, error) {
	u, err := url.Parse(at)
	if err != nil || at != "" && (u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Path+u.RawQuery+u.Fragment != "") {
		return "", nacre.Errorf(nacre.Invalid, "The origin of a page is written as https://nacre.example.org, without a path.")
	}
	switch here := isHere(u.Hostname()); {
	case here && u.Scheme == "http", !here && u.Scheme == "https":
		return at + web.MailBack, nil
	case here: // Google takes no https there
		port = u.Port()
	}
	if port != "" {
		port = ":" + port
	}
	return "http://127.0.0.1" + port + web.MailBack, nil
}

// isHere reports whether a host is the machine on which the browser runs.
func isHere(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Finish implements web.Mail.
func (m mailDesk) Finish(ctx context.Context, r web.MailReturn) (web.MailSheet, error) {
	if _, err := m.app.mail.Finish(ctx, m.owner, strings.TrimSpace(r.URL)); err != nil {
		return web.MailSheet{}, err
	}
	m.app.connected(m.owner)
	return m.Show(ctx)
}

// Disconnect implements web.Mail.
func (m mailDesk) Disconnect(ctx context.Context) (web.MailGone, error) {
	revoked, err := m.app.mail.Disconnect(ctx, m.owner)
	if err != nil {
		return web.MailGone{}, err
	}
	m.app.page.Changed(m.owner, web.TopicSettings)
	return web.MailGone{Revoked: revoked}, nil
}

// Learn implements web.Mail.
func (m mailDesk) Learn(ctx context.Context) (string, error) {
	return m.app.Jobs(m.hand).Round(ctx, web.JobRound{Round: nacre.RoundStyle})
}
