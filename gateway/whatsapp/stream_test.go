package whatsapp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest/wadouble"
)

// grow shows a text in the bubble of a turn.
func (p *scene) grow(b *gateway.Bubble, text string) error {
	id, err := p.c.Stream(p.Context(), *b, text)
	b.ID = id
	return err
}

// finish sends the final part of an answer.
func (p *scene) finish(b gateway.Bubble, id nacre.DeliveryID, part nacre.Part) {
	p.Helper()
	external, err := p.c.Send(p.Context(), nacre.Delivery{ID: id, Chat: b.Chat, Part: part, Bubble: b.ID}, false)
	if err != nil {
		p.Fatalf("Send: %v", err)
	}
	to, _ := jidOf(b.Chat)
	p.outbox.put(to, external, part)
}

func (p *scene) bubble(turn nacre.TurnID) *gateway.Bubble {
	return &gateway.Bubble{Chat: chatOf(p.ann.LID()), Turn: turn}
}

func TestStream(t *testing.T) {
	for _, own := range []bool{false, true} {
		t.Run(fmt.Sprintf("own %v", own), func(t *testing.T) {
			play(t, own, func(p *scene) {
				reader, b := p.ann, p.bubble("turn")
				if own {
					reader, b.Chat = p.us, chatOf(p.us.LID())
				}
				if err := p.grow(b, "The *tide*"); err != nil || b.ID != nacre.ExternalID(p.ownID("turn")) {
					p.Fatalf("Stream = %q, %v", b.ID, err)
				}
				p.after(editEvery)
				if err := p.grow(b, "The *tide* comes"); err != nil {
					p.Fatalf("Stream = %v", err)
				}
				p.after(time.Second)
				p.finish(*b, "answer", nacre.Part{Text: "The tide comes at noon."})
				p.after(time.Second)
				got := reader.Shown(p.us.LID())
				last := got[len(got)-1]
				if last.Text != "The tide comes at noon." || last.ID != string(b.ID) || last.Edits != 2 || last.Revoked {
					p.Errorf("shown %+v", last)
				}
			})
		})
	}
}

// TestStreamSeldom offers new words all the time, as a model does.
func TestStreamSeldom(t *testing.T) {
	play(t, false, func(p *scene) {
		b, began := p.bubble("turn"), time.Now()
		var at []time.Duration
		text := "x"
		for time.Since(began) < 5*time.Minute {
			text += "x"
			err := p.grow(b, text)
			if err == nil {
				at = append(at, time.Since(began))
				continue
			}
			if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) <= 0 {
				p.Fatalf("Stream = %v", err)
			}
			p.after(nacre.RetryAfter(err))
		}
		if len(at) != 1+mostEdits || at[0] != 0 {
			p.Errorf("shown at %v, want at once and %d times more", at, mostEdits)
		}
		for i := 1; i < len(at); i++ {
			if gap := at[i] - at[i-1]; gap < editEvery {
				p.Errorf("%v between two edits", gap)
			}
		}
		if got := p.shown(); len(got) != 1 || got[0].Edits != mostEdits {
			p.Errorf("shown %+v", got)
		}
	})
}

func TestStreamNothingNew(t *testing.T) {
	play(t, false, func(p *scene) {
		b := p.bubble("turn")
		if err := p.grow(b, " \n"); err != nil || b.ID != "" {
			p.Errorf("with nothing to see, Stream = %q, %v", b.ID, err)
		}
		p.wantShown()
		for range 3 {
			if err := p.grow(b, "The tide"); err != nil {
				p.Errorf("Stream = %v", err)
			}
			p.after(editEvery)
		}
		p.finish(*b, "answer", nacre.Part{Text: "The tide"})
		if got := p.shown(); len(got) != 1 || got[0].Edits != 0 {
			p.Errorf("shown %+v, want no edit", got)
		}
	})
}

// TestFinishUnread has a phone that cannot read the final edit, and a connection that
// is lost: the phone asks the next one for it.
func TestFinishUnread(t *testing.T) {
	play(t, false, func(p *scene) {
		b := p.bubble("turn")
		if err := p.grow(b, "The"); err != nil {
			p.Fatalf("Stream = %v", err)
		}
		p.after(time.Second)
		p.ann.Forget()
		p.outbox.put(p.ann.LID(), b.ID, nacre.Part{Text: "The tide comes."})
		p.wa.Fail(wadouble.Fault{Kind: wadouble.DropAfter})
		d := nacre.Delivery{ID: "answer", Chat: b.Chat, Part: nacre.Part{Text: "The tide comes."}, Bubble: b.ID}
		if _, err := p.c.Send(p.Context(), d, false); !errors.Is(err, gateway.ErrUnsure) {
			p.Errorf("Send = %v", err)
		}
		p.online()
		p.after(10 * time.Second)
		p.wantShown("The tide comes.")
		p.finish(*b, "answer", d.Part)
		if got := p.shown(); len(got) != 1 || got[0].Edits != 1 {
			p.Errorf("shown %+v, want one edit", got)
		}
	})
}

// TestFinishAnew has bubbles that cannot become the answer.
func TestFinishAnew(t *testing.T) {
	text := nacre.Part{Text: "The tide comes."}
	tests := []struct {
		name   string
		part   nacre.Part
		before func(*scene)
	}{
		{"too old", text, func(p *scene) { p.after(editTime) }},
		{"of another process", text, (*scene).restart},
		{"file", nacre.Part{Text: "The tide comes.", File: &nacre.File{Name: "a.txt", Data: []byte("x")}}, func(*scene) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, false, func(p *scene) {
				b := p.bubble("turn")
				if err := p.grow(b, "The"); err != nil {
					p.Fatalf("Stream = %v", err)
				}
				tt.before(p)
				for range 2 { // as after a crash
					p.finish(*b, "answer", tt.part)
				}
				got := p.shown()
				if len(got) != 2 || !got[0].Revoked || got[1].Text != "The tide comes." || got[1].Revoked {
					p.Errorf("shown %+v, want the bubble taken back and the answer once", got)
				}
			})
		})
	}
}

func TestStreamOfAnotherProcess(t *testing.T) {
	play(t, false, func(p *scene) {
		b := p.bubble("turn")
		if err := p.grow(b, "The"); err != nil {
			p.Fatalf("Stream = %v", err)
		}
		p.restart()
		if err := p.grow(b, "The tide"); err == nil || nacre.KindOf(err) == nacre.Transient {
			p.Errorf("Stream = %v, want it to end the showing", err)
		}
		p.wantShown("The")
	})
}

// TestStreamGoesOnInAnotherProcess has a turn whose id tells how old its bubble is.
func TestStreamGoesOnInAnotherProcess(t *testing.T) {
	for name, c := range map[string]struct {
		age  time.Duration
		want int // messages, of which all but the last are taken back
	}{
		"young": {time.Minute, 1},
		"old":   {editTime, 2},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, false, func(p *scene) {
				b := p.bubble(nacre.TurnID(nacre.NewID(time.Now())))
				if err := p.grow(b, "The"); err != nil {
					p.Fatalf("Stream = %v", err)
				}
				p.after(c.age)
				p.restart()
				err := p.grow(b, "The tide")
				p.after(time.Second)
				p.finish(*b, "answer", nacre.Part{Text: "The tide comes."})
				got := p.shown()
				if (err == nil) != (c.want == 1) || len(got) != c.want || got[len(got)-1].Text != "The tide comes." || got[0].Revoked != (c.want > 1) {
					p.Errorf("Stream = %v, shown %+v, want %d messages", err, got, c.want)
				}
			})
		})
	}
}

func TestBubblesAreBounded(t *testing.T) {
	var b bubbles
	for i := range 2 * mostBubbles {
		b.shown(fmt.Sprint(i), strings.Repeat("x", i))
	}
	if _, ok := b.look(fmt.Sprint(2*mostBubbles - 1)); !ok || len(b.all) != mostBubbles {
		t.Errorf("%d bubbles are remembered, the newest %v", len(b.all), ok)
	}
}
