package gatewaytest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const token = "123456:ABCdef"

// bot is a client of a double, as a program would be.
type bot struct {
	*testing.T
	tg     *BotAPI
	net    *PipeNet
	client *http.Client
}

func newBot(t *testing.T) *bot {
	b := &bot{T: t, tg: NewBotAPI(token), net: NewPipeNet()}
	b.net.Serve(t, b.tg)
	b.client = &http.Client{Transport: &http.Transport{DialContext: b.net.DialContext}}
	return b
}

// inBubble runs a test with a clock that jumps.
func inBubble(t *testing.T, test func(t *testing.T, b *bot)) {
	synctest.Test(t, func(t *testing.T) { test(t, newBot(t)) })
}

// reply is an answer as the bot reads it.
type reply struct {
	OK         bool
	Result     json.RawMessage
	Code       int    `json:"error_code"`
	Words      string `json:"description"`
	Parameters struct {
		RetryAfter int `json:"retry_after"`
	}
}

// post calls a method with arguments like "chat_id=5&text=x".
func (b *bot) post(ctx context.Context, method, args string) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, "POST", PipeURL+"/bot"+token+"/"+method, strings.NewReader(args))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := b.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

func (b *bot) call(method, args string) (r reply) {
	b.Helper()
	_, body, err := b.post(b.Context(), method, args)
	if err != nil {
		b.Fatalf("%s: %v", method, err)
	}
	if err := json.Unmarshal(body, &r); err != nil {
		b.Fatalf("%s: %v in %q", method, err, body)
	}
	return r
}

// updates are the ids that getUpdates gives.
func (b *bot) updates(args string) string {
	b.Helper()
	r := b.call("getUpdates", args)
	var got []struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(r.Result, &got); err != nil {
		b.Fatalf("getUpdates %s: %+v", args, r)
	}
	ids := ""
	for _, u := range got {
		ids += fmt.Sprintf(" %d", u.ID)
	}
	return strings.TrimSpace(ids)
}

func TestOffsets(t *testing.T) {
	tests := []struct {
		args    string
		want    string
		pending int
	}{
		{"", "11 12 13 14", 4},
		{"offset=0", "11 12 13 14", 4},
		{"limit=2", "11 12", 4},
		{"offset=13", "13 14", 2},
		{"offset=15", "", 0},
		{"offset=25", "", 0},
		{"offset=26", "11 12 13 14", 4}, // from another server's count
		{"offset=-1", "14", 1},
		{"offset=-3", "12 13 14", 3},
		{"offset=-9", "11 12 13 14", 4},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				for i := range 4 {
					b.tg.Inject(fmt.Sprintf(`{"update_id":%d}`, 11+i))
				}
				if got := b.updates(test.args); got != test.want {
					t.Errorf("given %q, want %q", got, test.want)
				}
				if got := b.tg.Pending(); got != test.pending {
					t.Errorf("%d are left, want %d", got, test.pending)
				}
			})
		})
	}
}

func TestLongPoll(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		began := time.Now()
		if got := b.updates("timeout=999"); got != "" || time.Since(began) != longestPoll*time.Second {
			t.Errorf("an idle poll gave %q after %v", got, time.Since(began))
		}
		time.AfterFunc(5*time.Second, func() { b.tg.Text(1001, "hello") })
		began = time.Now()
		if got := b.updates("timeout=50"); got == "" || time.Since(began) != 5*time.Second {
			t.Errorf("a poll gave %q after %v", got, time.Since(began))
		}
		if got := b.updates("timeout=0&offset=9999"); got == "" {
			t.Error("what was not confirmed is not offered again")
		}
	})
}

// meanwhile calls a method in the background.
func (b *bot) meanwhile(method, args string) <-chan reply {
	got := make(chan reply, 1)
	go func() { got <- b.call(method, args) }()
	synctest.Wait()
	return got
}

func TestOnePollAtATime(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		first := b.meanwhile("getUpdates", "timeout=50")
		second := b.meanwhile("getUpdates", "timeout=50")
		if r := <-first; r.Code != 409 || !strings.Contains(r.Words, "terminated by other getUpdates request") {
			t.Errorf("the first poll got %+v", r)
		}
		if n := b.tg.MostPolls(); n != 2 {
			t.Errorf("MostPolls = %d, want 2", n)
		}
		b.tg.Text(1001, "hello")
		if r := <-second; !r.OK {
			t.Errorf("the second poll got %+v", r)
		}
	})
}

func TestWebhook(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		id := b.tg.Text(1001, "hello")
		waiting := b.meanwhile("getUpdates", fmt.Sprintf("timeout=50&offset=%d", id+1))
		b.tg.Text(1001, "again")
		<-waiting
		waiting = b.meanwhile("getUpdates", fmt.Sprintf("timeout=50&offset=%d", id+2))
		b.tg.SetWebhook("https://example.org")
		if r := <-waiting; r.Code != 409 || !strings.Contains(r.Words, "setWebhook") {
			t.Errorf("the waiting poll got %+v", r)
		}
		if r := b.call("getUpdates", ""); r.Code != 409 || !strings.Contains(r.Words, "deleteWebhook") {
			t.Errorf("a poll under a webhook got %+v", r)
		}
		b.tg.Text(1001, "kept")
		if r := b.call("deleteWebhook", ""); !r.OK || b.tg.Pending() != 1 {
			t.Errorf("deleteWebhook: %+v, %d updates left", r, b.tg.Pending())
		}
		b.call("setWebhook", "url=https://example.org")
		if r := b.call("deleteWebhook", "drop_pending_updates=true"); !r.OK || b.tg.Pending() != 0 {
			t.Errorf("deleteWebhook: %+v, %d updates left", r, b.tg.Pending())
		}
	})
}

func TestTokens(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		for path, want := range map[string]int{
			"/bot" + token + "/getMe":      200,
			"/bot" + token + "/GETME":      200,
			"/bot" + token + "/nonsense":   404,
			"/bot123456:other/getMe":       401,
			"/botnonsense/getMe":           404,
			"/somewhere/else":              404,
			"/bot" + token + "?method=get": 404,
		} {
			resp, err := b.client.Get(PipeURL + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s was answered %d, want %d", path, resp.StatusCode, want)
			}
		}
	})
}

func TestSendMessage(t *testing.T) {
	html := func(text string) string { return "chat_id=5&parse_mode=HTML&text=" + url.QueryEscape(text) }
	plain := func(text string) string { return "chat_id=5&text=" + url.QueryEscape(text) }
	tests := []struct {
		name, args string
		refused    string // a part of the words; empty if it is taken
		shown      string
	}{
		{"plain", plain("a < b & c"), "", "a < b & c"},
		{"trimmed", plain("\n a \n"), "", "a"},
		{"no text", "chat_id=5", "text is empty", ""},
		{"spaces", plain(" \n\t "), "must be non-empty", ""},
		{"nothing to see", plain("\u200B\u2800\u00A0\u3000\u030A"), "must be non-empty", ""},
		{"joiner and letter", plain("\u200Ba"), "", "\u200Ba"},
		{"no UTF-8", "chat_id=5&text=%ff", "encoded in UTF-8", ""},
		{"longest", plain(strings.Repeat("🎩", 2048)), "", strings.Repeat("🎩", 2048)},
		{"too long", plain(strings.Repeat("🎩", 2048) + "x"), "message is too long", ""},
		{"unknown chat", "chat_id=6&text=x", "chat not found", ""},
		{"General", plain("x") + "&message_thread_id=1", "message thread not found", ""},
		{"topic", plain("x") + "&message_thread_id=7", "", "x"},
		{"markup", html(`<b>a</b> &lt; <a href="https://example.org/?a=1">b</a> &#33;&#x21;`), "", "a < b !!"},
		{"markup does not count", html("<b>" + strings.Repeat("x", 4096) + "</b>"), "", strings.Repeat("x", 4096)},
		{"blank markup", html("<b> </b>"), "must be non-empty", ""},
		{"unknown tag", html("<blink>x</blink>"), `Unsupported start tag "blink"`, ""},
		{"address", html("Ann <ann@example.org>"), "Unsupported start tag", ""},
		{"less than", html("3 < 5"), "can't parse entities", ""},
		{"greater than", html("5 > 3"), "can't parse entities", ""},
		{"ampersand", html("a & b"), "can't parse entities", ""},
		{"unknown entity", html("&nbsp;"), "can't parse entities", ""},
		{"left open", html("<b>x"), "Can't find end tag", ""},
		{"crossed", html("<b><i>x</b></i>"), "Unmatched end tag", ""},
		{"closed twice", html("<b>x</b></b>"), "Unexpected end tag", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				b.tg.Know(5)
				r := b.call("sendMessage", test.args)
				sent := b.tg.Sent()
				if test.refused != "" {
					if r.Code != 400 || !strings.Contains(r.Words, test.refused) || len(sent) != 0 {
						t.Errorf("answered %+v, sent %v", r, sent)
					}
					return
				}
				if !r.OK || len(sent) != 1 || sent[0].Text != test.shown || sent[0].Chat != 5 {
					t.Errorf("answered %+v, sent %v", r, sent)
				}
			})
		})
	}
}

func TestEditAndDelete(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Know(5)
		b.call("sendMessage", "chat_id=5&text=one")
		id := fmt.Sprintf("chat_id=5&message_id=%d", b.tg.Sent()[0].ID)
		for _, step := range []struct{ method, args, refused string }{
			{"editMessageText", id + "&text=two", ""},
			{"editMessageText", id + "&text=two", "message is not modified"},
			{"editMessageText", id + "&text=two%20", "message is not modified"},
			{"editMessageText", id + "&text=", "text is empty"},
			{"editMessageText", "chat_id=5&message_id=1&text=x", "message to edit not found"},
			{"deleteMessage", id, ""},
			{"deleteMessage", id, "message to delete not found"},
			{"editMessageText", id + "&text=three", "message to edit not found"},
		} {
			r := b.call(step.method, step.args)
			if step.refused == "" && !r.OK || step.refused != "" && !strings.Contains(r.Words, step.refused) {
				t.Errorf("%s %s: %+v, want %q", step.method, step.args, r, step.refused)
			}
		}
		if got := b.tg.Sent()[0]; got.Text != "two" || got.Edits != 1 || !got.Deleted {
			t.Errorf("in the end %+v", got)
		}
	})
}

func TestFaults(t *testing.T) {
	const once = "chat_id=5&text=x"
	tests := []struct {
		name   string
		fault  Fault
		status int    // 0: no answer
		body   string // a part of it
		sent   int
	}{
		{"refuse", Fault{Kind: Refuse, Code: 500, Words: "Internal Server Error"}, 500, `"error_code":500`, 0},
		{"page", Fault{Kind: HTML}, 502, "<html>", 0},
		{"not ok", Fault{Kind: NotOK}, 200, `{"ok":false}`, 0},
		{"drop before", Fault{Kind: DropBefore}, 0, "", 0},
		{"drop after", Fault{Kind: DropAfter}, 0, "", 1},
		{"truncated", Fault{Kind: Truncated}, 200, `{"ok":true,"result":{`, 1},
		{"hang", Fault{Kind: Hang}, 0, "", 0},
		{"hang after", Fault{Kind: HangAfter}, 0, "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				b.tg.Know(5)
				b.tg.Fail("sendMessage", test.fault)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				status, body, err := b.post(ctx, "sendMessage", once)
				if (err != nil) != (test.status == 0) || status != test.status || !strings.Contains(string(body), test.body) {
					t.Errorf("answered %d %q, %v", status, body, err)
				}
				if json.Valid(body) != (test.status != 0 && test.fault.Kind != HTML && test.fault.Kind != Truncated) {
					t.Errorf("body is %q", body)
				}
				if n := len(b.tg.Sent()); n != test.sent {
					t.Errorf("%d messages sent, want %d", n, test.sent)
				}
				if r := b.call("sendMessage", once); !r.OK {
					t.Errorf("after the fault: %+v", r)
				}
			})
		})
	}
}

func TestFaultsAreCounted(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Fail("getMe", Fault{Kind: Refuse, Code: 500, Times: 2}, Fault{Kind: Refuse, Code: 401, Times: -1})
		for i, want := range []int{500, 500, 401, 401, 401} {
			if r := b.call("getme", ""); r.Code != want {
				t.Errorf("call %d was answered %d, want %d", i+1, r.Code, want)
			}
		}
		b.tg.Heal("getMe")
		if r := b.call("getMe", ""); !r.OK {
			t.Errorf("after Heal: %+v", r)
		}
		if r := b.call("getUpdates", "timeout=0"); !r.OK {
			t.Errorf("another method: %+v", r)
		}
	})
}

func TestRelease(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Fail("getMe", Fault{Kind: Hang})
		got := b.meanwhile("getMe", "")
		time.Sleep(time.Hour)
		select {
		case r := <-got:
			t.Fatalf("answered %+v before Release", r)
		default:
		}
		b.tg.Release()
		if r := <-got; !r.OK {
			t.Errorf("after Release: %+v", r)
		}
	})
}

func TestFlood(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Know(5, 6)
		b.tg.Fail("sendMessage", Fault{Kind: Flood, Seconds: 9})
		if r := b.call("sendMessage", "chat_id=5&text=x"); r.Code != 429 || r.Parameters.RetryAfter != 9 {
			t.Errorf("answered %+v", r)
		}
		if v := b.tg.Violations(); len(v) != 0 {
			t.Errorf("violations so far: %q", v)
		}
		time.Sleep(8500 * time.Millisecond)
		if r := b.call("sendChatAction", "chat_id=5&action=typing"); r.Code != 429 || r.Parameters.RetryAfter != 1 {
			t.Errorf("during the pause: %+v", r)
		}
		if v := b.tg.Violations(); len(v) != 1 {
			t.Errorf("violations: %q, want one", v)
		}
		if r := b.call("sendMessage", "chat_id=6&text=x"); !r.OK {
			t.Errorf("another chat: %+v", r)
		}
		time.Sleep(500 * time.Millisecond)
		if r := b.call("sendMessage", "chat_id=5&text=x"); !r.OK || len(b.tg.Violations()) != 1 {
			t.Errorf("after the pause: %+v, %q", r, b.tg.Violations())
		}
	})
}

func TestArguments(t *testing.T) {
	const boundary = "xyz"
	bodies := map[string]string{
		"application/json":                  `{"chat_id":5,"text":"a b","link_preview_options":{"is_disabled":true}}`,
		"application/x-www-form-urlencoded": `chat_id=5&text=a+b&link_preview_options={"is_disabled":true}`,
		"multipart/form-data; boundary=" + boundary: "--xyz\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n5\r\n" +
			"--xyz\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na b\r\n" +
			"--xyz\r\nContent-Disposition: form-data; name=\"link_preview_options\"\r\n\r\n{\"is_disabled\":true}\r\n--xyz--\r\n",
	}
	for kind, body := range bodies {
		t.Run(kind, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				b.tg.Know(5)
				resp, err := b.client.Post(PipeURL+"/bot"+token+"/sendMessage", kind, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				calls := b.tg.Calls("sendMessage")
				if len(calls) != 1 || calls[0].Status != 200 || calls[0].Params["text"] != "a b" || calls[0].Params["link_preview_options"] != `{"is_disabled":true}` {
					t.Errorf("recorded %+v", calls)
				}
			})
		})
	}
}

func TestWaiters(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		id := b.tg.Text(5, "hello")
		go func() {
			time.Sleep(time.Second)
			b.call("sendMessage", "chat_id=5&text=x")
			time.Sleep(time.Second)
			b.call("getUpdates", fmt.Sprintf("offset=%d", id+1))
		}()
		if sent, err := b.tg.WaitSent(t.Context(), 1); err != nil || len(sent) != 1 {
			t.Errorf("WaitSent: %v, %v", sent, err)
		}
		if err := b.tg.WaitConfirmed(t.Context(), id); err != nil {
			t.Errorf("WaitConfirmed: %v", err)
		}
		if err := b.tg.WaitCalls(t.Context(), "getUpdates", 1); err != nil {
			t.Errorf("WaitCalls: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := b.tg.WaitSent(ctx, 2); err == nil {
			t.Error("WaitSent returned without a second message")
		}
	})
}

func TestServe(t *testing.T) {
	tg := NewBotAPI(token)
	base := tg.Serve(t)
	resp, err := http.Get(base + "/bot" + token + "/getMe")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("getMe was answered %d", resp.StatusCode)
	}
}
