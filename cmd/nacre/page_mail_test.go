package main

import (
	"fmt"
	"slices"
	"testing"

	"nacre/agent/gmail/gmailtest"
	"nacre/web/webtest"
)

// Gmail is connected from the page: by its own tab, and by the address of another; what
// was learned of the letters is shown, also as a note, and stays without Gmail. A browser
// in which nobody is logged in finishes what was begun in a terminal, and nothing else.
func TestPageMail(t *testing.T) {
	p, g := newPaged(t), gmailtest.New(t)
	sends(g, sentLetters...)
	p.env["NACRE_GOOGLE_URL"] = g.URL
	p.start()
	p.logIn()
	p.goTo("/settings/mail")
	p.Sees("summary", "How to make a client at Google")
	p.stands("mail-empty")
	webtest.Eval[bool](p.Browser, `(window.open = () => (window.tab = { close() {} }), true)`) // a tab that is opened elsewhere
	p.Fill("Client ID", fmt.Sprintf(`{"installed":{"client_id":%q,"client_secret":%q}}`, gmailtest.ClientID, gmailtest.Secret))
	p.Until(fmt.Sprintf(`document.querySelector("[name=id]").value === %q && document.querySelector("[name=secret]").value === %q`, gmailtest.ClientID, gmailtest.Secret))
	p.Press("Connect")
	p.Until(`!!window.tab?.location`)
	p.Sees("form.card", "Allow it at Google.")
	other := p.Window()
	other.Open(webtest.Eval[string](p.Browser, `window.tab.location`))
	other.Sees("h1", "Gmail is connected")
	other.Sees("main", "You can close this tab.")
	if path := webtest.Eval[string](other, `location.pathname + location.search`); path != "/settings/mail" {
		t.Errorf("afterwards its address is %s", path)
	}
	p.Sees("dl.facts", gmailtest.Address)
	p.Sees(".card", "Learned from your sent email")
	p.SeesNot("main", "Allow it at Google.")
	p.SeesNot("dl.facts", "not yet")
	p.stands("mail")

	webtest.Eval[bool](p.Browser, `(window.open = () => null, true)`) // the browser lets none be opened
	p.Press("Let it write drafts")
	p.Sees("form.card", "Allow it at Google.")
	p.sound("a consent that is waited for")
	p.Size(1280, 800)
	back := g.Consent(webtest.Eval[string](p.Browser, `document.querySelector("form.card a").href`), gmailtest.Choice{})
	p.Fill("If that page does not open, paste its address here", p.base+"/gmail?state=x&code=y")
	p.Press("Go on with this address")
	p.Sees("[role=alert]", "This consent is not known here")
	webtest.Eval[string](p.Browser, fmt.Sprintf(`document.querySelector("[name=url]").value = %q`, back)) // which is long to type
	p.Press("Go on with this address")
	p.Sees("dl.facts", "It writes them when you ask for one, and never sends.")
	p.SeesNot("main", "Allow it at Google.")
	if asked := g.Scopes(); !slices.Contains(asked[len(asked)-1], gmailtest.Compose) || slices.Contains(asked[0], gmailtest.Compose) {
		t.Errorf("consent was asked for %q", asked)
	}

	p.Press("Disconnect…")
	p.PressIn("dialog", "Disconnect")
	p.Sees("summary", "How to make a client at Google")
	p.focused("main h2")
	p.Press("See it")
	p.Sees(".sheet .faint", "Learned from your sent email.")

	begun := webtest.Eval[string](p.Browser, fmt.Sprintf(`fetch("/api/mail/connect", { method: "POST", body: JSON.stringify({ client_id: %q, client_secret: %q, at: location.origin }) }).then((r) => r.json()).then((c) => c.url)`, gmailtest.ClientID, gmailtest.Secret))
	webtest.Eval[bool](p.Browser, `fetch("/logout", { method: "POST" }).then(() => true)`)
	other.Open(g.Consent(begun, gmailtest.Choice{}))
	other.Sees("h1", "Gmail is not connected")
	other.Sees("main", "Nobody is logged in to Nacre in this browser.")
	if path := webtest.Eval[string](other, `location.pathname`); path != "/gmail" {
		t.Errorf("the address that is to be copied has become %s", path)
	}
	client := p.file("client_secret.json", fmt.Sprintf(`{"installed":{"client_id":%q,"client_secret":%q}}`, gmailtest.ClientID, gmailtest.Secret))
	terminal := p.types("gmail", "connect", "--client", client)
	other.Open(terminal.until(g.URL))
	other.Sees("h1", "Gmail is connected")
	terminal.until("Your sent mail is being read now")
	if err := terminal.end(); err != nil {
		t.Error(err)
	}
}
