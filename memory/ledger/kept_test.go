package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// week is how long the network of these tests may ask again.
const week = 7 * 24 * time.Hour

// keptParts commits a turn of parts and settles each as sent, to be kept for some
// time.
func keptParts(t testing.TB, l *ledger.Ledger, in nacre.Inbound, keep time.Duration, parts ...string) []nacre.Delivery {
	t.Helper()
	ds := commit(t, l, turnOver(put(t, l, in), parts...))
	for i := range ds {
		ds[i].State, ds[i].Keep = nacre.Sent, keep
		settle(t, l, ds[i], externalIDOf(ds[i]), "")
	}
	return ds
}

// settle records what became of a part.
func settle(t testing.TB, l *ledger.Ledger, d nacre.Delivery, external nacre.ExternalID, reason string) {
	t.Helper()
	_, err := l.Settle(ctx, d, external, reason, "")
	must(t, err)
}

// externalIDOf is what the network calls a part.
func externalIDOf(d nacre.Delivery) nacre.ExternalID { return "3EB0" + nacre.ExternalID(d.ID) }

// sentText is the text of a part that is kept; empty if it is not.
func sentText(t testing.TB, l *ledger.Ledger, d nacre.Delivery) string {
	t.Helper()
	part, err := l.SentPart(ctx, d.Chat, externalIDOf(d))
	if err != nil && (nacre.KindOf(err) != nacre.NotFound || part.Text != "") {
		t.Errorf("part %+v, %v", part, err)
	}
	return part.Text
}

// sentLately are the texts that were sent to a chat in the last hour, or may have been.
func sentLately(t testing.TB, l *ledger.Ledger, chat nacre.Chat) []string {
	t.Helper()
	return sentBetween(t, l, chat, -time.Hour, time.Hour)
}

// sentBetween are those of an interval, from now on.
func sentBetween(t testing.TB, l *ledger.Ledger, chat nacre.Chat, from, to time.Duration) (list []string) {
	t.Helper()
	parts, err := l.SentBetween(ctx, chat, time.Now().Add(from), time.Now().Add(to))
	must(t, err)
	for _, p := range parts {
		list = append(list, p.Text)
	}
	return list
}

func TestWhatWasSentIsKeptForItsTime(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	gone := keptParts(t, l, message(o, "1001", "1", "x"), 0, "not kept")[0]
	kept := keptParts(t, l, message(o, "1001", "2", "x"), week, "first", "second")
	short := keptParts(t, l, message(o, "1001", "3", "x"), time.Hour, "third")[0]
	l.Close()
	l = open(t, dir)
	for d, want := range map[*nacre.Delivery]string{&gone: "", &kept[0]: "first", &kept[1]: "second", &short: "third"} {
		if got := sentText(t, l, *d); got != want {
			t.Errorf("of %q, %q is kept", want, got)
		}
	}
	for name, chat := range map[string]nacre.Chat{"channel": {Channel: nacre.WhatsApp, ID: short.Chat.ID}, "chat": {Channel: short.Chat.Channel, ID: "1002"}} {
		if _, err := l.SentPart(ctx, chat, externalIDOf(short)); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("a part of another %s: %v", name, err)
		}
	}
	if left, err := l.Undelivered(ctx); err != nil || len(left) != 0 {
		t.Errorf("undelivered %+v, %v", left, err)
	}
	if c, err := l.Counts(ctx); err != nil || c.Waiting != 0 || c.Dead != 0 || !c.Oldest.IsZero() {
		t.Errorf("counts %+v, %v", c, err)
	}

	for _, step := range []struct {
		after time.Duration
		want  []string // newest first
	}{{0, []string{"third", "second", "first"}}, {2 * time.Hour, []string{"second", "first"}}, {week + time.Hour, nil}} {
		must(t, l.ClearSent(ctx, time.Now().Add(step.after)))
		if got := sentLately(t, l, kept[0].Chat); !slices.Equal(got, step.want) {
			t.Errorf("after %v %q are kept, want %q", step.after, got, step.want)
		}
	}
	for _, d := range append(kept, short) {
		if got := sentText(t, l, d); got != "" {
			t.Errorf("%q is kept for good", got)
		}
	}
}

func TestWhatWasSentLately(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	settled := keptParts(t, l, message(o[0], "1001", "1", "x"), week, "sent")[0]
	keptParts(t, l, message(o[1], "1002", "1", "x"), week, "to somebody else")
	waiting := commit(t, l, turnOver(put(t, l, message(o[0], "1001", "2", "x")), "being sent", "waits", "waits for its second try"))
	waiting[2].State, waiting[2].Unsure, waiting[2].NotUntil = nacre.Waiting, 1, time.Now().Add(time.Minute)
	settle(t, l, waiting[2], "", "")
	for i, want := range []bool{true, false, false} {
		if got, err := l.Wanted(ctx, waiting[i].ID); got != want || err != nil {
			t.Errorf("%q is wanted: %v, %v", waiting[i].Part.Text, got, err)
		}
	}
	open := []string{"being sent"}
	for _, c := range []struct {
		name     string
		from, to time.Duration
		want     []string
	}{
		{"an hour", -time.Hour, time.Hour, append(slices.Clone(open), "sent")},
		{"what is to come", time.Minute, time.Hour, open},
		{"what was before", -time.Hour, -time.Minute, open},
	} {
		if got := sentBetween(t, l, settled.Chat, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	topic := settled.Chat
	topic.Thread = "7"
	if got := sentLately(t, l, topic); len(got) != 0 {
		t.Errorf("sent to another topic: %q", got)
	}
}

// What was sent and is kept is a record as any other: forgetting finds it, and it
// stays a part that was sent.
func TestForgettingTakesWhatIsKept(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	parts := keptParts(t, l, message(d.owner, "1001", "8", "x"), week, "again: "+secret, "again: "+sibling)
	planned, err := l.Count(ctx, d.owner, d.e.Needle)
	must(t, err)
	copied, err := l.Copy(d.owner)
	must(t, err)
	before, err := l.Counts(ctx)
	must(t, err)

	counts := d.forget(t, l)
	if counts["replies"] != 4 || planned["replies"] != 4 {
		t.Errorf("%d replies were erased and %d planned, want those of the diary and one", counts["replies"], planned["replies"])
	}
	if got := sentText(t, l, parts[0]); got != "" {
		t.Errorf("%q is still kept", got)
	}
	if got := sentText(t, l, parts[1]); got != "again: "+sibling {
		t.Errorf("%q is kept of the sibling", got)
	}
	for _, c := range copied {
		if says := finds(c.Plain) > 0; c.Table == "outbox" && (says || strings.Contains(c.Plain, sibling)) && l.Opens(d.owner, c) == says {
			t.Errorf("an old copy of the outbox opens: %v, and it says what was forgotten: %v", !says, says)
		}
	}
	if after, err := l.Counts(ctx); err != nil || after.Waiting != before.Waiting-2 || after.Dead != before.Dead+2 {
		t.Errorf("counts %+v, %v; before %+v: two waited, and nothing that was sent is given up", after, err, before)
	}
}

// What was kept and went by itself can be read in an old copy of the database, but
// not after the next forgetting.
func TestKeysOfWhatWasKeptGoWithTheNextForgetting(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	keptParts(t, l, message(d.owner, "1001", "8", "x"), time.Minute, "kept: "+secret)
	copied, err := l.Copy(d.owner)
	must(t, err)
	i := slices.IndexFunc(copied, func(c ledger.Copied) bool { return c.Plain == `{"text":"kept: `+secret+`"}` })
	if i < 0 {
		t.Fatal("nothing is kept")
	}
	must(t, l.ClearSent(ctx, time.Now().Add(time.Hour)))
	if !l.Opens(d.owner, copied[i]) {
		t.Error("its key is gone although nothing was forgotten")
	}
	d.forget(t, l)
	if l.Opens(d.owner, copied[i]) {
		t.Error("an old copy of it opens")
	}
}

func TestForgettingEverythingTakesWhatIsKept(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	part := keptParts(t, l, message(d.owner, "1001", "8", "x"), week, sibling)[0]
	if got := sentText(t, l, part); got != sibling {
		t.Errorf("%q is kept", got)
	}
	d.everything()
	d.forget(t, l)
	if got := sentText(t, l, part); got != "" {
		t.Errorf("%q is still kept", got)
	}
	if got := sentLately(t, l, part.Chat); len(got) != 0 {
		t.Errorf("%q was sent", got)
	}
}

// A part that is forgotten while it is being sent is not kept when the network
// has it.
func TestForgottenWhileItIsSent(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	in := message(d.owner, "1001", "8", "x")
	in.Message.Chat.ID = "-5" // nothing waits there
	part := commit(t, l, turnOver(put(t, l, in), secret))[0]
	d.forget(t, l)
	before, err := l.Counts(ctx)
	must(t, err)
	part.State, part.Keep = nacre.Sent, week
	settle(t, l, part, externalIDOf(part), "")
	after, err := l.Counts(ctx)
	must(t, err)
	if after.Dead != before.Dead-1 || after.Waiting != before.Waiting {
		t.Errorf("counts %+v, before %+v; want it sent", after, before)
	}
	_, err = l.SentPart(ctx, part.Chat, externalIDOf(part))
	if got := sentLately(t, l, part.Chat); len(got) != 0 || nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("%q is kept, %v", got, err)
	}
}

// A part that is forgotten while it waits, or while it is being sent and that fails,
// is not sent any more.
func TestForgottenIsNotSent(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	in := message(d.owner, "1001", "8", "x")
	in.Message.Chat.ID = "-5" // nothing waits there
	parts := commit(t, l, turnOver(put(t, l, in), sibling, secret, "more: "+secret, "also "+sibling))
	must(t, l.Ask(ctx, parts[1].ID))
	must(t, l.Ask(ctx, parts[1].ID)) // as another process that finds it so
	d.forget(t, l)
	for i, want := range []bool{true, false, false, true} {
		if err := l.Ask(ctx, parts[i].ID); (err == nil) != want || !want && nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%q is asked: %v", parts[i].Part.Text, err)
		}
	}
	before, err := l.Counts(ctx)
	must(t, err)
	parts[1].State, parts[1].Unsure, parts[1].NotUntil = nacre.Waiting, 1, time.Now().Add(time.Minute)
	settle(t, l, parts[1], "", "")
	if after, err := l.Counts(ctx); err != nil || after != before {
		t.Errorf("counts %+v, %v; before %+v", after, err, before)
	}
	parts[0].State = nacre.Sent
	for i, want := range map[int]bool{2: false, 3: true} {
		if asked, err := l.Settle(ctx, parts[0], "1", "", parts[i].ID); err != nil || asked != want {
			t.Errorf("behind another, %q is asked: %v, %v", parts[i].Part.Text, asked, err)
		}
	}
}
