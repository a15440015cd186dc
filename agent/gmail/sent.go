package gmail

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	api "google.golang.org/api/gmail/v1"

	"nacre"
)

// Limits of what is read.
const (
	maxMail  = 4 << 20 // bytes; a larger mail is passed over
	maxPages = 20      // of a list; what stands behind them is not looked at
	pageSize = 100     // messages of a page, the most that Gmail gives with searches
)

// Learned implements style.Mailbox.
func (g *Gmail) Learned(ctx context.Context, owner nacre.OwnerID) (time.Time, error) {
	a, err := g.account(ctx, owner)
	return a.Learned, err
}

// Read implements style.Mailbox. It ends a stretch of trouble.
func (g *Gmail) Read(ctx context.Context, owner nacre.OwnerID, upTo string) error {
	return g.change(ctx, owner, func(a *Account) { a.Learned, a.UpTo, a.Trouble = g.opts.Now(), upTo, "" })
}

// Fresh implements style.Mailbox. The point that it returns is Gmail's history id, from
// before anything is read, so that a mail sent meanwhile is fresh the next time.
func (g *Gmail) Fresh(ctx context.Context, owner nacre.OwnerID) (fresh bool, upTo string, err error) {
	a, err := g.account(ctx, owner)
	if err != nil {
		return false, "", err
	}
	since, err := strconv.ParseUint(a.UpTo, 10, 64)
	if err != nil { // nothing was read yet
		return g.anew(ctx, owner)
	}
	fresh, upTo, err = g.since(ctx, owner, since)
	if f, ok := errors.AsType[failure](err); ok && f.status == http.StatusNotFound {
		return g.anew(ctx, owner) // too old to be compared with
	}
	return fresh, upTo, err
}

// anew is a point where there is none before it.
func (g *Gmail) anew(ctx context.Context, owner nacre.OwnerID) (fresh bool, upTo string, err error) {
	p, err := call(ctx, g, owner, func(ctx context.Context, s *api.Service) (*api.Profile, error) {
		return s.Users.GetProfile("me").Context(ctx).Do()
	})
	if err != nil {
		return false, "", err
	}
	return true, strconv.FormatUint(p.HistoryId, 10), nil
}

// since reports whether anything was sent since a point, and the point of now.
func (g *Gmail) since(ctx context.Context, owner nacre.OwnerID, point uint64) (fresh bool, upTo string, err error) {
	token := ""
	for range maxPages {
		page, err := call(ctx, g, owner, func(ctx context.Context, s *api.Service) (*api.ListHistoryResponse, error) {
			return s.Users.History.List("me").StartHistoryId(point).HistoryTypes("messageAdded").LabelId("SENT").MaxResults(pageSize).PageToken(token).Context(ctx).Do()
		})
		if err != nil {
			return false, "", err
		}
		upTo = strconv.FormatUint(page.HistoryId, 10)
		if slices.ContainsFunc(page.History, adds) {
			return true, upTo, nil
		}
		if token = page.NextPageToken; token == "" {
			return false, upTo, nil
		}
	}
	return true, upTo, nil // so much has happened that something may have been sent
}

// adds reports whether a message came with an entry of history.
func adds(h *api.History) bool { return len(h.MessagesAdded) > 0 }

// Sent implements style.Mailbox.
func (g *Gmail) Sent(ctx context.Context, owner nacre.OwnerID, after time.Time, yield func(raw []byte) bool) error {
	token := ""
	for range maxPages {
		page, err := g.list(ctx, owner, after, token)
		if err != nil {
			return err
		}
		for _, m := range page.Messages {
			raw, err := g.read(ctx, owner, m.Id, after)
			if err != nil {
				return err
			}
			if raw != nil && !yield(raw) {
				return nil
			}
		}
		if token = page.NextPageToken; token == "" {
			return nil
		}
	}
	return nil
}

// list lists what was sent after a moment, newest first.
func (g *Gmail) list(ctx context.Context, owner nacre.OwnerID, after time.Time, token string) (*api.ListMessagesResponse, error) {
	q := "in:sent -in:chats smaller:4M"
	if !after.IsZero() {
		q += fmt.Sprintf(" after:%d", after.Unix())
	}
	return call(ctx, g, owner, func(ctx context.Context, s *api.Service) (*api.ListMessagesResponse, error) {
		return s.Users.Messages.List("me").Q(q).LabelIds("SENT").MaxResults(pageSize).PageToken(token).Context(ctx).Do()
	})
}

// read reads one mail. It is nil for one that is to be passed over: it is gone, too
// large, no mail that was sent after the moment, or cannot be decoded.
func (g *Gmail) read(ctx context.Context, owner nacre.OwnerID, id string, after time.Time) ([]byte, error) {
	m, err := call(ctx, g, owner, func(ctx context.Context, s *api.Service) (*api.Message, error) {
		return s.Users.Messages.Get("me", id).Format("raw").Context(ctx).Do()
	})
	if f, ok := errors.AsType[failure](err); ok && (f.status == http.StatusNotFound || f.status == tooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if m.SizeEstimate > maxMail || !slices.Contains(m.LabelIds, "SENT") || time.UnixMilli(m.InternalDate).Before(after) {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(m.Raw, "="))
	if err != nil || len(raw) == 0 || len(raw) > maxMail {
		return nil, nil
	}
	return raw, nil
}
