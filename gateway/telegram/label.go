package telegram

import (
	"fmt"
	"slices"
	"strings"
)

// label says in brackets what a message carries beside words, with the name
// that somebody gave to it; empty if it carries nothing.
func (m *media) label() string {
	if c, ok := m.carried(); ok {
		return c.label()
	}
	return m.objectLabel()
}

// objectLabel is label for what is no file. A venue is also a location.
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

// label says what changed, in the order in which Telegram shows it; empty if
// nothing did.
func (r *reaction) label() string {
	var added []string
	for _, t := range r.New {
		if !slices.Contains(r.Old, t) {
			added = append(added, t.shown())
		}
	}
	switch {
	case len(added) > 0:
		return "[reaction " + strings.Join(added, " ") + " to an earlier message]"
	case len(r.Old) > len(r.New):
		return "[reaction removed]"
	}
	return ""
}

func (t reactionType) shown() string {
	switch {
	case t.Emoji != "":
		return t.Emoji
	case t.Type == "paid":
		return "⭐"
	default:
		return "with an emoji of their own"
	}
}
