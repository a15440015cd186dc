package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"nacre/web"
	"nacre/web/webtest"
)

// back is the button of the browser.
var back = chromedp.NavigateBack()

// Two windows, a chat and the command line change the same memory: each window shows
// what is, without being loaded anew, and what is typed in one is never lost.
func TestPageNotesRace(t *testing.T) {
	p := newPaged(t)
	p.notes()
	p.merges()
	p.open("The bike is green.")
	other := p.Window()
	other.Open(p.base + "/memory")
	open(other, "The bike is green.")

	// A change of one is shown by the other.
	p.Press("Edit")
	p.Fill("Text", "The bike is green and fast.")
	p.Press("Save")
	other.Sees(".sheet > .text", "The bike is green and fast.")
	other.Sees("long-list", "The bike is green and fast.")

	// Changes of different words are put together.
	p.Press("Edit")
	other.Press("Edit")
	other.Fill("Text", "The bike is red and fast.")
	p.Fill("Text", "The bike is green and very fast.")
	other.Press("Save")
	p.Sees(".clash", "The bike is red and fast.")
	p.Sees(".clash .both", "The bike is red and very fast.")
	p.sound("two changes")
	p.Press("Close")
	p.Size(360, 780)
	p.Golden("notes-clash-360-light")
	p.Size(1280, 800)
	p.Press("Save both together")
	p.Sees(".sheet > .text", "The bike is red and very fast.")
	other.Sees(".sheet > .text", "The bike is red and very fast.")

	// Changes of the same words are asked about.
	for _, c := range []struct{ press, mine, other, text string }{
		{"Save mine", "The bike is white.", "The bike is black.", "The bike is white."},
		{"Take the other", "The bike is blue.", "The bike is pink.", "The bike is pink."},
	} {
		p.Press("Edit")
		other.Press("Edit")
		p.Fill("Text", c.mine)
		other.Fill("Text", c.other)
		other.Press("Save")
		p.Sees(".clash", c.other)
		p.SeesNot(".clash", "Both changes together")
		p.Press(c.press)
		p.Sees(".sheet > .text", c.text)
		other.Sees(".sheet > .text", c.text)
	}

	// What is let go or forgotten elsewhere can be saved anew.
	for _, c := range []struct{ command, says string }{{"archive", "This note was let go while you wrote."}, {"forget", "This note was forgotten while you wrote."}} {
		p.Press("Edit")
		p.Fill("Text", "The bike is mine, "+c.command+".")
		args := []string{"memory", c.command, "about/bike"}
		if c.command == "forget" {
			args = append(args, "--yes")
		}
		p.says(args...)
		p.Sees(".clash", c.says)
		p.sound("a note that is gone")
		p.Press("Save my text as a new note")
		p.Sees(".sheet > .text", "The bike is mine, "+c.command+".")
	}

	// A chat is seen at once.
	webtest.Eval[bool](p.Browser, `(() => {
		const list = document.querySelector("long-list");
		window.seen = new Promise((done) => new MutationObserver(() => list.innerText.includes("boat is blue") && done(Date.now())).observe(list, { childList: true, subtree: true, characterData: true }));
		return true;
	})()`)
	p.api.Text(1001, "Remember that my boat is blue")
	seen := time.UnixMilli(webtest.Eval[int64](p.Browser, `window.seen`))
	notes := p.listing().Notes
	at := slices.IndexFunc(notes, func(n web.Note) bool { return strings.Contains(n.Text, "boat is blue") })
	if took := seen.Sub(notes[at].Recorded); took > time.Second {
		t.Errorf("a change was shown %s after it was decided", took)
	} else {
		t.Logf("a change was shown %s after it was decided", took)
	}
}

// What two people made of one text is put together where they changed different words.
func (p *paged) merges() {
	p.world.t.Helper()
	for _, c := range []struct{ name, base, mine, theirs, want string }{
		{"different words", "The bike is green.", "The bike is red.", "My bike is green.", "My bike is red."},
		{"the same change", "The bike is green.", "The bike is red.", "The bike is red.", "The bike is red."},
		{"one left it alone", "The bike is green.", "The bike is green.", "No bike.", "No bike."},
		{"words added at both ends", "The bike is green.", "Ann: The bike is green.", "The bike is green. And fast.", "Ann: The bike is green. And fast."},
		{"one took away what the other kept", "The old bike is green.", "The bike is green.", "The old bike is red.", "The bike is red."},
		{"no spaces between words", "我住在柏林。", "我住在东京。", "他住在柏林。", "他住在东京。"},
		{"the same word", "The bike is green.", "The bike is red.", "The bike is blue.", "null"},
		{"one took away what the other changed", "The bike is green.", "The bike is.", "The bike is red.", "null"},
	} {
		js := fmt.Sprintf(`import("/merge.js").then(({ merge }) => String(merge(%q, %q, %q)))`, c.base, c.mine, c.theirs)
		if got := webtest.Eval[string](p.Browser, js); got != c.want {
			p.world.t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Nothing that was typed is lost when another note is looked at meanwhile, nor when
// the server is killed.
func TestPageNotesKeepWhatWasTyped(t *testing.T) {
	p := newPaged(t)
	p.longAgo(func(a *app) {
		p.noted(a, "about/bike", "The bike is green.")
		p.noted(a, "people/ann", "Ann is my sister.")
	})
	server := p.start()
	p.logIn()
	p.goTo("/memory")
	p.open("The bike is green.")
	p.Press("Edit")
	p.Fill("Text", "The bike is red.")
	p.open("Ann is my sister.")
	p.Sees(".pane", "You have text that is not saved:")
	p.Press("a note")
	p.SeesNot(".pane", "You have text that is not saved:")
	server.kill()
	p.Until(`document.documentElement.dataset.link === "away"`)
	p.Press("Save")
	p.Sees("#notice.bad", "Nacre does not answer.")
	p.Fill("Search notes and what was said", "green")
	p.Sees("section.said .problem", "Nacre does not answer.")
	p.Sees("long-list", "The bike is green.")
	p.Until(`document.querySelector(".edit textarea").value === "The bike is red."`)
	p.start()
	p.Until(`document.documentElement.dataset.link === "up"`)
	p.Sees("section.said", "Nothing was said in these words.")
	p.Until(`document.querySelector(".edit textarea").value === "The bike is red."`)
	p.Press("Save")
	p.Sees(".sheet > .text", "The bike is red.")
	p.lists("live", "The bike is red.", "Ann is my sister.")
}
