package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/memory/ledger"
)

// wire is a channel without a network: what is sent stays in it.
type wire struct {
	name nacre.ChannelName

	mu   sync.Mutex
	fail func(nacre.Delivery) error // guarded by mu; nil for a network that works
	sent []nacre.Delivery           // guarded by mu
}

func (w *wire) Name() nacre.ChannelName { return w.name }

func (w *wire) Run(ctx context.Context, _ gateway.Host) error {
	<-ctx.Done()
	return nil
}

func (w *wire) Render(r nacre.Reply) []nacre.Part { return []nacre.Part{{Text: r.Text}} }

func (w *wire) Send(_ context.Context, d nacre.Delivery, _ bool) (nacre.ExternalID, error) {
	w.mu.Lock()
	fail := w.fail
	w.mu.Unlock()
	if fail != nil {
		if err := fail(d); err != nil {
			return "", err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, d)
	return idOf(d), nil
}

// fails makes the network answer each part so from now on.
func (w *wire) fails(f func(nacre.Delivery) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = f
}

// idOf is what the network calls a part.
func idOf(d nacre.Delivery) nacre.ExternalID { return "3EB0" + nacre.ExternalID(d.ID) }

// numbering is a wire whose people choose by numbers, and whose network asks again
// for what it took.
type numbering struct{ wire }

func (n *numbering) Numbers() bool { return true }

func (n *numbering) Resends() time.Duration { return time.Hour }

// world is a gateway over a ledger, with WhatsApp and Telegram for channels.
type world struct {
	t        *testing.T
	dir      string
	ledger   *ledger.Ledger
	gateway  *gateway.Gateway
	whatsapp *numbering
	telegram *wire
	log      *bytes.Buffer

	mu    sync.Mutex
	woken []nacre.Inbound // guarded by mu: what waits for sessions
	count int             // of what was said
}

// inWorld runs a test in a bubble with a fresh world, whose owners are listed as in
// the configuration.
func inWorld(t *testing.T, owners string, run func(*testing.T, *world)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, dir: dir}
		w.open(owners)
		defer w.close()
		run(t, w)
	})
}

// open starts a process.
func (w *world) open(owners string) {
	w.t.Helper()
	list, err := nacre.ParseOwners(owners)
	w.must(err)
	w.ledger, err = ledger.Open(w.t.Context(), ledger.Options{Dir: w.dir, Keys: filepath.Join(w.dir, "keys.nacre")})
	w.must(err)
	who, err := w.ledger.SyncOwners(w.t.Context(), list)
	w.must(err)
	w.whatsapp, w.telegram, w.log = &numbering{wire{name: nacre.WhatsApp}}, &wire{name: nacre.Telegram}, &bytes.Buffer{}
	w.gateway = gateway.New(w.ledger, []gateway.Channel{w.whatsapp, w.telegram}, slog.New(slog.NewTextHandler(w.log, nil)))
	w.gateway.Zone = func(owner nacre.OwnerID) *time.Location {
		if owner == who[0].ID {
			return time.FixedZone("", 2*60*60)
		}
		return time.UTC
	}
	w.must(w.gateway.Start(w.t.Context(), w))
}

// close ends it in order.
func (w *world) close() {
	w.t.Helper()
	w.gateway.Drain(w.t.Context())
	w.must(w.ledger.Close())
}

// restart is another process, with the owners listed otherwise.
func (w *world) restart(owners string) {
	w.t.Helper()
	w.close()
	w.open(owners)
}

// kill ends it without any order, and starts another.
func (w *world) kill(owners string) {
	w.t.Helper()
	w.must(w.ledger.Close())
	w.open(owners)
}

// Wake implements gateway.Waker.
func (w *world) Wake(s nacre.SessionInfo, m nacre.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.woken = append(w.woken, nacre.Inbound{Owner: s.Owner, Session: s, Message: m})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// wa and tg are addresses of people.
func wa(id string) nacre.Address { return nacre.Address{Channel: nacre.WhatsApp, ID: id} }
func tg(id string) nacre.Address { return nacre.Address{Channel: nacre.Telegram, ID: id} }

// message is a text that a person says in private. Its chat is theirs, by their
// first identity.
func (w *world) message(text string, author nacre.Address, also ...nacre.Address) nacre.Message {
	w.count++
	return nacre.Message{Chat: nacre.Chat{Channel: author.Channel, ID: nacre.ChatID(author.ID)}, External: nacre.ExternalID(fmt.Sprint("in", w.count)),
		Author: author, Also: also, Private: true, Sent: time.Now(), Received: time.Now(),
		Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}}
}

// receive takes messages in, and returns what of them waits for sessions now.
func (w *world) receive(list ...nacre.Message) []nacre.Inbound {
	w.t.Helper()
	w.mu.Lock()
	before := len(w.woken)
	w.mu.Unlock()
	w.must(w.gateway.Receive(w.t.Context(), list))
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.woken[before:])
}

// sent is what was sent on a channel, after everything that happens by itself at
// once.
func (w *world) sent(c *wire) (texts []string) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.sent {
		texts = append(texts, d.Part.Text)
	}
	return texts
}

// answer commits a turn over what waits, and sends it: a question stands in the chat,
// or waits for its network, when it returns.
func (w *world) answer(in nacre.Inbound, text string, options ...string) nacre.RenderedReply {
	w.t.Helper()
	reply, ds := w.commit(in, text, options...)
	w.gateway.Post(ds)
	synctest.Wait()
	return reply
}

// commit commits a turn over what waits.
func (w *world) commit(in nacre.Inbound, text string, options ...string) (nacre.RenderedReply, []nacre.Delivery) {
	w.t.Helper()
	reply := nacre.RenderedReply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: in.Session.Chat, Text: text, Options: options,
		Parts: w.gateway.Render(nacre.Reply{Chat: in.Session.Chat, Text: text})}
	ds, err := w.ledger.Commit(w.t.Context(), nacre.Turn{ID: nacre.TurnID(in.Message.ID), Session: in.Session.ID, Owner: in.Owner,
		Messages: []nacre.MessageID{in.Message.ID}, Outcome: nacre.Answered, Started: time.Now(), Replies: []nacre.RenderedReply{reply}})
	w.must(err)
	return reply, ds
}
