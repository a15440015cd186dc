package telegram

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

func jpegOf(t *testing.T, w, h int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, w, h)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webp is the beginning of a WebP file with one chunk.
func webp(chunk string, payload ...byte) []byte {
	b := append([]byte("RIFF\x00\x00\x00\x00WEBP"+chunk+"\x00\x00\x00\x00"), payload...)
	b = append(b, make([]byte, 16)...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

func TestWebPSize(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		w, h int
	}{
		{"lossy", webp("VP8 ", 0x30, 1, 0, 0x9d, 0x01, 0x2a, 0x40, 0x41, 0xf0, 0x80), 320, 240},
		{"lossless", webp("VP8L", 0x2f, 0x3f, 0xc1, 0x3b, 0), 320, 240},
		{"extended", webp("VP8X", 0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0), 320, 240},
		{"unknown chunk", webp("ALPH", 1, 2, 3, 4), 0, 0},
		{"too short", []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), 0, 0},
		{"PNG", picture(t, 320, 240), 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if w, h := webpSize(test.data); w != test.w || h != test.h {
				t.Errorf("%d × %d, want %d × %d", w, h, test.w, test.h)
			}
		})
	}
}

func TestFilesArriveAsWhatTheyAre(t *testing.T) {
	good := picture(t, 300, 200)
	tests := []struct {
		name, mime string
		data       []byte
		want       string
	}{
		{"PNG", "image/png", good, "photo"},
		{"JPEG", "image/jpeg", jpegOf(t, 300, 200), "photo"},
		{"WebP", "image/webp", webp("VP8X", 0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0), "photo"},
		{"with a parameter", "image/png; q=1", good, "photo"},
		{"text", "text/plain", []byte("words"), "document"},
		{"GIF", "image/gif", []byte("GIF89a"), "document"},
		{"no type", "", good, "document"},
		{"no image", "image/png", []byte("not at all"), "document"},
		{"cut off", "image/png", good[:len(good)-20], "document"}, // only Telegram notices
		{"sides of 10,000", "image/png", picture(t, 9000, 1000), "photo"},
		{"sides of 10,001", "image/png", picture(t, 9000, 1001), "document"},
		{"ratio of 20", "image/png", picture(t, 2000, 100), "photo"},
		{"ratio above 20", "image/png", picture(t, 2001, 100), "document"},
		{"10 MB", "image/png", append(good, make([]byte, photoLimit-len(good))...), "photo"},
		{"more than 10 MB", "image/png", append(good, make([]byte, photoLimit)...), "document"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.answer(nacre.Reply{Text: "**Here** it is", Files: []nacre.File{{Name: "dir/na\"me.x", MIME: test.mime, Data: test.data}}})
				sent := r.tg.Sent()
				if len(sent) != 1 || sent[0].File == nil {
					t.Fatalf("sent %d messages, want one with a file", len(sent))
				}
				f := sent[0].File
				if f.Kind != test.want || f.Name != "na me.x" || sent[0].Text != "Here it is" {
					t.Errorf("a %s named %q under %q, want a %s", f.Kind, f.Name, sent[0].Text, test.want)
				}
				if !bytes.Equal(f.Data, test.data) {
					t.Errorf("%d bytes arrived as %d others", len(test.data), len(f.Data))
				}
			})
		})
	}
}

var parcel = nacre.File{Name: "a.txt", MIME: "text/plain", Data: []byte("words")}

func (r *rig) sendFile(caption string, repeat bool) (nacre.ExternalID, error) {
	return r.c.Send(r.Context(), nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: caption, File: &parcel}}, repeat)
}

func TestUploadFailures(t *testing.T) {
	refuse := func(code int, words string) gatewaytest.Fault {
		return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: code, Words: words}
	}
	tests := []struct {
		name   string
		fault  gatewaytest.Fault
		kind   nacre.Kind
		unsure bool
		after  time.Duration
	}{
		{"lost after it was taken", gatewaytest.Fault{Kind: gatewaytest.DropAfter}, 0, true, 0},
		{"no answer before the deadline", gatewaytest.Fault{Kind: gatewaytest.HangAfter}, 0, true, 0},
		{"pause", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 9}, nacre.Transient, false, 9 * time.Second},
		{"server error", refuse(500, "Internal Server Error"), nacre.Transient, false, 0},
		{"blocked", refuse(403, "Forbidden: bot was blocked by the user"), nacre.NotFound, false, 0},
		{"too large for this server", refuse(413, "Request Entity Too Large"), nacre.Invalid, false, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Fail("sendDocument", test.fault)
				began := time.Now()
				_, err := r.sendFile("", false)
				if errors.Is(err, gateway.ErrUnsure) != test.unsure || !test.unsure && nacre.KindOf(err) != test.kind {
					t.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
				}
				if got := nacre.RetryAfter(err); got != test.after {
					t.Errorf("after %v, want %v", got, test.after)
				}
				if took := time.Since(began); took > uploadTime {
					t.Errorf("Send took %v", took)
				}
				r.after(nacre.RetryAfter(err))
				if id, err := r.sendFile("", false); err != nil || id == "" {
					t.Errorf("afterwards Send = %q, %v", id, err)
				}
			})
		})
	}
}

func TestUploadOverADeadConnectionIsMadeAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		if _, err := r.sendFile("", false); err != nil {
			t.Fatal(err)
		}
		r.net.Cut()
		if _, err := r.sendFile("", false); err != nil || len(r.tg.Sent()) != 2 {
			t.Errorf("Send = %v, %d messages", err, len(r.tg.Sent()))
		}
	})
}

func TestCaptions(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("sendDocument", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 400, Words: "Bad Request: can't parse entities: x"})
		part := nacre.Part{Text: "<b>a</b> &amp; b", Plain: "a & b", File: &parcel}
		if _, err := r.c.Send(r.Context(), nacre.Delivery{Chat: annsChat, Part: part}, false); err != nil {
			t.Fatal(err)
		}
		r.sendFile("short", true)
		r.sendFile(strings.Repeat("x", captionLimit), true)
		var got []string
		for _, s := range r.tg.Sent() {
			got = append(got, s.Text)
		}
		want := []string{"a & b", "(This may be a repeat.) short", "(This may be a repeat.)", strings.Repeat("x", captionLimit)}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("shown %q, want %q", got, want)
		}
	})
}

func BenchmarkUpload(b *testing.B) {
	tg := gatewaytest.NewBotAPI(testToken)
	tg.Know(ann)
	c := New(Options{Token: testToken, API: tg.Serve(b)})
	f := nacre.File{Name: "a.bin", Data: make([]byte, 1<<20)}
	b.SetBytes(int64(len(f.Data)))
	for b.Loop() {
		if _, err := c.Send(b.Context(), nacre.Delivery{Chat: annsChat, Part: nacre.Part{File: &f}}, false); err != nil {
			b.Fatal(err)
		}
	}
}
