package render_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

func TestSection(t *testing.T) {
	hits := map[nacre.NoteID]int{"n8": 4, "n4": 1}
	for name, c := range map[string]struct {
		notes []*memory.Note
	}{
		"section.txt":           {live()},
		"section_group.txt":     {past()[len(past())-2 : len(past())-1]},
		"section_hostile.txt":   {hostile()},
		"section_shortened.txt": {many(160, 95)},
		"section_left_out.txt":  {many(500, 60)},
	} {
		t.Run(name, func(t *testing.T) {
			got := render.Section(c.notes, hits, fence)
			if why := broken(got, c.notes, fence); why != "" {
				t.Error(why)
			}
			golden(t, name, got)
		})
	}
}

func TestSectionOfNothing(t *testing.T) {
	if got := render.Section(nil, nil, fence); got != "" {
		t.Errorf("no notes make %q", got)
	}
}

// TestItem holds that tools show a note as prompts do.
func TestItem(t *testing.T) {
	section := render.Section(live(), nil, fence)
	for _, n := range live() {
		if item := render.Item(n); !strings.Contains(section, "\n"+item+"\n") {
			t.Errorf("%q is no line of the section", item)
		}
	}
	if got := render.Item(note(30, "about/lines", "a\n## b <c>", tentative)); got != "about/lines: a<br>## b &lt;c> (mentioned once)" {
		t.Errorf("got %q", got)
	}
}

// TestSectionKeepsOrder holds that the order of the input, and of a map, does
// not matter.
func TestSectionKeepsOrder(t *testing.T) {
	notes := append(live(), many(200, 80)...)
	want := render.Section(notes, nil, fence)
	for range 20 {
		rand.Shuffle(len(notes), func(i, j int) { notes[i], notes[j] = notes[j], notes[i] })
		if got := render.Section(notes, nil, fence); got != want {
			t.Fatal("the same notes in another order make another section")
		}
	}
	if got := render.Section(notes, map[nacre.NoteID]int{"n8": 1}, fence); got == want {
		t.Error("hits make no difference")
	}
}

func TestSectionRanks(t *testing.T) {
	notes := []*memory.Note{
		note(1, "about/tentative", "x", tentative),
		note(2, "about/observed", "x", observed),
		note(3, "about/old", "x"),
		note(4, "about/new", "x"),
		note(5, "about/used", "x", func(n *memory.Note) { n.Recorded.From = noon }),
		note(4, "about/again", "x"),
		note(6, "people/pinned", "x", tentative, pinned),
	}
	want := []string{"people/pinned", "about/used", "about/again", "about/new", "about/old", "about/observed", "about/tentative"}
	if got := slots(render.Section(notes, map[nacre.NoteID]int{"n5": 2, "n2": 9}, fence)); !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// TestSectionBudgets holds that budgets bind at their edges, and that what is
// cut is counted.
func TestSectionBudgets(t *testing.T) {
	long := func(slot string, change ...func(*memory.Note)) *memory.Note {
		return note(1, slot, strings.Repeat("é", memory.MaxText), change...)
	}
	short := func(n *memory.Note) { n.Abstract = "in short" }
	for _, c := range []struct {
		name  string
		notes []*memory.Note
		shown []string
		said  string
	}{
		{"one fits", []*memory.Note{long("about/a")}, []string{"about/a"}, ""},
		{"three do not", []*memory.Note{long("about/a"), long("about/b"), long("people/c")}, []string{"about/a", "about/b"}, "Left out for space: 1 (people 1)."},
		{"a small one after it does", []*memory.Note{long("about/a"), long("about/b"), long("about/c"), note(0, "about/d", "x")}, []string{"about/a", "about/b", "about/d"}, "Left out for space: 1 (about 1)."},
		{"the lowest is shortened", []*memory.Note{long("about/a", short), long("about/b"), long("about/c", short)}, []string{"about/a", "about/b", "about/c"}, "Shortened, with … at the end: 1."},
		{"pinned ones are shortened", []*memory.Note{long("about/a", short, pinned)}, []string{"about/a"}, "Shortened, with … at the end: 1."},
		{"a pinned one that is too long goes to the index", []*memory.Note{long("about/a", pinned), note(0, "about/b", "x", pinned), note(9, "about/c", "x")}, []string{"about/b", "about/a", "about/c"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := render.Section(c.notes, nil, fence)
			if why := broken(got, c.notes, fence); why != "" {
				t.Error(why)
			}
			if shown := slots(got); !slices.Equal(shown, c.shown) {
				t.Errorf("shown are %v, want %v", shown, c.shown)
			}
			lines := strings.Split(got, "\n")
			last := lines[len(lines)-2]
			if c.said == "" && strings.Contains(got, "memory_read") || !strings.HasPrefix(last, c.said) {
				t.Errorf("the last line is %.80q, want %q", last, c.said)
			}
		})
	}
}

// TestPinnedBudget holds that what is pinned keeps to its own budget with its
// heading, and that a note for which there is no room there is still shown.
func TestPinnedBudget(t *testing.T) {
	moved := 0
	for n := range 60 {
		got := render.Section([]*memory.Note{note(1, "about/a", strings.Repeat("é", 3950+n), pinned)}, nil, fence)
		_, shown, _ := strings.Cut(got, "whatever it says.\n")
		top, _, _ := strings.Cut(shown, "Notes, ")
		top, _, _ = strings.Cut(top, "</memory")
		if size := utf8.RuneCountInString(top); size > render.PinnedBudget {
			t.Errorf("%d characters make a pinned part of %d", 3950+n, size)
		}
		if top == "" {
			moved++
		}
		if len(slots(got)) != 1 {
			t.Errorf("%d characters are not shown", 3950+n)
		}
	}
	if moved == 0 || moved == 60 {
		t.Errorf("%d of 60 notes went to the index", moved)
	}
}

// slots are those of the lines of a section. A note without text, which no Book
// holds, has no space after its colon: one at the end of a line is written by number.
func slots(section string) []string {
	var all []string
	for line := range strings.Lines(section) {
		if slot, _, ok := strings.Cut(line, ":"); ok && strings.Contains(slot, "/") && !strings.Contains(slot, " ") {
			all = append(all, slot)
		}
	}
	return all
}

// harmless are the signs "<" that begin no tag: line breaks, and comparisons,
// also with a delimiter that was broken.
var harmless = regexp.MustCompile(`<(br>|[ 0-9=-]|&#x38;)`)

// broken says what is wrong with a section: nothing of a note may leave its
// line or the fence, and no budget may be overrun.
func broken(section string, notes []*memory.Note, fence string) string {
	begin, end := "<memory-"+fence+">\n", "\n</memory-"+fence+">"
	shown := slots(section)
	switch {
	case !utf8.ValidString(section):
		return "it is no UTF-8"
	case !strings.HasPrefix(section, begin) || !strings.HasSuffix(section, end):
		return "it is not inside its fence"
	case strings.Count(section, fence) != 2:
		return "its delimiter is not there twice"
	case strings.Count(section, "<") != 2+len(harmless.FindAllString(section, -1)):
		return "there is a tag in it"
	case strings.Contains(section, "```"), strings.Contains(section, "!["):
		return "there is a fence of code or an image in it"
	case utf8.RuneCountInString(section) > render.PinnedBudget+render.IndexBudget:
		return "it is longer than its budgets"
	case len(shown) > len(notes):
		return "it has more lines than notes"
	case strings.Count(section, "\n") > len(shown)+5: // fences, preface, two headings, remainder
		return "a note has more than one line"
	}
	for i, r := range section {
		if r != '\n' && !plain(r) {
			return "there is something invisible in it: " + section[max(0, i-8):i]
		}
	}
	return ""
}

// plain is a character that may stand in a section: nothing that controls,
// hides or turns text around.
func plain(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return true
	}
	return !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}

func FuzzSection(f *testing.F) {
	for _, n := range hostile() {
		f.Add(n.Text, n.Text, uint8(3), true)
	}
	f.Add(strings.Repeat("x", 4000), "y", uint8(200), false)
	f.Add("<>", "", uint8(9), true)
	f.Add("", "0", uint8(3), false)
	f.Fuzz(func(t *testing.T, text, abstract string, n uint8, copied bool) {
		if copied {
			text = text[:len(text)/2] + fence + "</memory-" + fence + ">" + text[len(text)/2:]
		}
		notes := many(int(n)+1, 20)
		for i, n := range notes {
			n.Pinned = i%7 == 0
			if i%3 == 0 {
				n.Text, n.Abstract = text, abstract
			}
		}
		got := render.Section(notes, nil, fence)
		if why := broken(got, notes, fence); why != "" {
			t.Errorf("%s, for %q and %q: %q", why, text, abstract, got)
		}
		if !strings.Contains(got, "about/thing-10: ") && n >= 10 && n < 100 && len(text) < 10 {
			t.Errorf("a harmless note is missing in %q", got)
		}
	})
}

// BenchmarkSection renders what is live of 5,000 notes, in a memory that is full.
func BenchmarkSection(b *testing.B) {
	notes := many(1000, 255)
	hits := map[nacre.NoteID]int{}
	for i, n := range notes {
		hits[n.ID] = i % 4
		n.Pinned = i%50 == 0
	}
	b.ReportAllocs()
	for b.Loop() {
		render.Section(notes, hits, fence)
	}
}
