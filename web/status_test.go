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

// All that there can be to say fits on a phone.
func TestStatusTextOfAllThatCanBe(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	s := Status{Version: "v1", Since: now.Add(-time.Hour), Model: "openai/a", MemoryModel: "openai/b", Waiting: 1, Oldest: now, Dead: 30,
		DeadLetters: make([]DeadLetter, 10), Notes: 7, Review: 2, Aside: 1, Index: 3 << 20, Jobs: JobsStatus{Active: 3, Paused: 1, Failing: 2, Next: now.Add(90 * time.Minute)},
		Spent: SpentStatus{Day: 1_500_000_000, Month: 2_000_000_000, DayLimit: 5_000_000_000}, Disk: DiskStatus{12 << 20, 400 << 20}, Backup: now.Add(-3 * time.Hour)}
	for _, name := range []nacre.ChannelName{nacre.Telegram, nacre.WhatsApp, nacre.Web, nacre.Terminal} {
		s.Channels = append(s.Channels, ChannelStatus{Name: name, OK: true, Words: "running"})
	}
	got := s.Text(now)
	for _, want := range []string{"Model for memory: openai/b", "Memory: 7 notes, 2 waiting for review, 1 batches of messages NOT READ, index of 3 MiB.", "Jobs: 3 active, 1 paused, 2 FAILING, the next in 1h30m0s.",
		"Cost: $1.50 of $5.00 today, $2.00 this month.", "Disk: database 12 MiB, free 400 MiB.", "Newest backup: 3h0m0s ago."} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 20 {
		t.Errorf("it has %d lines:\n%s", n, got)
	}
	s.Notes, s.Backup = -1, time.Time{}
	if got := s.Text(now); !strings.Contains(got, "\nMemory: busy.\n") || !strings.Contains(got, "\nNewest backup: none.\n") {
		t.Errorf("got\n%s", got)
	}
}
