package phrase

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/robfig/cron/v3"

	"nacre"
)

// heard is what is understood of a text on Wednesday, 2 December 2026, at 10:00.
type heard struct{ text, want, about string }

// refused is a text that is asked back.
type refused struct {
	text string
	err  error
}

func vienna(t testing.TB) *time.Location { return load(t, "Europe/Vienna") }

func load(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func wednesday(t testing.TB) time.Time { return time.Date(2026, 12, 2, 10, 0, 0, 0, vienna(t)) }

// told writes a Schedule for tables.
func told(s nacre.Schedule) string {
	at := s.At.Format("2006-01-02 15:04")
	if s.At.Second() != 0 {
		at = s.At.Format("2006-01-02 15:04:05")
	}
	switch s.Kind {
	case nacre.Every:
		at = fmt.Sprintf("every %s from %s", s.Every, at)
	case nacre.Cron:
		at = s.Cron
	}
	return strings.TrimSpace(at + " " + s.Zone)
}

func testWhen(t *testing.T, good []heard, bad []refused) {
	now := wednesday(t)
	for _, h := range good {
		t.Run(h.text, func(t *testing.T) {
			got, err := When(h.text, now)
			if err != nil || told(got.Schedule) != h.want || got.Text != h.about {
				t.Errorf("got %s about %q, %v; want %s about %q", told(got.Schedule), got.Text, err, h.want, h.about)
			}
		})
	}
	for _, r := range bad {
		t.Run(r.text, func(t *testing.T) {
			got, err := When(r.text, now)
			if err == nil || err.Error() != r.err.Error() || nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("got %s about %q, %v; want %q", told(got.Schedule), got.Text, err, r.err)
			}
		})
	}
}

func TestWhenEnglish(t *testing.T) { testWhen(t, heardEnglish, refusedEnglish) }
func TestWhenGerman(t *testing.T)  { testWhen(t, heardGerman, refusedGerman) }
func TestWhenSpanish(t *testing.T) { testWhen(t, heardSpanish, refusedSpanish) }
func TestWhenFrench(t *testing.T)  { testWhen(t, heardFrench, refusedFrench) }
func TestWhenChinese(t *testing.T) { testWhen(t, heardChinese, refusedChinese) }

// What other readers of dates read as another time.
func TestWhenIsNotMisread(t *testing.T) {
	testWhen(t, []heard{
		{"2026-12-24 18:00", "2026-12-24 18:00", ""}, // not today at 12:24
		{"morgen um 9 Uhr", "2026-12-03 09:00", ""},  // not 17:00
		{"mañana a las 8", "2026-12-03 08:00", ""},   // not 17:00
		{"9am", "2026-12-03 09:00", ""},              // not in another year
	}, nil)
}

// The moments that are meant depend on now.
func TestWhenFromNow(t *testing.T) {
	tests := []struct{ name, zone, now, text, want string }{
		{"the last second before", "UTC", "2026-12-02 08:59:59", "at 9", "2026-12-02 09:00"},
		{"the very moment is past", "UTC", "2026-12-02 09:00:00", "at 9", "2026-12-03 09:00"},
		{"seconds are cut", "UTC", "2026-12-02 09:00:01", "in 2 days", "2026-12-04 09:00:01"},
		{"next Monday on a Sunday", "UTC", "2026-12-06 10:00:00", "next Monday at 9", "2026-12-07 09:00"},
		{"next Monday on a Monday", "UTC", "2026-12-07 08:00:00", "next Monday at 9", "2026-12-14 09:00"},
		{"this Monday on a Monday", "UTC", "2026-12-07 08:00:00", "this Monday at 9", "2026-12-07 09:00"},
		{"this Monday on a Sunday", "UTC", "2026-12-06 10:00:00", "this Monday at 9", "2026-12-07 09:00"},
		{"Monday on a Monday", "UTC", "2026-12-07 08:00:00", "Monday at 9", "2026-12-07 09:00"},
		{"next week on a Sunday", "UTC", "2026-12-06 10:00:00", "Monday next week at 9", "2026-12-07 09:00"},
		{"next week's Sunday on a Sunday", "UTC", "2026-12-06 10:00:00", "Sunday next week at 9", "2026-12-13 09:00"},
		{"next week on a Monday", "UTC", "2026-12-07 08:00:00", "下周一9点", "2026-12-14 09:00"},
		{"a month from its last day", "UTC", "2027-01-31 10:00:00", "in a month", "2027-02-28 10:00"},
		{"a year from a leap day", "UTC", "2028-02-29 10:00:00", "in a year", "2029-02-28 10:00"},
		{"the 31st in a short month", "UTC", "2027-02-01 10:00:00", "on the 31st at 9", "2027-03-31 09:00"},
		{"leap day", "UTC", "2096-03-01 10:00:00", "29 February", "2104-02-29 09:00"},
		{"tomorrow at the end of a year", "UTC", "2026-12-31 23:59:59", "tomorrow 0:30", "2027-01-01 00:30"},
		{"two days over the change of clocks", "Europe/Vienna", "2026-10-24 10:00:00", "in 2 days", "2026-10-26 10:00"},
		{"48 hours over the change of clocks", "Europe/Vienna", "2026-10-24 10:00:00", "in 48 hours", "2026-10-26 09:00"},
		{"tomorrow over the change of clocks", "Europe/Vienna", "2026-03-28 10:00:00", "tomorrow at 9", "2026-03-29 09:00"},
		{"a time that is jumped over", "Europe/Vienna", "2026-03-28 10:00:00", "tomorrow 2:30", "2026-03-29 03:00"},
		{"every 2 days from a time that is jumped over", "Europe/Vienna", "2026-03-28 10:00:00", "every 2 days at 2:30", "every 48h0m0s from 2026-03-30 02:30"},
		{"every 2 weeks from a time that is jumped over", "Europe/Vienna", "2026-03-28 10:00:00", "every 2 weeks on Sunday at 2:30", "every 336h0m0s from 2026-04-05 02:30"},
		{"kept over a day without midnight", "America/Santiago", "2026-09-04 00:30:00", "in 2 days", "2026-09-06 01:00"},
		{"the hour that comes twice", "Europe/Vienna", "2026-10-24 10:00:00", "tomorrow 2:30", "2026-10-25 02:30"},
		{"a day without midnight", "America/Santiago", "2026-09-05 10:00:00", "tomorrow 0:00", "2026-09-06 01:00"},
		{"today in another zone", "Europe/Vienna", "2026-12-02 23:30:00", "at 8 in Tokyo", "2026-12-03 08:00 Asia/Tokyo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now, err := time.ParseInLocation(time.DateTime, tt.now, load(t, tt.zone))
			if err != nil {
				t.Fatal(err)
			}
			got, err := When(tt.text, now)
			if err != nil || told(got.Schedule) != tt.want {
				t.Errorf("got %s, %v; want %s", told(got.Schedule), err, tt.want)
			}
		})
	}
}

// "This Monday" is not that of next week.
func TestWhenThisDay(t *testing.T) {
	monday := time.Date(2026, 12, 7, 13, 5, 0, 0, vienna(t))
	for _, text := range []string{"this Monday at 9", "diesen Montag um 9", "este lunes a las 9", "ce lundi à 9h", "这周一9点"} {
		if got, err := When(text, monday); !errors.Is(err, errPast) {
			t.Errorf("%q is %s, %v; want %v", text, told(got.Schedule), err, errPast)
		}
	}
}

func TestWhenLang(t *testing.T) {
	for text, want := range map[string]string{
		"tomorrow at 9 Mama anrufen": "en", "morgen um 9 call mum": "de", "mañana a las 9": "es", "demain à 9h": "fr", "明天9点": "zh",
		"9:00": "", "9:00 the dog is not in the house": "en", "9:00 der Hund ist nicht im Haus": "de",
	} {
		if got, err := When(text, wednesday(t)); err != nil || got.Lang != want {
			t.Errorf("%q is in %q, %v; want %q", text, got.Lang, err, want)
		}
	}
}

func TestWhenLong(t *testing.T) {
	fits := "tomorrow at 9 " + strings.Repeat("é", (maxTimed-14)/2)
	if got, err := When(fits, wednesday(t)); err != nil || len(got.Text) != maxTimed-14 {
		t.Errorf("of the longest text %d bytes are left, %v", len(got.Text), err)
	}
	if _, err := When(fits+"!", wednesday(t)); !errors.Is(err, errLong) {
		t.Errorf("a longer one gives %v", err)
	}
}

// The sentences say what to do, in whole sentences.
func TestRefusals(t *testing.T) {
	for _, rows := range [][]refused{refusedEnglish, refusedGerman, refusedSpanish, refusedFrench, refusedChinese} {
		for _, r := range rows {
			if s := r.err.Error(); !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
				t.Errorf("%q is no sentence", s)
			}
		}
	}
}

func FuzzWhen(f *testing.F) {
	for _, rows := range [][]heard{heardEnglish, heardGerman, heardSpanish, heardFrench, heardChinese} {
		for i, h := range rows {
			if i%4 == 0 {
				f.Add(h.text)
			}
		}
	}
	for _, r := range reminded {
		f.Add(r.text)
	}
	now := wednesday(f)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := When(text, now)
		sound(t, text, got, err, now)
		if again, _ := When(text, now); told(again.Schedule) != told(got.Schedule) || again.Text != got.Text || again.Lang != got.Lang {
			t.Errorf("first %+v, then %+v", got, again)
		}
		behind, err := When("in 10 minutes: "+text, now)
		about := strings.TrimSpace(text)
		if first, _ := utf8.DecodeRuneInString(about); err == nil && behind.Text != "" && behind.Text != about && !unicode.Is(unicode.Mn, first) {
			t.Errorf("of %q behind a time is left %q", text, behind.Text)
		}
		got, ok, err := Remind(text, now)
		sound(t, text, got, err, now)
		if !ok && (err != nil || got != Timing{}) {
			t.Errorf("no request, but %+v, %v", got, err)
		}
		if ok && len(text) < maxTimed && Parse(text).Kind != RemindMe {
			t.Errorf("a request, but it is %s", Parse(text).Kind)
		}
	})
}

var fiveFields = regexp.MustCompile(`^\S+( \S+){4}$`)

// sound checks what holds of everything that is understood: it lies ahead, and the
// text is a part of what was written.
func sound(t *testing.T, text string, got Timing, err error, now time.Time) {
	t.Helper()
	if err != nil {
		if got != (Timing{}) || nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%+v with %v", got, err)
		}
		return
	}
	s := got.Schedule
	switch s.Kind {
	case nacre.Once:
		if !s.At.After(now) || s.Every != 0 || s.Cron != "" {
			t.Errorf("once %+v", s)
		}
	case nacre.Every:
		if !s.At.After(now) || s.Every < time.Second || s.Every%time.Second != 0 || s.Cron != "" {
			t.Errorf("every %+v", s)
		}
	case nacre.Cron:
		if _, err := cron.ParseStandard(s.Cron); err != nil || !fiveFields.MatchString(s.Cron) || !s.At.IsZero() {
			t.Errorf("cron %+v: %v", s, err)
		}
	}
	if !strings.Contains(text, got.Text) || strings.TrimSpace(got.Text) != got.Text || utf8.ValidString(text) && !utf8.ValidString(got.Text) {
		t.Errorf("the text %q is no part", got.Text)
	}
}

func BenchmarkWhen(b *testing.B) {
	now := wednesday(b)
	for _, bb := range []struct{ name, text string }{
		{"short", "tomorrow at 9 call mum"},
		{"chinese", "给妈妈打电话，明天9点"},
		{"none", "call mum about the house"},
		{"long", "tomorrow at 9 " + strings.Repeat("call mum about the house ", 150)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				When(bb.text, now)
			}
		})
	}
}

func BenchmarkTongues(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range []speech{timesEnglish(), timesGerman(), timesSpanish(), timesFrench(), timesChinese()} {
			s.compile()
		}
	}
}
