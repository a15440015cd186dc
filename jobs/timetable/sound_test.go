package timetable_test

import (
	"testing"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

func TestSound(t *testing.T) {
	past := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	cron := func(s string) nacre.Schedule { return nacre.Schedule{Kind: nacre.Cron, Cron: s} }
	every := func(d time.Duration) nacre.Schedule {
		return nacre.Schedule{Kind: nacre.Every, Every: d, At: past}
	}
	for _, c := range []struct {
		name     string
		schedule nacre.Schedule
		kind     nacre.JobKind
		sound    bool
	}{
		{"a time that is past", nacre.Schedule{Kind: nacre.Once, At: past}, nacre.Reminder, true},
		{"every day", cron("0 9 * * *"), nacre.Task, true},
		{"every five minutes", cron("*/5 * * * *"), nacre.Reminder, true},
		{"two minutes, an hour apart but for that", cron("0,58 9 * * *"), nacre.Task, true},
		{"the first of January", cron("0 0 1 1 *"), nacre.Reminder, true},
		{"a leap day", cron("0 9 29 2 *"), nacre.Reminder, true},
		{"an interval", every(time.Hour), nacre.Heartbeat, true},
		{"every five minutes as a task", cron("*/5 * * * *"), nacre.Task, false},
		{"every minute", cron("* * * * *"), nacre.Reminder, false},
		{"the first two minutes", cron("0,1 9 * * *"), nacre.Reminder, false},
		{"four fields", cron("0 9 * *"), nacre.Reminder, false},
		{"no such day", cron("0 9 30 2 *"), nacre.Reminder, false},
		{"no such zone", nacre.Schedule{Kind: nacre.Cron, Cron: "0 9 * * *", Zone: "Mars/Base"}, nacre.Reminder, false},
		{"no such kind", nacre.Schedule{Kind: "weekly"}, nacre.Reminder, false},
		{"nothing", nacre.Schedule{}, nacre.Reminder, false},
		{"once without a time", nacre.Schedule{Kind: nacre.Once}, nacre.Reminder, false},
		{"every nothing", every(0), nacre.Reminder, false},
		{"every nanosecond", every(1), nacre.Reminder, false},
		{"every second", every(time.Second), nacre.Reminder, false},
		{"from no time on", nacre.Schedule{Kind: nacre.Every, Every: time.Hour}, nacre.Reminder, false},
		{"a heartbeat once a week", cron("0 9 * * 1"), nacre.Heartbeat, false},
	} {
		if err := timetable.Sound(c.schedule, c.kind, time.UTC); (err == nil) != c.sound {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
