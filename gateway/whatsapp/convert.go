package whatsapp

import (
	"strings"
	"unicode"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// convert makes a Message of what came in an envelope, or returns false for what is
// none of our business: keys, settings, kinds that we do not know, an empty text.
// The result lacks ID and Received, which are for the gateway and the receiver to
// set.
func convert(e *events.Message, env envelope) (nacre.Message, bool) {
	switch p := e.Message.GetProtocolMessage(); {
	case p == nil:
		return convertMessage(e, env)
	case p.GetType() == waE2E.ProtocolMessage_MESSAGE_EDIT:
		return convertEdit(e, env, p)
	case p.GetType() == waE2E.ProtocolMessage_REVOKE && p.GetKey() != nil:
		return convertRevoke(e, env, p)
	}
	return nacre.Message{}, false
}

func convertMessage(e *events.Message, env envelope) (nacre.Message, bool) {
	c, ok := read(unwrap(e.Message))
	if !ok || e.Info.ID == "" {
		return nacre.Message{}, false
	}
	if e.IsViewOnce || c.file != nil && c.file.once {
		c = content{label: viewOnce, context: c.context}
	}
	m := blank(&e.Info, env)
	m.ToUs = !env.private && c.toUs(env.me)
	m.Quiet = c.quiet
	m.Segments = append(quoted(c.context), c.segments(env)...)
	if c.file != nil {
		m.Attachments = c.attachments(e, env)
	}
	return m, len(m.Segments) > 0
}

// blank is a message without content.
func blank(info *types.MessageInfo, env envelope) nacre.Message {
	return nacre.Message{
		Chat:     env.chat,
		External: env.external(info.ID),
		Author:   env.from.author(),
		Also:     env.from.also(),
		Private:  env.private,
		Sent:     info.Timestamp.UTC(),
	}
}

// convertEdit makes another revision of a message. Who sends an edit is also who
// sent the message: it has no name by which one could edit another's.
func convertEdit(e *events.Message, env envelope, p *waE2E.ProtocolMessage) (nacre.Message, bool) {
	edited := &events.Message{Info: e.Info, RawMessage: p.GetEditedMessage(), IsViewOnce: e.IsViewOnce}
	edited.UnwrapRaw()
	edited.Info.ID = p.GetKey().GetID()
	m, ok := convertMessage(edited, env)
	m.Revision, m.Quiet = revisionOfEdit(e.Info.Timestamp), true
	return m, ok
}

// convertRevoke makes a last revision of a message that its sender took back. What
// an administrator removes was said by somebody else, whose words it does not
// change.
func convertRevoke(e *events.Message, env envelope, p *waE2E.ProtocolMessage) (nacre.Message, bool) {
	if author := p.GetKey().GetParticipant(); !env.private && author != "" && !env.from.named(author) {
		return nacre.Message{}, false
	}
	revoked := e.Info
	revoked.ID = p.GetKey().GetID()
	m := blank(&revoked, env)
	m.Revision, m.Quiet = revisionOfRevoke(e.Info.Timestamp), true
	m.Segments = segment(nil, nacre.Label, takenBack)
	return m, revoked.ID != ""
}

// provenance is that of a message's words.
func (c *content) provenance(env envelope) nacre.Provenance {
	switch {
	case c.forwarded():
		return nacre.Forwarded
	case c.prefill:
		return nacre.Prefill
	case !env.private:
		return nacre.InGroup
	default:
		return nacre.ByOwner
	}
}

// segments are what a message itself says: what it carries as a label, then its
// words.
func (c *content) segments(env envelope) []nacre.Segment {
	words, p := clean(c.words), c.provenance(env)
	if p == nacre.InGroup {
		words = env.me.addressed(words)
	}
	return segment(segment(nil, nacre.Label, c.label), p, words)
}

// quoted is the message that one answers, whoever wrote it: what it says is what
// the one who answers says that it does.
func quoted(c *waE2E.ContextInfo) []nacre.Segment {
	if c.GetQuotedMessage() == nil {
		return nil
	}
	whole := (&events.Message{RawMessage: c.GetQuotedMessage()}).UnwrapRaw()
	q, _ := read(unwrap(whole.Message))
	return segment(nil, nacre.Quoted, clean(q.words))
}

func segment(to []nacre.Segment, p nacre.Provenance, text string) []nacre.Segment {
	if strings.TrimSpace(text) == "" {
		return to
	}
	return append(to, nacre.Segment{Provenance: p, Text: text})
}

func (c *content) attachments(e *events.Message, env envelope) []nacre.Attachment {
	a, ok := c.file.attachment(e.Info.ID, &e.Info.MessageSource)
	if !ok {
		return nil
	}
	if p := c.provenance(env); p != nacre.ByOwner {
		a.Spoken = p
	}
	return []nacre.Attachment{a}
}

// toUs reports whether a message in a group speaks to us: a reply to a message of
// ours, or our name. A name inside forwarded words was meant for somebody else at
// another time.
func (c *content) toUs(me person) bool {
	if c.context.GetStanzaID() != "" && me.named(c.context.GetParticipant()) {
		return true
	}
	if c.forwarded() {
		return false
	}
	for _, name := range c.context.GetMentionedJID() {
		if me.named(name) {
			return true
		}
	}
	return false
}

// addressed takes our name off the beginning of words in a group, or off their end,
// so that the rest can be a command. The name alone stays.
func (me person) addressed(words string) string {
	for _, name := range []string{me.lid.User, me.number.User} {
		if name == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(words, "@"+name); ok && apart(rest, strings.TrimLeftFunc(rest, unicode.IsSpace)) {
			return strings.TrimLeftFunc(rest, unicode.IsSpace)
		}
		if rest, ok := strings.CutSuffix(words, "@"+name); ok && apart(rest, strings.TrimRightFunc(rest, unicode.IsSpace)) {
			return strings.TrimRightFunc(rest, unicode.IsSpace)
		}
	}
	return words
}

// apart reports whether trimming left something, and there was white space to trim.
func apart(rest, said string) bool { return said != "" && said != rest }
