//go:build linux

package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// page is the chat of the page as a browser has it: it connects again and again, says
// anew what was not taken, shows each part once and says that it did.
type page struct {
	url, token string
	wake       chan struct{} // something is to be said

	mu     sync.Mutex
	number int
	unsaid []pageFrame
	known  map[string]bool // parts that are shown
	shown  []string
}

// pageFrame is what goes either way.
type pageFrame struct {
	T      string `json:"t"`
	ID     string `json:"id,omitempty"`
	Text   string `json:"text,omitempty"`
	Repeat bool   `json:"repeat,omitempty"`
}

func newPage(base, token string) *page {
	return &page{url: "ws" + strings.TrimPrefix(base, "http") + "/ws", token: token, wake: make(chan struct{}, 1), known: map[string]bool{}}
}

func (p *page) say(text string) {
	p.mu.Lock()
	p.number++
	p.unsaid = append(p.unsaid, pageFrame{T: "say", ID: fmt.Sprint("say-", p.number), Text: text})
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *page) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.shown...)
}

// open keeps it open until stop is closed.
func (p *page) open(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(50 * time.Millisecond):
		}
		conn, _, err := websocket.DefaultDialer.Dial(p.url, http.Header{"Authorization": {"Bearer " + p.token}})
		if err != nil {
			continue
		}
		p.attached(conn, stop)
	}
}

// attached speaks on one connection until it ends.
func (p *page) attached(conn *websocket.Conn, stop <-chan struct{}) {
	got, over := make(chan pageFrame), make(chan struct{})
	defer close(over)
	defer conn.Close()
	go func() {
		defer close(got)
		for {
			var f pageFrame
			if conn.ReadJSON(&f) != nil {
				return
			}
			select {
			case got <- f:
			case <-over:
				return
			}
		}
	}()
	said := 0 // of what is to be said, on this connection
	for {
		select {
		case <-stop:
			return
		case <-p.wake:
		case f, ok := <-got:
			if !ok || f.T == "error" && f.ID != "" { // what was not taken is said anew
				return
			}
			if f.T == "part" && conn.WriteJSON(p.show(f)) != nil {
				return
			}
			if f.T == "stored" && p.taken(f.ID) {
				said--
			}
		}
		for _, f := range p.rest(said) {
			if conn.WriteJSON(f) != nil {
				return
			}
			said++
		}
	}
}

// show shows a part, labelled as the page does it, and returns what tells so.
func (p *page) show(f pageFrame) pageFrame {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.known[f.ID] {
		p.known[f.ID] = true
		if f.Repeat {
			f.Text = label + f.Text
		}
		p.shown = append(p.shown, f.Text)
	}
	return pageFrame{T: "shown", ID: f.ID}
}

// taken drops what is stored.
func (p *page) taken(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.unsaid {
		if f.ID == id {
			p.unsaid = append(p.unsaid[:i:i], p.unsaid[i+1:]...)
			return true
		}
	}
	return false
}

// rest is what is not said on this connection yet.
func (p *page) rest(said int) []pageFrame {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]pageFrame(nil), p.unsaid[said:]...)
}
