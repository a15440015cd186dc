package wadouble

import (
	"fmt"
	"net/http"
	"sync"

	"go.mau.fi/whatsmeow"
)

// Media is a file on WhatsApp's hosts, as messages tell of it. Words of messages are
// made from it by Image, Document and the like; a test that lies about a file
// changes it before.
type Media struct {
	URL, DirectPath   string
	Key               []byte // from which the keys of its encryption are derived
	SHA256, EncSHA256 []byte // of the file, and of what the host keeps
	Length            uint64 // bytes of the file
}

// Upload encrypts a file as a phone does and puts it on the hosts. The kind is one
// of whatsmeow's, MediaImage for stickers too.
func (s *Server) Upload(kind whatsmeow.MediaType, file []byte) Media {
	return s.media.upload(kind, file)
}

// Expire makes the hosts lose a file: a download gets the HTTP status, 403, 404 or
// 410, until the client asks a phone to upload the file again.
func (s *Server) Expire(m Media, status int) {
	s.media.change(m, func(f *hosted) { f.status = status })
}

// Delete makes everybody lose a file: it is neither on the hosts nor on the phone.
func (s *Server) Delete(m Media) {
	s.media.change(m, func(f *hosted) { f.status, f.deleted = http.StatusNotFound, true })
}

// Swell makes a download go on for so many bytes, which no header announces.
func (s *Server) Swell(m Media, bytes int64) {
	s.media.change(m, func(f *hosted) { f.swollen = bytes })
}

// mediaStore is the hosts for files. It is an http.Handler for all of them.
type mediaStore struct {
	mu    sync.Mutex // guards all below
	last  int
	files map[string]*hosted // by path
}

// hosted is a file on the hosts.
type hosted struct {
	data    []byte // encrypted; it never changes
	status  int    // instead of the data, if it is not 0
	deleted bool   // the phones do not have it either
	swollen int64  // bytes that follow the data
}

func newMediaStore() *mediaStore {
	return &mediaStore{files: map[string]*hosted{}}
}

func (h *mediaStore) upload(kind whatsmeow.MediaType, file []byte) Media {
	m, data := seal(kind, file)
	m.DirectPath = h.keep(data)
	m.URL = "https://" + mediaHostname + m.DirectPath
	return m
}

// keep stores what is encrypted already and gives its direct path, which has a query
// because clients append to it.
func (h *mediaStore) keep(data []byte) (directPath string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	path := fmt.Sprintf("/v/t62.7118-24/%d.enc", h.last)
	h.files[path] = &hosted{data: data}
	return path + "?ccb=11-4"
}

// find is the file at a direct path, with or without its query; nil if there never
// was one. The caller holds mu.
func (h *mediaStore) find(directPath string) *hosted { return h.files[pathOf(directPath)] }

func (h *mediaStore) change(m Media, how func(*hosted)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.find(m.DirectPath); f != nil {
		how(f)
	}
}

// open is the file of which a message of a client tells, decrypted.
func (h *mediaStore) open(of whatsmeow.DownloadableMessage) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.find(of.GetDirectPath())
	if f == nil {
		return nil, fmt.Errorf("no file at %q", of.GetDirectPath())
	}
	return unseal(f.data, of)
}
