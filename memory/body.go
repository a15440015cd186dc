package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// body makes the Body of a Draft, or says why it can be none. What is optional
// and invalid is left out.
func (c *Case) body() (Body, Reason) {
	d := &c.Proposal.Draft
	b := Body{Text: oneLine(d.Text), Abstract: oneLine(d.Abstract), Kind: d.Kind, Origin: c.origin()}
	switch {
	case b.Text == "":
		return b, NoText
	case utf8.RuneCountInString(b.Text) > MaxText:
		return b, TooLong
	}
	if why := c.secret(d); why != "" {
		return b, why
	}
	if utf8.RuneCountInString(b.Abstract) > MaxAbstract {
		b.Abstract = ""
	}
	if !isKind(b.Kind) {
		b.Kind = ""
	}
	for _, e := range d.Entities {
		if e = oneLine(e); e != "" && utf8.RuneCountInString(e) <= MaxEntity && len(b.Entities) < MaxEntities {
			b.Entities = append(b.Entities, e)
		}
	}
	b.Valid = Span{c.date(d.From), c.date(d.To)}
	if !b.Valid.From.IsZero() && !b.Valid.To.IsZero() && b.Valid.To.End().Before(b.Valid.From.Start) {
		b.Valid = Span{}
	}
	b.Event, b.Expires = c.date(d.Event), c.date(d.Expires)
	b.Slot = Slot{c.Proposal.Scope, d.Area, c.slug(b.Text)}
	if !isArea(d.Area) || b.Slot.Slug == "" {
		return b, BadSlot
	}
	if c.Proposal.Writer == ByStyle && b.Slot != StyleSlot {
		return b, NotAllowed
	}
	return b, ""
}

// slug names the place of a note, by its text where the writer gives no name or
// one that says something itself.
func (c *Case) slug(text string) string {
	slug := Slug(c.Proposal.Draft.Slug)
	if slug == "" || !c.Proposal.Writer.Owner() && c.telling(slug) {
		return Slug(text)
	}
	return slug
}

// StyleSlot is the only one that the writing style of sent mail may fill.
var StyleSlot = Slot{Private, Preferences, "writing-style"}

func (c *Case) origin() Origin {
	switch p := &c.Proposal; {
	case p.Writer == ByStyle:
		return FromEmail
	case p.Writer == ByImport, p.Writer == ByRestore:
		return FromImport
	case p.Writer.Owner() && len(p.Cites) == 0:
		return FromHand
	case c.spoken():
		return FromWords
	}
	return FromInference
}

// secret looks for what may never be kept, in every field and in all of them
// together.
func (c *Case) secret(d *Draft) Reason {
	list := append([]string{d.Text, d.Abstract, d.Slug, spaced(d.Slug), d.From, d.To, d.Event, d.Expires, string(d.Kind)}, d.Entities...)
	for _, cite := range c.Proposal.cites() {
		list = append(list, cite.Quote)
	}
	for _, text := range append(list, strings.Join(d.Entities, " ")) {
		if _, ok := canon.Secret(text); ok {
			return IsSecret
		}
	}
	return ""
}

// date reads an optional date; one that is none is left out.
func (c *Case) date(text string) Date {
	d, err := ParseDate(strings.TrimSpace(text), c.Zone)
	if err != nil {
		return Date{}
	}
	return d
}

// oneLine puts a text on one line, without what has no width: so that no text
// can look like more than one note.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == '\u200d' || r == '\u200c': // they join and part letters and emoji
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

const maxSlug = 64 // characters

// Slug makes the slug of a text: its letters and digits, of any script, in lower
// case, with single dashes between the words; empty if it has none.
func Slug(text string) string {
	var b strings.Builder
	n, dash := 0, false
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.L, unicode.Nd, unicode.M):
			if dash && n > 0 && n < maxSlug {
				b.WriteByte('-')
				n++
			}
			dash = false
			if n >= maxSlug {
				return strings.TrimRight(b.String(), "-")
			}
			b.WriteRune(r)
			n++
		case r != '\'' && r != '’':
			dash = true
		}
	}
	return strings.TrimRight(b.String(), "-")
}

func spaced(slug string) string { return strings.ReplaceAll(slug, "-", " ") }

func isArea(a Area) bool {
	for _, known := range Areas {
		if a == known {
			return true
		}
	}
	return false
}

func isKind(k Kind) bool {
	switch k {
	case KindFact, KindPlan, KindEvent, KindPossession, KindPreference, KindStyle:
		return true
	}
	return false
}
