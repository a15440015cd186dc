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
