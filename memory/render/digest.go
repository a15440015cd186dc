package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"nacre/memory"
)

// DigestBudget is the most characters that Digest returns.
const DigestBudget = 3000

// How much of memory a digest shows before it is too long.
const (
	mostIn  = 3   // notes of an area, and as many that wait
	excerpt = 140 // characters of a note
)

// Digest is what /memory answers, in Markdown: how many notes there are by area
// and status, what waits for the owner, the oldest first as it is decided on, and
// the newest of each area. Notes are the live ones and the candidates; others are
// not counted.
func Digest(notes []*memory.Note) string {
	live, waiting := only(notes, isLive), only(notes, waits)
	if len(live)+len(waiting) == 0 {
		return "I remember nothing yet. Say “remember that …”, and it stays.\n"
	}
	text := ""
	for most := mostIn; most >= 0; most-- {
		if text = digest(live, waiting, most); characters(text) <= DigestBudget {
			break
		}
	}
	return text
}

// digest shows at most so many notes of each kind. With none it is shorter than
// any budget.
func digest(live, waiting []*memory.Note, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**I remember %s**%s\n", plural(len(live), "note"), tally(live))
	if len(waiting) > 0 {
		fmt.Fprintf(&b, "\n**%s: %d**\n", Status(memory.Candidate), len(waiting))
		sample(&b, byAge(waiting), most, func(n *memory.Note) string { return n.Slot.String() }, func(n *memory.Note) string { return Why(n.Waits) })
	}
	for _, area := range memory.Areas {
		if some := inArea(live, area); len(some) > 0 {
			fmt.Fprintf(&b, "\n**%s: %d**\n", heading(area), len(some))
			newest := byAge(some)
			slices.Reverse(newest)
			sample(&b, newest, most, func(n *memory.Note) string { return n.Slot.Slug }, remarks)
		}
	}
	return b.String()
}

// tally counts notes by status: ": 3 confirmed, 1 learned".
func tally(live []*memory.Note) string {
	var all []string
	for _, s := range []memory.Status{memory.Stated, memory.Observed, memory.Tentative} {
		if n := len(only(live, func(n *memory.Note) bool { return n.Status == s })); n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, strings.ToLower(Status(s))))
		}
	}
	if all == nil {
		return ""
	}
	return ": " + strings.Join(all, ", ")
}

// byAge sorts notes, the oldest first.
func byAge(notes []*memory.Note) []*memory.Note {
	return slices.SortedFunc(slices.Values(notes), func(x, y *memory.Note) int {
		return cmp.Or(x.Recorded.From.Compare(y.Recorded.From), bySlot(y, x))
	})
}

// sample lists the first notes, by name and with a remark, and counts the rest.
func sample(b *strings.Builder, notes []*memory.Note, most int, name, remark func(*memory.Note) string) {
	shown := notes[:min(most, len(notes))]
	for _, n := range shown {
		fmt.Fprintf(b, "- %s: %s", Literal(name(n)), Literal(cut(n.Text)))
		if r := remark(n); r != "" {
			fmt.Fprintf(b, " (%s)", r)
		}
		b.WriteByte('\n')
	}
	if rest := len(notes) - len(shown); rest > 0 && most > 0 {
		fmt.Fprintf(b, "- and %d more\n", rest)
	}
}

// cut is the beginning of a text, on one line, and ends between words if it can.
func cut(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if characters(text) <= excerpt {
		return text
	}
	head := string([]rune(text)[:excerpt])
	if i := strings.LastIndexFunc(head, unicode.IsSpace); i > len(head)/2 {
		head = head[:i]
	}
	return head + " …"
}

// heading is the name of an area over a list.
func heading(a memory.Area) string { return strings.ToUpper(string(a[:1])) + string(a[1:]) }

// plural counts something whose plural ends in s.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
