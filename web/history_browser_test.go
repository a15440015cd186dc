package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"nacre/web/webtest"
)

func TestBrowserSearchesWhatWasSaid(t *testing.T) {
	desk := newPastDesk()
	desk.past.add(talks(60)...)
	desk.past.sayings[20].Strange = true
	desk.past.sayings[21] = Saying{Message: "other", Turn: "turn-10", Who: Others, Name: "telegram:1002", Sent: desk.past.sayings[21].Sent, Text: "Answer of somebody."}
	b := browse(t, desk)
	b.logIn()
	b.goTo("/history")
	b.Sees("main", "Search what you and Nacre said")
	b.Fill("Words", "nothing like it")
	b.Sees("main", "Nothing was said that fits.")
	b.Fill("Words", "Answer")
	b.Sees(".tally", "60 messages")
	b.Until(`document.querySelectorAll(".hits li").length === 20`)
	b.Press("Show more")
	b.Until(`document.querySelectorAll(".hits li").length === 40`)
	b.Sees(".hits li:nth-child(11)", "telegram:1002 · Telegram · May 1, 2026, 9:21 AM")
	b.Choose("Order", "Newest first")
	b.Sees(".hits li:first-child", "Answer 59.")
	b.Fill("From", "05022026")
	b.Sees("main", "Nothing was said that fits.")
	b.Fill("To", "05032026")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("main input[type=date]").value = ""; document.querySelector("main input[type=date]").dispatchEvent(new Event("change"))`))
	b.Sees(".tally", "60 messages")
	b.Fill("Words", "Question 10.")
	b.Sees(".tally", "1 message")
	b.Sees(".hits", "You (with words of others)")
	for _, scheme := range []string{"dark", "light"} {
		b.Scheme(scheme)
		b.Size(360, 740)
		b.Picture("history-phone-" + scheme)
		b.fine()
		b.fits()
		b.Size(1280, 800)
		b.Picture("history-desktop-" + scheme)
	}

	b.Press("Show in the conversation")
	b.Sees("main h2", "Telegram")
	b.Sees(".marked .body", "Question 10.")
	b.Sees(".others .foot", "said by telegram:1002")
	b.Until(`(({ top, bottom }) => top > 0 && bottom < innerHeight)(document.querySelector(".marked").getBoundingClientRect())`)
	b.Picture("passage")
	b.fine()
	count := func(want string) {
		t.Helper()
		b.Until(`[...document.querySelectorAll(".speech .message .body")].map((e) => e.innerText.match(/\d+|of/)[0]).join(" ") === "` + want + `"`)
	}
	count("5 5 6 6 7 7 8 8 9 9 10 of 11 11 12 12 13 13 14 14 15")
	top := func() float64 {
		return webtest.Eval[float64](b.Browser, `document.querySelector(".marked").getBoundingClientRect().top`)
	}
	before := top()
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".step button").click()`)) // Press would scroll
	b.Sees(".speech", "Question 0.")
	if after := top(); after < before-2 || after > before+2 {
		t.Errorf("the message in sight moved from %.0f to %.0f", before, after)
	}
	b.Press("What was said after")
	b.Sees(".speech", "Answer 27.")
	b.Press("Back to the search")
	b.Sees(".hits", "Question 10.")
}
