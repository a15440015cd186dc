package whatsapp

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"nacre"
)

// voiceNote is a message with all that is needed to fetch a file.
func voiceNote(length uint64, c *waE2E.ContextInfo) *waE2E.Message {
	return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
		PTT: proto.Bool(true), Mimetype: proto.String("audio/ogg; codecs=opus"), DirectPath: proto.String("/v/t62/x?y=z"),
		MediaKey: make([]byte, 32), FileSHA256: make([]byte, 32), FileEncSHA256: make([]byte, 32), FileLength: &length, ContextInfo: c,
	}}
}

func TestAttachment(t *testing.T) {
	forwarded := &waE2E.ContextInfo{IsForwarded: proto.Bool(true)}
	tests := []struct {
		name string
		in   *waE2E.Message
		env  envelope
		want nacre.Attachment // Ref aside
	}{
		{"voice", voiceNote(2048, nil), privately(), nacre.Attachment{Kind: nacre.Voice, MIME: "audio/ogg", Bytes: 2048}},
		{"forwarded voice", voiceNote(2048, forwarded), privately(), nacre.Attachment{Kind: nacre.Voice, MIME: "audio/ogg", Bytes: 2048, Spoken: nacre.Forwarded}},
		{"voice in a group", voiceNote(2048, nil), inClub(), nacre.Attachment{Kind: nacre.Voice, MIME: "audio/ogg", Bytes: 2048, Spoken: nacre.InGroup}},
		{"absurd length", voiceNote(math.MaxUint64, nil), privately(), nacre.Attachment{Kind: nacre.Voice, MIME: "audio/ogg", Bytes: math.MaxInt64}},
		{"document", &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
			FileName: proto.String("a\xff.pdf"), Mimetype: proto.String("application/pdf"), DirectPath: proto.String("/x"),
			MediaKey: make([]byte, 32), FileSHA256: make([]byte, 32), FileEncSHA256: make([]byte, 32),
		}}, privately(), nacre.Attachment{Kind: nacre.Document, MIME: "application/pdf", Name: "a\uFFFD.pdf"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := convert(came(tt.in), tt.env)
			if len(m.Attachments) != 1 {
				t.Fatalf("got %+v", m)
			}
			got := m.Attachments[0]
			var r ref
			if err := json.Unmarshal([]byte(got.Ref), &r); err != nil || r.ID != "ABCD" || r.Chat != adaLID.String() || len(r.Key) != 32 {
				t.Errorf("ref %q: %v", got.Ref, err)
			}
			got.Ref = ""
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// A file that cannot be fetched is still named.
func TestAttachmentOutOfReach(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*waE2E.AudioMessage)
	}{
		{"no path", func(a *waE2E.AudioMessage) { a.DirectPath = nil }},
		{"another host", func(a *waE2E.AudioMessage) { a.DirectPath = proto.String("@example.org/x") }},
		{"no key", func(a *waE2E.AudioMessage) { a.MediaKey = nil }},
		{"no hash", func(a *waE2E.AudioMessage) { a.FileSHA256 = nil }},
		{"a short hash", func(a *waE2E.AudioMessage) { a.FileEncSHA256 = a.FileEncSHA256[:31] }},
		{"to be seen once", func(a *waE2E.AudioMessage) { a.ViewOnce = proto.Bool(true) }},
		{"whole", func(*waE2E.AudioMessage) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := voiceNote(1, nil)
			tt.spoil(in.AudioMessage)
			m, ok := convert(came(in), privately())
			if fetchable := len(m.Attachments) == 1; !ok || fetchable != (tt.name == "whole") {
				t.Errorf("%t: %+v", ok, m)
			}
		})
	}
}
