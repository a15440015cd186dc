package main

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/web"
)

// How much of chats is shown at once.
const (
	usuallyRecent, mostRecent = 50, 200
	usuallyAround, mostAround = 10, 50
	usuallyHits, mostHits     = 20, 100
)

// historyDesk is what was said in an owner's chats. It is a web.History.
type historyDesk struct {
	app   *app
	owner nacre.OwnerID
}

// History implements web.Desk.
func (a *app) History(h web.Hand) web.History { return historyDesk{a, a.ownerOf(h)} }

// page is the owner's chat on the page.
func (h historyDesk) page() nacre.Chat {
	return nacre.Chat{Channel: nacre.Web, ID: nacre.ChatID(h.owner)}
}

// Recent implements web.History. Commands are no conversation, and neither they nor
// what they were answered is kept as one.
func (h historyDesk) Recent(ctx context.Context, q web.RecentQuery) (web.Conversation, error) {
	before, err := readMark(q.Before)
	if err != nil {
		return web.Conversation{}, err
	}
	s, err := h.app.archive.Chat(ctx, h.owner, h.page(), before, atMost(q.Most, usuallyRecent, mostRecent))
	if err != nil {
		return web.Conversation{}, err
	}
	c := web.Conversation{Place: web.Place{Channel: nacre.Web, Private: true}, Sayings: h.sayings(s.Sayings)}
	if s.More {
		c.Earlier = writeMark(s.Before)
	}
	return c, h.ask(ctx, c.Sayings)
}

// ask puts what was asked, and how that was answered, on the answers that ask. The
// reply of a turn has the turn's id.
func (h historyDesk) ask(ctx context.Context, list []web.Saying) error {
	var ids []nacre.ReplyID
	for _, s := range list {
		if s.Who == web.Nacre {
			ids = append(ids, nacre.ReplyID(s.Turn))
		}
	}
	asked, err := h.app.ledger.Questions(ctx, h.owner, ids)
	for i := range list {
		s := &list[i]
		q, asks := asked[nacre.ReplyID(s.Turn)]
		if !asks || s.Who != web.Nacre {
			continue
		}
		s.Question, s.Options = q.ID, q.Options
		if q.Chosen >= 0 {
			s.Chosen = q.Options[q.Chosen]
		}
	}
	return err
}

// writeMark writes a point in a chat for whoever will bring it back.
func writeMark(m ledger.Mark) string {
	raw := binary.AppendVarint(binary.AppendVarint(nil, m.Said), m.Answered)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readMark reads what writeMark wrote; nothing is the zero Mark.
func readMark(text string) (ledger.Mark, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	said, n := binary.Varint(raw)
	answered, more := binary.Varint(raw[max(0, n):])
	if text != "" && (err != nil || n <= 0 || more <= 0) {
		return ledger.Mark{}, nacre.Errorf(nacre.Invalid, "that is no place in the chat; load it anew")
	}
	return ledger.Mark{Said: said, Answered: answered}, nil
}

// Around implements web.History.
func (h historyDesk) Around(ctx context.Context, q web.AroundQuery) (web.Conversation, error) {
	list, err := h.app.archive.Around(ctx, h.owner, q.Message, atMost(q.Each, usuallyAround, mostAround))
	if err != nil {
		return web.Conversation{}, err
	}
	return web.Conversation{Place: placeOf(list[0]), Sayings: h.sayings(list)}, nil
}

func placeOf(s ledger.Saying) web.Place {
	return web.Place{Channel: s.Channel, Private: s.Scope == memory.Private}
}

// Answer implements web.History.
func (h historyDesk) Answer(ctx context.Context, id nacre.ExternalID) (web.Answer, error) {
	text, done, err := h.app.archive.AnswerTo(ctx, h.owner, h.page(), id)
	return web.Answer{Done: done, Text: text}, err
}

func (h historyDesk) sayings(list []ledger.Saying) []web.Saying {
	said := make([]web.Saying, len(list))
	for i, s := range list {
		said[i] = h.saying(s)
		said[i].Text, said[i].Files = s.Words(), s.Files
	}
	return said
}

func (h historyDesk) saying(s ledger.Saying) web.Saying {
	said := web.Saying{Message: s.Message, Turn: s.Turn, Sent: s.Sent.In(h.zone()), Text: s.Text, Strange: s.Strange, Heard: s.Heard, Elsewhere: assistantOf(s)}
	switch {
	case s.Answer:
		said.Who = web.Nacre
	case s.Own:
		said.Who = web.You
	default:
		said.Who, said.Name = web.Others, authorOf(s)
	}
	if s.Channel == nacre.Web {
		said.ID = string(s.External)
	}
	return said
}

func (h historyDesk) zone() *time.Location { return h.app.zoneOf(h.owner) }
