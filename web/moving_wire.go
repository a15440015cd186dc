package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"nacre"
)

// movingRoutes are where Moving is asked.
func movingRoutes(m func(Hand) Moving) []route {
	return []route{
		{"POST /api/import", false, takeover(m)},
		{"GET /api/export/archive", false, takeaway(m)},
	}
}

const (
	// intakePause is how long what is imported may take for each intakeStep of its bytes
	// to come in: whoever is slower than 64 kB a second for that long is cut off.
	intakePause = time.Minute
	intakeStep  = slowest * int64(intakePause/time.Second)
	// tellEvery is how long an answer rests between two lines that tell how far it is.
	tellEvery = 300 * time.Millisecond
)

// importLine is one line of the answer to an import. The last has an Imported or a
// Problem.
type importLine struct {
	Progress *ImportProgress `json:"progress,omitempty"`
	Imported *Imported       `json:"imported,omitempty"`
	Problem  *problem        `json:"problem,omitempty"`
}

// takeover serves an import. What is asked stands in the address, because the body
// is what is imported. Nothing is answered before all of it has come in, since many
// clients listen only then; from then on it tells now and then how far it is, and it
// is over when the client goes away. What fails before there is a line is answered
// as everywhere.
func takeover(m func(Hand) Moving) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var wish ImportWish
		if err := readQuery(r.URL.RawQuery, fieldsOf(&wish)); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		t := &telling{w: w, giveUp: cancel}
		in := &incoming{body: r.Body, control: http.NewResponseController(w)}
		in.whole = func() { in.quiet = t.breathe(ctx) }
		done, err := m(handOf(r.Context())).Import(ctx, wish, in, t.progress())
		cancel()
		if in.quiet != nil {
			<-in.quiet
		}
		if err := cmp.Or(t.err, err); err != nil {
			return t.endImport(r.Context(), err)
		}
		t.line(importLine{Imported: &done})
		return nil
	}
}

// progress returns what tells how far an import is, a few times a second at most. How
// much has come in is known to who sends it.
func (t *telling) progress() func(ImportProgress) {
	var last time.Time
	return func(p ImportProgress) {
		if now := time.Now(); p.Step != ImportTakes && now.Sub(last) >= tellEvery {
			last = now
			t.line(importLine{Progress: &p})
		}
	}
}

// endImport tells the error of what is begun; it returns one that is not told yet.
func (t *telling) endImport(ctx context.Context, err error) error {
	if !t.begun {
		return err
	}
	p := problemOf(err)
	if p.kind() == nacre.Internal && ctx.Err() == nil {
		logOf(ctx).Error("an import failed", "err", err)
	}
	t.line(importLine{Problem: &p})
	return nil
}

// incoming is the body of a request while it comes in, which may take as long as it
// goes on coming.
type incoming struct {
	body    io.Reader
	control *http.ResponseController
	whole   func() // is called once, when all has come
	quiet   <-chan struct{}

	due  int64 // bytes that may come until there is more time
	over bool
}

// Read implements io.Reader.
func (i *incoming) Read(p []byte) (int, error) {
	if i.over {
		return 0, io.EOF
	}
	if i.due <= 0 {
		i.due = intakeStep
		i.control.SetReadDeadline(time.Now().Add(intakePause))
	}
	n, err := i.body.Read(p)
	i.due -= int64(n)
	switch {
	case err == io.EOF:
		i.over = true
		i.control.SetReadDeadline(time.Time{})
		i.whole()
	case err != nil:
		err = nacre.Errorf(nacre.Invalid, "What you bring over did not come in whole; send it again.")
	}
	return n, err
}

// takeaway serves everything of an owner as a file. It is made while it is sent, so
// that what fails then can only cut it off.
func takeaway(m func(Hand) Moving) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := read(w, r, &struct{}{}); err != nil {
			return err
		}
		out := &outgoing{w: w, control: http.NewResponseController(w)}
		if r.Method == http.MethodHead {
			out.begin()
			return nil
		}
		err := m(handOf(r.Context())).Archive(r.Context(), out)
		if err != nil && out.begun {
			logOf(r.Context()).Error("an archive was cut off", "err", err)
			panic(http.ErrAbortHandler)
		}
		return err
	}
}

// outgoing is a file on its way. Its head is sent with its first bytes.
type outgoing struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

func (o *outgoing) begin() {
	o.begun = true
	o.w.Header().Set("Content-Type", "application/zip")
	o.w.Header().Set("Content-Disposition", `attachment; filename="nacre-archive.zip"`)
}

// Write implements io.Writer.
func (o *outgoing) Write(p []byte) (int, error) {
	if !o.begun {
		o.begin()
	}
	o.control.SetWriteDeadline(time.Now().Add(writeWait + time.Duration(len(p)/slowest)*time.Second))
	return o.w.Write(p)
}

// Moving implements Desk.
func (c *Client) Moving(Hand) Moving { return remoteMoving{c} }

// remoteMoving is a Moving behind the socket.
type remoteMoving struct{ client *Client }

// Import implements Moving. How much has come in it tells by itself.
func (m remoteMoving) Import(ctx context.Context, w ImportWish, body io.Reader, tell func(ImportProgress)) (Imported, error) {
	if tell == nil {
		tell = func(ImportProgress) {}
	}
	out := &leaving{from: body, all: w.Size, told: tell}
	answer, err := m.client.send(ctx, http.MethodPost, "/api/import?"+query(w), out)
	if err != nil {
		return Imported{}, cmp.Or(out.err(), ctx.Err(), err)
	}
	defer answer.Close()
	for lines := json.NewDecoder(answer); ; {
		var l importLine
		err := lines.Decode(&l)
		switch {
		case ctx.Err() != nil:
			return Imported{}, ctx.Err()
		case err != nil:
			return Imported{}, nacre.Errorf(nacre.Transient, "Nacre ended before all was brought over; when it runs again, import the same once more: nothing comes twice")
		case l.Problem != nil:
			return Imported{}, &nacre.Error{Kind: l.Problem.kind(), Text: l.Problem.Text}
		case l.Imported != nil:
			return *l.Imported, nil
		case l.Progress != nil:
			out.tell(*l.Progress)
		}
	}
}

// leaving is what is imported on its way to the server: another goroutine reads it.
type leaving struct {
	from io.Reader
	all  int64
	told func(ImportProgress)

	mu   sync.Mutex // guards what follows, and is held while somebody is told
	done int64
	fail error
}

// Read implements io.Reader.
func (l *leaving) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done += int64(n); err != nil && err != io.EOF {
		l.fail = err
	}
	l.told(ImportProgress{Step: ImportTakes, Done: l.done, All: l.all})
	return n, err
}

// err is why it could not be read, if it could not.
func (l *leaving) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fail
}

func (l *leaving) tell(p ImportProgress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told(p)
}

// Archive implements Moving.
func (m remoteMoving) Archive(ctx context.Context, w io.Writer) error {
	answer, err := m.client.open(ctx, http.MethodGet, "/api/export/archive", nil)
	if err != nil {
		return err
	}
	defer answer.Close()
	if _, err = io.Copy(w, answer); errors.Is(err, io.ErrUnexpectedEOF) {
		err = nacre.Errorf(nacre.Transient, "Nacre ended before the archive was whole; make it again")
	}
	return err
}
