package agenda

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"nacre"
	"nacre/agent/phrase"
	"nacre/jobs/timetable"
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
		return phrase.Timing{}, nacre.Errorf(nacre.Invalid, "I do not see when. Say when it shall be, such as tomorrow at 9 or every Monday at 8.")
	}
	if t.Zone != "" {
		zone, err := time.LoadLocation(t.Zone)
		if err != nil {
			return phrase.Timing{}, nacre.Errorf(nacre.Invalid, "There is no time zone %q. Use an IANA name, such as Asia/Tokyo.", t.Zone)
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
	wall, err := time.Parse(localTime, text)
	if err != nil {
		return at, false, nil
	}
	at = timetable.Reached(wall, zone)
	if at.Format(localTime) != text {
		return at, false, nacre.Errorf(nacre.Invalid, "That time does not exist in %s: the clocks are put forward over it. Choose another.", zone)
	}
	return at, true, nil
}

// ahead refuses a moment that is past. What was to come when the person wrote it may
// be past when it is read.
func (a *Agenda) ahead(c nacre.Caller, s nacre.Schedule) error {
	if now := time.Now(); s.Kind == nacre.Once && !s.At.After(now) {
		at := timetable.Moment(s.At, timetable.Zone(s, a.opts.Zone(c.Owner)), now)
		return nacre.Errorf(nacre.Invalid, "You wanted that at %s. That is past by now, so I set nothing; please name a time to come.", at)
	}
	return nil
}

// check refuses what the Board would refuse, before the person is asked about it.
func (a *Agenda) check(c nacre.Caller, s nacre.Schedule, kind nacre.JobKind) error {
	if err := a.ahead(c, s); err != nil {
		return err
	}
	return timetable.Check(s, kind, a.opts.Zone(c.Owner), time.Now())
}

// cronFirst is a text that begins with the five fields of a cron expression.
var cronFirst = regexp.MustCompile(`(?is)^((?:[\d*,/-]+\s+){3}(?:[\d*,/-]|\b[a-z]{3}\b)+\s+(?:[\d*,/-]|\b[a-z]{3}\b)+)(?:\s+(.*))?$`)

// typed reads when, and what, in that a person typed behind a command.
func typed(text string, now time.Time) (phrase.Timing, error) {
	if m := cronFirst.FindStringSubmatch(text); m != nil {
		return phrase.Timing{Schedule: nacre.Schedule{Kind: nacre.Cron, Cron: m[1]}, Text: m[2]}, nil
	}
	return phrased(text, "", now)
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
		err = nacre.Errorf(nacre.Invalid, "I understand only part of that as a time, and not %q. Say only when.", found.Text)
	}
	return found, err
}
