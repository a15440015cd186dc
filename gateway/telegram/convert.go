package telegram

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"nacre"
)

// convert makes a Message of an update, or returns false for one that is none
// of our business: a kind that we do not handle, a channel's post, a service
// notice. me is the bot, which decides what is addressed to us. The result
// lacks ID and Received, which are for the gateway and the receiver to set.
func convert(u update, me user) (nacre.Message, bool) {
	switch {
	case u.Message != nil:
		return convertMessage(u.Message, me)
	case u.Edited != nil:
		return convertEdit(u.Edited, me)
	case u.Reaction != nil:
		return convertReaction(u.Reaction, me)
	}
	return nacre.Message{}, false
}

func convertMessage(m *message, me user) (nacre.Message, bool) {
	own := ownSegments(m, me)
	if len(own) == 0 || !talk(m.Chat.Type) {
		return nacre.Message{}, false
	}
	private := m.Chat.Type == "private"
	msg := nacre.Message{
		Chat:     place(m),
		External: external(me, m.ID),
		Author:   author(m),
		Private:  private,
		ToUs:     !private && toUs(m, me),
		Sent:     time.Unix(m.Date, 0).UTC(),
		Segments: append(quoted(m), own...),
		Album:    m.Album,
	}
	if c, ok := m.carried(); ok {
		a := c.attachment()
		if p := provenance(m); p != nacre.ByOwner {
			a.Spoken = p
		}
		msg.Attachments = []nacre.Attachment{a}
	}
	if m.From != nil {
		msg.Language = m.From.Language
	}
	return msg, true
}

// convertEdit makes another revision of a message. An edit may change nothing
// that we see, such as the preview of a link; being quiet it does no harm. A
// live location is edited every few seconds, and only its first place counts.
func convertEdit(m *message, me user) (nacre.Message, bool) {
	if m.Location != nil && m.Venue == nil {
		return nacre.Message{}, false
	}
	msg, ok := convertMessage(m, me)
	msg.Revision, msg.Quiet = m.EditDate, true
	return msg, ok
}

// convertReaction makes a message of its own of a reaction, since it names the
// one that it is to, but not what that says.
func convertReaction(r *reaction, me user) (nacre.Message, bool) {
	words := r.label()
	who := person(r.User)
	if words == "" || who == (nacre.Address{}) || !talk(r.Chat.Type) {
		return nacre.Message{}, false
	}
	return nacre.Message{
		Chat:     chatOf(r.Chat.ID),
		External: external(me, r.Message) + nacre.ExternalID("/reaction/"+itoa(r.Date)),
		Author:   who,
		Private:  r.Chat.Type == "private",
		Sent:     time.Unix(r.Date, 0).UTC(),
		Language: r.User.Language,
		Quiet:    true,
		Segments: segment(nil, nacre.Label, words),
	}, true
}

func chatOf(id int64) nacre.Chat {
	return nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(itoa(id))}
}

// place is where m was said.
func place(m *message) nacre.Chat {
	c := chatOf(m.Chat.ID)
	c.Thread = thread(m)
	return c
}

// external names a message. Telegram counts messages of private chats per bot,
// so the bot is part of the name; else another bot's would pass for known.
func external(me user, id int64) nacre.ExternalID {
	return nacre.ExternalID(itoa(me.ID) + "/" + itoa(id))
}

func talk(chatType string) bool {
	return chatType == "private" || chatType == "group" || chatType == "supergroup"
}

// author names the person who sent m. Anonymous admins and channels are no
// persons, even where Telegram fills in a placeholder user for them.
func author(m *message) nacre.Address {
	if m.SenderChat != nil {
		return nacre.Address{}
	}
	return person(m.From)
}

// person is the address of a user who is one, not a bot or nobody.
func person(u *user) nacre.Address {
	if u == nil || u.IsBot || u.ID <= 0 {
		return nacre.Address{}
	}
	return nacre.Address{Channel: nacre.Telegram, ID: itoa(u.ID)}
}

// thread is m's topic. Outside of topics Telegram uses the same field to tie
// replies together, which makes no conversation of its own.
func thread(m *message) nacre.ThreadID {
	if !m.IsTopic || m.Thread == 0 {
		return ""
	}
	return nacre.ThreadID(itoa(m.Thread))
}

// provenance is that of the words that m's sender put into it.
func provenance(m *message) nacre.Provenance {
	switch {
	case m.forwarded():
		return nacre.Forwarded
	case m.ViaBot != nil:
		return nacre.Prefill // an inline bot wrote it
	case m.Chat.Type != "private":
		return nacre.InGroup
	case author(m) == nacre.Address{}:
		return nacre.Forwarded // written by somebody, but by no person we know
	default:
		return nacre.ByOwner
	}
}

// quoted is the part of another message that m answers: what its sender
// selected, else the whole of it.
func quoted(m *message) []nacre.Segment {
	var text string
	switch {
	case m.Quote != nil && m.Quote.Text != "":
		text = m.Quote.Text
	case m.ReplyTo != nil && m.ReplyTo.Text != "":
		text = m.ReplyTo.Text
	case m.ReplyTo != nil:
		text = m.ReplyTo.Caption
	}
	return segment(nil, nacre.Quoted, text)
}

// ownSegments are what m itself says: its media as a label, then its words.
func ownSegments(m *message, me user) []nacre.Segment {
	s := segment(nil, nacre.Label, m.label())
	text, _ := m.written()
	p := provenance(m)
	if p == nacre.ByOwner || p == nacre.InGroup {
		var parameter string
		text, parameter = deepLink(text, me)
		return segment(segment(s, p, text), nacre.Prefill, parameter)
	}
	return segment(s, p, text)
}

func segment(to []nacre.Segment, p nacre.Provenance, text string) []nacre.Segment {
	if text == "" {
		return to
	}
	return append(to, nacre.Segment{Provenance: p, Text: text})
}

// deepLink splits "/start parameter", which the app sends by itself when
// somebody follows a link to the bot. Whoever made the link chose the
// parameter. Other texts come back whole.
func deepLink(text string, me user) (own, parameter string) {
	command, rest, ok := strings.Cut(text, " ")
	name, to, addressed := strings.Cut(command, "@")
	if !ok || !strings.EqualFold(name, "/start") || addressed && !strings.EqualFold(to, me.Username) {
		return text, ""
	}
	return command, strings.TrimSpace(rest)
}

// toUs reports whether a message in a group speaks to the bot: a reply to it,
// its name, or a command with its name. A name inside forwarded words was
// meant for somebody else at another time.
func toUs(m *message, me user) bool {
	if r := m.ReplyTo; r != nil && r.TopicCreated == nil && r.From != nil && r.From.ID == me.ID {
		return true
	}
	if m.forwarded() {
		return false
	}
	text, entities := m.written()
	for _, e := range entities {
		if e.names(me, text) {
			return true
		}
	}
	return false
}

func (e entity) names(u user, text string) bool {
	switch e.Type {
	case "text_mention":
		return e.User != nil && e.User.ID == u.ID
	case "mention", "bot_command":
		_, name, ok := strings.Cut(units(text, e.Offset, e.Length), "@")
		return ok && name != "" && strings.EqualFold(name, u.Username)
	}
	return false
}

// units cuts length UTF-16 units out of text, from offset on. Out of range, it
// gives what is there.
func units(text string, offset, length int) string {
	text = skip(text, offset)
	return text[:len(text)-len(skip(text, length))]
}

// skip drops the first n UTF-16 units.
func skip(text string, n int) string {
	for i, r := range text {
		if n <= 0 {
			return text[i:]
		}
		n -= utf16.RuneLen(r)
	}
	return ""
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
