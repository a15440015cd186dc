package timetable_test

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

func TestCheck(t *testing.T) {
	vienna := zone(t, "Europe/Vienna")
	now := moment(t, "2026-11-30 11:00 +0100")
	every := func(d time.Duration) nacre.Schedule {
		return nacre.Schedule{Kind: nacre.Every, At: now, Every: d}
	}
	once := func(at time.Time) nacre.Schedule { return nacre.Schedule{Kind: nacre.Once, At: at} }
	for _, c := range []struct {
		name     string
		schedule nacre.Schedule
		kind     nacre.JobKind
		want     string // part of the sentence; empty for none
	}{
		{"once", once(now.Add(time.Second)), nacre.Reminder, ""},
		{"once, now", once(now), nacre.Reminder, "That time is past: Mon 30 Nov 2026, 11:00 (Europe/Vienna), now"},
		{"once, past", once(now.Add(-3 * time.Hour)), nacre.Reminder, "Mon 30 Nov 2026, 08:00 (Europe/Vienna), 3 hours ago"},
		{"once, no time", once(time.Time{}), nacre.Reminder, "Say at what time"},
		{"once, in a century", once(now.AddDate(100, 0, 0)), nacre.Reminder, ""},
		{"once, later", once(now.AddDate(100, 0, 1)), nacre.Reminder, "100 years"},
		{"no kind", nacre.Schedule{}, nacre.Reminder, "once, every so often, or by a cron expression"},

		{"a zone", cronIn("0 9 * * *", "Asia/Tokyo"), nacre.Reminder, ""},
		{"UTC", cronIn("0 9 * * *", "UTC"), nacre.Reminder, ""},
		{"a zone of before", cronIn("0 9 * * *", "EST5EDT"), nacre.Reminder, ""},
		{"an unknown zone", cronIn("0 9 * * *", "Europe/Atlantis"), nacre.Reminder, "There is no time zone “Europe/Atlantis”"},
		{"a small zone", cronIn("0 9 * * *", "europe/vienna"), nacre.Reminder, "with capitals"},
		{"this machine's", cronIn("0 9 * * *", "Local"), nacre.Reminder, "no time zone"},
		{"leap seconds", cronIn("0 9 * * *", "right/Europe/Vienna"), nacre.Reminder, "no time zone"},
		{"a file", cronIn("0 9 * * *", "../../etc/passwd"), nacre.Reminder, "no time zone"},
		{"an unknown zone, once", nacre.Schedule{Kind: nacre.Once, At: now.Add(time.Hour), Zone: "Mars"}, nacre.Reminder, "no time zone"},

		{"every second", every(time.Second), nacre.Task, "Its times would be only 1 second apart, and each run may cost money for a language model; 15 minutes is the least for a task"},
		{"reminders every second", every(time.Second), nacre.Reminder, "only 1 second apart, and nobody reads so many; 5 minutes is the least for a reminder"},
		{"the least for a reminder", every(timetable.MinReminder), nacre.Reminder, ""},
		{"the least for a task", every(timetable.MinTask), nacre.Task, ""},
		{"less than the least for a task", every(timetable.MinTask - time.Second), nacre.Task, "14 minutes and 59 seconds"},
		{"a part of a second", every(time.Hour + time.Millisecond), nacre.Task, "in whole seconds"},
		{"never again", every(-time.Hour), nacre.Task, "in whole seconds"},
		{"from no time on", nacre.Schedule{Kind: nacre.Every, Every: time.Hour}, nacre.Task, "from what time on"},
		{"from a time in a century", nacre.Schedule{Kind: nacre.Every, Every: time.Hour, At: now.AddDate(101, 0, 0)}, nacre.Task, "100 years"},

		{"each minute", cronIn("* * * * *", ""), nacre.Reminder, "only 1 minute apart"},
		{"two minutes of a day", cronIn("0,1 9 * * *", ""), nacre.Reminder, "only 1 minute apart"},
		{"two minutes of a leap day", cronIn("0,1 9 29 2 *", ""), nacre.Reminder, "only 1 minute apart"},
		{"over an hour's end", cronIn("2,58 9,10 * * *", ""), nacre.Reminder, "only 4 minutes apart"},
		{"over midnight", cronIn("2,58 0,23 * * *", ""), nacre.Reminder, "only 4 minutes apart"},
		{"each 5 minutes", cronIn("*/5 * * * *", ""), nacre.Reminder, ""},
		{"tasks each 5 minutes", cronIn("*/5 * * * *", ""), nacre.Task, "only 5 minutes apart"},
		{"tasks each 15 minutes", cronIn("*/15 * * * *", ""), nacre.Task, ""},
		{"yearly", cronIn("0 9 1 1 *", ""), nacre.Task, ""},
		{"leap days", cronIn("0 9 29 2 *", ""), nacre.Reminder, ""},
		{"30 February", cronIn("0 9 30 2 *", ""), nacre.Reminder, "“0 9 30 2 *” never happens"},
		{"31 of short months", cronIn("0 * 31 4,6,9,11 *", ""), nacre.Reminder, "never happens"},
		{"30 February or Monday", cronIn("0 9 30 2 MON", ""), nacre.Reminder, ""},

		{"a heartbeat", every(30 * time.Minute), nacre.Heartbeat, ""},
		{"a heartbeat by cron", cronIn("0 8-20 * * *", ""), nacre.Heartbeat, ""},
		{"the fastest heartbeat", every(timetable.MinHeartbeat), nacre.Heartbeat, ""},
		{"the slowest heartbeat", every(timetable.MaxHeartbeat), nacre.Heartbeat, ""},
		{"too fast a heartbeat", every(timetable.MinHeartbeat - time.Second), nacre.Heartbeat, "no sooner than every 5 minutes"},
		{"too slow a heartbeat", every(timetable.MaxHeartbeat + time.Second), nacre.Heartbeat, "at least every 24 hours"},
		{"a heartbeat on weekdays", cronIn("0 9 * * 1-5", ""), nacre.Heartbeat, "at least every 24 hours"},
		{"one heartbeat", once(now.Add(time.Hour)), nacre.Heartbeat, "does not come once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := timetable.Check(c.schedule, c.kind, vienna, now)
			if c.want == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				if next := timetable.Next(c.schedule, vienna, now); !next.After(now) {
					t.Fatalf("accepted, and next is %v", next)
				}
				return
			}
			if err == nil || nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want an Invalid one with %q", err, c.want)
			}
		})
	}
}

func TestCheckRefusesExpressions(t *testing.T) {
	now := moment(t, "2026-11-30 11:00 +0100")
	for expression, want := range map[string]string{
		"":                                      "it has 0 fields where there must be 5",
		"0 9 * *":                               "it has 4 fields",
		"0 0 9 * * *":                           "it has 6 fields",
		"@daily":                                "names such as @daily are not taken",
		"@every 1s":                             "names such as @daily are not taken",
		"TZ=Asia/Tokyo 0 9 * * *":               "the time zone does not belong into it",
		"CRON_TZ=Asia/Tokyo 0 9 * * *":          "the time zone does not belong into it",
		"TZ=":                                   "the time zone does not belong into it",
		"60 9 * * *":                            "above maximum (59)",
		"0 24 * * *":                            "above maximum (23)",
		"0 9 0 * *":                             "below minimum (1)",
		"0 9 * 13 *":                            "above maximum (12)",
		"0 9 * * 8":                             "above maximum (6)",
		"0 9 * * 0-8":                           "above maximum (6)",
		"0 9 * * 7-1":                           "beyond end of range",
		"0 9 * * 9-7":                           "above maximum (6)",
		"0 17-9 * * *":                          "beyond end of range",
		"*/0 9 * * *":                           "step of range should be a positive number",
		"0 9 * * 1-7/0":                         "1-7/0",
		"-1 9 * * *":                            "“-1” is no minute",
		"+1 9 * * *":                            "“+1” is no minute",
		", 9 * * *":                             "“,” is no minute",
		"0 9,, * * *":                           "“9,,” is no hour",
		"*-5 9 * * *":                           "“*-5” is no minute",
		"0 9 MON * *":                           "“MON” is no day of month",
		"0 9 * * 1/":                            "“1/” is no day of week",
		"0 9 * * 1/2/3":                         "“1/2/3” is no day of week",
		"99999999999999999999 9 * * *":          "is no minute",
		"0 9 ** * *":                            "“**” is no day of month",
		"0 9 * * monday":                        "“monday” is no day of week",
		strings.Repeat("0,", 200) + "0 9 * * *": "it is longer than 200 characters",
	} {
		s := cronIn(expression, "")
		err := timetable.Check(s, nacre.Reminder, time.UTC, now)
		if err == nil || nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an Invalid one with %q", expression, err, want)
		}
		if next := timetable.Next(s, time.UTC, now); !next.IsZero() {
			t.Errorf("%q comes at %v", expression, next)
		}
	}
}

// FuzzCron lets anybody write an expression: it is refused in a sentence, or has
// slots that follow each other on full minutes, no closer than is allowed while no
// clock is set.
func FuzzCron(f *testing.F) {
	for _, expression := range []string{"0 9 * * *", "*/5 * * * *", "0 9 29 2 *", "0 0 31 2 *", "30 2 * * 7", "0 9 1-7 * 1", "59 23 31 12 SUN-7/2", "TZ=", ", , , , ,", "* * * * 1-7/9999999999", "0-59/4294967296 * * * *"} {
		for i := range fuzzZones {
			f.Add(expression, int64(1772_000_000), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, expression string, unix int64, z uint8) {
		home := zone(t, fuzzZones[int(z)%len(fuzzZones)])
		after := time.Unix(unix%8e9, 0) // some centuries around ours
		s := cronIn(expression, "")
		if err := timetable.Check(s, nacre.Reminder, home, after); err != nil {
			if nacre.KindOf(err) != nacre.Invalid || len(err.Error()) < 20 {
				t.Fatalf("%q is refused with %v", expression, err)
			}
			return
		}
		if words := timetable.Words(s, home); words == "" {
			t.Fatalf("%q has no words", expression)
		}
		first := after
		for i := range 20 {
			next := timetable.Next(s, home, after)
			if !next.After(after) || !next.Truncate(time.Minute).Equal(next) && next.Year() > 1972 {
				t.Fatalf("%q: after %v comes %v", expression, after, next)
			}
			if stable := timetable.Next(s, home, next.Add(-time.Millisecond)); !stable.Equal(next) {
				t.Fatalf("%q: just before %v comes %v", expression, next, stable)
			}
			if slot, n := timetable.Latest(s, home, first, next); !slot.Equal(next) || n != i+1 {
				t.Fatalf("%q: latest until %v is %v of %d", expression, next, slot, n)
			}
			after = next
		}
	})
}

var fuzzZones = []string{"UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "Pacific/Apia", "Africa/Casablanca"}

func BenchmarkCheck(b *testing.B) {
	now := moment(b, "2026-11-30 11:00 +0100")
	for _, expression := range []string{"0 9 * * *", "*/15 * * * *", "0 9 29 2 *", "0 9 30 2 *"} {
		b.Run(expression, func(b *testing.B) {
			s := cronIn(expression, "")
			for b.Loop() {
				timetable.Check(s, nacre.Reminder, time.UTC, now)
			}
		})
	}
}

func BenchmarkNext(b *testing.B) {
	home := zone(b, "Europe/Vienna")
	now := moment(b, "2026-11-30 11:00 +0100")
	for name, s := range map[string]nacre.Schedule{
		"day":             cronIn("0 9 * * *", ""),
		"weekday":         cronIn("30 18 * * 1-5", ""),
		"month":           cronIn("0 9 1 * *", ""),
		"hour":            cronIn("30 * * * *", ""),
		"leap day":        cronIn("0 9 29 2 *", ""),
		"day elsewhere":   cronIn("0 9 * * *", "America/New_York"),
		"every two hours": {Kind: nacre.Every, At: now, Every: 2 * time.Hour},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				timetable.Next(s, home, now)
			}
		})
	}
}

func BenchmarkLatest(b *testing.B) {
	home := zone(b, "Europe/Vienna")
	now := moment(b, "2026-11-30 11:00 +0100")
	for _, c := range []struct {
		name string
		s    nacre.Schedule
		from time.Time
	}{
		{"a day of days", cronIn("0 9 * * *", ""), now.AddDate(0, 0, -1)},
		{"a year of days", cronIn("0 9 * * *", ""), now.AddDate(-1, 0, 0)},
		{"ten years of hours", cronIn("30 * * * *", ""), now.AddDate(-10, 0, 0)},
		{"ten years of every hour", nacre.Schedule{Kind: nacre.Every, At: now.AddDate(-20, 0, 0), Every: time.Hour}, now.AddDate(-10, 0, 0)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				timetable.Latest(c.s, home, c.from, now)
			}
		})
	}
}
