package recollect

import (
	"strings"
	"time"

	"nacre"
	"nacre/memory/recall"
	"nacre/memory/render"
)

// moment is how times are shown, with the weekday by which people remember them.
const moment = "Mon 2006-01-02 15:04"

// maxName bounds the characters of a name.
const maxName = 60

// at is when something was sent, where the owner lives.
func (r *Recollector) at(c nacre.Caller, t time.Time) string {
	return t.In(r.opts.Zone(c.Owner)).Format(moment)
}

// speaker says to a model who wrote a message. Names are of people's own making, and
// have no part in the form of a line.
func speaker(t recall.Text) string {
	switch t.Author {
	case recall.ByOwner:
		return "they"
	case recall.ByAssistant:
		return "you"
	}
	return name(t.Author)
}

// name is what somebody is called, on one line.
func name(of string) string {
	return render.Plain(clip(strings.Map(func(c rune) rune {
		if strings.ContainsRune(",:：\n", c) {
			return ' '
		}
		return c
	}, of), maxName))
}

// source is how the line of a message begins: when it was sent, and what weight its
// words have.
func (r *Recollector) source(c nacre.Caller, t recall.Text) string {
	when := r.at(c, t.Sent) + ", "
	switch {
	case t.Author == recall.ByAssistant:
		return when + "you (the assistant) said, which makes it no fact: "
	case t.Strange:
		return when + "forwarded by " + them(t) + ", words of others: "
	case t.Heard:
		return when + speaker(t) + " said, as a machine heard it: "
	case t.Elsewhere != "":
		return when + speaker(t) + " said to " + name(t.Elsewhere) + ": "
	}
	return when + speaker(t) + " said: "
}

// them is who passed a message on.
func them(t recall.Text) string {
	if t.Author == recall.ByOwner {
		return "them"
	}
	return speaker(t)
}
