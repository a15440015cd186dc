package heartbeat

import (
	"strings"
	"testing"
)

const twenty = " nothing of note has come up since the last time so there is no reason to say anything at all right now okay"

// How looks end that decide by words, or by the tool with a token in its text.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		name         string
		decision     decision
		free         string
		text, reason string
	}{
		{"the token", decision{}, "HEARTBEAT_OK", "", Quiet},
		{"the token and twenty words", decision{}, "HEARTBEAT_OK" + twenty, "", Quiet},
		{"twenty words and the token", decision{}, twenty + ".\n\nheartbeat_ok.", "", Quiet},
		{"the token in bold", decision{}, "**HEARTBEAT_OK**", "", Quiet},
		{"in italics", decision{}, "_HEARTBEAT_OK_", "", Quiet},
		{"quoted", decision{}, "“NO_REPLY”!", "", Quiet},
		{"as code", decision{}, "```\nHEARTBEAT-OKAY\n```", "", Quiet},
		{"other words for it", decision{}, "*Nothing to report.*", "", Quiet},
		{"in the middle of an alert", decision{}, "Your train is cancelled. **HEARTBEAT_OK** Take the bus at 8:05.", "Your train is cancelled. Take the bus at 8:05.", Told},
		{"on a line in the middle", decision{}, "Your train is cancelled.\n- HEARTBEAT_OK\nTake the bus.", "Your train is cancelled.\nTake the bus.", Told},
		{"a long alert", decision{}, strings.Repeat("bus ", 1000) + "NO_REPLY bus", "", Undecided},
		{"words alone", decision{}, "Your train is cancelled.", "", Undecided},
		{"nothing", decision{}, "", "", Undecided},
		{"told", decision{true, true, " Your train\n is  cancelled. "}, "HEARTBEAT_OK", "Your train\n is  cancelled.", Told},
		{"told, with the token", decision{true, true, "HEARTBEAT_OK\nYour train is cancelled."}, "", "Your train is cancelled.", Told},
		{"told, of two tokens in one", decision{true, true, "Look: HEARTHEARTBEAT_OKBEAT_OK here"}, "", "Look: here", Told},
		{"told, a sign alone", decision{true, true, "☂"}, "", "☂", Told},
		{"told the token", decision{true, true, "**HEARTBEAT_OK**"}, "", "", Quiet},
		{"told nothing", decision{true, true, "Nothing."}, "", "", Quiet},
		{"told an empty text", decision{true, true, " \n"}, "Your train is cancelled.", "", Quiet},
		{"not told", decision{true, false, "Your train is cancelled."}, "Your train NO_REPLY is cancelled.", "", Quiet},
		{"an address", decision{true, true, "A mail of no-reply@example.org waits."}, "", "A mail of no-reply@example.org waits.", Told},
	} {
		if text, reason := c.decision.outcome(c.free); text != c.text || reason != c.reason {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, text, reason, c.text, c.reason)
		}
	}
}

// No token is ever told, and what has none is told as it is.
func FuzzOutcome(f *testing.F) {
	for _, text := range []string{"HEARTBEAT_OK", "a\n**NO_REPLY**\nb", "NO_RENO_REPLYPLY", "Your train is cancelled.", "nothing", "\r\n"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, decided bool) {
		d, free := decision{}, text
		if decided {
			d, free = decision{true, true, text}, ""
		}
		got, reason := d.outcome(free)
		if (got != "") != (reason == Told) || got != "" && !worded(got) {
			t.Fatalf("%q is told because of %q", got, reason)
		}
		for _, token := range []string{"heartbeat_ok", "heartbeat-ok", "no_reply"} {
			if strings.Contains(strings.ToLower(got), token) {
				t.Fatalf("of %q is told %q", text, got)
			}
		}
		if lower := strings.ToLower(text); decided && worded(text) && !mute.MatchString(text) && !strings.Contains(lower, "_") && !strings.Contains(lower, "-") &&
			!strings.ContainsRune(text, '\r') && got != strings.TrimSpace(text) {
			t.Fatalf("of %q is told %q", text, got)
		}
	})
}
