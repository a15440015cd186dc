package whatsapp

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

func TestMain(m *testing.M) {
	trust()
	os.Exit(m.Run())
}

const (
	ourPhone  = "15550000000"
	annsPhone = "15550000001"
)

// rig is a Channel on a network with a double of WhatsApp, to which nothing is
// linked yet.
type rig struct {
	*testing.T
	wa      *wadouble.Server
	us, ann *wadouble.Account // the account that is linked, and a person
	host    *gatewaytest.Host
	c       *Channel
	own     bool
	dir     string
	log     *gatewaytest.Log
	stop    func() // what run started

	mu      sync.Mutex // guards all below
	notices []string
	steps   []nacre.LinkStep
}

// newRig is a rig whose number is the assistant's own, or the operator's.
func newRig(t *testing.T, own bool) *rig {
	keepVersion(t)
	r := &rig{T: t, wa: wadouble.New(), host: gatewaytest.NewHost(), own: own, dir: t.TempDir(), log: &gatewaytest.Log{}, stop: func() {}}
	r.wa.Serve(t)
	r.us, r.ann = r.wa.Account(ourPhone), r.wa.Account(annsPhone)
	r.c = r.open()
	return r
}

func (r *rig) open() *Channel {
	c := New(Options{
		Dir:       r.dir,
		Own:       r.own,
		Transport: r.wa.Transport(),
		Sent:      newOutbox(),
		Notice:    r.notice,
		Log:       slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	c.file.sync = "OFF"
	return c
}

func (r *rig) notice(_ context.Context, words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notices = append(r.notices, words)
}

// told returns the notices so far.
func (r *rig) told() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.notices...)
}

// scan is a show that scans each QR code and types each code at once.
func (r *rig) scan(s nacre.LinkStep) {
	r.watch(s)
	switch {
	case s.QR != "":
		go r.us.Scan(s.QR)
	case s.Code != "":
		go r.us.Enter(s.Code)
	}
}

// watch is a show that only remembers.
func (r *rig) watch(s nacre.LinkStep) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, s)
}

// shown returns what was shown so far.
func (r *rig) shown() []nacre.LinkStep {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]nacre.LinkStep(nil), r.steps...)
}

// link links the account without logging in, as for a channel that runs.
func (r *rig) link() {
	r.Helper()
	stop := r.c.custody.run()
	defer stop()
	if err := r.c.Link(r.Context(), "", r.scan); err != nil {
		r.Fatalf("Link: %v", err)
	}
	r.fewKeys()
}

// fewKeys makes the account one that has uploaded a key, so that its first login
// makes 50 of them instead of 812.
func (r *rig) fewKeys() {
	r.Helper()
	a, err := r.c.file.open(r.Context(), quiet)
	if err != nil {
		r.Fatal(err)
	}
	defer a.Close()
	d := reload(r.T, a)
	key, err := d.PreKeys.GenOnePreKey(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if err := d.PreKeys.MarkPreKeysAsUploaded(r.Context(), key.KeyID); err != nil {
		r.Fatal(err)
	}
}

// run runs the channel until the test ends or stop is called.
func (r *rig) run() { r.runOn(r.host) }

func (r *rig) runOn(host gateway.Host) {
	ctx, cancel := context.WithCancel(r.Context())
	over := make(chan error, 1)
	c := r.c
	go func() { over <- c.Run(ctx, host) }()
	r.stop = sync.OnceFunc(func() {
		synctest.Wait() // the library leaves a goroutine behind where a packet comes in the midst of its end
		cancel()
		if err := <-over; err != nil {
			r.Errorf("Run = %v", err)
		}
	})
	r.Cleanup(r.stop)
}

// restart ends the channel and runs another one on the same account.
func (r *rig) restart() {
	r.stop()
	r.c = r.open()
	r.run()
}

// after lets d pass and everything settle.
func (r *rig) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *rig) wantState(ok bool, part string) {
	r.Helper()
	gotOK, words := r.c.State()
	if gotOK != ok || !strings.Contains(words, part) {
		r.Errorf("State = %v, %q; want %v with %q", gotOK, words, ok, part)
	}
}

func (r *rig) wantTexts(want ...string) {
	r.Helper()
	var got []string
	for _, m := range r.host.Messages() {
		got = append(got, m.Text())
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		r.Errorf("stored %q, want %q", got, want)
	}
}

func (r *rig) wantLogins(want int) {
	r.Helper()
	if got := len(r.wa.Logins()); got != want {
		r.Errorf("%d logins, want %d", got, want)
	}
}

// inBubble runs a test with a clock that jumps and nothing linked.
func inBubble(t *testing.T, test func(r *rig)) {
	synctest.Test(t, func(t *testing.T) { test(newRig(t, false)) })
}

// connected runs a test with an account that is linked and connected.
func connected(t *testing.T, test func(r *rig)) {
	inBubble(t, func(r *rig) {
		r.link()
		r.run()
		r.after(5 * time.Second)
		r.wantState(true, "connected as +"+ourPhone)
		test(r)
	})
}
