package telegram

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

func TestStalledPollGetsNewConnections(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Hang, Times: 1})
		stalled := time.Now()
		r.run()
		r.tg.Text(ann, "anybody?")
		r.after(50 * time.Second)
		r.wantTexts()
		r.send("over a connection that is kept")
		before := r.net.Dials()
		got, err := r.host.Wait(r.Context(), 1)
		if err != nil || got[0].Text() != "anybody?" {
			t.Fatalf("stored %v, %v", got, err)
		}
		if waited := time.Since(stalled); waited > 67*time.Second {
			t.Errorf("the silence lasted %v, want it ended about 65s after the poll began", waited)
		}
		r.after(time.Second)
		r.send("over a new one")
		if n := r.net.Dials() - before; n != 2 {
			t.Errorf("%d new connections were made, want one for the poll and one for the send", n)
		}
		r.after(time.Second)
		r.wantState(true, "connected as @"+gatewaytest.BotUsername)
	})
}

func TestIdlePollsAreAlive(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(30 * time.Minute)
		polls := len(r.tg.Calls("getUpdates"))
		if polls < 36 || polls > 37 {
			t.Errorf("%d polls in 30 minutes, want one each 50 s", polls)
		}
		if n := r.tg.MostPolls(); n != 1 {
			t.Errorf("%d polls were in flight at once", n)
		}
		// Whether the menus are set before the first poll begins, and leave it their connection, is chance.
		if n := r.net.Dials(); n < 1 || n > 2 {
			t.Errorf("%d connections were made, want one for the polls and at most one for the menus", n)
		}
		for _, call := range r.tg.Calls("") {
			if call.Status != 200 && call.Status != 0 {
				t.Errorf("%s was answered %d", call.Method, call.Status)
			}
		}
		r.wantState(true, "connected")
		r.tg.Text(ann, "still there?")
		r.after(time.Second)
		r.wantTexts("still there?")
	})
}

func TestPollAsksForWhatWeHandle(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		first := r.tg.Calls("getUpdates")[0].Params
		if _, ok := first["offset"]; ok || first["timeout"] != "50" || first["limit"] != "100" || first["allowed_updates"] != allowedUpdates {
			t.Errorf("the first poll asked for %v", first)
		}
		id := r.tg.Text(ann, "hello")
		r.after(time.Second)
		calls := r.tg.Calls("getUpdates")
		if got, want := calls[len(calls)-1].Params["offset"], fmt.Sprint(id+1); got != want {
			t.Errorf("the poll after update %d asked from %q on, want %q", id, got, want)
		}
	})
}

func TestStoredBeforeConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
		r.run()
		for _, text := range []string{"one", "two", "three"} {
			r.tg.Text(ann, text)
		}
		r.after(10 * time.Minute)
		if n := r.tg.Pending(); n != 3 {
			t.Errorf("%d of 3 updates are left though none was stored", n)
		}
		if n := len(r.tg.Calls("getUpdates")); n != 1 {
			t.Errorf("%d polls while a batch waits to be stored, want 1", n)
		}
		r.wantState(false, "the disk is full")

		r.c = r.open() // as after a crash, with the disk mended
		r.host = gatewaytest.NewHost()
		r.run()
		r.after(time.Minute)
		r.wantTexts("one", "two", "three")
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d stored updates were not confirmed", n)
		}
	})
}

func TestUnknownUpdatesAreIgnoredAndConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		chat := `"chat":{"id":-100,"type":"supergroup"},"date":1,"message_id":5`
		for _, update := range []string{
			`{"channel_post":{` + chat + `,"text":"x"}}`,
			`{"edited_message":{` + chat + `,"pinned_message":{}}}`,
			`{"my_chat_member":{"chat":{"id":-100,"type":"supergroup"}}}`,
			`{"message_reaction":{"chat":{"id":-100,"type":"supergroup"},"message_id":5}}`,
			`{"poll":{"id":"1","question":"x"}}`,
			`{"callback_query":{"id":"1","data":"x"}}`,
			`{"something_new":{"of":"2030"}}`,
			`{"message":null}`,
			`{"message":{}}`,
			`{}`,
			`{"message":{` + chat + `,"new_chat_members":[{"id":7,"is_bot":true}]}}`,
			`{"message":{` + chat + `,"text":["not","a","text"]}}`,
			`{"message":{"chat":"nonsense"}}`,
			`{"message":"nonsense"}`,
		} {
			r.tg.Inject(update)
		}
		r.tg.Text(ann, "hello")
		r.after(time.Second)
		r.wantTexts("hello")
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d updates were not confirmed", n)
		}
		r.wantState(true, "connected")
		if got := strings.Count(r.log.String(), "skipped an unreadable update"); got != 3 {
			t.Errorf("%d unreadable updates were logged, want 3:\n%s", got, r.log)
		}
		if strings.Contains(r.log.String(), "nonsense") {
			t.Errorf("the log holds a part of an update:\n%s", r.log)
		}
	})
}

func TestNobodyIsTheAuthorOfAnAnonymousMessage(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.tg.Inject(`{"message":{"message_id":5,"date":1,"text":"by an admin","chat":{"id":-100,"type":"supergroup"},"sender_chat":{"id":-100,"type":"supergroup"}}}`)
		r.tg.Text(ann, "by Ann")
		r.after(time.Second)
		r.wantTexts("by an admin", "by Ann")
		got := r.host.Messages()
		if got[0].Author != (nacre.Address{}) {
			t.Errorf("the author of an anonymous message is %v", got[0].Author)
		}
		if want := (nacre.Address{Channel: nacre.Telegram, ID: "1001"}); got[1].Author != want {
			t.Errorf("the author is %v, want %v", got[1].Author, want)
		}
		if since := time.Since(got[1].Received); since < 0 || since > time.Second {
			t.Errorf("it was received %v ago", since)
		}
	})
}

func TestBadAnswersDoNotStopPolling(t *testing.T) {
	for _, method := range []string{"getMe", "getUpdates"} {
		t.Run(method, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Fail(method,
					gatewaytest.Fault{Kind: gatewaytest.HTML},
					gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 502, Words: "Bad Gateway"},
					gatewaytest.Fault{Kind: gatewaytest.Truncated},
					gatewaytest.Fault{Kind: gatewaytest.NotOK},
					gatewaytest.Fault{Kind: gatewaytest.DropBefore},
					gatewaytest.Fault{Kind: gatewaytest.DropAfter},
				)
				id := r.tg.Text(ann, "hello")
				r.run()
				r.after(40 * time.Second)
				r.wantTexts("hello")
				if n := r.tg.Pending(); n != 0 {
					t.Errorf("update %d was not confirmed", id)
				}
				r.wantState(true, "connected")
				if got := strings.Count(r.log.String(), "receiving failed"); got != 6 {
					t.Errorf("%d failures were logged, want 6:\n%s", got, r.log)
				}
				if strings.Contains(r.log.String(), testSecret) {
					t.Errorf("the log holds the token:\n%s", r.log)
				}
			})
		})
	}
}

func TestStateSaysWhatIsBroken(t *testing.T) {
	tests := []struct {
		name  string
		fault gatewaytest.Fault
		want  string
	}{
		{"page", gatewaytest.Fault{Kind: gatewaytest.HTML}, "check NACRE_TELEGRAM_API"},
		{"no reason", gatewaytest.Fault{Kind: gatewaytest.NotOK}, "not Telegram's"},
		{"server error", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error"}, "Telegram has trouble: it answered 500 Internal Server Error"},
		{"pause", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 90}, "pause of 1m30s"},
		{"dropped", gatewaytest.Fault{Kind: gatewaytest.DropBefore}, "cannot be reached"},
		{"conflict", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 409, Words: "Conflict: terminated by other getUpdates request"}, "another program receives"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Fail("getUpdates", test.fault)
				r.wantState(false, "not connected yet")
				r.run()
				r.after(100 * time.Millisecond)
				r.wantState(false, test.want)
				r.after(3 * time.Minute)
				r.wantState(true, "connected")
				for _, v := range r.tg.Violations() {
					if !strings.HasPrefix(v, "setMyCommands") { // which a pause of polls does not concern
						t.Errorf("during a pause: %s", v)
					}
				}
			})
		})
	}
}

func TestAnotherPollerIsGivenTime(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		conflict := gatewaytest.Fault{
			Kind: gatewaytest.Refuse, Code: 409, Times: 8,
			Words: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
		}
		r.tg.Fail("getUpdates", conflict)
		r.run()
		r.after(10 * time.Minute)
		calls := r.tg.Calls("getUpdates")
		wants := []time.Duration{5, 10, 20, 40, 60, 60, 60, 60}
		for i, want := range wants {
			want *= time.Second
			if got := calls[i+1].At.Sub(calls[i].At); got < want || got > want*5/4 {
				t.Errorf("after conflict %d the next poll came after %v, want %v or a quarter more", i+1, got, want)
			}
		}
		r.wantState(true, "connected")
	})
}

func TestBackoffBeginsAnewAfterSuccess(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		down := gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error", Times: 9}
		r.tg.Fail("getUpdates", down)
		r.run()
		r.after(10 * time.Minute)
		r.wantState(true, "connected")
		calls := r.tg.Calls("getUpdates")
		wants := []time.Duration{500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000}
		for i, want := range wants {
			want *= time.Millisecond
			if got := calls[i+1].At.Sub(calls[i].At); got < want || got > want*5/4 {
				t.Errorf("after failure %d the next poll came after %v, want %v or a quarter more", i+1, got, want)
			}
		}
		r.tg.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500})
		n := len(r.tg.Calls("getUpdates"))
		if err := r.tg.WaitCalls(r.Context(), "getUpdates", n+2); err != nil {
			t.Fatal(err)
		}
		calls = r.tg.Calls("getUpdates")
		if got := calls[n+1].At.Sub(calls[n].At); got > time.Second {
			t.Errorf("after a new failure the next poll came after %v", got)
		}
	})
}

func TestTwoInstances(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		r.c = r.open()
		r.run() // takes the poll away from the first, which then does the same
		r.after(10 * time.Minute)
		r.tg.Text(ann, "hello")
		r.after(5 * time.Minute)
		r.wantTexts("hello")
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d updates were not confirmed", n)
		}
		if n := len(r.tg.Calls("getUpdates")); n > 80 {
			t.Errorf("two instances polled %d times in 15 minutes", n)
		}
		if !strings.Contains(r.log.String(), "Telegram answered 409 Conflict") {
			t.Error("no conflict was logged")
		}
	})
}

func TestWebhookIsTakenAwayOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.SetWebhook("https://example.org/hook")
		r.tg.Text(ann, "sent while the webhook was set")
		r.run()
		r.after(time.Second)
		r.wantTexts("sent while the webhook was set")
		calls := r.tg.Calls("deleteWebhook")
		if len(calls) != 1 || calls[0].Params["drop_pending_updates"] != "false" {
			t.Errorf("deleteWebhook calls: %v", calls)
		}
		r.tg.SetWebhook("https://example.org/hook")
		r.after(5 * time.Minute)
		if n := len(r.tg.Calls("deleteWebhook")); n != 1 {
			t.Errorf("%d webhooks were taken away; it is a fight with another program", n)
		}
		r.wantState(false, "another program keeps setting a webhook")
		r.tg.SetWebhook("")
		r.after(5 * time.Minute)
		r.wantState(true, "connected")
	})
}

func TestRefusedTokenIsFinal(t *testing.T) {
	tests := []struct{ name, token string }{
		{"unknown", "123456:OTHERsecret"},
		{"no token", "my bot's password"},
		{"wrong shape", "OTHERsecret"},
		{"empty", ""},
		{"line break", testToken + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.c = r.openWith(test.token)
				err := <-r.run()
				if nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "NACRE_TELEGRAM_TOKEN") {
					t.Errorf("Run = %v, of kind %v", err, nacre.KindOf(err))
				}
				r.wantState(false, "@BotFather")
				if strings.Contains(r.log.String()+err.Error(), "OTHERsecret") {
					t.Errorf("the token shows in %v or\n%s", err, r.log)
				}
			})
		})
	}
}

func TestTokenRevokedWhileRunning(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		ended := r.run()
		r.after(time.Minute)
		r.wantState(true, "connected")
		r.tg.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 401, Words: "Unauthorized"})
		if err := <-ended; nacre.KindOf(err) != nacre.Denied {
			t.Errorf("Run = %v, of kind %v", err, nacre.KindOf(err))
		}
	})
}

func TestNoNetworkAtStart(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.net.Refuse(true)
		ended := r.run()
		r.after(time.Hour)
		select {
		case err := <-ended:
			t.Fatalf("Run ended with %v", err)
		default:
		}
		r.wantState(false, "cannot be reached")
		if n := r.net.Dials(); n > 130 {
			t.Errorf("%d connections were tried in an hour", n)
		}
		r.tg.Text(ann, "hello")
		r.net.Refuse(false)
		r.after(40 * time.Second)
		r.wantTexts("hello")
	})
}

func TestOffsetFollowsTheServersCount(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.tg.Inject(`{"update_id":900000000,"message":{"message_id":1,"date":1,"text":"high","from":{"id":1001},"chat":{"id":1001,"type":"private"}}}`)
		r.after(time.Second)
		r.tg.Inject(`{"update_id":500,"message":{"message_id":2,"date":1,"text":"low","from":{"id":1001},"chat":{"id":1001,"type":"private"}}}`)
		r.after(time.Minute)
		r.wantTexts("high", "low")
		if n := r.tg.Pending(); n != 0 {
			t.Errorf("%d updates were not confirmed", n)
		}
		if n := len(r.tg.Calls("getUpdates")); n > 6 {
			t.Errorf("%d polls in a minute; it runs in circles", n)
		}
	})
}

func TestUpdatesWithoutIdsDoNotSpin(t *testing.T) {
	p := &poller{receiver: &receiver{Channel: New(Options{Token: testToken})}}
	if err := p.take(nil); err != nil {
		t.Errorf("an empty answer gave %v", err)
	}
	if err := p.take([]json.RawMessage{json.RawMessage(`{"message":{}}`), json.RawMessage(`7`)}); err == nil {
		t.Error("updates that cannot be confirmed were taken as normal")
	}
	unreadable := json.RawMessage(`{"update_id":8,"message":"nonsense"}`)
	if err := p.take([]json.RawMessage{json.RawMessage(`7`), unreadable}); err != nil || p.next != 9 {
		t.Errorf("next = %d, %v; want 9", p.next, err)
	}
}

func TestStoredBatchIsLetGo(t *testing.T) {
	host := gatewaytest.NewHost()
	p := &poller{receiver: &receiver{Channel: New(Options{Token: testToken}), host: host}}
	raw := json.RawMessage(`{"update_id":8,"message":{"message_id":1,"text":"x","from":{"id":1001},"chat":{"id":1001,"type":"private"}}}`)
	if err := p.take([]json.RawMessage{raw}); err != nil || len(p.batch) != 1 || p.offset != 0 {
		t.Fatalf("taken: %d messages, offset %d, %v", len(p.batch), p.offset, err)
	}
	host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
	if err := p.store(t.Context()); err == nil || len(p.batch) != 1 || p.offset != 0 {
		t.Errorf("not stored: %d messages, offset %d, %v", len(p.batch), p.offset, err)
	}
	host.Fail(nil)
	if err := p.store(t.Context()); err != nil || len(p.batch) != 0 || p.offset != 9 {
		t.Errorf("stored: %d messages, offset %d, %v", len(p.batch), p.offset, err)
	}
}
