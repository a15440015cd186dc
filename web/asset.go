package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"time"
)

// assets is what browsers load: plain files, none made by a build.
//
//go:embed page
var assets embed.FS

// contentTypes does not ask the system, whose table may differ.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// asset serves a file of the page. Browsers keep all but the pages themselves,
// and ask each time whether what they have is still right.
func asset(name string) http.Handler {
	body, err := assets.ReadFile("page/" + name)
	if err != nil {
		panic(err) // the name stands in this package
	}
	kind, sum := path.Ext(name), sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentTypes[kind])
		if kind != ".html" {
			h.Set("Cache-Control", "no-cache")
			h.Set("ETag", tag)
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// show is asset for those who are logged in.
func show(name string) member {
	h := asset(name)
	return func(w http.ResponseWriter, r *http.Request, _ visitor) error {
		h.ServeHTTP(w, r)
		return nil
	}
}
