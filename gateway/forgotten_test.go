package gateway_test

import (
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

// secret is what the tests have forgotten.
const secret = "Her lizard is called Zqxolm."

// forget erases the secret wherever it is kept of an owner.
func (w *world) forget(owner nacre.OwnerID) {
	w.t.Helper()
	history, err := w.ledger.Ops(w.t.Context(), owner, 0, false)
	w.must(err)
	_, _, err = w.ledger.Erase(w.t.Context(), owner, memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeSaid, Base: int64(len(history)),
		Writer: memory.ByCommand, Via: nacre.Telegram, Needle: &memory.Needle{Marks: []string{"zqxolm"}}})
	w.must(err)
}

// later is a network that takes nothing for an hour.
func later(nacre.Delivery) error {
	return &nacre.Error{Kind: nacre.Transient, Text: "not now", After: time.Hour}
}

// onEach runs a test on each channel, with the owner's private chat there.
func onEach(t *testing.T, run func(*testing.T, *world, *wire, nacre.Inbound)) {
	for _, author := range []nacre.Address{wa("15550000002"), tg("1002")} {
		t.Run(string(author.Channel), func(t *testing.T) {
			inWorld(t, listed, func(t *testing.T, w *world) {
				on := w.telegram
				if author.Channel == nacre.WhatsApp {
					on = &w.whatsapp.wire
				}
				run(t, w, on, w.receive(w.message("hello", author))[0])
			})
		})
	}
}

// waits sends answers into a network that takes nothing yet.
func (w *world) waits(on *wire, in nacre.Inbound, texts ...string) {
	w.t.Helper()
	on.fails(later)
	for i, text := range texts {
		if i > 0 {
			in = w.receive(w.message("hello", in.Message.Author))[0]
		}
		w.answer(in, text)
	}
	if got := w.sent(on); len(got) != 0 {
		w.t.Fatalf("sent %q, although the network takes nothing", got)
	}
	on.fails(nil)
}

// What waits in front of a chat is not sent once it is forgotten, wherever it stands
// in the queue; what stands behind it is.
func TestForgottenInTheQueue(t *testing.T) {
	for name, c := range map[string]struct{ before, want []string }{
		"first":             {[]string{secret, "one"}, []string{"one"}},
		"between others":    {[]string{"one", secret, "two"}, []string{"one", "two"}},
		"all of it":         {[]string{secret, secret}, nil},
		"nothing forgotten": {[]string{"one", "two"}, []string{"one", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, w *world, on *wire, in nacre.Inbound) {
				w.waits(on, in, c.before...)
				w.forget(in.Owner)
				time.Sleep(2 * time.Hour)
				if got := w.sent(on); !slices.Equal(got, c.want) {
					t.Errorf("sent %q, want %q", got, c.want)
				}
				w.answer(w.receive(w.message("hello", in.Message.Author))[0], "and on")
				if got := w.sent(on); !slices.Equal(got, append(slices.Clone(c.want), "and on")) {
					t.Errorf("then sent %q", got)
				}
			})
		})
	}
}

// A part that comes behind a forgotten one, and so is first in the outbox, can be
// forgotten as well.
func TestForgottenBehindWhatWasForgotten(t *testing.T) {
	onEach(t, func(t *testing.T, w *world, on *wire, in nacre.Inbound) {
		w.waits(on, in, secret)
		w.forget(in.Owner)
		for _, text := range []string{secret, "and on"} {
			w.answer(w.receive(w.message("hello", in.Message.Author))[0], text)
		}
		w.forget(in.Owner)
		time.Sleep(2 * time.Hour)
		if got := w.sent(on); !slices.Equal(got, []string{"and on"}) {
			t.Errorf("sent %q", got)
		}
	})
}

// What is forgotten while it is being sent cannot be held back, but it is not sent a
// second time.
func TestForgottenWhileItIsSent(t *testing.T) {
	for name, fault := range map[string]error{"it arrives": nil, "it does not": later(nacre.Delivery{})} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, w *world, on *wire, in nacre.Inbound) {
				on.fails(func(nacre.Delivery) error {
					w.forget(in.Owner)
					on.fails(nil)
					return fault
				})
				w.answer(in, secret)
				w.answer(w.receive(w.message("hello", in.Message.Author))[0], "and on")
				time.Sleep(2 * time.Hour)
				want := []string{secret, "and on"}
				if fault != nil {
					want = want[1:]
				}
				if got := w.sent(on); !slices.Equal(got, want) {
					t.Errorf("sent %q, want %q", got, want)
				}
				if left, err := w.ledger.Undelivered(t.Context()); err != nil || len(left) != 0 {
					t.Errorf("undelivered %+v, %v", left, err)
				}
			})
		})
	}
}

// What an earlier process was sending when it died is sent, unless it was forgotten.
func TestForgottenAfterAKill(t *testing.T) {
	for _, forgotten := range []bool{false, true} {
		inWorld(t, listed, func(t *testing.T, w *world) {
			in := w.receive(w.message("hello", tg("1002")))[0]
			if _, ds := w.commit(in, secret); ds[0].State != nacre.Asked {
				t.Fatalf("the answer is %s", ds[0].State)
			}
			if forgotten {
				w.forget(in.Owner)
			}
			w.kill(listed)
			if got := w.sent(w.telegram); len(got) == 1 == forgotten {
				t.Errorf("forgotten %v: sent %q", forgotten, got)
			}
		})
	}
}

// What waits for a chat that moves goes where it moved to, in its order.
func TestWhatWaitsForAChatThatMoves(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		in := w.receive(w.message("hello", wa("15550000001")))[0]
		to := in.Session.Chat
		to.ID = annLID
		w.waits(&w.whatsapp.wire, in, "one", "two")
		w.must(w.gateway.Move(t.Context(), in.Session.Chat, to))
		w.must(w.gateway.Move(t.Context(), in.Session.Chat, to))
		w.answer(w.receive(w.message("hello", wa(annLID), wa("15550000001")))[0], "three")
		time.Sleep(2 * time.Hour)
		if got := w.sent(&w.whatsapp.wire); !slices.Equal(got, []string{"one", "two", "three"}) {
			t.Errorf("sent %q", got)
		}
		for _, d := range w.whatsapp.wire.sent {
			if d.Chat != to {
				t.Errorf("%q goes to %+v", d.Part.Text, d.Chat)
			}
		}
	})
}
