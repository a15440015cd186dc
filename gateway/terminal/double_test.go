package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
)

// host is a gateway.Host that does what a test says and remembers what it saw.
type host struct {
	gateway.Host // nil: a terminal uses no more of it

	receive func(nacre.Message) error // nil: store everything

	mu      sync.Mutex
	offered int             // calls of Receive
	stored  []nacre.Message // what Receive returned nil for
	flushed []nacre.Chat
}

func (h *host) Receive(_ context.Context, messages []nacre.Message) error {
	h.mu.Lock()
	h.offered++
	h.mu.Unlock()
	for _, m := range messages {
		if h.receive != nil {
			if err := h.receive(m); err != nil {
				return err
			}
		}
		h.mu.Lock()
		h.stored = append(h.stored, m)
		h.mu.Unlock()
	}
	return nil
}

func (h *host) Flush(chat nacre.Chat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flushed = append(h.flushed, chat)
}

func (h *host) Press(context.Context, nacre.Press) (string, error) {
	panic("a terminal has no buttons")
}

func (h *host) Move(context.Context, nacre.Chat, nacre.Chat) error { panic("a terminal does not move") }

func (h *host) texts() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var texts []string
	for _, m := range h.stored {
		texts = append(texts, m.Text())
	}
	return texts
}

// runChannel runs a Channel on h until the test or the returned function ends it.
func runChannel(t *testing.T, h gateway.Host) (c *Channel, stop func()) {
	t.Helper()
	c = New(slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, h) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run returned %v after its context ended, want nil", err)
		}
	})
	t.Cleanup(stop)
	return c, stop
}

// peer is a chat at the level of frames.
type peer struct {
	t      *testing.T
	conn   net.Conn
	frames chan frame // closed when the server hangs up
	served chan error // what Serve returned
}

// attach connects a peer that takes every frame at once.
func attach(t *testing.T, c *Channel) *peer {
	t.Helper()
	p := attachDeaf(t, c)
	go p.listen()
	p.want(frame{T: frameReady})
	return p
}

// attachDeaf connects a peer that reads nothing until listen runs.
func attachDeaf(t *testing.T, c *Channel) *peer {
	here, there := net.Pipe()
	p := &peer{t: t, conn: here, frames: make(chan frame, 1000), served: make(chan error, 1)}
	go func() { p.served <- c.Serve(there, there) }()
	t.Cleanup(func() { here.Close() })
	return p
}

func (p *peer) listen() {
	defer close(p.frames)
	for lines := frameLines(p.conn); lines.Scan(); {
		var f frame
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			p.t.Errorf("the server sent %q: %v", lines.Bytes(), err)
		}
		p.frames <- f
	}
}

func (p *peer) send(f frame) {
	p.t.Helper()
	if err := writeFrame(p.conn, f); err != nil {
		p.t.Fatalf("send %v: %v", f.T, err)
	}
}

// want waits for the next frame.
func (p *peer) want(want frame) {
	p.t.Helper()
	got, ok := <-p.frames
	if !ok {
		p.t.Fatalf("the server hung up, want %+v", want)
	}
	if got != want {
		p.t.Fatalf("the server sent %+v, want %+v", got, want)
	}
}

// wantNone checks that no frame waits now.
func (p *peer) wantNone() {
	p.t.Helper()
	select {
	case got, ok := <-p.frames:
		p.t.Fatalf("the server sent %+v (connected: %v), want nothing", got, ok)
	default:
	}
}

// wantEnd waits until the server hangs up, skipping frames.
func (p *peer) wantEnd() {
	p.t.Helper()
	for range p.frames {
	}
	if err := <-p.served; err != nil {
		p.t.Fatalf("Serve returned %v, want nil", err)
	}
}

func delivery(id, text string) nacre.Delivery {
	return nacre.Delivery{ID: nacre.DeliveryID(id), Chat: localChat, Part: nacre.Part{Text: text}}
}

// installation is a small gateway: it stores messages once, answers each, and
// keeps the answers until a channel sent them. Processes come and go on it.
type installation struct {
	t      *testing.T
	answer func(text string) string // "" is silence
	crash  func() bool              // asked around every step, one at a time; nil: never

	mu     sync.Mutex
	known  map[nacre.ExternalID]bool
	asked  []string // texts, in the order of their storing
	outbox []nacre.Delivery
	now    *process // nil while none runs
}

// process is one run of a server on an installation, and the host of its
// channel.
type process struct {
	gateway.Host // nil, as above

	*installation
	ctx     context.Context
	cancel  context.CancelFunc
	channel *Channel
	wake    chan struct{}
	conns   []net.Conn // guarded by installation.mu
}

func newInstallation(t *testing.T, answer func(string) string) *installation {
	i := &installation{t: t, answer: answer, known: map[nacre.ExternalID]bool{}}
	i.start()
	return i
}

func (i *installation) start() {
	p := &process{installation: i, channel: New(slog.New(slog.DiscardHandler)), wake: make(chan struct{}, 1)}
	p.ctx, p.cancel = context.WithCancel(i.t.Context())
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now = p
	go p.channel.Run(p.ctx, p)
	go p.drain()
}

func (i *installation) dial(context.Context) (net.Conn, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.now == nil {
		return nil, errors.New("nobody listens")
	}
	here, there := net.Pipe()
	i.now.conns = append(i.now.conns, there)
	go i.now.channel.Serve(there, there)
	return here, nil
}

// put stores a message and its answer in one transaction.
func (i *installation) put(m nacre.Message) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.known[m.External] {
		return
	}
	i.known[m.External] = true
	i.asked = append(i.asked, m.Text())
	if text := i.answer(m.Text()); text != "" {
		i.outbox = append(i.outbox, delivery(nacre.NewID(time.Now()), text))
	}
}

// step is a point at which a process may die as by kill -9: connections break
// and nothing is said. A new one starts a second later.
func (p *process) step() (alive bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		return false
	}
	if p.crash == nil || !p.crash() {
		return true
	}
	p.now = nil
	for _, conn := range p.conns {
		conn.Close()
	}
	p.cancel()
	time.AfterFunc(time.Second, p.start)
	return false
}

func (p *process) Receive(_ context.Context, messages []nacre.Message) error {
	if !p.step() {
		return p.ctx.Err()
	}
	for _, m := range messages {
		p.put(m)
	}
	p.Flush(localChat)
	if !p.step() {
		return p.ctx.Err()
	}
	return nil
}

func (p *process) Flush(nacre.Chat) {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// drain sends what waits.
func (p *process) drain() {
	for p.ctx.Err() == nil {
		if d, ok := p.next(); ok {
			if _, err := p.channel.Send(p.ctx, d, false); err == nil && p.step() {
				p.sent()
				continue
			}
		}
		select {
		case <-p.wake:
		case <-p.ctx.Done():
		}
	}
}

func (p *process) next() (d nacre.Delivery, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.outbox) == 0 {
		return nacre.Delivery{}, false
	}
	return p.outbox[0], true
}

func (p *process) sent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.outbox = p.outbox[1:]
}

// paper is a screen or file that remembers what was written to it.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func (p *paper) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.b.Reset()
}

// discard is a host that stores nothing and says that it did.
type discard struct{ gateway.Host }

func (discard) Receive(context.Context, []nacre.Message) error { return nil }
func (discard) Flush(nacre.Chat)                               {}
