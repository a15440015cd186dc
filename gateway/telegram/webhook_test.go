package telegram

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

const (
	hookURL    = "https://nacre.example.org/telegram"
	hookSecret = "hook-SECRET_1"
	hello      = `{"update_id":7,"message":{"message_id":1,"date":1,"text":"hello","from":{"id":1001},"chat":{"id":1001,"type":"private"}}}`
)

// openHook makes the rig's channel one that is called.
func (r *rig) openHook(w Webhook) {
	r.c = New(Options{Token: testToken, API: gatewaytest.PipeURL, Dial: r.net.DialContext, Webhook: w, Log: r.c.log})
}

func inHookBubble(t *testing.T, test func(t *testing.T, r *rig)) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.openHook(Webhook{URL: hookURL, Secret: hookSecret})
		test(t, r)
	})
}

func TestWebhookIsSet(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		calls := r.tg.Calls("setWebhook")
		if len(calls) != 1 {
			t.Fatalf("setWebhook was called %d times", len(calls))
		}
		for name, want := range map[string]string{
			"url": hookURL, "secret_token": hookSecret, "allowed_updates": allowedUpdates, "max_connections": "40",
		} {
			if got := calls[0].Params[name]; got != want {
				t.Errorf("%s = %q, want %q", name, got, want)
			}
		}
		r.wantState(true, "connected as @"+gatewaytest.BotUsername)
		if n := len(r.tg.Menus()); n != len(menuLanguages) {
			t.Errorf("%d menus are set", n)
		}
		r.after(time.Hour)
		if n := len(r.tg.Calls("setWebhook")); n != 1 {
			t.Errorf("setWebhook was called %d times in an hour", n)
		}
		r.tg.SetWebhook("https://example.org/another")
		r.after(2 * checkEvery)
		if n := len(r.tg.Calls("setWebhook")); n != 2 {
			t.Errorf("setWebhook was called %d times after another program did", n)
		}
		if n := len(r.tg.Calls("getUpdates")) + len(r.tg.Calls("deleteWebhook")); n != 0 {
			t.Errorf("it was polled %d times", n)
		}
	})
}

func TestWebhookStores(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		if got := r.tg.CallWebhook(r.c, hello); got != http.StatusUnauthorized {
			t.Errorf("before the secret is known to Telegram: %d", got)
		}
		if got := r.call("POST", hookSecret, hello); got != http.StatusServiceUnavailable {
			t.Errorf("before Run: %d, want 503", got)
		}
		r.run()
		r.after(time.Second)
		r.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
		if got := r.tg.CallWebhook(r.c, hello); got != http.StatusServiceUnavailable {
			t.Errorf("not stored: %d, want 503", got)
		}
		r.wantState(false, "the disk is full")
		r.host.Fail(nil)
		for range 2 {
			if got := r.tg.CallWebhook(r.c, hello); got != http.StatusOK {
				t.Errorf("stored: %d, want 200", got)
			}
		}
		r.wantTexts("hello")
		r.wantState(true, "connected")
		if since := time.Since(r.host.Messages()[0].Received); since < 0 || since > time.Second {
			t.Errorf("it was received %v ago", since)
		}
		for _, other := range []string{`{"update_id":8,"poll":{}}`, `{"update_id":9,"message":"nonsense"}`, `nonsense`, `{}`, ``, `[]`} {
			if got := r.tg.CallWebhook(r.c, other); got != http.StatusOK {
				t.Errorf("%s: %d, want 200", other, got)
			}
		}
		r.wantTexts("hello")
	})
}

// call asks the channel as anybody could, and returns the status.
func (r *rig) call(method, secret, body string) int {
	req := httptest.NewRequest(method, "/telegram", strings.NewReader(body))
	if secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	w := httptest.NewRecorder()
	r.c.ServeHTTP(w, req)
	return w.Code
}

func TestWebhookIsGuarded(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		tests := []struct {
			name                 string
			method, secret, body string
			want                 int
		}{
			{"no secret", "POST", "", hello, 401},
			{"another secret", "POST", hookSecret + "x", hello, 401},
			{"beginning of the secret", "POST", hookSecret[:5], hello, 401},
			{"another method", "GET", hookSecret, hello, 405},
			{"too long", "POST", hookSecret, `{"update_id":7,"x":"` + strings.Repeat("x", updateLimit) + `"}`, 413},
			{"as Telegram does", "POST", hookSecret, hello, 200},
		}
		for _, test := range tests {
			stored := len(r.host.Messages())
			if got := r.call(test.method, test.secret, test.body); got != test.want {
				t.Errorf("%s: %d, want %d", test.name, got, test.want)
			}
			if n := len(r.host.Messages()) - stored; (n == 1) != (test.want == 200) {
				t.Errorf("%s: %d messages stored", test.name, n)
			}
		}
		r.c = r.open() // polls
		if got := r.call("POST", "", hello); got != 401 {
			t.Errorf("without a webhook: %d, want 401", got)
		}
	})
}

func TestWebhookNeedsASecret(t *testing.T) {
	for _, secret := range []string{"", "with space", "ümlaut", strings.Repeat("x", 257)} {
		inBubble(t, func(t *testing.T, r *rig) {
			r.openHook(Webhook{URL: hookURL, Secret: secret})
			if err := <-r.run(); nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "secret") {
				t.Errorf("secret %q: Run = %v", secret, err)
			}
			if got := r.call("POST", secret, hello); got != 401 {
				t.Errorf("secret %q: %d, want 401", secret, got)
			}
			if n := len(r.tg.Calls("")); n != 0 {
				t.Errorf("secret %q: %d calls", secret, n)
			}
		})
	}
}

func TestWebhookPress(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		message := r.asked(ann)
		query := r.tg.Press(ann, ann, message, callbackData(question, 0)) // so that it can be answered
		update := `{"update_id":7,"callback_query":{"id":"` + query + `","from":{"id":1001},"data":"` + callbackData(question, 0) +
			`","message":{"message_id":` + itoa(message) + `,"chat":{"id":1001,"type":"private"}}}}`
		r.host.Answer("", nacre.Errorf(nacre.Transient, "the disk is full"))
		if got := r.tg.CallWebhook(r.c, update); got != http.StatusServiceUnavailable {
			t.Errorf("not stored: %d, want 503", got)
		}
		r.host.Answer("Yes", nil)
		if got := r.tg.CallWebhook(r.c, update); got != http.StatusOK {
			t.Errorf("stored: %d, want 200", got)
		}
		r.after(answerTime)
		if got := r.tg.Toasts(); len(got) != 1 || got[0].Text != "✓ Yes" || len(r.buttons(message)) != 0 {
			t.Errorf("shown %+v, buttons %q", got, r.buttons(message))
		}
	})
}

func TestWebhookStateSaysWhatIsBroken(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("setWebhook", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 400, Words: "Bad Request: bad webhook: Failed to resolve host"})
		r.run()
		r.after(100 * time.Millisecond)
		r.wantState(false, "does not take the webhook's address")
		r.after(time.Second)
		r.wantState(true, "connected")
		r.tg.Text(ann, "which Telegram cannot deliver")
		r.after(checkEvery)
		r.wantState(true, "connected")
		r.tg.BreakWebhook("Connection refused")
		r.after(checkEvery)
		r.wantState(false, "calls of the webhook fail: Connection refused")
		r.after(5 * checkEvery)
		r.wantState(true, "connected")
	})
}

func TestWebhookEndsWithRun(t *testing.T) {
	inHookBubble(t, func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(r.Context())
		ended := make(chan error)
		host := &slowHost{Host: r.host, entered: make(chan bool)}
		go func() { ended <- r.c.Run(ctx, host) }()
		r.after(time.Second)
		status := make(chan int)
		go func() { status <- r.call("POST", hookSecret, hello) }()
		<-host.entered
		cancel()
		if got := <-status; got != http.StatusServiceUnavailable {
			t.Errorf("a call that was cut off: %d, want 503", got)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := r.call("POST", hookSecret, hello); got != http.StatusServiceUnavailable {
			t.Errorf("after Run: %d, want 503", got)
		}
		r.wantState(false, "stopped")
	})
}

// slowHost is a Host that stores nothing before its caller gives up.
type slowHost struct {
	*gatewaytest.Host
	entered chan bool
}

func (h *slowHost) Receive(ctx context.Context, _ []nacre.Message) error {
	h.entered <- true
	<-ctx.Done()
	return ctx.Err()
}
