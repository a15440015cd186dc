package web

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/gateway"
	"nacre/web/webtest"
)

const letter = "## Plan for Saturday\n\nHere is a **short** plan with *three* steps, ~~four~~, and `code`:\n\n" +
	"1. Take the train at 9:05\n2. Meet Ann\n   - bring the *map*\n   - and [the tickets](https://example.org/t)\n3. Lunch\n\n" +
	"- [x] call the restaurant\n- [ ] water the plants\n\n> Remember the umbrella.\n> It may rain.\n\n" +
	"| Train | From | Price |\n|:--|:-:|--:|\n| RE 5 | 9:05 | 12.40 |\n| IC 17 | 10:12 | 29.00 |\n\n" +
	"```go\nfunc main() {\n\tfmt.Println(\"a rather long line of code which does not fit on a phone and must be scrolled\")\n}\n```"

func TestBrowserChats(t *testing.T) {
	b := browse(t, newPastDesk())
	b.logIn()
	b.Sees("#empty", "Say something.")
	b.Picture("empty-desktop")

	b.say("Can you plan my Saturday?")
	m, err := b.host.Wait(b.Ctx, 1)
	if err != nil || m[0].Text() != "Can you plan my Saturday?" {
		t.Fatalf("stored %v, %v", m, err)
	}
	b.Until(`document.querySelectorAll(".mine:not(.waiting)").length === 1`)

	b.chat.Typing(t.Context(), chatOf(ann))
	b.Sees("#typing", "Nacre is writing…")
	for _, end := range []int{40, 120, 300} {
		b.chat.Stream(t.Context(), gateway.Bubble{Chat: chatOf(ann), Turn: "t-1"}, letter[:end])
		b.Until(fmt.Sprintf(`document.querySelector("#draft").innerText.length > %d`, end/2))
	}
	b.Until(`document.querySelector("#typing").textContent === ""`)
	b.Picture("streaming-desktop")
	b.send("d-1", nacre.Part{Text: letter})
	b.Until(`document.querySelector("#draft").hidden && document.querySelectorAll(".theirs .body table").length === 1`)

	dot := new(bytes.Buffer)
	if err := png.Encode(dot, image.NewGray(image.Rect(0, 0, 200, 80))); err != nil {
		t.Fatal(err)
	}
	b.send("d-2", nacre.Part{File: &nacre.File{Name: "map.png", MIME: "image/png", Data: dot.Bytes()}})
	b.send("d-3", nacre.Part{Text: "Shall I book it?", Question: "q-1", Options: []string{"Yes, please", "No", "Ask me tomorrow"}})
	b.Until(`document.querySelector("figure img").naturalWidth === 200`)
	if got := webtest.Eval[string](b.Browser, `fetch(document.querySelector("figure a").href).then((r) => r.text(), () => "blocked")`); got != "blocked" {
		t.Errorf("a script of the page could read %d bytes from outside of its policy", len(got))
	}
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		b.Size(1280, 800)
		b.Picture("desktop-" + scheme)
		b.Size(360, 740)
		b.Picture("phone-" + scheme)
		b.fine()
	}
	for i := range 12 {
		b.send(fmt.Sprint("e-", i), nacre.Part{Text: "one more"})
	}
	b.fits()
	if scrolls := webtest.Eval[bool](b.Browser, `(({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(document.querySelector("#words"))`); scrolls {
		t.Error("the empty field scrolls")
	}

	b.host.Answer("No", nil)
	b.PressIn(".options", "No")
	b.Until(`document.querySelector(".options button[aria-pressed=true]").textContent === "No"`)
	if p := b.host.Presses(); len(p) != 1 || p[0].Question != "q-1" || p[0].Option != 1 {
		t.Errorf("pressed %+v", p)
	}
	b.Picture("phone-chosen")
}

// fits fails the test where the page is larger than the window.
func (b *browser) fits() {
	b.T.Helper()
	if wide := webtest.Eval[bool](b.Browser, `document.documentElement.scrollWidth > innerWidth`); wide {
		b.T.Error("the page is wider than the window")
	}
	if tall := webtest.Eval[bool](b.Browser, `document.documentElement.scrollHeight > innerHeight`); tall {
		b.T.Error("the page scrolls away as a whole; only what is in it may")
	}
}

// fine fails the test where something keeps people out of what is shown.
func (b *browser) fine() {
	b.T.Helper()
	for _, finding := range b.Axe() {
		b.T.Error(finding)
	}
}

// The newest answer, and no other and none to a command, can be asked what it rests
// on. Commands are offered below a slash.
func TestBrowserCommands(t *testing.T) {
	b := browse(t, newPastDesk())
	b.logIn()
	b.say("When does my train leave?")
	if _, err := b.host.Wait(b.Ctx, 1); err != nil {
		t.Fatal(err)
	}
	b.send("d-1", nacre.Part{Text: "At 9:05,"})
	b.send("d-2", nacre.Part{Text: "from platform 3."})
	b.Until(`document.querySelectorAll("#log .theirs").length === 2 && document.querySelectorAll(".why").length === 1 && document.querySelector("#log .theirs:last-child .why") !== null`)
	b.Press("Why?")
	m, err := b.host.Wait(b.Ctx, 2)
	if err != nil || m[1].Text() != "/why" {
		t.Fatalf("stored %v, %v, want /why", m, err)
	}
	b.send("d-3", nacre.Part{Text: "Nothing was in front of me."})
	b.Until(`document.querySelectorAll("#log .theirs").length === 3`)
	if n := b.count(".why"); n != 0 {
		t.Errorf("%d buttons ask why a command was answered", n)
	}

	const offered = `[...document.querySelectorAll("#commands [role=option] b")].map((e) => e.textContent).join(" ")`
	const active = `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent`
	words := func(want string) {
		t.Helper()
		b.Until(fmt.Sprintf(`document.querySelector("#words").value === %q && !document.querySelector("#commands")`, want))
	}
	b.Fill("Message", "/re")
	b.Until(offered + ` === "/retry /remind /remember"`)
	b.Picture("commands")
	b.fine()
	b.Key("ArrowUp")
	b.Until(active + `.includes("/remember")`)
	b.Key("ArrowDown")
	b.Key("ArrowDown")
	b.Until(active + `.includes("/remind")`)
	b.Key("Enter")
	words("/remind ")
	b.Fill("Message", "/sta")
	b.Key("Tab")
	words("/start")
	b.Fill("Message", "/st")
	b.Until(offered + ` === "/start /stop /status"`)
	b.Key("Escape")
	words("/st")
	b.Fill("Message", "/stat")
	b.PressIn("#commands", webtest.Eval[string](b.Browser, `document.querySelector("#commands li").innerText.trim()`))
	words("/status")
	b.Key("Enter")
	if m, err := b.host.Wait(b.Ctx, 3); err != nil || m[2].Text() != "/status" {
		t.Fatalf("stored %v, %v, want /status", m, err)
	}
	b.Fill("Message", "/etc is a directory")
	if n := b.count("#commands"); n != 0 {
		t.Error("commands are offered in the middle of a message")
	}
}

// What is typed and said while the server is away is kept and sent once; so is what
// the page showed when it was loaded anew.
func TestBrowserKeepsWhatIsSaidWhileAway(t *testing.T) {
	b := browse(t, newPastDesk())
	b.logIn()
	b.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
	b.Do(chromedp.SendKeys(chromedp.CSS("#words"), "one"))
	b.Key("Enter", chromedp.ModifierShift)
	b.say("two")
	b.Until(`document.querySelectorAll(".waiting").length === 1`)
	b.deaf.Store(true)
	b.lose()
	b.Sees("#banner", "Nacre is away.")
	b.Picture("away")
	b.Fill("Message", "not said yet")
	b.Open(b.base + "/")
	if b.Asked.Load() != 1 {
		t.Error("the browser did not ask before it left what was not sent")
	}
	b.Sees("#banner", "Nacre is away.") // also where it never was there
	b.Sees(".waiting", "one\ntwo")
	if got := webtest.Eval[string](b.Browser, `document.querySelector("#words").value`); got != "not said yet" {
		t.Errorf("the field has %q after the page was loaded anew", got)
	}
	b.host.Fail(nil)
	b.deaf.Store(false)
	b.Until(`document.querySelector("#banner").hidden && document.querySelectorAll(".mine:not(.waiting)").length === 1`)
	if m, err := b.host.Wait(b.Ctx, 1); err != nil || len(m) != 1 || m[0].Text() != "one\ntwo" {
		t.Errorf("stored %v, %v", m, err)
	}
	b.send("d-1", nacre.Part{Text: "first"})
	b.send("d-1", nacre.Part{Text: "first"})
	b.send("d-2", nacre.Part{Text: "second"})
	b.Until(`document.querySelectorAll(".theirs.message .foot").length === 2`)

	field := func(js string) {
		b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#words").value = ` + js))
	}
	field(fmt.Sprintf(`"x".repeat(%d)`, maxRequest))
	b.Key("Enter")
	b.Sees(".notice", "too long")
	field(`""`)
	b.host.Fail(nacre.Errorf(nacre.Denied, "Not today."))
	b.say("three")
	b.Sees(".refused .state", "Not sent: Not today.")
}

// The page shows what was said before it was opened, and while it was away, once and
// in order.
func TestBrowserShowsWhatWasSaidBefore(t *testing.T) {
	desk := newPastDesk()
	desk.past.add(talks(60)...)
	b := browse(t, desk)
	b.logIn()
	b.Sees("#log", "Answer 59.")
	const all = `[...document.querySelectorAll("#log .message .body")].map((e) => e.innerText.trim()).join(" ")`
	order := func(from, to int, more string) {
		t.Helper()
		var want strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&want, "Question %d. Answer %d. ", i, i)
		}
		b.Until(fmt.Sprintf("(%s).trim() === %q", all, strings.TrimSpace(want.String()+more)))
	}
	order(35, 60, "")
	b.Sees(".day", "May 1, 2026")
	place := func() float64 {
		return webtest.Eval[float64](b.Browser, `[...document.querySelectorAll("#log .message")].find((e) => e.innerText.includes("Question 36.")).getBoundingClientRect().top`)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#scroll").scrollTop = 120`))
	before := place()
	order(10, 60, "")
	if after := place(); after < before-2 || after > before+2 {
		t.Errorf("what was in sight at %.0f is at %.0f once older messages are above it", before, after)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#scroll").scrollTop = 0`))
	order(0, 60, "")

	// The answer comes again, because no page said that it was shown; its file is not in
	// the history.
	desk.past.offer("turn-59", "Good", "Bad")
	b.answer("d-1", "turn-59", nacre.Part{Text: "Answer 59.", Question: "turn-59", Options: []string{"Good", "Bad"}})
	b.answer("d-2", "turn-59", nacre.Part{File: &nacre.File{Name: "a.txt", Data: []byte("a")}})
	b.Sees(".options", "Good")
	b.Sees("#log", "a.txt")
	b.say("And now?")
	b.Until(`document.querySelectorAll(".mine:not(.waiting)").length === 61`)
	b.answer("d-3", "turn-60", nacre.Part{Text: "Now too."})
	order(0, 59, "Question 59. Answer 59.\n\nGood\nBad a.txt 1 B And now? Now too.")

	m, err := b.host.Wait(b.Ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	desk.past.add(Saying{Message: "turn-60", Turn: "turn-60", ID: string(m[0].External), Who: You, Text: "And now?"},
		Saying{Turn: "turn-60", Who: Nacre, Text: "Now too."})
	desk.past.add(spoken(61, "Said elsewhere.", "Heard elsewhere.")...)
	b.lose()
	order(0, 59, "Question 59. Answer 59.\n\nGood\nBad a.txt 1 B And now? Now too. Said elsewhere. Heard elsewhere.")

	// What is forgotten goes from the page too.
	desk.past.forget(2)
	b.chat.Changed(ann, TopicMemory)
	order(1, 59, "Question 59. Answer 59.\n\nGood\nBad a.txt 1 B And now? Now too. Said elsewhere. Heard elsewhere.")

	for i := 100; i < 210; i++ {
		desk.past.add(spoken(i, fmt.Sprintf("Question %d.", i), fmt.Sprintf("Answer %d.", i))...)
	}
	b.lose()
	b.Sees("#log", "Answer 209.")
	b.SeesNot("#log", "Said elsewhere.") // what was here is too old to stand beside it
	b.Until(`(document.querySelector("#scroll").scrollTop = 0, document.querySelector("#log").innerText.includes("Question 1."))`)
	b.Until(`((said) => said.length === 338 && said.every((n, i) => i === 0 || n >= said[i - 1]))([...document.querySelectorAll("#log .message .body")]
		.map((e) => e.innerText.match(/^(?:Question|Answer) (\d+)/)?.[1]).filter(Boolean).map(Number))`)
}
