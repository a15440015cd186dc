// Package media makes what a language model can take of the files that people
// send: pictures are turned upright and shrunk, documents become text, and
// what was spoken is written out by a transcription service.
//
// Files come from strangers. Their names and declared types are not believed;
// the bytes decide. Pictures are measured before they are decoded, one at a
// time, and PDF files are taken apart by a child process with limits. Whatever
// cannot be read ends in one sentence for the person.
package media

import (
	"bytes"
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
)

// maxText bounds the characters of one file that reach a prompt.
const maxText = 16_000

// Options say what a Reader can do besides reading pictures and text.
type Options struct {
	// PDF is a command, with its arguments, that calls ExtractPDF on its
	// standard input and output. It runs without this process's environment.
	// Empty means that PDF files are refused.
	PDF []string
	// Transcriber writes out recordings; nil means that they are refused.
	Transcriber *Transcriber
}

// Reader reads files. It may be called from many goroutines; pictures and PDF
// files, which cost a lot of memory, are then read one after the other. At rest
// it holds nothing.
type Reader struct {
	opts    Options
	pdfTime time.Duration // most for one PDF file
	slot    chan struct{} // held by who reads a picture or a PDF file
}

// New returns a Reader.
func New(o Options) *Reader {
	return &Reader{opts: o, pdfTime: maxPDFTime, slot: make(chan struct{}, 1)}
}

// Read implements agent.Media. Besides the Invalid and Transient errors, which
// are sentences for the person, there is a Denied one: the transcription
// service refuses us.
func (r *Reader) Read(ctx context.Context, owner nacre.OwnerID, a nacre.Attachment, data []byte) (nacre.Reading, error) {
	switch a.Kind {
	case nacre.Voice:
		text, err := r.opts.Transcriber.transcribe(ctx, owner, data)
		return reading(nacre.ByVoice, text), err
	case nacre.Audio: // a file, which may hold anybody's words
		text, err := r.opts.Transcriber.transcribe(ctx, owner, data)
		return reading(nacre.InFile, text), err
	}
	what := sniff(data)
	if f := formatOf(what); f != nil {
		m, err := r.picture(ctx, f, data)
		if err != nil {
			return nacre.Reading{}, err
		}
		return nacre.Reading{MIME: m.MIME, Image: m.Data}, nil
	}
	text, err := r.document(ctx, a.Kind, what, data)
	return reading(nacre.InFile, text), err
}

func reading(p nacre.Provenance, text string) nacre.Reading {
	return nacre.Reading{Text: nacre.Segment{Provenance: p, Text: text}}
}

// document makes a text of anything that is neither picture nor recording.
func (r *Reader) document(ctx context.Context, kind nacre.AttachmentKind, what string, data []byte) (string, error) {
	if kind == nacre.Video || kind == nacre.Animation || kind == nacre.Sticker {
		what = "video/"
	}
	family, _, _ := strings.Cut(what, "/")
	switch {
	case len(data) == 0:
		return "", nacre.Errorf(nacre.Invalid, "That file is empty.")
	case what == "application/pdf":
		return r.pdf(ctx, data)
	case what == "archive/docx":
		return readWord(data)
	case family == "image":
		return "", nacre.Errorf(nacre.Invalid, "I cannot open that kind of picture; please send it as JPEG, PNG, GIF or WebP.")
	case family == "video":
		return "", nacre.Errorf(nacre.Invalid, "I cannot watch videos, animations and moving stickers yet; a still picture works.")
	case family == "audio":
		return "", nacre.Errorf(nacre.Invalid, "That is a recording; please send it as audio or as a voice note instead of as a file.")
	case family == "archive":
		return "", nacre.Errorf(nacre.Invalid, "I cannot open archives, and of Office documents only Word's .docx; a PDF or a text file works.")
	}
	return readText(data)
}

// sniff tells the type of a file from its bytes, as a MIME type, "archive/…"
// for what holds other files, or "application/octet-stream".
func sniff(data []byte) string {
	if len(data) >= 12 && string(data[4:8]) == "ftyp" {
		return isoMedia(string(data[8:12]))
	}
	if len(data) >= 21 && string(data[:4]) == "RIFF" && string(data[8:16]) == "WEBPVP8X" && data[20]&2 != 0 {
		return "video/webp" // its header announces an animation
	}
	if len(data) >= 4 && string(data[:4]) == "fLaC" {
		return "audio/flac"
	}
	switch t := http.DetectContentType(data); t {
	case "application/ogg":
		return "audio/ogg"
	case "application/zip":
		if isWord(data) {
			return "archive/docx"
		}
		return "archive/zip"
	case "application/x-gzip", "application/x-rar-compressed":
		return "archive/" + strings.TrimPrefix(t, "application/")
	case "application/octet-stream":
		if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
			return "archive/ole" // Word, Excel and PowerPoint before 2007
		}
		return orPDF(t, data)
	default:
		return orPDF(t, data)
	}
}

// isoMedia sorts the brands of ISO base media files (ISO/IEC 14496-12), which
// phones use for pictures, sound and video alike.
func isoMedia(brand string) string {
	switch brand {
	case "heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis":
		return "image/heif"
	case "M4A ", "M4B ":
		return "audio/mp4"
	}
	return "video/mp4"
}

// take waits for the turn to use much memory. give ends it and, where much was
// used, returns the memory to the system: between files, which are rare, the
// process shall be small, and the collector alone would take minutes.
func (r *Reader) take(ctx context.Context) (give func(much bool), err error) {
	select {
	case r.slot <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func(much bool) {
		if much {
			debug.FreeOSMemory()
		}
		<-r.slot
	}, nil
}

// clean makes text fit for a prompt: valid UTF-8 with plain line ends, without
// control characters.
func clean(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(c rune) rune {
		if c == '\uFEFF' || unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(s)
}

// cut shortens s to maxText characters and reports whether it had to.
func cut(s string) (string, bool) {
	if utf8.RuneCountInString(s) <= maxText {
		return s, false
	}
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i], true
		}
		n++
	}
	return s, false
}
