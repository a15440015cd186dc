package memory_test

import (
	"context"
	"fmt"
	"testing"

	"nacre/memory"
)

// forgotten has a note made and forgotten again.
func (d *desk) forgotten(owner int, text string) {
	d.t.Helper()
	n := d.propose(owner, write("x", text))[0].Note
	d.forget(owner, memory.Forgetting{Writer: memory.ByPage, Size: memory.SizeNote, Note: n.ID})
}

func TestForgottenFindsWhatWasForgotten(t *testing.T) {
	d := newDesk(t)
	d.forgotten(0, "My locker at the pool is zqx-41")
	d.forgotten(0, "The boat is called Marianne. It lies in Kiel, next to the mill")
	d.forgotten(0, "我喜欢喝绿茶")
	d.forgotten(0, "Plays with Will and May")
	rejected := d.propose(0, write("cat", "The cat is named Schnurri Zimt"))[0].Note
	d.propose(0, memory.Proposal{Writer: memory.ByPage, Do: memory.Reject, Note: rejected.ID})
	for _, c := range []struct {
		text string
		want bool
	}{
		{"Hello! My locker at the pool is zqx-41, you know.", true},
		{"the LOCKER (at the pool): zqx 41", true},
		{"I said it once.\nMy pool locker, zqx-41\nand more", true},
		{"zqx-41", true}, // it alone gives the value away
		{"zqx-42", false},
		{"My locker is broken.", false},
		{"The pool is closed. A locker costs two euros.", false},
		{"I thought: the boat is called Marianne. It lies in Kiel, next to the mill! Nice?", true},
		{"A boat. Marianne is nice. Kiel too. Next year the mill", true},
		{"A boat. Mary is nice. Next year the mill", false},
		{"其实我喜欢喝绿茶和咖啡", true},
		{"我喜欢你", false},
		{"She plays with Will and May.", true},
		{"The cat is named Schnurri Zimt", false},
		{"", false},
		{"...", false},
	} {
		found, err := d.book(0).Forgotten(context.Background(), []string{"nothing of it", c.text})
		if err != nil || len(found) != 2 || found[0] || found[1] != c.want {
			t.Errorf("%q: %v, %v", c.text, found, err)
		}
		if found, err := d.book(1).Forgotten(context.Background(), []string{c.text}); err != nil || found[0] {
			t.Errorf("another owner forgot %q too: %v", c.text, err)
		}
	}
	d.restart()
	if found, err := d.book(0).Forgotten(context.Background(), []string{"My locker at the pool is zqx-41"}); err != nil || !found[0] {
		t.Errorf("after a restart: %v, %v", found, err)
	}
}

func TestForgottenCountsNoMoreWhenLifted(t *testing.T) {
	d := newDesk(t)
	d.forgotten(0, "My locker at the pool is zqx-41")
	again := write("x", "My locker at the pool is zqx-41")
	again.Consent.Forgotten = true
	d.propose(0, again)
	if found, err := d.book(0).Forgotten(context.Background(), []string{"My locker at the pool is zqx-41"}); err != nil || found[0] {
		t.Errorf("%v, %v", found, err)
	}
}

func TestForgottenSeesThroughSpelling(t *testing.T) {
	d := newDesk(t)
	d.forgotten(0, "The punt is called Libelle")
	d.forgotten(0, "Lives at Gartenweg 7 in Bern")
	d.forgotten(0, "The neighbour is called Hope")
	for text, want := range map[string]bool{
		"Libelle": true, "my LIBELLE is fast": true, "Lib\u200belle": true, "Ｌｉｂｅｌｌｅ floats": true, "L i b e l l e": true, "L.i.b.e.l.l.e.": true,
		"I row my L-i-b-e-l-l-e a lot": true, "Libéllé": true, "Lib-elle": true, "Lib\u0435lle": true, "Libelles mast": true, "libelle.jpg": true, "L1belle": true,
		"Lib\u00adelle": true, "El bote se llama Libelle": true, "我的船叫Libelle": true, "𝓛𝓲𝓫𝓮𝓵𝓵𝓮": true, "Ⓛⓘⓑⓔⓛⓛⓔ": true, "&#76;ibelle": true, "Lib\nelle": true, "L_i_b_elle": true,
		"Libe**lle**": true, "my_punt_libelle.jpg": true, "Ga<b>rten</b>weg": true, "<Libelle>": true, "Gartenweg 7": true, "gartenweg7": true, "Garten weg": true, "My boat is called Libelle": true,
		"I met Hope": true, "I hope so": false, "We live in Bern": false, "The punt": false, "He lives at number 7": false, "The garden is big": false,
		"a b c d e f g h": false, "1 < 2 and 3 > 2": false, "She is called Anna": false, "Mein Boot liegt im Garten": false,
	} {
		if found, err := d.book(0).Forgotten(t.Context(), []string{text}); err != nil || found[0] != want {
			t.Errorf("%q: %v, %v", text, found, err)
		}
	}
}

// What other notes say too gives nothing away.
func TestForgottenSparesWhatStays(t *testing.T) {
	d := newDesk(t)
	d.propose(0, write("aunt", "The aunt is called Anna"))
	d.forgotten(0, "The friend of Anna is called Mirko")
	found, err := d.book(0).Forgotten(t.Context(), []string{"Anna was here", "Mirko was here"})
	if err != nil || found[0] || !found[1] {
		t.Errorf("%v, %v", found, err)
	}
}

func TestForgottenIsGivenUpOn(t *testing.T) {
	d := newDesk(t)
	d.forgotten(0, "The punt is called Libelle")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := d.book(0).Forgotten(ctx, []string{"Libelle"}); err == nil {
		t.Error("it looked on")
	}
	if _, err := d.book(0).Propose(ctx, write("x", "The boat is blue")); err == nil || d.live(0) != "" {
		t.Errorf("it decided: %v; %s", err, d.live(0))
	}
}

// BenchmarkForgotten looks for a hundred values in 10,000 messages.
func BenchmarkForgotten(b *testing.B) {
	d := newDesk(b)
	for i := range 100 {
		d.forgotten(0, fmt.Sprintf("The locker %d of the club house is for Mr Zqx%d", i+1000, i))
	}
	const many, atOnce = 10_000, 500
	for b.Loop() {
		for from := 0; from < many; from += atOnce {
			texts := make([]string, atOnce)
			for i := range texts {
				texts[i] = fmt.Sprintf("Question %d: which train goes to the coast on Friday, and is there a place for the bicycle? The last time we had to leave it behind, and the parcel for Tom with it. The club house was closed, number %d.", from+i, i*7)
			}
			found, err := d.book(0).Forgotten(context.Background(), texts)
			if err != nil || found[0] {
				b.Fatal(found[0], err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/many, "µs/message")
}
