package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
)

// How many messages are read besides those of the turn.
const (
	maxRecent = 10
	maxNamed  = 20
)

// saying is what the owner said themselves in one message.
type saying struct {
	id     nacre.MessageID
	handle string // what the model calls it: m1, m2, …
	role   role
	seq    int64
	sent   time.Time
	texts  []string // one for each segment, so that no quote spans two
}

// role says why a message is shown.
type role string

const (
	now    role = "now"
	before role = "before"
	named  role = "named"
)

// window is the messages that are read, in the order in which they came.
type window struct {
	sayings  []saying
	declined []memory.Proposal // why others are not
	seen     map[nacre.MessageID]bool
}

// look picks from the messages what may be read.
func look(in *Input) *window {
	w := &window{seen: map[nacre.MessageID]bool{}}
	w.add(in, now, in.Current)
	w.add(in, named, in.Named[max(0, len(in.Named)-maxNamed):])
	w.add(in, before, in.Recent[max(0, len(in.Recent)-maxRecent):])
	slices.SortStableFunc(w.sayings, func(a, b saying) int { return cmp.Or(cmp.Compare(a.seq, b.seq), a.sent.Compare(b.sent)) })
	w.dropSplit(in)
	for i := range w.sayings {
		w.sayings[i].handle = fmt.Sprintf("m%d", i+1)
	}
	if len(in.Current) > 0 && !w.news() && len(w.declined) == 0 {
		w.declined = append(w.declined, in.decline(memory.NoQuote, ids(in.Current)...))
	}
	return w
}

// add takes the messages that are not there yet and may be shown.
func (w *window) add(in *Input, r role, sources []memory.Source) {
	for _, s := range sources {
		if w.seen[s.ID] {
			continue
		}
		w.seen[s.ID] = true
		one := saying{id: s.ID, role: r, seq: s.Seq, sent: s.Sent, texts: OwnWords(s, in.Scope)}
		switch why := one.unfit(); {
		case why == "":
			w.sayings = append(w.sayings, one)
		case why != memory.NoQuote || r == named:
			w.refuse(in, one, why)
		}
	}
}

// refuse records why a message is not read, unless it was mere context.
func (w *window) refuse(in *Input, s saying, why memory.Reason) {
	if s.role != before {
		w.declined = append(w.declined, in.decline(why, s.id))
	}
}

// OwnWords are the texts of a message that may support a note of a scope: what
// the owner typed or spoke in a private chat, what was said in the group; one for
// each segment that has any.
func OwnWords(s memory.Source, scope memory.Scope) []string {
	home := memory.Private
	if !s.Private {
		home = memory.GroupScope(s.Chat)
	}
	var texts []string
	for _, g := range s.Segments {
		own := g.Provenance == nacre.ByOwner || g.Provenance == nacre.ByVoice
		if scope != memory.Private {
			own = g.Provenance == nacre.InGroup
		}
		if own && home == scope && strings.TrimSpace(g.Text) != "" {
			texts = append(texts, g.Text)
		}
	}
	return texts
}

// unfit says why a message may not be read, empty if it may.
func (s *saying) unfit() memory.Reason {
	text := s.text()
	if text == "" {
		return memory.NoQuote
	}
	if utf8.RuneCountInString(text) > memory.MaxText {
		return memory.TooLong
	}
	if _, secret := canon.Secret(text); secret {
		return memory.IsSecret
	}
	return ""
}

func (s *saying) text() string { return strings.Join(s.texts, "\n") }

// dropSplit takes out messages that hold a secret only together, such as the two
// halves of a card's number.
func (w *window) dropSplit(in *Input) {
	for {
		from, to := w.split()
		if to == 0 {
			return
		}
		for _, s := range w.sayings[from:to] {
			w.refuse(in, s, memory.IsSecret)
		}
		w.sayings = slices.Delete(w.sayings, from, to)
	}
}

// split finds the shortest run of messages that hold a secret together; to is 0
// if there is none.
func (w *window) split() (from, to int) {
	if !w.secret(0, len(w.sayings)) {
		return 0, 0
	}
	to = 1
	for to < len(w.sayings) && !w.secret(0, to) {
		to++
	}
	from = to - 1
	for from > 0 && !w.secret(from, to) {
		from--
	}
	return from, to
}

func (w *window) secret(from, to int) bool {
	var texts []string
	for i := range w.sayings[from:to] {
		texts = append(texts, w.sayings[from+i].text())
	}
	_, secret := canon.Secret(strings.Join(texts, "\n"))
	return secret
}

// news reports whether anything may be learned: something said now, or named.
func (w *window) news() bool {
	return slices.ContainsFunc(w.sayings, func(s saying) bool { return s.role != before })
}

// find returns the message of a handle, nil if there is none.
func (w *window) find(handle string) *saying {
	if i := w.place(handle); i >= 0 {
		return &w.sayings[i]
	}
	return nil
}

// place is where the message of a handle stands, -1 if there is none.
func (w *window) place(handle string) int {
	return slices.IndexFunc(w.sayings, func(s saying) bool { return strings.EqualFold(s.handle, strings.TrimSpace(handle)) })
}

func ids(sources []memory.Source) []nacre.MessageID {
	var all []nacre.MessageID
	for _, s := range sources {
		all = append(all, s.ID)
	}
	return all
}
