package jobs

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/jobs/timetable"
)

// Limits of a job.
const (
	maxText    = 2000 // characters
	usualGrace = 12 * time.Hour
	minGrace   = time.Minute
	maxGrace   = 7 * 24 * time.Hour
)

// check refuses a new job that cannot be, with a sentence that says how to mend
// it.
func check(job *nacre.Job, home *time.Location, now time.Time) error {
	return cmp.Or(checkKind(job.Kind), checkText(job.Text), checkGrace(job.Grace),
		timetable.Check(job.Schedule, job.Kind, home, now))
}

// checkChange holds what a change touches to the same rules; job is what it makes
// of the job. What it leaves alone may be older than the rules.
func checkChange(job *nacre.Job, c nacre.JobChange, home *time.Location, now time.Time) error {
	var text, grace, times error
	if c.Text != "" {
		text = checkText(job.Text)
	}
	if c.Grace != 0 {
		grace = checkGrace(job.Grace)
	}
	if c.Schedule != nil || c.Kind != "" {
		times = timetable.Check(job.Schedule, job.Kind, home, now)
	}
	return cmp.Or(checkKind(job.Kind), text, grace, times)
}

func checkKind(k nacre.JobKind) error {
	switch k {
	case nacre.Reminder, nacre.Task, nacre.Heartbeat:
		return nil
	}
	return nacre.Errorf(nacre.Invalid, "A job is a reminder or a task, not %q.", k)
}

func checkText(text string) error {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return nacre.Errorf(nacre.Invalid, "Say what it is about; a job needs some words.")
	case n > maxText:
		return nacre.Errorf(nacre.Invalid, "That is %d characters long; a job can hold %d, so make it shorter.", n, maxText)
	}
	return nil
}

// legible is a text without control characters, and without those by which text is
// shown in another order than it is written.
func legible(text string) string {
	return strings.Map(func(r rune) rune {
		turns := '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
		if turns || unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

func checkGrace(d time.Duration) error {
	if d < minGrace || d > maxGrace {
		return nacre.Errorf(nacre.Invalid, "What was missed can be made up for within a minute to seven days; choose a time between them.")
	}
	return nil
}

// tidy brings a schedule into the one form in which it is stored and compared:
// whole seconds in UTC, no moment beside a cron expression, one space between its
// fields, and a moment from which to count.
func tidy(s nacre.Schedule, now time.Time) nacre.Schedule {
	s.Cron = strings.Join(strings.Fields(s.Cron), " ")
	s.Zone = strings.TrimSpace(s.Zone)
	switch {
	case s.Kind == nacre.Cron:
		s.At = time.Time{}
	case s.Kind == nacre.Every && s.At.IsZero():
		s.At = now
	}
	if !s.At.IsZero() {
		s.At = s.At.Truncate(time.Second).UTC()
	}
	s.Every = s.Every.Truncate(time.Second)
	return s
}

// same reports whether two tidy schedules name the same slots in the same words.
func same(a, b nacre.Schedule) bool {
	at := a.At.Equal(b.At)
	a.At, b.At = time.Time{}, time.Time{}
	return at && a == b
}
