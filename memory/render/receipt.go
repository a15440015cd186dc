package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"nacre/memory"
)

// Receipt tells people, in Markdown, what became of a forgetting: what went,
// what is not done yet, and what is not ours to erase. It holds none of the
// words that were forgotten.
func Receipt(r memory.Receipt) string {
	lines := receipt(r)
	for i := range lines {
		lines[i] = "- " + Literal(lines[i])
	}
	return strings.Join(append([]string{"**" + verdict(r) + "**"}, lines...), "\n") + "\n"
}

// PlainReceipt is Receipt for a terminal.
func PlainReceipt(r memory.Receipt) string {
	return strings.Join(append([]string{verdict(r)}, receipt(r)...), "\n- ") + "\n"
}

// receipt is the lines of a receipt below its verdict.
func receipt(r memory.Receipt) []string {
	var lines []string
	if went := Counted(r.Done); went != "" {
		lines = append(lines, "Erased: "+went)
	}
	if lost := Lost(r.Done); lost != "" {
		lines = append(lines, lost)
	}
	for _, p := range r.Pending {
		lines = append(lines, "Not done yet, and tried again by itself: "+p)
	}
	if len(r.Prose) > 0 {
		lines = append(lines, "Left alone, since you wrote it there yourself: "+strings.Join(r.Prose, ", "))
	}
	if len(r.Outside) > 0 {
		lines = append(lines, "Out of my reach: "+strings.Join(r.Outside, "; "))
	}
	if r.Tombs > 0 {
		lines = append(lines, fmt.Sprintf("Kept, so that nothing forgotten comes back by itself: %s, without any words", counted(r.Tombs, "fingerprints")))
	}
	return lines
}

// verdict is the sentence that matters.
func verdict(r memory.Receipt) string {
	what := map[memory.Size]string{
		memory.SizeNote:   "The note",
		memory.SizeSaid:   "The note and where you said it",
		memory.SizeAbout:  "What there was about it",
		memory.SizeHidden: "What was hidden of sensitive topics",
		memory.SizeAll:    "Everything",
	}[r.Size]
	if len(r.Pending) > 0 {
		return what + ": forgotten, with a rest still to be cleaned up."
	}
	return what + ": forgotten."
}

// Counted counts what is stored, by kind, as people call it: "1 note, 3 messages";
// empty for nothing.
func Counted(counts map[string]int) string {
	var all []string
	for _, kind := range kinds(counts) {
		if n := counts[kind]; n > 0 {
			all = append(all, counted(n, named(kind)))
		}
	}
	return strings.Join(all, ", ")
}

// named is what people call a kind.
func named(kind string) string {
	switch kind {
	case "turns":
		return "exchanges"
	case "logins": // which stay, but for what they are called
		return "login names"
	}
	return kind
}

// Lost says in a sentence what nobody can do any more once what is counted is gone;
// empty if that is nothing.
func Lost(counts map[string]int) string {
	if counts["passwords"] == 0 {
		return ""
	}
	return "A password goes with its name: the page is then opened by a link, until you set another."
}

// kinds lists the kinds that were counted: those that people know, then others.
func kinds(done map[string]int) []string {
	all := []string{"notes", "messages", "replies", "turns", "summaries", "files", "jobs", "settings", "logins", "passwords"}
	for _, kind := range slices.Sorted(maps.Keys(done)) {
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// counted is a number of a kind, whose name is a plural.
func counted(n int, kind string) string {
	if stem, ok := strings.CutSuffix(kind, "ies"); ok && n == 1 {
		kind = stem + "y"
	} else if n == 1 {
		kind = strings.TrimSuffix(kind, "s")
	}
	return fmt.Sprintf("%d %s", n, kind)
}
