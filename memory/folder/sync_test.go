package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
)

func TestOpenMakesTheFolder(t *testing.T) {
	w := newWorld(t)
	w.remember("about/bike: Rides a green bike.")
	w.open()
	for name, mode := range map[string]os.FileMode{".": 0o700, "prompts": 0o700, Memory: 0o600, Soul: 0o600, Heartbeat: 0o600, Reflect: 0o600} {
		info, err := os.Stat(w.path(name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), mode)
		}
	}
	if !strings.Contains(w.read(Memory), "- bike: Rides a green bike.") {
		t.Errorf("the note is not in\n%s", w.read(Memory))
	}
	w.write(Heartbeat, "mine")
	w.open()
	if got := w.read(Heartbeat); got != "mine" {
		t.Errorf("HEARTBEAT.md became %q", got)
	}
}

const (
	bike = "about/bike: Rides a green bike."
	dog  = "people/dog: The dog is called Kiko."
	tea  = "preferences/tea: Likes tea without milk."
)

// TestHandEdits shows what comes of each kind of edit. Every case begins with
// bike, dog and tea.
func TestHandEdits(t *testing.T) {
	for _, c := range []struct {
		name string
		edit []string
		want string
		said []What
	}{
		{"nothing", nil, join(bike, dog, tea), nil},
		{"spaces", []string{"- bike: Rides a", "-  bike:   Rides  a", "## People\n", "## People\n\n\n"}, join(bike, dog, tea), nil},
		{"prose outside", []string{"# Memory\n", "# My memory\n\nWhat I think.\n"}, join(bike, dog, tea), nil},
		{"other order", []string{"## About\n\n- bike: Rides a green bike.\n", "", "## People\n", "## About\n\n- bike: Rides a green bike.\n\n## People\n"}, join(bike, dog, tea), nil},
		{"changed", []string{"green bike", "red bike"}, join("about/bike: Rides a red bike.", dog, tea), []What{Changed}},
		{"removed", []string{"- bike: Rides a green bike.\n", ""}, join(dog, tea), []What{Archived}},
		{"new", []string{"- bike:", "- car: Has no car.\n- bike:"}, join(bike, "about/car: Has no car.", dog, tea), []What{Added}},
		{"new without a name", []string{"- bike:", "- Has no car.\n- bike:"}, join(bike, "about/has-no-car: Has no car.", dog, tea), []What{Added}},
		{"new by its area", []string{"- bike:", "- lessons/rain: Takes a coat.\n- bike:"}, join(bike, "lessons/rain: Takes a coat.", dog, tea), []What{Added}},
		{"renamed", []string{"- bike:", "- cycle:"}, join("about/cycle: Rides a green bike.", dog, tea), []What{Changed}},
		{"without its name", []string{"- bike: Rides", "- Rides"}, join(bike, dog, tea), nil},
		{"into another area", []string{"- dog: The dog is called Kiko.\n", "", "- bike:", "- dog: The dog is called Kiko.\n- bike:"}, join(bike, "about/dog: The dog is called Kiko.", tea), []What{Changed}},
		{"pinned", []string{"## About\n\n- bike: Rides a green bike.\n", "## Pinned\n\n- about/bike: Rides a green bike.\n"}, join(bike+" *", dog, tea), []What{Changed}},
		{"twice the same", []string{"- bike:", "- bike: Rides a green bike.\n- bike:"}, join(bike, dog, tea), nil},
		{"changed and left", []string{"- bike:", "- bike: Rides a red bike.\n- bike:"}, join("about/bike: Rides a red bike.", dog, tea), []What{Changed}},
		{"twice, differently", []string{"- bike: Rides a green bike.", "- bike: Rides a red bike.\n- bike: Rides a blue bike."}, join("about/bike: Rides a red bike.", dog, tea), []What{Changed, Twice}},
		{"a secret", []string{"- bike:", "- card: 4111 1111 1111 1111\n- bike:"}, join(bike, dog, tea), []What{Refused}},
		{"a secret in an old place", []string{"Rides a green bike.", "4111 1111 1111 1111"}, join(bike, dog, tea), []What{Refused}},
		{"sensitive", []string{"- bike:", "- health: Has diabetes.\n- bike:"}, join(bike, dog, tea), []What{Refused}},
		{"under no area", []string{"## About", "## Other"}, join(dog, tea), []What{Refused, Refused, Archived}},
		{"too long", []string{"green", strings.Repeat("green ", memory.MaxText/6)}, join(bike, dog, tea), []What{Refused}},
		{"emptied", []string{"- bike: Rides a green bike.", "- bike:"}, join(bike, dog, tea), []What{Refused}},
		{"everything at once", []string{"green", "red", "- dog: The dog is called Kiko.\n", "- cat: The cat is called Momo.\n", "- tea: Likes tea without milk.\n", ""},
			join("about/bike: Rides a red bike.", "people/cat: The cat is called Momo."), []What{Changed, Added, Archived, Archived}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember(bike, dog, tea)
			w.open()
			w.edit(c.edit...)
			reports := w.sync()
			if got := w.notes(); got != c.want {
				t.Errorf("memory is\n%s\nwant\n%s", got, c.want)
			}
			if got := whats(reports); !slices.Equal(got, c.said) {
				t.Errorf("reports %v, want %v", got, c.said)
			}
			again := w.read(Memory)
			if got := w.sync(); len(got) > 0 || w.read(Memory) != again {
				t.Errorf("once more it says %v of\n%s", got, again)
			}
			if strings.Contains(again, "4111") {
				t.Errorf("the secret is still in\n%s", again)
			}
		})
	}
}

// TestLostLinesAreTold: what a hand wrote and memory did not take is in the
// notice, but for what may be nowhere.
func TestLostLinesAreTold(t *testing.T) {
	long := "A line of no form " + strings.Repeat("with words ", 20)
	for _, c := range []struct {
		name, line, told string
	}{
		{"no list item", "Zqx plain line.", "Zqx plain line."},
		{"no list item, long", long, long[:79] + "…"},
		{"the same name", "- bike: Zqx another.", "Zqx another."},
		{"a secret", "- card: 4111 1111 1111 1111", ""},
		{"a secret that is no list item", "My card is 4111 1111 1111 1111", ""},
		{"a sensitive topic", "- health: Has diabetes.", ""},
		{"a sensitive topic that is no list item", "Has diabetes.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember(bike, dog)
			w.open()
			w.edit("- bike: Rides a green bike.", "- bike: Rides a red bike.\n\n"+c.line)
			reports := w.sync()
			if len(reports) != 2 || reports[0].What != Changed || reports[1].Text != c.told {
				t.Errorf("reports %+v, want the second to tell %q", reports, c.told)
			}
			if got := Summary(reports); c.told != "" && !strings.Contains(got, "“"+c.told+"”") {
				t.Errorf("the owner reads %q", got)
			}
		})
	}
}

func join(lines ...string) string { return strings.Join(lines, "\n") }

// TestEditsAreTheOwners: what a hand wrote is stated and says where it is from.
func TestEditsAreTheOwners(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	w.edit("green", "red", "- bike:", "- car: Has no car.\n- bike:")
	w.sync()
	for _, slug := range []string{"bike", "car"} {
		if n := w.note(memory.About, slug); n.Status != memory.Stated || n.Origin != memory.FromHand || n.Decided != memory.ByFile {
			t.Errorf("%s is %s, from %s, by %s", slug, n.Status, n.Origin, n.Decided)
		}
	}
}

// TestMovedNotesKeepTheirDetails, while new words lose what was noted of the
// old.
func TestMovedNotesKeepTheirDetails(t *testing.T) {
	for _, c := range []struct{ name, from, to, slug, want string }{
		{"moved", "- trip:", "- holiday:", "holiday", "2026-05-03"},
		{"changed", "3 May", "5 May", "trip", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.propose(memory.Proposal{Writer: memory.ByCommand, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: "trip", Text: "Flies to Rome on 3 May.", Kind: memory.KindPlan, Event: "2026-05-03"}})
			w.open()
			w.edit(c.from, c.to)
			w.sync()
			if n := w.note(memory.About, c.slug); n.Event.String() != c.want || n.Kind != memory.KindPlan {
				t.Errorf("event %q, kind %q", n.Event, n.Kind)
			}
		})
	}
}

// TestBothSides: memory and the hand change the file between two writings of it.
func TestBothSides(t *testing.T) {
	red := "about/bike: Rides a red bike."
	for _, c := range []struct {
		name   string
		memory func(w *world)
		edit   []string
		want   string
		said   []What
	}{
		{"other lines", func(w *world) { w.remember(red) }, []string{"Kiko", "Momo"}, join(red, "people/dog: The dog is called Momo."), []What{Changed}},
		{"a new line here and there", func(w *world) { w.remember(tea) }, []string{"- bike:", "- car: Has no car.\n- bike:"}, join(bike, "about/car: Has no car.", dog, tea), []What{Added}},
		{"the same line", func(w *world) { w.remember(red) }, []string{"green", "blue"}, join(red, dog), []What{Clashed}},
		{"the same line, alike", func(w *world) { w.remember(red) }, []string{"green", "red"}, join(red, dog), nil},
		{"changed and removed", func(w *world) { w.remember(red) }, []string{"- bike: Rides a green bike.\n", ""}, join(red, dog), []What{Clashed}},
		{"removed and changed", (*world).archiveBike, []string{"green", "red"}, dog, []What{Clashed}},
		{"removed and untouched", (*world).archiveBike, []string{"Kiko", "Momo"}, "people/dog: The dog is called Momo.", []What{Changed}},
		{"removed by both", (*world).archiveBike, []string{"- bike: Rides a green bike.\n", ""}, dog, nil},
		{"added by both", func(w *world) { w.remember(tea) }, []string{"- bike:", "- preferences/tea: Likes tea with milk.\n- bike:"}, join(bike, dog, tea), []What{Clashed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember(bike, dog)
			w.open()
			c.memory(w)
			w.edit(c.edit...)
			if got := whats(w.sync()); !slices.Equal(got, c.said) {
				t.Errorf("reports %v, want %v", got, c.said)
			}
			if got := w.notes(); got != c.want {
				t.Errorf("memory is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func (w *world) archiveBike() {
	w.propose(memory.Proposal{Writer: memory.ByCommand, Do: memory.Archive, Note: w.note(memory.About, "bike").ID})
}

// TestOlderFileComesBack: an editor saves what it read before memory changed and
// the file was written anew.
func TestOlderFileComesBack(t *testing.T) {
	w := newWorld(t)
	w.remember(bike, dog, "routines/run: Runs on Mondays.")
	w.open()
	old := w.read(Memory)
	pass(t)
	w.archiveBike()
	w.remember(tea, "people/dog: The dog is called Rex.")
	w.sync()

	w.write(Memory, strings.Replace(old, "Mondays", "Sundays", 1))
	if got := whats(w.sync()); !slices.Equal(got, []What{Changed}) {
		t.Errorf("reports %v", got)
	}
	want := join("people/dog: The dog is called Rex.", tea, "routines/run: Runs on Sundays.")
	if got := w.notes(); got != want {
		t.Errorf("memory is\n%s\nwant\n%s", got, want)
	}

	// The same without the date: the file is taken as it is.
	w.write(Memory, dated(w.read(Memory), dateOf("")))
	w.edit("- tea: Likes tea without milk.\n", "")
	if got := whats(w.sync()); !slices.Equal(got, []What{Archived}) {
		t.Errorf("reports %v", got)
	}
}

// TestNewestLineCanBeRemoved: a hand that has seen a line can take it out at
// once.
func TestNewestLineCanBeRemoved(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	w.remember(dog)
	pass(t)
	w.sync()
	w.edit("- dog: The dog is called Kiko.\n", "")
	if got := whats(w.sync()); !slices.Equal(got, []What{Archived}) || w.notes() != bike {
		t.Errorf("reports %v, memory %s", got, w.notes())
	}
}

func TestAccidents(t *testing.T) {
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("about/n%02d: Fact number %d.", i, i))
		}
		return list
	}
	without := func(n int) func(string) string {
		return func(text string) string {
			for i := range n {
				text = strings.Replace(text, fmt.Sprintf("- n%02d: Fact number %d.\n", i, i), "", 1)
			}
			return text
		}
	}
	for _, c := range []struct {
		name  string
		notes int
		edit  func(string) string
		left  int
		said  What
	}{
		{"an empty file", 3, func(string) string { return "" }, 3, Lost},
		{"only prose", 3, func(string) string { return "My own words.\n" }, 3, Lost},
		{"most of many lines", 12, without(7), 12, Lost},
		{"half of many lines", 12, without(6), 6, Archived},
		{"all of a few lines", 3, without(3), 0, Archived},
		{"one mark", 3, func(text string) string { return text[:strings.Index(text, "<!-- memory:end")] }, 3, Broken},
		{"marks twice", 3, func(text string) string { return text + text }, 3, Broken},
		{"a heap of bytes", 3, func(string) string { return strings.Repeat("x", maxFile+1) }, 3, Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember(many(c.notes)...)
			w.open()
			before := c.edit(w.read(Memory))
			w.write(Memory, before)
			reports := w.sync()
			if len(reports) == 0 || reports[0].What != c.said {
				t.Fatalf("reports %v, want %v", reports, c.said)
			}
			if got := len(w.state().Select(memory.Query{})); got != c.left {
				t.Errorf("%d notes, want %d", got, c.left)
			}
			if after := w.read(Memory); c.said == Broken && after != before {
				t.Error("the broken file was written")
			} else if c.said == Lost && (!strings.HasPrefix(after, "# Memory") && !strings.HasPrefix(after, "My own words.\n") || !strings.Contains(after, "Fact number 2.")) {
				t.Errorf("the list is not there again:\n%s", after)
			}
			if got := w.sync(); len(got) > 0 {
				t.Errorf("once more it says %v", got)
			}
		})
	}
}

func TestMissingFileIsMadeAnew(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	if err := os.Remove(w.path(Memory)); err != nil {
		t.Fatal(err)
	}
	if got := whats(w.sync()); !slices.Equal(got, []What{Lost}) {
		t.Errorf("reports %v", got)
	}
	if !strings.Contains(w.read(Memory), "green") || w.notes() != bike {
		t.Errorf("the file is\n%s", w.read(Memory))
	}
}

// TestUnknownFile: nothing says what was last written, as after a restore.
func TestUnknownFile(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	w.store.files = map[string][]byte{}
	if got := w.sync(); len(got) > 0 {
		t.Errorf("what memory has anyway is reported: %v", got)
	}
	w.store.files = map[string][]byte{}
	w.edit("- bike:", "- car: Has no car.\n- bike:")
	if got := whats(w.sync()); !slices.Equal(got, []What{Foreign}) || w.notes() != bike {
		t.Errorf("reports %v, memory %s", got, w.notes())
	}
}

// TestEditsWhileNothingRan are read at the next start.
func TestEditsWhileNothingRan(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	w.edit("green", "red")
	w.start(filepath.Dir(filepath.Dir(w.dir)))
	w.open()
	if got := w.notes(); got != "about/bike: Rides a red bike." {
		t.Errorf("memory is %s", got)
	}
}

// TestNothingChangedWritesNothing: neither the file nor the ledger.
func TestNothingChangedWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	info, _ := os.Stat(w.path(Memory))
	puts, ops := w.store.puts, len(w.store.ops)
	w.sync()
	after, _ := os.Stat(w.path(Memory))
	if !os.SameFile(info, after) || w.store.puts != puts || len(w.store.ops) != ops {
		t.Error("something was written")
	}
	w.remember(dog)
	w.sync()
	if after, _ = os.Stat(w.path(Memory)); os.SameFile(info, after) || w.store.puts == puts {
		t.Error("a change was not written")
	}
}

// TestKeptCopyHasNoWords: what the ledger keeps of the file is hashes.
func TestKeptCopyHasNoWords(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	kept := string(w.store.files[string(owner)+Memory])
	if len(kept) != 1+markSize || strings.Contains(kept, "bike") || strings.Contains(kept, "green") {
		t.Errorf("kept is %q", kept)
	}
}

func TestFailingDisk(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	if err := os.MkdirAll(filepath.Dir(w.dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.dir, nil, 0o600); err != nil { // where the folder should be
		t.Fatal(err)
	}
	err := w.folder.Open(w.ctx, owner)
	if err == nil || !strings.Contains(err.Error(), "check the disk") {
		t.Errorf("the error is %v", err)
	}
	if got := w.notes(); got != bike {
		t.Errorf("memory is %s", got)
	}
	os.Remove(w.dir)
	w.open()
}

// TestEditWhileEditsAreRead: a hand goes on while what it wrote before is being
// taken over.
func TestEditWhileEditsAreRead(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"the same line again", "red", "blue", join("about/bike: Rides a blue bike.", dog)},
		{"the same line back", "red", "green", join(bike, dog)},
		{"another line", "Kiko", "Momo", join("about/bike: Rides a red bike.", "people/dog: The dog is called Momo.")},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember(bike, dog)
			w.open()
			w.edit("green", "red")
			w.library.Watch(memory.Hooks{Changed: func(nacre.OwnerID) {
				w.library.Watch(memory.Hooks{})
				w.edit(c.from, c.to)
			}})
			if got := whats(w.sync()); !slices.Equal(got, []What{Changed, Changed}) {
				t.Errorf("reports %v", got)
			}
			if got := w.notes(); got != c.want {
				t.Errorf("memory is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
