package main

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"nacre/web/webtest"
)

// paged is a world with the page: the real program behind a real browser. The model
// is the offline one, unless a test sets another before start.
type paged struct {
	*world
	*webtest.Browser
	base string // of the page, without a slash at the end
}

// newPaged makes one; nothing runs yet, so that a test can lay things out in the
// data directory first, with alone.
func newPaged(t *testing.T) *paged {
	t.Helper()
	t.Parallel() // a browser mostly waits
	b := webtest.New(t)
	p := &paged{world: newWorld(t), Browser: b}
	p.base = p.servesPage()
	p.env["NACRE_MODEL"] = "offline"
	p.env["NACRE_HEARTBEAT"] = "off"
	return p
}

// servesPage has every process of the world serve the page at the same address, which
// it returns.
func (w *world) servesPage() (base string) {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	l.Close()
	w.env["NACRE_WEB_LISTEN"] = l.Addr().String()
	return "http://" + l.Addr().String()
}

// link is a fresh login link of the operator.
func (p *paged) link() string {
	p.world.t.Helper()
	return strings.TrimSpace(p.says("web"))
}

// logIn logs the browser in as the operator and waits until the page is connected.
func (p *paged) logIn() {
	p.world.t.Helper()
	p.Open(p.link())
	p.Until(`document.documentElement.dataset.link === "up"`)
}

// goTo goes to a room of the page, such as /memory, as a link would.
func (p *paged) goTo(path string) {
	p.world.t.Helper()
	p.Open(p.base + path)
	p.Until(`document.documentElement.dataset.link === "up"`)
}

// looks keeps how a room looks, on a desk and on a phone, by day and by night, and
// finds out whether it keeps anybody out.
func (p *paged) looks(name string) {
	p.world.t.Helper()
	for _, width := range []int64{1280, 360} {
		p.Size(width, 800)
		for _, scheme := range []string{"light", "dark"} {
			p.Scheme(scheme)
			webtest.Eval[bool](p.Browser, noTime)
			p.Golden(fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
		if wide := webtest.Eval[int](p.Browser, `document.querySelector("main").scrollWidth`); wide > int(width) {
			p.world.t.Errorf("%s is %d wide in a window of %d", name, wide, width)
		}
		for _, finding := range p.Axe() {
			p.world.t.Errorf("%s, %d wide: %s", name, width, finding)
		}
	}
	p.Size(1280, 800)
	p.Scheme("light")
	webtest.Eval[bool](p.Browser, `document.querySelector("#notice").removeAttribute("style") ?? true`)
}

// noTime writes the same date and time wherever one stands, scrolls to the beginning
// and lets no notice and no caret stand before what is to be seen.
const noTime = `(() => {
	const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const text = texts.currentNode;
		const same = text.data.replace(/[A-Z][a-z]{2} \d{1,2}, 20\d\d/g, "Jul 28, 2026").replace(/\b[A-Z][a-z]{2} \d{1,2}\b/g, "Jul 28").replace(/20\d\d-\d\d-\d\d/g, "2026-07-28").replace(/\d{1,2}:\d\d\s[AP]M/g, "2:03 PM").replace(/Last seen .*?\./, "Last seen now.");
		if (same !== text.data) text.data = same;
	}
	document.querySelector("main").scrollTop = 0;
	document.activeElement.blur();
	document.querySelector("#notice").style.display = "none";
	return true;
})()`

// focused waits until the element of a selector has the focus.
func (p *paged) focused(selector string) {
	p.world.t.Helper()
	p.Until(fmt.Sprintf("document.activeElement.matches(%q)", selector))
}
