package main

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"nacre/web"
	"nacre/web/webtest"
)

// posted has the page ask for a change over the API, and returns the status.
func posted(b *webtest.Browser, path string, body any) int {
	b.T.Helper()
	in, err := json.Marshal(body)
	if err != nil {
		b.T.Fatal(err)
	}
	return webtest.Eval[int](b, `fetch("/api/`+path+`", { method: "POST", body: `+strconv.Quote(string(in))+` }).then((r) => r.status)`)
}

// loggedIn lists who may act as the owner of the page.
func loggedIn(b *webtest.Browser) (list web.AccessListing) {
	b.T.Helper()
	text := webtest.Eval[string](b, `fetch("/api/access").then((r) => r.text())`)
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		b.T.Fatal(err)
	}
	return list
}

// TestPageLetsIn logs two browsers in, one by a link and one by a password, and one of
// them logs the other out.
func TestPageLetsIn(t *testing.T) {
	p := newPaged(t)
	p.start()
	const up = `document.documentElement.dataset.link === "up"`

	p.Open(p.base + "/memory/log")
	p.Sees("#how", "open a fresh link")
	p.Picture("login")
	p.Open(p.base + "/login#wrong")
	p.Sees("#state", "This link is used up or too old.")
	if got := webtest.Eval[string](p.Browser, "location.href"); got != p.base+"/login" {
		t.Errorf("the secret stands in the address: %s", got)
	}
	p.Open(p.link())
	p.Until(`location.pathname === "/memory/log" && ` + up)
	if got := posted(p.Browser, "access/password", web.Password{Name: "ann", Password: "a long password"}); got != 200 {
		t.Fatalf("the password is answered with %d", got)
	}

	other := webtest.New(t)
	other.Size(360, 640)
	if _, err := chromedp.Call(other.Ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent: "Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0", AcceptLanguage: "de-DE"}); err != nil {
		t.Fatal(err)
	}
	other.Open(p.base + "/usage")
	other.Press("Mit Passwort anmelden")
	other.Fill("Name", "Ann")
	other.Fill("Passwort", "another password")
	other.Key("Enter")
	other.Sees("#state", "Der Name oder das Passwort stimmt nicht.")
	other.Picture("password-german")
	for _, finding := range other.Axe() {
		t.Error(finding)
	}
	other.Fill("Passwort", "a long password")
	other.Press("Anmelden")
	other.Until(`location.pathname === "/usage" && ` + up)
	for _, elsewhere := range []string{"https://evil.example/x", "//evil.example/x", `/\evil.example/x`, "javascript:alert(1)", "http://["} {
		other.Open(p.base + "/login?to=" + url.QueryEscape(elsewhere))
		other.Until(`location.href === "` + p.base + `/" && ` + up)
	}
	other.Open(p.base + "/login?to=" + url.QueryEscape(p.base+"//evil.example/x"))
	other.Until(`location.href === "` + p.base + `/evil.example/x"`) // the server's own way to read it
	other.Open(p.base + "/")
	other.Until(up)

	all := loggedIn(p.Browser).Logins
	if len(all) != 2 || all[0].Name != "Firefox, Android" || all[0].Current || all[1].Name != "Chrome, Linux" || !all[1].Current {
		t.Fatalf("logged in are %+v", all)
	}
	if got := posted(p.Browser, "access/revoke", web.Revocation{ID: all[0].ID}); got != 200 {
		t.Errorf("the other browser is revoked with %d", got)
	}
	other.Until(`document.documentElement.dataset.link === "out"`)
	if got := webtest.Eval[int](other, `fetch("/api/me").then((r) => r.status)`); got != 401 {
		t.Errorf("then it is answered with %d", got)
	}
	p.Until(up)
	if all := loggedIn(p.Browser).Logins; len(all) != 1 || !all[0].Current {
		t.Errorf("then logged in are %+v", all)
	}
}

// asked asks a page for an address with a token, and returns the status.
func asked(t *testing.T, client *http.Client, address, token string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestTokensOnTheCommandLine(t *testing.T) {
	w := newWorld(t)
	base := w.servesPage()
	w.env["NACRE_WEB_TOKEN"] = "of-the-configuration"
	w.start().stop()
	early := strings.TrimSpace(w.says("web", "token")) // nothing runs
	p := w.start()
	out, errs, code := w.shell("", "web", "token", "backup of the house")
	late := strings.TrimSpace(out)
	if code != exitOK || !strings.HasPrefix(late, "nacre_") || strings.ContainsAny(late, " \n") || !strings.Contains(errs, "nacre web revoke ") {
		t.Fatalf("a token: exit code %d, %q, %q", code, out, errs)
	}
	for _, token := range []string{early, late, "of-the-configuration"} {
		if got := asked(t, http.DefaultClient, base+"/api/status", token); got != 200 {
			t.Errorf("the token %.6s is answered with %d", token, got)
		}
	}
	list := strings.Split(strings.TrimSpace(w.says("web", "tokens")), "\n")
	if len(list) != 2 || !strings.Contains(list[0], "backup of the house") || !strings.Contains(list[1], "script") || strings.Contains(list[0], late) {
		t.Fatalf("listed %q", list)
	}
	id, _, _ := strings.Cut(list[0], " ")
	w.says("web", "revoke", id)
	for token, want := range map[string]int{early: 200, late: 401} {
		if got := asked(t, http.DefaultClient, base+"/api/status", token); got != want {
			t.Errorf("then the token %.9s is answered with %d, want %d", token, got, want)
		}
	}
	if _, errs, code := w.shell("", "web", "revoke", id); code != exitUsage || !strings.Contains(errs, "no such login") {
		t.Errorf("revoked again: exit code %d, %q", code, errs)
	}
	if link := w.says("web"); !strings.HasPrefix(link, base+"/login#") {
		t.Errorf("the link is %q", link)
	}
	if log := p.log.String(); strings.Contains(log, late) || strings.Contains(log, "backup of") {
		t.Errorf("the log shows a token, or its name:\n%s", log)
	}
}

// With a certificate the page is there for others too, by https alone.
func TestPageByHTTPS(t *testing.T) {
	w := newWorld(t)
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	certificate.Close()
	key, err := x509.MarshalPKCS8PrivateKey(certificate.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	base := w.servesPage()
	w.env["NACRE_WEB_LISTEN"] = strings.Replace(w.env["NACRE_WEB_LISTEN"], "127.0.0.1", "0.0.0.0", 1)
	w.env["NACRE_WEB_TLS_CERT"] = w.file("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate().Raw})))
	w.env["NACRE_WEB_TLS_KEY"] = w.file("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	w.env["NACRE_WEB_TOKEN"] = "word"
	w.start()
	secure := strings.Replace(base, "http:", "https:", 1)
	client := certificate.Client() // trusts it
	if got := asked(t, client, secure+"/api/status", "word"); got != 200 {
		t.Errorf("by https answered with %d", got)
	}
	if got := asked(t, client, base+"/api/status", "word"); got != 400 {
		t.Errorf("by http answered with %d", got)
	}
	if link := w.says("web"); !strings.HasPrefix(link, secure+"/login#") {
		t.Errorf("the link is %q", link)
	}
	if out := w.says("doctor"); !strings.Contains(out, ", served") {
		t.Errorf("the doctor says %s", out)
	}
}

// In a terminal the way to the page is shown at the start.
func TestGreeting(t *testing.T) {
	w := newWorld(t)
	w.servesPage()
	w.alone(func(a *app) {
		s, err := a.listen(a.cfg.Web.Listen)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		var out buffer
		if err := a.greet(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(strings.TrimSpace(out.String()), a.site.Origin()+"/login#")
		tag := sha256.Sum256([]byte(secret))
		if owner, err := a.ledger.UseLink(t.Context(), tag[:]); owner != a.operator || err != nil {
			t.Errorf("it says %q, with a link of %q, %v", out.String(), owner, err)
		}
	})
}
