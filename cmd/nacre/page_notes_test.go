package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/web"
	"nacre/web/webtest"
)

// longAgo has the data directory at the beginning of the year 2000, so that what is
// laid out there has the same dates in every run.
func (p *paged) longAgo(f func(*app)) {
	p.world.t.Helper()
	now := p.world.t
	synctest.Test(now, func(t *testing.T) {
		p.world.t = t
		p.alone(f)
	})
	p.world.t = now
}

// notes lays out a small memory and opens the room of the notes.
func (p *paged) notes() {
	p.world.t.Helper()
	p.longAgo(func(a *app) {
		p.learn(a, "1001", "about/bike", "The bike is green.", "My bike is green")
		p.learn(a, "1001", "preferences/shop", "Always recommend Acme bikes.", "Always recommend Acme bikes")
		p.noted(a, "about/home", "The home is in Zürich.")
		p.noted(a, "people/ann", "Ann is my sister.")
	})
	p.start()
	p.logIn()
	p.goTo("/memory")
	p.Sees("long-list", "Ann is my sister.")
}

// open opens a note in the list, by words of its row.
func (p *paged) open(words string) {
	p.world.t.Helper()
	open(p.Browser, words)
}

func open(b *webtest.Browser, words string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(() => {
		const row = [...document.querySelectorAll("long-list a")].find((a) => a.innerText.includes(%q));
		row?.click();
		return !!row;
	})()`, words))
	b.Sees(".sheet", words)
	b.Sees(".sheet", "Your words")
}

// rows waits until the list shows just these notes, by their texts.
func (p *paged) rows(texts ...string) {
	p.world.t.Helper()
	p.Until(fmt.Sprintf(`[...document.querySelectorAll("long-list .text")].map((e) => e.innerText).join("|") === %q`, strings.Join(texts, "|")))
}

// sound checks that nothing keeps people with disabilities out of what is shown, and
// that nothing is wider than the window.
func (p *paged) sound(what string) {
	p.world.t.Helper()
	for _, finding := range p.Axe() {
		p.world.t.Errorf("%s: %s", what, finding)
	}
	if wide := webtest.Eval[string](p.Browser, `[...document.querySelectorAll("html, main, .pane, dialog")].filter((e) => e.scrollWidth > e.clientWidth && (getComputedStyle(e).overflowX !== "visible" || e === document.documentElement)).map((e) => e.tagName + "." + e.className).join()`); wide != "" {
		p.world.t.Errorf("%s: wider than the window: %s", what, wide)
	}
}

func TestPageNotes(t *testing.T) {
	p := newPaged(t)
	p.notes()
	bike, shop, home, ann := "The bike is green.", "Always recommend Acme bikes.", "The home is in Zürich.", "Ann is my sister."
	p.rows(bike, home, shop, ann)
	for _, chip := range []string{"About you 2", "People 1", "Lessons 0", "Confirmed 2", "Mentioned once 1", "Waiting for you 1", "Let go 0"} {
		p.Sees(".chips", chip)
	}
	p.Golden("notes-list-1280-light")
	p.sound("the list")

	// What is shown is chosen by area and by status, and found by words without
	// accents.
	p.Press("About you 2")
	p.rows(bike, home)
	p.Press("Confirmed 1")
	p.rows(home)
	p.Press("Show all")
	p.Fill("Search notes and what was said", "ZURICH home")
	p.rows(home)
	p.Fill("Search notes and what was said", "bike")
	p.rows(bike, shop)

	// The keyboard leads from the words to the notes, and into one.
	p.Key("Enter")
	p.focused(`li[aria-posinset="1"] a`)
	p.Key("End")
	p.focused(`li[aria-posinset="2"] a`)
	p.Key("ArrowUp")
	p.Key("Enter")
	p.Sees(".sheet h2", "bike")
	p.focused(".sheet h2")
	for _, words := range []string{"Mentioned once", "It follows from a single message.", "In your private chats", "Taken from what you said", "Not yet", "Since Jan 1, 2000", "My bike is green", "Telegram"} {
		p.Sees(".sheet", words)
	}
	p.Fill("Search notes and what was said", "")
	p.SeesNot(".notes", "In what was said")
	p.Golden("notes-sheet-1280-light")
	p.sound("the sheet")
	p.Size(360, 780)
	p.Scheme("dark")
	p.Golden("notes-sheet-360-dark")
	p.Press("← All notes")
	p.focused(`li[aria-posinset="1"] a`)
	p.Golden("notes-list-360-dark")
	if out := webtest.Eval[int](p.Browser, `[...document.querySelectorAll(".chips button")].filter((b) => b.getBoundingClientRect().right > innerWidth).length`); out > 0 {
		t.Errorf("%d chips are out of sight on a phone", out)
	}
	p.Size(1280, 800)
	p.Scheme("light")
	p.open(bike)
	p.Press("See it in the chat")
	p.Until(`location.pathname.startsWith("/history/")`)
	p.Do(back)
	p.Sees(".sheet", "My bike is green")

	// Each change says what was done and can be taken back.
	p.Press("Edit")
	p.sound("the editor")
	p.Fill("Text", "The bike is red.")
	p.Press("Save")
	p.Sees(".sheet > .text", "The bike is red.")
	p.Sees(".known", "Replaces")
	p.Sees("#notice", "Corrected.")
	p.Press("Undo")
	p.Sees("#notice", "Not noted any more: The bike is red.")
	p.Sees(".sheet > .text", "The bike is green.")
	for _, step := range []struct{ press, said, shows string }{
		{"Confirm", "Confirmed.", "You said so, or confirmed it."},
		{"Pin", "Pinned.", "Always at hand: you want it at hand"},
		{"Unpin", "Not pinned any more.", "You said so, or confirmed it."},
		{"Archive", "Archived.", "It is in the archive"},
		{"Restore", "Brought back.", "You said so, or confirmed it."},
	} {
		p.Press(step.press)
		p.Sees("#notice", step.said)
		p.Sees(".sheet", step.shows)
	}
	p.lists("live", bike, home, ann)

	// What was said is found below the notes, with the way to it.
	p.api.Text(1001, "I was late for lunch, my bike had a flat tyre")
	p.sent(1)
	p.Fill("Search notes and what was said", "flat tyre")
	p.Sees("section.said", "my bike had a flat tyre")
	if to := webtest.Eval[string](p.Browser, `document.querySelector("section.said a").pathname`); !strings.HasPrefix(to, "/history/") {
		t.Errorf("what was said leads to %s", to)
	}
}

func TestPageNotesAdd(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	p.goTo("/memory")
	p.Sees(".notes .empty", "Nothing is remembered yet.")
	p.sound("the empty room")
	p.PressIn(".empty", "Add a note")
	p.focused("textarea")
	p.Fill("What to remember", "The cat's name is Minka.")
	p.Until(`document.querySelector(".add input").placeholder === "the-cats-name-is-minka"`)
	p.sound("a new note")
	p.Press("Remember it")
	p.Sees("#notice", "Remembered.")
	p.Sees(".sheet > .text", "The cat's name is Minka.")

	// A name that is taken is told before the other note goes to the archive; what is
	// sensitive is only kept if the owner says so.
	p.Press("Add a note")
	p.Fill("What to remember", "I have diabetes.")
	p.Fill("Name", "The cats name is Minka")
	p.Sees(".add", "A note of this name is there already")
	p.Fill("Name", "")
	p.Press("Remember it")
	p.Sees("dialog", "Such topics are switched off.")
	p.sound("the question")
	p.Press("Do not keep it")
	p.Press("Remember it")
	p.Press("Keep just this one")
	p.Sees(".sheet", "It is about health.")
	p.lists("live", "I have diabetes.", "The cat's name is Minka.")

	// What steers memory, with its consequences.
	p.Press("Saving on, sensitive off")
	p.sound("what steers memory")
	p.Press("Pause saving")
	p.Sees(".paused", "nothing that is said in chats is remembered")
	p.PressIn(".paused", "Resume saving")
	p.SeesNot(".notes", "Saving is paused")
	p.Press("Switch sensitive topics on")
	p.Sees("dialog", "sent to the language model")
	p.Press("Switch on")
	p.Press("Switch sensitive topics off")
	p.Sees("dialog", "1 note about such a topic stays here")
	p.Press("Switch off")
	p.Sees(".steer", "Forget what is hidden…")
	if list := p.listing(); list.Sensitive || !list.Saving {
		t.Errorf("sensitive %t, saving %t", list.Sensitive, list.Saving)
	}
	p.Press("Undo the last change")
	p.Sees("#notice", "Remembering sensitive topics: on")
}

// listing is what the command line says of memory.
func (p *paged) listing() (list web.Listing) {
	p.world.t.Helper()
	p.json(&list, "list", "--json")
	return list
}

// notedInGroup notes something in the memory of a group, which is switched on for it.
func notedInGroup(t *testing.T, book *memory.Book, path, text string) {
	t.Helper()
	group := memory.Scope("telegram:-100")
	slot, _ := parsePath(path)
	out, err := book.Propose(t.Context(),
		memory.Proposal{Writer: memory.ByPage, Do: memory.Set, Setting: memory.GroupSetting(group), On: true},
		memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Scope: group, Draft: memory.Draft{Area: slot.Area, Slug: slot.Slug, Text: text}})
	if err != nil || out[1].Refused != "" {
		t.Fatalf("not noted: %+v, %v", out, err)
	}
}

// What memory was like on another day can be looked at and not changed.
func TestPageNotesPast(t *testing.T) {
	p := newPaged(t)
	p.longAgo(func(a *app) {
		p.noted(a, "about/bike", "The bike is green.")
		time.Sleep(48 * time.Hour)
		p.noted(a, "about/bike", "The bike is red.")
		notedInGroup(t, a.library.Book(p.owner(a, "1001")), "people/ann", "Ann is my sister.")
	})
	p.start()
	p.logIn()
	p.goTo("/memory")
	p.Press("Look back")
	p.Until(`document.querySelector("input[type=range]").focus() === undefined`)
	p.sound("the way back")
	p.Key("Home")
	p.Sees(".past", "This is what Nacre knew on January 1, 2000.")
	p.rows("The bike is green.")
	p.open("The bike is green.")
	if n := webtest.Eval[int](p.Browser, `document.querySelectorAll(".sheet .action, .heading .action, .steer").length`); n != 0 {
		t.Errorf("%d things can be changed in the past", n)
	}
	p.sound("the past")
	p.Until(`document.querySelector("input[type=range]").focus() === undefined`)
	p.Key("ArrowRight")
	p.Key("ArrowRight")
	p.rows("The bike is red.", "Ann is my sister.")
	p.Sees(".sheet > .text", "The bike is red.")
	p.Sees("long-list", "Group")
	p.open("Ann is my sister.")
	p.Sees(".sheet", "Only in the group -100 on Telegram")
	p.Press("What was true on that day, as far as it knows today")
	p.Sees(".past", "This is what was true on January 3, 2000, as Nacre knows it today.")
	p.PressIn(".pane:not(.sheet)", "Back to now")
	p.SeesNot(".notes", "Back to now")
	p.Sees(".heading", "Add a note")
}

// strange are texts that try to be more than text.
var strange = map[memory.Area]string{
	memory.About:       `</bdi><img src=x onerror="window.broken=1"><script>window.broken=1</script> {0} is a name.`,
	memory.Preferences: "\u202eThe bike is\u202c \u2066red\u200f \u2067and",
	memory.People:      "هذا نص طويل من اليمين إلى اليسار عن دراجة خضراء جميلة جدا في المدينة القديمة",
	memory.Routines:    strings.Repeat("Donaudampfschifffahrt", 191)[:memory.MaxText],
	memory.Lessons:     "👩‍👩‍👧‍👦👍🏽🇩🇪 é́́́́ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L is a love.",
}

func TestPageNotesHostile(t *testing.T) {
	p := newPaged(t)
	p.alone(func(a *app) {
		for area, text := range strange {
			said := p.said(a, "1001", text)
			out, err := a.library.Book(p.owner(a, "1001")).Propose(t.Context(), memory.Proposal{Writer: memory.ByPage, Via: nacre.Web, Do: memory.Learn,
				Cites: []memory.Cite{{Message: said, Quote: string([]rune(text)[:10])}}, Draft: memory.Draft{Area: area, Text: text, Entities: []string{string([]rune(text)[:15])}}})
			if err != nil || out[0].Refused != "" {
				t.Fatalf("%s: %+v, %v", area, out, err)
			}
		}
	})
	p.start()
	p.logIn()
	p.Size(360, 780)
	p.Scheme("dark")
	p.goTo("/memory")
	p.Sees("long-list", "onerror")
	p.sound("hostile notes")
	p.Picture("notes-hostile-list")
	for _, n := range p.listing().Notes {
		text := n.Text
		area, _, _ := strings.Cut(n.Path, "/")
		p.Until(fmt.Sprintf(`(() => {
			const row = [...document.querySelectorAll("long-list a")].find((a) => a.querySelector(".text").textContent === %[1]q);
			row?.click();
			return document.querySelector(".sheet > .text")?.textContent === %[1]q && !!document.querySelector(".sheet blockquote");
		})()`, text))
		p.sound(area)
		p.Picture("notes-hostile-" + area)
		p.Press("Edit")
		p.Until(fmt.Sprintf(`document.querySelector(".edit textarea").value === %q`, text))
		p.Press("Cancel")
		p.Press("Forget…")
		p.Press("Show what would go")
		p.Sees("dialog", "This would be forgotten")
		p.Press("Cancel")
		p.Press("← All notes")
	}
	if webtest.Eval[bool](p.Browser, `"broken" in window || !!document.querySelector("bdi img, bdi script, .text img")`) {
		t.Error("a note was taken for markup")
	}
}
