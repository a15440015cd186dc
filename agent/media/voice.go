package media

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
)

const (
	maxRecording      = 25_000_000       // bytes, OpenAI's limit
	maxTranscript     = 1 << 20          // bytes of the service's answer
	maxTranscribeTime = 60 * time.Second // both tries together
	maxTranscribeWait = 10 * time.Second // longest wait before the second try
	transcribeWait    = time.Second      // where the service asks for none
	bytesPerToken     = 250              // of a voice note: ten tokens and 2.5 KB a second, about
)

// Transcriber is a service that writes out recordings, over OpenAI's
// POST {BaseURL}/audio/transcriptions:
// https://platform.openai.com/docs/api-reference/audio/createTranscription
type Transcriber struct {
	BaseURL string // up to and without /audio/transcriptions
	Key     string // empty for services that want none
	Model   string
	Client  *http.Client // nil for one that keeps no connections

	// Allow, if set, is asked before a recording is sent on an owner's behalf; its
	// error is what becomes of it. Count, if set, is told what the service counted,
	// or an estimate where it counts minutes.
	Allow func(ctx context.Context, owner nacre.OwnerID) error
	Count func(owner nacre.OwnerID, used llm.Usage)
}

// transcribe returns what is said in a recording. A nil Transcriber refuses.
func (t *Transcriber) transcribe(ctx context.Context, owner nacre.OwnerID, data []byte) (string, error) {
	name := recordingName(data)
	switch {
	case t == nil:
		return "", nacre.Errorf(nacre.Invalid, "I cannot listen to voice notes: that needs a transcription service. Whoever runs me must set NACRE_TRANSCRIBE; until then, please type it.")
	case len(data) > maxRecording:
		return "", nacre.Errorf(nacre.Invalid, "That recording is too long for me: at most %d MB work.", maxRecording/1_000_000)
	case name == "":
		return "", nacre.Errorf(nacre.Invalid, "I do not know that kind of recording; Ogg, MP3, M4A, WAV, FLAC and WebM work.")
	}
	if t.Allow != nil {
		if err := t.Allow(ctx, owner); err != nil {
			return "", err
		}
	}
	timed, cancel := context.WithTimeout(ctx, maxTranscribeTime)
	defer cancel()
	heard, err := t.ask(timed, name, data)
	if wait, again := secondTry(err); again && pause(timed, wait) {
		heard, err = t.ask(timed, name, data)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", err
	case t.Count != nil:
		t.Count(owner, llm.Usage{Input: cmp.Or(heard.Usage.Input, len(data)/bytesPerToken+1), Output: cmp.Or(heard.Usage.Output, len(*heard.Text)/4)})
	}
	return transcript(*heard.Text)
}

// recordingName is what a recording is called for the service, which tells its
// format from the name alone, and knows no .opus. It is empty for what is no
// recording.
func recordingName(data []byte) string {
	head := string(data[:min(len(data), 12)])
	switch {
	case strings.HasPrefix(head, "OggS"):
		return "voice.ogg"
	case strings.HasPrefix(head, "ID3"), len(head) > 1 && head[0] == 0xFF && head[1]&0xE6 == 0xE2:
		return "voice.mp3" // a tag, or the head of a frame of layer III
	case strings.HasPrefix(head, "RIFF") && strings.HasSuffix(head, "WAVE"):
		return "voice.wav"
	case strings.HasPrefix(head, "fLaC"):
		return "voice.flac"
	case strings.HasPrefix(head, "\x1A\x45\xDF\xA3"):
		return "voice.webm"
	case len(head) == 12 && head[4:8] == "ftyp":
		return "voice.m4a"
	}
	return ""
}

// secondTry reports whether a failure may pass soon, and how long to wait.
func secondTry(err error) (time.Duration, bool) {
	wait := max(nacre.RetryAfter(err), transcribeWait)
	return wait, nacre.KindOf(err) == nacre.Transient && wait <= maxTranscribeWait
}

// pause waits, and reports whether ctx still holds.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// heard is the service's answer. Services that count minutes tell no tokens.
type heard struct {
	Text  *string `json:"text"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// ask sends a recording once.
func (t *Transcriber) ask(ctx context.Context, name string, data []byte) (h heard, err error) {
	req, err := t.request(ctx, name, data)
	if err != nil {
		return h, err
	}
	resp, err := t.client().Do(req)
	if err != nil {
		return h, unreachable(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return h, refusal(resp)
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, maxTranscript)).Decode(&h)
	switch {
	case err != nil && ctx.Err() != nil:
		return h, unreachable(err)
	case err != nil || h.Text == nil:
		return h, nacre.Errorf(nacre.Transient, "The transcription service gave an answer that makes no sense; please send the recording again.")
	}
	return h, nil
}

// request wraps a recording into a form. The recording itself is not copied.
func (t *Transcriber) request(ctx context.Context, name string, data []byte) (*http.Request, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	w.WriteField("model", t.Model)
	w.WriteField("response_format", "json")
	w.CreateFormFile("file", name)
	head := form.Len()
	w.Close()
	parts := form.Bytes()
	body := io.MultiReader(bytes.NewReader(parts[:head]), bytes.NewReader(data), bytes.NewReader(parts[head:]))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(t.BaseURL, "/")+"/audio/transcriptions", body)
	if err != nil {
		return nil, misconfigured(err)
	}
	req.ContentLength = int64(len(parts) + len(data))
	req.Header.Set("Content-Type", w.FormDataContentType())
	if t.Key != "" {
		req.Header.Set("Authorization", "Bearer "+t.Key)
	}
	return req, nil
}

// client follows no redirect, which would turn the POST into a GET.
func (t *Transcriber) client() *http.Client {
	if t.Client != nil {
		return t.Client
	}
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// transcript makes what was said fit for a prompt.
func transcript(said string) (string, error) {
	text, short := cut(clean(said))
	if text == "" {
		return "", nacre.Errorf(nacre.Invalid, "I could not make out any words in that recording.")
	}
	if short {
		text += fmt.Sprintf("\n[cut after %d characters]", utf8.RuneCountInString(text))
	}
	return text, nil
}

// refusal says what a status means. The service's own words are left out: they
// may hold a part of the key.
func refusal(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code == http.StatusBadRequest, code == http.StatusRequestEntityTooLarge, code == http.StatusUnsupportedMediaType, code == http.StatusUnprocessableEntity:
		return nacre.Errorf(nacre.Invalid, "The transcription service cannot read that recording.")
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		after, _ := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64)
		return &nacre.Error{
			Kind:  nacre.Transient,
			Text:  "The transcription service is overloaded; please send the recording again in a few minutes.",
			After: time.Duration(min(max(after, 0), 86_400) * float64(time.Second)),
		}
	default:
		return misconfigured(fmt.Errorf("status %d", code))
	}
}

func misconfigured(err error) error {
	return &nacre.Error{Kind: nacre.Denied, Text: "The transcription service refuses me. Whoever runs me must check NACRE_TRANSCRIBE and its key.", Err: err}
}

func unreachable(err error) error {
	text := "I cannot reach the transcription service; please send the recording again in a few minutes."
	if errors.Is(err, context.DeadlineExceeded) {
		text = "The transcription service took too long; please send the recording again in a few minutes."
	}
	return &nacre.Error{Kind: nacre.Transient, Text: text, Err: err}
}
