package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest/wadouble"
)

func TestSend(t *testing.T) {
	play(t, false, func(p *scene) {
		began := time.Now()
		id := p.say("one", "*High water* at noon")
		if took := time.Since(began); took > time.Second {
			p.Errorf("the first message took %v", took)
		}
		p.wantShown("*High water* at noon")
		if got := p.shown()[0]; got.ID != string(id) || id != nacre.ExternalID(p.ownID("one")) {
			p.Errorf("sent as %q, shown as %q", id, got.ID)
		}
	})
}

func TestSendAgainIsTheSameMessage(t *testing.T) {
	tests := []struct {
		name   string
		fault  wadouble.FaultKind
		before []string // shown after the failure
	}{
		{"taken, then dropped", wadouble.DropAfter, []string{"one"}},
		{"dropped, not taken", wadouble.DropBefore, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, false, func(p *scene) {
				p.wa.Fail(wadouble.Fault{Kind: tt.fault})
				_, err := p.send(p.ann.LID(), "one", nacre.Part{Text: "one"})
				if !errors.Is(err, gateway.ErrUnsure) || nacre.KindOf(err) != nacre.Transient {
					p.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
				}
				p.wantShown(tt.before...)
				p.online()
				p.say("one", "one")
				p.restart()
				p.say("one", "one")
				p.wantShown("one")
				p.say("two", "two")
				p.wantShown("one", "two")
			})
		})
	}
}

// TestRepeatAfterRelink has a part whose outcome is not known when the account is linked
// anew. Under the new account's id it is another message, and says that it may be one.
func TestRepeatAfterRelink(t *testing.T) {
	play(t, false, func(p *scene) {
		text := nacre.Part{Text: "one"}
		photo := nacre.Part{Text: "two", File: &nacre.File{Name: "cat.txt", Data: []byte("cat")}}
		send := func(d nacre.Delivery, repeat bool) {
			p.Helper()
			p.online()
			if _, err := p.c.Send(p.Context(), d, repeat); err != nil {
				p.Errorf("Send: %v", err)
			}
		}
		mint := func(part nacre.Part) nacre.Delivery {
			return nacre.Delivery{ID: nacre.DeliveryID(nacre.NewID(time.Now())), Chat: chatOf(p.ann.LID()), Part: part}
		}
		first, second := mint(text), mint(photo)
		send(first, false)
		send(first, true)
		p.wantShown("one")
		p.us.Unlink()
		p.after(time.Minute)
		p.link()
		p.restart()
		send(first, true)
		send(second, true)
		send(mint(nacre.Part{Text: "three"}), true)
		p.wantShown("one", gateway.RepeatLabel+"one", gateway.RepeatLabel+"two", "three")
	})
}

// TestSendGivesUp has a part whose outcome never became known.
func TestSendGivesUp(t *testing.T) {
	play(t, false, func(p *scene) {
		d := nacre.Delivery{ID: "one", Chat: chatOf(p.ann.LID()), Part: nacre.Part{Text: "one"}}
		for _, tt := range []struct {
			attempts int
			kind     nacre.Kind
		}{{mostUnsure - 1, nacre.Transient}, {mostUnsure, nacre.Internal}} {
			d.Attempts = tt.attempts
			p.wa.Fail(wadouble.Fault{Kind: wadouble.DropBefore})
			if _, err := p.c.Send(p.Context(), d, true); !errors.Is(err, gateway.ErrUnsure) || nacre.KindOf(err) != tt.kind {
				p.Errorf("after %d attempts, Send = %v, of kind %v; want %v", tt.attempts, err, nacre.KindOf(err), tt.kind)
			}
			p.online()
		}
	})
}

// TestSendSettledByReceipt has a message whose answer never comes, but a receipt does.
func TestSendSettledByReceipt(t *testing.T) {
	play(t, false, func(p *scene) {
		p.wa.Fail(wadouble.Fault{Kind: wadouble.Unanswered})
		p.say("one", "one")
		p.wantShown("one")
	})
}

// TestSendSettledAfterwards has a receipt that comes when the send has failed.
func TestSendSettledAfterwards(t *testing.T) {
	play(t, false, func(p *scene) {
		p.wa.Fail(wadouble.Fault{Kind: wadouble.DropAfter})
		if _, err := p.send(p.ann.LID(), "one", nacre.Part{Text: "one"}); !errors.Is(err, gateway.ErrUnsure) {
			p.Fatalf("Send = %v", err)
		}
		p.online()
		p.after(time.Second)
		p.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: 400})
		p.say("one", "one")
		if _, err := p.send(p.ann.LID(), "two", nacre.Part{Text: "two"}); nacre.KindOf(err) != nacre.Invalid {
			p.Errorf("Send = %v: the settled one was sent again", err)
		}
		p.wantShown("one")
	})
}

func TestSendRefused(t *testing.T) {
	tests := []struct {
		code  int
		kind  nacre.Kind
		after time.Duration
		tells int // notices
	}{
		{463, nacre.Transient, time.Hour, 1},
		{429, nacre.Transient, time.Minute, 1},
		{402, nacre.Transient, time.Hour, 1},
		{408, nacre.Transient, 0, 0},
		{403, nacre.NotFound, 0, 0},
		{404, nacre.NotFound, 0, 0},
		{400, nacre.Invalid, 0, 0},
		{479, nacre.Transient, 0, 0},
		{503, nacre.Transient, 0, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.code), func(t *testing.T) {
			play(t, false, func(p *scene) {
				p.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: tt.code})
				_, err := p.send(p.ann.LID(), "one", nacre.Part{Text: "one"})
				if nacre.KindOf(err) != tt.kind || errors.Is(err, gateway.ErrUnsure) || nacre.RetryAfter(err) != tt.after || len(p.told()) != tt.tells {
					p.Errorf("Send = %v, of kind %v, after %v, %d notices", err, nacre.KindOf(err), nacre.RetryAfter(err), len(p.told()))
				}
				p.wantShown()
				p.after(tt.after)
				p.say("one", "one")
				p.wantShown("one")
			})
		})
	}
}

// TestSendMalformed has a message that WhatsApp never takes.
func TestSendMalformed(t *testing.T) {
	play(t, false, func(p *scene) {
		p.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: 479, Times: -1})
		d := nacre.Delivery{ID: "one", Chat: chatOf(p.ann.LID()), Part: nacre.Part{Text: "one"}}
		for ; d.Attempts <= mostMalformed; d.Attempts++ {
			want := nacre.Transient
			if d.Attempts == mostMalformed {
				want = nacre.Invalid
			}
			if _, err := p.c.Send(p.Context(), d, false); nacre.KindOf(err) != want {
				p.Errorf("try %d: Send = %v, want kind %v", d.Attempts+1, err, want)
			}
			p.after(time.Minute)
		}
	})
}

// TestSendWhilePaused counts by faults what reaches the server: each send that does
// meets one.
func TestSendWhilePaused(t *testing.T) {
	play(t, false, func(p *scene) {
		bob := p.wa.Account("15550000002")
		bob.Say(p.us.LID(), "hello")
		p.after(time.Second)
		p.wa.Fail(wadouble.Fault{Kind: wadouble.SendError, Code: 463, Times: 2})
		try := func() time.Duration {
			_, err := p.send(p.ann.LID(), "one", nacre.Part{Text: "one"})
			return nacre.RetryAfter(err)
		}
		if after := try(); after != time.Hour {
			p.Errorf("after the first refusal, a pause of %v", after)
		}
		p.after(30 * time.Minute)
		if after := try(); after != 30*time.Minute {
			p.Errorf("within the pause, %v are left", after)
		}
		p.after(30 * time.Minute)
		if after := try(); after != 2*time.Hour {
			p.Errorf("after the second refusal, a pause of %v", after)
		}
		if _, err := p.send(bob.LID(), "two", nacre.Part{Text: "two"}); err != nil {
			p.Errorf("to somebody else, Send = %v", err)
		}
		if len(p.told()) != 1 {
			p.Errorf("%d notices, want one", len(p.told()))
		}
		p.after(2 * time.Hour)
		p.say("one", "one")
		p.wantShown("one")
	})
}

func TestSendWhileTheAccountIsPaused(t *testing.T) {
	play(t, false, func(p *scene) {
		bob := p.wa.Account("15550000002")
		bob.Say(p.us.LID(), "hello")
		p.after(time.Second)
		p.wa.Fail(wadouble.Fault{Kind: wadouble.QueryError, Code: 429, Words: "usync"})
		for _, to := range []*wadouble.Account{bob, p.ann} {
			_, err := p.send(to.LID(), "one", nacre.Part{Text: "one"})
			if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) != time.Minute {
				p.Errorf("Send = %v, after %v; want all to wait a minute", err, nacre.RetryAfter(err))
			}
		}
		if err := p.c.Typing(p.Context(), chatOf(p.ann.LID())); nacre.RetryAfter(err) != time.Minute {
			p.Errorf("Typing = %v", err)
		}
		if _, err := p.c.Stream(p.Context(), gateway.Bubble{Chat: chatOf(p.ann.LID()), Turn: "turn"}, "On"); nacre.RetryAfter(err) != time.Minute {
			p.Errorf("Stream = %v", err)
		}
		p.after(time.Minute)
		p.say("one", "one")
		p.wantShown("one")
	})
}

func TestSendWithoutConnection(t *testing.T) {
	play(t, false, func(p *scene) {
		p.wa.Refuse(true)
		p.wa.Cut()
		p.after(time.Second)
		_, err := p.send(p.ann.LID(), "one", nacre.Part{Text: "one"})
		if nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
			p.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
		}
		p.wa.Refuse(false)
		p.online()
		p.say("one", "one")
		p.wantShown("one")
	})
}

func TestSendToNoChat(t *testing.T) {
	play(t, false, func(p *scene) {
		for _, chat := range []nacre.Chat{
			{Channel: nacre.WhatsApp, ID: "status@broadcast"},
			{Channel: nacre.WhatsApp, ID: "1@newsletter"},
			{Channel: nacre.WhatsApp, ID: ""},
			{Channel: nacre.Telegram, ID: "15550000001@s.whatsapp.net"},
			{Channel: nacre.WhatsApp, ID: "15559999999@s.whatsapp.net"},
		} {
			_, err := p.c.Send(p.Context(), nacre.Delivery{ID: "one", Chat: chat, Part: nacre.Part{Text: "one"}}, false)
			if nacre.KindOf(err) != nacre.NotFound {
				p.Errorf("to %q, Send = %v, of kind %v", chat.ID, err, nacre.KindOf(err))
			}
		}
		p.say("one", "one")
		p.wantShown("one")
	})
}

// TestOwnNumberWritesToNobodyElse has somebody who wrote to the operator.
func TestOwnNumberWritesToNobodyElse(t *testing.T) {
	play(t, true, func(p *scene) {
		p.ann.Say(p.us.LID(), "hello")
		p.after(time.Second)
		for _, to := range []nacre.Chat{chatOf(p.ann.LID()), chatOf(p.ann.PN()), chatOf(p.wa.Group("club", p.us, p.ann))} {
			_, err := p.c.Send(p.Context(), nacre.Delivery{ID: "one", Chat: to, Part: nacre.Part{Text: "one"}}, false)
			if nacre.KindOf(err) != nacre.NotFound {
				p.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
			}
			if _, err := p.c.Stream(p.Context(), gateway.Bubble{Chat: to, Turn: "turn"}, "On"); nacre.KindOf(err) != nacre.NotFound {
				p.Errorf("Stream = %v", err)
			}
			if err := p.c.Typing(p.Context(), to); nacre.KindOf(err) != nacre.NotFound {
				p.Errorf("Typing = %v", err)
			}
		}
		p.wantShown()
		for i, to := range []nacre.Chat{chatOf(p.us.LID()), chatOf(p.us.PN())} {
			d := nacre.Delivery{ID: nacre.DeliveryID(fmt.Sprint(i)), Chat: to, Part: nacre.Part{Text: "mine"}}
			if _, err := p.c.Send(p.Context(), d, false); err != nil {
				p.Errorf("to the operator, Send = %v", err)
			}
		}
		p.after(time.Second)
		if got := p.us.Shown(p.us.LID()); len(got) != 2 || got[0].Text != "mine" {
			p.Errorf("the operator is shown %+v, want two notes", got)
		}
	})
}

func TestSendEndsWithContext(t *testing.T) {
	play(t, false, func(p *scene) {
		p.say("one", "one")
		ctx, cancel := context.WithTimeout(p.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := p.c.Send(ctx, nacre.Delivery{ID: "two", Chat: chatOf(p.ann.LID()), Part: nacre.Part{Text: "two"}}, false)
		if took := time.Since(began); nacre.KindOf(err) != nacre.Transient || took != 100*time.Millisecond {
			p.Errorf("Send = %v, of kind %v, after %v", err, nacre.KindOf(err), took)
		}
		p.wantShown("one")
		p.say("two", "two")
		p.wantShown("one", "two")
	})
}

func TestSendExpires(t *testing.T) {
	play(t, false, func(p *scene) {
		p.say("one", "stays")
		p.ann.Send(p.us.LID(), wadouble.Ephemeral(wadouble.Text("hush"), 86400), wadouble.Opts{})
		p.after(time.Second)
		p.say("two", "goes")
		if got := p.shown(); len(got) != 2 || got[0].Expiration != 0 || got[1].Expiration != 86400 {
			p.Errorf("shown %+v, want the second to disappear after a day", got)
		}
	})
}

func TestSendInAGroup(t *testing.T) {
	play(t, false, func(p *scene) {
		club := p.wa.Group("club", p.ann, p.us)
		if _, err := p.send(club, "one", nacre.Part{Text: "one"}); err != nil {
			p.Fatalf("Send = %v", err)
		}
		p.after(time.Second)
		if got := p.ann.Shown(club); len(got) != 1 || got[0].Text != "one" {
			p.Errorf("shown %+v", got)
		}
		elsewhere := p.wa.Group("another", p.ann)
		if _, err := p.send(elsewhere, "two", nacre.Part{Text: "two"}); nacre.KindOf(err) != nacre.NotFound {
			p.Errorf("to a group without us, Send = %v, of kind %v", err, nacre.KindOf(err))
		}
	})
}
