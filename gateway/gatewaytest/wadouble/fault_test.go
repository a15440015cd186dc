package wadouble

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types/events"
	"go.mau.fi/whatsmeow/util/keys"
)

func TestSendFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault Fault
		err   string // a part of it
		shown int
	}{
		{"time-lock", Fault{Kind: SendError, Code: 463}, "463", 0},
		{"too many", Fault{Kind: SendError, Code: 429}, "429", 0},
		{"dropped before", Fault{Kind: DropBefore}, "disconnected", 0},
		{"dropped after", Fault{Kind: DropAfter}, "disconnected", 1},
		{"never answered", Fault{Kind: Unanswered}, "timed out", 1},
		{"no devices", Fault{Kind: QueryError, Code: 429, Words: "usync"}, "429", 0},
	}
	inBubble(t, func(b *bot) {
		me := b.server.Account("15550000000")
		b.EnableAutoReconnect = false // or the library sends again itself
		for i, test := range tests {
			ann := b.server.Account(fmt.Sprint(15550000001 + i))
			b.server.Fail(test.fault)
			if _, err := b.SendMessage(b.Context(), ann.LID(), Text("hello")); !says(err, test.err) {
				b.Errorf("%s: %v, want %q", test.name, err, test.err)
			}
			synctest.Wait()
			if n := len(ann.Shown(me.LID())); n != test.shown {
				b.Errorf("%s: %d messages are shown, want %d", test.name, n, test.shown)
			}
			b.server.Heal()
			b.again()
			await(b, is[*events.Connected])
			b.shown(ann, me.LID(), b.send(ann.LID(), Text("after it")))
		}
	})
}

func TestLoginFaults(t *testing.T) {
	tests := []struct {
		fault Fault
		event func(e any) bool
	}{
		{Fault{Code: 402, Ban: 101, Expire: time.Hour}, func(e any) bool {
			ban, ok := e.(*events.TemporaryBan)
			return ok && ban.Code == 101 && ban.Expire == time.Hour
		}},
		{Fault{Code: 405}, is[*events.ClientOutdated]},
		{Fault{Code: 409}, func(e any) bool {
			failure, ok := e.(*events.ConnectFailure)
			return ok && failure.Reason == 409
		}},
		{Fault{Code: 503}, is[*events.Connected]}, // the library tries again
	}
	inBubble(t, func(b *bot) {
		for i, test := range tests {
			test.fault.Kind = LoginError
			b.server.Fail(test.fault)
			b.again()
			await(b, test.event)
			if n := len(b.server.Logins()); n < 2+i {
				b.Errorf("%d: %d logins", test.fault.Code, n)
			}
			if !b.server.Account("15550000000").Linked() {
				b.Errorf("%d unlinked", test.fault.Code)
			}
		}
	})
}

// is reports whether an event is of a type.
func is[E any](e any) bool {
	_, ok := e.(E)
	return ok
}

func TestLoggedOut(t *testing.T) {
	for _, code := range []int{401, 403} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			inBubble(t, func(b *bot) {
				b.server.Fail(Fault{Kind: LoginError, Code: code})
				b.again()
				await(b, func(e *events.LoggedOut) bool { return e.OnConnect && int(e.Reason) == code })
				if b.server.Account("15550000000").Linked() {
					b.Error("the account is still linked")
				}
			})
		})
	}
}

func TestStreamErrors(t *testing.T) {
	tests := []struct {
		name  string
		fault Fault
		event func(e any) bool
	}{
		{"503", Fault{Code: 503}, is[*events.Connected]},
		{"515", Fault{Code: 515}, is[*events.Connected]},
		{"unknown", Fault{Code: 599}, func(e any) bool { s, ok := e.(*events.StreamError); return ok && s.Code == "599" }},
		{"replaced", Fault{Words: Replaced}, is[*events.StreamReplaced]},
		{"device removed", Fault{Words: DeviceRemoved}, is[*events.LoggedOut]},
	}
	inBubble(t, func(b *bot) {
		for _, test := range tests {
			b.again()
			await(b, is[*events.Connected])
			test.fault.Kind = StreamError
			b.server.Fail(test.fault)
			await(b, test.event)
		}
	})
}

func TestStrangeKey(t *testing.T) {
	inBubble(t, func(b *bot) {
		b.again()
		await(b, is[*events.Connected])
		b.Store.NoiseKey = keys.NewKeyPair()
		b.again()
		await(b, func(e *events.LoggedOut) bool { return e.Reason == 401 })
	})
}

func TestVersion(t *testing.T) {
	mine := store.GetWAVersion()
	newer := store.WAVersionContainer{mine[0], mine[1], mine[2] + 1}
	tests := []struct {
		latest, told store.WAVersionContainer
		event        func(e any) bool
	}{
		{store.WAVersionContainer{}, mine, is[*events.Connected]},
		{mine, mine, is[*events.Connected]},
		{newer, newer, is[*events.ClientOutdated]},
	}
	inBubble(t, func(b *bot) {
		for _, test := range tests {
			if !test.latest.IsZero() {
				b.server.Latest(test.latest.String())
			}
			told, err := whatsmeow.GetLatestVersion(b.Context(), &http.Client{Transport: b.server.Transport()})
			if err != nil || *told != test.told {
				b.Errorf("the server tells %v, %v; want %v", told, err, test.told)
			}
			b.again()
			await(b, test.event)
		}
	})
}

func TestNoPong(t *testing.T) {
	inBubble(t, func(b *bot) {
		b.server.Fail(Fault{Kind: NoPong})
		await(b, func(*events.KeepAliveTimeout) bool { return true })
		await(b, func(*events.KeepAliveRestored) bool { return true })
	})
}

func TestCutAndRefuse(t *testing.T) {
	inBubble(t, func(b *bot) {
		b.server.Refuse(true)
		b.server.Cut()
		await(b, func(*events.Disconnected) bool { return true })
		time.Sleep(time.Minute)
		if b.IsConnected() {
			b.Error("connected although refused")
		}
		b.server.Refuse(false)
		await(b, is[*events.Connected])
	})
}
