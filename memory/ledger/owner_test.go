package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// apply applies a list in the form of NACRE_OWNERS and tells whose each
// address is, as "operator" or by the owner's id.
func apply(t *testing.T, l *ledger.Ledger, list string) map[string]nacre.OwnerID {
	t.Helper()
	entries, err := nacre.ParseOwners(list)
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.SyncOwners(ctx, entries)
	if err != nil {
		t.Fatal(err)
	}
	if !all[0].Operator || slices.ContainsFunc(all[1:], func(o nacre.Owner) bool { return o.Operator }) {
		t.Fatalf("not exactly the first owner is the operator: %v", all)
	}
	whose := map[string]nacre.OwnerID{"operator": all[0].ID}
	for _, o := range all {
		for _, a := range o.Addresses {
			whose[a.String()] = o.ID
		}
	}
	return whose
}

func TestOwnersFollowTheList(t *testing.T) {
	l := open(t, t.TempDir())
	alone := apply(t, l, "")
	if len(alone) != 3 || alone["terminal:local"] != alone["operator"] || alone["web:local"] != alone["operator"] {
		t.Fatalf("without a list: %v, want an operator with this machine alone", alone)
	}

	listed := apply(t, l, "telegram:1001+whatsapp:15550001,telegram:1002")
	if listed["telegram:1001"] != alone["operator"] || listed["whatsapp:15550001"] != alone["operator"] {
		t.Error("the first entry did not join the local operator")
	}
	if o := listed["telegram:1002"]; o == "" || o == alone["operator"] {
		t.Errorf("the second entry is owner %q", o)
	}

	swapped := apply(t, l, "telegram:1002,telegram:1001")
	if swapped["operator"] != listed["telegram:1002"] || swapped["terminal:local"] != listed["telegram:1002"] {
		t.Error("the new first entry did not become the operator")
	}
	if swapped["telegram:1001"] != listed["telegram:1001"] {
		t.Error("an address changed its owner because the order changed")
	}
	if _, still := swapped["whatsapp:15550001"]; still {
		t.Error("an address that left the list is still admitted")
	}

	replaced := apply(t, l, "telegram:3003")
	if replaced["telegram:3003"] == listed["telegram:1002"] || replaced["telegram:3003"] == listed["telegram:1001"] {
		t.Error("a new person got the data of an earlier one")
	}
	if len(replaced) != 4 {
		t.Errorf("admitted after the list was replaced: %v", replaced)
	}
}

func TestTwoOwnersAreNeverMerged(t *testing.T) {
	l := open(t, t.TempDir())
	before := apply(t, l, "telegram:1001,telegram:1002")
	entries, _ := nacre.ParseOwners("telegram:1001+telegram:1002")
	if _, err := l.SyncOwners(ctx, entries); nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), "two entries") {
		t.Errorf("joining two owners: %v", err)
	}
	if after := apply(t, l, "telegram:1001,telegram:1002"); after["telegram:1002"] != before["telegram:1002"] {
		t.Error("the refused list changed something")
	}
}

// pairing offers a code at an address.
func pairing(kind nacre.PairingKind, tag string, a nacre.Address, owner nacre.OwnerID) nacre.Pairing {
	return nacre.Pairing{Tag: []byte(tag), Kind: kind, Address: a, Owner: owner, Chat: nacre.ChatID(a.ID)}
}

// offer shows a code with a reply sealed by the operator's key.
func offer(l *ledger.Ledger, p nacre.Pairing) error {
	all, err := l.Owners(ctx)
	if err != nil {
		return err
	}
	_, err = l.OfferPairing(ctx, p, all[0].ID, nacre.RenderedReply{ID: "r", Chat: nacre.Chat{Channel: p.Address.Channel, ID: p.Chat}, Parts: []nacre.Part{{Text: "code"}}})
	return err
}

func TestFirstStrangerJoinsTheLocalOperator(t *testing.T) {
	l := open(t, t.TempDir())
	operator := apply(t, l, "")["operator"]
	here := nacre.LocalAddress(nacre.Terminal)
	for i, id := range []string{"1001", "1002"} {
		if err := offer(l, pairing(nacre.Admit, id, tg(id), "")); err != nil {
			t.Fatal(err)
		}
		p, err := l.UsePairing(ctx, nacre.Admit, []byte(id), here)
		if err != nil || p.Address != tg(id) || p.Chat != nacre.ChatID(id) {
			t.Fatalf("admitting %s: %+v, %v", id, p, err)
		}
		if first := i == 0; (p.Owner == operator) != first {
			t.Errorf("stranger %d became owner %s, operator is %s", i+1, p.Owner, operator)
		}
	}
	if _, err := l.UsePairing(ctx, nacre.Admit, []byte("1001"), here); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("a used code worked again: %v", err)
	}
	if again := apply(t, l, ""); again["telegram:1002"] == "" {
		t.Error("a paired address was lost at the next start")
	}
}

func TestJoinCodeLinksTheSender(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	if err := offer(l, pairing(nacre.Join, "code", tg("1002"), o[1])); err != nil {
		t.Fatal(err)
	}
	if _, err := l.UsePairing(ctx, nacre.Admit, []byte("code"), tg("1001")); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("a join code admitted somebody: %v", err)
	}
	p, err := l.UsePairing(ctx, nacre.Join, []byte("code"), tg("2002"))
	if err != nil || p.Owner != o[1] {
		t.Fatalf("joining: %+v, %v", p, err)
	}
	if got := apply(t, l, "telegram:1001,telegram:1002")["telegram:2002"]; got != o[1] {
		t.Errorf("the joined address belongs to %q, want %q", got, o[1])
	}
}

func TestPairingIsBounded(t *testing.T) {
	l := open(t, t.TempDir())
	apply(t, l, "")
	for _, id := range []string{"1", "2", "3"} {
		if err := offer(l, pairing(nacre.Admit, id, tg(id), "")); err != nil {
			t.Fatal(err)
		}
	}
	if err := offer(l, pairing(nacre.Admit, "4", tg("4"), "")); nacre.KindOf(err) != nacre.Denied {
		t.Errorf("a fourth stranger: %v, want denied", err)
	}
	if left, err := l.Undelivered(ctx); err != nil || len(left) != 3 {
		t.Errorf("%d codes are on their way, %v; want 3", len(left), err)
	}
	if err := offer(l, pairing(nacre.Admit, "3b", tg("3"), "")); err != nil {
		t.Errorf("a fresh code for a stranger who waits: %v", err)
	}
	if err := offer(l, pairing(nacre.Admit, "5", nacre.Address{Channel: nacre.WhatsApp, ID: "5"}, "")); err != nil {
		t.Errorf("another channel: %v", err)
	}

	guesser := tg("9")
	for range nacre.PairingTries {
		if _, err := l.UsePairing(ctx, nacre.Admit, []byte("guess"), guesser); nacre.KindOf(err) != nacre.NotFound {
			t.Fatalf("wrong code: %v", err)
		}
	}
	if _, err := l.UsePairing(ctx, nacre.Admit, []byte("2"), guesser); nacre.KindOf(err) != nacre.Denied {
		t.Errorf("the right code after five wrong ones: %v, want denied", err)
	}
	if _, err := l.UsePairing(ctx, nacre.Admit, []byte("2"), tg("8")); err != nil {
		t.Errorf("somebody else with the right code: %v", err)
	}
}

func TestPairingExpires(t *testing.T) {
	l := open(t, t.TempDir())
	apply(t, l, "")
	if err := offer(l, pairing(nacre.Admit, "c", tg("1"), "")); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {nacre.PairingLife - time.Minute, true}, {nacre.PairingLife + time.Minute, false}} {
		got, err := l.Pairing(ctx, nacre.Admit, tg("1"), now.Add(c.after).UnixMilli())
		if err != nil || got != c.want {
			t.Errorf("waiting after %s: %v, %v; want %v", c.after, got, err, c.want)
		}
	}
}

func TestGroupBelongsToWhoEnabledIt(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	group := nacre.Chat{Channel: nacre.Telegram, ID: "-100"}
	if got, err := l.GroupOwner(ctx, group); err != nil || got != "" {
		t.Errorf("before: %q, %v", got, err)
	}
	for _, id := range o {
		if err := l.EnableGroup(ctx, group, id); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := l.GroupOwner(ctx, group); err != nil || got != o[0] {
		t.Errorf("after both: %q, %v; want the first, %q", got, err, o[0])
	}
}
