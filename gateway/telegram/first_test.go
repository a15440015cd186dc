package telegram

import (
	"context"
	"errors"
	"testing"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// The first who writes in private is found, and what they wrote stays for the channel.
func TestFirst(t *testing.T) {
	tg := gatewaytest.NewBotAPI(testToken)
	o := Options{Token: testToken, API: tg.Serve(t)}
	tg.Inject(`{"message":{"message_id":1,"date":1,"from":{"id":77,"first_name":"Carl"},"chat":{"id":-5,"type":"group"},"text":"in a group"}}`)
	tg.Inject(`{"message":{"message_id":2,"date":1,"from":{"id":78,"is_bot":true,"first_name":"Bot"},"chat":{"id":78,"type":"private"},"text":"a bot"}}`)
	tg.Inject(`{"message":{"message_id":3,"date":1,"from":{"id":1001,"first_name":"Ann","last_name":"A","username":"ann"},"chat":{"id":1001,"type":"private"},"text":"hello"}}`)
	last := tg.Text(1002, "me too")
	ann, err := First(t.Context(), o)
	if want := (Person{nacre.Address{Channel: nacre.Telegram, ID: "1001"}, "Ann A", "ann"}); err != nil || ann != want {
		t.Errorf("%+v, %v", ann, err)
	}
	if other, err := First(t.Context(), o, ann.Address); err != nil || other.Address.ID != "1002" {
		t.Errorf("%+v, %v", other, err)
	}
	var updates []update
	if err := newAPI(o).call(t.Context(), "getUpdates", nil, &updates); err != nil || len(updates) != 4 || updates[3].ID != last {
		t.Errorf("%d updates wait, %v", len(updates), err)
	}
}

// It waits until somebody writes, or nobody wants to wait any more.
func TestFirstWaits(t *testing.T) {
	tg := gatewaytest.NewBotAPI(testToken)
	o := Options{Token: testToken, API: tg.Serve(t)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := First(ctx, o)
		ended <- err
	}()
	if err := tg.WaitCalls(t.Context(), "getUpdates", 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if _, err := First(t.Context(), Options{Token: "9:other", API: o.API}); nacre.KindOf(err) != nacre.Denied {
		t.Errorf("a wrong token: %v", err)
	}
}
