package whatsapp

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	_ "image/jpeg" // for image.DecodeConfig
	_ "image/png"  // for image.DecodeConfig
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"nacre"
	"nacre/gateway"
)

// What WhatsApp takes. The apps send documents of up to 2 GB, but a file passes
// through memory whole; 100 MB is what the business platform takes.
// See https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media.
const (
	fileLimit  = 100 << 20 // bytes
	mediaLimit = 16 << 20  // bytes of what is shown or played in the chat
)

const noType = "application/octet-stream"

// medium is how WhatsApp shows a file.
type medium int

const (
	asDocument medium = iota // takes anything
	asImage
	asVideo
	asVoice // as if recorded in the app
	asAudio
)

// mediumOf says how a file will be shown. What the apps cannot show, or not at that
// size, is a document.
func mediumOf(f *nacre.File) medium {
	if len(f.Data) > mediaLimit {
		return asDocument
	}
	switch mimeType(f.MIME) {
	case "image/jpeg", "image/png", "image/webp":
		return asImage
	case "video/mp4":
		return asVideo
	case "audio/ogg":
		if isOpus(f.Data) {
			return asVoice
		}
	case "audio/mpeg", "audio/mp4", "audio/aac", "audio/amr":
		return asAudio
	}
	return asDocument
}

// mimeType is a MIME type without its parameters.
func mimeType(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.ToLower(strings.TrimSpace(mime))
}

func sendable(f *nacre.File) bool { return len(f.Data) > 0 && len(f.Data) <= fileLimit }

// attached is a file as its message describes it.
type attached struct {
	medium        medium
	name, mime    string
	width, height *uint32 // nil where they are not known
	seconds       *uint32
}

// attach describes a file.
func attach(f *nacre.File) *attached {
	a := &attached{medium: mediumOf(f), name: gateway.FileName(f.Name), mime: strings.ToValidUTF8(f.MIME, "")}
	if a.mime == "" {
		a.mime = noType
	}
	switch a.medium {
	case asImage:
		if c, _, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
			a.width, a.height = proto.Uint32(uint32(c.Width)), proto.Uint32(uint32(c.Height))
		}
	case asVoice:
		a.mime, a.seconds = "audio/ogg; codecs=opus", proto.Uint32(opusSeconds(f.Data))
	}
	return a
}

// upload sends a part's file ahead and returns the message for it. Its error is for the gateway, and certain.
func (l *line) upload(ctx context.Context, p *nacre.Part, expiry uint32) (*waE2E.Message, error) {
	kinds := map[medium]whatsmeow.MediaType{
		asDocument: whatsmeow.MediaDocument, asImage: whatsmeow.MediaImage, asVideo: whatsmeow.MediaVideo,
		asVoice: whatsmeow.MediaAudio, asAudio: whatsmeow.MediaAudio,
	}
	a := attach(p.File)
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	up, err := l.client.Upload(ctx, p.File.Data, kinds[a.medium])
	if err != nil {
		return nil, l.notUploaded(ctx, err)
	}
	return fileMessage(a, &up, p.Text, expiry), nil
}

// isOpus reports whether an Ogg file begins with Opus, RFC 7845, section 5.1.
func isOpus(b []byte) bool {
	return bytes.HasPrefix(b, []byte("OggS")) && bytes.Contains(b[:min(len(b), 64)], []byte("OpusHead"))
}

// opusSeconds is the length of an Ogg file with Opus, from the position that its last
// page tells in samples of 48 kHz; 0 if there is none. See RFC 3533, section 6, and
// RFC 7845, section 4.
func opusSeconds(b []byte) uint32 {
	at := bytes.LastIndex(b, []byte("OggS"))
	if at < 0 || len(b) < at+14 {
		return 0
	}
	samples := binary.LittleEndian.Uint64(b[at+6:])
	if samples > 48000*24*60*60 {
		return 0 // of no recording; all bits are set where no packet ends
	}
	return uint32(samples / 48000)
}
