package moving

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"nacre"
)

// cronJobs reads the jobs of Nuggets, nanobot, OpenClaw and Hermes, which all keep them
// in a file of that name: a list, or an object with one. All become tasks, since a model
// did there what they say.
func cronJobs(_ *Parcel, e entry, r *reading) error {
	text, err := r.text(e)
	if err != nil {
		return err
	}
	take := func(el element) error {
		o, ok := objectOf(el.raw)
		if !ok {
			return r.left(e.place(el.number), "a job", malformed)
		}
		if own(o) {
			return nil
		}
		j := jobOf(o, r.zone)
		j.Place = e.place(el.number)
		return r.job(j)
	}
	return readEntries(strings.NewReader(text), "jobs", take, func(el element, why string) error {
		return r.left(e.place(el.number), "a job", why)
	})
}

// own reports whether a job is one that the other assistant made for itself, and that
// nobody misses: looking after its memory, and its heartbeat.
func own(o object) bool {
	name := strings.ToLower(o.words("name", "id"))
	return name == "dream" || name == "heartbeat"
}

// Why jobs are left out.
const (
	offJob    = "It was switched off."
	noWords   = "It does not say what to do."
	eventJob  = "It is an event of that assistant and no task; make a reminder if you need one."
	scriptJob = "It runs a program, which Nacre does not."
	noMoment  = "It does not say when, or in a way that cannot be read; make it anew."
	noZone    = "Its time zone does not exist; make it anew."
	bothDays  = "It names days of the month and of the week, and meant those that are both; make it anew."
	onceCron  = "It was to run once, at a time that comes again and again; make it anew."
)

// jobOf reads a job in the owner's zone. What is wrong with it stands in Left.
func jobOf(o object, zone *time.Location) Job {
	payload := o.under("payload")
	j := Job{Kind: nacre.Task, Text: payload.text("message", "text")}
	if j.Text == "" {
		j.Text = o.text("prompt", "message")
	}
	var why string
	if when, ok := o["schedule"].(map[string]any); ok {
		j.Schedule, why = scheduleOf(when, o, zone)
	} else {
		j.Schedule, why = nuggetSchedule(o, zone)
	}
	switch kind := payload.text("kind"); {
	case !o.truth(true, "enabled") || o.text("state") == "paused" || o.text("state") == "completed":
		j.Left = offJob
	case kind == "system_event":
		j.Left = eventJob
	case kind == "command" || o.text("script") != "" && j.Text == "":
		j.Left = scriptJob
	case j.Text == "":
		j.Left = noWords
	default:
		j.Left = why
	}
	return j
}

// scheduleOf reads when a job is due, of nanobot, OpenClaw or Hermes.
func scheduleOf(when, job object, zone *time.Location) (s nacre.Schedule, why string) {
	s.Zone = when.text("tz", "timezone")
	home, ok := zoneOf(s.Zone, zone)
	if !ok {
		return s, noZone
	}
	switch when.text("kind") {
	case "at", "once":
		s.Kind, s.Zone = nacre.Once, ""
		s.At, ok = when.instant(home, "atMs", "at_ms", "at", "run_at", "runAt")
	case "every", "interval":
		s.Kind, s.Zone = nacre.Every, ""
		s.Every, ok = lengthOf(when)
		s.At = anchorOf(when, job, home)
	case "cron":
		s.Kind = nacre.Cron
		s.Cron, ok = expression(when.text("expr", "cron"))
	default:
		ok = false
	}
	if !ok {
		return s, noMoment
	}
	return s, ""
}

// zoneOf is the zone of a name, or the owner's without one. Go also reads other files
// that lie beside the zones, all with a small letter first.
func zoneOf(name string, home *time.Location) (*time.Location, bool) {
	if name == "" {
		return home, true
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil && name != "Local" && name[0] >= 'A' && name[0] <= 'Z'
}

// longestEvery is how far apart two slots of a job may be.
const longestEvery = 10 * 366 * 24 * time.Hour

// lengthOf is how long it is from one slot to the next, in whole seconds.
func lengthOf(when object) (time.Duration, bool) {
	n, ok := when.number("everyMs", "every_ms")
	unit := time.Millisecond
	if !ok {
		n, ok = when.number("minutes")
		unit = time.Minute
	}
	if !ok || n <= 0 || n > float64(longestEvery/unit) {
		return 0, false
	}
	d := time.Duration(n * float64(unit)).Round(time.Second)
	return d, d >= time.Second
}

// anchorOf is a moment from which slots are counted: the next one, if it is known, or
// when the job was made.
func anchorOf(when, job object, zone *time.Location) time.Time {
	for _, try := range []struct {
		in    object
		names []string
	}{
		{when, []string{"anchorMs", "anchor_ms"}},
		{job.under("state"), []string{"nextRunAtMs", "next_run_at_ms"}},
		{job, []string{"next_run_at"}},
		{job, []string{"createdAtMs", "created_at_ms", "created_at", "createdAt"}},
	} {
		if t, ok := try.in.instant(zone, try.names...); ok {
			return t.Truncate(time.Second)
		}
	}
	return time.Date(2000, 1, 1, 0, 0, 0, 0, zone)
}

// cronFields is how many parts a cron expression has.
const cronFields = 5

// expression is a cron expression as it is written down here; whether it can be read is
// for whoever makes the job to say. One with seconds has them cut off, if they are 0.
func expression(text string) (string, bool) {
	parts := strings.Fields(text)
	if len(parts) == cronFields+1 && parts[0] == "0" {
		parts = parts[1:]
	}
	return strings.Join(parts, " "), len(parts) == cronFields
}

// plainNumber is a number in a cron expression.
var plainNumber = regexp.MustCompile(`^\d{1,2}$`)

// nuggetSchedule reads when a job of Nuggets is due. It ran at a time that fits all
// fields of its expression, and once if it is so marked.
func nuggetSchedule(o object, zone *time.Location) (nacre.Schedule, string) {
	expr, ok := expression(o.text("cron"))
	s := nacre.Schedule{Kind: nacre.Cron, Cron: expr}
	if !ok {
		return s, noMoment
	}
	parts := strings.Fields(expr)
	if parts[2] != "*" && parts[4] != "*" {
		return s, bothDays
	}
	if !o.truth(false, "oneShot", "one_shot") {
		return s, ""
	}
	made, ok := o.instant(zone, "createdAt", "created_at")
	if !ok {
		return s, onceCron
	}
	return onceOf(parts, made.In(zone))
}

// onceOf is the first time behind another at which a clock shows what plain fields of
// a cron expression say: a time of day, or one of a day of the year.
func onceOf(parts []string, after time.Time) (nacre.Schedule, string) {
	var n [4]int // minute, hour, day, month
	for i := range n {
		if i >= 2 && parts[2] == "*" && parts[3] == "*" {
			break
		}
		if !plainNumber.MatchString(parts[i]) {
			return nacre.Schedule{Kind: nacre.Once}, onceCron
		}
		n[i], _ = strconv.Atoi(parts[i])
	}
	if parts[4] != "*" {
		return nacre.Schedule{Kind: nacre.Once}, onceCron
	}
	at := func(years, days int) time.Time {
		if n[3] == 0 {
			return time.Date(after.Year(), after.Month(), after.Day()+days, n[1], n[0], 0, 0, after.Location())
		}
		return time.Date(after.Year()+years, time.Month(n[3]), n[2], n[1], n[0], 0, 0, after.Location())
	}
	t := at(0, 0)
	if !t.After(after) {
		t = at(1, 1)
	}
	if n[3] != 0 && (int(t.Month()) != n[3] || t.Day() != n[2]) || n[1] > 23 || n[0] > 59 {
		return nacre.Schedule{Kind: nacre.Once}, noMoment
	}
	return nacre.Schedule{Kind: nacre.Once, At: t}, ""
}
