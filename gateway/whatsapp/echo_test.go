package whatsapp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest/wadouble"
)

// What we send into the chat with oneself comes back in many ways, and starts
// nothing; what the person types is heard.
func TestEcho(t *testing.T) {
	key := newIDKey([]byte("secret"))
	ours := key.id("delivery")
	part := nacre.Part{Text: "Good *morning*"}
	photo := nacre.Part{Text: "a cat", File: &nacre.File{Name: "cat.jpg", Data: []byte{1}}}
	image := voiceNote(1, nil)
	image.ImageMessage, image.AudioMessage = &waE2E.ImageMessage{
		Caption: proto.String("a cat"), DirectPath: proto.String("/x"), MediaKey: image.AudioMessage.MediaKey,
		FileSHA256: image.AudioMessage.FileSHA256, FileEncSHA256: image.AudioMessage.FileEncSHA256,
	}, nil
	edited := fromUs(usLID, usLID, "E", &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Key: &waCommon.MessageKey{ID: &ours}, Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: say("Good *mor"),
	}})
	tests := []struct {
		name string
		sent []nacre.Part
		wait time.Duration // from the send to what is said
		away time.Duration // from then until it comes
		in   []*events.Message
		want int // messages that are heard
	}{
		{"the same id", []nacre.Part{part}, 0, 0, []*events.Message{sayUs(ours, part.Text)}, 0},
		{"the same id, much later", []nacre.Part{part}, time.Hour, 0, []*events.Message{sayUs(ours, part.Text)}, 0},
		{"the same id, of what is in no outbox", nil, 0, 0, []*events.Message{sayUs(ours, part.Text)}, 0},
		{"the id of an edit", nil, 0, 0, []*events.Message{sayUs(key.counterpart(ours), part.Text)}, 0},
		{"another id", []nacre.Part{part}, 100 * time.Millisecond, 0, []*events.Message{sayUs("A", part.Text)}, 0},
		{"another id, by a clock that is behind", []nacre.Part{part}, -4 * time.Second, 0, []*events.Message{sayUs("A", part.Text)}, 0},
		{"another id, after we were away", []nacre.Part{part}, 0, time.Hour, []*events.Message{sayUs("A", part.Text)}, 0},
		{"another id, in the chat by number", []nacre.Part{part}, 0, 0, []*events.Message{fromUs(usPN, usPN, "A", say(part.Text))}, 0},
		{"another id, again and again", []nacre.Part{part}, 0, 0, []*events.Message{sayUs("A", part.Text), sayUs("A", part.Text)}, 0},
		{"an edit of ours", []nacre.Part{part}, 0, 0, []*events.Message{edited}, 0},
		{"a file", []nacre.Part{photo}, 0, 0, []*events.Message{fromUs(usLID, usLID, "A", image)}, 0},
		{"two sends, two echoes", []nacre.Part{part, part}, 0, 0, []*events.Message{sayUs("A", part.Text), sayUs("B", part.Text)}, 0},
		{"the person after the echo", []nacre.Part{part}, 0, 0, []*events.Message{sayUs("A", part.Text), sayUs("B", part.Text)}, 1},
		{"the person after the echo with the same id", []nacre.Part{part}, 0, 0, []*events.Message{sayUs(ours, part.Text), sayUs("B", part.Text)}, 1},
		{"the person some seconds later", []nacre.Part{part}, 6 * time.Second, 0, []*events.Message{sayUs("A", part.Text)}, 1},
		{"the person at once, in other words", []nacre.Part{part}, 0, 0, []*events.Message{sayUs("A", "Good morning")}, 1},
		{"the person, words of a file's caption", []nacre.Part{photo}, 0, 0, []*events.Message{sayUs("A", "a cat")}, 1},
	}
	for _, tt := range tests {
		for _, restart := range []bool{false, true} {
			name := tt.name
			if restart {
				name += ", after a restart"
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := newListener(t, true)
					l.ids = key
					for i, p := range tt.sent {
						id := ours + strings.Repeat("2", i)
						l.sent.add(chatOf(usLID), nacre.ExternalID(id), p)
						if p.File == nil {
							l.remember(id, textMessage(p.Text, 0))
						}
					}
					if restart {
						l.intake = intake{}
					}
					said := time.Now().Add(tt.wait)
					time.Sleep(tt.wait + tt.away)
					for _, e := range tt.in {
						e.Info.Timestamp = said
						l.hears(t, e)
					}
					if got := len(l.host.Messages()); got != tt.want {
						t.Errorf("heard %d messages, want %d", got, tt.want)
					}
					l.stop()
				})
			})
		}
	}
}

// A person who corrects a message of theirs to what we just said is heard: an edit of
// ours is known by an id, not by its words.
func TestEchoOfEdit(t *testing.T) {
	key := newIDKey([]byte("secret"))
	ours := key.id("delivery")
	edit := func(id, of string) *events.Message {
		return fromUs(usLID, usLID, id, &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Key: &waCommon.MessageKey{ID: &of}, Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: say("call mum"),
		}})
	}
	for _, c := range []struct {
		name    string
		id, of  string
		isHeard bool
	}{
		{"the person's", "E", "A", true},
		{"of our message", "E", ours, false},
		{"under our id", key.counterpart(ours), "A", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newListener(t, true)
				l.ids = key
				part := nacre.Part{Text: "call mum"}
				l.sent.add(chatOf(usLID), nacre.ExternalID(ours), part)
				l.remember(ours, textMessage(part.Text, 0))
				e := edit(c.id, c.of)
				e.Info.Timestamp = time.Now()
				l.hears(t, e)
				if got := len(l.host.Messages()) == 1; got != c.isHeard {
					t.Errorf("heard: %v", got)
				}
				l.stop()
			})
		})
	}
}

// A message that is shown while it is made, and its edits, are in no outbox yet.
func TestEchoOfBubble(t *testing.T) {
	play(t, true, func(p *scene) {
		me := p.us.LID()
		b := &gateway.Bubble{Chat: chatOf(me), Turn: "turn"}
		if err := p.grow(b, "The tide"); err != nil {
			t.Fatal(err)
		}
		p.us.Say(me, "The tide")
		p.after(editEvery)
		if err := p.grow(b, "The tide comes"); err != nil {
			t.Fatal(err)
		}
		p.us.Say(me, "The tide comes")
		p.after(time.Second)
		p.wantTexts()
		p.us.Say(me, "The tide comes") // the person
		p.after(time.Second)
		p.restart()
		p.us.Send(me, wadouble.Text("The tide"), wadouble.Opts{ID: string(b.ID)})
		p.after(time.Second)
		p.wantTexts("The tide comes")
	})
}

// A send of which no outcome is known is in the outbox as one that is not done. Its
// echo is known all the same.
func TestEchoOfUnsure(t *testing.T) {
	play(t, true, func(p *scene) {
		me := p.us.LID()
		p.wa.Fail(wadouble.Fault{Kind: wadouble.Unanswered})
		id := p.ownID("one")
		if _, err := p.send(me, "one", nacre.Part{Text: "hello"}); err == nil {
			t.Fatal("sent")
		}
		p.restart()
		p.us.Send(me, wadouble.Text("hello"), wadouble.Opts{ID: id})
		p.us.Say(me, "and now?")
		p.after(time.Second)
		p.wantTexts("and now?")
	})
}

// Without the outbox an echo cannot be told from the person: neither answered nor
// lost.
func TestEchoWithoutOutbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newListener(t, true)
		l.sent.fail = nacre.Errorf(nacre.Transient, "locked")
		if l.receive(sayUs("A", "hello")) {
			t.Error("handled")
		}
		l.sent.fail = nil
		l.hears(t, sayUs("A", "hello"))
		if len(l.host.Messages()) != 1 {
			t.Error("not heard")
		}
		l.stop()
	})
}
