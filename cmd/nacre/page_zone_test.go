package main

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"nacre/web/webtest"
)

// Where no zone is set, the clock of the machine counts, also on the page of a browser
// that has another.
func TestPageOfAMachineWithoutZone(t *testing.T) {
	p := newPaged(t)
	delete(p.env, "TZ")
	p.alone(func(a *app) { p.said(a, "1001", "hello") })
	p.api.Know(1001)
	p.start()
	_, err := chromedp.Call(p.Ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Pacific/Chatham"})
	if err != nil {
		t.Fatal(err)
	}
	p.logIn()
	if got := webtest.Eval[string](p.Browser, `new Date(0).toLocaleString("en", { timeZone: "+09:30", timeStyle: "short" })`); !strings.HasPrefix(got, "9:30") {
		t.Errorf("the browser takes no offset: it reads %q", got)
	}
	zone := webtest.Eval[string](p.Browser, `fetch("/api/me").then((r) => r.json()).then((me) => me.zone)`)
	p.goTo("/settings")
	p.Sees("[aria-label='Time zone']", "As usual here: "+zone)
	p.Sees("[aria-label='Active hours']", "As usual here: 08:00–22:00")
	p.goTo("/jobs")
	p.Press("New job")
	p.Sees("#when-hint", "By the clock of "+zone)
	p.Fill("What to say", "call Mira")
	p.Fill("[name=at]", "tomorrow 9:00")
	p.Key("Enter")
	p.Sees(".job .due", "9:00 AM")
}
