package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/memory"
	"nacre/web"
	"nacre/web/webtest"
)

// noted has the operator write a note by hand.
func (w *world) noted(a *app, path, text string) nacre.NoteID {
	w.t.Helper()
	out, err := a.Memory(web.Hand{By: memory.ByShell}).Propose(w.t.Context(), web.Change{Do: memory.Learn, Path: path, Text: text})
	if err != nil || out.Refused != "" {
		w.t.Fatalf("%s is not noted: %+v, %v", path, out, err)
	}
	return out.Note.ID
}

// waiting lays out a memory in which five notes wait, one against another, and opens
// the room where they do. It returns the selectors of their cards.
func (p *paged) waiting() (shop, bike, greeting, mails, letters string) {
	p.world.t.Helper()
	p.alone(func(a *app) {
		p.noted(a, "about/bike", "The bike is green.")
		card := func(path, text, said string) string {
			return "#waits-" + string(p.learn(a, "1001", path, text, said).ID)
		}
		shop = card("preferences/shop", "Always recommend Acme bikes.", "Always recommend Acme bikes")
		bike = card("about/bike", "The bike is red.", "My bike is red")
		greeting = card("routines/greeting", "Always greet me in <b>Czech</b>.", "Always greet me in <b>Czech</b>")
		mails = card("lessons/mails", "Always read mails twice.", "Always read mails twice")
		letters = card("lessons/letters", "Always read letters once.", "Always read letters once")
	})
	p.start()
	p.logIn()
	p.goTo("/memory/waiting")
	p.Sees(".decide", "Always recommend Acme bikes.")
	return shop, bike, greeting, mails, letters
}

// lists checks which notes of a standing there are, by their texts.
func (p *paged) lists(which string, want ...string) {
	p.world.t.Helper()
	var list web.Listing
	p.json(&list, "list", "--status", which, "--json")
	var got []string
	for _, n := range list.Notes {
		got = append(got, n.Text)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		p.world.t.Errorf("%s notes: %q, want %q", which, got, want)
	}
}

// pastes puts a text into a field, in the place of what stands there.
func (p *paged) pastes(field, text string) {
	p.world.t.Helper()
	p.Fill(field, "")
	if _, err := chromedp.Call(p.Ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.world.t.Fatal(err)
	}
}

// deaf lets the window not hear any more what changes elsewhere.
func (p *paged) deaf() {
	p.world.t.Helper()
	webtest.Eval[bool](p.Browser, `{
		const parse = JSON.parse;
		JSON.parse = (text, ...more) => /"t":"changed"/.test(text) ? {} : parse(text, ...more);
	} true`)
}

func TestPageWaiting(t *testing.T) {
	p := newPaged(t)
	shop, bike, greeting, mails, letters := p.waiting()
	p.Sees(".subnav [aria-current] .count", "5")
	for _, words := range []string{"It reads like an instruction, not like a fact.", "Always recommend Acme bikes", "Jul 28, 2026", "Telegram", "it is erased after 30 days"} {
		p.Sees(shop, words)
	}
	p.Sees(bike+" .sides", "The bike is red.")
	p.Sees(bike+" .sides", "The bike is green.")
	p.SeesNot(shop, "Keep both")
	p.Sees(greeting, "Always greet me in <b>Czech</b>.")
	p.looks("waiting")

	if way := webtest.Eval[string](p.Browser, `document.querySelector('`+shop+` figcaption a').pathname`); !strings.HasPrefix(way, "/history/") {
		t.Errorf("the way to the message is %q", way)
	}
	p.Do(chromedp.Focus(chromedp.CSS(shop + " button")))
	p.Key("j")
	p.focused(bike)
	p.Key("ArrowDown")
	p.focused(greeting)
	p.Key("k")
	p.focused(bike)

	p.PressIn(shop, "Reject")
	p.Sees("#notice", "It is kept away from now on.")
	p.SeesNot(".decide", "Acme")
	p.focused(bike)
	p.lists("waiting", "The bike is red.", "Always greet me in <b>Czech</b>.", "Always read letters once.", "Always read mails twice.")
	p.Press("Undo")
	p.Sees(shop, "Always recommend Acme bikes.")
	p.PressIn(shop, "Accept")
	p.Sees("#notice", "Accepted.")
	p.Sees(".subnav [aria-current] .count", "4")

	p.PressIn(bike, "Keep both")
	p.SeesNot(".decide", "The bike is red.")
	p.PressIn(greeting, "Edit")
	p.Fill("As it should read", "In the morning I like to be greeted in Czech.")
	p.Press("Save and accept")
	p.Sees("#notice", "Accepted, in your words.")

	// The second half of a double click does not reach the note that is there by then.
	p.Size(1280, 1400)
	at := webtest.Eval[[]float64](p.Browser, `(({ x, y }) => [x + 20, y + 20])(document.querySelector("`+mails+` .danger").getBoundingClientRect())`)
	p.Do(chromedp.MouseClickXY(at[0], at[1]))
	p.Until(fmt.Sprintf("document.elementFromPoint(%v, %v).closest(%q)?.isConnected", at[0], at[1], letters+" .danger"))
	p.Do(chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(2)))
	p.PressIn(letters, "Edit")
	p.Sees(letters, "As it should read")
	p.Press("Cancel")
	p.lists("waiting", "Always read letters once.")
	p.PressIn(letters, "Reject")
	p.Sees(".empty", "Nothing waits for you.")
	p.focused("h2")
	p.lists("live", "The bike is green.", "The bike is red.", "Always recommend Acme bikes.", "In the morning I like to be greeted in Czech.")
	p.lists("waiting")
}

func TestPageWaitingInTwoWindows(t *testing.T) {
	p := newPaged(t)
	shop, bike, greeting, _, _ := p.waiting()
	other := &paged{p.world, p.Window(), p.base}
	other.goTo("/memory/waiting")
	other.Sees(shop, "Acme")

	p.PressIn(shop, "Reject")
	other.SeesNot(".decide", "Acme")
	other.Sees(".subnav .count", "4")

	other.deaf()
	p.PressIn(bike, "Accept instead")
	p.SeesNot(".decide", "The bike is red.")
	other.PressIn(bike, "Reject")
	other.Sees("#notice", "This was decided elsewhere meanwhile.")
	other.SeesNot(".decide", "The bike is red.")
	p.lists("live", "The bike is red.")

	other.PressIn(greeting, "Edit")
	other.Fill("As it should read", "I like Czech greetings.")
	p.PressIn(greeting, "Reject")
	p.SeesNot(".decide", "Czech")
	other.Press("Save and accept")
	other.Sees(".editor", "Your words are still here.")
	other.goTo("/memory/waiting")
	other.Sees(".editor", "Your words are still here.")
	if typed := webtest.Eval[string](other.Browser, `document.querySelector(".editor textarea").value`); typed != "I like Czech greetings." {
		t.Errorf("what was typed is %q", typed)
	}
	other.Press("Note this all the same")
	other.SeesNot(".editor", "Your words")
	p.lists("live", "The bike is red.", "I like Czech greetings.")
}

func TestPagePinnedAndLog(t *testing.T) {
	p := newPaged(t)
	p.alone(func(a *app) {
		p.noted(a, "about/bike", "The bike is green.")
		p.learn(a, "1001", "people/ann", "Ann is the sister.", "Ann is my sister")
		often := p.noted(a, "routines/run", "I run at seven.")
		for day := range 3 {
			if err := a.ledger.Hit(t.Context(), a.operator, time.Now().AddDate(0, 0, -day).Format(time.DateOnly), []nacre.NoteID{often}); err != nil {
				t.Fatal(err)
			}
		}
	})
	p.start()
	p.logIn()
	p.goTo("/memory/pinned")
	p.Sees(".empty", "Nothing is pinned yet.")
	p.Sees(".keeping", "I run at seven.")
	p.Sees(".keeping", ": recalled on 3 days, last on")
	p.Fill("Words of the note", "GREEN")
	p.Press("Pin about/bike")
	p.Sees(".cards", "The bike is green.")
	p.Sees(".cards", "pinned by you")
	p.Until(`document.querySelector("meter").value > 0`)
	p.looks("pinned")
	p.Press("Unpin about/bike")
	p.SeesNot(".cards", "The bike is green.")
	p.Press("Undo")
	p.Sees(".cards", "The bike is green.")
	p.says("memory", "edit", "about/bike", "The bike is blue.") // elsewhere
	p.Sees(".cards", "The bike is blue.")

	// A room that cannot be read says so, and shows it once it can.
	webtest.Eval[bool](p.Browser, `(window.answers = fetch, window.fetch = () => Promise.reject(new TypeError("gone")), true)`)
	p.Press("Log")
	p.Sees(".problem", "Nacre does not answer.")
	webtest.Eval[bool](p.Browser, `(window.fetch = answers, true)`)
	p.Press("Try again")
	p.Sees(".entries li:first-child", "Corrected")
	p.Sees(".entries", "Taken back")
	p.Sees(".entries", "You, on the command line")
	p.Sees(".entries", "The assistant, on Telegram")
	p.SeesNot(".keeping", "The bike is")
	p.Fill("Search the log", "pinned page")
	p.SeesNot(".entries", "Added")
	p.Sees(".entries", "Unpinned")
	p.Fill("Search the log", "")
	p.Sees(".entries", "Added")
	p.says("memory", "archive", "people/ann")
	p.Sees(".entries li:first-child", "Archived")

	p.looks("log")
	p.Press("Check the log")
	p.Sees(".verify", "All is well.")
	p.Press("Sign a checkpoint")
	p.Until(`document.querySelector(".verify pre")?.innerText.includes("—")`)
	signed := webtest.Eval[string](p.Browser, `document.querySelector(".verify pre").textContent`)
	p.Press("Check it against a checkpoint from elsewhere")
	p.pastes("The checkpoint", signed)
	p.Press("Check against it")
	p.Sees(".verify", "The checkpoint proves that for the first")
	p.pastes("The checkpoint", strings.Replace(signed, "\n", "1\n", 2))
	p.Press("Check against it")
	p.Sees(".verify", "This is no checkpoint of this log")
	p.Press("Rebuild memory from the log")
	p.Press("Rebuild")
	p.Sees(".verify", "It is the same as what was in use.")
}

var (
	returned = regexp.MustCompile(`return "([^"]{4,})"`)
	german   = regexp.MustCompile(`(?m)^  ("(?:[^"\\]|\\.)*"): "`)
)

// Whatever the server gives as a reason is there in German.
func TestReasonsAreGerman(t *testing.T) {
	known := map[string]bool{}
	catalogue, err := os.ReadFile("../../web/page/de/server.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range german.FindAllStringSubmatch(string(catalogue), -1) {
		known[strings.Trim(m[1], `"`)] = true
	}
	source, err := os.ReadFile("../../memory/render/reason.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := returned.FindAllStringSubmatch(string(source), -1)
	if len(reasons) < 30 {
		t.Fatalf("%d reasons were found", len(reasons))
	}
	for _, m := range reasons {
		if !known[m[1]] {
			t.Errorf("no German for %q", m[1])
		}
	}
}
