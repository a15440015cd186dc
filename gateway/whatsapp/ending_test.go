package whatsapp

import (
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types/events"
)

func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name  string
		event any
		says  string // empty: the connection goes on
		final bool
		gone  bool
		away  bool
	}{
		{"network", &events.Disconnected{}, "trying again", false, false, false},
		{"unknown stream error", &events.StreamError{Code: "500"}, "trying again", false, false, false},
		{"asked to log in again", &events.ManualLoginReconnect{}, "trying again", false, false, false},
		{"unlinked", &events.LoggedOut{Reason: events.ConnectFailureLoggedOut}, "nacre pair whatsapp", true, true, false},
		{"locked", &events.LoggedOut{OnConnect: true, Reason: events.ConnectFailureMainDeviceGone}, "open WhatsApp on the phone", true, true, false},
		{"banned", &events.LoggedOut{OnConnect: true, Reason: events.ConnectFailureUnknownLogout}, "ask for a review", true, true, false},
		{"outdated", &events.ClientOutdated{}, "upgrade Nacre", true, false, false},
		{"replaced", &events.StreamReplaced{}, "stop that one", true, false, false},
		{"banned for an hour", &events.TemporaryBan{Code: events.TempBanBlockedByUsers, Expire: time.Hour}, "too many people blocked it", false, false, true},
		{"banned for an unknown time", &events.TemporaryBan{Code: 199}, "restart Nacre after that", true, false, false},
		{"banned for an impossible time", &events.TemporaryBan{Code: 101, Expire: -1}, "restart Nacre after that", true, false, false},
		{"user agent", &events.ConnectFailure{Reason: events.ConnectFailureBadUserAgent}, "code 409", true, false, false},
		{"never heard of", &events.ConnectFailure{Reason: 499}, "code 499", true, false, false},
		{"token", &events.CATRefreshError{}, "code 414", true, false, false},
		{"message", &events.Message{}, "", false, false, false},
		{"connected", &events.Connected{}, "", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := endingOf(c.event)
			if c.says == "" {
				if e != nil {
					t.Errorf("the connection ends: %v", e)
				}
				return
			}
			if e == nil {
				t.Fatal("the connection goes on")
			}
			if !strings.Contains(e.words, c.says) {
				t.Errorf("%q does not say %q", e.words, c.says)
			}
			if e.final != c.final || e.gone != c.gone || (e.away > 0) != c.away {
				t.Errorf("final %v, gone %v, away %v", e.final, e.gone, e.away)
			}
		})
	}
}

func TestBanIsWaitedOut(t *testing.T) {
	for range 100 {
		e := banned(&events.TemporaryBan{Code: events.TempBanBroadcastList, Expire: time.Hour})
		if e.away < time.Hour+time.Minute || e.away > time.Hour+5*time.Minute {
			t.Fatalf("stays away for %v", e.away)
		}
	}
}
