package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 10, "how often TestKillAtAnyMoment kills the program")

// TestKillAtAnyMoment kills the program again and again while people write.
// Every message is answered, and none twice without saying that it may be a
// repeat.
func TestKillAtAnyMoment(t *testing.T) {
	w := newWorld(t)
	var users []string
	for u := range 20 {
		users = append(users, fmt.Sprint("telegram:", 2001+u))
	}
	w.env["NACRE_OWNERS"] = strings.Join(users, ",")
	w.env["NACRE_LOG_LEVEL"] = "error"

	stop := make(chan struct{})
	var writing sync.WaitGroup
	written := 0
	writing.Go(func() {
		for ; ; written++ {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				w.api.Text(int64(2001+rand.IntN(len(users))), fmt.Sprintf("m%d.", written))
			}
		}
	})
	for range *kills {
		p := w.start()
		time.Sleep(rand.N(300 * time.Millisecond)) // any moment: this is the point of the test, not a wait
		p.kill()
	}
	close(stop)
	writing.Wait()
	p := w.start()
	w.answered(written)
	w.settled()
	if err := p.stop(); err != nil {
		t.Error(err)
	}

	plain, labelled := w.answers()
	repeats := 0
	for n := range written {
		m := fmt.Sprintf("m%d.", n)
		if plain[m] > 1 {
			t.Errorf("%s was answered %d times without a label", m, plain[m])
		}
		repeats += labelled[m]
	}
	// A chat has one send in flight at a time, so a kill puts at most one in doubt.
	inDoubt := map[int64]int{}
	for _, s := range w.api.Sent() {
		if strings.HasPrefix(s.Text, label) {
			inDoubt[s.Chat]++
		}
	}
	for chat, n := range inDoubt {
		if n > *kills {
			t.Errorf("chat %d has %d labelled repeats after %d kills", chat, n, *kills)
		}
	}
	t.Logf("%d kills, %d messages, %d labelled repeats", *kills, written, repeats)
}

var marker = regexp.MustCompile(`m\d+\.`)

// answers counts in how many messages of the bot each marker stands, apart by
// whether the message says that it may be a repeat.
func (w *world) answers() (plain, labelled map[string]int) {
	plain, labelled = map[string]int{}, map[string]int{}
	for _, s := range w.api.Sent() {
		into := plain
		if strings.HasPrefix(s.Text, label) {
			into = labelled
		}
		for _, m := range marker.FindAllString(s.Text, -1) {
			into[m]++
		}
	}
	return plain, labelled
}

// answered waits until the first n markers are answered.
func (w *world) answered(n int) {
	w.t.Helper()
	ctx := w.patience()
	for {
		seen := len(w.api.Sent())
		missing := w.missing(n)
		if len(missing) == 0 {
			return
		}
		if _, err := w.api.WaitSent(ctx, seen+1); err != nil {
			status, _ := w.run("", "status")
			w.t.Fatalf("%d messages were lost: %v\n%s", len(missing), missing, status)
		}
	}
}

// missing lists those of the first n markers that stand in no answer.
func (w *world) missing(n int) (list []string) {
	plain, labelled := w.answers()
	for i := range n {
		if m := fmt.Sprintf("m%d.", i); plain[m]+labelled[m] == 0 {
			list = append(list, m)
		}
	}
	return list
}
