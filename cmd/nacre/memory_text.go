package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

const minutes = "2006-01-02 15:04"

// listText is memory at a glance, in lines that are cut to a width; 0 cuts none.
func listText(l web.Listing, width int) string {
	var b strings.Builder
	rows(&b, l.Notes, width)
	if len(l.Notes) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s.\n", capital(number(len(l.Notes), "note", "notes")))
	if l.Waiting > 0 {
		fmt.Fprintf(&b, "%s for you to decide: nacre memory review\n", number(l.Waiting, "note waits", "notes wait"))
	}
	if !l.Saving {
		b.WriteString("Nothing new is remembered from chats until: nacre memory resume\n")
	}
	return b.String()
}

// rows writes notes one a line: path, standing, text.
func rows(b *strings.Builder, notes []web.Note, width int) {
	paths, standings := 0, 0
	for _, n := range notes {
		paths, standings = max(paths, uniseg.StringWidth(placeWords(n))), max(standings, len(render.Status(n.Status)))
	}
	for _, n := range notes {
		text := oneRow(n.Text)
		if room := width - paths - standings - 4; width > 0 && room >= narrow {
			text = cut(text, room)
		}
		fmt.Fprintf(b, "%s  %-*s  %s\n", padded(placeWords(n), paths), standings, render.Status(n.Status), text)
	}
}

// placeWords is where a note stands, with its group where it is of one.
func placeWords(n web.Note) string {
	if n.Scope == memory.Private {
		return n.Path
	}
	return n.Path + " (" + string(n.Scope) + ")"
}

// sheetText is everything about a note.
func sheetText(s web.Sheet) string {
	n := s.Note
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", n.Path, oneRow(n.Text))
	for _, f := range []struct{ name, value string }{
		{"In short", oneRow(n.Abstract)},
		{"Status", statusWords(n)},
		{"Origin", render.Origin(n.Origin)},
		{"Applies", "in " + scopeWords(n.Scope)},
		{"Topic", n.Topic},
		{"True", validWords(n)},
		{"When", n.Event},
		{"Keep", until(n.Expires)},
		{"Recorded", recordedWords(n)},
		{"Recalled", recalledWords(n.Hits)},
		{"Pinned", pinnedWords(s)},
		{"Id", string(n.ID)},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%-9s %s\n", f.name, f.value)
		}
	}
	if s.Against != nil {
		fmt.Fprintf(&b, "\nIt contradicts %s\n", noteLine(*s.Against))
	}
	if len(s.Said) > 0 {
		b.WriteString("\nYour words:\n" + indented(2, quotesText(s.Said)))
	}
	if len(s.Versions) > 1 {
		b.WriteString("\nVersions:\n")
		for _, v := range s.Versions {
			fmt.Fprintf(&b, "  %s  %s\n", recordedWords(v), oneRow(v.Text))
		}
	}
	return b.String()
}

// quotesText are words as they were said, one message a line.
func quotesText(said []web.Quote) string {
	var b strings.Builder
	for _, q := range said {
		how := ""
		if q.Spoken {
			how = ", heard by a machine"
		}
		fmt.Fprintf(&b, "%s, %s%s: “%s”\n", q.Sent.Format(minutes), q.Channel, how, oneRow(q.Text))
	}
	return b.String()
}

func validWords(n web.Note) string {
	switch {
	case n.From != "" && n.To != "":
		return n.From + " to " + n.To
	case n.From != "":
		return "since " + n.From
	}
	return until(n.To)
}

func until(date string) string {
	if date == "" {
		return ""
	}
	return "until " + date
}

func recordedWords(n web.Note) string {
	if n.Until.IsZero() {
		return n.Recorded.Format(minutes)
	}
	return n.Recorded.Format(minutes) + " to " + n.Until.Format(minutes)
}

func recalledWords(days int) string {
	if days == 0 {
		return "never"
	}
	return "on " + number(days, "day", "days")
}

func pinnedWords(s web.Sheet) string {
	if !s.Note.Pinned {
		return ""
	}
	return "yes, always in view: " + s.Pin
}

// logText is the log, one entry a line.
func logText(entries []web.Entry) string {
	if len(entries) == 0 {
		return "Nothing has happened yet.\n"
	}
	who, what, path := 0, 0, 0
	for _, e := range entries {
		who, what, path = max(who, len(writerWords(e))), max(what, len(entryWords(e))), max(path, uniseg.StringWidth(e.Path))
	}
	var b strings.Builder
	for _, e := range entries {
		line := fmt.Sprintf("%s  %-*s  %-*s  %s  %s", e.At.Format(minutes), who, writerWords(e), what, entryWords(e), padded(e.Path, path), whyWords(e))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// oneRow puts a text on one line, without what could move a terminal's cursor
// or turn its letters around.
func oneRow(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)), " ")
}

// cut shortens a text to so many columns.
func cut(text string, most int) string {
	if uniseg.StringWidth(text) <= most {
		return text
	}
	var b strings.Builder
	for g := uniseg.NewGraphemes(text); g.Next() && g.Width() < most; most -= g.Width() {
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}

// padded fills a text up with spaces, as wide as a terminal shows it.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

func indented(by int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", by) + line)
	}
	return b.String()
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
