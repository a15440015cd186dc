package timetable

import (
	"time"

	"nacre"
)

// How close two slots of a job may be. A reminder wants its reader's attention,
// a task and a heartbeat may call a language model.
const (
	MinReminder  = 5 * time.Minute
	MinTask      = 15 * time.Minute
	MinHeartbeat = 5 * time.Minute
	MaxHeartbeat = 24 * time.Hour // and how far apart, of a heartbeat
)

// farAhead is how many years from now the next slot may be.
const farAhead = 100

// Check reports what is wrong with a schedule for a kind of job: an unknown zone,
// a cron expression that cannot be read or never happens, a time that is past,
// slots that are too close. The error is Invalid, and is a sentence for the
// person who wants the job. Whoever makes or changes a job calls it first.
func Check(s nacre.Schedule, kind nacre.JobKind, home *time.Location, now time.Time) error {
	if err := checkZone(s.Zone); err != nil {
		return err
	}
	if err := checkSlots(s, Zone(s, home), now); err != nil {
		return err
	}
	if err := checkPace(s, kind, now); err != nil {
		return err
	}
	next := Next(s, home, now)
	if next.IsZero() {
		return nacre.Errorf(nacre.Invalid, "“%s” never happens: no such day is in the calendar.", s.Cron)
	}
	if next.After(now.AddDate(farAhead, 0, 0)) {
		return nacre.Errorf(nacre.Invalid, "%s is more than %d years away; choose an earlier time.", clockWords(next, Zone(s, home)), farAhead)
	}
	return nil
}

// checkZone refuses what is no name of the IANA time zone database. Go also
// reads other files that lie beside it, all with a small letter first.
func checkZone(name string) error {
	if name == "" {
		return nil
	}
	_, err := time.LoadLocation(name)
	if err != nil || name == "Local" || name[0] < 'A' || name[0] > 'Z' {
		return nacre.Errorf(nacre.Invalid, "There is no time zone “%s”; name it as in Europe/Vienna or Asia/Tokyo, with capitals.", name)
	}
	return nil
}

// checkSlots refuses a schedule that does not say when.
func checkSlots(s nacre.Schedule, zone *time.Location, now time.Time) error {
	switch s.Kind {
	case nacre.Once:
		if s.At.IsZero() {
			return nacre.Errorf(nacre.Invalid, "Say at what time.")
		}
		if !s.At.After(now) {
			return nacre.Errorf(nacre.Invalid, "That time is past: %s; choose one that is to come.", Moment(s.At, zone, now))
		}
	case nacre.Every:
		if s.At.IsZero() {
			return nacre.Errorf(nacre.Invalid, "Say from what time on.")
		}
		if s.Every < time.Second || s.Every%time.Second != 0 {
			return nacre.Errorf(nacre.Invalid, "Say how long it is from one time to the next, in whole seconds.")
		}
	case nacre.Cron:
		if _, err := parse(s.Cron); err != nil {
			return nacre.Errorf(nacre.Invalid, "The cron expression cannot be read: %w. Write minute, hour, day of month, month and day of week, as in 0 9 * * 1 for every Monday at 09:00.", err)
		}
	default:
		return nacre.Errorf(nacre.Invalid, "A job is due once, every so often, or by a cron expression.")
	}
	return nil
}

// checkPace refuses slots that are too close for a kind of job.
func checkPace(s nacre.Schedule, kind nacre.JobKind, now time.Time) error {
	least, most := pace(s, now)
	switch {
	case kind == nacre.Heartbeat && s.Kind == nacre.Once:
		return nacre.Errorf(nacre.Invalid, "A heartbeat does not come once; say how often.")
	case s.Kind == nacre.Once:
		return nil
	case kind == nacre.Reminder && least < MinReminder:
		return nacre.Errorf(nacre.Invalid, "Its times would be only %s apart, and nobody reads so many; %s is the least for a reminder.", Length(least), Length(MinReminder))
	case kind == nacre.Task && least < MinTask:
		return nacre.Errorf(nacre.Invalid, "Its times would be only %s apart, and each run may cost money for a language model; %s is the least for a task.", Length(least), Length(MinTask))
	case kind == nacre.Heartbeat && (least < MinHeartbeat || most > MaxHeartbeat):
		return nacre.Errorf(nacre.Invalid, "A heartbeat comes no sooner than every %s, because each may cost money for a language model, and at least every %s.", Length(MinHeartbeat), Length(MaxHeartbeat))
	}
	return nil
}

// pace is how close and how far apart the slots of a schedule are, as long as no
// clock is set: of a cron expression, of those within a year from the first on,
// of which it looks at some hundred.
func pace(s nacre.Schedule, now time.Time) (least, most time.Duration) {
	const slots, span = 500, 366 * 24 * time.Hour
	if s.Kind != nacre.Cron {
		return s.Every, s.Every
	}
	e, err := parse(s.Cron)
	if err != nil {
		return 0, 0
	}
	least, most = span, 0
	first := e.next(now.UTC())
	last := first
	for range slots {
		t := e.next(last)
		if t.IsZero() || t.Sub(first) > span {
			return least, max(most, t.Sub(last))
		}
		least, most, last = min(least, t.Sub(last)), max(most, t.Sub(last)), t
	}
	return least, most
}
