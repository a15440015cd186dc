package gateway

import (
	"context"
	"time"

	"nacre"
)

// Press implements Host. Only the Owner who was asked may choose, whoever else
// can see the buttons; a choice is a message with a stable id, so that a press
// that comes twice is one. It quotes the question, since other things may have been
// said after it.
func (g *Gateway) Press(ctx context.Context, p nacre.Press) (string, error) {
	if wait := g.limits.pressed.take(p.Author, time.Now()); wait > 0 {
		g.refused(p.Chat.Channel, RefusedPress)
		return "", nacre.Errorf(nacre.Denied, "That was pressed too often. Try again in a moment.")
	}
	q, err := g.questions.Question(ctx, p.Question)
	if err != nil {
		return "", err
	}
	owner := g.ownerOf(p.Author)
	if owner == "" || owner != q.Owner || q.Chat.Channel != p.Chat.Channel || q.Chat.ID != p.Chat.ID {
		return "", nacre.Errorf(nacre.Denied, "Only the person who was asked can answer this.")
	}
	if p.Option < 0 || p.Option >= len(q.Options) {
		return "", nacre.Errorf(nacre.NotFound, "There is no such answer.")
	}
	now := time.Now()
	in := nacre.Inbound{Owner: owner, Message: nacre.Message{
		ID: nacre.MessageID(nacre.NewID(now)), Chat: q.Chat, External: nacre.ExternalID(nacre.Pressed + string(q.ID)),
		Author: p.Author, Private: p.Private, ToUs: true, Sent: now, Received: now,
		Segments: choice(&q, p.Option),
	}}
	chosen, err := g.questions.Choose(ctx, q.ID, p.Option, &in)
	if err != nil {
		return "", err
	}
	if chosen {
		g.waker.Wake(in.Session, in.Message)
		return q.Options[p.Option], nil
	}
	return g.chosenBefore(ctx, q.ID)
}

// choice is what choosing an option says.
func choice(q *nacre.Question, option int) []nacre.Segment {
	return []nacre.Segment{{Provenance: nacre.Quoted, Text: q.Text}, {Provenance: nacre.Prefill, Text: q.Options[option]}}
}

// chosenBefore is the choice that settled a question.
func (g *Gateway) chosenBefore(ctx context.Context, id nacre.ReplyID) (string, error) {
	q, err := g.questions.Question(ctx, id)
	if err != nil {
		return "", err
	}
	if q.Chosen < 0 || q.Chosen >= len(q.Options) {
		return "", nacre.Errorf(nacre.NotFound, "This question is no longer open.")
	}
	return q.Options[q.Chosen], nil
}
