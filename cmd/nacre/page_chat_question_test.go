package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A question that is open is still one after the page was loaded anew, and one that
// was answered shows how, also on a window that did not see it.
func TestPageKeepsAQuestion(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	other := p.Window()
	other.Open(p.base)
	typesIn(p.Browser, "Remember that I have asthma")
	p.Sees(".options button", "Just this")
	other.Sees(".options button", "Just this")

	p.Do(chromedp.Reload())
	p.Sees(".options button", "Just this")
	p.Until(`!document.querySelector(".options.locked") && !document.querySelector(".options [aria-pressed=true]")`)
	p.Picture("question-reloaded")
	p.PressIn(".options", "Just this")
	const chosen = `document.querySelector(".options.locked [aria-pressed=true]")?.textContent.startsWith("Just this") && document.querySelectorAll(".options [aria-pressed=true]").length === 1`
	p.Until(chosen)
	other.Until(chosen)
	p.Sees("#log .theirs:last-child", "asthma")

	p.Do(chromedp.Reload())
	p.Sees(".options button", "Just this")
	p.Until(chosen)

	p.goTo("/memory/log")
	p.Sees(".entries", "The assistant, on the page")
	p.german("Protokoll")
	p.goTo("/memory/log")
	p.Sees(".entries", "Der Assistent, auf dieser Seite")
}
