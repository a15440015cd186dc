package gateway_test

import (
	"regexp"
	"strings"
	"testing"

	"nacre"
)

// Whoever shows who waits hears of each change, and the strangers of nothing but
// that they are admitted.
func TestStrangersAreDecidedOn(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		heard := 0
		w.gateway.Strangers = func() { heard++ }
		for i, id := range []string{"77", "88"} {
			w.receive(w.message("let me in", tg(id)))
			w.receive(w.message("please", tg(id)))
			if heard != i+1 {
				t.Errorf("%d strangers are told of, want %d", heard, i+1)
			}
		}
		list, err := w.gateway.Waiting(t.Context())
		if err != nil || len(list) != 2 || list[0].Address != tg("77") || list[1].Address != tg("88") {
			t.Fatalf("waiting are %+v, %v", list, err)
		}
		words, err := w.gateway.Admit(t.Context(), list[0].ID)
		if err != nil || words != "Admitted telegram:77." || heard != 3 {
			t.Errorf("%q, %v, told %d times", words, err, heard)
		}
		if err := w.gateway.Refuse(t.Context(), list[1].ID); err != nil || heard != 4 {
			t.Errorf("%v, told %d times", err, heard)
		}
		if err := w.gateway.Refuse(t.Context(), list[1].ID); nacre.KindOf(err) != nacre.NotFound || heard != 4 {
			t.Errorf("refused twice: %v, told %d times", err, heard)
		}
		sent := w.sent(w.telegram)
		if len(sent) != 3 || !strings.HasPrefix(sent[2], "You are admitted.") || regexp.MustCompile(`\b(77|88)\b`).MatchString(w.log.String()) {
			t.Errorf("they were told %q; the log is %s", sent, w.log)
		}
		if got := w.receive(w.message("thanks", tg("77"))); len(got) != 1 {
			t.Errorf("who was admitted is not heard: %+v", got)
		}
		if got := w.receive(w.message("hello?", tg("88"))); len(got) != 0 || len(w.sent(w.telegram)) != 4 || heard != 5 {
			t.Errorf("who was refused and writes again: %+v, %q, told %d times", got, w.sent(w.telegram), heard)
		}
	})
}
