package web

import (
	"strings"
	"testing"
	"time"

	"nacre"
)

// What a channel says of itself is a phrase, which may have several parts.
func TestStatusText(t *testing.T) {
	s := Status{Version: "v1", Model: "offline", Channels: []ChannelStatus{
		{Name: nacre.WhatsApp, OK: false, Words: "this account was unlinked on the phone, or by WhatsApp; link it again with nacre pair whatsapp"},
		{Name: nacre.Telegram, OK: true, Words: "connected as @nacre_test_bot"},
	}}
	want := "\nChannel telegram: ok, connected as @nacre_test_bot\n" +
		"Channel whatsapp: NOT WORKING: this account was unlinked on the phone, or by WhatsApp; link it again with nacre pair whatsapp\n"
	if got := s.Text(time.Now()); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}
