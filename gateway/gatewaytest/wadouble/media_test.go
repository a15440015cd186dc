package wadouble

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// fetched downloads what a message tells of.
func fetched(store *mediaStore, of whatsmeow.DownloadableMessage) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	hash := base64.URLEncoding.EncodeToString(of.GetFileEncSHA256())
	store.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://"+mediaHostname+of.GetDirectPath()+"&hash="+hash, nil))
	return w
}

func TestMediaKinds(t *testing.T) {
	store := newMediaStore()
	for _, size := range []int{0, 1, 15, 16, 17, 1000} {
		file := bytes.Repeat([]byte{1}, size)
		for kind, of := range map[whatsmeow.MediaType]func(Media) whatsmeow.DownloadableMessage{
			whatsmeow.MediaImage:    func(m Media) whatsmeow.DownloadableMessage { return Image(m, "").ImageMessage },
			whatsmeow.MediaVideo:    func(m Media) whatsmeow.DownloadableMessage { return Video(m, "").VideoMessage },
			whatsmeow.MediaAudio:    func(m Media) whatsmeow.DownloadableMessage { return Voice(m, 1).AudioMessage },
			whatsmeow.MediaDocument: func(m Media) whatsmeow.DownloadableMessage { return Document(m, "", "", "").DocumentMessage },
		} {
			m := store.upload(kind, file)
			if got, err := store.open(of(m)); err != nil || !bytes.Equal(got, file) {
				t.Errorf("%s: %d bytes come back as %x, %v", kind, size, got, err)
			}
			if m.Length != uint64(size) {
				t.Errorf("%s: the length is %d", kind, m.Length)
			}
		}
	}
}

func TestMediaRefusesToOpen(t *testing.T) {
	store := newMediaStore()
	m := store.upload(whatsmeow.MediaImage, []byte("picture"))
	other := store.upload(whatsmeow.MediaImage, []byte("picture"))
	for _, c := range []struct {
		name string
		of   whatsmeow.DownloadableMessage
	}{
		{"of another kind", Video(m, "").VideoMessage},
		{"that is not there", &waE2E.ImageMessage{MediaKey: m.Key, FileSHA256: m.SHA256, FileEncSHA256: m.EncSHA256}},
		{"with another key", &waE2E.ImageMessage{DirectPath: &m.DirectPath, MediaKey: other.Key, FileSHA256: m.SHA256, FileEncSHA256: m.EncSHA256}},
		{"with another hash", &waE2E.ImageMessage{DirectPath: &m.DirectPath, MediaKey: m.Key, FileEncSHA256: m.EncSHA256}},
		{"with another hash of the encrypted", &waE2E.ImageMessage{DirectPath: &m.DirectPath, MediaKey: m.Key, FileSHA256: m.SHA256}},
	} {
		if got, err := store.open(c.of); err == nil {
			t.Errorf("a file %s opens as %q", c.name, got)
		}
	}
	if got, err := store.open(Image(m, "").ImageMessage); string(got) != "picture" {
		t.Errorf("the file itself opens as %q, %v", got, err)
	}
}

func TestMediaDownload(t *testing.T) {
	s := &Server{media: newMediaStore()}
	m := s.Upload(whatsmeow.MediaImage, []byte("picture"))
	of := Image(m, "").ImageMessage
	w := fetched(s.media, of)
	if got, err := unseal(w.Body.Bytes(), of); w.Code != http.StatusOK || string(got) != "picture" {
		t.Errorf("a download gives %d and %q, %v", w.Code, got, err)
	}
	stranger := Image(m, "").ImageMessage
	stranger.FileEncSHA256 = make([]byte, 32)
	if w := fetched(s.media, stranger); w.Code != http.StatusForbidden {
		t.Errorf("without the hash: %d", w.Code)
	}
	s.Swell(m, 1<<20)
	if w := fetched(s.media, of); w.Body.Len() < 1<<20 || w.Header().Get("Content-Length") != "" {
		t.Errorf("a swollen download gives %d bytes, announced as %q", w.Body.Len(), w.Header().Get("Content-Length"))
	}
	s.Expire(m, http.StatusGone)
	if w := fetched(s.media, of); w.Code != http.StatusGone {
		t.Errorf("an expired file: %d", w.Code)
	}
	s.Delete(m)
	if w := fetched(s.media, of); w.Code != http.StatusNotFound {
		t.Errorf("a deleted file: %d", w.Code)
	}
}

func TestMediaUpload(t *testing.T) {
	store := newMediaStore()
	m, data := seal(whatsmeow.MediaDocument, []byte("text"))
	sum := sha256.Sum256(data)
	token := base64.URLEncoding.EncodeToString(sum[:])
	post := func(path, auth, token string) *httptest.ResponseRecorder {
		query := url.Values{"auth": {auth}, "token": {token}}.Encode()
		w := httptest.NewRecorder()
		store.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "https://"+mediaHostname+path+"?"+query, bytes.NewReader(data)))
		return w
	}
	for _, c := range []struct {
		name, path, auth, token string
		want                    int
	}{
		{"a stranger", "/mms/document/" + token, "none", token, http.StatusUnauthorized},
		{"another hash", "/mms/document/" + token, mediaAuth, "none", http.StatusBadRequest},
		{"elsewhere", "/other", mediaAuth, token, http.StatusNotFound},
	} {
		if w := post(c.path, c.auth, c.token); w.Code != c.want {
			t.Errorf("an upload by %s: %d; want %d", c.name, w.Code, c.want)
		}
	}
	w := post("/mms/document/"+token, mediaAuth, token)
	var told whatsmeow.UploadResponse
	if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Handle == "" || told.URL != "https://"+mediaHostname+told.DirectPath {
		t.Fatalf("an upload is answered with %s, %v", w.Body, err)
	}
	m.DirectPath = told.DirectPath
	if got, err := store.open(Document(m, "", "", "").DocumentMessage); string(got) != "text" {
		t.Errorf("what was uploaded opens as %q, %v", got, err)
	}
}

// asked is the receipt by which a client asks for the file of a message again.
func asked(id types.MessageID, key []byte) *node {
	answer := newPath(id, "", key)
	return &node{Tag: "receipt", Attrs: attrs{"id": id, "type": "server-error"}, Content: []node{
		answer, {Tag: "rmr", Attrs: attrs{"jid": anna, "from_me": false}},
	}}
}

func TestMediaRetry(t *testing.T) {
	s := &Server{media: newMediaStore()}
	m := s.Upload(whatsmeow.MediaImage, []byte("picture"))
	of := Image(m, "").ImageMessage
	s.Expire(m, http.StatusGone)
	path := retriedPath(t, s, of)
	if path == m.DirectPath {
		t.Errorf("the file is where it was, at %q", path)
	}
	of.DirectPath = &path
	if w := fetched(s.media, of); w.Code != http.StatusOK {
		t.Errorf("after uploading it again: %d", w.Code)
	}

	s.Delete(Media{DirectPath: path})
	for name, file := range map[string]whatsmeow.DownloadableMessage{"deleted": of, "unknown": nil} {
		n, err := s.media.retried(asked("M1", m.Key), file, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if got := n.GetChildByTag("error").Attrs["code"]; got != notOnPhone {
			t.Errorf("%s: the answer is the error %v", name, got)
		}
	}
	if n, err := s.media.retried(asked("M1", make([]byte, 32)), of, time.Now()); err == nil {
		t.Errorf("asked under another key, and was answered %v", n)
	}
}

// retriedPath asks for a file again and reads the answer as the library does.
func retriedPath(t *testing.T, s *Server, of whatsmeow.DownloadableMessage) string {
	t.Helper()
	n, err := s.media.retried(asked("M1", of.GetMediaKey()), of, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := n.GetChildByTag("encrypt", "enc_p").Content.([]byte)
	iv, _ := n.GetChildByTag("encrypt", "enc_iv").Content.([]byte)
	told, err := whatsmeow.DecryptMediaRetryNotification(
		&events.MediaRetry{Ciphertext: secret, IV: iv, MessageID: "M1"}, of.GetMediaKey())
	if err != nil {
		t.Fatal(err)
	}
	return told.GetDirectPath()
}
