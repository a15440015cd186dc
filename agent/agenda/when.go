package agenda

import (
	"cmp"
	"strings"
	"time"

	"nacre"
	"nacre/agent/phrase"
)

// timing is when a model wants something, by exactly one of its fields; Zone may
// stand with any of them.
type timing struct {
	Words string `json:"words"`
	At    string `json:"at"`
	In    int64  `json:"in_minutes"`
	Every int64  `json:"every_minutes"`
	Cron  string `json:"cron"`
	Zone  string `json:"zone"`
}

// timingSchema describes these fields.
const timingSchema = `"words":{"type":"string","description":"the person's own words about when, unchanged, in their language: 'tomorrow at 9', 'every Monday at 8'. Prefer this to working out a date"},` +
	`"at":{"type":"string","description":"RFC 3339, or 2006-01-02 15:04 on the person's own clock"},` +
	`"in_minutes":{"type":"integer","minimum":1,"maximum":5256000},` +
	`"every_minutes":{"type":"integer","minimum":1,"maximum":5256000},` +
	`"cron":{"type":"string","description":"minute, hour, day of month, month, day of week"},` +
	`"zone":{"type":"string","description":"IANA time zone such as Asia/Tokyo, only if it is not the person's own"}`

// maxMinutes is ten years.
const maxMinutes = 5_256_000

// given counts the fields that say when.
func (t timing) given() int {
	n := 0
	for _, set := range []bool{t.Words != "", t.At != "", t.In != 0, t.Every != 0, t.Cron != ""} {
		if set {
			n++
		}
	}
	return n
}

// read works out what a model means. Text is what it is about, which may also stand
// in Words alone. Now is in the zone where the owner lives.
func (t timing) read(text string, now time.Time) (phrase.Timing, error) {
	if t.given() != 1 {
		return phrase.Timing{}, nacre.Errorf(nacre.Invalid, "say when by exactly one of words, at, in_minutes, every_minutes and cron")
	}
	if t.Zone != "" {
		zone, err := time.LoadLocation(t.Zone)
		if err != nil {
			return phrase.Timing{}, nacre.Errorf(nacre.Invalid, "there is no time zone %q; use an IANA name such as Asia/Tokyo", t.Zone)
		}
		now = now.In(zone)
	}
	found, err := t.timing(text, now)
	found.Schedule.Zone = cmp.Or(found.Schedule.Zone, t.Zone)
	return found, err
}

func (t timing) timing(text string, now time.Time) (phrase.Timing, error) {
	if t.Words != "" {
		return phrased(t.Words, text, now)
	}
	s, err := t.schedule(now)
	return phrase.Timing{Schedule: s, Text: text}, err
}

func (t timing) schedule(now time.Time) (nacre.Schedule, error) {
	switch {
	case t.At != "":
		at, err := instant(t.At, now.Location())
		return nacre.Schedule{Kind: nacre.Once, At: at}, err
	case t.Cron != "":
		return nacre.Schedule{Kind: nacre.Cron, Cron: t.Cron}, nil
	case min(t.In, t.Every) < 0 || max(t.In, t.Every) > maxMinutes:
		return nacre.Schedule{}, nacre.Errorf(nacre.Invalid, "minutes are from 1 to %d", maxMinutes)
	case t.In != 0:
		return nacre.Schedule{Kind: nacre.Once, At: now.Add(time.Duration(t.In) * time.Minute)}, nil
	}
	return nacre.Schedule{Kind: nacre.Every, Every: time.Duration(t.Every) * time.Minute}, nil
}

// localTime is how a model writes a time on the person's clock.
const localTime = "2006-01-02 15:04"

// instant reads a moment. One that a clock passes over, when it is put forward, is
// none.
func instant(text string, zone *time.Location) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation(localTime, text, zone)
	if err != nil {
		return at, nacre.Errorf(nacre.Invalid, "\"at\" is a time such as 2006-01-02T15:04:05+01:00 or 2006-01-02 15:04")
	}
	if at.Format(localTime) != text {
		return at, nacre.Errorf(nacre.Invalid, "that time does not exist in %s: the clocks are put forward over it; choose another", zone)
	}
	return firstShown(at), nil
}

// firstShown is the first of two moments at which a clock that was set back shows
// the same.
func firstShown(at time.Time) time.Time {
	start, _ := at.ZoneBounds()
	if start.IsZero() {
		return at
	}
	_, before := start.Add(-1).Zone()
	_, after := at.Zone()
	back := time.Duration(before-after) * time.Second
	if first := at.Add(-back); back > 0 && first.Before(start) {
		return first
	}
	return at
}

// phrased reads what a person said about when. Where text is given, their words may
// repeat it and say nothing else besides: what is not understood may be about time.
func phrased(words, text string, now time.Time) (phrase.Timing, error) {
	found, ok, err := phrase.Remind(words, now)
	if !ok {
		found, err = phrase.When(words, now)
	}
	switch {
	case err != nil || text == "":
	case strings.Contains(strings.ToLower(text), strings.ToLower(found.Text)):
		found.Text = text
	default:
		err = nacre.Errorf(nacre.Invalid, "part of \"words\" is not understood as a time: %q; give there only when", found.Text)
	}
	return found, err
}
