package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"nacre/agent/gmail/gmailtest"
	"nacre/agent/style"
	"nacre/web"
)

func TestClientOf(t *testing.T) {
	for _, c := range []struct{ text, id, secret string }{
		{`{"installed":{"client_id":"a","client_secret":"b","redirect_uris":["http://localhost"]}}`, "a", "b"},
		{`{"web":{"client_id":"a","client_secret":"b"}}`, "a", "b"},
		{`{"web":{"client_id":"a"}}`, "a", ""},
	} {
		if id, secret, err := clientOf([]byte(c.text)); id != c.id || secret != c.secret || err != nil {
			t.Errorf("%s is the client %q, %q, %v", c.text, id, secret, err)
		}
	}
	for _, text := range []string{"", "no JSON", `{"installed":{}}`, `{"other":{"client_id":"a"}}`, `{"type":"service_account","client_id":"a"}`} {
		if id, _, err := clientOf([]byte(text)); err == nil {
			t.Errorf("%s is the client %q", text, id)
		}
	}
}

func TestMailText(t *testing.T) {
	day := time.Date(2026, 7, 28, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		sheet web.MailSheet
		want  string
	}{
		{web.MailSheet{}, "Gmail is not connected; nacre gmail connect does that.\n"},
		{web.MailSheet{Connected: true, Address: "ann@example.org", Since: day, Learned: day, Style: "Short."},
			"Gmail is connected as ann@example.org since 28 Jul 2026. Your sent mail is read, and nothing else.\n\nHow you write, as it was learned from your sent mail by 28 Jul 2026, 09:05:\n  Short.\n"},
		{web.MailSheet{Connected: true, Address: "ann@example.org", Since: day, Drafts: true, Trouble: "Nobody answers."},
			"Gmail is connected as ann@example.org since 28 Jul 2026. Your sent mail is read, and drafts are written when you ask for one.\n\nNobody answers.\n"},
		{web.MailSheet{Style: "Short.", Yours: true}, "Gmail is not connected; nacre gmail connect does that.\n\nHow you write, as you said yourself:\n  Short.\n"},
	} {
		if got := mailText(c.sheet); got != c.want {
			t.Errorf("%+v is shown as\n%s\nwant\n%s", c.sheet, got, c.want)
		}
	}
}

// Whoever sent too few letters reads so, and how many are needed.
func TestNotLearned(t *testing.T) {
	if text := notLearned([]web.JobRun{{Reason: string(style.TooFew)}}); !strings.Contains(text, "At least 5 of the last 90 days") {
		t.Errorf("it says %q", text)
	}
	for _, runs := range [][]web.JobRun{nil, {{Reason: string(style.Learned)}}} {
		if text := notLearned(runs); text != "" {
			t.Errorf("of %+v it says %q", runs, text)
		}
	}
}

// typing is a person at a command that runs: what it said, and where they type.
type typing struct {
	t     *testing.T
	lines *bufio.Scanner
	in    io.Writer
	all   strings.Builder
	end   func() error
}

// types runs a command at which a person types.
func (w *world) types(args ...string) *typing {
	w.t.Helper()
	cmd := w.command(args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, to := io.Pipe()
	cmd.Stdout, cmd.Stderr = to, to
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { err := cmd.Wait(); to.Close(); ended <- err }()
	w.t.Cleanup(func() { cmd.Process.Kill() })
	return &typing{t: w.t, lines: bufio.NewScanner(out), in: in, end: func() error { return <-ended }}
}

// until reads on until a line begins so, and returns it.
func (p *typing) until(begin string) string {
	p.t.Helper()
	for p.lines.Scan() {
		fmt.Fprintln(&p.all, p.lines.Text())
		if strings.HasPrefix(p.lines.Text(), begin) {
			return p.lines.Text()
		}
	}
	p.t.Fatalf("no line begins with %q:\n%s", begin, p.all.String())
	return ""
}

// Without a server the command itself is where the browser comes back to; what it
// shows can be brought by hand as well.
func TestGmailOnTheCommandLine(t *testing.T) {
	t.Parallel()
	w, g := newWorld(t), gmailtest.New(t)
	sends(g, sentLetters...)
	w.env["NACRE_GOOGLE_URL"], w.env["NACRE_MODEL"] = g.URL, "offline"
	w.alone(func(*app) {})
	if _, errs, code := w.shell("", "gmail", "connect"); code != exitUsage || !strings.Contains(errs, "--client") {
		t.Errorf("without a client it says %q, %d", errs, code)
	}
	client := w.file("client_secret.json", fmt.Sprintf(`{"installed":{"client_id":%q,"client_secret":%q}}`, gmailtest.ClientID, gmailtest.Secret))
	p := w.types("gmail", "connect", "--client", client)
	back := g.Consent(p.until(g.URL), gmailtest.Choice{})
	r, err := http.Get(back)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(r.Body)
	if r.Body.Close(); err != nil || string(page) != "Gmail is connected. You can close this tab.\n" {
		t.Errorf("the browser shows %q, %v", page, err)
	}
	p.until("Gmail is connected as " + gmailtest.Address)
	p.until("Learning how you write: done: learned")
	if err := p.end(); err != nil {
		t.Error(err)
	}
	if text := w.says("jobs", "history", "style"); !strings.Contains(text, "learned") {
		t.Errorf("the runs of the round are\n%s", text)
	}
	if _, errs, code := w.shell("", "jobs", "history", "nonsense"); code == 0 || !strings.Contains(errs, "promote and style") {
		t.Errorf("of no round it says %q, %d", errs, code)
	}
	if text := w.says("gmail"); !strings.Contains(text, "and nothing else") || !strings.Contains(text, "as it was learned from your sent mail") {
		t.Errorf("it is shown as\n%s", text)
	}

	p = w.types("gmail", "connect", "--drafts")
	if r, err := http.Get(g.Consent(p.until(g.URL), gmailtest.Choice{Refuse: true})); err != nil {
		t.Error(err)
	} else {
		r.Body.Close()
	}
	p.until("nacre: You did not give your consent")
	if p.end() == nil {
		t.Error("a refusal ends it as if all were well")
	}

	p = w.types("gmail", "connect", "--drafts")
	address := p.until(g.URL)
	p.until("Google then sends your browser to http://127.0.0.1:")
	fmt.Fprintln(p.in, "http://127.0.0.1/gmail?state=wrong&code=4/0")
	p.until("This consent is not known here")
	fmt.Fprintln(p.in, g.Consent(address, gmailtest.Choice{}))
	p.until("Gmail is connected as " + gmailtest.Address)
	p.until("Learning how you write")
	if err := p.end(); err != nil {
		t.Error(err)
	}
	if text := w.says("gmail"); !strings.Contains(text, "drafts are written") {
		t.Errorf("it is shown as\n%s", text)
	}
	if text := w.says("gmail", "disconnect"); !strings.HasPrefix(text, "Gmail is disconnected, and Google was told.") {
		t.Errorf("disconnecting says %q", text)
	}
	if text := w.says("gmail"); !strings.HasPrefix(text, "Gmail is not connected") || !strings.Contains(text, "How you write") {
		t.Errorf("it is shown as\n%s", text)
	}
	for _, secret := range g.Secrets() {
		if strings.Contains(p.all.String(), secret) {
			t.Errorf("%q is printed", secret)
		}
	}
}
