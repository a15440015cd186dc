package whatsapp

import (
	"errors"
	"testing"
	"time"

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
		p.outbox.put(nacre.ExternalID(ownID("two")), nacre.Part{Text: "two"})
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
		p.outbox.put("3EB0AA", nacre.Part{Text: "Look", File: &nacre.File{Data: []byte("x")}})
		p.outbox.put("3EB0BB", nacre.Part{Text: "one"})
		l := p.online()
		for id, want := range map[string]string{"3EB0BB": "one", "3EB0AA": "", ownID("none"): ""} {
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
		bubble := ownID("turn")
		p.outbox.put(nacre.ExternalID(bubble), nacre.Part{Text: "The tide comes."})
		l := p.online()
		if m := l.again(p.ann.LID(), p.ann.LID(), bubble); m.GetConversation() != "The tide comes." {
			p.Errorf("asked for the message: %v", m)
		}
		m := l.again(p.ann.LID(), p.ann.LID(), counterpart(bubble))
		edit := m.GetEditedMessage().GetMessage().GetProtocolMessage()
		if edit.GetKey().GetID() != bubble || edit.GetEditedMessage().GetConversation() != "The tide comes." {
			p.Errorf("asked for the edit: %v", m)
		}
	})
}

func TestAgainWithOwnNumberIsForTheOperator(t *testing.T) {
	play(t, true, func(p *scene) {
		p.outbox.put("3EB0AA", nacre.Part{Text: "mine"})
		l := p.online()
		if m := l.again(p.ann.LID(), p.ann.LID(), "3EB0AA"); m != nil {
			p.Errorf("asked by somebody else: %v", m)
		}
		if m := l.again(p.us.LID(), p.us.LID(), "3EB0AA"); m.GetConversation() != "mine" {
			p.Errorf("asked by the operator's phone: %v", m)
		}
	})
}
