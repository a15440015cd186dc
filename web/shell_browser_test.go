package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/web/webtest"
)

// One moves between the rooms by links, by the browser's own buttons and by the keys.
func TestBrowserMovesBetweenRooms(t *testing.T) {
	desk := newPastDesk()
	desk.past.add(talks(60)...)
	b := browse(t, desk)
	b.logIn()
	t.Logf("the first paint took %v at best", b.Paint()) // aim: 200 ms; a busy machine proves nothing
	b.connected()
	const focused = `document.activeElement.`
	at := func(path, title string) {
		t.Helper()
		b.Until(`location.pathname === "` + path + `" && document.title === "` + title + `"`)
	}
	at("/", "Nacre")
	b.Until(focused + `id === "words"`)
	b.Sees(".top nav [aria-current]", "Chat")

	b.Fill("Message", "half a though")
	b.Press("Usage")
	at("/usage", "Usage – Nacre")
	b.Sees(".top nav [aria-current]", "Usage")
	b.send("d-1", nacre.Part{Text: "Something new."})
	b.Until(`document.querySelector(".top nav a .dot") !== null`)
	b.Press("History")
	at("/history", "History – Nacre")
	b.Until(focused + `type === "search"`)
	b.Fill("Words", "Answer")
	b.Sees("main", "60 messages")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("main").scrollTop = 300`))
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".hits li:nth-child(5) a").click()`)) // Press would scroll
	at("/history/turn-4", "History – Nacre")
	b.Until(focused + `localName === "h2"`)
	back, forward := `history.back()`, `history.forward()`
	b.Do(chromedp.Evaluate[chromedp.Void](back))
	at("/history", "History – Nacre")
	b.Until(`document.querySelector("main").scrollTop === 300`)
	b.Do(chromedp.Evaluate[chromedp.Void](back))
	at("/usage", "Usage – Nacre")
	b.Do(chromedp.Evaluate[chromedp.Void](forward))
	at("/history", "History – Nacre")
	b.Do(chromedp.Click(chromedp.CSS(".way:has(.dot)")))
	b.Until(focused + `id === "words" && document.activeElement.value === "half a though"`)
	b.Sees("#log", "Something new.")
	if b.count(".dot") > 0 {
		t.Error("the chat is marked as having something new while it is shown")
	}

	b.Key("Tab", chromedp.ModifierShift) // the conversation, to scroll it
	for range 3 {
		b.Key("Tab", chromedp.ModifierShift)
	}
	b.Until(focused + `closest("#scroll, header") !== null`)
	b.goTo("/history/%E0%A4")
	b.Sees("main .problem", "There is no such message any more.")
	b.Key("Tab")
	b.Until(focused + `classList.contains("skip")`)
	b.Key("Enter")
	b.Until(focused + `id === "main" && location.hash === ""`)
	b.goTo("/usage/nothing")
	at("/usage/nothing", "Usage – Nacre")
	for range 5 { // the way over the header, Chat, Memory, Jobs, Usage
		b.Key("Tab")
	}
	b.Until(focused + `innerText === "Usage"`)
	b.Key("Tab", chromedp.ModifierShift)
	b.Key("Enter")
	at("/jobs", "Jobs – Nacre")
	b.Until(focused + `closest("main") !== null`)
	b.goTo("/usage/nothing")
	if got := webtest.Eval[string](b.Browser, `document.querySelector("main").innerText`); got == "" {
		t.Error("an unknown place of a room shows nothing")
	}
}

// The page speaks as its owner set it, and changes that while it is open.
func TestBrowserSpeaksGerman(t *testing.T) {
	desk := newPastDesk()
	desk.past.add(talks(3)...)
	b := browse(t, desk)
	b.logIn()
	b.Sees("#log", "Answer 2.")
	b.Sees(".mine time", "9:00 AM")
	b.Fill("Message", "typed")
	desk.speaks("de", "Asia/Tokyo")
	b.chat.Changed(ann, TopicSettings)
	b.Sees("nav", "Gedächtnis")
	b.Sees(".mine time", "18:00")
	b.Sees(".day", "01.05.2026")
	if got := webtest.Eval[string](b.Browser, `document.documentElement.lang + " " + document.querySelector("#words").placeholder + " " + document.querySelector("#words").value`); got != "de Nachricht typed" {
		t.Errorf("the field is %q, want de Nachricht typed", got)
	}
	b.Size(360, 740)
	b.fits()
	if hidden := webtest.Eval[bool](b.Browser, `(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)(document.querySelector("nav"))`); hidden {
		t.Error("not all rooms fit on a phone")
	}
	b.Picture("phone-german")
	b.fine()
	b.Size(300, 600)
	b.Press("Verbrauch")
	b.Until(`(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector("nav [aria-current]").getBoundingClientRect())`)
	b.Picture("narrow-german")
}

func TestBrowserIsLoggedOut(t *testing.T) {
	b := browse(t, newPastDesk())
	b.logIn()
	if got := webtest.Eval[string](b.Browser, `document.cookie`); got != "" {
		t.Errorf("scripts can read the cookie %q", got)
	}
	b.Open(b.base + "/login")
	b.connected()
	b.Fill("Message", "for nobody else")
	b.lose(b.logins.forget)
	b.Until(`document.querySelector("#banner a").pathname === "/login"`)
	b.fine()
	b.Open(b.base + "/")
	b.Until(`location.pathname === "/login"`)
	b.Picture("login")
	b.fine()
	b.Do(chromedp.Evaluate[chromedp.Void](`location.hash = "#used-up"`))
	b.Until(`document.querySelector("#state").textContent.includes("used up") && location.hash === ""`)
	b.Picture("login-refused")
	b.logIn()
	b.Until(`document.querySelector("#words").value === "for nobody else"`)
	b.Press("Log out")
	b.Until(`location.pathname === "/login"`)
	b.logIn()
	if got := webtest.Eval[string](b.Browser, `document.querySelector("#words").value`); got != "" {
		t.Errorf("after somebody logged out the field has %q", got)
	}
}
