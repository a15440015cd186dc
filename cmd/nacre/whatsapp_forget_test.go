package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

// files are those of the data directory by name, but for what SQLite makes anew.
func (p *phones) files() map[string][]byte {
	p.t.Helper()
	files := map[string][]byte{}
	list, err := os.ReadDir(p.app.cfg.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, f := range list {
		if !f.Type().IsRegular() || strings.HasSuffix(f.Name(), "-shm") {
			continue
		}
		if files[f.Name()], err = os.ReadFile(filepath.Join(p.app.cfg.Data, f.Name())); err != nil {
			p.t.Fatal(err)
		}
	}
	return files
}

// kill ends the program and leaves its files as they are at this moment.
func (p *phones) kill() {
	p.t.Helper()
	files := p.files()
	p.wa.Refuse(true)
	p.wa.Cut()
	p.stop()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(p.app.cfg.Data, name), content, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	p.wa.Refuse(false)
}

// holding are the files in which a word stands.
func (p *phones) holding(word string) []string {
	p.t.Helper()
	files := p.files()
	maps.DeleteFunc(files, func(_ string, content []byte) bool { return !bytes.Contains(content, []byte(word)) })
	return slices.Sorted(maps.Keys(files))
}

// An answer that waits while WhatsApp takes nothing is not sent once it is forgotten;
// the one behind it is.
func TestWhatsAppForgottenInTheQueue(t *testing.T) {
	withPhones(t, false, func(p *phones) {
		p.link()
		ann := p.wa.Account("15550000002")
		p.tells(ann, p.me.LID(), "hello")
		p.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: 463})
		p.tells(ann, p.me.LID(), "/remember my lizard is zqx-Olm")
		p.tells(ann, p.me.LID(), "/remember my bike is zqx-green")
		said := []string{"hello", "/remember my lizard is zqx-Olm", "/remember my bike is zqx-green"}
		if got := p.sees(ann, p.me.LID(), said...); !slices.Equal(got, []string{"echo: hello"}) {
			t.Fatalf("while nothing is taken she sees %q", got)
		}
		p.say(1001, "/forget lizard")
		if got := p.newest(1001); !strings.Contains(got, "forgotten") || strings.Contains(got, "Pending") {
			t.Errorf("the receipt says %q", got)
		}
		p.pass(6 * time.Hour)
		got := strings.Join(p.sees(ann, p.me.LID(), said...), "\n")
		if strings.Contains(got, "zqx-Olm") || !strings.Contains(got, "zqx-green") {
			t.Errorf("six hours later she sees %q", got)
		}
	}, "NACRE_OWNERS=telegram:1001+whatsapp:15550000002")
}

// What WhatsApp's file holds from a time when it was on is forgotten although it is
// off.
func TestForgetsWithWhatsAppOff(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		p.tells(p.me, p.me.LID(), "/remember my lizard is zqx-Olm")
		if got := p.holding("zqx-Olm"); !slices.Contains(got, "whatsapp.db-wal") {
			t.Fatalf("it stands in %q, not in the log", got)
		}
		p.kill()
		p.beyond = func(*outside) {}
		p.start()
		p.say(1001, "/forget lizard")
		if got := p.newest(1001); !strings.Contains(got, "forgotten") || strings.Contains(got, "Pending") {
			t.Errorf("the receipt says %q", got)
		}
		if got := p.holding("zqx-Olm"); len(got) != 0 {
			t.Errorf("it still stands in %q", got)
		}
	})
}

// Messages that came late are spoken of once, although the program is killed between
// storing them and that.
func TestWhatsAppLateAndKilled(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		const words = "please call the plumber"
		p.me.Send(p.me.LID(), wadouble.Text(words), wadouble.Opts{At: time.Now().Add(-24 * time.Hour)})
		p.pass(time.Second)
		for range 2 {
			if got := p.sees(p.me, p.me.LID(), words); p.me.Unacked() != 0 || len(got) != 0 {
				t.Fatalf("the phone sees %q, %d not acknowledged", got, p.me.Unacked())
			}
			p.kill()
			p.start()
			p.pass(time.Second)
		}
		p.pass(time.Minute)
		p.kill()
		p.start()
		p.pass(time.Minute)
		if got := p.sees(p.me, p.me.LID(), words); len(got) != 1 || !strings.HasPrefix(got[0], "While I was away you wrote a message") {
			t.Errorf("the phone sees %q", got)
		}
	})
}

// An answer that was handed to the channel, where it waits for its turn, is not sent
// once it is forgotten.
func TestWhatsAppForgottenWhileItWaitsForItsTurn(t *testing.T) {
	withPhones(t, false, func(p *phones) {
		p.link()
		ann, us := p.wa.Account("15550000002"), p.me.LID()
		for range 14 { // more than go out at once
			ann.Say(us, "/whoami")
			p.pass(200 * time.Millisecond)
		}
		ann.Say(us, "/remember my lizard is zqx-Olm")
		handed := func() bool {
			list, err := p.app.ledger.Undelivered(p.t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(list) > 0 && list[0].Part.Text == "Remembered: my lizard is zqx-Olm" && list[0].State == nacre.Asked
		}
		for range 2000 {
			if p.pass(50 * time.Millisecond); handed() {
				break
			}
		}
		if !handed() {
			t.Fatal("the answer is never handed to the channel")
		}
		p.say(1001, "/forget lizard")
		if got := p.newest(1001); !strings.Contains(got, "forgotten") {
			t.Fatalf("told %q", got)
		}
		p.pass(5 * time.Minute)
		p.tells(ann, us, "hello")
		got := p.sees(ann, us)
		if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "Remembered") }) || got[len(got)-1] != "echo: hello" {
			t.Errorf("she sees %q", got)
		}
	}, "NACRE_OWNERS=telegram:1001+whatsapp:15550000002")
}
