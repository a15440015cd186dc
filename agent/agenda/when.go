package agenda

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"nacre"
	"nacre/agent/phrase"
)

// timing is when a model wants something. Zone names the clock that counts, if
// that is not the person's own.
type timing struct {
	When string `json:"when"`
	Zone string `json:"zone"`
}

// read works out what a model means. Text is what it is about, which may also stand
// in When alone. Now is in the zone where the owner lives.
func (t timing) read(text string, now time.Time) (phrase.Timing, error) {
	if t.When = strings.Join(strings.Fields(t.When), " "); t.When == "" {
		return phrase.Timing{}, nacre.Errorf(nacre.Invalid, "say when in \"when\"")
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

// cronLike is what is meant for a cron expression, a wrong one too: no words about
// time begin like that.
var cronLike = regexp.MustCompile(`^[\d*,/-]+ [\d*,/-]+( [\w*,/-]+){2,5}$`)

func (t timing) timing(text string, now time.Time) (phrase.Timing, error) {
	if cronLike.MatchString(t.When) {
		return phrase.Timing{Schedule: nacre.Schedule{Kind: nacre.Cron, Cron: t.When}, Text: text}, nil
	}
	at, ok, err := instant(t.When, now.Location())
	if ok || err != nil {
		return phrase.Timing{Schedule: nacre.Schedule{Kind: nacre.Once, At: at}, Text: text}, err
	}
	return phrased(t.When, text, now)
}

// localTime is how a model writes a time on the person's clock.
const localTime = "2006-01-02 15:04"

// instant reads a moment; false if the text is none. One that a clock passes over,
// when it is put forward, is an error.
func instant(text string, zone *time.Location) (at time.Time, ok bool, err error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true, nil
	}
	if at, err = time.ParseInLocation(localTime, text, zone); err != nil {
		return at, false, nil
	}
	if at.Format(localTime) != text {
		return at, false, nacre.Errorf(nacre.Invalid, "that time does not exist in %s: the clocks are put forward over it; choose another", zone)
	}
	return firstShown(at), true, nil
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
		err = nacre.Errorf(nacre.Invalid, "part of \"when\" is not understood as a time: %q; give there only when", found.Text)
	}
	return found, err
}
