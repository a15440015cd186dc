package timetable_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"nacre"
	"nacre/jobs/timetable"
)

// stamp shows a moment with its offset, so that two with the same wall time
// differ.
const stamp = "2006-01-02 15:04 -0700"

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	m, err := time.Parse("2006-01-02 15:04:05.999 -0700", text)
	if err != nil {
		m, err = time.Parse(stamp, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func cronIn(expression, zone string) nacre.Schedule {
	return nacre.Schedule{Kind: nacre.Cron, Cron: expression, Zone: zone}
}

func TestNextByAClockThatIsSet(t *testing.T) {
	for _, c := range []struct {
		name, zone, cron, after string
		want                    []string
	}{
		{"a zone of its own", "Asia/Shanghai", "0 9 * * *", "2026-05-01 00:30 +0000",
			[]string{"2026-05-01 09:00 +0800", "2026-05-02 09:00 +0800"}},
		{"spring, in the gap", "America/New_York", "30 2 * * *", "2026-03-08 01:58 -0500",
			[]string{"2026-03-08 03:00 -0400", "2026-03-09 02:30 -0400"}},
		{"spring, several in the gap are one", "America/New_York", "0,20,40 2,3 * * *", "2026-03-08 01:58 -0500",
			[]string{"2026-03-08 03:00 -0400", "2026-03-08 03:20 -0400", "2026-03-08 03:40 -0400", "2026-03-09 02:00 -0400"}},
		{"autumn, once", "America/New_York", "30 1 * * *", "2026-10-31 12:00 -0400",
			[]string{"2026-11-01 01:30 -0400", "2026-11-02 01:30 -0500"}},
		{"autumn, asked between the two", "America/New_York", "30 1 * * *", "2026-11-01 01:10 -0500",
			[]string{"2026-11-02 01:30 -0500"}},
		{"autumn, asked just before the clock is set", "America/New_York", "0 2 * * *", "2026-11-01 01:59 -0400",
			[]string{"2026-11-01 02:00 -0500", "2026-11-02 02:00 -0500"}},
		{"a day's first minute stays", "Europe/Berlin", "1 0 * * *", "2026-10-23 12:00 +0200",
			[]string{"2026-10-24 00:01 +0200", "2026-10-25 00:01 +0200", "2026-10-26 00:01 +0100", "2026-10-27 00:01 +0100"}},
		{"spring, half an hour", "Australia/Lord_Howe", "15 2 * * *", "2026-10-03 12:00 +1030",
			[]string{"2026-10-04 02:30 +1100", "2026-10-05 02:15 +1100"}},
		{"autumn, half an hour", "Australia/Lord_Howe", "45 1 * * *", "2026-04-04 12:00 +1100",
			[]string{"2026-04-05 01:45 +1100", "2026-04-06 01:45 +1030"}},
		{"no midnight", "Asia/Beirut", "0 0 * * *", "2026-03-28 12:00 +0200",
			[]string{"2026-03-29 01:00 +0300", "2026-03-30 00:00 +0300"}},
		{"no midnight, of a month", "America/Asuncion", "0 0 * 10 *", "2012-10-06 12:00 -0400",
			[]string{"2012-10-07 01:00 -0300", "2012-10-08 00:00 -0300"}},
		{"two midnights", "America/Havana", "0 0 * * *", "2026-10-31 12:00 -0400",
			[]string{"2026-11-01 00:00 -0400", "2026-11-02 00:00 -0500"}},
		{"45 minutes", "Asia/Kathmandu", "0 9 * * *", "2026-01-01 00:00 +0000",
			[]string{"2026-01-01 09:00 +0545", "2026-01-02 09:00 +0545"}},
		{"a day that is not", "Pacific/Apia", "0 9 * * *", "2011-12-29 12:00 -1000",
			[]string{"2011-12-31 00:00 +1400", "2011-12-31 09:00 +1400", "2012-01-01 09:00 +1400"}},
		{"a weekday that is not", "Pacific/Apia", "0 9 * * FRI", "2011-12-29 12:00 -1000",
			[]string{"2011-12-31 00:00 +1400", "2012-01-06 09:00 +1400"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs(t, cronIn(c.cron, c.zone), moment(t, c.after), c.want)
		})
	}
}

func TestNextOfEveryHour(t *testing.T) {
	for _, c := range []struct {
		name, zone, cron, after string
		want                    []string
	}{
		{"spring", "America/New_York", "30 * * * *", "2026-03-08 00:45 -0500",
			[]string{"2026-03-08 01:30 -0500", "2026-03-08 03:30 -0400", "2026-03-08 04:30 -0400"}},
		{"autumn", "America/New_York", "30 * * * *", "2026-11-01 00:45 -0400",
			[]string{"2026-11-01 01:30 -0400", "2026-11-01 01:30 -0500", "2026-11-01 02:30 -0500"}},
		{"autumn, several", "America/New_York", "10,15 * * * *", "2026-11-01 00:45 -0400",
			[]string{"2026-11-01 01:10 -0400", "2026-11-01 01:15 -0400", "2026-11-01 01:10 -0500", "2026-11-01 01:15 -0500", "2026-11-01 02:10 -0500"}},
		{"spring, several", "America/New_York", "10,15 * * * *", "2026-03-08 01:12 -0500",
			[]string{"2026-03-08 01:15 -0500", "2026-03-08 03:10 -0400", "2026-03-08 03:15 -0400"}},
		{"written otherwise", "America/New_York", "30 0-23 * * *", "2026-11-01 00:45 -0400",
			[]string{"2026-11-01 01:30 -0400", "2026-11-01 01:30 -0500"}},
		{"not every hour", "America/New_York", "30 0-22 * * *", "2026-11-01 00:45 -0400",
			[]string{"2026-11-01 01:30 -0400", "2026-11-01 02:30 -0500"}},
		{"half an hour back, not sooner", "Australia/Lord_Howe", "30 * * * *", "2026-04-05 01:00 +1100",
			[]string{"2026-04-05 01:30 +1100", "2026-04-05 02:30 +1030", "2026-04-05 03:30 +1030"}},
		{"half an hour back, often enough", "Australia/Lord_Howe", "0,30 * * * *", "2026-04-05 01:00 +1100",
			[]string{"2026-04-05 01:30 +1100", "2026-04-05 01:30 +1030", "2026-04-05 02:00 +1030"}},
		{"half an hour forward, not sooner", "Australia/Lord_Howe", "0 * * * *", "2026-10-04 00:30 +1030",
			[]string{"2026-10-04 01:00 +1030", "2026-10-04 03:00 +1100", "2026-10-04 04:00 +1100"}},
		{"no midnight", "Asia/Beirut", "0 * * * SUN", "2026-03-28 12:00 +0200",
			[]string{"2026-03-29 01:00 +0300", "2026-03-29 02:00 +0300"}},
		{"no midnight, not sooner", "Asia/Beirut", "30 * * * SUN", "2026-03-28 12:00 +0200",
			[]string{"2026-03-29 01:30 +0300", "2026-03-29 02:30 +0300"}},
		{"a day that is not, made up for", "Pacific/Apia", "30 * 30 12 *", "2011-12-29 12:00 -1000",
			[]string{"2011-12-31 00:00 +1400", "2012-12-30 00:30 +1400"}},
		{"the last day of a leap year", "Australia/Lord_Howe", "56 * * * *", "2040-12-31 11:30 +1100",
			[]string{"2040-12-31 11:56 +1100", "2040-12-31 12:56 +1100"}},
		{"after the last day of a leap year", "America/New_York", "56 * * 3 *", "2040-12-31 23:30 -0500",
			[]string{"2041-03-01 00:56 -0500", "2041-03-01 01:56 -0500"}},
		{"a day that is not, among others", "Pacific/Apia", "30 * * * *", "2011-12-29 22:45 -1000",
			[]string{"2011-12-29 23:30 -1000", "2011-12-31 00:30 +1400"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs(t, cronIn(c.cron, c.zone), moment(t, c.after), c.want)
		})
	}
}

func TestNextByTheCalendar(t *testing.T) {
	for _, c := range []struct {
		name, cron, after string
		want              []string
	}{
		{"leap days", "0 9 29 2 *", "2026-11-30 12:00 +0000", []string{"2028-02-29 09:00 +0000", "2032-02-29 09:00 +0000"}},
		{"leap days over 2100", "0 9 29 2 *", "2096-02-01 12:00 +0000", []string{"2096-02-29 09:00 +0000", "2104-02-29 09:00 +0000"}},
		{"one or the other", "0 9 13 * FRI", "2026-11-01 12:00 +0000", []string{"2026-11-06 09:00 +0000", "2026-11-13 09:00 +0000", "2026-11-20 09:00 +0000"}},
		{"7 is Sunday", "0 9 * * 7", "2026-11-30 12:00 +0000", []string{"2026-12-06 09:00 +0000", "2026-12-13 09:00 +0000"}},
		{"7 in a range", "0 9 * * 5-7", "2026-11-30 12:00 +0000", []string{"2026-12-04 09:00 +0000", "2026-12-05 09:00 +0000", "2026-12-06 09:00 +0000", "2026-12-11 09:00 +0000"}},
		{"7 in a list", "0 9 * * 1,7", "2026-11-30 12:00 +0000", []string{"2026-12-06 09:00 +0000", "2026-12-07 09:00 +0000"}},
		{"7 with a step", "0 9 * * 1-7/3", "2026-11-30 12:00 +0000", []string{"2026-12-03 09:00 +0000", "2026-12-06 09:00 +0000", "2026-12-07 09:00 +0000"}},
		{"names", "0 9 * jan-mar fri-SUN", "2026-11-30 12:00 +0000", []string{"2027-01-01 09:00 +0000", "2027-01-02 09:00 +0000", "2027-01-03 09:00 +0000", "2027-01-08 09:00 +0000"}},
		{"the 31st", "30 23 31 * *", "2026-11-30 12:00 +0000", []string{"2026-12-31 23:30 +0000", "2027-01-31 23:30 +0000", "2027-03-31 23:30 +0000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs(t, cronIn(c.cron, "UTC"), moment(t, c.after), c.want)
		})
	}
}

func TestNextOfEvery(t *testing.T) {
	anchor := moment(t, "2026-03-07 10:00 -0500")
	every := nacre.Schedule{Kind: nacre.Every, At: anchor, Every: 2 * time.Hour, Zone: "America/New_York"}
	for _, c := range []struct {
		name, after string
		want        []string
	}{
		{"from the first on", "2026-03-01 00:00 +0000", []string{"2026-03-07 10:00 -0500", "2026-03-07 12:00 -0500"}},
		{"asked at 11:38", "2026-03-07 11:38 -0500", []string{"2026-03-07 12:00 -0500", "2026-03-07 14:00 -0500"}},
		{"asked at 11:49", "2026-03-07 11:49 -0500", []string{"2026-03-07 12:00 -0500", "2026-03-07 14:00 -0500"}},
		{"asked at 11:52", "2026-03-07 11:52 -0500", []string{"2026-03-07 12:00 -0500", "2026-03-07 14:00 -0500"}},
		{"by real time", "2026-03-08 00:30 -0500", []string{"2026-03-08 03:00 -0400", "2026-03-08 05:00 -0400"}},
		{"within the second before", "2026-03-07 11:59:59.999 -0500", []string{"2026-03-07 12:00 -0500"}},
		{"centuries on", "2426-01-01 01:00 +0000", []string{"2425-12-31 22:00 -0500"}},
	} {
		t.Run(c.name, func(t *testing.T) { runs(t, every, moment(t, c.after), c.want) })
	}
	t.Run("a part of a second", func(t *testing.T) {
		s := every
		s.At = anchor.Add(250 * time.Millisecond)
		for _, c := range []struct{ after, want time.Duration }{{-1, 250 * time.Millisecond}, {249 * time.Millisecond, 250 * time.Millisecond},
			{250 * time.Millisecond, 2*time.Hour + 250*time.Millisecond}, {2 * time.Hour, 2*time.Hour + 250*time.Millisecond}} {
			if got := timetable.Next(s, time.UTC, anchor.Add(c.after)).Sub(anchor); got != c.want {
				t.Errorf("after %v comes %v, want %v", c.after, got, c.want)
			}
		}
	})
}

// TestNextOfWholeDays goes by the clock of the zone, whatever is done to it.
func TestNextOfWholeDays(t *testing.T) {
	for _, c := range []struct {
		name, zone, at, after string
		days                  int
		want                  []string
	}{
		{"spring", "Europe/Vienna", "2026-03-26 09:00 +0100", "2026-03-01 00:00 +0000", 2,
			[]string{"2026-03-26 09:00 +0100", "2026-03-28 09:00 +0100", "2026-03-30 09:00 +0200"}},
		{"autumn", "Europe/Vienna", "2026-10-21 09:00 +0200", "2026-10-22 00:00 +0000", 3,
			[]string{"2026-10-24 09:00 +0200", "2026-10-27 09:00 +0100"}},
		{"weeks", "Europe/Vienna", "2026-10-19 09:00 +0200", "2026-10-19 09:00 +0200", 14,
			[]string{"2026-11-02 09:00 +0100", "2026-11-16 09:00 +0100"}},
		{"a single day", "America/New_York", "2026-03-06 22:30 -0500", "2026-03-07 12:00 -0500", 1,
			[]string{"2026-03-07 22:30 -0500", "2026-03-08 22:30 -0400"}},
		{"in the gap", "America/New_York", "2026-03-07 02:30 -0500", "2026-03-07 12:00 -0500", 1,
			[]string{"2026-03-08 03:00 -0400", "2026-03-09 02:30 -0400"}},
		{"shown twice", "America/New_York", "2026-10-31 01:30 -0400", "2026-10-31 12:00 -0400", 1,
			[]string{"2026-11-01 01:30 -0400", "2026-11-02 01:30 -0500"}},
		{"half an hour", "Australia/Lord_Howe", "2026-04-04 01:45 +1100", "2026-04-04 12:00 +1100", 1,
			[]string{"2026-04-05 01:45 +1100", "2026-04-06 01:45 +1030"}},
		{"a day that is not", "Pacific/Apia", "2011-12-28 09:00 -1000", "2011-12-29 00:00 -1000", 2,
			[]string{"2011-12-31 00:00 +1400", "2012-01-01 09:00 +1400"}},
		{"centuries on", "Europe/Vienna", "2026-12-01 09:00 +0100", "2426-06-30 12:00 +0000", 1,
			[]string{"2426-07-01 09:00 +0200"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := nacre.Schedule{Kind: nacre.Every, At: moment(t, c.at), Every: time.Duration(c.days) * 24 * time.Hour, Zone: c.zone}
			runs(t, s, moment(t, c.after), c.want)
		})
	}
}

func TestNextOfOnce(t *testing.T) {
	at := moment(t, "2026-12-01 09:00 +0000")
	once := nacre.Schedule{Kind: nacre.Once, At: at}
	if got := timetable.Next(once, time.UTC, at.Add(-1)); !got.Equal(at) {
		t.Errorf("got %v, want %v", got, at)
	}
	if got := timetable.Next(once, time.UTC, at); !got.IsZero() {
		t.Errorf("got %v after the only one", got)
	}
}

func TestNextOfNothing(t *testing.T) {
	now := moment(t, "2026-12-01 09:00 +0000")
	for name, s := range map[string]nacre.Schedule{
		"no schedule":     {},
		"no time":         {Kind: nacre.Once},
		"no step":         {Kind: nacre.Every, At: now},
		"half a second":   {Kind: nacre.Every, At: now, Every: time.Second / 2},
		"no anchor":       {Kind: nacre.Every, Every: time.Hour},
		"no expression":   {Kind: nacre.Cron},
		"impossible":      cronIn("0 9 30 2 *", ""),
		"impossible hour": cronIn("0 * 31 4,6,9,11 *", "America/New_York"),
	} {
		if got := timetable.Next(s, time.UTC, now.Add(-time.Hour)); !got.IsZero() {
			t.Errorf("%s: next is %v", name, got)
		}
		if got, n := timetable.Latest(s, time.UTC, now.AddDate(-1, 0, 0), now); !got.IsZero() || n != 0 {
			t.Errorf("%s: latest is %v, of %d", name, got, n)
		}
	}
}

func TestZone(t *testing.T) {
	home := zone(t, "Europe/Vienna")
	for name, want := range map[string]string{"": "Europe/Vienna", "Asia/Tokyo": "Asia/Tokyo", "Europe/Atlantis": "Europe/Vienna"} {
		if got := timetable.Zone(nacre.Schedule{Zone: name}, home); got.String() != want {
			t.Errorf("the zone of %q is %v, want %s", name, got, want)
		}
	}
}

func TestTheOwnersZone(t *testing.T) {
	s := cronIn("0 9 * * *", "")
	after := moment(t, "2026-12-01 00:00 +0000")
	for name, want := range map[string]string{"Europe/Vienna": "2026-12-01 09:00 +0100", "Asia/Tokyo": "2026-12-02 09:00 +0900"} {
		if got := timetable.Next(s, zone(t, name), after).Format(stamp); got != want {
			t.Errorf("in %s it is due %s, want %s", name, got, want)
		}
	}
}

func TestLatest(t *testing.T) {
	anchor := moment(t, "2020-01-01 00:00 +0000")
	hour := nacre.Schedule{Kind: nacre.Every, At: anchor, Every: time.Hour}
	once := nacre.Schedule{Kind: nacre.Once, At: anchor}
	for _, c := range []struct {
		name         string
		schedule     nacre.Schedule
		after, until string
		slot         string
		n            int
	}{
		{"one", cronIn("37 12 * * *", "UTC"), "2026-11-29 12:36 +0000", "2026-11-29 12:38 +0000", "2026-11-29 12:37 +0000", 1},
		{"none", cronIn("37 12 * * *", "UTC"), "2026-11-29 12:37 +0000", "2026-11-29 12:38 +0000", "", 0},
		{"at the end", cronIn("37 12 * * *", "UTC"), "2026-11-29 12:36 +0000", "2026-11-29 12:37 +0000", "2026-11-29 12:37 +0000", 1},
		{"backwards", cronIn("37 12 * * *", "UTC"), "2026-11-29 12:38 +0000", "2026-11-28 12:00 +0000", "", 0},
		{"a year of days", cronIn("0 9 * * *", "UTC"), "2025-01-01 00:00 +0000", "2026-01-01 00:00 +0000", "2025-12-31 09:00 +0000", 365},
		{"more than are counted", cronIn("*/15 * * * *", "UTC"), "2020-01-01 00:00 +0000", "2026-11-29 12:38 +0000", "2026-11-29 12:30 +0000", timetable.MostCounted},
		{"more, and long ago", cronIn("*/5 * * 1 *", "UTC"), "2020-01-01 00:00 +0000", "2026-11-29 12:38 +0000", "2026-01-31 23:55 +0000", timetable.MostCounted},
		{"more, at the end", cronIn("0 * * * *", "America/New_York"), "1990-01-01 00:00 +0000", "2026-11-01 01:00 -0500", "2026-11-01 01:00 -0500", timetable.MostCounted},
		{"every hour for years", hour, "2020-01-01 00:00 +0000", "2026-01-01 00:30 +0000", "2026-01-01 00:00 +0000", 6*8760 + 2*24},
		{"with the anchor", hour, "2019-01-01 00:00 +0000", "2020-01-01 02:30 +0000", "2020-01-01 02:00 +0000", 3},
		{"before the anchor", hour, "2019-01-01 00:00 +0000", "2019-06-01 00:00 +0000", "", 0},
		{"once", once, "2019-01-01 00:00 +0000", "2020-01-01 00:00 +0000", "2020-01-01 00:00 +0000", 1},
		{"once, before", once, "2020-01-01 00:00 +0000", "2021-01-01 00:00 +0000", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			slot, n := timetable.Latest(c.schedule, time.UTC, moment(t, c.after), moment(t, c.until))
			got := ""
			if !slot.IsZero() {
				got = slot.Format(stamp)
			}
			if got != c.slot || n != c.n {
				t.Errorf("got %q of %d, want %q of %d", got, n, c.slot, c.n)
			}
		})
	}
}

// runs compares the slots that follow a moment.
func runs(t *testing.T, s nacre.Schedule, after time.Time, want []string) {
	t.Helper()
	for _, w := range want {
		slot := timetable.Next(s, time.UTC, after)
		if got := slot.Format(stamp); got != w {
			t.Fatalf("after %s comes %s, want %s", after.Format(stamp), got, w)
		}
		after = slot
	}
}

func TestMoved(t *testing.T) {
	vienna, tokyo := zone(t, "Europe/Vienna"), zone(t, "Asia/Tokyo")
	nine := moment(t, "2026-11-30 09:00 +0100")
	for _, c := range []struct {
		name string
		s    nacre.Schedule
		want string // what a clock in Tokyo shows when counting begins
	}{
		{"every second day", nacre.Schedule{Kind: nacre.Every, Every: 48 * time.Hour, At: nine}, "2026-11-30 09:00 +0900"},
		{"every two hours", nacre.Schedule{Kind: nacre.Every, Every: 2 * time.Hour, At: nine}, "2026-11-30 17:00 +0900"},
		{"in a zone of its own", nacre.Schedule{Kind: nacre.Every, Every: 48 * time.Hour, At: nine, Zone: "Europe/Vienna"}, "2026-11-30 17:00 +0900"},
		{"once", nacre.Schedule{Kind: nacre.Once, At: nine}, "2026-11-30 17:00 +0900"},
	} {
		got := timetable.Moved(c.s, vienna, tokyo)
		if at := got.At.In(tokyo).Format(stamp); at != c.want {
			t.Errorf("%s: counted from %s, want %s", c.name, at, c.want)
		}
		if got.At = c.s.At; got != c.s {
			t.Errorf("%s: it became %+v", c.name, got)
		}
	}
}

func TestNamed(t *testing.T) {
	if z, err := timetable.Named("Asia/Tokyo"); err != nil || z.String() != "Asia/Tokyo" {
		t.Errorf("Asia/Tokyo is %v, %v", z, err)
	}
	for _, name := range []string{"Europe/Vancovuer", "Local", "posixrules", "../../etc/passwd", "Europe/Berlin\x00"} {
		if z, err := timetable.Named(name); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%q is %v, %v", name, z, err)
		}
	}
}
