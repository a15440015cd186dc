package telegram

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

const family = -4001 // a group

var familyChat = nacre.Chat{Channel: nacre.Telegram, ID: "-4001"}

// stream shows an answer so far and fails the test if that is refused for
// good.
func (r *rig) stream(b *gateway.Bubble, text string) error {
	r.Helper()
	id, err := r.c.Stream(r.Context(), *b, text)
	if err == nil {
		b.ID = id
	} else if nacre.KindOf(err) != nacre.Transient || id != b.ID {
		r.Errorf("Stream = %q, %v", id, err)
	}
	return err
}

// soon shows an answer as soon as it is not too early.
func (r *rig) soon(b *gateway.Bubble, text string) {
	r.Helper()
	for range 5 {
		err := r.stream(b, text)
		if err == nil {
			return
		}
		r.after(nacre.RetryAfter(err))
	}
	r.Errorf("%q is not shown", text)
}

// finish sends the answer as the gateway does after its turn.
func (r *rig) finish(b gateway.Bubble, text string) {
	r.Helper()
	for i, part := range r.c.Render(nacre.Reply{Text: text}) {
		d := nacre.Delivery{Chat: b.Chat, Part: part}
		if i == 0 {
			d.Bubble = b.ID
		}
		if _, err := r.c.Send(r.Context(), d, false); err != nil {
			r.Errorf("part %d: %v", i, err)
		}
	}
}

// wantShown compares the texts that a chat sees.
func (r *rig) wantShown(chat int64, want ...string) {
	r.Helper()
	var got []string
	for _, s := range r.tg.Sent() {
		if s.Chat == chat && !s.Deleted {
			got = append(got, s.Text)
		}
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		r.Errorf("chat %d sees %q, want %q", chat, got, want)
	}
}

// wantGap holds that requests which only show something never came closer to
// each other in a chat than that.
func (r *rig) wantGap(chat int64, least time.Duration) {
	r.Helper()
	var last time.Time
	for _, call := range r.tg.Calls("") {
		if call.Params["chat_id"] != strconv.FormatInt(chat, 10) {
			continue
		}
		if gap := call.At.Sub(last); gap < least {
			r.Errorf("%s came %v after the request before, want %v", call.Method, gap, least)
		}
		last = call.At
	}
}

func TestStreamByDrafts(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		b := gateway.Bubble{Chat: annsChat, Turn: "turn"}
		b.Chat.Thread = "77"
		for _, text := range []string{"It", "It is **no", "It is **noon**"} {
			r.soon(&b, text)
		}
		r.wantGap(ann, draftEvery)
		r.finish(b, "It is **noon**.")
		if b.ID != "" {
			t.Errorf("drafts have the id %q", b.ID)
		}
		var got []string
		for _, d := range r.tg.Drafts() {
			if d.ID <= 0 || d.ID != r.tg.Drafts()[0].ID || d.Thread != "77" {
				t.Errorf("draft %+v", d)
			}
			got = append(got, d.Text)
		}
		if want := "It|It is **no|It is noon"; strings.Join(got, "|") != want {
			t.Errorf("drafts %q, want %q", got, want)
		}
		r.wantShown(ann, "It is noon.")
	})
}

func TestDraftIDs(t *testing.T) {
	seen := map[int64]bool{}
	for i := range 1000 {
		n, err := strconv.ParseInt(draftID(nacre.TurnID(fmt.Sprint(i))), 10, 64)
		if err != nil || n <= 0 || seen[n] {
			t.Fatalf("draftID = %d, %v", n, err)
		}
		seen[n] = true
	}
}

func TestStreamByEdits(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Know(family)
		b := gateway.Bubble{Chat: familyChat, Turn: "turn"}
		for _, text := range []string{"It", "It is", "It is **noon**"} {
			r.soon(&b, text)
		}
		r.wantGap(family, groupEvery)
		r.wantShown(family, "It is noon")
		if n := len(r.tg.Calls("sendMessageDraft")); n != 0 {
			t.Errorf("%d drafts were tried in a group", n)
		}
		r.finish(b, "It is **noon**.")
		r.wantShown(family, "It is noon.")
	})
}

func TestStreamWithoutDrafts(t *testing.T) {
	tests := []struct {
		name   string
		make   func(tg *gatewaytest.BotAPI)
		drafts int // how often they are tried, in two chats
	}{
		{"old server", func(tg *gatewaytest.BotAPI) { tg.NoDrafts() }, 1},
		{"chat", func(tg *gatewaytest.BotAPI) { tg.NoDraftsIn(ann) }, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				test.make(r.tg)
				r.tg.Know(ann + 1)
				bens := nacre.Chat{Channel: nacre.Telegram, ID: "1002"}
				a, b := gateway.Bubble{Chat: annsChat, Turn: "a"}, gateway.Bubble{Chat: bens, Turn: "b"}
				for _, text := range []string{"one", "one two"} {
					r.soon(&a, text)
					r.soon(&b, text)
				}
				if a.ID == "" {
					t.Error("there is no bubble in place of the draft")
				}
				if n := len(r.tg.Calls("sendMessageDraft")); n != test.drafts {
					t.Errorf("drafts were tried %d times, want %d", n, test.drafts)
				}
				r.wantGap(ann, editEvery)
				r.finish(a, "one two three")
				r.wantShown(ann, "one two three")
			})
		})
	}
}

func TestStreamShowsNothingTwice(t *testing.T) {
	long := strings.Repeat("word after word ", 300)
	for name, chat := range map[string]nacre.Chat{"draft": annsChat, "edit": familyChat} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Know(family)
				b := gateway.Bubble{Chat: chat, Turn: "turn"}
				for _, text := range []string{"", "one", "one", "one ", long, long + "more", long + "more and more"} {
					r.soon(&b, text)
					r.after(groupEvery)
				}
				if n := len(r.tg.Calls("")); n != 2 {
					t.Errorf("%d requests, want one for each of two looks", n)
				}
				r.finish(b, long+"more")
				shown := r.tg.Sent()
				if len(shown) != 2 {
					t.Fatalf("%d messages, want 2", len(shown))
				}
				if got := shown[0].Text + " " + shown[1].Text; got != long+"more" {
					t.Errorf("%d characters arrived as %d", len(long)+4, len(got))
				}
			})
		})
	}
}

// TestStreamOfHalves has what a model may have written when it is shown.
func TestStreamOfHalves(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"fence", "```go\nfunc main(", "func main("},
		{"link", "see [the page](https://exa", "see [the page](https://exa"},
		{"entity", "R&am", "R&am"},
		{"tag", "a <b", "a <b"},
		{"code", "run `ls -", "run `ls -"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.soon(&gateway.Bubble{Chat: annsChat, Turn: "turn"}, test.text)
				if got := r.tg.Drafts(); len(got) != 1 || got[0].Text != test.want {
					t.Errorf("drafts %+v, want %q", got, test.want)
				}
			})
		})
	}
}

// TestStreamOfHalfAnEmoji has an emoji whose bytes come in two deltas.
func TestStreamOfHalfAnEmoji(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		b := gateway.Bubble{Chat: annsChat, Turn: "turn"}
		r.soon(&b, "hat \xF0\x9F")
		r.soon(&b, "hat \xF0\x9F\x8E\xA9")
		r.finish(b, "hat \xF0\x9F\x8E\xA9")
		r.wantShown(ann, "hat 🎩")
	})
}

// TestStreamUnderPauses lets Telegram ask for a pause at the third edit and,
// later, at the answer.
func TestStreamUnderPauses(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Know(family)
		b := gateway.Bubble{Chat: familyChat, Turn: "turn"}
		r.soon(&b, "a")
		r.soon(&b, "a b")
		r.soon(&b, "a b c")
		r.tg.Fail("editMessageText", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 9}, gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 250})
		r.after(groupEvery)
		if err := r.stream(&b, "a b c d"); nacre.RetryAfter(err) != 9*time.Second {
			t.Errorf("Stream = %v, after %v", err, nacre.RetryAfter(err))
		}
		calls := len(r.tg.Calls(""))
		final := nacre.Delivery{Chat: familyChat, Bubble: b.ID, Part: nacre.Part{Text: "a b c d e"}}
		_, err := r.c.Send(t.Context(), final, false)
		r.stream(&b, "a b c d e")
		r.c.Typing(t.Context(), familyChat)
		if nacre.RetryAfter(err) != 9*time.Second || len(r.tg.Calls("")) != calls {
			t.Errorf("Send = %v with %d requests during the pause", err, len(r.tg.Calls(""))-calls)
		}
		if _, err := r.send("for Ann"); err != nil {
			t.Errorf("another chat is held up: %v", err)
		}
		r.after(9 * time.Second)
		_, err = r.c.Send(t.Context(), final, false)
		if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) != 250*time.Second {
			t.Errorf("Send = %v, after %v", err, nacre.RetryAfter(err))
		}
		r.after(250 * time.Second)
		if _, err := r.c.Send(t.Context(), final, false); err != nil {
			t.Errorf("after the pause Send = %v", err)
		}
		r.wantShown(family, "a b c d e")
		if v := r.tg.Violations(); len(v) > 0 {
			t.Errorf("calls during a pause: %q", v)
		}
	})
}

func TestTypingStopsDuringAPause(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		for i, method := range []string{"sendMessage", "sendChatAction", "sendMessageDraft"} {
			r.tg.Fail(method, gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 9})
			r.send("one")
			r.c.Typing(t.Context(), annsChat)
			r.c.Stream(t.Context(), gateway.Bubble{Chat: annsChat, Turn: "turn"}, fmt.Sprint("text ", i))
			r.after(time.Minute)
			r.c.Typing(t.Context(), annsChat)
			r.after(time.Minute)
		}
		if n := len(r.tg.Calls("sendChatAction")); n < 3 {
			t.Errorf("typing was shown %d times", n)
		}
		if v := r.tg.Violations(); len(v) > 0 {
			t.Errorf("calls during a pause: %q", v)
		}
	})
}

// TestUnknownOutcomesOfShowings loses answers: what may be done twice is
// offered again, what may not ends the showing.
func TestUnknownOutcomesOfShowings(t *testing.T) {
	lost := gatewaytest.Fault{Kind: gatewaytest.DropAfter}
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Know(family)
		b := gateway.Bubble{Chat: annsChat, Turn: "a"}
		r.tg.Fail("sendMessageDraft", lost)
		r.soon(&b, "one")

		b = gateway.Bubble{Chat: familyChat, Turn: "b"}
		r.soon(&b, "one")
		r.tg.Fail("editMessageText", lost)
		r.soon(&b, "one two")
		r.wantShown(family, "one two")

		r.after(groupEvery)
		r.tg.Fail("sendMessage", lost)
		id, err := r.c.Stream(t.Context(), gateway.Bubble{Chat: familyChat, Turn: "c"}, "three")
		if id != "" || !errors.Is(err, gateway.ErrUnsure) || nacre.KindOf(err) == nacre.Transient {
			t.Errorf("Stream = %q, %v; another bubble would come", id, err)
		}
	})
}

func TestStreamGivesUpADeletedBubble(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Know(family)
		b := gateway.Bubble{Chat: familyChat, Turn: "turn", ID: "99"}
		if _, err := r.c.Stream(t.Context(), b, "one"); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("Stream = %v", err)
		}
		r.finish(b, "one two")
		r.wantShown(family, "one two")
	})
}

// TestRefusedShowingsEnd holds that a showing costs one request.
func TestRefusedShowingsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Know(family)
		r.tg.Fail("sendMessageDraft", refusedMarkup)
		r.tg.Fail("sendMessage", refusedMarkup)
		for _, chat := range []nacre.Chat{annsChat, familyChat} {
			id, err := r.c.Stream(t.Context(), gateway.Bubble{Chat: chat, Turn: "turn"}, "**one**")
			if id != "" || nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("Stream = %q, %v", id, err)
			}
		}
		if n := len(r.tg.Calls("")); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

func TestGlimpsesAreBounded(t *testing.T) {
	var g glimpses
	for i := range 1000 {
		g.keep(fmt.Sprint(i), "text")
		g.keep(fmt.Sprint(i), "other text")
	}
	if !g.has("999", "other text") || g.has("999", "text") || !g.has("940", "other text") || g.has("1", "other text") {
		t.Error("the latest are not remembered, or old ones are")
	}
}
