package gmailtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	netmail "net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mail is a message of the mailbox.
type mail struct {
	id      string
	raw     []byte
	at      time.Time
	labels  []string
	history uint64 // when it came
	gone    bool   // it is listed, and there no more
}

// draft is a draft of the mailbox.
type draft struct {
	id   string
	mail *mail
}

// Draft is a draft as a test sees it.
type Draft struct {
	ID        string
	MessageID string // without its angle brackets
	Raw       []byte
}

// AddSent puts a mail that was sent into the mailbox. It returns its id.
func (g *Google) AddSent(raw []byte, at time.Time) (id string) { return g.Add(raw, at, "SENT") }

// Add puts a mail with labels into the mailbox, such as INBOX or CHAT.
func (g *Google) Add(raw []byte, at time.Time, labels ...string) (id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(raw, at, labels).id
}

// add is called with mu held.
func (g *Google) add(raw []byte, at time.Time, labels []string) *mail {
	g.history += 10
	m := &mail{id: fmt.Sprintf("18c%013x", g.history), raw: raw, at: at, labels: labels, history: g.history}
	g.mails = append(g.mails, m)
	return m
}

// Remove makes a mail one that is listed and cannot be read any more.
func (g *Google) Remove(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m := g.find(id); m != nil {
		m.gone = true
	}
}

// ForgetHistory makes every point of before too old to be compared with.
func (g *Google) ForgetHistory() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.history++
	g.oldest = g.history
}

// Drafts are the drafts that were made, oldest first.
func (g *Google) Drafts() []Draft {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Draft
	for _, d := range g.drafts {
		all = append(all, Draft{d.id, messageID(d.mail.raw), d.mail.raw})
	}
	return all
}

// find is called with mu held.
func (g *Google) find(id string) *mail {
	if i := slices.IndexFunc(g.mails, func(m *mail) bool { return m.id == id }); i >= 0 {
		return g.mails[i]
	}
	return nil
}

func (g *Google) serveProfile(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	send(w, http.StatusOK, map[string]any{"emailAddress": g.Address, "messagesTotal": len(g.mails), "historyId": strconv.FormatUint(g.history, 10)})
}

// serveList lists messages, newest first.
func (g *Google) serveList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	fits, ok := query(q.Get("q"))
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	var found []any
	for _, m := range slices.SortedStableFunc(slices.Values(g.mails), func(a, b *mail) int { return b.at.Compare(a.at) }) {
		if fits(m) && m.labelled(q["labelIds"]) {
			found = append(found, m.stub())
		}
	}
	from, to, next, ok := page(q.Get("pageToken"), q.Get("maxResults"), len(found), g.PageSize)
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	send(w, http.StatusOK, map[string]any{"messages": found[from:to], "nextPageToken": next, "resultSizeEstimate": len(found)})
}

// page is which part of n things a page is. An empty token is the first.
func page(token, most string, n, limit int) (from, to int, next string, ok bool) {
	size := min(limit, 100)
	if wanted, err := strconv.Atoi(most); err == nil && wanted > 0 {
		size = min(size, wanted)
	}
	if token != "" {
		if _, err := fmt.Sscanf(token, "page-from-%d", &from); err != nil || from > n {
			return 0, 0, "", false
		}
	}
	if to = min(from+size, n); to < n {
		next = fmt.Sprintf("page-from-%d", to)
	}
	return from, to, next, true
}

// query reads a search. A word that the double does not know is an error.
func query(text string) (fits func(*mail) bool, ok bool) {
	var all []func(*mail) bool
	for word := range strings.FieldsSeq(text) {
		f := term(word)
		if f == nil {
			return nil, false
		}
		all = append(all, f)
	}
	return func(m *mail) bool {
		return !slices.ContainsFunc(all, func(f func(*mail) bool) bool { return !f(m) })
	}, true
}

// term is one word of a search; nil for one that is not known.
func term(word string) func(*mail) bool {
	op, value, _ := strings.Cut(word, ":")
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case word == "in:sent":
		return func(m *mail) bool { return slices.Contains(m.labels, "SENT") }
	case word == "-in:chats":
		return func(m *mail) bool { return !slices.Contains(m.labels, "CHAT") }
	case word == "smaller:4M":
		return func(m *mail) bool { return len(m.raw) < 4<<20 }
	case op == "after" && err == nil:
		return func(m *mail) bool { return m.at.Unix() > n }
	case op == "rfc822msgid" && value != "":
		return func(m *mail) bool { return messageID(m.raw) == strings.Trim(value, "<>") }
	}
	return nil
}

// messageID is the Message-ID of a mail without its angle brackets.
func messageID(raw []byte) string {
	m, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		return ""
	}
	return strings.Trim(m.Header.Get("Message-Id"), "<>")
}

func (m *mail) labelled(want []string) bool {
	return !slices.ContainsFunc(want, func(l string) bool { return !slices.Contains(m.labels, l) })
}

// stub is a message in a list.
func (m *mail) stub() map[string]any { return map[string]any{"id": m.id, "threadId": m.id} }

// whole is a message as format=raw gives it.
func (m *mail) whole() map[string]any {
	return map[string]any{
		"id": m.id, "threadId": m.id, "labelIds": m.labels, "historyId": strconv.FormatUint(m.history, 10), "snippet": "",
		"internalDate": strconv.FormatInt(m.at.UnixMilli(), 10), "sizeEstimate": len(m.raw), "raw": base64.URLEncoding.EncodeToString(m.raw),
	}
}

func (g *Google) serveMessage(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.find(r.PathValue("id"))
	switch {
	case m == nil || m.gone:
		refuse(w, http.StatusNotFound, "notFound")
	case r.URL.Query().Get("format") != "raw":
		refuse(w, http.StatusBadRequest, "invalidArgument")
	default:
		send(w, http.StatusOK, m.whole())
	}
}

// serveHistory lists what came since a point.
func (g *Google) serveHistory(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	since, err := strconv.ParseUint(q.Get("startHistoryId"), 10, 64)
	if err != nil || !slices.Equal(q["historyTypes"], []string{"messageAdded"}) {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if since < g.oldest {
		refuse(w, http.StatusNotFound, "notFound")
		return
	}
	var came []any
	for _, m := range g.mails {
		if m.history > since && (q.Get("labelId") == "" || slices.Contains(m.labels, q.Get("labelId"))) {
			added := m.stub()
			added["labelIds"] = m.labels
			came = append(came, map[string]any{"id": strconv.FormatUint(m.history, 10), "messages": []any{m.stub()}, "messagesAdded": []any{map[string]any{"message": added}}})
		}
	}
	from, to, next, ok := page(q.Get("pageToken"), q.Get("maxResults"), len(came), g.PageSize)
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	send(w, http.StatusOK, map[string]any{"history": came[from:to], "nextPageToken": next, "historyId": strconv.FormatUint(g.history, 10)})
}

func (d *draft) stub() map[string]any { return map[string]any{"id": d.id, "message": d.mail.stub()} }

// serveDrafts lists drafts.
func (g *Google) serveDrafts(w http.ResponseWriter, r *http.Request) {
	fits, ok := query(r.URL.Query().Get("q"))
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	var found []any
	for _, d := range g.drafts {
		if fits(d.mail) {
			found = append(found, d.stub())
		}
	}
	send(w, http.StatusOK, map[string]any{"drafts": found, "resultSizeEstimate": len(found)})
}

func (g *Google) serveDraft(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.drafts, func(d *draft) bool { return d.id == r.PathValue("id") })
	if i < 0 {
		refuse(w, http.StatusNotFound, "notFound")
		return
	}
	send(w, http.StatusOK, map[string]any{"id": g.drafts[i].id, "message": g.drafts[i].mail.whole()})
}

// serveNewDraft makes a draft of what is a mail.
func (g *Google) serveNewDraft(w http.ResponseWriter, r *http.Request) {
	raw, ok := drafted(r)
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	d := &draft{fmt.Sprintf("r-%d", len(g.drafts)+1), g.add(raw, time.Now(), []string{"DRAFT"})}
	g.drafts = append(g.drafts, d)
	send(w, http.StatusOK, d.stub())
}

// serveDraftAnew puts a mail in the place of that of a draft.
func (g *Google) serveDraftAnew(w http.ResponseWriter, r *http.Request) {
	raw, ok := drafted(r)
	if !ok {
		refuse(w, http.StatusBadRequest, "invalidArgument")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.drafts, func(d *draft) bool { return d.id == r.PathValue("id") })
	if i < 0 {
		refuse(w, http.StatusNotFound, "notFound")
		return
	}
	old := g.drafts[i].mail
	g.mails = slices.DeleteFunc(g.mails, func(m *mail) bool { return m == old })
	g.drafts[i].mail = g.add(raw, time.Now(), []string{"DRAFT"})
	send(w, http.StatusOK, g.drafts[i].stub())
}

// drafted is the mail of a request for a draft.
func drafted(r *http.Request) (raw []byte, ok bool) {
	var in struct{ Message struct{ Raw string } }
	err := json.NewDecoder(r.Body).Decode(&in)
	raw, wrong := base64.URLEncoding.DecodeString(in.Message.Raw)
	_, flaw := netmail.ReadMessage(strings.NewReader(string(raw)))
	return raw, err == nil && wrong == nil && flaw == nil
}
