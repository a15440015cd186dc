package telegram

import (
	"context"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// A probe changes nothing: a webhook stays, and so do waiting updates.
func TestProbe(t *testing.T) {
	tg := gatewaytest.NewBotAPI(testToken)
	o := Options{Token: testToken, API: tg.Serve(t)}
	waiting := tg.Text(ann, "hello")
	var set bool
	if err := newAPI(o).call(t.Context(), "setWebhook", params{"url": "https://other.example/hook"}, &set); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := Probe(t.Context(), o)
		if err != nil || got.Username != gatewaytest.BotUsername || got.Webhook != "https://other.example/hook" {
			t.Errorf("probe: %+v, %v", got, err)
		}
		if age := time.Since(got.Date); age < 0 || age > time.Minute {
			t.Errorf("Telegram's clock is %s behind ours", age)
		}
	}
	if n := len(tg.Calls("")); n != 5 {
		t.Errorf("%d calls, want setWebhook and two for each probe", n)
	}
	if err := newAPI(o).call(t.Context(), "deleteWebhook", nil, &set); err != nil {
		t.Fatal(err)
	}
	var updates []update
	if err := newAPI(o).call(t.Context(), "getUpdates", nil, &updates); err != nil || len(updates) != 1 || updates[0].ID != waiting {
		t.Errorf("updates %v, %v; want %d", updates, err, waiting)
	}
}

func TestProbeSaysWhatIsWrong(t *testing.T) {
	const other = "123456:OTHERotherOTHERother"
	refuse := func(code int, words string) *gatewaytest.Fault {
		return &gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: code, Words: words}
	}
	cases := []struct {
		name   string
		token  string
		method string
		fault  *gatewaytest.Fault
		kind   nacre.Kind
		says   string
	}{
		{"refused token", other, "", nil, nacre.Denied, "@BotFather"},
		{"no token at all", "a/b", "", nil, nacre.Denied, "@BotFather"},
		{"pause", testToken, "getMe", &gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 9}, nacre.Transient, "9s"},
		{"trouble", testToken, "getWebhookInfo", refuse(500, "Internal "+testToken), nacre.Transient, "500 Internal [token]; try again later"},
		{"another server", testToken, "getMe", &gatewaytest.Fault{Kind: gatewaytest.HTML}, nacre.Transient, "502"},
		{"dropped", testToken, "getMe", &gatewaytest.Fault{Kind: gatewaytest.DropBefore}, nacre.Transient, "cannot be reached"},
		{"silence", testToken, "getMe", &gatewaytest.Fault{Kind: gatewaytest.Hang}, nacre.Transient, "does not answer in time"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tg := gatewaytest.NewBotAPI(testToken)
			if c.fault != nil {
				tg.Fail(c.method, *c.fault)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second) // only silence lasts so long
			defer cancel()
			_, err := Probe(ctx, Options{Token: c.token, API: tg.Serve(t)})
			if nacre.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v (%s), want %s with %q", err, nacre.KindOf(err), c.kind, c.says)
			}
			if text := err.Error(); strings.Contains(text, testSecret) || strings.Contains(text, "OTHER") {
				t.Errorf("the token is shown: %s", text)
			}
		})
	}
}
