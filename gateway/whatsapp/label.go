package whatsapp

import (
	"fmt"
	"strings"

	"go.mau.fi/whatsmeow/proto/waE2E"
)

// viewOnce stands for what its sender wants to be seen once. The sender's app
// promises that nothing of it is kept, so it is not looked at.
const viewOnce = "[sent something to be seen once, which I do not open]"

// takenBack stands for a message that its sender deleted for everyone.
const takenBack = "[taken back by its sender]"

// readObject reads what a message can carry beside words and files.
func readObject(m *waE2E.Message) (content, bool) {
	switch {
	case m.LocationMessage != nil:
		l := m.LocationMessage
		return content{label: place(l), words: l.GetComment(), context: l.GetContextInfo()}, true
	case m.LiveLocationMessage != nil:
		l := m.LiveLocationMessage
		if l.GetTimeOffset() > 0 {
			return content{}, false // on the way; only the first place counts
		}
		return content{label: position(l.GetDegreesLatitude(), l.GetDegreesLongitude()), words: l.GetCaption(), context: l.GetContextInfo()}, true
	case m.ContactMessage != nil:
		return content{label: labelled("contact", m.ContactMessage.GetDisplayName()), context: m.ContactMessage.GetContextInfo()}, true
	case m.ContactsArrayMessage != nil:
		return content{label: contacts(m.ContactsArrayMessage), context: m.ContactsArrayMessage.GetContextInfo()}, true
	case m.EventMessage != nil:
		return content{label: labelled("event", m.EventMessage.GetName()), context: m.EventMessage.GetContextInfo()}, true
	case m.GroupInviteMessage != nil:
		i := m.GroupInviteMessage
		return content{label: labelled("invitation to a group", i.GetGroupName()), words: i.GetCaption(), context: i.GetContextInfo()}, true
	case m.ProductMessage != nil:
		return content{label: labelled("product", m.ProductMessage.GetProduct().GetTitle()), context: m.ProductMessage.GetContextInfo()}, true
	case m.StickerPackMessage != nil:
		return content{label: labelled("sticker pack", m.StickerPackMessage.GetName()), context: m.StickerPackMessage.GetContextInfo()}, true
	}
	return content{}, false
}

// readSmall reads polls, votes and reactions. A vote is encrypted once more; what
// was chosen stays with the poll.
func readSmall(m *waE2E.Message) (content, bool) {
	for _, p := range []*waE2E.PollCreationMessage{
		m.PollCreationMessage, m.PollCreationMessageV2, m.PollCreationMessageV3, m.PollCreationMessageV5, m.PollCreationMessageV6,
	} {
		if p != nil {
			return content{label: poll(p), context: p.GetContextInfo()}, true
		}
	}
	switch {
	case m.PollUpdateMessage != nil:
		return content{label: "[voted in a poll]", quiet: true}, true
	case m.ReactionMessage != nil:
		return content{label: reaction(m.ReactionMessage.GetText()), quiet: true}, true
	}
	return content{}, false
}

func place(l *waE2E.LocationMessage) string {
	if l.GetName() != "" || l.GetAddress() != "" {
		return labelled("venue", l.GetName(), l.GetAddress())
	}
	return position(l.GetDegreesLatitude(), l.GetDegreesLongitude())
}

func position(latitude, longitude float64) string {
	return fmt.Sprintf("[location: %.5f, %.5f]", latitude, longitude)
}

// contacts names the people on several cards.
func contacts(a *waE2E.ContactsArrayMessage) string {
	var names []string
	for _, c := range a.GetContacts() {
		names = append(names, c.GetDisplayName())
	}
	return labelled("contacts", listed(names))
}

// poll is the question with what can be chosen.
func poll(p *waE2E.PollCreationMessage) string {
	var options []string
	for _, o := range p.GetOptions() {
		options = append(options, o.GetOptionName())
	}
	if len(options) == 0 {
		return labelled("poll", p.GetName())
	}
	return labelled("poll", p.GetName(), "("+listed(options)+")")
}

// mostListed is how many options the app gives to a poll at most, see
// https://faq.whatsapp.com/3867763156777396. Who sends more means no good.
const mostListed = 12

func listed(names []string) string {
	if len(names) > mostListed {
		names = append(names[:mostListed:mostListed], "…")
	}
	return strings.Join(names, ", ")
}

// mostNamed is how many characters of a name are worth a place in a label.
const mostNamed = 300

func labelled(kind string, names ...string) string {
	name := strings.TrimSpace(strings.Join(names, " "))
	if name == "" {
		return "[" + kind + "]"
	}
	return "[" + kind + ": " + clip(clean(name), mostNamed) + "]"
}

// reaction is the label of one; without an emoji it was taken away.
func reaction(emoji string) string {
	if emoji == "" {
		return "[reaction removed]"
	}
	const longest = 32 // characters of an emoji, with everything that can be joined to it
	return "[reaction " + clip(clean(emoji), longest) + " to an earlier message]"
}

// clip is the beginning of s, of at most n characters.
func clip(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
