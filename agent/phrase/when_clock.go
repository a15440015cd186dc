package phrase

// clock is a time of day.
type clock struct {
	hour     int
	minute   int  // less than 0 for "quarter to"
	fixed    bool // the hour is that of the 24-hour clock: a part of the day was said with it
	hourly   bool // any hour: "at :15"
	midnight bool // said by this name
}

// part is a part of the day, which says which hour is meant by 8 and which one where
// none is said.
type part int

const (
	am part = iota + 1
	pm
	morning
	noon
	afternoon
	evening
	night
	smallHours // after midnight: "de la madrugada"
)

// usual is the hour of a part of the day where none is said; -1 if there is none.
var usual = [...]int{am: 9, pm: -1, morning: 9, noon: 12, afternoon: 15, evening: 19, night: 21, smallHours: -1}

// usualHour is that of a day.
const usualHour = 9

// hourOf returns what an hour means in a part of the day.
func (p part) hourOf(h int) (of24 int, ok bool) {
	switch p {
	case am:
		return h % 12, h <= 12
	case pm:
		return h%12 + 12, 1 <= h && h <= 12
	case morning:
		return h, h < 12
	case noon:
		return p.second(h, 1, 2), h == 11 || h == 12 || p.second(h, 1, 2) > 12 && h <= 14
	case afternoon:
		return p.second(h, 1, 8), h >= 1 && h <= 8 || h >= 12 && h <= 20
	case evening:
		return p.second(h, 4, 11), h >= 4 && h <= 11 || h >= 16
	case night:
		return p.second(h, 6, 11), h >= 6 && h <= 11 || h >= 18
	case smallHours:
		return h % 12, h <= 5 || h == 12
	}
	return h, true
}

// second moves the hours between two to the second half of the day.
func (p part) second(h, from, to int) int {
	if from <= h && h <= to {
		return h + 12
	}
	return h
}

// set makes the hour that of a part of the day.
func (c *clock) set(p part) error {
	h, ok := p.hourOf(c.hour)
	if !ok || c.fixed && h != c.hour {
		return errPart
	}
	c.hour, c.fixed = h, true
	return nil
}

// time returns the time of day that a reading means.
func (r *reading) time() (hour, minute int, err error) {
	c := r.clock
	switch {
	case r.said&saidClock == 0 && r.said&saidPart == 0:
		return usualHour, 0, nil
	case r.said&saidClock == 0:
		if usual[r.part] < 0 {
			return 0, 0, errVague
		}
		return usual[r.part], 0, nil
	case r.said&saidPart != 0:
		if err := c.set(r.part); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case c.midnight && r.said&(saidDay|saidWeekday) != 0:
		return 0, 0, errMidnight
	case c.minute < 0 && c.hour <= 1 && !c.fixed: // "quarter to one"
		return 0, 0, errOne
	}
	at := c.hour*60 + c.minute
	if c.hour > 23 || c.minute > 59 || at < 0 {
		return 0, 0, errHour
	}
	return at / 60, at % 60, nil
}
