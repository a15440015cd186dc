package render_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

func TestFile(t *testing.T) {
	for name, notes := range map[string][]*memory.Note{"MEMORY.md": live(), "MEMORY_hostile.md": hostile(), "MEMORY_empty.md": nil} {
		t.Run(name, func(t *testing.T) {
			got := file(t, "", notes)
			golden(t, name, got)
			sameNotes(t, got, notes)
		})
	}
}

func file(t *testing.T, old string, notes []*memory.Note) string {
	t.Helper()
	got, err := render.File(old, notes)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// sameNotes holds that a file gives back the notes that it was made of.
func sameNotes(t *testing.T, file string, notes []*memory.Note) {
	t.Helper()
	lines, err := render.Lines(file)
	if err != nil {
		t.Fatal(err)
	}
	got := map[memory.Slot]render.Line{}
	for _, l := range lines {
		got[l.Slot] = l
	}
	if len(lines) != len(notes) || len(got) != len(notes) {
		t.Errorf("%d notes came back as %d lines in %d places", len(notes), len(lines), len(got))
	}
	physical := strings.Split(file, "\n")
	for _, n := range notes {
		l := got[n.Slot]
		if want := strings.ToValidUTF8(n.Text, "\uFFFD"); l.Text != want || l.Pinned != n.Pinned {
			t.Errorf("%s came back as %q (pinned %v), want %q", n.Slot, l.Text, l.Pinned, want)
		}
		if l.Number < 1 || !strings.Contains(physical[l.Number-1], n.Slot.Slug) {
			t.Errorf("%s is not in line %d", n.Slot, l.Number)
		}
	}
}

// TestFileKeepsProse holds that whatever stands outside the section is kept
// byte for byte, again and again.
func TestFileKeepsProse(t *testing.T) {
	const section = "<!-- memory:begin mine -->\n- gone: x\n<!-- memory:end -->"
	for name, c := range map[string]struct{ before, after string }{
		"nothing around":     {"", ""},
		"no newline at end":  {"# Me\n\nprose ", "end"},
		"windows":            {"# Me\r\n\r\n", "\r\n\r\nend\r\n"},
		"byte order mark":    {"\ufeff# Me\n", "\n"},
		"mark after mark":    {"\ufeff", ""},
		"strange bytes":      {"\xff\x00\r\r\n", "\u2028\x85"},
		"prose that looks":   {"- about/home: mine\n## About\n- a: b\n", "\n## People\n- c: d\n"},
		"other comments":     {"<!-- begin -->\n", "\n<!-- end --> -->"},
		"no end of the line": {"prose before the mark: ", " and after"},
	} {
		t.Run(name, func(t *testing.T) {
			got := file(t, c.before+section+c.after, live())
			if !strings.HasPrefix(got, c.before+"<!-- memory:begin") || !strings.HasSuffix(got, "<!-- memory:end -->"+c.after) {
				t.Errorf("prose did not survive: %q", got)
			}
			if strings.Contains(got, "gone") || !strings.Contains(got, "Kiko") {
				t.Errorf("the section was not made anew: %q", got)
			}
			if again := file(t, got, live()); again != got {
				t.Errorf("made again it is %q, want %q", again, got)
			}
			sameNotes(t, got, live())
		})
	}
}

func TestFileWithoutSection(t *testing.T) {
	for name, c := range map[string]struct{ old, want string }{
		"no newline":    {"prose", "prose\n\n<!-- memory:begin"},
		"one newline":   {"prose\n", "prose\n\n<!-- memory:begin"},
		"an empty line": {"prose\n\n", "prose\n\n<!-- memory:begin"},
		"windows":       {"prose\r\n", "prose\r\n\r\n<!-- memory:begin"},
		"only a space":  {" ", " \n\n<!-- memory:begin"},
	} {
		got := file(t, c.old, live())
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q does not begin with %q", name, got[:40], c.want)
		}
		if nl := strings.Count(got, "\n"); name == "windows" && nl != strings.Count(got, "\r\n") {
			t.Errorf("%s: the ends of lines are mixed", name)
		}
		if again := file(t, got, live()); again != got {
			t.Errorf("%s: made again it is different", name)
		}
		sameNotes(t, got, live())
	}
}

// TestBrokenMarks holds that a file whose section cannot be found for certain is
// left alone, and its notes are not taken for gone.
func TestBrokenMarks(t *testing.T) {
	const begin, end = "<!-- memory:begin -->\n", "<!-- memory:end -->\n"
	for name, c := range map[string]struct {
		file string
		want nacre.Kind
	}{
		"no marks":       {"prose\n- home: x\n", nacre.NotFound},
		"empty":          {"", nacre.NotFound},
		"no end":         {begin + "- a: b\n", nacre.Invalid},
		"no begin":       {"- a: b\n" + end, nacre.Invalid},
		"two begins":     {begin + begin + end, nacre.Invalid},
		"two ends":       {begin + end + end, nacre.Invalid},
		"twice":          {begin + end + begin + end, nacre.Invalid},
		"turned around":  {end + begin, nacre.Invalid},
		"begin open":     {"<!-- memory:begin\n- a: b <!-- x -->\n" + end, nacre.Invalid},
		"end open":       {begin + "<!-- memory:end\n-->", nacre.Invalid},
		"end is in mark": {"<!-- memory:begin <!-- memory:end -->", nacre.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			if lines, err := render.Lines(c.file); nacre.KindOf(err) != c.want || lines != nil {
				t.Errorf("lines are %v and the error %v, want %v", lines, err, c.want)
			}
			got, err := render.File(c.file, live())
			if c.want == nacre.Invalid && (nacre.KindOf(err) != nacre.Invalid || got != "" || !strings.Contains(err.Error(), "MEMORY.md")) {
				t.Errorf("the file became %q with error %v", got, err)
			}
			if c.want == nacre.NotFound && err != nil {
				t.Errorf("the section was not added: %v", err)
			}
		})
	}
	if lines, err := render.Lines(begin + "## About\n- a: b\n" + end); err != nil || len(lines) != 1 {
		t.Errorf("whole marks give %v, %v", lines, err)
	}
}

// TestHandEdits reads what people do to a generated section.
func TestHandEdits(t *testing.T) {
	const top = "# Mine\n\n<!-- memory:begin -->\n" // three lines
	at := func(area memory.Area, slug string) memory.Slot { return memory.Slot{Area: area, Slug: slug} }
	for name, c := range map[string]struct {
		body string
		want []render.Line
	}{
		"a new line":            {"## People\n- dog: Kiko\n", []render.Line{{Number: 5, Slot: at("people", "dog"), Text: "Kiko"}}},
		"other bullets":         {"## People\n* dog: Kiko\n  +  cat:  Mia  \n", []render.Line{{Number: 5, Slot: at("people", "dog"), Text: "Kiko"}, {Number: 6, Slot: at("people", "cat"), Text: "Mia"}}},
		"a name in capitals":    {"## ABOUT \n- Home_Town: Porto\n", []render.Line{{Number: 5, Slot: at("about", "home-town"), Text: "Porto"}}},
		"an area in the name":   {"## About\n- people/dog: Kiko\n", []render.Line{{Number: 5, Slot: at("people", "dog"), Text: "Kiko"}}},
		"pinned":                {"## Pinned\n- about/home: Porto\n", []render.Line{{Number: 5, Slot: at("about", "home"), Text: "Porto", Pinned: true}}},
		"pinned without area":   {"## Pinned\n- home: Porto\n", []render.Line{{Number: 5, Text: "home: Porto", Pinned: true}}},
		"no name":               {"## About\n- I live in Porto: the old town\n", []render.Line{{Number: 5, Slot: at("about", ""), Text: "I live in Porto: the old town"}}},
		"a link and a time":     {"## About\n- https://example.org\n- 10:30 gym\n", []render.Line{{Number: 5, Slot: at("about", ""), Text: "https://example.org"}, {Number: 6, Slot: at("about", ""), Text: "10:30 gym"}}},
		"no text":               {"## About\n- home:\n", []render.Line{{Number: 5, Slot: at("about", "home")}}},
		"no heading":            {"- home: Porto\n", []render.Line{{Number: 4, Text: "home: Porto"}}},
		"an unknown heading":    {"## About\n## Pets\n- dog: Kiko\n", []render.Line{{Number: 5, Text: "## Pets"}, {Number: 6, Text: "dog: Kiko"}}},
		"prose":                 {"## About\nhello\n", []render.Line{{Number: 5, Text: "hello"}}},
		"wrapped":               {"## About\n- home: Porto,\n  the old town <!-- since 2024 -->\n\tby the river\n\n  not this\n", []render.Line{{Number: 5, Slot: at("about", "home"), Text: "Porto, the old town by the river"}, {Number: 9, Text: "not this"}}},
		"a comment alone":       {"## About\n<!-- mine -->\n- home: Porto <!-- since 2024 --> \n", []render.Line{{Number: 6, Slot: at("about", "home"), Text: "Porto"}}},
		"windows":               {"## About\r\n- home: Porto <!-- since 2024 -->\r\n", []render.Line{{Number: 5, Slot: at("about", "home"), Text: "Porto"}}},
		"typed by hand":         {"## About\n- home: AT&T, a < b, C:\\new & &nbsp; <b>\n", []render.Line{{Number: 5, Slot: at("about", "home"), Text: "AT&T, a < b, C:\\new & &nbsp; <b>"}}},
		"two lines in one":      {"## About\n- home: Porto<br>Braga\n", []render.Line{{Number: 5, Slot: at("about", "home"), Text: "Porto\nBraga"}}},
		"the same place twice":  {"## About\n- a: b\n- a: c\n", []render.Line{{Number: 5, Slot: at("about", "a"), Text: "b"}, {Number: 6, Slot: at("about", "a"), Text: "c"}}},
		"everything taken away": {"\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := render.Lines(top + c.body + "<!-- memory:end -->\n- about/not: this")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// FuzzFile holds that prose survives and that texts come back as they were.
func FuzzFile(f *testing.F) {
	for _, n := range hostile() {
		f.Add("prose", "\r\nmore", n.Text)
		f.Add(n.Text, "", "text")
	}
	f.Add("<!-- memory:begin -->", "<!-- memory:end -->", "- a: b")
	f.Fuzz(func(t *testing.T, before, after, text string) {
		notes := append(live(), note(50, "about/fuzz", text), note(51, "people/fuzz", text, pinned, tentative))
		old := before + "<!-- memory:begin -->" + after
		if !strings.Contains(before+after, "<!-- memory") {
			old = before + "<!-- memory:begin -->\n- x: y\n<!-- memory:end -->" + after
		}
		got, err := render.File(old, notes)
		if err != nil {
			if _, unread := render.Lines(old); unread == nil {
				t.Errorf("%q can be read and not written", old)
			}
			return
		}
		if again, err := render.File(got, notes); err != nil || again != got {
			t.Errorf("made again it is %q, %v, want %q", again, err, got)
		}
		sameNotes(t, got, notes)
		if !strings.Contains(before+after, "<!-- memory") && (!strings.HasPrefix(got, before) || !strings.HasSuffix(got, after)) {
			t.Errorf("%q and %q did not survive in %q", before, after, got)
		}
		if utf8.ValidString(before) && utf8.ValidString(after) && !utf8.ValidString(got) {
			t.Errorf("%q is no UTF-8", got)
		}
	})
}

// FuzzLines holds that any edit of the section is read without loss: every line
// that says something comes back, at its place.
func FuzzLines(f *testing.F) {
	whole, _ := render.File("", hostile())
	_, body, _ := strings.Cut(whole, "-->")
	f.Add(body)
	f.Add("## About\n- a:b\n  c\n-\n- :\n- x/y: z\n# <!--")
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Contains(body, "<!-- memory") {
			return
		}
		file := "<!-- memory:begin -->\n" + body + "\n<!-- memory:end -->"
		lines, err := render.Lines(file)
		if err != nil {
			t.Fatal(err)
		}
		physical, last := strings.Split(file, "\n"), 1
		for _, l := range lines {
			if l.Number <= last || l.Number >= len(physical) {
				t.Errorf("line %d after %d of %d", l.Number, last, len(physical))
			}
			if last = l.Number; strings.TrimSpace(physical[last-1]) == "" {
				t.Errorf("line %d is empty and was read as %+v", last, l)
			}
			if l.Slot != (memory.Slot{}) && !slices.Contains(memory.Areas, l.Slot.Area) {
				t.Errorf("%+v is of no area", l)
			}
		}
	})
}
