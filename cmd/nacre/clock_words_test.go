package main

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
)

// An owner's words come as they wrote them, though messages are Markdown.
func TestReminderIsLiteral(t *testing.T) {
	live(t, func(b *bubble) {
		for _, words := range []string{"see __init__ and my_var_name", "[Bank](https://evil.example/login)", "delete *.log and *.tmp", "a < b && c > d", "- item", "first\nand *second*"} {
			b.say(1001, "/remind in 1 hour: "+words)
			b.pass(2 * time.Hour)
			if got, want := b.newest(1001), "⏰ "+words; got != want {
				t.Errorf("the user sees %q, want %q", got, want)
			}
		}
	}, "NACRE_HEARTBEAT=off")
}

// A task whose model has nothing to say but the word for it says nothing.
func TestSilentTask(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/jobs task every 15 minutes: check the oven")
		b.model.Push(llmtest.Step{Text: "NO_REPLY"}, llmtest.Step{Text: "HEARTBEAT_OK"}, llmtest.Step{Text: "It is hot."})
		b.pass(31 * time.Minute)
		if n := len(b.texts(1001)); n != 1 || len(b.model.Requests()) != 2 {
			t.Errorf("after %d calls the user sees %q", len(b.model.Requests()), b.texts(1001))
		}
		b.pass(15 * time.Minute)
		if got := b.newest(1001); !strings.Contains(got, "It is hot.") {
			t.Errorf("the user sees %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}

// Reminders that repeat are no reason for a heartbeat to ask a model; one that is
// due once is.
func TestHeartbeatsOfReminders(t *testing.T) {
	for words, asks := range map[string]bool{"/remind every hour: water": false, "/remind tomorrow at 9: call mum": true} {
		live(t, func(b *bubble) {
			b.say(1001, "/whoami")
			b.stop()
			b.start()
			b.pass(9*time.Hour + time.Minute)
			b.say(1001, words)
			b.pass(3 * time.Hour)
			if n := len(b.model.Requests()); n > 0 != asks {
				t.Errorf("%s: the model was asked %d times", words, n)
			}
		})
	}
}

// One refusal parks nothing. Where nothing is taken any more jobs rest, nobody is
// told there, and when the person is back it goes on and says what was missed.
func TestRefusingChat(t *testing.T) {
	refuse := func(times int) gatewaytest.Fault {
		return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 403, Words: "Forbidden: bot was blocked by the user", Times: times}
	}
	live(t, func(b *bubble) {
		b.say(1001, "/remind every day at 9: pills")
		b.api.Fail("sendMessage", refuse(1))
		b.pass(3 * 24 * time.Hour)
		if got := b.texts(1001); len(got) != 3 || b.jobsOf(1001)[0].State != nacre.Active {
			t.Fatalf("after one refusal it is %s, the user sees %q", b.jobsOf(1001)[0].State, got)
		}
		b.api.Fail("sendMessage", refuse(-1))
		b.pass(5 * 24 * time.Hour)
		if sent := len(b.api.Calls("sendMessage")); sent != 6 || b.jobsOf(1001)[0].State != nacre.Parked {
			t.Errorf("while it refuses it is %s, %d messages were tried", b.jobsOf(1001)[0].State, sent)
		}
		if !strings.Contains(b.log.String(), "a notice has no chat to go to") {
			t.Error("nothing is in the log")
		}
		b.api.Heal("sendMessage")
		b.say(1001, "I am back")
		b.pass(10 * time.Minute)
		if got := b.newest(1001); !strings.HasPrefix(got, "It was put aside on ") || !strings.Contains(got, "so I left out: pills") {
			t.Errorf("back again the user sees %q", got)
		}
		b.pass(24 * time.Hour)
		if got := b.newest(1001); got != "⏰ pills" {
			t.Errorf("a day later the user sees %q", got)
		}
	}, "NACRE_HEARTBEAT=off")
}
