package telegram

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

const (
	question = nacre.ReplyID("0199b2c4-7d10-7e3a-9f00-3c5d2a1b4e6f")
	bob      = 1002
	street   = -1001900000001 // a group
)

func TestCallbackData(t *testing.T) {
	for _, option := range []int{0, 7, 99} {
		data := callbackData(question, option)
		q, n, ok := parseCallbackData(data)
		if !ok || q != question || n != option || len(data) > 64 {
			t.Errorf("%q gives %q, %d, %v", data, q, n, ok)
		}
	}
	for _, foreign := range []string{"", "a", "a/", "a//0", "a/x", "a/x/", "a/x/-1", "a/x/+1", "a/x/01", "a/x/1 ", "a/x/99999999999999999999", "b/x/1", "approve"} {
		if q, n, ok := parseCallbackData(foreign); ok {
			t.Errorf("%q gives %q, %d", foreign, q, n)
		}
	}
}

// asked sends a question with two options to a chat and returns its id there.
func (r *rig) asked(chat int64) int64 {
	r.Helper()
	r.tg.Know(chat)
	part := nacre.Part{Text: "Shall I?", Question: question, Options: []string{"Yes", "No"}}
	d := nacre.Delivery{Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(itoa(chat))}, Part: part}
	if _, err := r.c.Send(r.Context(), d, false); err != nil {
		r.Fatal(err)
	}
	sent := r.tg.Sent()
	last := sent[len(sent)-1]
	if len(last.Buttons) == 0 {
		r.Fatal("the question has no buttons")
	}
	return last.ID
}

// buttons are those of a message as people see it now.
func (r *rig) buttons(message int64) (labels []string) {
	for _, s := range r.tg.Sent() {
		for _, row := range s.Buttons {
			for _, b := range row {
				if s.ID == message {
					labels = append(labels, b.Text)
				}
			}
		}
	}
	return labels
}

func TestPress(t *testing.T) {
	tests := []struct {
		name       string
		chat, user int64
		option     string
		err        error
		toast      string
		alert      bool
		left       bool // the buttons are still there
	}{
		{"in private", ann, ann, "No", nil, "✓ No", false, false},
		{"in a group", street, ann, "No", nil, "✓ No", false, false},
		{"by somebody else", street, bob, "", nacre.Errorf(nacre.Denied, "Only Ann can answer."), "Only Ann can answer.", true, true},
		{"too late", ann, ann, "", nacre.Errorf(nacre.NotFound, "It is no longer open."), "It is no longer open.", false, true},
		{"long option", ann, ann, strings.Repeat("é", 300), nil, "✓ " + strings.Repeat("é", 117) + "…", false, false},
		{"trouble of ours with words", ann, ann, "", nacre.Errorf(nacre.Internal, "a row is unreadable"), "That did not work. Please write your answer instead.", false, true},
		{"trouble of ours", ann, ann, "", errSilly, "That did not work. Please write your answer instead.", false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.host.Answer(test.option, test.err)
				r.run()
				message := r.asked(test.chat)
				query := r.tg.Press(test.user, test.chat, message, callbackData(question, 1))
				r.after(answerTime)
				want := nacre.Press{
					Author:   nacre.Address{Channel: nacre.Telegram, ID: itoa(test.user)},
					Chat:     nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(itoa(test.chat))},
					Private:  test.chat > 0,
					Question: question,
					Option:   1,
				}
				if got := r.host.Presses(); len(got) != 1 || got[0] != want {
					t.Errorf("pressed %+v, want %+v", got, want)
				}
				if got := r.tg.Toasts(); !slices.Equal(got, []gatewaytest.Toast{{Query: query, Text: test.toast, Alert: test.alert}}) {
					t.Errorf("shown %+v, want %q", got, test.toast)
				}
				if left := r.buttons(message); (len(left) > 0) != test.left {
					t.Errorf("the buttons are %q, want some: %v", left, test.left)
				}
				if n := r.tg.Pending(); n != 0 {
					t.Errorf("%d updates are not confirmed", n)
				}
			})
		})
	}
}

func TestPressesThatAreNotOurs(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		chat := `"message":{"message_id":5,"date":1,"chat":{"id":1001,"type":"private"}}`
		from := `"from":{"id":1001,"is_bot":false}`
		ours := `"data":"a/x/1"`
		for _, query := range []string{
			`"id":"1",` + chat + `,` + from + `,"data":"approve"`,
			`"id":"2",` + chat + `,` + from,
			`"id":"3",` + from + `,` + ours,
			`"id":"4",` + chat + `,` + ours,
			`"id":"5",` + chat + `,"from":{"id":7,"is_bot":true},` + ours,
			`"id":"6","message":{"message_id":5,"chat":{"id":-5,"type":"channel"}},` + from + `,` + ours,
		} {
			r.tg.Inject(`{"callback_query":{` + query + `}}`)
		}
		r.tg.Inject(`{"callback_query":{"id":"7",` + chat + `,` + from + `,` + ours + `}}`)
		r.after(time.Minute)
		if got := r.host.Presses(); len(got) != 1 || got[0].Question != "x" {
			t.Errorf("pressed %+v, want only the last", got)
		}
		polite := 0
		for _, toast := range r.tg.Toasts() {
			if toast.Text == notOurs && !toast.Alert {
				polite++
			}
		}
		if polite != 6 {
			t.Errorf("%d of 6 presses were answered: %+v", polite, r.tg.Toasts())
		}
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d updates are not confirmed", n)
		}
	})
}

func TestPressIsConfirmedOnceItIsStored(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.host.Answer("", nacre.Errorf(nacre.Transient, "the disk is full"))
		message := r.asked(ann)
		r.tg.Text(ann, "before")
		r.tg.Press(ann, ann, message, callbackData(question, 0))
		r.tg.Text(ann, "after")
		r.run()
		r.after(10 * time.Minute)
		r.wantTexts("before")
		r.wantState(false, "the disk is full")
		if n := r.tg.Pending(); n != 3 || len(r.tg.Toasts()) != 0 {
			t.Errorf("%d of 3 updates are left, shown %v", n, r.tg.Toasts())
		}
		if n := r.host.Offers(); n != 1 {
			t.Errorf("what came before was offered %d times", n)
		}
		r.host.Answer("Yes", nil)
		r.after(time.Minute)
		r.tg.Press(ann, ann, message, callbackData(question, 0)) // they press again
		r.after(time.Minute)
		r.wantTexts("before", "after")
		r.wantState(true, "connected")
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d updates are not confirmed", n)
		}
		if got := r.tg.Toasts(); len(got) != 1 || got[0].Text != "✓ Yes" {
			t.Errorf("shown %+v", got)
		}
	})
}

func TestAnsweringAPressHoldsNothingUp(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.host.Answer("Yes", nil)
		r.tg.Fail("answerCallbackQuery", gatewaytest.Fault{Kind: gatewaytest.Hang})
		r.tg.Fail("editMessageReplyMarkup", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 60})
		r.run()
		message := r.asked(ann)
		r.tg.Press(ann, ann, message, callbackData(question, 0))
		r.tg.Text(ann, "and then")
		r.after(time.Second)
		r.wantTexts("and then")
		r.after(answerTime + editEvery)
		if _, err := r.send("during the pause"); nacre.KindOf(err) != nacre.Transient {
			t.Errorf("a message during a pause: %v", err)
		}
		r.after(time.Minute)
		if v := r.tg.Violations(); len(v) > 0 {
			t.Errorf("calls during a pause: %q", v)
		}
		if strings.Contains(r.log.String(), testSecret) {
			t.Errorf("the log holds the token:\n%s", r.log)
		}
	})
}
