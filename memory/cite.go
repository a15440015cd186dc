package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/memory/canon"
)

// evidence finds the places that a proposal cites, and checks that the note says
// no more than they do. The owner's own hand, and what they import, needs none; where
// what is imported says more than its words, it stands without them.
func (c *Case) evidence(b Body) ([]Evidence, Reason) {
	p := &c.Proposal
	cites := p.cites()
	if len(cites) == 0 {
		if p.Writer == ByChat || p.Writer == ByReflect {
			return nil, NoQuote
		}
		return nil, ""
	}
	var list []Evidence
	var quotes []string
	for _, cite := range cites {
		e, why := c.cited(cite)
		if why != "" {
			return nil, why
		}
		list, quotes = append(list, e), append(quotes, cite.Quote)
	}
	switch {
	case p.Writer.Owner(), c.says(strings.Join(quotes, "\n"), b):
		return list, ""
	case p.Writer == ByImport:
		return nil, ""
	}
	return nil, ValueNotQuoted
}

// maxCites bounds the quotes of what is imported, on which its file decides. More are
// left away, and so are those that are too long to be shown.
const maxCites = 20

// cites are those of a proposal that are looked at.
func (p *Proposal) cites() []Cite {
	if p.Writer != ByImport {
		return p.Cites
	}
	var list []Cite
	for _, c := range p.Cites {
		if len(list) < maxCites && len(c.Quote) <= MaxQuote*utf8.UTFMax {
			list = append(list, c)
		}
	}
	return list
}

// cited finds the place of one quote. One that is too long to be shown is
// checked like any other, but its place is not kept. Words that stand beside a
// secret may be a part of it.
func (c *Case) cited(cite Cite) (Evidence, Reason) {
	s, ok := c.Sources[cite.Message]
	switch {
	case !ok:
		return Evidence{}, NoSource
	case c.State.Revoked(cite.Message):
		return Evidence{}, SourceRevoked
	case c.unsaved(s) != "":
		return Evidence{}, c.unsaved(s)
	}
	for i, seg := range s.Segments {
		if !c.admissible(seg.Provenance, s) {
			continue
		}
		from, to, ok := c.aids.find(seg.Text, cite.Quote)
		if !ok {
			continue
		}
		if _, secret := canon.Secret(around(seg.Text, from, to)); secret {
			return Evidence{}, IsSecret
		}
		before, behind := seg.Text[max(0, from-reach):from], seg.Text[to:min(len(seg.Text), to+reach)]
		if denied(before, seg.Text[from:to], clause(behind)) && !denies(c.Proposal.Draft.Text) {
			return Evidence{}, CutShort
		}
		if utf8.RuneCountInString(cite.Quote) > MaxQuote {
			from, to = 0, 0
		}
		return Evidence{Message: s.ID, Segment: i, From: from, To: to, Sent: s.Sent.UTC(), Spoken: seg.Provenance == nacre.ByVoice}, ""
	}
	return Evidence{}, NoQuote
}

// unsaved says why a message, which came while nothing was to be remembered of
// what was said, supports only what the owner asks for.
func (c *Case) unsaved(s Source) Reason {
	scope := c.Proposal.Scope
	switch {
	case c.spoken() && !c.Proposal.Writer.automatic(), c.Proposal.Writer == ByImport: // see closed
		return ""
	case !c.State.SavedAt(s.Received):
		return Paused
	case scope != Private && !c.State.OnAt(GroupSetting(scope), s.Received):
		return GroupOff
	}
	return ""
}

// reach is how many bytes beside a quote may belong to a secret with it, the longest
// of which is a seed phrase, or turn it around.
const reach = 300

func around(text string, from, to int) string {
	return text[max(0, from-reach):min(len(text), to+reach)]
}

// admissible says whose words may support a note: the owner's own in private,
// and in a group whoever's, for that group alone. What they said to another assistant
// stands behind what they import with it, and behind nothing else, nor does that rest on
// anything else.
func (c *Case) admissible(p nacre.Provenance, s Source) bool {
	scope := c.Proposal.Scope
	switch imports, away := c.Proposal.Writer == ByImport, s.Chat.Channel == nacre.Elsewhere; {
	case imports || away:
		return imports && away && s.Private && scope == Private && p == nacre.Imported
	case scope == Private:
		return s.Private && (p == nacre.ByOwner || p == nacre.ByVoice)
	}
	return !s.Private && p == nacre.InGroup && GroupScope(s.Chat) == scope
}

// people are the words for the owner that a writer puts where they said "I".
var people = []string{"owner", "user", "person", "besitzer", "nutzer", "nutzerin", "benutzer", "person", "usuario", "usuaria", "propriétaire", "utilisateur", "utilisatrice", "用户", "主人"}

// says reports whether quotes hold what a note says: each name and number of it,
// and two thirds of its words. Numbers may also come from a date that was worked
// out.
func (c *Case) says(quotes string, b Body) bool {
	quoted := canon.Form(quotes)
	d := &c.Proposal.Draft
	dates := canon.Form(strings.Join([]string{d.From, d.To, d.Event, d.Expires}, " "))
	for _, text := range append([]string{b.Text, b.Abstract}, b.Entities...) {
		for _, name := range identifiers(text) {
			if !within(quoted, name) && !(isNumber(name) && within(dates, name)) {
				return false
			}
		}
	}
	return covers(quotes, b.Text) && (b.Abstract == "" || covers(b.Text+"\n"+quotes, b.Abstract))
}

// maxNaming is how many words a writer's own name for a place may have.
const maxNaming = 4

// telling reports whether a slug says more than what a note is about: an order,
// names and numbers that are not in the words cited, or a sentence of its own. A
// few words may be the writer's: nobody says "employer" who tells of theirs. What
// the owner imports need not cite anything, and its names are as much theirs as its
// notes.
func (c *Case) telling(slug string) bool {
	if canon.Instruction(spaced(slug)) {
		return true
	}
	if c.Proposal.Writer == ByImport {
		return false
	}
	var quotes []string
	for _, cite := range c.Proposal.cites() {
		quotes = append(quotes, cite.Quote)
	}
	quoted := canon.Form(strings.Join(quotes, "\n"))
	own := slices.DeleteFunc(strings.Split(slug, "-"), func(word string) bool { return within(quoted, canon.Form(word)) })
	return len(own) > maxNaming || slices.ContainsFunc(own, names)
}

// covers reports whether two thirds of a text's words are among those of others.
func covers(quotes, text string) bool {
	words := slices.DeleteFunc(canon.Words(text, languages), func(w string) bool {
		return isNumber(w) || slices.ContainsFunc(people, func(p string) bool { return strings.HasPrefix(p, w) && len(w) > 2 })
	})
	return len(words) == 0 || canon.Overlap(words, canon.Words(quotes, languages)) >= alike
}

func isNumber(form string) bool {
	return strings.IndexFunc(form, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}
