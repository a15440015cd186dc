package whatsapp

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

func TestConformance(t *testing.T) {
	gatewaytest.Conformance(t, func(t *testing.T) gatewaytest.Fixture { return newFixture(t, false) })
}

func TestConformanceOfAnOwnNumber(t *testing.T) {
	gatewaytest.Conformance(t, func(t *testing.T) gatewaytest.Fixture { return newFixture(t, true) })
}

// fixture is a rig with a linked account, as the conformance suite sees it. The
// person is Ann or, where the number is their own, the owner of the account.
type fixture struct {
	*rig
	person *wadouble.Account
	said   int
	away   bool
}

func newFixture(t *testing.T, own bool) *fixture {
	f := &fixture{rig: newRig(t, own)}
	f.person = f.ann
	if own {
		f.person = f.us
	}
	f.link()
	return f
}

func (f *fixture) Open() gateway.Channel { return &patient{f.open(), f} }
func (f *fixture) Chat() nacre.Chat      { return chatOf(f.person.LID()) }
func (f *fixture) Acknowledged() int     { return f.said - f.us.Unacked() }
func (f *fixture) KnowsRepeats() bool    { return true }

func (f *fixture) Say(text string) {
	f.said++
	f.person.Say(f.us.LID(), text)
}

func (f *fixture) Shown() []string {
	synctest.Wait()
	var all []string
	for _, s := range f.person.Shown(f.us.LID()) {
		if strings.HasPrefix(s.ID, "3EB0") {
			all = append(all, s.Text)
		}
	}
	return all
}

// Accepts is false for what the outbox must not hold. WhatsApp itself takes longer
// texts, but its phones fold them.
func (f *fixture) Accepts(text string) bool {
	return strings.TrimSpace(text) != "" && len([]rune(text)) <= 4000
}

func (f *fixture) Break(trouble gatewaytest.Trouble) bool {
	switch trouble {
	case gatewaytest.Away:
		f.away = true
		f.wa.Net().Refuse(true)
		f.wa.Net().Cut()
		synctest.Wait()
	case gatewaytest.Back:
		f.away = false
		f.wa.Net().Refuse(false)
	case gatewaytest.Dropped:
		f.wa.Fail(wadouble.Fault{Kind: wadouble.DropAfter})
	case gatewaytest.Limited:
		f.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: 429})
	}
	return true
}

// patient is a Channel whose Send waits, as the outbox would, until a connection that
// was lost is back.
type patient struct {
	*Channel
	f *fixture
}

func (p *patient) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	for i := 0; i < 600 && !p.f.away; i++ {
		if ok, _ := p.State(); ok {
			break
		}
		time.Sleep(time.Second)
	}
	return p.Channel.Send(ctx, d, repeat)
}
