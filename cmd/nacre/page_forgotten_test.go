package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/web"
	"nacre/web/webtest"
)

// place is a window that stands where something is shown that will be forgotten.
type place struct {
	name, path string
	come       func(b *webtest.Browser, word string)
}

// places are all of them. Those that take a change back or would be told of it come
// last.
func places() []place {
	act := func(name, path string, presses ...string) place {
		return place{name, path, func(b *webtest.Browser, _ string) {
			for _, press := range presses {
				b.Press(press)
			}
		}}
	}
	opened := func(name string, more func(b *webtest.Browser, word string)) place {
		return place{name, "/memory", func(b *webtest.Browser, word string) {
			open(b, "The bike is "+word)
			more(b, word)
		}}
	}
	searched := func(b *webtest.Browser) {
		b.Fill("Words", "bike")
		b.Sees(".hits", "My bike was")
	}
	return []place{
		{"a long chat", "/", func(b *webtest.Browser, word string) {
			b.Sees("#log", "Answer 129.")
			b.Until(fmt.Sprintf(`(document.querySelector("#scroll").scrollTop = 0, document.querySelector("#log").innerText.includes("My bike was %s once."))`, word))
			b.Fill("Message", "Ask about zorblaxian")
		}},
		{"a command", "/", func(b *webtest.Browser, word string) {
			typesIn(b, "/remember The hat is "+word+".")
			b.Sees("#log .theirs:last-child", "emember")
		}},
		{"a search", "/history", func(b *webtest.Browser, _ string) { searched(b) }},
		{"a conversation", "/history", func(b *webtest.Browser, word string) {
			searched(b)
			b.Until(fmt.Sprintf(`((hit) => (hit?.click(), !!hit))([...document.querySelectorAll(".hits li")].find((e) => e.innerText.includes("My bike was %s"))?.querySelector("a"))`, word))
			b.Sees(".speech", word)
		}},
		act("jobs", "/jobs"),
		act("a job that is asked about", "/jobs", "Delete…"),
		act("a job that is edited", "/jobs", "Edit"),
		act("settings", "/settings"),
		act("access", "/settings/access"),
		act("what waits", "/memory/waiting", "Edit"),
		act("what is pinned", "/memory/pinned"),
		act("the log", "/memory/log"),
		act("the files", "/memory/files"),
		{"an import", "/memory/moving", func(b *webtest.Browser, word string) {
			b.Fill("What it answered", "# About\n- The desk is "+word+" too.")
			b.Press("Preview")
			b.Press("Import 1 note")
			b.Sees(".imported", word)
		}},
		{"a search of notes", "/memory", func(b *webtest.Browser, word string) {
			b.Fill("Search notes and what was said", "bike")
			b.Sees(".said", word)
		}},
		opened("a note", func(*webtest.Browser, string) {}),
		opened("an editor", func(b *webtest.Browser, _ string) { b.Press("Edit") }),
		opened("an editor that is typed in", func(b *webtest.Browser, _ string) {
			b.Press("Edit")
			b.Fill("Text", "Mine alone.")
		}),
		opened("a plan", func(b *webtest.Browser, word string) {
			b.Press("Forget…")
			b.Press("Show what would go")
			b.Sees("dialog", word)
		}),
		{"a notice", "/memory", func(b *webtest.Browser, word string) {
			b.Press("Saving on, sensitive off")
			b.Press("Undo the last change")
			b.Sees("#notice", word)
		}},
	}
}

// wherever is all that a window has, but for what was typed in the chat and not sent.
const wherever = `[document.documentElement.outerHTML, location.href, document.title, JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage }),
	...[...document.querySelectorAll("input, textarea, select")].map((e) => e.value)].join("\n").replaceAll(/Ask about \w+/g, "").toLowerCase()`

// A word that is forgotten goes from all windows, wherever they stand, at once. What is
// forgotten on the page goes the same way, of which a few windows tell enough.
func TestPageForgetsEverywhere(t *testing.T) {
	p := newPaged(t)
	p.alone(p.speaksOf("zorblaxian", "quuxling"))
	p.start()
	p.logIn()
	soul := "Be brief.\nNever praise zorblaxian bikes.\nNever praise quuxling bikes.\n"
	if err := os.WriteFile(filepath.Join(p.listing().Folder, "SOUL.md"), []byte(soul), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"zorblaxian", "quuxling"} {
		p.asks("jobs/add", `{"cron":"0 9 * * 1-5","text":%q}`, word)
		p.asks("access/token", `{"name":%q}`, word)
	}
	windows := map[string]*webtest.Browser{}
	for _, place := range places() {
		windows[place.name] = p.Window()
	}
	everywhere := func(word string, list []place, forget func()) {
		p.asks("settings", `{"name":%q}`, word)
		p.asks("access/password", `{"name":%q,"password":"correct horse"}`, word)
		for _, place := range list {
			b, has := windows[place.name], fmt.Sprintf(`%s.includes(%q)`, wherever, word)
			if webtest.Eval[bool](b, `location.protocol === "about:"`) || !webtest.Eval[bool](b, has) { // it speaks of both words where it can
				b.Open(p.base + place.path)
				b.Until(`document.documentElement.dataset.link === "up"`)
				place.come(b, word)
			}
			b.Until(has)
		}
		forget()
		for _, place := range list {
			b := windows[place.name]
			b.Until(fmt.Sprintf(`/* %s */ !%s.includes(%q)`, place.name, wherever, word))
		}
		p.Until(fmt.Sprintf(`!%s.includes(%q)`, wherever, word))
		windows["a long chat"].Until(`document.querySelector("#words").value === "Ask about zorblaxian"`)
		windows["an editor that is typed in"].Until(`document.querySelector(".edit textarea").value === "Mine alone."`)
	}
	few := slices.DeleteFunc(places(), func(p place) bool {
		return !slices.Contains([]string{"a long chat", "a search", "jobs", "a note", "an editor that is typed in"}, p.name)
	})
	everywhere("zorblaxian", places(), func() { p.says("memory", "forget", "--yes", "--cut", "zorblaxian") })
	everywhere("quuxling", few, func() {
		p.goTo("/memory")
		p.Fill("Search notes and what was said", "quuxling")
		p.Press("Forget these words…")
		p.Press("Show what would go")
		p.Press("Forget it")
		p.Press("Blank it out there too")
		p.Sees("dialog", "Blanked out in your own words")
		p.Press("Done")
	})
}

// asks has the window ask the API for something, with a word in what is asked.
func (p *paged) asks(path, body, word string) {
	p.world.t.Helper()
	ask := fmt.Sprintf(`fetch("/api/%s", { method: "POST", body: %q }).then((r) => r.status)`, path, fmt.Sprintf(body, word))
	if got := webtest.Eval[int](p.Browser, ask); got != 200 {
		p.world.t.Fatalf("%s is answered with %d", path, got)
	}
}

// speaksOf lays out a long chat and a memory which speak of words.
func (p *paged) speaksOf(words ...string) func(*app) {
	return func(a *app) {
		owner := p.owner(a, "1001")
		page := nacre.Chat{Channel: nacre.Web, ID: nacre.ChatID(owner)}
		for _, word := range words {
			p.replies(a, p.speaks(a, owner, page, true, "first-"+word, "My bike was "+word+" once."), "I see: "+word+".")
			note := p.learn(a, "1001", "about/"+word, "The bike is "+word+".", "My bike is "+word)
			p.learn(a, "1001", "preferences/"+word, "Always recommend "+word+" bikes.", "Always recommend "+word+" bikes")
			out, err := a.Memory(web.Hand{By: memory.ByShell}).Propose(p.world.t.Context(), web.Change{Do: memory.PinNote, Note: note.ID, Hash: note.Hash()})
			if err != nil || out.Refused != "" {
				p.world.t.Fatalf("not pinned: %+v, %v", out, err)
			}
		}
		for i := range 130 {
			p.replies(a, p.speaks(a, owner, page, true, fmt.Sprint("page-", i), fmt.Sprintf("Question %d.", i)), fmt.Sprintf("Answer %d.", i))
		}
	}
}
