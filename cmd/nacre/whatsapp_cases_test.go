package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"

	"nacre/gateway/gatewaytest/wadouble"
)

// A person who is listed by number is one whatever the network calls them: one
// owner, one conversation. Until it says that a LID is that number it is nobody's,
// and no card says it.
func TestWhatsAppOwnerByEitherIdentity(t *testing.T) {
	withPhones(t, false, func(p *phones) {
		p.link()
		ann, mo, us := p.wa.Account("15550000002"), p.wa.Account("15550000003"), p.me.LID()
		ann.Send(us, wadouble.Text("unresolved"), wadouble.Opts{NoAlt: true, Device: 7})
		p.pass(10 * time.Second)
		if got := p.sees(ann, us, "unresolved"); len(got) != 1 || !strings.Contains(got[0], "nacre pair ") {
			t.Errorf("by an unknown LID she sees %q, want a pairing code", got)
		}
		if !strings.Contains(p.log.String(), "only their LID counts") {
			t.Error("the log does not say why she is not known")
		}
		mo.Send(us, wadouble.Contact("Ann", "15550000002"), wadouble.Opts{NoAlt: true})
		mo.Send(us, wadouble.Text("by a card"), wadouble.Opts{NoAlt: true})
		p.pass(10 * time.Second)
		said := []string{"by device", "by number", "by number alone", "by what is known"}
		for i, o := range []wadouble.Opts{{Device: 7}, {ByNumber: true}, {ByNumber: true, NoAlt: true}, {NoAlt: true, Device: 7}} {
			ann.Send(us, wadouble.Text(said[i]), o)
			p.pass(10 * time.Second)
		}
		want := []string{"echo: by device", "echo: by number", "echo: by number alone", "echo: by what is known"}
		if got := p.sees(ann, us, append(said, "unresolved")...); !slices.Equal(got[1:], want) {
			t.Errorf("she sees %q, want %q after the code", got, want)
		}
		reqs := p.model.Requests()
		if len(reqs) != 4 || len(reqs[3].Messages) != 7 {
			t.Errorf("the model was asked %d times, want 4 with all of one conversation", len(reqs))
		}
	}, "NACRE_OWNERS=telegram:1001+whatsapp:15550000002")
}

// What we say to somebody's own number comes back as theirs, in many ways, and is
// answered in none; what they type is.
func TestWhatsAppAnswersNoEcho(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		self := p.me.LID()
		hears := func(what string, want int, send func(ours wadouble.Shown)) {
			t.Helper()
			p.me.Say(self, what)
			p.pass(3 * time.Second)
			all := p.me.Shown(self)
			before := len(p.model.Requests())
			send(all[len(all)-1])
			p.pass(10 * time.Second)
			if got := len(p.model.Requests()) - before; got != want {
				t.Errorf("%s is answered %d times, want %d", what, got, want)
			}
		}
		hears("the same id", 0, func(ours wadouble.Shown) { p.me.Send(self, wadouble.Text(ours.Text), wadouble.Opts{ID: ours.ID}) })
		hears("another id", 0, func(ours wadouble.Shown) { p.me.Say(self, ours.Text) })
		hears("the chat by number", 0, func(ours wadouble.Shown) {
			p.me.Send(p.me.PN(), wadouble.Text(ours.Text), wadouble.Opts{ByNumber: true})
		})
		hears("after a restart", 0, func(ours wadouble.Shown) {
			p.stop()
			p.start()
			p.me.Send(self, wadouble.Text(ours.Text), wadouble.Opts{ID: ours.ID})
		})
		hears("after a restart, under another id", 0, func(ours wadouble.Shown) {
			p.stop()
			p.start()
			p.me.Say(self, ours.Text)
		})
		hears("while it was down", 0, func(ours wadouble.Shown) {
			p.stop()
			p.me.Say(self, ours.Text)
			time.Sleep(time.Minute)
			p.start()
		})
		hears("the person a minute later", 1, func(ours wadouble.Shown) {
			p.pass(time.Minute)
			p.me.Say(self, ours.Text)
		})
	})
}

// What only a person can mend is told on Telegram once and in status, and is not
// tried again; a connection that is lost comes back.
func TestWhatsAppEnds(t *testing.T) {
	login := func(code int) wadouble.Fault { return wadouble.Fault{Kind: wadouble.LoginError, Code: code, Times: -1} }
	for _, c := range []struct {
		name  string
		fault wadouble.Fault
		says  string // empty: it comes back
	}{
		{"lost", wadouble.Fault{Kind: wadouble.StreamError, Code: 503}, ""},
		{"replaced", wadouble.Fault{Kind: wadouble.StreamError, Words: wadouble.Replaced}, "another program uses this account's keys"},
		{"banned", login(406), "has banned this account"},
		{"outdated", login(405), "upgrade Nacre"},
	} {
		t.Run(c.name, func(t *testing.T) {
			withPhones(t, true, func(p *phones) {
				p.say(1001, "hello")
				p.link()
				p.wa.Fail(c.fault)
				if c.fault.Kind == wadouble.LoginError {
					p.wa.Cut()
				}
				p.pass(time.Minute)
				logins, told := len(p.wa.Logins()), len(p.texts(1001))
				p.pass(time.Hour)
				if got := len(p.wa.Logins()); got != logins || c.says == "" && got < 2 {
					t.Errorf("%d logins in the first minute, %d within an hour", logins, got-logins)
				}
				if got := p.states(); strings.HasPrefix(got, "true: ") != (c.says == "") || !strings.Contains(got, c.says) {
					t.Errorf("status says %q", got)
				}
				newest := p.newest(1001)
				if c.says == "" {
					p.tells(p.me, p.me.LID(), "still there?")
					if got := p.sees(p.me, p.me.LID(), "still there?"); !slices.Equal(got, []string{"echo: still there?"}) || newest != "echo: hello" {
						t.Errorf("after it came back they see %q, and on Telegram %q", got, newest)
					}
				} else if !strings.Contains(newest, c.says) || len(p.texts(1001)) != told || told != 2 {
					t.Errorf("on Telegram they see %q", p.texts(1001))
				}
			})
		})
	}
}

// The account's file has one program: another one refuses to start, and whoever
// writes to it beside us costs time but no message.
func TestWhatsAppHasItsFileForItself(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		other := &world{t: t, env: map[string]string{asProgram: "1", "NACRE_DATA": p.app.cfg.Data, "NACRE_WHATSAPP": "own", "NACRE_MODEL": "offline"}}
		if out, code := other.run("", "serve"); code != exitUsage || !strings.Contains(out, "another Nacre (process") {
			t.Errorf("a second program: %d %q", code, out)
		}
		db, err := sql.Open("sqlite", "file:"+filepath.Join(p.app.cfg.Data, "whatsapp.db")+"?_txlock=immediate")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, held := range []time.Duration{2 * time.Second, 20 * time.Second} {
			tx, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			said := fmt.Sprint("held for ", held)
			p.me.Say(p.me.LID(), said)
			time.Sleep(held)
			if got := p.sees(p.me, p.me.LID(), said); slices.Contains(got, "echo: "+said) {
				t.Errorf("while somebody writes they see %q", got)
			}
			tx.Rollback()
			p.pass(5 * time.Minute)
			if got := p.sees(p.me, p.me.LID()); !slices.Equal(got[len(got)-2:], []string{said, "echo: " + said}) {
				t.Errorf("afterwards they see %q", got)
			}
		}
		if n := p.me.Unacked(); n != 0 || len(p.model.Requests()) != 2 {
			t.Errorf("%d messages are not acknowledged, the model was asked %d times", n, len(p.model.Requests()))
		}
	})
}

// What somebody else said in a recording that was forwarded is nobody's to be
// remembered; what the owner recorded waits for them.
func TestWhatsAppRecordings(t *testing.T) {
	w := newWorld(t)
	service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprint(rw, `{"text":"Remember that my dentist is zqx-Voice"}`)
	}))
	t.Cleanup(service.Close)
	wa := wadouble.New()
	w.env[reachWhatsApp], w.env["NACRE_WHATSAPP"], w.env["NACRE_MODEL"] = wa.Listen(t), "own", "offline"
	w.env["NACRE_TRANSCRIBE"], w.env["NACRE_TRANSCRIBE_URL"], w.env["NACRE_TRANSCRIBE_KEY"] = "openai/whisper-1", service.URL+"/v1", "sk-voice"
	defer w.start().stop()
	me := w.linked(wa)
	shows := w.phoneShows(wa, me)
	f := wa.Upload(whatsmeow.MediaAudio, []byte("OggS a voice note"))
	me.Send(me.LID(), wadouble.Forwarded(wadouble.Voice(f, 2), 1), wadouble.Opts{})
	shows(2)
	if got := w.says("memory", "review"); got != "Nothing waits for you.\n" {
		t.Errorf("of somebody else's recording waits %q", got)
	}
	me.Send(me.LID(), wadouble.Voice(f, 2), wadouble.Opts{})
	shows(4)
	if got := w.says("memory", "review"); !strings.Contains(got, "zqx-Voice") {
		t.Errorf("of the owner's own recording waits %q", got)
	}
	if got := w.says("memory", "list"); strings.Contains(got, "zqx-Voice") {
		t.Errorf("what was heard is believed: %q", got)
	}
}
