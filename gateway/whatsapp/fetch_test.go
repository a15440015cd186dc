package whatsapp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

const most = 20 << 20

// received sends a file to us and returns how it is fetched.
func (r *rig) received(to types.JID, m *waE2E.Message) nacre.Attachment {
	r.Helper()
	r.ann.Send(to, m, wadouble.Opts{})
	r.after(time.Second)
	if all := r.newest().Attachments; len(all) == 1 {
		return all[0]
	}
	r.Fatalf("got %+v", r.newest())
	return nacre.Attachment{}
}

func TestFetch(t *testing.T) {
	tests := []struct {
		name   string
		upload whatsmeow.MediaType
		send   func(wadouble.Media) *waE2E.Message
		kind   nacre.AttachmentKind
		mime   string
	}{
		{"photo", whatsmeow.MediaImage, func(m wadouble.Media) *waE2E.Message { return wadouble.Image(m, "hi") }, nacre.Photo, "image/jpeg"},
		{"voice", whatsmeow.MediaAudio, func(m wadouble.Media) *waE2E.Message { return wadouble.Voice(m, 3) }, nacre.Voice, "audio/ogg"},
		{"audio", whatsmeow.MediaAudio, func(m wadouble.Media) *waE2E.Message { return wadouble.Audio(m, 3) }, nacre.Audio, "audio/mpeg"},
		{"video", whatsmeow.MediaVideo, func(m wadouble.Media) *waE2E.Message { return wadouble.Video(m, "") }, nacre.Video, "video/mp4"},
		{"video message", whatsmeow.MediaVideo, wadouble.VideoNote, nacre.Video, "video/mp4"},
		{"document", whatsmeow.MediaDocument, func(m wadouble.Media) *waE2E.Message { return wadouble.Document(m, "a.pdf", "application/pdf", "") }, nacre.Document, "application/pdf"},
		{"document with caption", whatsmeow.MediaDocument, func(m wadouble.Media) *waE2E.Message { return wadouble.Document(m, "a.pdf", "application/pdf", "hi") }, nacre.Document, "application/pdf"},
		{"sticker", whatsmeow.MediaImage, wadouble.Sticker, nacre.Sticker, "image/webp"},
	}
	connected(t, func(r *rig) {
		for _, tt := range tests {
			file := []byte("the bytes of a " + tt.name)
			a := r.received(r.us.LID(), tt.send(r.wa.Upload(tt.upload, file)))
			if a.Kind != tt.kind || a.MIME != tt.mime || a.Bytes != int64(len(file)) {
				r.Errorf("%s: %+v", tt.name, a)
			}
			if got, err := r.c.Fetch(r.Context(), a.Ref, most); err != nil || !bytes.Equal(got, file) {
				r.Errorf("%s: fetched %q, %v", tt.name, got, err)
			}
			if got, err := r.c.Fetch(r.Context(), a.Ref, int64(len(file))); err != nil || !bytes.Equal(got, file) {
				r.Errorf("%s, with no byte to spare: %q, %v", tt.name, got, err)
			}
			if _, err := r.c.Fetch(r.Context(), a.Ref, int64(len(file))-1); nacre.KindOf(err) != nacre.Invalid {
				r.Errorf("%s, with a byte too many: %v", tt.name, err)
			}
		}
	})
}

func TestFetchFailures(t *testing.T) {
	file := bytes.Repeat([]byte("x"), 1000)
	tests := []struct {
		name string
		harm func(r *rig, m *wadouble.Media)
		kind nacre.Kind
		says string // empty: fetched
	}{
		{"nothing wrong", func(*rig, *wadouble.Media) {}, 0, ""},
		{"gone from the servers", func(r *rig, m *wadouble.Media) { r.wa.Expire(*m, 404) }, 0, ""},
		{"forbidden by the servers", func(r *rig, m *wadouble.Media) { r.wa.Expire(*m, 403) }, 0, ""},
		{"long gone from the servers", func(r *rig, m *wadouble.Media) { r.wa.Expire(*m, 410) }, 0, ""},
		{"gone from the phone too", func(r *rig, m *wadouble.Media) { r.wa.Delete(*m) }, nacre.NotFound, "no longer be fetched"},
		{"another file", func(_ *rig, m *wadouble.Media) { m.SHA256 = make([]byte, 32) }, nacre.Invalid, "damaged"},
		{"another ciphertext, which nobody has", func(_ *rig, m *wadouble.Media) { m.EncSHA256 = make([]byte, 32) }, nacre.NotFound, "no longer be fetched"},
		{"another key", func(_ *rig, m *wadouble.Media) { m.Key = make([]byte, 32) }, nacre.Invalid, "damaged"},
		{"servers out of order", func(r *rig, _ *wadouble.Media) {
			r.wa.Fail(wadouble.Fault{Kind: wadouble.DownloadError, Code: 500, Times: -1})
		}, nacre.Transient, "just now"},
	}
	connected(t, func(r *rig) {
		for _, tt := range tests {
			m := r.wa.Upload(whatsmeow.MediaDocument, append(file, tt.name...))
			tt.harm(r, &m)
			a := r.received(r.us.LID(), wadouble.Document(m, "a.pdf", "application/pdf", ""))
			got, err := r.c.Fetch(r.Context(), a.Ref, most)
			r.wa.Heal()
			if tt.says == "" && (err != nil || !bytes.HasSuffix(got, []byte(tt.name))) {
				r.Errorf("%s: %v", tt.name, err)
			}
			if tt.says != "" && (nacre.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), m.DirectPath)) {
				r.Errorf("%s: %v, %v", tt.name, nacre.KindOf(err), err)
			}
		}
		for _, ref := range []string{"", "{", `{"p":"/x"}`} {
			if _, err := r.c.Fetch(r.Context(), ref, most); nacre.KindOf(err) == nacre.Internal || err == nil {
				r.Errorf("ref %q: %v", ref, err)
			}
		}
	})
}

// In a group the phone is told whose message it is to look for.
func TestFetchFromGroupAgain(t *testing.T) {
	connected(t, func(r *rig) {
		club := r.wa.Group("Club", r.ann, r.us)
		m := r.wa.Upload(whatsmeow.MediaImage, []byte("a picture"))
		a := r.received(club, wadouble.Image(m, ""))
		r.wa.Expire(m, 404)
		if got, err := r.c.Fetch(r.Context(), a.Ref, most); err != nil || string(got) != "a picture" {
			r.Errorf("%q, %v", got, err)
		}
		var told ref
		if err := json.Unmarshal([]byte(a.Ref), &told); err != nil {
			r.Fatal(err)
		}
		if info := told.info(); !info.IsGroup || info.Chat != club || folded(info.Sender) != r.ann.LID() || info.IsFromMe {
			r.Errorf("the phone is told %+v", info)
		}
		if n := len(r.c.intake.renewals.waiting); n != 0 {
			r.Errorf("%d still wait", n)
		}
	})
}

// A file is as large as it is, not as its sender says: no more of it is read than was
// asked for.
func TestFetchLargerThanClaimed(t *testing.T) {
	connected(t, func(r *rig) {
		m := r.wa.Upload(whatsmeow.MediaDocument, []byte("small"))
		r.wa.Swell(m, 100<<20)
		a := r.received(r.us.LID(), wadouble.Document(m, "a.pdf", "application/pdf", ""))
		if a.Bytes != 5 {
			r.Errorf("claims %d bytes", a.Bytes)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := r.c.Fetch(r.Context(), a.Ref, 1<<20)
		runtime.ReadMemStats(&after)
		if nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "too large") {
			r.Errorf("fetched: %v", err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 20<<20 {
			r.Errorf("%d bytes were allocated", grown)
		}
		honest := r.received(r.us.LID(), wadouble.Document(r.wa.Upload(whatsmeow.MediaDocument, []byte("small too")), "a.pdf", "application/pdf", ""))
		if got, err := r.c.Fetch(r.Context(), honest.Ref, 1<<20); err != nil || string(got) != "small too" {
			r.Errorf("the next file: %q, %v", got, err)
		}
	})
}

// What a message claims to be too large is not asked for at all.
func TestFetchClaimedTooLarge(t *testing.T) {
	ref, err := json.Marshal(ref{Path: "/x", Bytes: 100 << 20})
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Transport: refusing{t}})
	if _, err := c.Fetch(t.Context(), string(ref), most); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("got %v", err)
	}
	if _, err := c.Fetch(t.Context(), `{"p":"/x"}`, most); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("without a connection: %v", err)
	}
}

type refusing struct{ *testing.T }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) {
	r.Error("a request was made")
	return nil, http.ErrServerClosed
}
