package telegram

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/jpeg" // for image.DecodeConfig
	_ "image/png"  // for image.DecodeConfig
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"nacre"
	"nacre/gateway"
)

// What Telegram takes.
// See https://core.telegram.org/bots/api#sending-files and #sendphoto.
const (
	fileLimit  = 50 << 20 // bytes
	photoLimit = 10 << 20 // bytes
	photoSides = 10000    // width and height of a photo together, in pixels
	photoRatio = 20       // of its sides
)

const (
	uploadTime = 2 * time.Minute // for a call with a file
)

// isPhoto reports whether Telegram shows a file as a picture. One that it would
// not, or that is none, is sent as a document, which takes anything.
func isPhoto(f *nacre.File) bool {
	if len(f.Data) > photoLimit {
		return false
	}
	w, h := 0, 0
	switch mime, _, _ := strings.Cut(f.MIME, ";"); mime {
	case "image/jpeg", "image/png":
		c, _, err := image.DecodeConfig(bytes.NewReader(f.Data))
		if err != nil {
			return false
		}
		w, h = c.Width, c.Height
	case "image/webp":
		w, h = webpSize(f.Data)
	}
	return w > 0 && h > 0 && w+h <= photoSides && max(w, h) <= photoRatio*min(w, h)
}

// webpSize reads the size of a picture from its first chunk; zero if there is
// none. See RFC 9649, sections 2.5 to 2.7.
func webpSize(b []byte) (w, h int) {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0
	}
	le := binary.LittleEndian
	switch string(b[12:16]) {
	case "VP8 ":
		return int(le.Uint16(b[26:]) & 0x3fff), int(le.Uint16(b[28:]) & 0x3fff)
	case "VP8L":
		bits := le.Uint32(b[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8X":
		return int(le.Uint32(b[23:])>>8) + 1, int(le.Uint32(b[26:])>>8) + 1
	}
	return 0, 0
}

// upload is the body of a request with a file, RFC 7578. The library has one
// of its own, which forgets Telegram's error code and cannot be sent again
// over another connection.
type upload struct {
	kind       string // content type, with the boundary
	head, tail []byte // around the file
	data       []byte
}

func newUpload(p params, field string, f *nacre.File) (*upload, error) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name, value := range p {
		if err := m.WriteField(name, value); err != nil {
			return nil, err
		}
	}
	if _, err := m.CreateFormFile(field, gateway.FileName(f.Name)); err != nil {
		return nil, err
	}
	head := b.Len()
	if err := m.Close(); err != nil {
		return nil, err
	}
	return &upload{kind: m.FormDataContentType(), head: b.Bytes()[:head], tail: b.Bytes()[head:], data: f.Data}, nil
}

// put gives a request this body.
func (u *upload) put(req *http.Request) {
	req.Header.Set("Content-Type", u.kind)
	req.ContentLength = int64(len(u.head) + len(u.data) + len(u.tail))
	req.GetBody = func() (io.ReadCloser, error) { return u.open(), nil }
	req.Body = u.open()
}

func (u *upload) open() io.ReadCloser {
	return io.NopCloser(io.MultiReader(bytes.NewReader(u.head), bytes.NewReader(u.data), bytes.NewReader(u.tail)))
}
