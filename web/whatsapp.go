package web

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"nacre"
)

// WhatsApp is how WhatsApp is set up.
type WhatsApp struct {
	Own    bool `json:"own"`    // the number is the operator's own, so that only the chat with oneself is for Nacre
	Linked bool `json:"linked"` // an account is linked, be it connected or not; false while no server runs
}

type (
	linkRequest struct {
		Phone string `json:"phone"` // empty links by a QR code
	}

	// linkLine is one line of the answer to a linkRequest, which ends with an
	// Account or an Error.
	linkLine struct {
		nacre.LinkStep
		SVG    string `json:"svg,omitempty"`     // the QR code as a picture
		LeftMS int64  `json:"left_ms,omitempty"` // milliseconds until Until, for clocks that differ
		Error  string `json:"error,omitempty"`   // why the account was not linked
		Kind   string `json:"kind,omitempty"`    // of the Error, as a problem's
	}
)

// link tells each step of linking in a line of its own as it comes. It takes as
// long as the person takes, and is over when they go away. What fails
// before there is a line is answered as everywhere.
func link(desk Desk) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in linkRequest
		if err := read(w, r, &in); err != nil { // whole, since only behind its end the server notices that a client goes away
			return err
		}
		ctx, cancel := context.WithCancel(r.Context())
		t := &telling{w: w, giveUp: cancel}
		quiet := t.breathe(ctx)
		err := desk.LinkWhatsApp(ctx, in.Phone, t.step)
		cancel()
		<-quiet
		return t.end(cmp.Or(t.err, err))
	}
}

// telling is an answer that is made line by line.
type telling struct {
	giveUp func()

	mu    sync.Mutex // guards all below
	w     http.ResponseWriter
	begun bool
	err   error // why it was given up; nil if it was not
}

// step tells a person what to do next.
func (t *telling) step(s nacre.LinkStep) {
	l := linkLine{LinkStep: s}
	if !s.Until.IsZero() {
		l.LeftMS = max(1, time.Until(s.Until).Milliseconds())
	}
	if s.QR != "" {
		var err error
		if l.SVG, err = drawSVG(s.QR); err != nil {
			t.fail(err)
			return
		}
	}
	t.line(l)
}

// fail gives the whole up.
func (t *telling) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = cmp.Or(t.err, err)
	t.giveUp()
}

// line sends a line of JSON.
func (t *telling) line(l any) {
	b, err := json.Marshal(l)
	if err == nil {
		err = t.write(append(b, '\n'))
	}
	if err != nil {
		t.fail(err)
	}
}

// write sends bytes at once.
func (t *telling) write(b []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.begun = true
		t.w.Header().Set("Content-Type", "application/x-ndjson")
		t.w.Header().Set("X-Accel-Buffering", "no") // nginx would collect the lines
	}
	control := http.NewResponseController(t.w)
	control.SetWriteDeadline(time.Now().Add(writeWait + time.Duration(len(b)/slowest)*time.Second))
	if _, err := t.w.Write(b); err != nil {
		return err
	}
	return control.Flush()
}

// breathe sends empty lines until ctx ends, because proxies cut off what is
// silent for a minute. It closes what it returns when the last is sent.
func (t *telling) breathe(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(pingEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := t.write([]byte("\n")); err != nil {
					t.fail(err)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return done
}

// end tells the error of what is begun; it returns one that is not told yet.
func (t *telling) end(err error) error {
	if err == nil || !t.begun {
		return err
	}
	p := problemOf(err)
	t.line(linkLine{Error: p.Text, Kind: p.Kind})
	return nil
}

// LinkWhatsApp implements Desk.
func (c *Client) LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	answer, err := c.open(ctx, http.MethodPost, "/api/whatsapp/link", linkRequest{phone})
	if err != nil {
		return err
	}
	defer answer.Close()
	linked := false
	for lines := json.NewDecoder(answer); ; {
		var l linkLine
		err := lines.Decode(&l)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && linked:
			return nil
		case err != nil:
			return nacre.Errorf(nacre.Transient, "Nacre ended before the account was linked; when it runs again, look with: nacre status")
		case l.Error != "":
			return &nacre.Error{Kind: problem{Kind: l.Kind}.kind(), Text: l.Error}
		}
		show(l.LinkStep)
		linked = linked || l.Account != ""
	}
}

// UnlinkWhatsApp implements Desk.
func (c *Client) UnlinkWhatsApp(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/api/whatsapp/unlink", nil, nil)
}
