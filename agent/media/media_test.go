package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// TestMain lets the test binary be the child process that reads PDF files, and
// ones that use up what limitProcess leaves them.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 {
		os.Exit(m.Run())
	}
	var err error
	switch os.Args[1] {
	case "extract-pdf":
		err = ExtractPDF(os.Stdin, os.Stdout)
	case "burn":
		if err = limitProcess(maxPDFMemory, time.Second); err == nil {
			for time.Now().Unix() > 0 { // always
			}
		}
	case "hoard":
		if err = limitProcess(64<<20, time.Minute); err == nil {
			hoard(1 << 30)
		}
	case "thrift":
		if err = limitProcess(64<<20, time.Minute); err == nil {
			hoard(16 << 20)
		}
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func hoard(total int) {
	var kept [][]byte
	for range total >> 20 {
		kept = append(kept, make([]byte, 1<<20))
	}
	fmt.Println(len(kept))
}

// self is the command that runs this test binary in one of TestMain's ways.
func self(t testing.TB, way string) []string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{path, way}
}

func newReader(t testing.TB) *Reader { return New(Options{PDF: self(t, "extract-pdf")}) }

var _ agent.Media = (*Reader)(nil)

// read is Read in pieces.
func (r *Reader) read(ctx context.Context, kind nacre.AttachmentKind, data []byte) (*llm.Image, nacre.Segment, error) {
	got, err := r.Read(ctx, "o", nacre.Attachment{Kind: kind, Name: "../picture.exe", MIME: "x/y"}, data)
	if got.Image == nil {
		return nil, got.Text, err
	}
	return &llm.Image{MIME: got.MIME, Data: got.Image}, got.Text, err
}

// refused checks that err is a sentence for the person of the given kind that
// holds some words.
func refused(t *testing.T, err error, kind nacre.Kind, words string) {
	t.Helper()
	var e *nacre.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v; want a sentence with %q", err, words)
	}
	if e.Kind != kind || !strings.Contains(e.Text, words) || !strings.HasSuffix(e.Text, ".") || !unicode.IsUpper(rune(e.Text[0])) {
		t.Errorf("got %s error %q; want %s and a sentence with %q", e.Kind, e.Text, kind, words)
	}
}

func TestKinds(t *testing.T) {
	tests := []struct {
		name  string
		kind  nacre.AttachmentKind
		data  string
		words string // of the refusal; empty if the file can be read
	}{
		{"text", nacre.Document, "hello", ""},
		{"picture", nacre.Document, string(pngOf(t, gradient(9, 9))), ""},
		{"picture as a photo", nacre.Photo, string(jpegOf(t, gradient(9, 9))), ""},
		{"sticker", nacre.Sticker, string(webpOf(9, 9)), ""},
		{"empty", nacre.Document, "", "empty"},
		{"video", nacre.Video, "\x00\x00\x00\x18ftypisom", "cannot watch"},
		{"video of unknown bytes", nacre.Video, "??", "cannot watch"},
		{"video as a file", nacre.Document, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00", "cannot watch"},
		{"matroska as a file", nacre.Document, "\x1A\x45\xDF\xA3\x00\x00", "cannot watch"},
		{"animation", nacre.Animation, "\x00\x00\x00\x18ftypisom", "cannot watch"},
		{"sticker as lottie", nacre.Sticker, "\x1F\x8B\x08\x00", "cannot watch"},
		{"sticker as webm", nacre.Sticker, "\x1A\x45\xDF\xA3\x00\x00", "cannot watch"},
		{"moving webp", nacre.Sticker, "RIFF\x20\x00\x00\x00WEBPVP8X\x0A\x00\x00\x00\x02\x00\x00\x00\x08\x00\x00\x08\x00\x00", "cannot watch"},
		{"iphone picture", nacre.Document, "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "JPEG, PNG"},
		{"bitmap", nacre.Photo, "BM\x00\x00\x00\x00", "JPEG, PNG"},
		{"sound as a file", nacre.Document, "OggS\x00\x02", "as audio"},
		{"m4a as a file", nacre.Document, "\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00", "as audio"},
		{"flac as a file", nacre.Document, "fLaC\x00\x00", "as audio"},
		{"zip or docx", nacre.Document, "PK\x03\x04\x14\x00", "Office"},
		{"old word", nacre.Document, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "Office"},
		{"gzip", nacre.Document, "\x1F\x8B\x08\x00", "archives"},
		{"program", nacre.Document, "\x7FELF\x02\x01\x01\x00\x00\x00", "that kind of file"},
	}
	r := newReader(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, s, err := r.read(t.Context(), tt.kind, []byte(tt.data))
			if tt.words != "" {
				refused(t, err, nacre.Invalid, tt.words)
			} else if err != nil || m == nil && (s.Text == "" || s.Provenance != nacre.InFile) {
				t.Errorf("got %v, %+v, %v; want an image or a text", m, s, err)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    string
		runes int
		short bool
	}{
		{"empty", "", 0, false},
		{"at the limit", strings.Repeat("é", maxText), maxText, false},
		{"one more", strings.Repeat("é", maxText+1), maxText, true},
	} {
		got, short := cut(tt.in)
		if n := utf8.RuneCountInString(got); n != tt.runes || short != tt.short {
			t.Errorf("%s: %d characters, short %v; want %d, %v", tt.name, n, short, tt.runes, tt.short)
		}
	}
}
