package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
	"nacre/web"
)

func TestComeBack(t *testing.T) {
	for _, c := range []struct{ at, port, want string }{
		{"http://localhost:8080", "8080", "http://localhost:8080/gmail"},
		{"http://127.0.0.1:9000", "8080", "http://127.0.0.1:9000/gmail"}, // a forwarded port
		{"http://[::1]:8080", "8080", "http://[::1]:8080/gmail"},
		{"http://localhost", "80", "http://localhost/gmail"},
		{"https://localhost:8443", "8080", "http://127.0.0.1:8443/gmail"}, // which Google takes, and where it is brought back by hand
		{"https://nacre.example.org", "8080", "https://nacre.example.org/gmail"},
		{"https://nacre.example.org:8443", "8080", "https://nacre.example.org:8443/gmail"},
		{"http://box.lan:8080", "8080", "http://127.0.0.1:8080/gmail"}, // where it is brought back by hand
		{"", "8080", "http://127.0.0.1:8080/gmail"},
		{"", "", "http://127.0.0.1/gmail"},
	} {
		if got, err := comeBack(c.at, c.port); err != nil || got != c.want {
			t.Errorf("from %q one comes back to %q, %v; want %q", c.at, got, err, c.want)
		}
	}
	for _, at := range []string{"nacre.example.org", "ftp://box", "https://", "https://box/path", "https://me@box", "https://box?x", "https://box#x", "javascript:alert(1)", "http://[::1"} {
		if got, err := comeBack(at, "8080"); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("from %q one comes back to %q, %v", at, got, err)
		}
	}
}

// Once Gmail is connected the style is learned at once, and weekly; nothing of the
// account or of a mail comes to light, and disconnecting leaves the note.
func TestMailLife(t *testing.T) {
	mailLife(t, func(b *bubble, g *gmailtest.Google) {
		ctx := b.t.Context()
		b.say(1001, "hello")
		b.pass(2 * time.Hour)
		if runs := b.roundsOf(1001, nacre.RoundStyle); len(runs) != 0 {
			t.Errorf("without Gmail there are the runs %+v", runs)
		}
		if text, err := b.mail(1001).Learn(ctx); nacre.KindOf(err) != nacre.NotFound || !strings.HasPrefix(err.Error(), "Gmail is not connected.") {
			t.Errorf("without Gmail learning says %q, %v", text, err)
		}
		b.say(1001, "/jobs run style")
		b.pass(time.Second)
		if text := b.last(1001); !strings.HasPrefix(text, "Gmail is not connected.") {
			t.Errorf("in a chat it says %q", text)
		}
		if runs := b.roundsOf(1001, nacre.RoundStyle); len(runs) != 0 {
			t.Errorf("learning without Gmail is recorded: %+v", runs)
		}
		b.pass(time.Minute)

		b.model.Push(llmtest.Step{Text: "Writes short, warm mails with long sentences."})
		b.connects(g, 1001, false)
		sheet, err := b.mail(1001).Show(ctx)
		if err != nil || !sheet.Connected || sheet.Address != gmailtest.Address || sheet.Drafts || !sheet.Client || sheet.Trouble != "" ||
			sheet.Style != "Writes short, warm mails with long sentences." || sheet.Yours || sheet.Learned.IsZero() {
			t.Errorf("it is shown as %+v, %v", sheet, err)
		}
		if other, err := b.mail(1002).Show(ctx); err != nil || other != (web.MailSheet{}) {
			t.Errorf("another owner sees %+v, %v", other, err)
		}
		runs := b.roundsOf(1001, nacre.RoundStyle)
		if len(runs) != 1 || runs[0].Reason != "learned" || runs[0].Used.Calls != 1 {
			t.Errorf("the runs are %+v", runs)
		}
		if n := len(b.texts(1001)); n != 2 {
			t.Errorf("the owner is told of it: %q", b.texts(1001))
		}
		asked := len(g.Requests(""))
		b.pass(3 * time.Hour)
		if n := len(g.Requests("")); n != asked {
			t.Errorf("within the week Google is asked %d times more", n-asked)
		}
		if runs := b.roundsOf(1001, nacre.RoundStyle); len(runs) != 1 {
			t.Errorf("looks in vain are recorded: %+v", runs)
		}
		b.hides(g)

		gone, err := b.mail(1001).Disconnect(ctx)
		if err != nil || !gone.Revoked {
			t.Errorf("disconnecting says %+v, %v", gone, err)
		}
		sheet, err = b.mail(1001).Show(ctx)
		if err != nil || sheet.Connected || sheet.Client || sheet.Style == "" {
			t.Errorf("afterwards it is shown as %+v, %v", sheet, err)
		}
	})
}

// roundsOf are what is recorded of one of a user's rounds.
func (b *bubble) roundsOf(user int64, name nacre.JobID) []nacre.Run {
	b.t.Helper()
	runs, err := b.app.board.Runs(b.t.Context(), b.ownerOf(user), name, 20)
	if err != nil {
		b.t.Fatal(err)
	}
	return runs
}

// hides looks for what is kept of an account, and for words of the letters, wherever a
// person or a model could see them, and in the files.
func (b *bubble) hides(g *gmailtest.Google) {
	b.t.Helper()
	ctx, hand := b.t.Context(), b.hand(1001)
	account, err := mailStore{b.app.ledger}.Account(ctx, hand.Owner)
	if err != nil || account == nil {
		b.t.Fatalf("the account is %+v, %v", account, err)
	}
	if !slices.Contains(g.Secrets(), account.Refresh) {
		b.t.Errorf("what is kept is no token of Google's")
	}
	b.say(1001, "/settings")
	b.say(1001, "/export")
	b.pass(time.Second)
	settings, err := b.app.Settings(hand).Show(ctx)
	export, err2 := b.app.Memory(hand).Export(ctx)
	status, err3 := b.app.Status(ctx)
	sheet, err4 := b.mail(1001).Show(ctx)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		b.t.Fatal(err)
	}
	var archive strings.Builder
	if err := b.app.Moving(hand).Archive(ctx, &archive); err != nil {
		b.t.Fatal(err)
	}
	places := map[string]string{"the settings": asJSON(settings), "the export": export, "the status": asJSON(status), "the archive": unzipped(b.t, archive.String()),
		"the sheet": asJSON(sheet), "what was sent": asJSON(b.api.Calls("")), "the log": b.log.String(), "the dump of the configuration": b.app.cfg.Dump()}
	err = filepath.WalkDir(filepath.Dir(b.app.cfg.Data), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		places[path] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	for place, text := range places {
		for _, secret := range append(g.Secrets(), "looking for you behind every", "afraid of heights") {
			if strings.Contains(text, secret) {
				b.t.Errorf("%q stands in %s", secret, place)
			}
		}
		if place != "the sheet" && strings.Contains(text, gmailtest.Address) {
			b.t.Errorf("the address stands in %s", place)
		}
	}
	if !strings.Contains(places["the export"], "warm mails") {
		b.t.Error("the style itself is not exported, so that nothing was looked at")
	}
}

// unzipped is all that a zip holds.
func unzipped(t *testing.T, text string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err == nil {
			_, err = io.Copy(&all, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// Trouble is told once in each stretch of it, with what to do; then all goes on.
func TestMailTrouble(t *testing.T) {
	mailLife(t, func(b *bubble, g *gmailtest.Google) {
		b.say(1001, "hello")
		g.Break(gmailtest.Fault{Path: "/gmail/v1/users/me/messages", Times: -1, Status: 500, Reason: "backendError"})
		b.connects(g, 1001, false)
		b.pass(3 * time.Hour)
		b.expect(1001, "echo: hello", "I cannot read your sent mail to learn how you write. Google does not answer")
		sheet, err := b.mail(1001).Show(b.t.Context())
		if err != nil || !sheet.Connected || !strings.HasPrefix(sheet.Trouble, "Google does not answer") || sheet.Style != "" {
			t.Errorf("in trouble it is shown as %+v, %v", sheet, err)
		}
		if runs := b.roundsOf(1001, nacre.RoundStyle); len(runs) == 0 || runs[len(runs)-1].Reason != "down" && runs[0].Reason != "down" {
			t.Errorf("the runs are %+v", runs)
		}

		g.Heal()
		b.model.Push(llmtest.Step{Text: "Writes short, warm mails with long sentences."})
		b.pass(2 * time.Hour)
		sheet, err = b.mail(1001).Show(b.t.Context())
		if err != nil || sheet.Trouble != "" || sheet.Style == "" {
			t.Errorf("after the trouble it is shown as %+v, %v", sheet, err)
		}
		if n := len(b.texts(1001)); n != 2 {
			t.Errorf("the end of trouble is told: %q", b.texts(1001)[2:])
		}

		// Looks that come too early ask nobody, and end no trouble.
		g.Break(gmailtest.Fault{Path: "/gmail/v1/users/me/messages", Times: -1, Status: 500, Reason: "backendError"})
		for range 2 {
			if _, err := b.mail(1001).Learn(b.t.Context()); err == nil {
				t.Error("by hand it says nothing of the trouble")
			}
			b.pass(2 * time.Hour)
			if sheet, err := b.mail(1001).Show(b.t.Context()); err != nil || sheet.Trouble == "" {
				t.Errorf("hours later it is shown as %+v, %v", sheet, err)
			}
		}
		if n := len(b.texts(1001)); n != 3 {
			t.Errorf("a second stretch of trouble is told: %q", b.texts(1001)[2:])
		}
		g.Heal()

		g.Revoke()
		b.aged(1001, 8*24*time.Hour)
		b.pass(3 * time.Hour)
		notices := slices.DeleteFunc(b.texts(1001), func(text string) bool { return !strings.Contains(text, "consent is gone") })
		if len(notices) != 1 || !strings.Contains(notices[0], "nacre gmail connect") {
			t.Errorf("the owner is told %q", notices)
		}
		if _, err := b.mail(1001).Learn(b.t.Context()); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("by hand it says %v", err)
		}
	})
}

// A consent is its owner's alone, works once, and forgetting everything drops what was
// kept of it.
func TestMailConsent(t *testing.T) {
	mailLife(t, func(b *bubble, g *gmailtest.Google) {
		ctx := b.t.Context()
		b.say(1001, "hello")
		back := b.consents(g, 1001, gmailtest.Choice{}, true)
		if _, err := b.mail(1002).Finish(ctx, web.MailReturn{URL: back}); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("another owner who brings it hears %v", err)
		}
		if err := b.app.consented(ctx, back); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("where nobody is logged in it says %v", err)
		}
		sheet, err := b.mail(1001).Finish(ctx, web.MailReturn{URL: " " + back + "\n"})
		if err != nil || !sheet.Connected || !sheet.Drafts {
			t.Errorf("it is shown as %+v, %v", sheet, err)
		}
		if _, err := b.mail(1001).Finish(ctx, web.MailReturn{URL: back}); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("brought again it says %v", err)
		}
		refused := b.consents(g, 1001, gmailtest.Choice{Refuse: true}, false)
		if _, err := b.mail(1001).Finish(ctx, web.MailReturn{URL: refused}); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("a consent that was not given says %v", err)
		}
		if sheet, err := b.mail(1001).Show(ctx); err != nil || !sheet.Connected {
			t.Errorf("after that it is shown as %+v, %v", sheet, err)
		}
		b.pass(time.Minute)

		asked, err := b.app.Mail(shell).Connect(ctx, web.MailConnect{}) // the operator, in a terminal
		if err != nil {
			t.Fatal(err)
		}
		if err := b.app.consented(ctx, g.Consent(asked.URL, gmailtest.Choice{})); err != nil {
			t.Errorf("from a terminal, where nobody is logged in it says %v", err)
		}
		b.pass(time.Minute)

		b.say(1001, "/forget all")
		b.say(1001, "yes")
		b.pass(time.Minute)
		if account, err := (mailStore{b.app.ledger}).Account(ctx, b.ownerOf(1001)); err != nil || account != nil {
			t.Errorf("after forgetting everything there is %+v, %v; the owner was told %q", account, err, b.texts(1001))
		}
	})
}

// What is kept under other names than settings is no setting.
func TestMailIsNoSetting(t *testing.T) {
	store := &kept{values: map[string]json.RawMessage{}}
	mail := mailStore{store}
	if a, err := mail.Account(t.Context(), "ann"); a != nil || err != nil {
		t.Errorf("nobody has %+v, %v", a, err)
	}
	want := gmail.Account{Client: gmail.Client{ID: "id", Secret: "s"}, Address: "ann@example.org", Refresh: "r", UpTo: "17", Since: time.Now().UTC()}
	if err := mail.Keep(t.Context(), "ann", &want); err != nil {
		t.Fatal(err)
	}
	if a, err := mail.Account(t.Context(), "ann"); err != nil || *a != want {
		t.Errorf("it is kept as %+v, %v", a, err)
	}
	if err := mail.Keep(t.Context(), "ann", nil); err != nil {
		t.Fatal(err)
	}
	if a, err := mail.Account(t.Context(), "ann"); a != nil || err != nil {
		t.Errorf("afterwards there is %+v, %v", a, err)
	}
}

// The tool is as small as a tool is that is seldom wanted: its words go along with
// every request.
func TestDraftToolIsSmall(t *testing.T) {
	mailLife(t, func(b *bubble, g *gmailtest.Google) {
		for _, tool := range b.app.mail.Tools() {
			if text, err := json.Marshal(tool.Spec()); err != nil || len(text) > 700 {
				t.Errorf("%s takes %d bytes, %v", tool.Spec().Name, len(text), err)
			}
		}
	})
}

// A draft is made when the owner asks for it, and goes nowhere.
func TestDraftOnTelegram(t *testing.T) {
	mailLife(t, func(b *bubble, g *gmailtest.Google) {
		wants := func() {
			b.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "call1", Name: "draft_email",
				Args: json.RawMessage(`{"to":["bea@example.org"],"subject":"Lunch","body":"Hi Bea,\n\nlunch on Friday?\n\nCheers,\nAnn"}`)}}}, llmtest.Step{Text: "I tried."})
			b.say(1001, "Write a mail to bea@example.org about lunch.")
			b.pass(time.Minute)
		}
		wants()
		if drafts := g.Drafts(); len(drafts) != 0 {
			t.Errorf("without Gmail there are the drafts %v", drafts)
		}
		b.model.Push(llmtest.Step{Text: "Writes short, warm mails with long sentences."})
		b.connects(g, 1001, true)
		wants()
		drafts := g.Drafts()
		if len(drafts) != 1 || !strings.Contains(string(drafts[0].Raw), "lunch on Friday?") {
			t.Errorf("the drafts are %s; the owner reads %q", fmt.Sprint(drafts), b.texts(1001))
		}
		if text := b.last(1001); !strings.Contains(text, "Drafts") {
			t.Errorf("the owner reads %q", text)
		}
	})
}

// aged makes it so long ago that a user's style was learned.
func (b *bubble) aged(user int64, by time.Duration) {
	b.t.Helper()
	store := mailStore{b.app.ledger}
	a, err := store.Account(b.t.Context(), b.ownerOf(user))
	if err != nil {
		b.t.Fatal(err)
	}
	a.Learned = a.Learned.Add(-by)
	if err := store.Keep(b.t.Context(), b.ownerOf(user), a); err != nil {
		b.t.Fatal(err)
	}
}

// styleOf is the note of how a user writes.
func (b *bubble) styleOf(user int64) *memory.Note {
	b.t.Helper()
	st, err := b.app.library.Book(b.ownerOf(user)).State(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return st.Live(memory.StyleSlot)
}
