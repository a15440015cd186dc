package main

import (
	"fmt"
	"testing"

	"nacre"
	"nacre/web/webtest"
)

// stands keeps how the page looks at its largest by day and at its smallest by night.
func (p *paged) stands(name string) {
	p.world.t.Helper()
	for _, c := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {360, "dark"}} {
		p.Size(c.width, 800)
		p.Scheme(c.scheme)
		if webtest.Eval[bool](p.Browser, `document.querySelector("#notice") !== null`) {
			webtest.Eval[bool](p.Browser, noTime)
		}
		p.Golden(fmt.Sprintf("%s-%d-%s", name, c.width, c.scheme))
	}
}

// The rooms in which something is look as they are meant to.
func TestPageLooks(t *testing.T) {
	p := newPaged(t)
	p.alone(func(a *app) {
		owner := p.owner(a, "1001")
		page := nacre.Chat{Channel: nacre.Web, ID: nacre.ChatID(owner)}
		for i, said := range [][2]string{
			{"When does my train leave?", "At **9:05**, from platform 3."},
			{"And back?", "Two leave in the evening:\n\n| Train | Leaves |\n|:--|--:|\n| RE 5 | 18:05 |\n| IC 17 | 19:10 |\n\nThe first one is *usually* empty."},
			{"Then I take the train at six.", "Good. I keep that in mind."},
		} {
			p.replies(a, p.speaks(a, owner, page, true, fmt.Sprint("page-", i), said[0]), said[1])
		}
		a.ledger.Spend(owner, "openai/dear", nacre.Usage{Calls: 3, Input: 200_000, Output: 8_000, CacheRead: 150_000, Cost: 1_250_000_000})
	})
	p.start()
	p.Open(p.base + "/login")
	p.Sees("#how", "link")
	p.stands("login")
	p.logIn()
	p.Sees("#log", "I keep that in mind.")
	p.stands("chat")
	p.goTo("/history")
	p.Fill("Words", "train")
	p.Sees(".hits", "Then I take the train")
	p.stands("history")
	p.goTo("/usage")
	p.Sees(".tile", "$1.25")
	p.stands("usage")
	p.goTo("/channels")
	p.Sees("#channels", "connected as @")
	p.stands("channels")
	p.asks("access/token", `{"name":%q}`, "backup")
	p.goTo("/settings/access")
	p.Sees(".rows li", "this one")
	p.Sees(".rows", "backup")
	p.stands("access")
}
