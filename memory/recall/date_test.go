package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/recall/terms"
)

func (d date) String() string {
	year, month, day := d.civil()
	return fmt.Sprintf("%d-%02d-%02d", year, month, day)
}

func TestDates(t *testing.T) {
	wednesday := dateOn(2025, time.June, 18)
	tests := []struct {
		text string
		want string // spans, as first..last
	}{
		{"I was there yesterday", "2025-06-17..2025-06-17"},
		{"I was there", ""},
		{"Gestern und heute", "2025-06-17..2025-06-17 2025-06-18..2025-06-18"},
		{"ayer por la tarde", "2025-06-17..2025-06-17"},
		{"on s'est vus hier", "2025-06-17..2025-06-17"},
		{"我昨天去了", "2025-06-17..2025-06-17"},
		{"last week", "2025-06-09..2025-06-15"},
		{"this week", "2025-06-16..2025-06-22"},
		{"next week", "2025-06-23..2025-06-29"},
		{"letzte Woche", "2025-06-09..2025-06-15"},
		{"la semana pasada", "2025-06-09..2025-06-15"},
		{"la semaine dernière", "2025-06-09..2025-06-15"},
		{"上周", "2025-06-09..2025-06-15"},
		{"上個星期五", "2025-06-13..2025-06-13"},
		{"last weekend", "2025-06-14..2025-06-15"},
		{"last night", "2025-06-17..2025-06-17"},
		{"last Friday", "2025-06-13..2025-06-13"},
		{"last Wednesday", "2025-06-11..2025-06-11"},
		{"next Friday", "2025-06-20..2025-06-20"},
		{"this Friday", "2025-06-20..2025-06-20"},
		{"see you on Friday", ""},
		{"two months ago", "2025-04-01..2025-04-30"},
		{"a few days ago", "2025-06-15..2025-06-15"},
		{"a couple of weeks ago", "2025-06-01..2025-06-07"},
		{"vor zwei Monaten", "2025-04-01..2025-04-30"},
		{"hace dos semanas", "2025-06-01..2025-06-07"},
		{"il y a deux semaines", "2025-06-01..2025-06-07"},
		{"两个月前", "2025-04-01..2025-04-30"},
		{"三天前", "2025-06-15..2025-06-15"},
		{"three years ago", "2022-01-01..2022-12-31"},
		{"two months", ""},
		{"last year", "2024-01-01..2024-12-31"},
		{"去年", "2024-01-01..2024-12-31"},
		{"8 May 2023", "2023-05-08..2023-05-08"},
		{"on May 8th, 2023", "2023-05-08..2023-05-08"},
		{"8. Mai 2023", "2023-05-08..2023-05-08"},
		{"el 8 de mayo de 2023", "2023-05-08..2023-05-08"},
		{"le 8 mai 2023", "2023-05-08..2023-05-08"},
		{"2023年5月8日", "2023-05-08..2023-05-08"},
		{"2023-05-08", "2023-05-08..2023-05-08"},
		{"8.5.2023", "2023-05-08..2023-05-08"},
		{"May 2023", "2023-05-01..2023-05-31"},
		{"in March", "2025-03-01..2025-03-31"},
		{"im März", "2025-03-01..2025-03-31"},
		{"三月", "2025-03-01..2025-03-31"},
		{"in August", "2025-08-01..2025-08-31"},     // soon
		{"in December", "2024-12-01..2024-12-31"},   // lately
		{"last December", "2024-12-01..2024-12-31"}, // which
		{"we may go, he may march", ""},
		{"we met in may", "2025-05-01..2025-05-31"},
		{"in 2023", "2023-01-01..2023-12-31"},
		{"room 2023b", ""},
	}
	a := terms.New(nil)
	for _, test := range tests {
		if got := listed(dates(test.text, a.Doc(test.text), wednesday, told)); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

func listed(spans []span) string {
	var list []string
	for _, s := range spans {
		list = append(list, fmt.Sprintf("%v..%v", s.first, s.last))
	}
	return strings.Join(list, " ")
}

func TestDatesOfQuestionsArePast(t *testing.T) {
	a := terms.New(nil)
	for text, want := range map[string]string{
		"what was in August":  "2024-08-01..2024-08-31",
		"what was in June":    "2025-06-01..2025-06-30",
		"what was on Friday":  "2025-06-13..2025-06-13",
		"was war am Freitag?": "2025-06-13..2025-06-13",
	} {
		if got := listed(dates(text, a.Doc(text), dateOn(2025, time.June, 18), asked)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestNewYear(t *testing.T) {
	a := terms.New(nil)
	for text, want := range map[string]string{
		"in January": "2026-01-01..2026-01-31", "last month": "2025-11-01..2025-11-30", "next month": "2026-01-01..2026-01-31", "tomorrow": "2026-01-01..2026-01-01",
	} {
		if got := listed(dates(text, a.Doc(text), dateOn(2025, time.December, 31), told)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The same message is of another day to an owner who lives elsewhere. When one moves,
// and their messages are dropped, it is of another day to them too.
func TestDaysAreOfTheOwner(t *testing.T) {
	store := newMemStore()
	for _, owner := range []nacre.OwnerID{ann, "bob"} {
		store.say(owner, Doc{Text: "the lantern is lit", Sent: time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)})
	}
	tokyo := time.FixedZone("Tokyo", 9*60*60)
	zones := map[nacre.OwnerID]*time.Location{ann: time.UTC, "bob": tokyo}
	x := New(store, Options{Zone: func(owner nacre.OwnerID) *time.Location { return zones[owner] }})
	defer x.Close()
	dated := func(owner nacre.OwnerID) bool {
		t.Helper()
		res := find(t, x, owner, Query{Text: "lantern on 2 May 2026", Now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)})
		if len(res.Hits) != 1 {
			t.Fatalf("found %+v", res)
		}
		return res.Hits[0].Dated
	}
	if dated(ann) || !dated("bob") {
		t.Errorf("of 2 May it is to one in UTC: %v, to one in Tokyo: %v", dated(ann), dated("bob"))
	}
	zones[ann] = tokyo
	x.Drop(ann)
	if !dated(ann) {
		t.Error("it is of 1 May to one who moved to Tokyo")
	}
}

// A day is the owner's, also where clocks are put forward or back.
func TestDaysAreOfTheZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		at   time.Time
		zone *time.Location
		want string
	}{
		{time.Date(2025, 3, 30, 23, 30, 0, 0, time.UTC), time.UTC, "2025-03-29"},
		{time.Date(2025, 3, 30, 23, 30, 0, 0, time.UTC), berlin, "2025-03-30"},  // 01:30 of the 31st
		{time.Date(2025, 3, 30, 22, 30, 0, 0, time.UTC), berlin, "2025-03-30"},  // 00:30: the day had 23 hours
		{time.Date(2025, 10, 26, 22, 30, 0, 0, time.UTC), berlin, "2025-10-25"}, // 23:30: this day has 25
	}
	for _, test := range tests {
		_, spans := observe(Doc{Text: "yesterday", Sent: test.at}, terms.New(nil).Doc("yesterday"), test.zone)
		if want := test.want + ".." + test.want; listed(spans) != want {
			t.Errorf("yesterday of %v in %v: %s, want %s", test.at, test.zone, listed(spans), want)
		}
	}
	if got, want := dateOn(2025, time.March, 31).start(berlin), time.Date(2025, 3, 30, 22, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("the day after the clocks went forward begins at %v", got)
	}
}

func TestObserve(t *testing.T) {
	tests := []struct {
		text string
		want flags
	}{
		{"plain words", 0},
		{"Is it you?", asks},
		{"Is it you? 🙂", asks},
		{"好吗？", asks},
		{"Is it you? It is.", 0},
		{"I have 3 cats", counts},
		{"I have three cats", counts},
		{"I have a cat", 0},
		{"three weeks at sea", counts | tellsWhen},
		{"on fridays we sing, on Friday we dance", tellsWhen},
		{"since yesterday", tellsWhen},
		{"a fine day", 0},
		{"we went to Rome", names},
		{"Thanks, Rome! Hello Rome. Rome it is", 0},
		{"we read “the sea” aloud", names},
		{"我在看《红楼梦》", names},
	}
	a := terms.New(nil)
	for _, test := range tests {
		if got, _ := observe(Doc{Text: test.text, Sent: now}, a.Doc(test.text), time.UTC); got.flags != test.want {
			t.Errorf("%q: flags %b, want %b", test.text, got.flags, test.want)
		}
	}
	_, spans := observe(Doc{Text: "last year, last week", Sent: now}, a.Doc("last year, last week"), time.UTC)
	if slices.ContainsFunc(spans, func(s span) bool { return s.days() > longest }) || len(spans) != 1 {
		t.Errorf("spans that are kept: %s", listed(spans))
	}
}
