package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// thePage is where browsers reach the page in the suite.
const thePage = "http://localhost"

// window is a browser, or a program, before the page.
type window struct {
	c      *trial
	cookie string
	header http.Header // of each request
}

// window is one in which nobody is logged in.
func (c *trial) window() *window {
	return &window{c: c, header: http.Header{"Origin": {thePage}, "Sec-Fetch-Site": {"same-origin"}}}
}

// browser is one in which a user is logged in.
func (c *trial) browser(user int64) *window {
	c.t.Helper()
	site, err := web.NewSite(web.Serving{Listen: "localhost:80"})
	if err != nil {
		c.t.Fatal(err)
	}
	link, err := c.app.porter.Link(c.t.Context(), site, c.owner(user))
	if err != nil {
		c.t.Fatal(err)
	}
	_, secret, _ := strings.Cut(link, "#")
	w := c.window()
	r := w.request("POST", "/login", strings.NewReader(url.Values{"link": {secret}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, k := range w.answer(r).Result().Cookies() {
		w.cookie = k.Name + "=" + k.Value
	}
	c.needs(w.cookie != "", "%d is logged in", user)
	return w
}

func (w *window) request(method, path string, body *strings.Reader) *http.Request {
	r := httptest.NewRequest(method, thePage+path, body)
	for name, values := range w.header {
		r.Header[name] = values
	}
	if w.cookie != "" {
		r.Header.Set("Cookie", w.cookie)
	}
	return r
}

// answer is that of the program, which may be another one than when the window was
// opened.
func (w *window) answer(r *http.Request) *httptest.ResponseRecorder {
	w.c.t.Helper()
	site, err := web.NewSite(web.Serving{Listen: "localhost:80"})
	if err != nil {
		w.c.t.Fatal(err)
	}
	a := w.c.app
	out := httptest.NewRecorder()
	web.Public(web.Options{Desk: a, Chat: a.page, Porter: a.porter, Site: site, Operator: func() nacre.OwnerID { return a.operator }, Log: a.log}).ServeHTTP(out, r)
	return out
}

// asks asks the API, and returns the status and what it says.
func (w *window) asks(method, path string, in any) (int, string) {
	w.c.t.Helper()
	body := ""
	if method != "GET" {
		body = asJSON(in)
	}
	out := w.answer(w.request(method, "/api/"+path, strings.NewReader(body)))
	return out.Code, out.Body.String()
}

// decides asks for a decision; true if it was carried out.
func (w *window) decides(do string, change web.Change) bool {
	w.c.t.Helper()
	status, text := w.asks("POST", "memory/"+do, change)
	var out web.Outcome
	return status == http.StatusOK && json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&out) == nil && out.Refused == ""
}

// reads is what waits, as the page shows it.
func (w *window) reads() (sheets []web.Sheet) {
	w.c.t.Helper()
	status, text := w.asks("GET", "memory/review", nil)
	if err := json.Unmarshal([]byte(text), &sheets); err != nil || status != http.StatusOK {
		w.c.t.Fatalf("what waits: %d, %v", status, err)
	}
	return sheets
}

// decisions are the ways to decide on what waits.
var decisions = []string{"confirm", "edit", "keep", "reject", "archive", "pin"}

// decidedOnThePage is everybody who may not decide over the API, and then the owner,
// who is shown each text before. It returns the owner's browser.
func (c *trial) decidedOnThePage() *window {
	mine, theirs := c.browser(ann), c.browser(bea)
	n := c.waiting(ann)[29]
	forged, foreign, silent := c.window(), *mine, *mine
	forged.header = http.Header{"Authorization": {"Bearer sk-test-secret"}} // what models and tools are given
	foreign.header = http.Header{"Origin": {"https://evil.example"}, "Sec-Fetch-Site": {"cross-site"}}
	silent.header = http.Header{}
	for name, w := range map[string]*window{"nobody": c.window(), "who has the key of a model": forged, "another owner": theirs, "a page of others": &foreign, "who does not say where from": &silent} {
		for _, do := range decisions {
			c.never(w.decides(do, web.Change{Note: n.ID, Hash: n.Hash(), Text: "I like zqx-shop29"}), "%s decides by %s", name, do)
		}
		c.never(len(c.waiting(ann)) != 30, "%s decided: %d wait", name, len(c.waiting(ann)))
	}
	for _, path := range []string{"memory?which=all", "memory/review", "memory/pinned", "memory/export"} {
		_, text := theirs.asks("GET", path, nil)
		c.never(holdsWord(text, "zqx-shop"), "another owner reads it at %s", path)
	}
	c.notAtOnce(mine)
	sheets := mine.reads()
	c.control(len(sheets) == 30 && holdsWord(sheets[0].Note.Text, "zqx-shop00") && len(sheets[0].Said) == 1 && holdsWord(sheets[0].Said[0].Text, "zqx-shop00"),
		"the owner is shown each note and the words that it rests on: %d", len(sheets))
	last := sheets[29].Note
	c.must(mine.decides("reject", web.Change{Note: last.ID, Hash: last.Hash}), "the owner rejects on the page")
	c.must(c.state(ann).Tombstones() == 1 && len(mine.reads()) == 29, "and that leaves a tombstone")
	c.must(mine.decides("undo", web.Change{}) && len(mine.reads()) == 30 && c.state(ann).Tombstones() == 0, "and takes it back on the page")
	c.must(c.lastWriter() == memory.ByPage, "which the log knows to be theirs, on the page: %s", c.lastWriter())
	return mine
}

// notAtOnce is that no request decides on more than one note, or on one whose text
// was not shown.
func (c *trial) notAtOnce(w *window) {
	for _, body := range []string{`{"note":["a","b"]}`, `{"notes":["a","b"]}`, `{"which":"waiting"}`, `{"all":true}`, `[]`, `{}`, `{"note":"*"}`} {
		for _, do := range decisions {
			r := w.request("POST", "/api/memory/"+do, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			c.never(w.answer(r).Code == http.StatusOK, "%s of %s is taken", do, body)
		}
	}
	first, other := c.waiting(ann)[0], c.waiting(ann)[1]
	for _, do := range []string{"confirm", "edit", "keep", "reject"} {
		c.never(w.decides(do, web.Change{Note: first.ID, Hash: other.Hash(), Text: "I like zqx-shop00"}), "%s by the looks of another note", do)
	}
	c.never(len(c.waiting(ann)) != 30, "something was decided at once: %d wait", len(c.waiting(ann)))
}

// lastWriter is who changed memory last.
func (c *trial) lastWriter() memory.Writer {
	ops := c.ops(ann)
	return ops[len(ops)-1].Writer
}

// expired is a browser whose login is too old, before a note that waits.
func (c *trial) expired(w *window) {
	n := c.waiting(ann)[0]
	for _, do := range decisions {
		c.never(w.decides(do, web.Change{Note: n.ID, Hash: n.Hash(), Text: "I like zqx-shop29"}), "an expired session decides by %s", do)
	}
	status, _ := w.asks("GET", "memory/review", nil)
	c.must(status == http.StatusUnauthorized, "and reads nothing: %d", status)
	c.control(len(c.browser(ann).reads()) > 0, "one that is logged in anew does")
}
