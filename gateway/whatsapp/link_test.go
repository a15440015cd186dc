package whatsapp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
)

// last is the last step that was shown.
func (r *rig) last() nacre.LinkStep {
	r.Helper()
	steps := r.shown()
	if len(steps) == 0 {
		r.Fatal("nothing was shown")
	}
	return steps[len(steps)-1]
}

func (r *rig) wantNoFile() {
	r.Helper()
	if left, _ := filepath.Glob(filepath.Join(r.dir, "*")); len(left) != 0 {
		r.Errorf("%q are left", left)
	}
}

func TestLink(t *testing.T) {
	for _, c := range []struct {
		name, phone string
		running     bool
	}{
		{"by QR code", "", false},
		{"by code", "+1 (555) 000-0000", false},
		{"by QR code while it runs", "", true},
		{"by code while it runs", ourPhone, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				if c.running {
					r.run()
					r.after(time.Minute)
				}
				if err := r.c.Link(r.Context(), c.phone, r.scan); err != nil {
					t.Fatalf("Link = %v", err)
				}
				if got := r.last(); got.Account != "+"+ourPhone {
					t.Errorf("the last step is %+v", got)
				}
				if first := r.shown()[0]; (first.Code != "") != (c.phone != "") || (first.QR != "") == (c.phone != "") {
					t.Errorf("the first step is %+v", first)
				}
				if !r.us.Linked() {
					t.Error("the phone does not list the device")
				}
				if !c.running {
					r.wantLogins(1)
					r.run()
				}
				r.ann.Say(r.us.LID(), "hello")
				r.after(10 * time.Second)
				r.wantState(true, "connected as +"+ourPhone+" (a number of its own)")
				r.wantTexts("hello")
			})
		})
	}
}

func TestLinkShowsEachCodeForItsTime(t *testing.T) {
	inBubble(t, func(r *rig) {
		began := time.Now()
		err := r.c.Link(r.Context(), "", r.watch)
		if !errors.Is(err, errNobody) {
			t.Errorf("Link = %v", err)
		}
		if took := time.Since(began).Round(time.Second); took != 160*time.Second {
			t.Errorf("it took %v", took)
		}
		steps := r.shown()
		if len(steps) != 6 {
			t.Fatalf("%d codes were shown", len(steps))
		}
		for i, s := range steps {
			if want := firstCode + time.Duration(i)*laterCodes; s.Until.Sub(began).Round(time.Second) != want {
				t.Errorf("code %d is good for %v, want %v", i, s.Until.Sub(began), want)
			}
		}
		r.wantNoFile()
	})
}

func TestLinkTakesTheLastCode(t *testing.T) {
	inBubble(t, func(r *rig) {
		n := 0
		show := func(s nacre.LinkStep) {
			if n++; n == 6 {
				r.scan(s)
			}
		}
		if err := r.c.Link(r.Context(), "", show); err != nil {
			t.Errorf("Link = %v", err)
		}
		if n != 7 {
			t.Errorf("%d steps were shown", n)
		}
	})
}

func TestTypedCodeHasItsTime(t *testing.T) {
	inBubble(t, func(r *rig) {
		began := time.Now()
		if err := r.c.Link(r.Context(), ourPhone, r.watch); !errors.Is(err, errNobody) {
			t.Errorf("Link = %v", err)
		}
		if took := time.Since(began).Round(time.Second); took != 160*time.Second || r.last().Until.Sub(began).Round(time.Second) != took {
			t.Errorf("it took %v, and the code was good for %v", took, r.last().Until.Sub(began))
		}
		r.wantNoFile()
	})
}

func TestLinkFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		phone string
		spoil func(r *rig, cancel func())
		kind  nacre.Kind
		says  string
	}{
		{"passkey", "", func(r *rig, _ func()) { r.us.Passkey(true) }, nacre.Denied, "remove the passkey in WhatsApp"},
		{"passkey, by code", ourPhone, func(r *rig, _ func()) { r.us.Passkey(true) }, nacre.Denied, "remove the passkey in WhatsApp"},
		{"no network", "", func(r *rig, _ func()) { r.wa.Net().Refuse(true) }, nacre.Transient, "cannot be reached (connection refused); start again"},
		{"unknown number", "15559999999", func(*rig, func()) {}, nacre.Invalid, "does not take this number"},
		{"no number", "call me", func(*rig, func()) {}, nacre.Invalid, "begins with its country code"},
		{"number without a country", "0555 000 0001", func(*rig, func()) {}, nacre.Invalid, "begins with its country code"},
		{"signs only", "+", func(*rig, func()) {}, nacre.Invalid, "begins with its country code"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				c.spoil(r, nil)
				began := time.Now()
				err := r.c.Link(r.Context(), c.phone, r.scan)
				if nacre.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("Link = %v, of kind %v; want %v with %q", err, nacre.KindOf(err), c.kind, c.says)
				}
				if took := time.Since(began); took > linkTime {
					t.Errorf("it took %v", took)
				}
				r.wantNoFile()
			})
		})
	}
}

// TestLinkIsInterrupted cuts a linking short while its first code is shown.
func TestLinkIsInterrupted(t *testing.T) {
	for _, c := range []struct {
		name string
		cut  func(r *rig, cancel func())
		says string
	}{
		{"cancelled", func(_ *rig, cancel func()) { cancel() }, "linking was stopped before it was done"},
		{"network", func(r *rig, _ func()) { r.wa.Net().Cut() }, "was lost; start again"},
		{"server", func(r *rig, _ func()) { r.wa.Cut() }, "was lost; start again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				ctx, cancel := context.WithCancel(r.Context())
				defer cancel()
				linked := make(chan error, 1)
				go func() { linked <- r.c.Link(ctx, "", r.watch) }()
				r.after(5 * time.Second)
				if err := r.c.Link(r.Context(), "", r.watch); nacre.KindOf(err) != nacre.Conflict {
					t.Errorf("a second Link = %v", err)
				}
				if r.last().QR == "" {
					t.Fatal("no code was shown")
				}
				began := time.Now()
				c.cut(r, cancel)
				if err := <-linked; err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("Link = %v, want %q", err, c.says)
				}
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("it ended after %v", took)
				}
				r.wantNoFile()
				if err := r.c.Link(r.Context(), "", r.scan); err != nil {
					t.Errorf("after that, Link = %v", err)
				}
			})
		})
	}
}

func TestLinkWithoutAnAnswer(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.wa.Refuse(true)
		if err := r.c.Link(r.Context(), "", r.scan); err == nil || !strings.Contains(err.Error(), "start again") {
			t.Errorf("Link = %v", err)
		}
		r.wantNoFile()
	})
}

func TestLinkOfALinkedAccount(t *testing.T) {
	connected(t, func(r *rig) {
		if err := r.c.Link(r.Context(), "", r.scan); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("Link = %v", err)
		}
		r.after(time.Minute)
		r.wantState(true, "connected")
		r.wantLogins(1)
	})
}

func TestRelink(t *testing.T) {
	connected(t, func(r *rig) {
		r.us.Unlink()
		r.after(time.Minute)
		r.wantState(false, "was unlinked on the phone")
		if err := r.c.Link(r.Context(), "", r.scan); err != nil {
			t.Fatalf("Link = %v", err)
		}
		r.ann.Say(r.us.LID(), "back again?")
		r.after(10 * time.Second)
		r.wantState(true, "connected")
		r.wantTexts("back again?")
	})
}

func TestUnlink(t *testing.T) {
	connected(t, func(r *rig) {
		if err := r.c.Unlink(r.Context()); err != nil {
			t.Fatalf("Unlink = %v", err)
		}
		if r.us.Linked() {
			t.Error("the phone still lists the device")
		}
		r.wantNoFile()
		r.after(time.Hour)
		r.wantState(true, "no account is linked")
		r.wantLogins(1)
		if err := r.c.Unlink(r.Context()); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("a second Unlink = %v", err)
		}
		if err := r.c.Link(r.Context(), "", r.scan); err != nil {
			t.Fatalf("Link = %v", err)
		}
		r.after(10 * time.Second)
		r.wantState(true, "connected")
	})
}

func TestUnlinkOfAChannelThatDoesNotRun(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		if err := r.c.Unlink(r.Context()); err != nil {
			t.Fatalf("Unlink = %v", err)
		}
		if r.us.Linked() {
			t.Error("the phone still lists the device")
		}
		r.wantNoFile()
	})
}

func TestUnlinkWithoutNetwork(t *testing.T) {
	for name, running := range map[string]bool{"running": true, "not running": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.link()
				if running {
					r.run()
					r.after(5 * time.Second)
				}
				r.wa.Net().Refuse(true)
				r.wa.Net().Cut()
				r.after(time.Minute)
				if err := r.c.Unlink(r.Context()); err != nil {
					t.Fatalf("Unlink = %v", err)
				}
				r.wantNoFile()
				if !strings.Contains(r.log.String(), "it can be removed on the phone") {
					t.Error("it is not logged that the phone still lists the device")
				}
			})
		})
	}
}

// TestUnlinkCut ends an unlinking as soon as the phone lists the device no more.
func TestUnlinkCut(t *testing.T) {
	connected(t, func(r *rig) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go func() {
			for r.us.Linked() {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		if err := r.c.Unlink(ctx); err != nil && !strings.Contains(err.Error(), "unlinking was stopped") {
			t.Errorf("Unlink = %v", err)
		}
		r.after(time.Minute)
		if r.c.Linked() {
			t.Error("Linked is true")
		}
		if err := r.c.Unlink(r.Context()); err != nil && nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("once more, Unlink = %v", err)
		}
		r.wantNoFile()
	})
}

func TestLinkWithANewerVersion(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.wa.Latest("2.3000.1999999999")
		if err := r.c.Link(r.Context(), "", r.scan); err != nil {
			t.Errorf("Link = %v", err)
		}
	})
}

// TestFirstLoginLeavesMessages to the channel that will run.
func TestFirstLoginLeavesMessages(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		r.ann.Say(r.us.LID(), "one")
		r.ann.Say(r.us.LID(), "two")
		a, err := r.c.file.open(r.Context(), quiet)
		if err != nil {
			t.Fatal(err)
		}
		err = r.c.visit(r.Context(), reload(r.T, a), func(*line) error {
			r.after(time.Minute)
			return nil
		})
		a.Close()
		if err != nil {
			t.Errorf("visit = %v", err)
		}
		if n := r.us.Unacked(); n != 2 {
			t.Errorf("%d messages are not acknowledged, want 2", n)
		}
		r.run()
		r.after(time.Minute)
		r.wantTexts("one", "two")
		if n := r.us.Unacked(); n != 0 {
			t.Errorf("%d messages are not acknowledged", n)
		}
	})
}
