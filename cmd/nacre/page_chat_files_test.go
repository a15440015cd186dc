package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"nacre/agent/llm/llmtest"
	"nacre/web/webtest"
)

// chooses chooses a file in the window's dialog for that.
func (p *paged) chooses(name string, data []byte) {
	p.world.t.Helper()
	path := filepath.Join(p.world.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		p.world.t.Fatal(err)
	}
	p.Do(chromedp.SetUploadFiles(chromedp.CSS("#pick"), []string{path}))
}

// brings lets a file come into the chat by an event, "paste" or "drop".
func (p *paged) brings(event, name, mime string, data []byte) {
	p.world.t.Helper()
	webtest.Eval[bool](p.Browser, fmt.Sprintf(`(() => {
		const files = new DataTransfer();
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0));
		files.items.add(new File([bytes], %q, { type: %q }));
		const about = { bubbles: true, cancelable: true, clipboardData: files, dataTransfer: files };
		const event = %q === "paste" ? new ClipboardEvent("paste", about) : new DragEvent("drop", about);
		return document.querySelector("#words").dispatchEvent(event);
	})()`, base64.StdEncoding.EncodeToString(data), name, mime, event))
}

// sawImages is how many images the model was shown when it was asked last.
func (p *paged) sawImages() int {
	all := p.model.Received()
	return bytes.Count(all[len(all)-1].Body, []byte("data:image/png;base64,"))
}

// One sends images and files: chosen, pasted and dropped, with words or without. The
// model sees them, also if the program is killed before it does, and what was said
// later is said later.
func TestPageChatFiles(t *testing.T) {
	p := newPaged(t)
	p.env["NACRE_MODEL"] = "openai/test"
	proc := p.start()
	p.logIn()
	other := p.Window()
	other.Open(p.base)
	other.Until(`document.documentElement.dataset.link === "up"`)

	p.chooses("leaf.png", picture())
	p.Sees("#chosen", "leaf.png")
	p.brings("paste", "image.png", "image/png", picture())
	p.brings("drop", "a note with a rather long name that does not fit on the page of a phone.txt", "text/plain", []byte("water me"))
	p.chooses("empty.txt", nil)
	p.Sees("#unfit", "A file that is empty cannot be sent.")
	p.Until(`document.querySelectorAll("#chosen li").length === 3 && document.querySelectorAll("#chosen img").length === 2`)
	p.Fill("Message", "What leaf is this?")
	for width, scheme := range map[int64]string{1280: "light", 360: "dark"} {
		p.Size(width, 740)
		p.Scheme(scheme)
		p.Picture(fmt.Sprintf("chosen-%d", width))
		if wide := webtest.Eval[int64](p.Browser, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("the page is %d wide in a window of %d", wide, width)
		}
		for _, finding := range p.Axe() {
			t.Error(finding)
		}
	}
	p.Press("Remove a note with a rather long name that does not fit on the page of a phone.txt")
	p.Until(`document.querySelectorAll("#chosen li").length === 2 && document.activeElement.getAttribute("aria-label") === "Remove image.png"`)

	gate := llmtest.NewGate()
	defer gate.Open()
	p.model.Push(llmtest.Reply{Gate: gate})
	p.Press("Send")
	for _, b := range []*webtest.Browser{p.Browser, other} {
		wasSaid(b, "leaf.png\nimage.png\nWhat leaf is this?")
	}
	<-gate.Reached()
	proc.kill()
	p.model.Push(llmtest.Reply{Text: "A birch's."})
	proc = p.start()
	for _, b := range []*webtest.Browser{p.Browser, other} {
		wasSaid(b, "leaf.png\nimage.png\nWhat leaf is this?", "A birch's.")
	}
	if n := p.sawImages(); n != 2 {
		t.Errorf("the model saw %d images, want 2", n)
	}

	typesIn(other, "/help") // no history has it, so that it is gone with the process
	other.Sees("#log .theirs:last-child", "show what I can do")
	p.Sees("#log .theirs:last-child", "show what I can do")
	proc.kill()
	p.Sees("#banner", "Nacre is away.")
	p.brings("drop", "third.png", "image/png", picture())
	p.Sees("#chosen", "third.png")
	p.Press("Send")
	typesIn(p.Browser, "And this is the third.")
	p.Until(`document.querySelectorAll(".waiting").length === 2 && !document.querySelector("#chosen")`)
	p.model.Push(llmtest.Reply{Text: "Thanks."}, llmtest.Reply{Text: "Thanks."})
	p.start()
	for _, b := range []*webtest.Browser{p.Browser, other} {
		b.Sees("#log .theirs:last-child", "Thanks.")
		b.Until(`(() => {
			const said = [...document.querySelectorAll("#log .mine:not(.waiting) .body")].map((e) => e.innerText.trim());
			return said.slice(1).join("|") === "third.png|And this is the third.";
		})()`)
	}
	if n := p.sawImages(); n != 3 {
		t.Errorf("the model saw %d images, want 3", n)
	}
	p.Do(chromedp.Reload())
	p.Sees("#log .mine:first-of-type", "leaf.png")
	p.Until(`[...document.querySelectorAll("#log .mine .body")].map((e) => e.innerText.trim())[0] === "leaf.png\nimage.png\nWhat leaf is this?"`)
	p.Picture("sent-phone")

	for range 11 {
		p.brings("drop", "many.png", "image/png", picture())
	}
	p.Sees("#unfit", "One message takes at most 10 files, of 10 MB together.")
	p.Until(`document.querySelectorAll("#chosen li").length === 10`)
}
