package heartbeat

import (
	"strings"
	"testing"
	"unicode"
)

const twenty = " nothing of note has come up since the last time so there is no reason to say anything at all right now okay"

// How looks end that decide by words, or by the tool with a token in its text.
func TestOutcome(t *testing.T) {
	const alert = "Your train is cancelled."
	for _, c := range []struct {
		name         string
		decision     decision
		free         string
		used         bool
		text, reason string
	}{
		{"the token", decision{}, "HEARTBEAT_OK", false, "", Quiet},
		{"the token and twenty words", decision{}, "HEARTBEAT_OK" + twenty, false, "", Quiet},
		{"twenty words and the token", decision{}, twenty + ".\n\nheartbeat_ok.", false, "", Quiet},
		{"the token in bold", decision{}, "**HEARTBEAT_OK**", false, "", Quiet},
		{"as code", decision{}, "```\nHEARTBEAT-OKAY\n```", false, "", Quiet},
		{"other words for it", decision{}, "*Nothing to report.*", false, "", Quiet},
		{"the same in German", decision{}, "Nichts zu melden!", false, "", Quiet},
		{"the same in Spanish", decision{}, "Nada que informar.", false, "", Quiet},
		{"the same in French", decision{}, "Rien à signaler.", false, "", Quiet},
		{"the same in Chinese", decision{}, "没有需要报告的。", false, "", Quiet},
		{"the same, after a tool", decision{}, "All good.", true, "", Quiet},
		{"in the middle of an alert", decision{}, alert + " **HEARTBEAT_OK** Take the bus at 8:05.", false, alert + " Take the bus at 8:05.", Told},
		{"on a line in the middle", decision{}, alert + "\n- HEARTBEAT_OK\nTake the bus.", false, alert + "\nTake the bus.", Told},
		{"in the middle, after a tool", decision{}, alert + " HEARTBEAT_OK Take the bus.", true, "", Undecided},
		{"a long alert", decision{}, strings.Repeat("bus ", 1000) + "NO_REPLY bus", false, "", Undecided},
		{"words alone", decision{}, " " + alert, false, alert, Told},
		{"words after a tool", decision{}, alert, true, "", Undecided},
		{"more than nothing to report", decision{}, "Nothing to report but that your train is cancelled.", false, "Nothing to report but that your train is cancelled.", Told},
		{"a sign alone", decision{}, "✅", false, "", Undecided},
		{"nothing", decision{}, "", false, "", Undecided},
		{"told", decision{true, true, " Your train\n is  cancelled. "}, "HEARTBEAT_OK", false, "Your train\n is  cancelled.", Told},
		{"told after a tool", decision{true, true, alert}, "Let me see.", true, alert, Told},
		{"told, with the token", decision{true, true, "HEARTBEAT_OK\n" + alert}, "", false, alert, Told},
		{"told, of two tokens in one", decision{true, true, "Look: HEARTHEARTBEAT_OKBEAT_OK here"}, "", false, "Look: here", Told},
		{"told a sign alone", decision{true, true, "☂"}, "", false, "", Quiet},
		{"told nothing", decision{true, true, "Nothing."}, "", false, "", Quiet},
		{"told beside an empty text", decision{true, true, " \n"}, alert, false, alert, Told},
		{"told beside an empty text, after a tool", decision{true, true, ""}, "Let me see.", true, "", Undecided},
		{"told the token beside an empty text", decision{true, true, ""}, "HEARTBEAT_OK " + alert, false, "", Quiet},
		{"told an empty text", decision{true, true, ""}, "", false, "", Undecided},
		{"not told", decision{true, false, alert}, alert, false, "", Quiet},
		{"an address", decision{true, true, "A mail of NO_REPLY@example.org and no-reply@example.org waits."}, "", false, "A mail of NO_REPLY@example.org and no-reply@example.org waits.", Told},
		{"words that people say", decision{true, true, "The bank has sent no reply."}, "", false, "The bank has sent no reply.", Told},
		{"a page", decision{true, true, "<p>\n<b>HEARTBEAT_OK</b>\n</p>"}, "", false, "", Quiet},
	} {
		if text, reason := c.decision.outcome(c.free, c.used); text != c.text || reason != c.reason {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, text, reason, c.text, c.reason)
		}
	}
}

// shapes are tokens as models have written them.
var shapes = []string{
	"HEARTBEAT_OK", "HEARTBEAT\\_OK", "HEARTBEAT OK", "Heartbeat: OK", "heartbeatok", "HEARTBEAT__OK", "H E A R T B E A T _ O K", "HEARTBEAT_O K", "HEARTBEAT_\nOK", "HEARTBEAT_OKAY!", "heart-beat-ok",
	"HEARTBEAT\u200b_OK", "HEART\u00adBEAT_OK", "HEARTBEAT\u2011OK", "HEARTBEAT–OK", "HEARTBEAT\u00a0OK", "ＨＥＡＲＴＢＥＡＴ＿ＯＫ", "НЕАRТВЕАТ_ОК",
	"**HEARTBEAT**_OK", "`HEARTBEAT_OK`", "“HEARTBEAT_OK”", "_HEARTBEAT_OK_", "<b>HEARTBEAT_OK</b>", "<b>HEARTBEAT</b>_OK", "&lt;HEARTBEAT_OK&gt;",
	"HEARTBEAT_OK✅", "⏰ HEARTBEAT_OK", "NO_REPLY", "NO\\_REPLY", "no_reply", "NO REPLY", "NO-REPLY.", "NO\u2060_REPLY", "[NO_REPLY]",
}

// A bare token says nothing; all else is said as it is.
func TestSpoken(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "NO_REPLY": "", " **HEARTBEAT_OK**.\n": "",
		"It is hot.": "It is hot.", "It is hot. HEARTBEAT_OK": "It is hot. HEARTBEAT_OK", "👍": "👍", "ok": "ok",
	} {
		if got := Spoken(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// In every shape a token alone is quiet, and in the middle of an alert it is left out.
func TestShapesOfTokens(t *testing.T) {
	for _, shape := range shapes {
		tell := decision{true, true, shape}
		if text, reason := tell.outcome("", false); reason != Quiet {
			t.Errorf("%q by the tool: %q, %q", shape, text, reason)
		}
		free := decision{}
		if text, reason := free.outcome(shape, false); reason != Quiet {
			t.Errorf("%q: %q, %q", shape, text, reason)
		}
		text, reason := free.outcome("The train "+shape+" is late.", false)
		if got := strings.Join(strings.Fields(strings.Trim(strings.NewReplacer("✅", "", "⏰", "").Replace(text), " ")), " "); got != "The train is late." || reason != Told {
			t.Errorf("%q in an alert: %q, %q", shape, text, reason)
		}
	}
}

// letters is a text as somebody reads it who overlooks what may stand in a token.
func letters(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Pd, unicode.Mn) || strings.ContainsRune("_*~`\\:", r) {
			return -1
		}
		return r
	}, text))
}

// No token is ever told, in whatever shape, and what has none is told as it is.
func FuzzOutcome(f *testing.F) {
	for _, shape := range shapes {
		f.Add(shape, "", "", true)
		f.Add("Your train", shape, "is cancelled.", false)
	}
	f.Add("HEARTBEAT_OK@", "NO_REPLY", "@", true)
	f.Add("NO_RENO_REPLYPLY", "HEARTHEARTBEAT_OKBEAT_OK", "\r\n", true)
	f.Fuzz(func(t *testing.T, before, shape, after string, decided bool) {
		text := before + shape + after
		if len(text) > maxText {
			return // no tool and no answer comes to that much
		}
		d, free := decision{}, text
		if decided {
			d, free = decision{true, true, text}, ""
		}
		got, reason := d.outcome(free, false)
		if (got != "") != (reason == Told) || got != "" && !lettered(got) {
			t.Fatalf("%q is told because of %q", got, reason)
		}
		if strings.Contains(letters(got), "heartbeatok") {
			t.Fatalf("of %q is told %q", text, got)
		}
		if low := strings.ToLower(got); strings.Count(low, "no_reply") > strings.Count(low, "no_reply@") {
			t.Fatalf("of %q is told %q", text, got)
		}
		bare := letters(text)
		if decided && got != strings.TrimSpace(text) && lettered(text) && !allClear(strings.TrimSpace(text)) && !strings.ContainsAny(text, "<&") && ascii(text) &&
			!strings.Contains(bare, "heartbeatok") && !strings.Contains(bare, "noreply") {
			t.Fatalf("of %q is told %q", text, got)
		}
	})
}

func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}
