package whatsapp

import (
	"encoding/binary"
	"testing"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"

	"nacre"
)

// opus is an Ogg file whose first page begins Opus and whose last page ends after so
// many samples.
func opus(samples uint64) []byte {
	page := func(at uint64, body string) []byte {
		b := append([]byte("OggS"), 0, 0)
		b = binary.LittleEndian.AppendUint64(b, at)
		return append(append(b, make([]byte, 12)...), append([]byte{1, byte(len(body))}, body...)...)
	}
	return append(page(0, "OpusHead\x01\x01"), page(samples, "sound")...)
}

func TestMedium(t *testing.T) {
	tests := []struct {
		name string
		file nacre.File
		want medium
	}{
		{"jpeg", nacre.File{MIME: "image/jpeg", Data: []byte("x")}, asImage},
		{"png with parameter", nacre.File{MIME: "Image/PNG; q=1", Data: []byte("x")}, asImage},
		{"webp", nacre.File{MIME: "image/webp", Data: []byte("x")}, asImage},
		{"image too large to be one", nacre.File{MIME: "image/jpeg", Data: make([]byte, mediaLimit+1)}, asDocument},
		{"svg", nacre.File{MIME: "image/svg+xml", Data: []byte("x")}, asDocument},
		{"voice", nacre.File{MIME: "audio/ogg; codecs=opus", Data: opus(1)}, asVoice},
		{"ogg of another kind", nacre.File{MIME: "audio/ogg", Data: []byte("OggS and then vorbis")}, asDocument},
		{"mp3", nacre.File{MIME: "audio/mpeg", Data: []byte("x")}, asAudio},
		{"wav", nacre.File{MIME: "audio/wav", Data: []byte("x")}, asDocument},
		{"mp4", nacre.File{MIME: "video/mp4", Data: []byte("x")}, asVideo},
		{"pdf", nacre.File{MIME: "application/pdf", Data: []byte("x")}, asDocument},
		{"no type", nacre.File{Data: []byte("x")}, asDocument},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mediumOf(&tt.file); got != tt.want {
				t.Errorf("medium %d, want %d", got, tt.want)
			}
		})
	}
}

func TestOpusSeconds(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want uint32
	}{
		{"three seconds", opus(3*48000 + 312), 3},
		{"no position", opus(1<<64 - 1), 0},
		{"no page", []byte("sound"), 0},
		{"cut", []byte("OggS\x00\x00\x01"), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := opusSeconds(tt.data); got != tt.want {
				t.Errorf("%d seconds, want %d", got, tt.want)
			}
		})
	}
}

func TestFileMessage(t *testing.T) {
	up := &whatsmeow.UploadResponse{URL: "https://mmg.example/x", DirectPath: "/x", MediaKey: []byte{1}, FileLength: 7}
	message := func(mime string, data []byte, caption string, expiry uint32) *waE2E.Message {
		a := attach(&nacre.File{Name: "a/b.bin", MIME: mime, Data: data})
		return fileMessage(a, up, caption, expiry)
	}
	image := message("image/png", picture(t, 3, 2), "Look", 60).GetImageMessage()
	if image.GetCaption() != "Look" || image.GetWidth() != 3 || image.GetHeight() != 2 || image.GetContextInfo().GetExpiration() != 60 || image.GetMimetype() != "image/png" || image.GetFileLength() != 7 {
		t.Errorf("image %v", image)
	}
	if broken := message("image/png", []byte("no picture"), "", 0).GetImageMessage(); broken == nil || broken.Width != nil || broken.Caption != nil || broken.ContextInfo != nil {
		t.Errorf("image of unknown size %v", broken)
	}
	voice := message("audio/ogg", opus(2*48000), "", 0).GetAudioMessage()
	if !voice.GetPTT() || voice.GetSeconds() != 2 || voice.GetMimetype() != "audio/ogg; codecs=opus" {
		t.Errorf("voice %v", voice)
	}
	if audio := message("audio/mpeg", []byte("x"), "", 0).GetAudioMessage(); audio == nil || audio.GetPTT() {
		t.Errorf("audio %v", audio)
	}
	if video := message("video/mp4", []byte("x"), "See", 0).GetVideoMessage(); video.GetCaption() != "See" {
		t.Errorf("video %v", video)
	}
	document := message("", []byte("x"), "", 0).GetDocumentMessage()
	if document.GetFileName() != "b.bin" || document.GetMimetype() != noType {
		t.Errorf("document %v", document)
	}
	with := message("application/pdf", []byte("x"), "Read", 0)
	if inner := with.GetDocumentWithCaptionMessage().GetMessage().GetDocumentMessage(); inner.GetCaption() != "Read" || with.GetDocumentMessage() != nil {
		t.Errorf("document with a text %v", with)
	}
}
