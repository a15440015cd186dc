package web

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
)

// What files are is told by their bytes, whatever they are called.
func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name, data string
		kind       nacre.AttachmentKind
		mime       string
	}{
		{"PNG", "\x89PNG\x0d\x0a\x1a\x0a", nacre.Photo, "image/png"},
		{"JPEG", "\xff\xd8\xff\xe0", nacre.Photo, "image/jpeg"},
		{"GIF", "GIF89a", nacre.Photo, "image/gif"},
		{"WebP", "RIFF\x00\x00\x00\x00WEBPVP8 ", nacre.Photo, "image/webp"},
		{"BMP", "BM1234", nacre.Document, "image/bmp"},
		{"SVG", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`, nacre.Document, "text/plain"},
		{"HTML", "<html><script>alert(1)</script>", nacre.Document, "text/html"},
		{"PDF", "%PDF-1.7", nacre.Document, "application/pdf"},
		{"text", "water me", nacre.Document, "text/plain"},
		{"bytes", "\x00\x01", nacre.Document, "application/octet-stream"},
		{"MP3", "ID3\x03", nacre.Audio, "audio/mpeg"},
		{"WAV", "RIFF\x00\x00\x00\x00WAVEfmt ", nacre.Audio, "audio/wave"},
		{"Ogg", "OggS\x00", nacre.Audio, "audio/ogg"},
		{"FLAC", "fLaC\x00", nacre.Audio, "audio/flac"},
		{"M4A", "\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00", nacre.Audio, "audio/mp4"},
		{"MP4", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", nacre.Document, "video/mp4"},
	} {
		if kind, mime := kindOf([]byte(c.data)); kind != c.kind || mime != c.mime {
			t.Errorf("%s is taken for %s, %s", c.name, kind, mime)
		}
	}
}

// files64 writes what a request has of files, by their names and bytes.
func files64(t testing.TB, list ...enclosed) string {
	t.Helper()
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return `"files":` + string(b)
}

func TestScriptSendsFiles(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		page := r.open(ann)
		png, note := []byte("\x89PNG\x0d\x0a\x1a\x0a"), []byte("water me")
		body := `{"id":"s-1","text":"What is this?",` + files64(t, enclosed{"C:\\pictures\\leaf.txt", png}, enclosed{"", note}) + `,"wait":0}`
		for range 2 {
			if status, got := r.ask(body); status != 200 || got != `{"id":"s-1","done":false,"text":""}` {
				t.Errorf("the script got %d %s", status, got)
			}
		}
		r.ask(`{"id":"s-2",` + files64(t, enclosed{"a.txt", note}) + `,"text":" \n","wait":0}`)
		page.want(frame{T: frameSaid, ID: "s-1", Text: "What is this?", Files: []string{"leaf.txt", "file"}})
		page.want(frame{T: frameSaid, ID: "s-2", Text: " \n", Files: []string{"a.txt"}})
		page.wantNone()
		m := r.host.Messages()
		if len(m) != 2 {
			t.Fatalf("%d messages are stored", len(m))
		}
		want := []nacre.Attachment{{Kind: nacre.Photo, Name: "leaf.txt", MIME: "image/png", Bytes: 8, Data: png},
			{Kind: nacre.Document, Name: "file", MIME: "text/plain", Bytes: 8, Data: note}}
		if !reflect.DeepEqual(m[0].Attachments, want) {
			t.Errorf("attached is %+v", m[0].Attachments)
		}
		if got, want := m[0].Segments, []nacre.Segment{{Provenance: nacre.Label, Text: "[photo: leaf.txt]"}, {Provenance: nacre.Label, Text: "[document: file]"},
			{Provenance: nacre.ByOwner, Text: "What is this?"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("said is %+v", got)
		}
		if got, want := m[1].Segments, []nacre.Segment{{Provenance: nacre.Label, Text: "[document: a.txt]"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("said without words is %+v", got)
		}
	})
}

func TestScriptIsToldWhatIsWrongWithFiles(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		of := func(n int, size int) string {
			list := make([]enclosed, n)
			for i := range list {
				list[i] = enclosed{"a", make([]byte, size)}
			}
			return files64(t, list...)
		}
		long := strings.Repeat("x", maxRequest)
		for _, c := range []struct {
			name, body, says string
			want             int
		}{
			{"ten", `{` + of(10, 1) + `,"wait":0}`, "", 200},
			{"eleven", `{` + of(11, 1) + `,"wait":0}`, "at most 10 files", 400},
			{"as large as may be", `{` + of(1, mostEnclosed) + `,"wait":0}`, "", 200},
			{"as large together", `{` + of(10, mostEnclosed/10) + `,"wait":0}`, "", 200},
			{"too large", `{` + of(1, mostEnclosed+1) + `}`, "10 MB together", 400},
			{"too large together", `{` + of(10, mostEnclosed/10+1) + `}`, "10 MB together", 400},
			{"far too large", `{` + of(1, 2*mostEnclosed) + `}`, "The request is too long", 400},
			{"empty", `{"text":"hi",` + of(1, 0) + `}`, "A file that is empty", 400},
			{"no file", `{"text":"hi","files":[null]}`, "A file that is empty", 400},
			{"no base64", `{"files":[{"name":"a","data":"-"}]}`, "not the JSON", 400},
			{"none", `{"files":[]}`, "The message was empty", 400},
			{"a text as long as may be", `{"text":"` + long + `","wait":0}`, "", 200},
			{"a text that is too long", `{"text":"x` + long + `"}`, "The message is too long", 400},
		} {
			before := len(r.host.Messages())
			status, got := r.ask(c.body)
			if status != c.want || !strings.Contains(got, c.says) {
				t.Errorf("%s: %d %.200s", c.name, status, got)
			}
			if stored := len(r.host.Messages()) > before; stored != (c.want == 200) {
				t.Errorf("%s: stored %v", c.name, stored)
			}
		}
		time.Sleep(time.Second) // of the bubble: the server lingers on a line that it cut
	})
}

// However a file is called and whatever is in it, its label stays one line in brackets
// that is nobody's word, and its bytes stay what they are.
func FuzzEnclose(f *testing.F) {
	for _, name := range []string{"a.png", "", "../../etc/passwd", "a]\n[owner: me", "\u202egnp.exe", "\xff\xfe", strings.Repeat("ä", 200) + ".txt", "<script>"} {
		f.Add(name, []byte("water me"))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		m := nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "words"}}}
		enclose(&m, []enclosed{{name, data}})
		a, label := m.Attachments[0], m.Segments[0]
		if len(m.Segments) != 2 || m.Text() != "words" || label.Provenance != nacre.Label || label.Text != "["+string(a.Kind)+": "+a.Name+"]" {
			t.Errorf("said is %q", m.Segments)
		}
		odd := func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`/\`, r)
		}
		if a.Name == "" || len(a.Name) > 100 || !utf8.ValidString(a.Name) || strings.ContainsFunc(a.Name, odd) {
			t.Errorf("the name is %q", a.Name)
		}
		if !bytes.Equal(a.Data, data) || a.Bytes != int64(len(data)) || a.Kind == nacre.Voice {
			t.Errorf("%d bytes became %+v", len(data), a)
		}
	})
}
