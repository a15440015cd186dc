package ledger_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// waiting are those who wait to be admitted.
func waiting(t testing.TB, l *ledger.Ledger) []nacre.Stranger {
	t.Helper()
	list, err := l.Strangers(ctx, time.Now())
	must(t, err)
	return list
}

func TestStrangers(t *testing.T) { synctest.Test(t, testStrangers) }

func testStrangers(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	for _, id := range []string{"7", "5", "6"} {
		must(t, offer(l, pairing(nacre.Admit, "code "+id, tg(id), "")))
		time.Sleep(time.Minute)
	}
	must(t, offer(l, pairing(nacre.Join, "join", tg("1002"), all[1])))
	list := waiting(t, l)
	var who []nacre.Address
	for _, s := range list {
		who = append(who, s.Address)
		if len(s.ID) != 16 || s.Until.Sub(s.Came) != nacre.PairingLife {
			t.Errorf("%+v", s)
		}
	}
	if !slices.Equal(who, []nacre.Address{tg("7"), tg("5"), tg("6")}) {
		t.Fatalf("waiting are %v", who)
	}
	p, err := l.Admit(ctx, list[1].ID)
	if err != nil || p.Address != tg("5") || p.Chat != "5" || p.Owner == "" || slices.Contains(all, p.Owner) {
		t.Errorf("admitted: %+v, %v", p, err)
	}
	must(t, l.Refuse(ctx, list[2].ID))
	for _, id := range []string{list[1].ID, list[2].ID, "", "none"} {
		if p, err := l.Admit(ctx, id); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%q is admitted: %+v, %v", id, p, err)
		}
		if err := l.Refuse(ctx, id); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%q is refused: %v", id, err)
		}
	}
	if left := waiting(t, l); len(left) != 1 || left[0] != list[0] {
		t.Errorf("left are %+v", left)
	}
	if _, err := l.UsePairing(ctx, nacre.Admit, []byte("code 6"), tg("1001")); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("the code of who was refused: %v", err)
	}
	time.Sleep(nacre.PairingLife)
	if left := waiting(t, l); len(left) != 0 {
		t.Errorf("after their time wait %+v", left)
	}
	if _, err := l.Admit(ctx, list[0].ID); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("admitted too late: %v", err)
	}
	if p, err := l.UsePairing(ctx, nacre.Join, []byte("join"), tg("9")); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("joined too late: %+v, %v", p, err)
	}
	l.Close()
}
