package media

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

const testKey = "sk-secret-0123456789"

// said is one scripted answer of the double.
type said struct {
	status int // 0 means 200
	after  string
	body   string
	stall  bool // never answer
}

// service is a double of POST /audio/transcriptions. Like the real one it tells
// the format from the file's name, and wants a form.
type service struct {
	mu      sync.Mutex // guards all below
	answers []said
	names   []string
	sound   string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := s.answer(r)
	if answer.stall {
		<-r.Context().Done()
		return
	}
	if answer.after != "" {
		w.Header().Set("Retry-After", answer.after)
	}
	w.Header().Set("Content-Type", "application/json")
	if answer.status != 0 {
		w.WriteHeader(answer.status)
	}
	io.WriteString(w, answer.body)
}

// answer is the next one of the script; its last one is repeated.
func (s *service) answer(r *http.Request) said {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why := s.take(r); why != "" {
		return said{status: 400, body: why}
	}
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return answer
}

// received returns the names of the files that came, and the last one's bytes.
func (s *service) received() (names []string, sound string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names, s.sound
}

// take reads a request and says what is wrong with it. It is called with the
// mutex held.
func (s *service) take(r *http.Request) string {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || r.Method != http.MethodPost || r.URL.Path != "/v1/audio/transcriptions" || r.ContentLength <= 0 {
		return "not a form with a length, posted to the right path"
	}
	if r.Header.Get("Authorization") != "Bearer "+testKey {
		return "wrong key"
	}
	form, err := multipart.NewReader(r.Body, params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		return "broken form: " + err.Error()
	}
	if len(form.Value["model"]) != 1 || form.Value["model"][0] != "whisper-1" || form.Value["response_format"][0] != "json" || len(form.File["file"]) != 1 {
		return "fields missing"
	}
	head := form.File["file"][0]
	s.names = append(s.names, head.Filename)
	if !slices.Contains([]string{".flac", ".m4a", ".mp3", ".mp4", ".ogg", ".wav", ".webm"}, path.Ext(head.Filename)) {
		return "unknown format"
	}
	f, err := head.Open()
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	sound, _ := io.ReadAll(f)
	s.sound = string(sound)
	return ""
}

// listen returns a Reader whose transcription service is s.
func listen(t *testing.T, s *service) *Reader {
	t.Helper()
	network := gatewaytest.NewPipeNet()
	network.Serve(t, s)
	transport := &http.Transport{DialContext: network.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return New(Options{Transcriber: &Transcriber{
		BaseURL: gatewaytest.PipeURL + "/v1/", Key: testKey, Model: "whisper-1",
		Client: &http.Client{Transport: transport},
	}})
}

const ogg = "OggS\x00\x02 and the rest of a recording"

func TestVoice(t *testing.T) {
	tests := []struct {
		name    string
		kind    nacre.AttachmentKind
		sound   string
		file    string
		answers []said
		want    nacre.Segment
	}{
		{"voice note", nacre.Voice, ogg, "voice.ogg", []said{{body: `{"text":" Buy milk. \n"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Buy milk."}},
		{"sound file", nacre.Audio, ogg, "voice.ogg", []said{{body: `{"text":"La la la."}`}}, nacre.Segment{Provenance: nacre.InFile, Text: "La la la."}},
		{"more fields", nacre.Voice, ogg, "voice.ogg", []said{{body: `{"text":"Hi","usage":{"type":"tokens"}}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"mp3 with a tag", nacre.Voice, "ID3\x04...", "voice.mp3", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"mp3", nacre.Voice, "\xFF\xFB\x90\x00", "voice.mp3", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"wav", nacre.Voice, "RIFF\x24\x00\x00\x00WAVEfmt ", "voice.wav", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"flac", nacre.Voice, "fLaC\x00", "voice.flac", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"m4a", nacre.Voice, "\x00\x00\x00\x18ftypM4A \x00", "voice.m4a", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"webm", nacre.Voice, "\x1A\x45\xDF\xA3\x00", "voice.webm", []said{{body: `{"text":"Hi"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: "Hi"}},
		{"very long", nacre.Voice, ogg, "voice.ogg", []said{{body: `{"text":"` + strings.Repeat("x", maxText+9) + `"}`}}, nacre.Segment{Provenance: nacre.ByVoice, Text: strings.Repeat("x", maxText) + "\n[cut after 16000 characters]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			double := &service{answers: tt.answers}
			_, got, err := listen(t, double).read(t.Context(), tt.kind, []byte(tt.sound))
			if err != nil || got != tt.want {
				t.Errorf("got %.40q, %v; want %.40q", got, err, tt.want)
			}
			if names, sound := double.received(); len(names) != 1 || names[0] != tt.file || sound != tt.sound {
				t.Errorf("sent %q with %q; want %q once", names, sound, tt.file)
			}
		})
	}
}

func TestVoiceRefused(t *testing.T) {
	fine := said{body: `{"text":"Buy milk."}`}
	tests := []struct {
		name    string
		answers []said
		tries   int
		wait    time.Duration
		kind    nacre.Kind
		words   string // empty means that it is written out in the end
	}{
		{"busy once", []said{{status: 429}, fine}, 2, time.Second, 0, ""},
		{"fault once", []said{{status: 500, body: "<html>"}, fine}, 2, time.Second, 0, ""},
		{"asked to wait", []said{{status: 503, after: "7"}, fine}, 2, 7 * time.Second, 0, ""},
		{"asked to wait long", []said{{status: 429, after: "30"}, fine}, 1, 0, nacre.Transient, "overloaded"},
		{"busy twice", []said{{status: 429}, {status: 429}, fine}, 2, time.Second, nacre.Transient, "overloaded"},
		{"no JSON once", []said{{body: "<html>"}, fine}, 2, time.Second, 0, ""},
		{"no text", []said{{body: `{}`}}, 2, time.Second, nacre.Transient, "makes no sense"},
		{"silence", []said{{body: `{"text":" "}`}}, 1, 0, nacre.Invalid, "any words"},
		{"refused recording", []said{{status: 400, body: testKey}, fine}, 1, 0, nacre.Invalid, "cannot read that recording"},
		{"too large", []said{{status: 413}, fine}, 1, 0, nacre.Invalid, "cannot read that recording"},
		{"wrong key", []said{{status: 401, body: testKey}, fine}, 1, 0, nacre.Denied, "NACRE_TRANSCRIBE"},
		{"no such path", []said{{status: 404}, fine}, 1, 0, nacre.Denied, "NACRE_TRANSCRIBE"},
		{"stalls", []said{{stall: true}}, 1, maxTranscribeTime, nacre.Transient, "took too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				double := &service{answers: tt.answers}
				start := time.Now()
				_, s, err := listen(t, double).read(t.Context(), nacre.Voice, []byte(ogg))
				names, _ := double.received()
				if took := time.Since(start); took != tt.wait || len(names) != tt.tries {
					t.Errorf("%d tries in %v; want %d in %v", len(names), took, tt.tries, tt.wait)
				}
				if tt.words == "" {
					if err != nil || s.Text != "Buy milk." {
						t.Errorf("got %q, %v; want the text", s.Text, err)
					}
					return
				}
				refused(t, err, tt.kind, tt.words)
				for ; err != nil; err = errors.Unwrap(err) {
					if strings.Contains(err.Error(), testKey) {
						t.Errorf("the key is in %q", err)
					}
				}
			})
		})
	}
}

func TestVoiceNeedsNoService(t *testing.T) {
	double := &service{answers: []said{{body: `{"text":"Hi"}`}}}
	r := listen(t, double)
	_, _, err := r.read(t.Context(), nacre.Voice, []byte("MZ no recording"))
	refused(t, err, nacre.Invalid, "that kind of recording")
	_, _, err = r.read(t.Context(), nacre.Voice, append([]byte(ogg), make([]byte, maxRecording)...))
	refused(t, err, nacre.Invalid, "at most 25 MB")
	_, _, err = New(Options{}).read(t.Context(), nacre.Voice, []byte(ogg))
	refused(t, err, nacre.Invalid, "I cannot listen to voice notes")
	if names, _ := double.received(); len(names) != 0 {
		t.Errorf("%d recordings were sent", len(names))
	}
}

func TestVoiceUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := errors.New("no route")
		client := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, down })}
		tr := &Transcriber{BaseURL: "http://double/v1", Key: testKey, Model: "whisper-1", Client: client}
		_, err := tr.transcribe(t.Context(), "o", []byte(ogg))
		refused(t, err, nacre.Transient, "cannot reach")
		if !errors.Is(err, down) {
			t.Errorf("%v hides its cause", err)
		}
	})
	_, err := (&Transcriber{BaseURL: "http://bad host\x7f", Key: testKey}).transcribe(t.Context(), "o", []byte(ogg))
	refused(t, err, nacre.Denied, "NACRE_TRANSCRIBE")
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestVoiceHonoursContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, _, err := listen(t, &service{answers: []said{{stall: true}}}).read(ctx, nacre.Voice, []byte(ogg))
		if err != context.DeadlineExceeded {
			t.Errorf("got error %v; want the caller's deadline", err)
		}
	})
}

// The key must not follow a redirect to another server.
func TestVoiceFollowsNoRedirect(t *testing.T) {
	if err := (&Transcriber{}).client().CheckRedirect(nil, nil); err != http.ErrUseLastResponse {
		t.Errorf("got %v", err)
	}
}
