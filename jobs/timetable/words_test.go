package timetable_test

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

func TestWords(t *testing.T) {
	vienna := zone(t, "Europe/Vienna")
	at := moment(t, "2026-12-01 09:00 +0100")
	every := func(d time.Duration) nacre.Schedule { return nacre.Schedule{Kind: nacre.Every, At: at, Every: d} }
	for _, c := range []struct {
		schedule nacre.Schedule
		want     string
	}{
		{nacre.Schedule{Kind: nacre.Once, At: at}, "once on Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{nacre.Schedule{Kind: nacre.Once, At: at, Zone: "Asia/Tokyo"}, "once on Tue 1 Dec 2026 at 17:00 (Asia/Tokyo)"},
		{nacre.Schedule{Kind: nacre.Once, At: moment(t, "2026-10-25 02:30 +0100")}, "once on Sun 25 Oct 2026 at 02:30 (Europe/Vienna, UTC+01:00)"},
		{every(time.Hour), "every hour, counted from Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{every(2 * time.Hour), "every 2 hours, counted from Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{every(90 * time.Minute), "every 1 hour and 30 minutes, counted from Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{every(24 * time.Hour), "every day at 09:00 (Europe/Vienna)"},
		{every(48 * time.Hour), "every 2 days at 09:00 (Europe/Vienna)"},
		{nacre.Schedule{Kind: nacre.Every, At: at, Every: 72 * time.Hour, Zone: "Asia/Tokyo"}, "every 3 days at 17:00 (Asia/Tokyo)"},
		{every(7 * 24 * time.Hour), "every week on Tuesday at 09:00 (Europe/Vienna)"},
		{every(14 * 24 * time.Hour), "every 2 weeks on Tuesday at 09:00 (Europe/Vienna)"},
		{every(25 * time.Hour), "every 25 hours, counted from Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{every(50*time.Hour + time.Second), "every 2 days, 2 hours and 1 second, counted from Tue 1 Dec 2026 at 09:00 (Europe/Vienna)"},
		{cronIn("0 9 * * *", ""), "every day at 09:00 (Europe/Vienna)"},
		{cronIn("0 9 1-31 * 1", ""), "every day at 09:00 (Europe/Vienna)"},
		{cronIn("5 9,18 * * *", "Asia/Tokyo"), "every day at 09:05 and 18:05 (Asia/Tokyo)"},
		{cronIn("30 18 * * 1-5", ""), "every weekday at 18:30 (Europe/Vienna)"},
		{cronIn("0 8 * * 1", ""), "every Monday at 08:00 (Europe/Vienna)"},
		{cronIn("0 8 * * FRI,MON", ""), "every Monday and Friday at 08:00 (Europe/Vienna)"},
		{cronIn("0 8 * * 6,7", ""), "every Saturday and Sunday at 08:00 (Europe/Vienna)"},
		{cronIn("0 9 1 * *", ""), "on the 1st of every month at 09:00 (Europe/Vienna)"},
		{cronIn("0 9 2,13,23 * *", ""), "on the 2nd, 13th and 23rd of every month at 09:00 (Europe/Vienna)"},
		{cronIn("0 9 31 * *", ""), "on the 31st of every month that has one at 09:00 (Europe/Vienna)"},
		{cronIn("0 9 29 2 *", ""), "every year on 29 February at 09:00 (Europe/Vienna)"},
		{cronIn("30 * * * *", ""), "every hour at :30 (Europe/Vienna)"},
		{cronIn("0 * * * *", ""), "every hour at :00 (Europe/Vienna)"},
		{cronIn("*/15 * * * *", ""), "every 15 minutes (Europe/Vienna)"},
		{cronIn("5,35 * * * *", ""), "every hour at :05 and :35 (Europe/Vienna)"},
		{cronIn("0  9 1-7 * 1", ""), "by the cron expression 0 9 1-7 * 1 (Europe/Vienna)"},
		{cronIn("0 9-17 * * *", ""), "by the cron expression 0 9-17 * * * (Europe/Vienna)"},
		{cronIn("0 * * * 1", ""), "by the cron expression 0 * * * 1 (Europe/Vienna)"},
		{cronIn("1,2,3,4,5 * * * *", ""), "by the cron expression 1,2,3,4,5 * * * * (Europe/Vienna)"},
		{cronIn("0 9 * 3 *", ""), "by the cron expression 0 9 * 3 * (Europe/Vienna)"},
		{nacre.Schedule{}, "never"},
	} {
		if got := timetable.Words(c.schedule, vienna); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestMoment(t *testing.T) {
	vienna := zone(t, "Europe/Vienna")
	at := moment(t, "2026-12-01 09:00 +0100")
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{-22 * time.Hour, "in 22 hours"},
		{0, "now"},
		{29 * time.Second, "now"},
		{-29 * time.Second, "now"},
		{-30 * time.Second, "in 1 minute"},
		{-59 * time.Minute, "in 59 minutes"},
		{-90 * time.Minute, "in 90 minutes"},
		{-119*time.Minute - 45*time.Second, "in 2 hours"},
		{-47 * time.Hour, "in 47 hours"},
		{-48 * time.Hour, "in 2 days"},
		{3 * time.Hour, "3 hours ago"},
		{20 * 24 * time.Hour, "20 days ago"},
		{28 * 24 * time.Hour, "4 weeks ago"},
		{100 * 24 * time.Hour, "3 months ago"},
		{3 * 365 * 24 * time.Hour, "3 years ago"},
	} {
		want := "Tue 1 Dec 2026, 09:00 (Europe/Vienna), " + c.want
		if got := timetable.Moment(at, vienna, at.Add(c.ago)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestMomentOfTwo tells apart what a clock shows twice, and nothing else.
func TestMomentOfTwo(t *testing.T) {
	for _, c := range []struct{ zone, at, want string }{
		{"Europe/Vienna", "2026-10-25 01:59 +0200", "(Europe/Vienna)"},
		{"Europe/Vienna", "2026-10-25 02:00 +0200", "(Europe/Vienna, UTC+02:00)"},
		{"Europe/Vienna", "2026-10-25 02:59 +0200", "(Europe/Vienna, UTC+02:00)"},
		{"Europe/Vienna", "2026-10-25 02:00 +0100", "(Europe/Vienna, UTC+01:00)"},
		{"Europe/Vienna", "2026-10-25 02:59 +0100", "(Europe/Vienna, UTC+01:00)"},
		{"Europe/Vienna", "2026-10-25 03:00 +0100", "(Europe/Vienna)"},
		{"Europe/Vienna", "2026-03-29 03:00 +0200", "(Europe/Vienna)"},
		{"Australia/Lord_Howe", "2026-04-05 01:30 +1030", "(Australia/Lord_Howe, UTC+10:30)"},
		{"Australia/Lord_Howe", "2026-04-05 01:29 +1100", "(Australia/Lord_Howe)"},
		{"UTC", "2026-04-05 01:29 +0000", "(UTC)"},
	} {
		at := moment(t, c.at)
		if got := timetable.Moment(at, zone(t, c.zone), at); !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestWordsOfThisMachine leaves out the name Local, which says nothing.
func TestWordsOfThisMachine(t *testing.T) {
	at := moment(t, "2026-12-01 09:00 +0100")
	for _, got := range []string{
		timetable.Moment(at, time.Local, at),
		timetable.Words(nacre.Schedule{Kind: nacre.Once, At: at}, time.Local),
		timetable.Words(cronIn("0 9 * * *", ""), time.Local),
	} {
		if strings.Contains(got, "Local") || !strings.Contains(got, "(") {
			t.Errorf("got %s", got)
		}
	}
}
