package telegram

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

const (
	testToken  = "123456:SECRETsecretSECRETsecretSECRET-_x"
	testSecret = "SECRETsecret"
	ann        = 1001
)

var annsChat = nacre.Chat{Channel: nacre.Telegram, ID: "1001"}

var (
	_ gateway.Channel  = (*Channel)(nil)
	_ gateway.Typer    = (*Channel)(nil)
	_ gateway.Streamer = (*Channel)(nil)
	_ gateway.Reporter = (*Channel)(nil)
)

// rig is a Channel on a network with a double of Telegram.
type rig struct {
	*testing.T
	net  *gatewaytest.PipeNet
	tg   *gatewaytest.BotAPI
	host *gatewaytest.Host
	c    *Channel
	log  *gatewaytest.Log
}

func newRig(t *testing.T) *rig {
	r := &rig{
		T:    t,
		net:  gatewaytest.NewPipeNet(),
		tg:   gatewaytest.NewBotAPI(testToken),
		host: gatewaytest.NewHost(),
		log:  &gatewaytest.Log{},
	}
	r.net.Serve(t, r.tg)
	r.tg.Know(ann)
	r.c = r.open()
	return r
}

func (r *rig) open() *Channel { return r.openWith(testToken) }

func (r *rig) openWith(token string) *Channel {
	return New(Options{
		Token: token,
		API:   gatewaytest.PipeURL + "/",
		Dial:  r.net.DialContext,
		Log:   slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

// run runs the channel until the test ends.
func (r *rig) run() (ended <-chan error) {
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan error, 1)
	over := make(chan struct{})
	go func() {
		defer close(over)
		done <- r.c.Run(ctx, r.host)
	}()
	r.Cleanup(func() {
		cancel()
		<-over
	})
	return done
}

// after lets d pass and everything settle.
func (r *rig) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *rig) wantState(ok bool, part string) {
	r.Helper()
	gotOK, words := r.c.State()
	if gotOK != ok || !strings.Contains(words, part) {
		r.Errorf("State = %v, %q; want %v with %q", gotOK, words, ok, part)
	}
}

func (r *rig) wantTexts(want ...string) {
	r.Helper()
	var got []string
	for _, m := range r.host.Messages() {
		got = append(got, m.Text())
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		r.Errorf("stored %q, want %q", got, want)
	}
}

func (r *rig) send(text string) (nacre.ExternalID, error) {
	return r.c.Send(r.Context(), nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: text}}, false)
}

// answer sends a reply to Ann as the gateway would, part by part.
func (r *rig) answer(reply nacre.Reply) {
	r.Helper()
	for i, part := range r.c.Render(reply) {
		if _, err := r.c.Send(r.Context(), nacre.Delivery{Chat: annsChat, Part: part}, false); err != nil {
			r.Fatalf("part %d: %v", i, err)
		}
	}
}

// inBubble runs a test with a clock that jumps.
func inBubble(t *testing.T, test func(t *testing.T, r *rig)) {
	synctest.Test(t, func(t *testing.T) { test(t, newRig(t)) })
}

func TestConformance(t *testing.T) {
	gatewaytest.Conformance(t, func(t *testing.T) gatewaytest.Fixture { return &fixture{rig: newRig(t)} })
}

// fixture is a rig as the conformance suite sees it.
type fixture struct {
	*rig
	said int
}

func (f *fixture) Open() gateway.Channel { return f.open() }
func (f *fixture) Chat() nacre.Chat      { return annsChat }
func (f *fixture) Acknowledged() int     { return f.said - f.tg.Pending() }

func (f *fixture) Say(text string) {
	f.said++
	f.tg.Text(ann, text)
}

func (f *fixture) Shown() []string {
	var all []string
	for _, s := range f.tg.Sent() {
		all = append(all, s.Text)
	}
	return all
}

func (f *fixture) Accepts(text string) bool { return gatewaytest.AcceptsText(text) }

func (f *fixture) KnowsRepeats() bool { return false }

func (f *fixture) Break(trouble gatewaytest.Trouble) bool {
	switch trouble {
	case gatewaytest.Away:
		f.net.Refuse(true)
		f.net.Cut()
	case gatewaytest.Back:
		f.net.Refuse(false)
	case gatewaytest.Dropped:
		f.tg.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.DropAfter})
	case gatewaytest.Limited:
		f.tg.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: int(gatewaytest.LimitedFor / time.Second)})
	}
	return true
}
