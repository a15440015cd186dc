package main

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// TestKillWhileJobsAreDue kills the program again and again while reminders and
// tasks come due. Each slot is said, and none twice without saying that it may be
// a repeat; a task may be said to have been interrupted.
func TestKillWhileJobsAreDue(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_LOG_LEVEL"] = "error"
	p := w.start()
	w.api.Text(1001, "/whoami") // so that there is a chat in which to speak
	w.sent(1)
	const due = 60
	tasks := 6
	client := web.NewClient(w.env["NACRE_DATA"])
	begin := time.Now().Add(3 * time.Second)
	if begin.Minute() == 0 || begin.Add(time.Minute).Minute() == 0 {
		tasks = 0 // those of a full hour are spread over minutes
	}
	for i := range due {
		wish := web.JobWish{Kind: nacre.Reminder, Text: fmt.Sprintf("m%d.", i), At: begin.Add(time.Duration(i) * 100 * time.Millisecond).UTC().Format(time.RFC3339)}
		if i < tasks {
			wish.Kind = nacre.Task
		}
		if _, err := client.Jobs(web.Hand{By: memory.ByShell}).Add(t.Context(), wish); err != nil {
			t.Fatal(err)
		}
	}
	p.kill()
	for range *kills {
		p = w.start()
		time.Sleep(rand.N(800 * time.Millisecond)) // any moment: this is the point of the test, not a wait
		p.kill()
	}
	p = w.start()
	w.answered(due)
	w.settled()
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	plain, labelled := w.answers()
	repeats := 0
	for i := range due {
		m := fmt.Sprintf("m%d.", i)
		if plain[m] > 1 {
			t.Errorf("%s was said %d times without a label", m, plain[m])
		}
		repeats += labelled[m]
	}
	if repeats > *kills+1 {
		t.Errorf("%d labelled repeats after %d kills", repeats, *kills)
	}
	t.Logf("%d kills, %d jobs, %d labelled repeats", *kills+1, due, repeats)
}
