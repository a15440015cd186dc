package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest/wadouble"
	"nacre/gateway/whatsapp"
	"nacre/web"
)

// phones is a program in a bubble that is linked, or can be, to the account of the
// phone me.
type phones struct {
	*bubble
	wa *wadouble.Server
	me *wadouble.Account
}

// withPhones runs f with the program running in own-number mode, or with a number
// of its own. Nothing is linked yet.
func withPhones(t *testing.T, own bool, f func(p *phones), env ...string) {
	synctest.Test(t, func(t *testing.T) {
		p := &phones{bubble: newBubble(t, append([]string{"NACRE_HEARTBEAT=off"}, env...)...), wa: wadouble.New()}
		p.wa.Serve(t)
		p.me = p.wa.Account("15550000001")
		p.beyond = func(o *outside) { o.whatsapp = &whatsapp.Options{Own: own, Transport: p.wa.Transport()} }
		p.start()
		f(p)
		p.stop()
	})
}

// link links the account by a QR code, as a person does.
func (p *phones) link() {
	p.t.Helper()
	var account string
	err := p.app.LinkWhatsApp(p.t.Context(), "", func(s nacre.LinkStep) {
		if s.QR != "" {
			if err := p.me.Scan(s.QR); err != nil {
				p.t.Error(err)
			}
		}
		account = s.Account
	})
	if err != nil || account != "+15550000001" {
		p.t.Fatalf("linked as %q, %v", account, err)
	}
	p.pass(5 * time.Second)
}

// tells is a person writing from a phone, and everything that follows soon.
func (p *phones) tells(who *wadouble.Account, to types.JID, text string) {
	who.Say(to, text)
	p.pass(10 * time.Second)
}

// sees is what a phone shows in a chat, without what its own person wrote there.
func (p *phones) sees(who *wadouble.Account, chat types.JID, but ...string) (texts []string) {
	for _, s := range who.Shown(chat) {
		if !slices.Contains(but, s.Text) {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// states is how WhatsApp is, as status tells it.
func (p *phones) states() (words string) {
	p.t.Helper()
	s, err := p.app.Status(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	for _, c := range s.Channels {
		if c.Name == nacre.WhatsApp {
			words = fmt.Sprintf("%v: %s", c.OK, c.Words)
		}
	}
	return words
}

func TestWhatsAppOwnNumber(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		if got := p.states(); !strings.HasPrefix(got, "true: no account is linked") || len(p.wa.Logins()) != 0 {
			t.Errorf("before anything is linked it is %q, with %d logins", got, len(p.wa.Logins()))
		}
		p.link()
		if got := p.states(); !strings.HasPrefix(got, "true: connected as +15550000001") {
			t.Errorf("linked, it is %q", got)
		}
		p.tells(p.me, p.me.LID(), "hello")
		if got := p.sees(p.me, p.me.LID(), "hello"); !slices.Equal(got, []string{"echo: hello"}) {
			t.Errorf("in the chat with themselves the owner sees %q", got)
		}
		asked := len(p.model.Requests())

		friend := p.wa.Account("15550000007")
		group := p.wa.Group("family", p.me, friend)
		p.tells(friend, p.me.LID(), "are you there?")
		p.tells(p.me, friend.LID(), "yes, /status")
		p.tells(friend, group, "@15550000001 hi")
		p.tells(p.me, group, "hi all")
		if got := p.sees(friend, p.me.LID(), "are you there?", "yes, /status"); len(got) != 0 {
			t.Errorf("a friend is told %q", got)
		}
		if got := p.sees(friend, group, "@15550000001 hi", "hi all"); len(got) != 0 {
			t.Errorf("the family is told %q", got)
		}
		if len(friend.Typings()) != 0 || slices.ContainsFunc(friend.Receipts(), func(r wadouble.Receipt) bool { return r.Type == "read" }) {
			t.Error("a friend is shown that somebody reads or types")
		}
		if n := len(p.model.Requests()); n != asked {
			t.Errorf("the model was asked %d times for what is not ours", n-asked)
		}
		p.pass(time.Hour)
		if got := p.sees(p.me, p.me.LID(), "hello"); len(got) != 1 {
			t.Errorf("an hour later the owner sees %q", got)
		}
	})
}

// What is said on WhatsApp and on Telegram by one person is one memory.
func TestWhatsAppSeparateNumber(t *testing.T) {
	withPhones(t, false, func(p *phones) {
		p.link()
		ann, mo := p.wa.Account("15550000002"), p.wa.Account("15550000003")
		p.tells(ann, p.me.LID(), "/remember my bike is green")
		p.say(1001, "/memory")
		if got := p.newest(1001); !strings.Contains(got, "my bike is green") {
			t.Errorf("on Telegram she sees %q", got)
		}
		mo.Named("Ann")
		p.tells(mo, p.me.LID(), "It's Ann, what colour is my bike?")
		p.tells(mo, p.me.LID(), "please")
		got := p.sees(mo, p.me.LID(), "It's Ann, what colour is my bike?", "please")
		if len(got) != 1 || !strings.Contains(got[0], "nacre pair ") {
			t.Fatalf("a stranger sees %q, want one pairing code", got)
		}
		if n := len(p.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times for a stranger", n)
		}
		for who, read := range map[*wadouble.Account]bool{ann: true, mo: false} {
			if got := slices.ContainsFunc(who.Receipts(), func(r wadouble.Receipt) bool { return r.Type == "read" }); got != read {
				t.Errorf("read receipts for %s: %v, want %v", who.PN(), got, read)
			}
		}
		p.say(1001, "/pair "+codeIn(t, got[0]))
		p.tells(mo, p.me.LID(), "thanks")
		if got := p.sees(mo, p.me.LID(), "thanks"); got[len(got)-1] != "echo: thanks" {
			t.Errorf("once admitted they see %q", got)
		}

		group := p.wa.Group("club", ann, p.me, mo)
		p.tells(ann, group, "nobody asked")
		if got := p.sees(ann, group, "nobody asked"); len(got) != 0 {
			t.Errorf("unasked the group sees %q", got)
		}
		p.tells(ann, p.me.LID(), "/whoami")
		if got := p.sees(ann, p.me.LID()); !strings.Contains(got[len(got)-1], "whatsapp:15550000002") {
			t.Errorf("/whoami says %q", got[len(got)-1])
		}
	}, "NACRE_OWNERS=telegram:1001+whatsapp:15550000002")
}

// A question is answered by its number, and a number that answers none is a message.
func TestWhatsAppNumbersForButtons(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		p.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "c1", Name: "ask_user", Args: []byte(`{"question":"Tea or coffee?","options":["Tea","Coffee"]}`)}}})
		p.tells(p.me, p.me.LID(), "I am thirsty")
		asked := p.sees(p.me, p.me.LID(), "I am thirsty")
		if len(asked) != 1 || !strings.Contains(asked[0], "1. Tea\n2. Coffee") {
			t.Fatalf("asked %q", asked)
		}
		p.tells(p.me, p.me.LID(), "2")
		p.tells(p.me, p.me.LID(), "2")
		last := p.model.Requests()
		chosen := last[len(last)-2].Messages
		if got := chosen[len(chosen)-1].Text; !strings.Contains(got, "Coffee") {
			t.Errorf("the model is told %q", got)
		}
		again := last[len(last)-1].Messages
		if got := again[len(again)-1].Text; strings.Contains(got, "Coffee") || !strings.Contains(got, "2") {
			t.Errorf("of a second 2 the model is told %q", got)
		}
	})
}

// A number reaches what asks without a model, too.
func TestWhatsAppNumbersForCommands(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		last := func() string {
			got := p.sees(p.me, p.me.LID())
			return got[len(got)-1]
		}
		p.tells(p.me, p.me.LID(), "/remember my lizard is zqx-Olm")
		p.tells(p.me, p.me.LID(), "/forget all")
		if got := last(); !strings.Contains(got, "1. Forget everything\n2. No") {
			t.Fatalf("asked %q", got)
		}
		p.tells(p.me, p.me.LID(), "1")
		if got := last(); !strings.Contains(got, "forgotten") {
			t.Errorf("to 1 it says %q", got)
		}
		p.tells(p.me, p.me.LID(), "/remind tomorrow 9:00 call mum")
		p.tells(p.me, p.me.LID(), "/jobs")
		p.tells(p.me, p.me.LID(), "1")
		if got := last(); !strings.Contains(got, "call mum") || !strings.Contains(got, "Pause") {
			t.Errorf("of /jobs and 1 it says %q", got)
		}
		if n := len(p.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times", n)
		}
	})
}

// Whoever linked their own number is the operator; who is admitted first afterwards
// is somebody else.
func TestWhatsAppOwnNumberIsTheOperators(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		p.say(1002, "let me in")
		p.tells(p.me, p.me.LID(), "/remember my diary is under the bed")
		p.tells(p.me, p.me.LID(), "/pair "+codeIn(t, p.newest(1002)))
		p.say(1002, "/whoami")
		if got := p.newest(1002); strings.Contains(got, "operator") {
			t.Errorf("the friend is told %q", got)
		}
		p.say(1002, "/memory")
		if got := p.newest(1002); strings.Contains(got, "diary") {
			t.Errorf("the friend sees %q", got)
		}
		p.tells(p.me, p.me.LID(), "/whoami")
		got := p.sees(p.me, p.me.LID())
		if last := got[len(got)-1]; !strings.Contains(last, "operator") || !strings.Contains(last, "whatsapp:15550000001") {
			t.Errorf("the operator is told %q", last)
		}
	}, "NACRE_OWNERS=")
}

// An account that is logged out stays so until somebody links it, and is named
// wherever its owner looks.
func TestWhatsAppLoggedOut(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.say(1001, "hello")
		p.link()
		logins := len(p.wa.Logins())
		p.me.Unlink()
		p.pass(time.Hour)
		if got := p.newest(1001); !strings.Contains(got, "WhatsApp") || !strings.Contains(got, "nacre pair whatsapp") {
			t.Errorf("on Telegram the owner is told %q", got)
		}
		told := len(p.texts(1001))
		if got := p.states(); !strings.HasPrefix(got, "false: ") || !strings.Contains(got, "unlinked on the phone") {
			t.Errorf("status says %q", got)
		}
		p.pass(5 * time.Hour)
		if n := len(p.wa.Logins()); n != logins || len(p.texts(1001)) != told {
			t.Errorf("%d logins while it waits, told %q", n-logins, p.texts(1001)[told:])
		}
		p.link()
		p.tells(p.me, p.me.LID(), "are you back?")
		if got := p.sees(p.me, p.me.LID(), "are you back?"); !slices.Equal(got, []string{"echo: are you back?"}) {
			t.Errorf("linked again, the owner sees %q", got)
		}
	})
}

// Nothing of what was said is left in WhatsApp's own file once it is forgotten.
func TestWhatsAppForgets(t *testing.T) {
	withPhones(t, true, func(p *phones) {
		p.link()
		p.tells(p.me, p.me.LID(), "/remember my lizard is zqx-Olm")
		p.tells(p.me, p.me.LID(), "/forget lizard")
		got := p.sees(p.me, p.me.LID())
		receipt := got[len(got)-1]
		if !strings.Contains(receipt, "forgotten") || strings.Contains(receipt, "Pending") {
			t.Errorf("the receipt says %q", receipt)
		}
		dir := p.app.cfg.Data
		found := 0
		for _, name := range []string{"whatsapp.db", "whatsapp.db-wal", "nacre.db", "nacre.db-wal"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			found += len(b)
			if bytes.Contains(b, []byte("zqx-Olm")) {
				t.Errorf("%s holds the forgotten word", name)
			}
		}
		if found == 0 {
			t.Error("no file was looked at")
		}
	})
}

// linked is an account that the program of a world was linked to by a QR code.
func (w *world) linked(wa *wadouble.Server) *wadouble.Account {
	w.t.Helper()
	me := wa.Account("15550000001")
	err := web.NewClient(w.env["NACRE_DATA"]).LinkWhatsApp(w.patience(), "", func(s nacre.LinkStep) {
		if s.QR != "" {
			if err := me.Scan(s.QR); err != nil {
				w.t.Error(err)
			}
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return me
}

// phoneShows waits until the phone shows so many messages in its chat with itself.
func (w *world) phoneShows(wa *wadouble.Server, me *wadouble.Account) func(n int) {
	return func(n int) {
		w.t.Helper()
		if err := wa.Wait(w.patience(), func() bool { return len(me.Shown(me.LID())) >= n }); err != nil {
			w.t.Fatalf("waiting for %d messages on the phone, it shows %+v: %v", n, me.Shown(me.LID()), err)
		}
	}
}

// TestWhatsAppKilled runs the whole program as a process with the offline model:
// linked by QR, killed at each step between a message and its answer, it answers
// each message, and the phone shows each answer once.
func TestWhatsAppKilled(t *testing.T) {
	w := newWorld(t)
	wa := wadouble.New()
	w.env[reachWhatsApp], w.env["NACRE_MODEL"] = wa.Listen(t), "offline"
	p := w.start()
	me := w.linked(wa)
	shows := w.phoneShows(wa, me)
	me.Say(me.LID(), "what is 1+1?")
	shows(2)
	for i, fault := range []wadouble.FaultKind{0, wadouble.DropBefore, wadouble.DropAfter, wadouble.Unanswered} {
		if fault != 0 {
			wa.Fail(wadouble.Fault{Kind: fault})
		}
		me.Say(me.LID(), fmt.Sprintf("what is %d+1?", i+10))
		if fault == wadouble.DropAfter || fault == wadouble.Unanswered {
			shows(4 + 2*i)
		}
		p.kill()
		wa.Heal()
		p = w.start()
		shows(4 + 2*i)
		w.settled() // what is sent again must not meet the next fault
	}
	if err := wa.Wait(w.patience(), func() bool { return me.Unacked() == 0 }); err != nil {
		t.Errorf("%d messages are not acknowledged: %v", me.Unacked(), err)
	}
	w.settled()
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	if got := me.Shown(me.LID()); len(got) != 10 {
		t.Errorf("the phone shows %d messages, want 5 and 5 answers: %+v", len(got), got)
	}
	if strings.Contains(p.log.String(), "what is") || strings.Contains(p.log.String(), "15550000001") {
		t.Errorf("the log names people or their words:\n%s", p.log)
	}
}
