package telegram

import (
	"fmt"
	"strings"
)

// label says in brackets what a message carries beside words, with the name
// that somebody gave to it; empty if it carries nothing. The order matters
// where Telegram fills in two fields: an animation is also a document, and a
// venue also a location.
func (m *media) label() string {
	switch {
	case len(m.Photo) > 0:
		return "[photo]"
	case m.Voice != nil:
		return "[voice message]"
	case m.Audio != nil && m.Audio.Title != "":
		return labelled("audio", m.Audio.Title)
	case m.Audio != nil:
		return labelled("audio", m.Audio.Name)
	case m.Video != nil:
		return labelled("video", m.Video.Name)
	case m.VideoNote != nil:
		return "[video message]"
	case m.Animation != nil:
		return labelled("animation", m.Animation.Name)
	case m.Document != nil:
		return labelled("document", m.Document.Name)
	case m.Sticker != nil:
		return labelled("sticker", m.Sticker.Emoji)
	default:
		return m.objectLabel()
	}
}

// objectLabel is label for what is no file.
func (m *media) objectLabel() string {
	switch {
	case m.Contact != nil:
		return labelled("contact", m.Contact.First, m.Contact.Last)
	case m.Poll != nil:
		return labelled("poll", m.Poll.Question)
	case m.Venue != nil:
		return labelled("venue", m.Venue.Title, m.Venue.Address)
	case m.Location != nil:
		return fmt.Sprintf("[location: %.5f, %.5f]", m.Location.Latitude, m.Location.Longitude)
	case m.Dice != nil:
		return labelled("dice", m.Dice.Emoji)
	case m.Game != nil:
		return labelled("game", m.Game.Title)
	case m.Checklist != nil:
		return labelled("checklist", m.Checklist.Title)
	case m.Story != nil:
		return "[story]"
	case m.PaidMedia != nil:
		return "[paid media]"
	case m.Rich != nil:
		return "[rich message]"
	}
	return ""
}

func labelled(kind string, names ...string) string {
	name := strings.TrimSpace(strings.Join(names, " "))
	if name == "" {
		return "[" + kind + "]"
	}
	return "[" + kind + ": " + name + "]"
}
