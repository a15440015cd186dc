package whatsapp

import (
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"nacre"
)

// What we send into the chat with oneself comes back in many ways, and starts
// nothing; what the person types is heard.
func TestEcho(t *testing.T) {
	ours := ownID("delivery")
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
		wait time.Duration // from the send to what comes
		in   []*events.Message
		want int // messages that are heard
	}{
		{"the same id", []nacre.Part{part}, 0, []*events.Message{sayUs(ours, part.Text)}, 0},
		{"the same id, much later", []nacre.Part{part}, time.Hour, []*events.Message{sayUs(ours, part.Text)}, 0},
		{"another id", []nacre.Part{part}, 100 * time.Millisecond, []*events.Message{sayUs("A", part.Text)}, 0},
		{"another id, in the chat by number", []nacre.Part{part}, 0, []*events.Message{fromUs(usPN, usPN, "A", say(part.Text))}, 0},
		{"another id, again and again", []nacre.Part{part}, 0, []*events.Message{sayUs("A", part.Text), sayUs("A", part.Text)}, 0},
		{"an edit of ours", []nacre.Part{part}, 0, []*events.Message{edited}, 0},
		{"a file", []nacre.Part{photo}, 0, []*events.Message{fromUs(usLID, usLID, "A", image)}, 0},
		{"two sends, two echoes", []nacre.Part{part, part}, 0, []*events.Message{sayUs("A", part.Text), sayUs("B", part.Text)}, 0},
		{"the person after the echo", []nacre.Part{part}, 0, []*events.Message{sayUs("A", part.Text), sayUs("B", part.Text)}, 1},
		{"the person a minute later", []nacre.Part{part}, time.Minute, []*events.Message{sayUs("A", part.Text)}, 1},
		{"the person at once, in other words", []nacre.Part{part}, 0, []*events.Message{sayUs("A", "Good morning")}, 1},
		{"the person, words of a file's caption", []nacre.Part{photo}, 0, []*events.Message{sayUs("A", "a cat")}, 1},
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
					for i, p := range tt.sent {
						id := nacre.ExternalID(ours)
						if i > 0 {
							id += "2"
						}
						l.sent.add(chatOf(usLID), id, p)
						l.intake.sent.first(string(id))
					}
					if restart {
						l.intake = intake{}
					}
					time.Sleep(tt.wait)
					l.hears(t, tt.in...)
					if got := len(l.host.Messages()); got != tt.want {
						t.Errorf("heard %d messages, want %d", got, tt.want)
					}
					l.stop()
				})
			})
		}
	}
}

// A message that is shown while it is made is in no outbox yet.
func TestEchoOfBubble(t *testing.T) {
	l := newListener(t, true)
	id := ownID("turn")
	l.intake.sent.first(id)
	l.hears(t, sayUs(id, "The answer is"), sayUs("A", "The answer is"))
	if got := l.host.Messages(); len(got) != 1 || got[0].External != "A" {
		t.Errorf("got %+v", got)
	}
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
