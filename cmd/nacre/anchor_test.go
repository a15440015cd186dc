package main

import (
	"strings"
	"testing"
	"time"
)

// A person who wants checkpoints gets one a day, which verifies, and nobody else
// gets any.
func TestDailyCheckpoint(t *testing.T) {
	live(t, func(b *bubble) {
		checkpoints := func() (list []string) {
			for _, text := range b.texts(1001) {
				if strings.HasPrefix(text, "Checkpoint of my memory") {
					list = append(list, text)
				}
			}
			return list
		}
		b.say(1001, "/remember my bike is green")
		b.say(1001, "/memory checkpoints on")
		b.say(1002, "/remember my boat is red")
		if n := len(checkpoints()); n != 0 {
			t.Errorf("%d checkpoints before anybody wanted one had a day", n)
		}
		b.pass(25 * time.Hour)
		b.stop()
		b.start()
		b.pass(25 * time.Hour)
		list := checkpoints()
		if len(list) != 2 {
			t.Errorf("%d checkpoints in two days: %q", len(list), b.texts(1001))
		}
		for _, text := range b.texts(1002) {
			if strings.Contains(text, "Checkpoint") {
				t.Errorf("somebody who wanted none got %q", text)
			}
		}
		_, signed, _ := strings.Cut(list[len(list)-1], "\n\n")
		signed = strings.Trim(signed, "`\n") + "\n"
		c, err := b.app.ledger.OpenCheckpoint([]byte(signed))
		if err != nil || c.Size == 0 {
			t.Errorf("what was sent does not verify: %v\n%s", err, signed)
		}
		b.say(1001, "/memory checkpoints off")
		b.pass(24 * time.Hour)
		if n := len(checkpoints()); n != 2 {
			t.Errorf("%d checkpoints after they were switched off", n)
		}
	})
}
