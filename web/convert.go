package web

import (
	"strings"
	"time"

	"nacre"
	"nacre/gateway/live"
)

// chatOf is the one chat of an owner on this channel, on however many pages.
func chatOf(owner nacre.OwnerID) nacre.Chat {
	return nacre.Chat{Channel: nacre.Web, ID: nacre.ChatID(owner)}
}

// author is who speaks on the pages of an owner.
func author(owner nacre.OwnerID) nacre.Address {
	return nacre.Address{Channel: nacre.Web, ID: string(owner)}
}

// message is what a say frame means.
func message(owner nacre.OwnerID, r request, now time.Time) nacre.Message {
	m := nacre.Message{
		Chat:     chatOf(owner),
		External: nacre.ExternalID(r.ID),
		Author:   author(owner),
		Private:  true,
		Sent:     now,
		Received: now,
	}
	if live.Visible(r.Text) {
		m.Segments = []nacre.Segment{{Provenance: nacre.ByOwner, Text: r.Text}}
	}
	return m
}

// press is what a press frame means.
func press(owner nacre.OwnerID, r request) nacre.Press {
	return nacre.Press{Author: author(owner), Chat: chatOf(owner), Private: true, Question: r.Question, Option: r.Option}
}

// Render leaves Markdown as it is, for the page to show, and cuts nothing: a
// page takes any length. The text is one part, each file one more, and the
// options stand under the last. Bytes that are no UTF-8 become U+FFFD.
func (c *Chat) Render(r nacre.Reply) []nacre.Part {
	var parts []nacre.Part
	if live.Visible(r.Text) {
		parts = append(parts, nacre.Part{Text: strings.ToValidUTF8(r.Text, "\uFFFD")})
	}
	for i := range r.Files {
		parts = append(parts, nacre.Part{File: &r.Files[i]})
	}
	if last := len(parts) - 1; last >= 0 && len(r.Options) > 0 {
		parts[last].Question, parts[last].Options = r.ID, r.Options
	}
	return parts
}

// partFrame is the frame of a part on its way. An answer has the id of its turn, by
// which pages know it again in the history.
func partFrame(d nacre.Delivery, repeat bool) frame {
	return frame{T: framePart, ID: string(d.ID), Turn: nacre.TurnID(d.Reply), Text: d.Part.Text, File: d.Part.File,
		Question: d.Part.Question, Options: d.Part.Options, Repeat: repeat}
}
