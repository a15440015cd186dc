package recollect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory/recall"
	"nacre/memory/render"
)

// page is a result of history_search, and what the model reads of it behind the hits.
type page struct {
	Total    int    `json:"totalMatches"`
	Next     string `json:"nextCursor"`
	Complete bool   `json:"complete"`
	Remark   string `json:"remark,omitempty"`

	shown []hit
}

// hit is a message, with those around it where they are shown with it.
type hit struct {
	text  recall.Text
	near  []recall.Text // itself among them
	words bool          // it has some of those that were asked for, or none were
}

// withoutNeighbours drops the messages that were found for the sake of a hit near
// them alone: what stands beside a hit is shown with it.
func (p *page) withoutNeighbours() {
	near := map[recall.Key]bool{}
	for _, h := range p.shown {
		for _, t := range h.near {
			near[t.Key] = near[t.Key] || h.words
		}
	}
	p.shown = slices.DeleteFunc(p.shown, func(h hit) bool { return !h.words && near[h.text.Key] })
}

// withoutPresent drops the messages that are being answered.
func (p *page) withoutPresent(c nacre.Caller) {
	p.shown = slices.DeleteFunc(p.shown, func(h hit) bool {
		now := present(c, h.text)
		if now && h.words {
			p.Total--
		}
		return now
	})
}

// beside are the messages before and after a hit, as far as there are any.
func (h hit) beside() (before, after []recall.Text) {
	i := slices.IndexFunc(h.near, func(t recall.Text) bool { return t.Key == h.text.Key })
	if i < 0 {
		return nil, nil
	}
	return h.near[max(0, i-1):i], h.near[i+1 : min(len(h.near), i+2)]
}

// strange reports whether a hit shows words of others.
func (h hit) strange() bool {
	before, after := h.beside()
	return slices.ContainsFunc(slices.Concat([]recall.Text{h.text}, before, after), func(t recall.Text) bool { return t.Strange })
}

// shownHit is a hit as the model reads it.
type shownHit struct {
	ID     string `json:"id"`
	At     string `json:"at"`
	Who    string `json:"who"`
	Text   string `json:"text"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// What is said about a result in words.
const (
	notComplete = "Older messages are still being indexed; search again in a moment."
	nothingHere = "Nothing in these chats matches."
)

// maxPage bounds the characters of a result.
const maxPage = 12_000

// sizes are how many characters of a hit, and of each neighbour, are shown: the first
// with which all hits fit.
var sizes = []struct{ text, near int }{{maxExcerpt, 200}, {700, 150}, {400, 100}, {200, 60}, {80, 30}}

// result shows a page of hits. Words of others on it taint what is made of them.
func (r *Recollector) result(c nacre.Caller, p page, w words) agent.Result {
	switch {
	case !p.Complete:
		p.Remark = notComplete
	case len(p.shown) == 0 && p.Next == "":
		p.Remark = nothingHere
	}
	res := agent.Result{Text: r.sized(c, p, w)}
	var front Front
	for _, h := range p.shown {
		front.Messages = append(front.Messages, h.text.Key)
		if h.strange() {
			res.Source = llm.FromOthers
		}
	}
	r.put(c, front)
	return res
}

// sized writes a page so that all of its hits fit.
func (r *Recollector) sized(c nacre.Caller, p page, w words) (text string) {
	for _, size := range sizes {
		var hits []string
		for _, h := range p.shown {
			hits = append(hits, r.showHit(c, h, w, size.text, size.near))
		}
		if text = p.json(hits); utf8.RuneCountInString(text) <= maxPage {
			break
		}
	}
	return text
}

// showHit makes the line of a hit.
func (r *Recollector) showHit(c nacre.Caller, h hit, w words, most, near int) string {
	line := shownHit{
		ID: strconv.FormatInt(int64(h.text.Key), 10), At: r.at(c, h.text.Sent), Who: who(h.text),
		Text: oneLine(most, func(n int) string { return r.excerpt(h.text.Text, w, n) }),
	}
	before, after := h.beside()
	for _, t := range before {
		line.Before = neighbour(t, near)
	}
	for _, t := range after {
		line.After = neighbour(t, near)
	}
	return encode(line)
}

// neighbour is the beginning of a message, with whose it is.
func neighbour(t recall.Text, most int) string {
	return who(t) + ": " + oneLine(most, func(n int) string { return beginning(t.Text, n) })
}

// who says whose a message is, and if it was said to another assistant, or by one.
func who(t recall.Text) string {
	switch {
	case t.Elsewhere != "" && t.Author == recall.ByOwner:
		return speaker(t) + ", to " + name(t.Elsewhere)
	case t.Elsewhere != "":
		return speaker(t) + ", in another assistant's chat (no fact)"
	case t.Strange:
		return speaker(t) + ", passing on words of others"
	}
	return speaker(t)
}

// oneLine is a text on one line of at most so many characters; less of it is taken if
// much of it is written by number.
func oneLine(most int, take func(n int) string) string {
	for n := most; ; n = n * 2 / 3 {
		if line := render.Plain(take(n)); n <= 1 || utf8.RuneCountInString(line) <= most {
			return line
		}
	}
}

// json is a page of which the lines of all hits are made: one object, with a line for
// each.
func (p page) json(hits []string) string {
	if len(hits) > 0 {
		hits[0] = "\n" + hits[0]
	}
	return `{"hits":[` + strings.Join(hits, ",\n") + "]," + strings.TrimPrefix(encode(p), "{")
}

// encode is JSON without the escapes that only web pages need. What it is given is
// made of texts and numbers and cannot fail.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
