package wadouble

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	_ "modernc.org/sqlite"
)

// patience is how long a test waits for what does not come.
const patience = time.Minute

// bot is a client of the library, as a program would link it to an account.
type bot struct {
	*testing.T
	*whatsmeow.Client
	server *Server
	events chan any
}

// inBubble runs a test with a client that is linked to an account, on a clock that
// jumps.
func inBubble(t *testing.T, test func(b *bot)) {
	synctest.Test(t, func(t *testing.T) {
		s := New()
		s.Serve(t)
		defer settle()
		b := linkedBot(t, s, s.Account("15550000000"))
		settle()
		test(b)
	})
}

// settle lets everything end that goes on, before a client disconnects: the library
// writes to its file for a while after it has connected, and a goroutine of it that
// was handing on what it had read when the connection ends waits for ever.
func settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

// linkedBot is a client that was linked by a QR code, and is connected.
func linkedBot(t *testing.T, s *Server, a *Account) *bot {
	b := newBot(t, s)
	b.link(t.Context(), a)
	return b
}

// newBot is a client that is not linked or connected.
func newBot(t *testing.T, s *Server) *bot { return newBotOver(t, s, s.Transport()) }

func newBotOver(t *testing.T, s *Server, transport http.RoundTripper) *bot {
	ctx := t.Context()
	dsn := "file:" + filepath.Join(t.TempDir(), "wa.db") +
		"?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_txlock=immediate"
	file, err := sqlstore.New(ctx, "sqlite", dsn, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return newClient(t, s, file.NewDevice(), transport)
}

func newClient(t *testing.T, s *Server, device *store.Device, transport http.RoundTripper) *bot {
	b := &bot{T: t, Client: whatsmeow.NewClient(device, nil), server: s, events: make(chan any, 1000)}
	b.SetMaxParallelRetryReceiptHandling(1) // two at once would be a race of the library's
	over := &http.Client{Transport: transport}
	b.SetPreLoginHTTPClient(over)
	b.SetWebsocketHTTPClient(over)
	b.SetMediaHTTPClient(over)
	life, end := context.WithCancel(context.Background())
	b.BackgroundEventCtx = life
	b.AddEventHandler(func(e any) { b.events <- e })
	t.Cleanup(func() {
		// Told to disconnect while something comes, the library leaves the goroutine
		// behind that reads; so the server goes first.
		s.Refuse(true)
		s.Cut()
		for began := time.Now(); b.IsConnected() && time.Since(began) < patience; {
			time.Sleep(time.Millisecond)
		}
		b.Disconnect()
		end() // of what would connect again
		over.CloseIdleConnections()
	})
	return b
}

// restarted is a new client with what the old one stored.
func (b *bot) restarted() *bot {
	b.Helper()
	settle()
	b.Disconnect()
	again := newClient(b.T, b.server, b.Store, b.server.Transport())
	if err := again.Connect(); err != nil {
		b.Fatal(err)
	}
	await(again, func(*events.Connected) bool { return true })
	return again
}

func (b *bot) link(ctx context.Context, a *Account) {
	codes, err := b.GetQRChannel(ctx)
	if err != nil {
		b.Fatal(err)
	}
	if err := b.Connect(); err != nil {
		b.Fatal(err)
	}
	for code := range codes {
		if code.Event != whatsmeow.QRChannelEventCode {
			break
		}
		if err := a.Scan(code.Code); err != nil {
			b.Fatal(err)
		}
	}
	await(b, func(*events.Connected) bool { return true })
}

// await waits for an event, and passes over those before it.
func await[E any](b *bot, is func(E) bool) E {
	b.Helper()
	late := time.After(patience)
	for {
		select {
		case e := <-b.events:
			if e, ok := e.(E); ok && is(e) {
				return e
			}
		case <-late:
			var none E
			b.Fatalf("no %T came", none)
		}
	}
}

// message waits for a message by its id that has content.
func (b *bot) message(id types.MessageID) *events.Message {
	b.Helper()
	return await(b, func(e *events.Message) bool {
		return e.Info.ID == id && (words(e.RawMessage) != said{} || e.Message.GetProtocolMessage() != nil)
	})
}

// send sends a message and returns its id.
func (b *bot) send(to types.JID, m *waE2E.Message) types.MessageID {
	b.Helper()
	sent, err := b.SendMessage(b.Context(), to, m)
	if err != nil {
		b.Fatal(err)
	}
	return sent.ID
}

// shown waits until a phone shows a message.
func (b *bot) shown(on *Account, chat types.JID, id types.MessageID) (found Shown) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	err := b.server.Wait(ctx, func() bool {
		for _, m := range on.Shown(chat) {
			if m.ID == id {
				found = m
				return true
			}
		}
		return false
	})
	if err != nil {
		b.Fatalf("%v does not show %s", on.LID(), id)
	}
	return found
}
