package main

import (
	"testing"

	"nacre/web/webtest"
)

// No room keeps out people who see, hear or move otherwise, in either theme, on a
// phone or a desktop; none is wider than its window.
func TestPageKeepsNobodyOut(t *testing.T) {
	p := newPaged(t)
	p.env["NACRE_OWNERS"] = "telegram:1001"
	p.alone(func(a *app) {
		p.learn(a, "1001", "people/dog", "The dog is called Rex.", "The dog is called Rex")
		p.said(a, "1001", "hello")
	})
	p.start()
	p.logIn()
	for _, room := range []string{"/", "/memory", "/memory/waiting", "/memory/pinned", "/memory/files", "/memory/log", "/memory/moving",
		"/jobs", "/usage", "/channels", "/settings", "/settings/mail", "/history"} {
		p.goTo(room)
		p.SeesNot("main", "Loading…")
		for _, look := range []struct {
			scheme string
			width  int64
		}{{"light", 1280}, {"dark", 360}} {
			p.Scheme(look.scheme)
			p.Size(look.width, 740)
			for _, finding := range p.Axe() {
				t.Errorf("%s, %s, %d wide: %s", room, look.scheme, look.width, finding)
			}
			if wide := webtest.Eval[int64](p.Browser, `Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth)`); wide > look.width {
				t.Errorf("%s is %d wide in a window of %d", room, wide, look.width)
			}
		}
		if got := webtest.Eval[string](p.Browser, `[...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, i, all) => all.indexOf(id) < i).join(" ")`); got != "" {
			t.Errorf("%s uses the ids %s twice", room, got)
		}
	}
}
