package whatsapp

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// ourDevice is that of the linked client of these tests.
const ourDevice = 5

// sentParts is an outbox that remembers what was sent.
type sentParts struct {
	mu    sync.Mutex
	fail  error
	byID  map[nacre.ExternalID]nacre.Part
	parts []sentPart
}

type sentPart struct {
	chat nacre.Chat
	part nacre.Part
	at   time.Time
}

func (s *sentParts) add(chat nacre.Chat, id nacre.ExternalID, p nacre.Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = map[nacre.ExternalID]nacre.Part{}
	}
	s.byID[id] = p
	s.parts = append([]sentPart{{chat, p, time.Now()}}, s.parts...)
}

func (s *sentParts) SentPart(_ context.Context, c nacre.Chat, id nacre.ExternalID) (nacre.Part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.byID[id]
	if !ok || c.Channel != nacre.WhatsApp {
		return nacre.Part{}, nacre.Errorf(nacre.NotFound, "no such part")
	}
	return p, s.fail
}

func (s *sentParts) Wanted(context.Context, nacre.DeliveryID) (bool, error) { return true, nil }

func (s *sentParts) SentBetween(_ context.Context, chat nacre.Chat, from, to time.Time) ([]nacre.Part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []nacre.Part
	for _, p := range s.parts {
		if p.chat == chat && !p.at.Before(from) && !p.at.After(to) {
			parts = append(parts, p.part)
		}
	}
	return parts, s.fail
}

// listener is a line that is connected to nothing, over a real account's file: what
// it hears is put in by the test.
type listener struct {
	*line
	host *gatewaytest.Host
	sent *sentParts
	log  *gatewaytest.Log
	stop context.CancelFunc
}

// times is how often words were logged.
func times(log *gatewaytest.Log, words string) int { return strings.Count(log.String(), words) }

func newListener(t *testing.T, own bool) *listener {
	t.Helper()
	f := newAccountFile(t.TempDir())
	f.sync = "OFF"
	if err := f.create(); err != nil {
		t.Fatal(err)
	}
	return listen(t, f, own, &sentParts{})
}

// listen makes a listener of a file, with an account in it if there is none.
func listen(t *testing.T, f accountFile, own bool, sent *sentParts) *listener {
	t.Helper()
	said := &gatewaytest.Log{}
	c := New(Options{Dir: t.TempDir(), Own: own, Sent: sent, Log: slog.New(slog.NewTextHandler(said, nil))})
	a, err := f.open(t.Context(), libraryLog{c.log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	device := a.NewDevice()
	pn, lid := on(usPN, ourDevice), on(usLID, ourDevice)
	device.ID, device.LID = &pn, lid
	device.Account = &waAdv.ADVSignedDeviceIdentity{
		Details: []byte{}, AccountSignature: make([]byte, 64), AccountSignatureKey: make([]byte, 32), DeviceSignature: make([]byte, 64),
	}
	if err := device.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	host := gatewaytest.NewHost()
	ctx, stop := context.WithCancel(t.Context())
	return &listener{line: c.newLine(ctx, host, device), host: host, sent: sent, log: said, stop: stop}
}

// hears takes messages and fails the test unless all are handled.
func (l *listener) hears(t *testing.T, all ...*events.Message) {
	t.Helper()
	for _, e := range all {
		if !l.receive(e) {
			t.Errorf("message %s is not handled", e.Info.ID)
		}
	}
}

// texts are those of what was stored, in order.
func (l *listener) texts() string {
	var all []string
	for _, m := range l.host.Messages() {
		all = append(all, m.Segments[len(m.Segments)-1].Text)
	}
	return strings.Join(all, "|")
}

// from is a message that just came from somebody's device, in their own chat.
func from(sender, alt types.JID, id string, m *waE2E.Message) *events.Message {
	e := came(m)
	e.Info.ID, e.Info.Timestamp = id, time.Now()
	e.Info.Chat, e.Info.Sender, e.Info.SenderAlt = sender.ToNonAD(), sender, alt
	return e
}

// inGroup puts a message into a group.
func inGroup(e *events.Message) *events.Message {
	e.Info.Chat, e.Info.IsGroup = club, true
	return e
}

// fromUs is a message that was sent from the linked account itself.
func fromUs(chat, sender types.JID, id string, m *waE2E.Message) *events.Message {
	e := from(sender, types.EmptyJID, id, m)
	e.Info.Chat, e.Info.IsFromMe = chat, true
	e.Info.DeviceSentMeta = &types.DeviceSentMeta{DestinationJID: chat.String()}
	return e
}

func sayUs(id, words string) *events.Message { return fromUs(usLID, usLID, id, say(words)) }
