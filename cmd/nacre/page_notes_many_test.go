package main

import (
	"fmt"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/web/webtest"
)

// watched has the browser measure how long it takes from a key to what it shows.
const watched = `(() => {
	window.keys = [];
	new PerformanceObserver((list) => keys.push(...list.getEntries().filter((e) => e.name === "keydown" || e.name === "keypress" || e.name === "input").map((e) => ({ took: e.duration, work: e.processingEnd - e.processingStart })))).observe({ type: "event", durationThreshold: 16 });
	return true;
})()`

// With 5,000 notes only those that can be seen are in the page, and a key stroke of
// the search is shown at once.
func TestPageNotesMany(t *testing.T) {
	p := newPaged(t)
	p.alone(func(a *app) {
		list := make([]memory.Proposal, 5000)
		for i := range list {
			list[i] = memory.Proposal{Writer: memory.ByPage, Via: nacre.Web, Do: memory.Learn,
				Draft: memory.Draft{Area: memory.Areas[i%5], Slug: fmt.Sprint("n", i), Text: fmt.Sprintf("Item %d is on shelf %d.", i, i%97)}}
		}
		if _, err := a.library.Book(p.owner(a, "1001")).Propose(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
	})
	p.start()
	p.logIn()
	p.goTo("/memory")
	p.Sees(".summary", "5,000 notes")
	inPage := `document.querySelectorAll("long-list li").length`
	if n := webtest.Eval[int](p.Browser, inPage); n < 3 || n > 30 {
		t.Errorf("%d rows are in the page", n)
	}

	webtest.Eval[bool](p.Browser, watched)
	p.Fill("Search notes and what was said", "item 4321")
	p.Sees("long-list", "Item 4321 is on shelf")
	p.Fill("Search notes and what was said", "shelf 96.")
	p.Sees(".summary", "51 notes")
	worst := webtest.Eval[[]float64](p.Browser, `new Promise((done) => setTimeout(() => done([keys.length, Math.max(0, ...keys.map((k) => k.took)), Math.max(0, ...keys.map((k) => k.work))]), 100))`)
	t.Logf("of %.0f events of keys the slowest took %.0f ms until it was shown, of which %.0f ms were work", worst[0], worst[1], worst[2])
	if worst[1] > 200 {
		t.Errorf("a key stroke took %.0f ms to be shown", worst[1])
	}

	// The keyboard reaches the end, and the way back leads to where one was.
	p.Fill("Search notes and what was said", "")
	p.Key("ArrowDown")
	p.focused(`li[aria-posinset="1"] a`)
	p.Key("End")
	p.focused(`li[aria-posinset="5000"] a`)
	if n := webtest.Eval[int](p.Browser, inPage); n > 30 {
		t.Errorf("%d rows are in the page at the end", n)
	}
	p.Size(360, 780)
	p.Key("Home")
	p.focused(`li[aria-posinset="1"] a`)
	for range 20 {
		p.Key("ArrowDown")
	}
	before := webtest.Eval[float64](p.Browser, `document.querySelector("main").scrollTop`)
	p.Key("Enter")
	p.Sees(".sheet h2", "About you")
	p.Until(`document.querySelector("main").scrollTop === 0`)
	p.Press("← All notes")
	p.focused(`li[aria-posinset="21"] a`)
	if after := webtest.Eval[float64](p.Browser, `document.querySelector("main").scrollTop`); after != before {
		t.Errorf("the list is back at %.0f, want %.0f", after, before)
	}
}
