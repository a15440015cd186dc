package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

// assets is what browsers load: plain files, none made by a build. page/lit is
// lit-html as its makers publish it; page/lit/README.md says which.
//
//go:embed page
var assets embed.FS

// rooms are the paths of the page; what stands behind one is the page's own. Each
// is the same file, which shows what belongs to its path.
var rooms = []string{"/", "/memory", "/history", "/jobs", "/usage", "/channels", "/settings"}

// isRoom reports whether a path is one of the page's.
func isRoom(p string) bool {
	for _, room := range rooms {
		if p == room || room != "/" && strings.HasPrefix(p, room+"/") {
			return true
		}
	}
	return false
}

// open are the files that those need who are not logged in yet.
var open = map[string]bool{"login.js": true, "gmail.js": true, "style.css": true, "rooms.css": true, "icon.svg": true, "words.js": true, "de/login.js": true}

// contentTypes does not ask the system, whose table may differ.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// files are the names of all that pages load.
func files() (names []string) {
	err := fs.WalkDir(assets, "page", func(name string, d fs.DirEntry, err error) error {
		if kind := path.Ext(name); err == nil && kind != ".html" && contentTypes[kind] != "" {
			names = append(names, strings.TrimPrefix(name, "page/"))
		}
		return err
	})
	if err != nil {
		panic(err) // they are part of the program
	}
	return names
}

// content is a file as it is sent, and the tag by which browsers know it again.
type content struct {
	body, small []byte // small is compressed
	tag         string
}

// load makes what is sent of a file. Nothing of it is in memory before it is asked
// for.
func load(name string) content {
	body, err := assets.ReadFile("page/" + name)
	if err != nil {
		panic(err) // files names what is there
	}
	if fat := padding[path.Ext(name)]; fat != nil && path.Dir(name) != "lit" {
		body = fat.ReplaceAll(body, nil)
	}
	sum := sha256.Sum256(body)
	return content{body, compressed(body), hex.EncodeToString(sum[:8])}
}

// asset serves a file of the page, compressed for those who take that. Browsers
// keep all but the pages themselves, and ask each time whether what they have is
// still right.
func asset(name string) http.Handler {
	kind, loaded := path.Ext(name), sync.OnceValue(func() content { return load(name) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, c := w.Header(), loaded()
		body, tag := c.body, c.tag
		h.Set("Content-Type", contentTypes[kind])
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && r.Header.Get("Range") == "" {
			h.Set("Content-Encoding", "gzip")
			body, tag = c.small, tag+"-z"
		}
		if kind != ".html" {
			h.Set("Cache-Control", "no-cache")
			h.Set("ETag", `"`+tag+`"`)
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// padding is what browsers need not be sent: comments, in scripts those that have lines
// of their own, and what lines are indented by. In scripts the lines themselves stay, so
// that browsers name the same ones in errors.
var padding = map[string]*regexp.Regexp{
	".js":  regexp.MustCompile(`(?m)^[ \t]*(?://.*$)?`),
	".css": regexp.MustCompile(`(?ms)^\s+|/\*.*?\*/\s*`),
}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is known
	w.Write(body)                                         // memory takes it
	w.Close()
	return b.Bytes()
}

// show is asset for those who are logged in.
func show(name string) member {
	h := asset(name)
	return func(w http.ResponseWriter, r *http.Request, _ visitor) error {
		h.ServeHTTP(w, r)
		return nil
	}
}
