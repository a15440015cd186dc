package gateway_test

import (
	"strings"
	"testing"

	"nacre"
)

// Who is listed in these tests, and an identity of Ann that is not.
const (
	listed = "whatsapp:15550000001, whatsapp:15550000002+telegram:1002"
	annLID = "100000000000001@lid"
)

func TestEitherIdentityAdmits(t *testing.T) {
	ann, bob, stranger := wa("15550000001"), wa("15550000002"), wa("100000000000009@lid")
	for _, c := range []struct {
		name   string
		author nacre.Address
		also   []nacre.Address
		want   nacre.Address // as whom they are admitted; zero for a stranger
		warns  bool
	}{
		{"the listed one", ann, nil, ann, false},
		{"the listed one first", ann, []nacre.Address{stranger}, ann, false},
		{"the listed one second", wa(annLID), []nacre.Address{ann}, ann, false},
		{"the listed one third", wa(annLID), []nacre.Address{stranger, ann}, ann, false},
		{"none that is listed", wa(annLID), []nacre.Address{stranger}, nacre.Address{}, false},
		{"none but the author", wa(annLID), nil, nacre.Address{}, false},
		{"nobody", nacre.Address{Channel: nacre.WhatsApp}, nil, nacre.Address{}, false},
		{"two identities of one owner", bob, []nacre.Address{tg("1002")}, bob, false},
		{"identities of two owners", bob, []nacre.Address{ann}, bob, true},
		{"identities of two owners behind one of nobody", wa(annLID), []nacre.Address{bob, ann}, bob, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, listed, func(t *testing.T, w *world) {
				byOwner := map[nacre.Address]nacre.OwnerID{}
				all, err := w.ledger.Owners(t.Context())
				w.must(err)
				for _, o := range all {
					for _, a := range o.Addresses {
						byOwner[a] = o.ID
					}
				}
				m := w.message("hello", c.author, c.also...)
				got := w.receive(m)
				if knows := w.gateway.Knows(&m); knows != (c.want != nacre.Address{}) {
					t.Errorf("known: %v", knows)
				}
				if warns := strings.Contains(w.log.String(), "level=WARN"); warns != c.warns {
					t.Errorf("warned: %v; the log is %s", warns, w.log)
				}
				if c.want == (nacre.Address{}) {
					if len(got) != 0 || len(w.sent(&w.whatsapp.wire)) != 1 {
						t.Errorf("a stranger's words are kept: %+v; or they are shown no code: %q", got, w.sent(&w.whatsapp.wire))
					}
					return
				}
				if len(got) != 1 || got[0].Owner != byOwner[c.want] || got[0].Message.Author != c.want {
					t.Errorf("stored %+v, want one of %v, who is %s", got, c.want, byOwner[c.want])
				}
			})
		})
	}
}

// The list of owners says who is admitted, also of people who were seen under
// another identity.
func TestWhoLeavesTheListIsAdmittedByNoIdentity(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		for _, c := range []struct {
			owners string
			want   int
		}{{listed, 1}, {"whatsapp:15550000002+telegram:1002", 0}, {listed, 1}} {
			w.restart(c.owners)
			if got := w.receive(w.message("hello", wa(annLID), wa("15550000001"))); len(got) != c.want {
				t.Errorf("with %s, %d messages are taken, want %d", c.owners, len(got), c.want)
			}
		}
	})
}

// Whoever linked an account to this machine as their own is the operator, and who is
// admitted afterwards is somebody else.
func TestOnesOwnAddress(t *testing.T) {
	inWorld(t, "", func(t *testing.T, w *world) {
		own := wa("15550000001")
		if got := w.receive(w.message("hello", own)); len(got) != 0 {
			t.Fatalf("before it is said to be the operator's, %+v is stored", got)
		}
		w.must(w.gateway.Own(t.Context(), own))
		got := w.receive(w.message("hello", wa(annLID), own))
		if len(got) != 1 || got[0].Message.Author != own {
			t.Fatalf("stored %+v, want one of the operator", got)
		}
		if got := w.receive(w.message("hello", tg("1002"))); len(got) != 0 {
			t.Fatalf("a stranger's words are stored: %+v", got)
		}
		operator := nacre.Caller{Operator: true, Private: true, Author: own}
		_, err := w.gateway.Pair(t.Context(), operator, codeIn(t, w.sent(w.telegram)[0]))
		w.must(err)
		if other := w.receive(w.message("hello again", tg("1002"))); len(other) != 1 || other[0].Owner == got[0].Owner {
			t.Errorf("the friend is stored as %+v, want an owner of their own", other)
		}
		w.restart("")
		if again := w.receive(w.message("still here", own)); len(again) != 1 || again[0].Owner != got[0].Owner {
			t.Errorf("after a restart the operator is %+v", again)
		}
	})
}

// codeIn is the pairing code in a text.
func codeIn(t *testing.T, text string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, "/pair ")
	if !ok {
		_, after, ok = strings.Cut(text, "nacre pair ")
	}
	if !ok {
		t.Fatalf("no code in %q", text)
	}
	return strings.TrimSpace(after)
}

// A code that a stranger was shown admits the identity that it was shown to, and
// not what else they were called then.
func TestACodeAdmitsTheAuthor(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		lid, number := wa("100000000000009@lid"), wa("15550000009")
		if got := w.receive(w.message("hello", lid, number)); len(got) != 0 {
			t.Fatalf("stored %+v", got)
		}
		operator := nacre.Caller{Operator: true, Private: true, Author: wa("15550000001")}
		_, err := w.gateway.Pair(t.Context(), operator, codeIn(t, w.sent(&w.whatsapp.wire)[0]))
		w.must(err)
		if got := w.receive(w.message("by both", lid, number), w.message("by lid", lid), w.message("by number first", number, lid)); len(got) != 3 {
			t.Errorf("stored %+v, want three", got)
		}
		if got := w.receive(w.message("by number", number)); len(got) != 0 {
			t.Errorf("the number alone is admitted: %+v", got)
		}
	})
}

// A join code links the author who sends it.
func TestAJoinCodeLinksTheAuthor(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		in := w.receive(w.message("/pair", tg("1002")))[0]
		words, err := w.gateway.Pair(t.Context(), nacre.Caller{Owner: in.Owner, Private: true, Author: in.Message.Author, Chat: in.Session.Chat}, "")
		w.must(err)
		lid, number := wa("100000000000009@lid"), wa("15550000009")
		if got := w.receive(w.message("/pair "+codeIn(t, words), lid, number)); len(got) != 0 {
			t.Errorf("the code is stored: %+v", got)
		}
		if got := w.receive(w.message("hello", lid)); len(got) != 1 || got[0].Owner != in.Owner {
			t.Errorf("stored %+v, want one of %s", got, in.Owner)
		}
		if got := w.receive(w.message("hello", number)); len(got) != 0 {
			t.Errorf("the number alone is admitted: %+v", got)
		}
	})
}

// In a group the owner speaks by any identity, and it is the owner whose words
// these are.
func TestOwnersAreKnownInGroupsByAnyIdentity(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		group := func(text string, author nacre.Address, also ...nacre.Address) nacre.Message {
			m := w.message(text, author, also...)
			m.Chat.ID, m.Private, m.ToUs = "120363000000000001@g.us", false, true
			m.Segments[0].Provenance = nacre.InGroup
			return m
		}
		got := w.receive(group("one", wa("100000000000009@lid"), wa("15550000009")), group("two", wa(annLID), wa("15550000001")), group("three", wa("15550000001")))
		if len(got) != 2 || got[0].Session != got[1].Session || got[0].Message.Author != wa("15550000001") {
			t.Errorf("stored %+v, want two of one author", got)
		}
		if sent := w.sent(&w.whatsapp.wire); len(sent) != 0 {
			t.Errorf("a group was told %q", sent)
		}
	})
}
