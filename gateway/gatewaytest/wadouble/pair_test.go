package wadouble

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types/events"
)

// inBubbleNew runs a test with a client that is not linked to anything.
func inBubbleNew(t *testing.T, test func(b *bot, me *Account)) {
	synctest.Test(t, func(t *testing.T) {
		s := New()
		s.Serve(t)
		defer settle()
		test(newBot(t, s), s.Account("15550000000"))
	})
}

// shows connects and returns the codes that the client shows.
func (b *bot) shows() []string {
	b.Helper()
	if err := b.Connect(); err != nil {
		b.Fatal(err)
	}
	return await(b, func(*events.QR) bool { return true }).Codes
}

func TestScan(t *testing.T) {
	inBubbleNew(t, func(b *bot, me *Account) {
		codes := b.shows()
		for _, step := range []struct {
			name, code string
			after      time.Duration
			refuse     string // a part of the words; empty if it is linked
		}{
			{"nonsense", "https://example.org", 0, "none of WhatsApp"},
			{"of another client", swapped(codes[0], 1), 0, "keys"},
			{"of another identity", swapped(codes[0], 2), 0, "keys"},
			{"too late", codes[0], 70 * time.Second, "too old"},
			{"in time", codes[5], 89 * time.Second, ""},
		} {
			time.Sleep(step.after)
			if err := me.Scan(step.code); !says(err, step.refuse) {
				b.Errorf("%s: %v, want %q", step.name, err, step.refuse)
			}
			if got, want := me.Linked(), step.refuse == ""; got != want {
				b.Errorf("%s: linked is %v", step.name, got)
			}
		}
		await(b, is[*events.Connected])
	})
}

func TestScanOfAnotherSecret(t *testing.T) {
	inBubbleNew(t, func(b *bot, me *Account) {
		if err := me.Scan(swapped(b.shows()[0], 3)); !says(err, "hmac-mismatch") || me.Linked() {
			b.Errorf("Scan: %v, linked is %v", err, me.Linked())
		}
	})
}

// swapped is a code with one of its parts the other way round.
func swapped(code string, part int) string {
	parts := strings.Split(code, ",")
	bytes := []byte(parts[part])
	bytes[0], bytes[1], bytes[2], bytes[3] = bytes[3], bytes[2], bytes[1], bytes[0]
	parts[part] = string(bytes)
	return strings.Join(parts, ",")
}

func TestEnter(t *testing.T) {
	const phone, name = "+1 555 000 0000", "Chrome (Linux)"
	tests := []struct {
		name, phone, calls string
		wrong              bool
		asking, entering   string // parts of the errors
	}{
		{"nobody's number", "+1 555 999 9999", name, false, "400", "no client asked"},
		{"an unusual name", phone, "Nacre (Moon)", false, "400", "no client asked"},
		{"wrong", phone, name, true, "", "code is wrong"},
		{"right", phone, name, false, "", ""},
	}
	inBubbleNew(t, func(b *bot, me *Account) {
		b.shows()
		for _, test := range tests {
			code, err := b.PairPhone(b.Context(), test.phone, true, whatsmeow.PairClientChrome, test.calls)
			if !says(err, test.asking) {
				b.Errorf("%s: asking for a code: %v, want %q", test.name, err, test.asking)
			}
			if test.wrong {
				code = "1111-1111"
			}
			if err := me.Enter(code); !says(err, test.entering) || me.Linked() != (err == nil) {
				b.Errorf("%s: Enter: %v, want %q; linked is %v", test.name, err, test.entering, me.Linked())
			}
		}
		await(b, is[*events.Connected])
	})
}

// says reports whether an error has a part in its words; none is for no error.
func says(err error, part string) bool {
	return (err == nil) == (part == "") && (err == nil || strings.Contains(err.Error(), part))
}

func TestPasskey(t *testing.T) {
	inBubbleNew(t, func(b *bot, me *Account) {
		me.Passkey(true)
		if err := me.Scan(b.shows()[0]); !errors.Is(err, ErrPasskey) {
			b.Errorf("Scan: %v, want %v", err, ErrPasskey)
		}
		asked := await(b, func(*events.PairPasskeyRequest) bool { return true })
		if asked.PublicKey.RelyingPartID != "whatsapp.com" || me.Linked() {
			b.Errorf("asked for %+v, linked is %v", asked.PublicKey, me.Linked())
		}
	})
}

func TestCodesRunOut(t *testing.T) {
	inBubbleNew(t, func(b *bot, me *Account) {
		codes, err := b.GetQRChannel(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		shown := b.shows()
		n, last := 0, whatsmeow.QRChannelItem{}
		for last = range codes {
			n++
		}
		took := time.Since(began)
		settle() // until the server knows, too, that the client has gone
		if err := me.Scan(shown[len(shown)-1]); !says(err, "too old") {
			b.Errorf("Scan: %v", err)
		}
		if n != 7 || last != whatsmeow.QRChannelTimeout || took.Round(time.Second) != 160*time.Second {
			b.Errorf("after %d items and %v: %+v", n, took, last)
		}
	})
}

func TestWrongRoot(t *testing.T) {
	for _, test := range []struct {
		root string
		want string
	}{{"root", ""}, {"another", "failed to verify server cert"}} {
		t.Run(test.root, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New()
				s.root = derived(test.root)
				defer settle()
				s.Serve(t)
				if err := newBot(t, s).Connect(); !says(err, test.want) {
					t.Errorf("connecting: %v, want %q", err, test.want)
				}
			})
		})
	}
}

func TestOverTCP(t *testing.T) {
	s := New()
	over := Reach(s.Listen(t))
	me, ann := s.Account("15550000000"), s.Account("15550000001")
	b := newBotOver(t, s, over)
	b.link(t.Context(), me)
	if got := b.message(ann.Say(me.LID(), "hello")); got.Message.GetConversation() != "hello" {
		t.Errorf("got %q", got.Message.GetConversation())
	}
}

func TestUnlink(t *testing.T) {
	inBubble(t, func(b *bot) {
		me := b.server.Account("15550000000")
		me.Unlink()
		out := await(b, func(*events.LoggedOut) bool { return true })
		if out.OnConnect || me.Linked() {
			b.Errorf("got %+v, linked is %v", out, me.Linked())
		}
	})
}

func TestLogout(t *testing.T) {
	inBubble(t, func(b *bot) {
		if err := b.Logout(b.Context()); err != nil {
			b.Fatal(err)
		}
		if b.server.Account("15550000000").Linked() {
			b.Error("the account is still linked")
		}
	})
}
