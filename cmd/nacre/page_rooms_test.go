package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/web/webtest"
)

// oddWords are those of somebody who means no good.
const (
	oddName  = "<img src=x onerror=alert(1)>"
	oddWords = oddName + " “quoted” \u202eback\u202c"
)

// seen takes a picture on a narrow and on a wide window, in both colours, and checks
// each. It ends as it began, wide and light.
func (p *paged) seen(name string, checks ...func() []string) {
	p.world.t.Helper()
	for _, c := range []struct {
		width, height int64
		scheme        string
	}{{360, 780, "dark"}, {1280, 800, "light"}} {
		p.Size(c.width, c.height)
		p.Scheme(c.scheme)
		p.Picture(fmt.Sprintf("%s-%d-%s", name, c.width, c.scheme))
		if wide := webtest.Eval[int64](p.Browser, `Math.max(document.querySelector("main").scrollWidth, document.documentElement.scrollWidth)`); wide > c.width {
			p.world.t.Errorf("%s is %d wide in a window of %d", name, wide, c.width)
		}
		for _, check := range checks {
			for _, finding := range check() {
				p.world.t.Errorf("%s, %d wide: %s", name, c.width, finding)
			}
		}
	}
}

// german makes German the language of the operator, who sees it at once.
func (p *paged) german(heading string) {
	p.world.t.Helper()
	webtest.Eval[bool](p.Browser, `fetch("/api/settings", { method: "POST", body: '{"language":"de"}' }).then((r) => r.ok)`)
	p.Sees("h2", heading)
}

func TestPageJobs(t *testing.T) {
	p := newPaged(t)
	p.env["TZ"] = "Europe/Vienna"
	p.alone(func(a *app) { p.said(a, "1001", "hello") })
	p.api.Know(1001)
	p.start()
	p.logIn()
	p.goTo("/jobs")
	p.Sees(".empty", "Nothing is planned.")
	p.Sees("main", "Nothing ran yet.")
	p.looks("jobs-empty")

	p.Press("New job")
	p.Sees("#when-hint", "By the clock of Europe/Vienna, unless another zone is named below.")
	p.Fill("What to say", oddWords)
	p.Press("Make it")
	p.Sees("#when-error", "I do not see when.")
	p.focused("[name=at][aria-invalid=true]")
	p.seen("jobs-error", p.Axe)
	p.Fill("[name=at]", "tomorrow 9:00")
	p.Key("Enter")
	p.Sees(".job h3", oddName)
	p.Sees(".job .due", "once, on ")
	p.Sees(".job .due", "9:00 AM")
	p.focused("main *")

	p.PressIn(".job", "Edit")
	p.Fill("[name=at]", "every Monday at 8")
	p.Press("Save")
	p.Sees(".job .due", "every Monday at 8:00 AM")
	p.PressIn(".job", "Pause")
	p.Sees(".job .mark", "Paused")
	p.focused(".job button")
	if got := p.says("jobs", "show", "1"); !strings.Contains(got, "every Monday at 08:00") || !strings.Contains(got, "paused") {
		t.Errorf("the job is\n%s", got)
	}
	p.PressIn(".job", "Resume")
	p.SeesNot(".job", "Paused")

	p.PressIn(".job", "Run now")
	sent, err := p.api.WaitSent(p.patience(), 1)
	if err != nil || sent[0].Chat != 1001 || !strings.Contains(sent[0].Text, "onerror=alert") {
		t.Fatalf("it says %+v, %v", sent, err)
	}
	p.Sees(".runs", "done")
	p.Sees(".runs", "by hand")
	p.PressIn(".job", "More")
	p.Sees(".job .facts", "in your private chat on Telegram")
	p.Sees(".job .facts", "12 hours")
	p.Press("Do it now: Tidying up memory")
	p.Sees("[role=status]", "Tidying up memory: there was nothing to do.")

	p.says("jobs", "add", "--cron", "0 9 * * 1-5", "--zone", "Asia/Tokyo", "--task", "sum up") // told to the page as it happens
	p.Sees(".job .due", "every weekday at 9:00 AM (Asia/Tokyo)")
	p.seen("jobs", p.Axe)
	p.german("Aufgaben")
	p.Sees(".job .due", "an jedem Werktag um 09:00 (Asia/Tokyo)")
	p.Sees(".runs", "erledigt")
	p.seen("jobs-de")

	p.PressIn(".job", "Löschen …")
	p.Key("Escape")
	p.Sees(".job h3", oddName)
	p.PressIn(".job", "Löschen …")
	p.PressIn("dialog", "Löschen")
	p.SeesNot(".job", oddName)
	p.Sees(".job h3", "sum up")
	p.focused("main h2")
	if _, errs, code := p.shell("", "jobs", "show", "1"); code != exitUsage {
		t.Errorf("the job is still there: %s", errs)
	}
}

func TestPageUsage(t *testing.T) {
	p := newPaged(t)
	p.env["NACRE_BUDGET_OWNER_DAY"] = "$10"
	nothing := p.start()
	p.logIn()
	p.goTo("/usage")
	p.Sees(".empty", "No language model was used in these days.")
	p.Sees(".tile", "$0.00")
	p.looks("usage-empty")
	nothing.stop()
	p.alone(func(a *app) {
		p.said(a, "1001", "hello")
		for owner, calls := range map[string]int{"1001": 3, "1002": 5} {
			a.ledger.Spend(p.owner(a, owner), "openai/dear", nacre.Usage{Calls: calls, Input: 200_000, Output: 8_000, CacheRead: 150_000, Cost: 1_250_000_000})
		}
		a.ledger.Spend(p.owner(a, "1001"), "ollama/free", nacre.Usage{Calls: 2, Input: 50_000, Output: 2_000, Unpriced: 52_000})
	})
	p.start()
	p.goTo("/usage")
	p.Sees(".tile", "$1.25 and more")
	p.Sees(".tile", "5 calls · 250K tokens in, 10K out · 60% of the input from the cache")
	p.Sees(".note", "The price of 52K tokens is not known")
	p.Sees(".budgets", "$1.25 of $10.00")
	p.Sees(".figures", "openai/dear")
	p.Sees(".figures", "Price not known")
	p.seen("usage", p.Axe)

	p.Do(chromedp.Focus(chromedp.CSS(".chart:nth-of-type(2) .plot")))
	p.Key("End")
	p.Sees(".chart .readout", "Input from the cache 150,000, Other input 100,000, Output 10,000")
	p.Key("ArrowLeft")
	p.Sees(".chart .readout", "Input from the cache 0, Other input 0, Output 0")
	if got := webtest.Eval[string](p.Browser, `document.activeElement.getAttribute("aria-valuetext")`); !strings.Contains(got, "Output 0") {
		t.Errorf("who hears the page hears of the day %q", got)
	}
	p.PressIn(".chart", "The same as a table")
	p.Sees(".chart tbody tr:last-child", "$1.25")

	p.Press("365 days")
	p.Until(`document.querySelector(".chart tbody").rows.length === 365 && location.pathname === "/usage/365"`)
	p.Press("Everybody’s")
	p.Sees(".tile", "10 calls")
	p.seen("usage-365")
	p.german("Verbrauch")
	p.Sees(".tile", "10 Aufrufe")
	p.goTo("/usage/7")
	p.Until(`document.querySelector(".chart tbody").rows.length === 7`)
	p.seen("usage-de")
}

func TestPageSettings(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	p.goTo("/settings")
	other := &paged{p.world, p.Window(), p.base}
	other.goTo("/settings")
	other.Fill("Time zone", "Asia/To") // and does not save it

	p.Sees("[aria-label='Your name']", "As usual here: None")
	p.looks("settings")
	p.Fill("Your name", oddName)
	p.Press("Save")
	p.Sees("[aria-label='Your name']", "Saved. Your own.")
	other.Until(fmt.Sprintf(`document.querySelector("#set-name").value === %q && document.querySelector("#set-zone").value === "Asia/To"`, oddName))

	p.Fill("Time zone", "Europe/Atlantis")
	p.Press("Save")
	p.Sees("#wrong-zone", "There is no time zone “Europe/Atlantis”")
	p.focused("#set-zone[aria-invalid=true]")
	p.seen("settings-error", p.Axe)
	p.Fill("Time zone", "Asia/Tokyo")
	p.Key("Enter")
	p.Sees("[aria-label='Time zone']", "Saved. Your own.")
	p.Press("Back to what is usual") // the name, which stands first
	p.Sees("[aria-label='Your name']", "Saved. As usual here: None")
	p.Until(`document.querySelector("#set-name").value === "" && document.querySelector("#set-zone").value === "Asia/Tokyo"`)

	p.Choose("Language", "Deutsch")
	p.Press("Save")
	p.Sees("h2", "Einstellungen")
	other.Sees("h2", "Einstellungen")
	other.Until(`document.querySelector("#set-zone").value === "Asia/To"`)
	p.seen("settings-de")
}

func TestPageAccess(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	other := &paged{p.world, webtest.New(t), p.base}
	other.logIn()
	p.goTo("/settings/access")
	p.Sees(".rows li", "this one")

	p.Fill("What is it for?", "backup")
	p.Press("Make a token")
	p.Sees(".secretly", "shown this once")
	token := webtest.Eval[string](p.Browser, `document.querySelector("#token").innerText`)
	if got := p.status(token); got != http.StatusOK {
		t.Errorf("with the token the answer is %d", got)
	}
	p.Press("Log in another device")
	p.Sees(".secretly code", p.base+"/login#")
	p.seen("access", p.Axe)
	p.Press("I have kept it")
	p.SeesNot("main", token)
	p.Press("Revoke backup")
	p.PressIn("dialog", "Revoke")
	p.SeesNot(".rows", "backup")
	if got := p.status(token); got != http.StatusUnauthorized {
		t.Errorf("with the token that is revoked the answer is %d", got)
	}

	p.PressIn("#browsers + ul li:not(:has(.mark))", webtest.Eval[string](p.Browser, `document.querySelector("#browsers + ul button").ariaLabel`))
	p.PressIn("dialog", "Log out")
	other.Sees("#banner", "You are logged out.")
	p.Until(`document.querySelectorAll("#browsers + ul li").length === 1`)

	p.Press("Set a password")
	p.Fill("Name to log in by", "ann")
	p.Fill("[name=password]", "too short")
	p.Sees("#password-hint", "1 more")
	p.Fill("[name=password]", "correct horse")
	p.Sees("#password-hint", "Long enough.")
	p.Press("Save")
	p.Sees("main", "You can log in as ann with a password")
	p.german("Zugang")
	p.seen("access-de")
	p.Press("Entfernen …")
	p.PressIn("dialog", "Entfernen")
	p.Sees("main", "Ohne eines meldest du dich nur mit Links an")
}

// status is what a script with a token is answered that asks for memory.
func (p *paged) status(token string) int {
	p.world.t.Helper()
	r, err := http.NewRequestWithContext(p.world.t.Context(), "GET", p.base+"/api/memory", nil)
	if err != nil {
		p.world.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		p.world.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestPageStrangers(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	p.goTo("/channels")
	p.Sees("#channels", "connected as @")
	p.Sees("main", "Nobody waits.")
	for _, user := range []int64{5005, 6006} {
		p.confirmed(p.api.Text(user, "hello"))
	}
	p.Sees("#strangers", "Telegram 5005")
	p.Sees("#strangers", "Telegram 6006")
	p.looks("strangers")
	p.PressIn("#strangers li:first-child", "Admit")
	p.Sees("dialog", "costs your money")
	p.Key("Escape")
	p.PressIn("#strangers li:first-child", "Admit")
	p.PressIn("dialog", "Admit")
	p.Sees("#notice", "Telegram 5005 is admitted.")
	p.SeesNot("#strangers", "5005")
	p.focused("#who")
	p.PressIn("#strangers", "Refuse")
	p.Sees("main", "Nobody waits.")
	p.confirmed(p.api.Text(5005, "I am in"))
	sent, err := p.api.WaitSent(p.patience(), 4) // two codes, a welcome, and this answer
	if err != nil || sent[3].Chat != 5005 || strings.Contains(sent[3].Text, "pairing code") {
		t.Errorf("who was admitted is answered with %+v, %v", sent, err)
	}

	p.PressIn("details", "With a code")
	p.Fill("Admit somebody who told you their code", "WRONG")
	p.PressIn("details", "Admit")
	p.Sees("#pair-error", "That code is wrong or older than an hour")
	p.Press("Show a code to join with")
	p.Sees("details .secret", "/pair ")
	p.german("Kanäle")
	p.seen("strangers-de")
}
