package web

import (
	"fmt"
	"strings"
	"testing"

	"nacre"
	"nacre/web/webtest"
)

// A page that is open when another owner logs in in the same browser becomes theirs
// as a whole: nothing of whom it was loaded for is shown there or goes out as theirs.
func TestBrowserBelongsToOneOwner(t *testing.T) {
	b := browse(t, newPastDesk())
	b.logIn()
	b.say("I am Ann.")
	if _, err := b.host.Wait(b.Ctx, 1); err != nil {
		t.Fatal(err)
	}
	full := nacre.Errorf(nacre.Transient, "the disk is full")
	waits := func(n int) {
		t.Helper()
		b.Until(fmt.Sprintf(`document.querySelectorAll(".waiting").length === %d`, n))
	}
	b.host.Fail(full)
	b.say("A secret of Ann.")
	waits(1)
	b.lose(func() { b.host.Fail(nil) }) // her own connection comes back
	if _, err := b.host.Wait(b.Ctx, 2); err != nil {
		t.Fatal(err)
	}
	waits(0)

	b.host.Fail(full)
	b.say("One more.")
	b.Fill("Message", "A draft of Ann.")
	waits(1)
	const ask = `fetch("/api/status", { headers: { "X-Nacre-Owner": %q } }).then((r) => r.status)`
	for owner, want := range map[nacre.OwnerID]int{ann: 200, bob: 412, "": 200} {
		if got := webtest.Eval[int](b.Browser, fmt.Sprintf(ask, owner)); got != want {
			t.Errorf("what a page of %q asks is answered with %d, want %d", owner, got, want)
		}
	}
	link, err := b.porter.Link(t.Context(), b.site, bob)
	if err != nil {
		t.Fatal(err)
	}
	webtest.Eval[bool](b.Browser, `window.before = true`)
	other := b.Window()
	other.Open(link)
	other.Until(`document.documentElement.dataset.link === "up"`) // until then nobody is logged in here
	b.lose(func() { b.host.Fail(nil) })
	b.Until(`window.before === undefined && document.documentElement.dataset.link === "up"`)
	b.say("I am Bob.")
	m, err := b.host.Wait(b.Ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		owner nacre.OwnerID
		text  string
	}{{ann, "I am Ann."}, {ann, "A secret of Ann."}, {bob, "I am Bob."}} {
		if m[i].Author != author(want.owner) || m[i].Text() != want.text {
			t.Errorf("message %d is %q of %v, want %q of %s", i, m[i].Text(), m[i].Author, want.text, want.owner)
		}
	}
	if got := webtest.Eval[string](b.Browser, `document.documentElement.outerHTML + document.querySelector("#words").value + JSON.stringify(sessionStorage)`); strings.Contains(got, "Ann.") || strings.Contains(got, "One more.") {
		t.Errorf("the page of Bob has words of Ann:\n%s", got)
	}

	// What is asked over HTTP has the page begin anew as well, before its connection
	// does.
	if link, err = b.porter.Link(t.Context(), b.site, ann); err != nil {
		t.Fatal(err)
	}
	webtest.Eval[bool](b.Browser, `window.before = true`)
	b.Window().Open(link)
	b.Until(`(document.querySelector(".top a[href='/memory']")?.click(), window.before === undefined && document.documentElement.dataset.link === "up")`)
}
