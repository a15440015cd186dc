package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"nacre/web"
)

const (
	dayWords   = "2 Jan 2006"
	mostPlaces = 5      // that are named of what was left out for one reason
	manySaid   = 20_000 // messages that it takes a while to read for the search
)

// importedText says what became of an import: the notes and jobs that were not simply
// taken over, or in a dry run those that would be, the numbers, and what else was left
// out, by reason.
func importedText(done web.Imported) string {
	var b strings.Builder
	if len(done.Sources) > 0 {
		fmt.Fprintf(&b, "From %s.\n\n", enumerated(done.Sources))
	}
	if importedRows(&b, done) {
		b.WriteString("\n")
	}
	importedNumbers(&b, done)
	leftWords(&b, done)
	return b.String()
}

// importedRows writes notes and jobs, one a line: place, what became of it, text. It
// reports whether there are any.
func importedRows(b *strings.Builder, done web.Imported) bool {
	rows := slices.DeleteFunc(slices.Clone(done.Lines), func(l web.ImportedLine) bool {
		return l.What == web.ImportKnown || l.What == web.ImportAdds && !done.Dry
	})
	width := 0
	for _, l := range rows {
		if spot := spotOf(l.File, l.Line); spot != "" {
			width = max(width, 4, uniseg.StringWidth(spot))
		}
	}
	for _, l := range rows {
		what := string(l.Area)
		switch {
		case l.What == web.ImportLeft:
			what = "left out (" + strings.TrimSuffix(l.Words, ".") + ")"
		case l.Job:
			what = "job, paused"
		case l.Pinned:
			what += ", pinned"
		}
		spot := spotOf(l.File, l.Line)
		if text := oneRow(l.Text); text != "" {
			what += ": " + text
		}
		if width > 0 {
			what = strings.Repeat(" ", width-uniseg.StringWidth(spot)) + spot + "  " + what
		}
		b.WriteString(what + "\n")
	}
	return len(rows) > 0
}

// spotOf is where something stands, as programs write it; empty for a text without
// lines.
func spotOf(file string, line int) string {
	switch {
	case file == "" && line == 0:
		return ""
	case file == "":
		return strconv.Itoa(line)
	case line == 0:
		return oneRow(file)
	}
	return oneRow(file) + ":" + strconv.Itoa(line)
}

// importedNumbers writes how much became of what.
func importedNumbers(b *strings.Builder, done web.Imported) {
	verb, were := "Remembered", ""
	if done.Dry {
		verb, were = "Would be remembered", "would be "
	}
	known, left := fates(done.Lines, false)
	fmt.Fprintf(b, "%s: %s. There already: %d. Left out: %d.\n", verb, number(done.Added, "note", "notes"), known, left)
	if known, left := fates(done.Lines, true); done.Jobs+known+left > 0 {
		fmt.Fprintf(b, "Jobs: %d %smade. There already: %d. Left out: %d.\n", done.Jobs, were, known, left)
	}
	if done.Jobs > 0 {
		b.WriteString("Jobs that come from elsewhere are paused; let them go on with nacre jobs resume.\n")
	}
	if done.Said+done.SaidHere > 0 {
		fmt.Fprintf(b, "%s\n", saidWords(done))
	}
	if len(done.Settings) > 0 {
		fmt.Fprintf(b, "Settings %sset: %s.\n", were, enumerated(done.Settings))
	}
}

// fates counts the notes, or the jobs, that were there already, and those that were left
// out.
func fates(lines []web.ImportedLine, jobs bool) (known, left int) {
	for _, l := range lines {
		switch {
		case l.Job != jobs:
		case l.What == web.ImportKnown:
			known++
		case l.What == web.ImportLeft:
			left++
		}
	}
	return known, left
}

// saidWords tells of messages: "1,234 messages of 56 conversations, 3 Jan 2023 – 4 May
// 2026, can be found from now on; 12 were there already."
func saidWords(done web.Imported) string {
	count := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return thousands(n) + " " + many
	}
	days := done.First.Format(dayWords)
	if last := done.Last.Format(dayWords); last != days {
		days += " – " + last
	}
	text := fmt.Sprintf("%s of %s, %s,", count(done.Said+done.SaidHere, "message", "messages"), count(done.Chats, "conversation", "conversations"), days)
	can := " can be found from now on"
	switch {
	case done.Dry:
		can = " could be found"
	case done.Said >= manySaid:
		can = " can be found within a few minutes"
	}
	switch {
	case done.Said == 0:
		return strings.TrimSuffix(text, ",") + ": all there already."
	case done.SaidHere == 0:
		return text + can + "."
	}
	return text + can + "; " + thousands(done.SaidHere) + " of them were there already."
}

// leftWords tells what else was left out, and the first places of each.
func leftWords(b *strings.Builder, done web.Imported) {
	if len(done.Left) == 0 {
		return
	}
	type key struct{ what, words string }
	type group struct {
		count  int
		places []string
	}
	var order []key
	groups := map[key]*group{}
	for _, l := range done.Left {
		n, what := countedOf(l.What)
		k := key{what, l.Words}
		g := groups[k]
		if g == nil {
			g = &group{}
			groups[k], order = g, append(order, k)
		}
		g.count += n
		if spot := spotOf(l.File, l.Line); spot != "" {
			g.places = append(g.places, spot)
		}
	}
	b.WriteString("\nLeft out besides:\n")
	for _, k := range order {
		fmt.Fprintf(b, "%6s  %s: %s%s\n", thousands(groups[k].count), oneRow(k.what), strings.TrimSuffix(oneRow(k.words), "."), placesOf(groups[k].places))
	}
	if done.LeftMore > 0 {
		fmt.Fprintf(b, "and %s more.\n", thousands(done.LeftMore))
	}
}

// countedOf is how many things one word of what was left out is about: "3 quotes" are
// three, "the file" is one.
func countedOf(what string) (n int, of string) {
	if first, rest, found := strings.Cut(what, " "); found {
		if n, err := strconv.Atoi(first); err == nil && n > 0 {
			return n, rest
		}
	}
	return 1, what
}

// placesOf names the first of some places.
func placesOf(at []string) string {
	if len(at) == 0 {
		return ""
	}
	named := strings.Join(at[:min(len(at), mostPlaces)], ", ")
	if len(at) > mostPlaces {
		named += " …"
	}
	return " (" + named + ")"
}

// enumerated joins words as people do.
func enumerated(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
