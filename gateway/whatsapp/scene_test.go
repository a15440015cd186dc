package whatsapp

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

// trust is the double's once.
var trust = sync.OnceFunc(wadouble.Trust)

// scene is a channel that is linked and connected, with its outbox, and a person who
// has written to it unless it is the operator's own number.
type scene struct {
	*rig
	outbox *outbox
}

// play runs a test on a clock that jumps.
func play(t *testing.T, own bool, test func(*scene)) {
	synctest.Test(t, func(t *testing.T) {
		p := &scene{rig: newRig(t, own), outbox: newOutbox()}
		p.link()
		p.start()
		if !own {
			p.ann.Say(p.us.LID(), "hello")
			p.after(time.Second)
		}
		test(p)
	})
}

// start runs the channel and returns when it is connected.
func (p *scene) start() {
	p.Helper()
	p.c.opts.Sent = p.outbox
	p.run()
	p.online()
}

// restart ends the channel and opens another on the same account.
func (p *scene) restart() {
	p.Helper()
	p.stop()
	p.c = p.open()
	p.start()
}

// online waits until there is a connection, and returns it.
func (p *scene) online() *line {
	p.Helper()
	synctest.Wait() // until one that was lost is known to be
	for range 600 {
		if l, err := p.c.current(); err == nil {
			return l
		}
		p.after(100 * time.Millisecond)
	}
	p.Fatal("no connection within a minute")
	return nil
}

// send sends a part to somebody, as the outbox keeps it.
func (p *scene) send(to types.JID, id nacre.DeliveryID, part nacre.Part) (nacre.ExternalID, error) {
	external, err := p.c.Send(p.Context(), nacre.Delivery{ID: id, Chat: chatOf(to), Part: part}, false)
	if err == nil {
		p.outbox.put(to, external, part)
	}
	return external, err
}

// say sends a text to ann and fails the test if that fails.
func (p *scene) say(id nacre.DeliveryID, text string) nacre.ExternalID {
	p.Helper()
	external, err := p.send(p.ann.LID(), id, nacre.Part{Text: text})
	if err != nil {
		p.Fatalf("Send: %v", err)
	}
	return external
}

// ownID is the id under which the account sends something.
func (p *scene) ownID(of string) types.MessageID {
	p.Helper()
	return p.online().ids.id(of)
}

// shown is what ann's phone shows of us.
func (p *scene) shown() []wadouble.Shown {
	synctest.Wait()
	return slices.DeleteFunc(p.ann.Shown(p.us.LID()), func(s wadouble.Shown) bool { return s.From != p.us.LID() })
}

// wantShown compares the texts that ann's phone shows of us.
func (p *scene) wantShown(want ...string) {
	p.Helper()
	var got []string
	for _, s := range p.shown() {
		got = append(got, s.Text)
	}
	if !slices.Equal(got, want) {
		p.Errorf("shown %q, want %q", got, want)
	}
}

// outbox is what was sent, by chat and id.
type outbox struct {
	mu    sync.Mutex
	parts map[sending]nacre.Part
}

type sending struct {
	chat nacre.Chat
	id   nacre.ExternalID
}

func newOutbox() *outbox { return &outbox{parts: map[sending]nacre.Part{}} }

func (o *outbox) put(to types.JID, id nacre.ExternalID, part nacre.Part) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.parts[sending{chatOf(to), id}] = part
}

// forget takes the words of all.
func (o *outbox) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.parts)
}

func (o *outbox) SentPart(_ context.Context, chat nacre.Chat, id nacre.ExternalID) (nacre.Part, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	part, ok := o.parts[sending{chat, id}]
	if !ok {
		return nacre.Part{}, nacre.Errorf(nacre.NotFound, "no such part")
	}
	return part, nil
}

func (o *outbox) Wanted(context.Context, nacre.DeliveryID) (bool, error) { return true, nil }

func (o *outbox) SentBetween(context.Context, nacre.Chat, time.Time, time.Time) ([]nacre.Part, error) {
	return nil, nil
}
