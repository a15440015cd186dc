package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"nacre"
)

// fileRoutes are where Files is asked.
func fileRoutes(f func(Hand) Files) []route {
	return []route{
		{"GET /api/files", false, told(f, Files.Read)},
		{"POST /api/files/write", false, asked(f, Files.Write)},
	}
}

// historyRoutes are where History is asked.
func historyRoutes(h func(Hand) History) []route {
	return []route{
		{"GET /api/history", false, asked(h, History.Recent)},
		{"GET /api/history/around", false, asked(h, History.Around)},
		{"POST /api/history/search", false, asked(h, History.Search)},
		{"GET /api/why", false, told(h, History.Why)},
	}
}

// settingsRoutes are where Settings is asked.
func settingsRoutes(s func(Hand) Settings) []route {
	return []route{
		{"GET /api/settings", false, told(s, Settings.Show)},
		{"POST /api/settings", false, asked(s, Settings.Change)},
	}
}

// accessRoutes are where Access is asked.
func accessRoutes(a func(Hand) Access) []route {
	return []route{
		{"GET /api/access", false, told(a, Access.List)},
		{"POST /api/access/revoke", false, asked(a, done(Access.Revoke))},
		{"POST /api/access/token", false, asked(a, Access.MakeToken)},
		{"POST /api/access/password", false, asked(a, done(Access.SetPassword))},
		{"POST /api/access/password/drop", false, told(a, func(a Access, ctx context.Context) (struct{}, error) {
			return struct{}{}, a.DropPassword(ctx)
		})},
	}
}

// done makes something that has no answer answer that it is done.
func done[Part, In any](do func(Part, context.Context, In) error) func(Part, context.Context, In) (struct{}, error) {
	return func(p Part, ctx context.Context, in In) (struct{}, error) { return struct{}{}, do(p, ctx, in) }
}

// query writes what a GET asks, as readQuery reads it.
func query(in any) string {
	b, _ := json.Marshal(in) // of plain fields, which can be marshalled
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // as they stand there
	d.Decode(&fields)
	q := url.Values{}
	for name, value := range fields {
		q.Set(name, fmt.Sprint(value))
	}
	return q.Encode()
}

// Me implements Desk.
func (c *Client) Me(ctx context.Context, _ Hand) (Me, error) {
	return ask[Me](ctx, c, http.MethodGet, "me", nil)
}

// Usage implements Desk.
func (c *Client) Usage(ctx context.Context, _ Hand, q UsageQuery) (Usage, error) {
	return ask[Usage](ctx, c, http.MethodGet, "usage?"+query(q), nil)
}

// Login implements Desk.
func (c *Client) Login(ctx context.Context, _ Hand) (string, error) {
	out, err := ask[loginAnswer](ctx, c, http.MethodPost, "login", nil)
	return out.Link, err
}

// Status implements Desk.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return ask[Status](ctx, c, http.MethodGet, "status", nil)
}

// Pair implements Desk.
func (c *Client) Pair(ctx context.Context, code string) (string, error) {
	out, err := ask[textAnswer](ctx, c, http.MethodPost, "pair", pairRequest{code})
	return out.Text, err
}

// Strangers implements Desk.
func (c *Client) Strangers(ctx context.Context) ([]Stranger, error) {
	return ask[[]Stranger](ctx, c, http.MethodGet, "strangers", nil)
}

// Decide implements Desk.
func (c *Client) Decide(ctx context.Context, d Decision) (string, error) {
	out, err := ask[textAnswer](ctx, c, http.MethodPost, "strangers/decide", d)
	return out.Text, err
}

// Files implements Desk.
func (c *Client) Files(Hand) Files { return remoteFiles{c} }

type remoteFiles struct{ client *Client }

// Read implements Files.
func (f remoteFiles) Read(ctx context.Context) ([]File, error) {
	return ask[[]File](ctx, f.client, http.MethodGet, "files", nil)
}

// Write implements Files.
func (f remoteFiles) Write(ctx context.Context, w FileWrite) (File, error) {
	return ask[File](ctx, f.client, http.MethodPost, "files/write", w)
}

// History implements Desk.
func (c *Client) History(Hand) History { return remoteHistory{c} }

type remoteHistory struct{ client *Client }

// Recent implements History.
func (h remoteHistory) Recent(ctx context.Context, q RecentQuery) (Conversation, error) {
	return ask[Conversation](ctx, h.client, http.MethodGet, "history?"+query(q), nil)
}

// Around implements History.
func (h remoteHistory) Around(ctx context.Context, q AroundQuery) (Conversation, error) {
	return ask[Conversation](ctx, h.client, http.MethodGet, "history/around?"+query(q), nil)
}

// Search implements History.
func (h remoteHistory) Search(ctx context.Context, q SearchQuery) (Found, error) {
	return ask[Found](ctx, h.client, http.MethodPost, "history/search", q)
}

// Why implements History.
func (h remoteHistory) Why(ctx context.Context) (Why, error) {
	return ask[Why](ctx, h.client, http.MethodGet, "why", nil)
}

// Answer implements History. It is asked by the chat of the API alone.
func (h remoteHistory) Answer(context.Context, nacre.ExternalID) (Answer, error) {
	return Answer{}, nacre.Errorf(nacre.NotFound, "there is no such message")
}

// Settings implements Desk.
func (c *Client) Settings(Hand) Settings { return remoteSettings{c} }

type remoteSettings struct{ client *Client }

// Show implements Settings.
func (s remoteSettings) Show(ctx context.Context) (SettingsSheet, error) {
	return ask[SettingsSheet](ctx, s.client, http.MethodGet, "settings", nil)
}

// Change implements Settings.
func (s remoteSettings) Change(ctx context.Context, c SettingsChange) (SettingsSheet, error) {
	return ask[SettingsSheet](ctx, s.client, http.MethodPost, "settings", c)
}

// Access implements Desk.
func (c *Client) Access(Hand) Access { return remoteAccess{c} }

type remoteAccess struct{ client *Client }

// List implements Access.
func (a remoteAccess) List(ctx context.Context) (AccessListing, error) {
	return ask[AccessListing](ctx, a.client, http.MethodGet, "access", nil)
}

// Revoke implements Access.
func (a remoteAccess) Revoke(ctx context.Context, r Revocation) error {
	return a.client.call(ctx, http.MethodPost, "/api/access/revoke", r, nil)
}

// MakeToken implements Access.
func (a remoteAccess) MakeToken(ctx context.Context, w TokenWish) (Token, error) {
	return ask[Token](ctx, a.client, http.MethodPost, "access/token", w)
}

// SetPassword implements Access.
func (a remoteAccess) SetPassword(ctx context.Context, p Password) error {
	return a.client.call(ctx, http.MethodPost, "/api/access/password", p, nil)
}

// DropPassword implements Access.
func (a remoteAccess) DropPassword(ctx context.Context) error {
	return a.client.call(ctx, http.MethodPost, "/api/access/password/drop", nil, nil)
}
