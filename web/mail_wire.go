package web

import (
	"context"
	"net/http"
)

// mailRoutes are where Mail is asked.
func mailRoutes(m func(Hand) Mail) []route {
	return []route{
		{"GET /api/mail", false, told(m, Mail.Show)},
		{"POST /api/mail/connect", false, asked(m, Mail.Connect)},
		{"POST /api/mail/finish", false, asked(m, Mail.Finish)},
		{"POST /api/mail/disconnect", false, told(m, Mail.Disconnect)},
		{"POST /api/mail/learn", false, told(m, Mail.Learn)},
	}
}

// Mail implements Desk.
func (c *Client) Mail(Hand) Mail { return remoteMail{c} }

// remoteMail is a Mail behind the socket.
type remoteMail struct{ client *Client }

// Show implements Mail.
func (m remoteMail) Show(ctx context.Context) (MailSheet, error) {
	return ask[MailSheet](ctx, m.client, http.MethodGet, "mail", nil)
}

// Connect implements Mail.
func (m remoteMail) Connect(ctx context.Context, c MailConnect) (MailConsent, error) {
	return ask[MailConsent](ctx, m.client, http.MethodPost, "mail/connect", c)
}

// Finish implements Mail.
func (m remoteMail) Finish(ctx context.Context, r MailReturn) (MailSheet, error) {
	return ask[MailSheet](ctx, m.client, http.MethodPost, "mail/finish", r)
}

// Disconnect implements Mail.
func (m remoteMail) Disconnect(ctx context.Context) (MailGone, error) {
	return ask[MailGone](ctx, m.client, http.MethodPost, "mail/disconnect", nil)
}

// Learn implements Mail.
func (m remoteMail) Learn(ctx context.Context) (string, error) {
	return ask[string](ctx, m.client, http.MethodPost, "mail/learn", nil)
}
