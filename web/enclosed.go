package web

import (
	"bytes"
	"net/http"
	"strings"

	"nacre"
	"nacre/gateway"
)

// What can come with one message.
const (
	mostFiles    = 10
	mostEnclosed = 10 << 20 // bytes of all its files together
)

// enclosed is a file that comes with a message. What it is, is told by its bytes.
type enclosed struct {
	Name string `json:"name"` // as its sender calls it
	Data []byte `json:"data"` // in base64
}

// soundFiles reports what is wrong with the files of one message, as a sentence.
func soundFiles(files []enclosed) error {
	sum := 0
	for _, f := range files {
		if len(f.Data) == 0 {
			return nacre.Errorf(nacre.Invalid, "A file that is empty cannot be sent.")
		}
		sum += len(f.Data)
	}
	if len(files) > mostFiles || sum > mostEnclosed {
		return nacre.Errorf(nacre.Invalid, "One message takes at most %d files, of %d MB together.", mostFiles, mostEnclosed>>20)
	}
	return nil
}

// enclose puts files into a message, and their labels before its words, as other
// channels do.
func enclose(m *nacre.Message, files []enclosed) {
	var labels []nacre.Segment
	for _, f := range files {
		kind, mime := kindOf(f.Data)
		a := nacre.Attachment{Kind: kind, Name: gateway.FileName(f.Name), MIME: mime, Bytes: int64(len(f.Data)), Data: f.Data}
		m.Attachments = append(m.Attachments, a)
		labels = append(labels, nacre.Segment{Provenance: nacre.Label, Text: "[" + string(kind) + ": " + a.Name + "]"})
	}
	m.Segments = append(labels, m.Segments...)
}

// kindOf tells what a file is to people, and its MIME type, from its bytes. A
// recording is never a voice note: it was not made here, and may hold anybody's words.
// See https://mimesniff.spec.whatwg.org, which http.DetectContentType follows, and for
// what that leaves out RFC 9639 (FLAC) and ISO/IEC 14496-12 (the brands of M4A).
func kindOf(data []byte) (nacre.AttachmentKind, string) {
	mime, _, _ := strings.Cut(http.DetectContentType(data), ";")
	switch {
	case mime == "application/ogg":
		mime = "audio/ogg"
	case bytes.HasPrefix(data, []byte("fLaC")):
		mime = "audio/flac"
	case len(data) >= 12 && (string(data[4:12]) == "ftypM4A " || string(data[4:12]) == "ftypM4B "):
		mime = "audio/mp4"
	}
	switch mime {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return nacre.Photo, mime
	}
	if strings.HasPrefix(mime, "audio/") {
		return nacre.Audio, mime
	}
	return nacre.Document, mime
}

// fileNames are what the attachments of a message are called.
func fileNames(list []nacre.Attachment) (names []string) {
	for _, a := range list {
		names = append(names, a.Name)
	}
	return names
}
