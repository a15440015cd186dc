package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"nacre/agent/llm/llmtest"
	"nacre/web/webtest"
)

// hostileSaying is what a message must not be able to do on the page: run, turn the line
// around, or break it.
const hostileSaying = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> \u202etxet\u202c "

// typesIn types a message into the chat of a window and sends it.
func typesIn(b *webtest.Browser, words string) {
	b.T.Helper()
	b.Fill("Message", words)
	b.Key("Enter")
}

// wasSaid waits until the conversation on a window is just this, each saying with what
// it begins with.
func wasSaid(b *webtest.Browser, begins ...string) {
	b.T.Helper()
	want, err := json.Marshal(begins)
	if err != nil {
		b.T.Fatal(err)
	}
	b.Until(fmt.Sprintf(`(() => {
		const want = %s, got = [...document.querySelectorAll("#log .message:not(.waiting) .body")].map((e) => e.innerText.trim());
		return got.length === want.length && got.every((text, i) => text.startsWith(want[i]));
	})()`, want))
}

// One talks with the real program: it answers as it writes, asks by buttons, and obeys
// commands; a second window shows the same; what is said while the program is away is
// said when it is back, once.
func TestPageChat(t *testing.T) {
	p := newPaged(t)
	p.env["NACRE_MODEL"] = "openai/test"
	proc := p.start()
	p.logIn()
	p.Sees("#empty", "Say something.")

	p.model.Push(llmtest.Reply{Text: "It leaves at 9:05, as always.", Halves: true, Pause: 90 * time.Millisecond})
	typesIn(p.Browser, "When does my train leave?")
	p.Sees("#draft", "It leaves")
	wasSaid(p.Browser, "When does my train leave?", "It leaves at 9:05, as always.")

	other := p.Window()
	other.Open(p.base)
	wasSaid(other, "When does my train leave?", "It leaves at 9:05, as always.")
	long := strings.Repeat("x", 4000)
	p.model.Push(llmtest.Reply{Text: hostileSaying + long})
	typesIn(other, "Read this: "+hostileSaying)
	for _, b := range []*webtest.Browser{p.Browser, other} {
		wasSaid(b, "When does", "It leaves at", "Read this: <script>", "<script>")
		if got := webtest.Eval[string](b, `document.title + document.querySelectorAll("#log script, #log img").length`); got != "Nacre0" {
			t.Errorf("a message became %s", got)
		}
	}
	p.Size(360, 740)
	p.Scheme("dark")
	p.Picture("hostile-phone")
	if wide := webtest.Eval[bool](p.Browser, `document.documentElement.scrollWidth > innerWidth || document.querySelector("#scroll").scrollWidth > innerWidth`); wide {
		t.Error("a long word makes the page wider than the phone")
	}
	for _, finding := range p.Axe() {
		t.Error(finding)
	}

	typesIn(p.Browser, "/help")
	p.Sees("#log .theirs:last-child", "show what I can do")
	typesIn(other, "/forget train")
	p.Sees(".options", "Forget all of it")
	other.Sees(".options", "Forget all of it")
	p.PressIn(".options", "No")
	other.Until(`document.querySelector(".options [aria-pressed=true]").textContent === "No"`)
	p.Sees("#log .theirs:last-child", "I leave everything as it is.")

	proc.kill()
	p.Sees("#banner", "Nacre is away.")
	typesIn(p.Browser, "Are you there?")
	p.Sees(".waiting", "Are you there?")
	p.Fill("Message", "and anoth")
	p.model.Push(llmtest.Reply{Text: "Here I am."})
	p.start()
	p.Sees("#log .theirs:last-child", "Here I am.")
	other.Sees("#log .theirs:last-child", "Here I am.")
	wasSaid(p.Browser, "When does", "It leaves at", "Read this: <script>", "<script>", "Are you there?", "Here I am.") // no page knows what was forgotten meanwhile, so commands go
	p.Until(`document.querySelector("#banner").hidden && !document.querySelector(".waiting")`)
	if got := webtest.Eval[string](p.Browser, `document.querySelector("#words").value`); got != "and anoth" {
		t.Errorf("the field has %q after the program came back", got)
	}

	p.Do(chromedp.Reload())
	wasSaid(p.Browser, "When does", "It leaves at", "Read this: <script>", "<script>", "Are you there?", "Here I am.")
	p.Press("History")
	p.Fill("Words", "train")
	p.Sees(".hits", "When does my train leave?")
	p.PressIn(".hits li:last-child", "Show in the conversation")
	p.Sees(".speech .marked", "train")
	p.Sees(".speech", "Here I am.")
	p.Picture("passage-phone")
}
