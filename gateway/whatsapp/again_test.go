package whatsapp

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest/wadouble"
)

// TestAgain has a phone that lost its keys, so that it asks for what it cannot read;
// but we restarted meanwhile.
func TestAgain(t *testing.T) {
	play(t, false, func(p *scene) {
		p.say("one", "one")
		p.after(time.Second)
		p.ann.Forget()
		p.outbox.put(p.ann.LID(), nacre.ExternalID(p.ownID("two")), nacre.Part{Text: "two"})
		p.wa.Fail(wadouble.Fault{Kind: wadouble.DropAfter})
		p.wa.Refuse(true)
		if _, err := p.send(p.ann.LID(), "two", nacre.Part{Text: "two"}); !errors.Is(err, gateway.ErrUnsure) {
			p.Errorf("Send = %v", err)
		}
		p.wantShown("one")
		p.wa.Refuse(false)
		p.restart()
		p.after(10 * time.Second)
		p.wantShown("one", "two")
	})
}

// TestAgainBeforeItIsKept has a phone that asks for what the outbox does not know as
// sent yet. Then it is sent once more.
func TestAgainBeforeItIsKept(t *testing.T) {
	play(t, false, func(p *scene) {
		p.say("one", "one")
		p.after(time.Second)
		p.ann.Forget()
		p.wa.Fail(wadouble.Fault{Kind: wadouble.DropAfter})
		if _, err := p.send(p.ann.LID(), "two", nacre.Part{Text: "two"}); !errors.Is(err, gateway.ErrUnsure) {
			p.Errorf("Send = %v", err)
		}
		p.online()
		p.after(10 * time.Second)
		p.wantShown("one")
		p.say("two", "two")
		p.after(10 * time.Second)
		p.wantShown("one", "two")
	})
}

func TestAgainOfWhatIsNotKept(t *testing.T) {
	play(t, false, func(p *scene) {
		p.outbox.put(p.ann.LID(), "3EB0AA", nacre.Part{Text: "Look", File: &nacre.File{Data: []byte("x")}})
		p.outbox.put(p.ann.LID(), "3EB0BB", nacre.Part{Text: "one"})
		l := p.online()
		for id, want := range map[string]string{"3EB0BB": "one", "3EB0AA": "", p.ownID("none"): ""} {
			if m := l.again(p.ann.LID(), p.ann.LID(), id); m.GetConversation() != want || (m == nil) != (want == "") {
				p.Errorf("asked for %s: %v, want %q", id, m, want)
			}
		}
	})
}

// TestAgainOfAnEdit has an answer that the outbox knows by the message which it
// replaced.
func TestAgainOfAnEdit(t *testing.T) {
	play(t, false, func(p *scene) {
		bubble := p.ownID("turn")
		p.outbox.put(p.ann.LID(), nacre.ExternalID(bubble), nacre.Part{Text: "The tide comes."})
		l := p.online()
		if m := l.again(p.ann.LID(), p.ann.LID(), bubble); m.GetConversation() != "The tide comes." {
			p.Errorf("asked for the message: %v", m)
		}
		m := l.again(p.ann.LID(), p.ann.LID(), l.ids.counterpart(bubble))
		edit := m.GetEditedMessage().GetMessage().GetProtocolMessage()
		if edit.GetKey().GetID() != bubble || edit.GetEditedMessage().GetConversation() != "The tide comes." {
			p.Errorf("asked for the edit: %v", m)
		}
	})
}

func TestAgainWithOwnNumberIsForTheOperator(t *testing.T) {
	play(t, true, func(p *scene) {
		p.outbox.put(p.us.LID(), "3EB0AA", nacre.Part{Text: "mine"})
		l := p.online()
		if m := l.again(p.ann.LID(), p.ann.LID(), "3EB0AA"); m != nil {
			p.Errorf("asked by somebody else: %v", m)
		}
		if m := l.again(p.us.LID(), p.us.LID(), "3EB0AA"); m.GetConversation() != "mine" {
			p.Errorf("asked by the operator's phone: %v", m)
		}
	})
}

// TestAgainFromMemory has a phone that lost a message and asks the connection that
// sent it, which remembers the words whatever the outbox does.
func TestAgainFromMemory(t *testing.T) {
	tests := []struct {
		name   string
		before func(p *scene)
		want   []string
	}{
		{"kept", func(p *scene) { p.after(24 * time.Hour) }, []string{"one"}},
		{"not known to be sent yet", func(p *scene) { p.outbox.forget() }, []string{"one"}},
		{"kept by number", func(p *scene) {
			p.outbox.forget()
			p.outbox.put(p.ann.PN(), nacre.ExternalID(p.ownID("one")), nacre.Part{Text: "one"})
			p.after(time.Minute)
		}, []string{"one"}},
		{"kept for somebody else", func(p *scene) {
			p.outbox.forget()
			p.outbox.put(p.us.LID(), nacre.ExternalID(p.ownID("one")), nacre.Part{Text: "one"})
			p.after(time.Minute)
		}, nil},
		{"forgotten", func(p *scene) { p.outbox.forget(); p.after(settleTime) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, false, func(p *scene) {
				id := p.say("one", "one")
				p.wantShown("one")
				tt.before(p)
				p.ann.Lose(p.us.LID(), string(id))
				p.after(10 * time.Second)
				p.wantShown(tt.want...)
			})
		})
	}
}

// TestAgainOfABubble has a phone that lost the beginning of an answer.
func TestAgainOfABubble(t *testing.T) {
	play(t, false, func(p *scene) {
		b := p.bubble("turn")
		if err := p.grow(b, "The"); err != nil {
			p.Fatalf("Stream = %v", err)
		}
		p.after(time.Minute)
		p.ann.Lose(p.us.LID(), string(b.ID))
		p.after(10 * time.Second)
		p.wantShown("The")
		p.finish(*b, "answer", nacre.Part{Text: "The tide comes."})
		p.wantShown("The tide comes.")
		p.outbox.forget()
		p.after(settleTime)
		p.ann.Lose(p.us.LID(), string(b.ID))
		p.after(10 * time.Second)
		p.wantShown()
	})
}

// TestAgainOfATakingBack has nothing that could be forgotten.
func TestAgainOfATakingBack(t *testing.T) {
	play(t, false, func(p *scene) {
		b := p.bubble("turn")
		if err := p.grow(b, "The"); err != nil {
			p.Fatalf("Stream = %v", err)
		}
		p.after(editTime)
		p.finish(*b, "answer", nacre.Part{Text: "The tide comes."})
		l := p.online()
		taken := l.client.BuildRevoke(p.ann.LID(), types.EmptyJID, string(b.ID))
		p.after(time.Minute)
		for name, m := range map[string]*waE2E.Message{
			"to ann":  taken,
			"to self": {DeviceSentMessage: &waE2E.DeviceSentMessage{Message: taken}},
		} {
			if receipt := (&events.Receipt{MessageSource: types.MessageSource{Chat: p.ann.LID()}}); !l.mayGoAgain(receipt, "3EB0CC", 1, m) {
				p.Errorf("%s: not taken back once more", name)
			}
		}
	})
}

// TestAgainForAnother has one who knows the id of a message that another person got.
func TestAgainForAnother(t *testing.T) {
	play(t, false, func(p *scene) {
		bob, id := p.wa.Account("15550000002"), string(p.say("one", "one"))
		l := p.online()
		if m := l.again(bob.LID(), bob.LID(), id); m != nil {
			p.Errorf("another person gets %v", m)
		}
		for _, ann := range []types.JID{p.ann.LID(), p.ann.PN()} {
			if m := l.again(ann, ann, id); m.GetConversation() != "one" {
				p.Errorf("ann, as %s, gets %v", ann.Server, m)
			}
		}
	})
}

func TestHandLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h hand
		release := h.take("1")
		time.Sleep(time.Hour)
		if !h.has("1") || h.has("2") {
			t.Error("want what is being sent in hand, and nothing else")
		}
		release()
		time.Sleep(settleTime - time.Second)
		if !h.has("1") {
			t.Error("it is gone too soon")
		}
		time.Sleep(time.Second)
		h.take("2")
		if h.has("1") || len(h.until) != 1 {
			t.Errorf("%d are in hand, want the newest", len(h.until))
		}
	})
}
