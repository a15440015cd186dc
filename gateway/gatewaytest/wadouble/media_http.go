package wadouble

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const (
	mediaHostname = "mmg.whatsapp.net"
	mediaAuth     = "a-token-for-media"
)

// mediaConn tells a client where the hosts are and how it may use them.
func mediaConn() node {
	return node{
		Tag: "media_conn",
		Attrs: attrs{
			"auth": mediaAuth, "ttl": 3600, "auth_ttl": 21600, "max_buckets": 12,
		},
		Content: []node{{Tag: "host", Attrs: attrs{"hostname": mediaHostname}}},
	}
}

// ServeHTTP takes uploads at /mms/<kind>/<token> and gives out what was uploaded.
func (h *mediaStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet:
		h.download(w, r)
	case r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/mms/"):
		http.NotFound(w, r)
	case r.FormValue("auth") != mediaAuth:
		http.Error(w, "no or another token for media", http.StatusUnauthorized)
	default:
		h.take(w, r)
	}
}

// take keeps an upload whose token is the hash of its bytes.
func (h *mediaStore) take(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	sum := sha256.Sum256(data)
	if token := base64.URLEncoding.EncodeToString(sum[:]); r.FormValue("token") != token {
		http.Error(w, "the token is not the hash", http.StatusBadRequest)
		return
	}
	path := h.keep(data)
	json.NewEncoder(w).Encode(map[string]string{
		"url":         "https://" + mediaHostname + path,
		"direct_path": path,
		"handle":      fmt.Sprintf("handle-%x", sum[:4]),
	})
}

// download gives out a file to whoever knows its hash.
func (h *mediaStore) download(w http.ResponseWriter, r *http.Request) {
	data, swollen, status := h.given(r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(data)
	if swollen > 0 {
		http.NewResponseController(w).Flush()
		io.CopyN(w, zeros{}, swollen)
	}
}

// given is what the answer to a download is made of.
func (h *mediaStore) given(r *http.Request) (data []byte, swollen int64, status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.find(r.URL.Path)
	if f == nil {
		return nil, 0, http.StatusNotFound
	}
	if f.status != 0 {
		return nil, 0, f.status
	}
	sum := sha256.Sum256(f.data)
	if r.FormValue("hash") != base64.URLEncoding.EncodeToString(sum[:]) {
		return nil, 0, http.StatusForbidden
	}
	return f.data, f.swollen, http.StatusOK
}

// zeros is a stream without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func pathOf(directPath string) string {
	path, _, _ := strings.Cut(directPath, "?")
	return path
}
