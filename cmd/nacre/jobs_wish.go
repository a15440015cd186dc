package main

import (
	"cmp"
	"strings"
	"time"

	"nacre"
	"nacre/agent/phrase"
	"nacre/jobs/timetable"
	"nacre/web"
)

// draft is a new job that the operator wishes. What their wish says of when may
// stand in its text.
func (j jobsDesk) draft(w web.JobWish) (nacre.JobDraft, error) {
	d := nacre.JobDraft{Kind: cmp.Or(w.Kind, nacre.Reminder), Text: w.Text, MayPlan: w.MayPlan != nil && *w.MayPlan, By: j.hand()}
	var err error
	if d.Grace, err = parseGrace(w.Grace); err != nil {
		return d, err
	}
	if d.MayPlan && d.Kind != nacre.Task {
		return d, nacre.Errorf(nacre.Invalid, "A reminder only says its words; a task is what can make jobs.")
	}
	if !timed(w) {
		now, err := j.now(w.Zone)
		if err != nil {
			return d, err
		}
		found, err := phrase.When(w.Text, now)
		d.Schedule, d.Text = found.Schedule, found.Text
		d.Schedule.Zone = cmp.Or(found.Schedule.Zone, w.Zone)
		return d, err
	}
	d.Schedule, err = j.schedule(w)
	return d, err
}

// change is what the operator wishes of a job that is there. Its own zone stays,
// unless they name another. What stands in front of its text as a time is one, as it
// is of a new job.
func (j jobsDesk) change(job nacre.Job, w web.JobWish) (nacre.JobChange, error) {
	c := nacre.JobChange{Text: w.Text, Kind: w.Kind, MayPlan: w.MayPlan}
	var err error
	if c.Grace, err = parseGrace(w.Grace); err != nil {
		return c, err
	}
	if c.MayPlan != nil && *c.MayPlan && cmp.Or(c.Kind, job.Kind) != nacre.Task {
		return c, nacre.Errorf(nacre.Invalid, "Job %d only says its words; a task is what can make jobs.", job.Number)
	}
	schedule, zone := job.Schedule, cmp.Or(w.Zone, job.Schedule.Zone)
	found, first := j.timeFirst(w.Text, zone)
	switch {
	case timed(w):
		w.Zone = zone
		schedule, err = j.schedule(w)
		c.Schedule = &schedule
	case first:
		schedule, c.Text = found.Schedule, found.Text
		schedule.Zone = cmp.Or(schedule.Zone, zone)
		c.Schedule = &schedule
	case w.Zone != "":
		schedule.Zone = w.Zone
		c.Schedule = &schedule
	case c == (nacre.JobChange{}):
		err = nacre.Errorf(nacre.Invalid, "Say what is to change: the words, when, or how.")
	}
	return c, err
}

// timeFirst reads a text that begins with a time, or is one, by the clock of a zone.
func (j jobsDesk) timeFirst(text, zone string) (phrase.Timing, bool) {
	now, err := j.now(zone)
	if err != nil {
		return phrase.Timing{}, false // the Board says what is wrong with the zone
	}
	found, err := phrase.When(text, now)
	return found, err == nil && strings.HasSuffix(text, found.Text)
}

// timed reports whether a wish says when, apart from its text.
func timed(w web.JobWish) bool { return w.At != "" || w.Every != "" || w.Cron != "" }

// schedule is when the operator wishes a job to be due.
func (j jobsDesk) schedule(w web.JobWish) (nacre.Schedule, error) {
	now, err := j.now(w.Zone)
	if err != nil {
		return nacre.Schedule{}, err
	}
	s := nacre.Schedule{Zone: w.Zone}
	switch {
	case w.At != "" && w.Every == "" && w.Cron == "":
		return parseAt(w, now)
	case w.Every != "" && w.At == "" && w.Cron == "":
		s.Kind = nacre.Every
		if s.Every, err = time.ParseDuration(w.Every); err != nil {
			return s, nacre.Errorf(nacre.Invalid, "“%s” is no length of time; write it as 45m, 2h or 2h30m.", w.Every)
		}
	case w.Cron != "" && w.At == "" && w.Every == "":
		s.Kind, s.Cron = nacre.Cron, w.Cron
	default:
		return s, nacre.Errorf(nacre.Invalid, "Say when only once: at a time, every so often, or by a cron expression.")
	}
	return s, nil
}

// parseAt reads words that only say when, or a time as programs write it.
func parseAt(w web.JobWish, now time.Time) (nacre.Schedule, error) {
	if at, err := time.Parse(time.RFC3339, w.At); err == nil {
		return nacre.Schedule{Kind: nacre.Once, At: at, Zone: w.Zone}, nil
	}
	found, err := phrase.When(w.At, now)
	if err == nil && found.Text != "" {
		err = nacre.Errorf(nacre.Invalid, "I understand only a part of that as a time, and not “%s”.", found.Text)
	}
	found.Schedule.Zone = cmp.Or(found.Schedule.Zone, w.Zone)
	return found.Schedule, err
}

// now is the time where the operator lives, or in a zone that they name.
func (j jobsDesk) now(zone string) (time.Time, error) {
	now := time.Now()
	named := nacre.Schedule{Kind: nacre.Once, At: now.Add(time.Hour), Zone: zone}
	return now.In(timetable.Zone(named, j.zone)), timetable.Check(named, nacre.Reminder, j.zone, now)
}

// parseGrace reads how late a slot may be made up for; 0 for empty, which means
// what is usual, or what is.
func parseGrace(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, nacre.Errorf(nacre.Invalid, "“%s” is no length of time; write it as 45m, 2h or 2h30m.", text)
	}
	return d, nil
}
