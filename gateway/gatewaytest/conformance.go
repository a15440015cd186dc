package gatewaytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
)

// Fixture is a network with one person on it, who talks with us in one private
// chat, as the conformance suite sees it.
type Fixture interface {
	// Open returns a new Channel on the network, as after a restart.
	Open() gateway.Channel
	// Chat is the private chat.
	Chat() nacre.Chat
	// Say sends a text of the person to us.
	Say(text string)
	// Acknowledged is how many of these texts the network knows we have.
	Acknowledged() int
	// Shown is what the person sees of us, in order.
	Shown() []string
	// Accepts reports whether the network would take the text of a Part.
	Accepts(text string) bool
	// KnowsRepeats reports whether the network takes ids of ours, so that it
	// shows a part once however often it is sent.
	KnowsRepeats() bool
	// Break makes the network fail. It returns false where it cannot fail in
	// that way; the case is then left out.
	Break(Trouble) bool
}

// Trouble is a way for a network to fail.
type Trouble int

// The troubles of networks.
const (
	Away    Trouble = iota // cannot be reached at all, until Back
	Back                   // can be reached again
	Dropped                // takes the next send and loses the connection before it says so
	Limited                // refuses sends for the next LimitedFor
)

// LimitedFor is how long a network under the trouble Limited refuses.
const LimitedFor = 7 * time.Second

// Conformance is the suite that every Channel passes. newFixture is called in
// a bubble of testing/synctest, once for each case, and cleans up by itself.
func Conformance(t *testing.T, newFixture func(*testing.T) Fixture) {
	cases := []struct {
		name string
		run  func(*testing.T, Fixture)
	}{
		{"acknowledges only what is stored", storesFirst},
		{"keeps the order", keepsOrder},
		{"offers again after a restart", offersAgain},
		{"ends soon after its context", endsSoon},
		{"renders parts that are accepted", rendersAccepted},
		{"sends", sends},
		{"labels a repeat", labelsRepeat},
		{"tells a send that never left", refusedSend},
		{"tells a send whose outcome is unknown", droppedSend},
		{"tells how long to wait", limitedSend},
		{"says how it is", reports},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.run(t, newFixture(t)) })
		})
	}
}

// start runs a Channel until the returned function is called, which returns
// how long that took and what Run returned.
func start(t *testing.T, c gateway.Channel, h gateway.Host) (stop func() (took time.Duration, err error)) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, h) }()
	return func() (time.Duration, error) {
		began := time.Now()
		cancel()
		err := <-ended
		return time.Since(began), err
	}
}

// settle lets everything happen that happens by itself within d.
func settle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func texts(h *Host) []string {
	var all []string
	for _, m := range h.Messages() {
		all = append(all, m.Text())
	}
	return all
}

var errFull = nacre.Errorf(nacre.Transient, "the disk is full")

func storesFirst(t *testing.T, f Fixture) {
	h := NewHost()
	h.Fail(errFull)
	stop := start(t, f.Open(), h)
	defer stop()
	f.Say("one")
	f.Say("two")
	settle(5 * time.Minute)
	if h.Offers() < 2 {
		t.Errorf("Receive was called %d times, want it tried again", h.Offers())
	}
	if n := f.Acknowledged(); n != 0 {
		t.Errorf("%d messages were acknowledged and none stored", n)
	}
	h.Fail(nil)
	settle(5 * time.Minute)
	if got, want := texts(h), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("stored %q, want %q", got, want)
	}
	if n := f.Acknowledged(); n != 2 {
		t.Errorf("%d of 2 stored messages were acknowledged", n)
	}
}

func keepsOrder(t *testing.T, f Fixture) {
	h := NewHost()
	stop := start(t, f.Open(), h)
	defer stop()
	var want []string
	for i := range 250 {
		want = append(want, fmt.Sprintf("message %d", i))
		f.Say(want[i])
		if i%60 == 0 {
			settle(time.Second)
		}
	}
	settle(time.Minute)
	if got := texts(h); !slices.Equal(got, want) {
		t.Errorf("stored %q, want %q", got, want)
	}
	for _, m := range h.Messages() {
		if m.Chat != f.Chat() || !m.Private || m.Author == (nacre.Address{}) || m.External == "" {
			t.Fatalf("message is not from the person's private chat: %+v", m)
		}
	}
}

func offersAgain(t *testing.T, f Fixture) {
	crashed := NewHost()
	crashed.Fail(errFull)
	stop := start(t, f.Open(), crashed)
	f.Say("one")
	settle(time.Second)
	stop()
	f.Say("two")

	h := NewHost()
	stop = start(t, f.Open(), h)
	defer stop()
	settle(time.Minute)
	if got, want := texts(h), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("after the restart %q were stored, want %q", got, want)
	}
}

func endsSoon(t *testing.T, f Fixture) {
	const soon = time.Second
	h := NewHost()
	stop := start(t, f.Open(), h)
	settle(time.Second)
	if took, err := stop(); err != nil || took > soon {
		t.Errorf("waiting for messages, Run returned %v after %v", err, took)
	}
	h.Fail(errFull)
	stop = start(t, f.Open(), h)
	f.Say("one")
	settle(5 * time.Minute)
	if took, err := stop(); err != nil || took > soon {
		t.Errorf("with a full disk, Run returned %v after %v", err, took)
	}
	if !f.Break(Away) {
		return
	}
	stop = start(t, f.Open(), h)
	settle(5 * time.Minute)
	if took, err := stop(); err != nil || took > soon {
		t.Errorf("without network, Run returned %v after %v", err, took)
	}
}

func rendersAccepted(t *testing.T, f Fixture) {
	c := f.Open()
	for _, text := range []string{"", " ", "\n\n", "\t \u00A0\u3000", "\u200B\u200D\uFEFF"} {
		if parts := c.Render(nacre.Reply{Text: text}); len(parts) != 0 {
			t.Errorf("Render(%q) = %+v, want nothing", text, parts)
		}
	}
	for name, text := range map[string]string{
		"short":      "hello",
		"long":       strings.Repeat("word after word ", 3000),
		"one word":   strings.Repeat("x", 40000),
		"one line":   strings.Repeat("line\n", 5000),
		"emoji":      strings.Repeat("🎩", 9000),
		"marks":      "a" + strings.Repeat("\u0301", 30000),
		"no UTF-8":   "a\xff\xfeb",
		"blank tail": strings.Repeat("x", 4096) + strings.Repeat("\u200B", 5000),
		"blank lead": strings.Repeat("\n ", 9000) + "end",
	} {
		parts := c.Render(nacre.Reply{Text: text})
		if len(parts) == 0 {
			t.Errorf("%s: Render gave nothing", name)
		}
		for i, p := range parts {
			if !f.Accepts(p.Text) {
				t.Errorf("%s: part %d of %d would be refused (%d bytes)", name, i+1, len(parts), len(p.Text))
			}
		}
	}
}

// open returns a running Channel.
func open(t *testing.T, f Fixture) gateway.Channel {
	c := f.Open()
	stop := start(t, c, NewHost())
	t.Cleanup(func() { stop() })
	settle(time.Second)
	return c
}

func send(t *testing.T, f Fixture, c gateway.Channel, text string, repeat bool) (nacre.ExternalID, error) {
	d := nacre.Delivery{ID: nacre.DeliveryID(nacre.NewID(time.Now())), Chat: f.Chat(), Part: nacre.Part{Text: text}}
	return c.Send(t.Context(), d, repeat)
}

func sends(t *testing.T, f Fixture) {
	c := open(t, f)
	one, err1 := send(t, f, c, "one", false)
	two, err2 := send(t, f, c, "two", false)
	if err1 != nil || err2 != nil || one == "" || two == "" || one == two {
		t.Errorf("Send gave the ids %q and %q, errors %v and %v", one, two, err1, err2)
	}
	if got, want := f.Shown(), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("shown %q, want %q", got, want)
	}
}

func labelsRepeat(t *testing.T, f Fixture) {
	c := open(t, f)
	if f.KnowsRepeats() {
		showsOnce(t, f, c)
		return
	}
	long := c.Render(nacre.Reply{Text: strings.Repeat("x", 100000)})[0].Text
	for _, text := range []string{"one", long} {
		if _, err := send(t, f, c, text, true); err != nil {
			t.Errorf("a repeat of %d bytes failed: %v", len(text), err)
		}
	}
	shown := strings.Join(f.Shown(), "")
	if got, want := strings.Count(shown, strings.TrimSpace(gateway.RepeatLabel)), 2; got != want {
		t.Errorf("the label was shown %d times, want %d", got, want)
	}
	if got := strings.Count(shown, "x"); got != len(long) {
		t.Errorf("%d letters of the long part were shown, want %d", got, len(long))
	}
}

// showsOnce is what takes the place of the label where parts have ids of ours.
func showsOnce(t *testing.T, f Fixture, c gateway.Channel) {
	d := nacre.Delivery{ID: nacre.DeliveryID(nacre.NewID(time.Now())), Chat: f.Chat(), Part: nacre.Part{Text: "one"}}
	for _, repeat := range []bool{false, true} {
		if _, err := c.Send(t.Context(), d, repeat); err != nil {
			t.Errorf("Send with repeat %v: %v", repeat, err)
		}
	}
	sendsAgain(t, f, c, 1)
}

// sendsAgain is the positive control of the cases in which a send failed.
func sendsAgain(t *testing.T, f Fixture, c gateway.Channel, shownBefore int) {
	t.Helper()
	if id, err := send(t, f, c, "again", false); err != nil || id == "" {
		t.Errorf("after the trouble, Send = %q, %v", id, err)
	}
	if got := f.Shown(); len(got) != shownBefore+1 || got[shownBefore] != "again" {
		t.Errorf("after the trouble, shown %q", got)
	}
}

func refusedSend(t *testing.T, f Fixture) {
	c := open(t, f)
	if !f.Break(Away) {
		t.Log("this network is always there")
		return
	}
	_, err := send(t, f, c, "one", false)
	if nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
		t.Errorf("Send = %v, of kind %v, want transient", err, nacre.KindOf(err))
	}
	f.Break(Back)
	sendsAgain(t, f, c, 0)
}

func droppedSend(t *testing.T, f Fixture) {
	c := open(t, f)
	if !f.Break(Dropped) {
		t.Log("this network loses no answers")
		return
	}
	if _, err := send(t, f, c, "one", false); !errors.Is(err, gateway.ErrUnsure) {
		t.Errorf("Send = %v, want one that wraps ErrUnsure", err)
	}
	if got := f.Shown(); len(got) != 1 {
		t.Errorf("shown %q, want it once", got)
	}
	sendsAgain(t, f, c, 1)
}

func limitedSend(t *testing.T, f Fixture) {
	c := open(t, f)
	if !f.Break(Limited) {
		t.Log("this network sets no limits")
		return
	}
	_, err := send(t, f, c, "one", false)
	if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) < LimitedFor {
		t.Errorf("Send = %v, of kind %v, after %v; want transient, after %v", err, nacre.KindOf(err), nacre.RetryAfter(err), LimitedFor)
	}
	settle(nacre.RetryAfter(err))
	sendsAgain(t, f, c, 0)
}

func reports(t *testing.T, f Fixture) {
	c := f.Open()
	r, ok := c.(gateway.Reporter)
	if !ok {
		t.Log("this channel does not report")
		return
	}
	stop := start(t, c, NewHost())
	defer stop()
	settle(time.Minute)
	if ok, words := r.State(); !ok || words == "" {
		t.Errorf("when all is well, State = %v, %q", ok, words)
	}
	if !f.Break(Away) {
		return
	}
	settle(3 * time.Minute)
	if ok, words := r.State(); ok || words == "" {
		t.Errorf("without network, State = %v, %q", ok, words)
	}
	f.Break(Back)
	settle(3 * time.Minute)
	if ok, words := r.State(); !ok {
		t.Errorf("with the network back, State = %v, %q", ok, words)
	}
}
