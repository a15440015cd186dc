package main

import (
	"fmt"
	"time"
)

// The clock counts as wrong before this year, or when it differs by more than
// this from the clock of somebody else.
const (
	earliestYear = 2025
	mostOff      = time.Minute
)

const setClock = "set it, for instance with timedatectl set-ntp true"

// clockOffset is how far our clock is ahead of somebody else's.
type clockOffset struct {
	whose string
	ahead time.Duration
}

// compareClock notes the time that somebody else told just now; zero is none.
func (x *examination) compareClock(whose string, date time.Time) {
	if date.IsZero() {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.clocks = append(x.clocks, clockOffset{whose, time.Since(date)})
}

func checkZone(now time.Time, zone *time.Location) finding {
	local := now.In(zone)
	f := finding{Name: "zone", Level: fine, Found: zone.String() + ", where it is " + local.Format("15:04 on Monday, 2 January 2006")}
	if zone == time.Local {
		f.Found = "that of this machine, where it is " + local.Format("15:04 MST on Monday, 2 January 2006")
		f.Do = "if that is not yours, set TZ to its name, such as Europe/Berlin"
	}
	return f
}

func checkClock(now time.Time, others []clockOffset) finding {
	f := finding{Name: "clock", Level: fine, Found: "plausible, but nobody else's clock was seen"}
	if now.Year() < earliestYear {
		f.Level = problem
		f.Found = "it says " + now.UTC().Format(time.DateTime) + " UTC, which is long ago"
		f.Do = setClock
		return f
	}
	for _, o := range others {
		f.Found = "agrees with that of " + o.whose
		if o.ahead.Abs() > mostOff {
			f.Level = warning
			f.Found = fmt.Sprintf("%s that of %s", off(o.ahead), o.whose)
			f.Do = setClock
			return f
		}
	}
	return f
}

func off(ahead time.Duration) string {
	if ahead < 0 {
		return ahead.Abs().Round(time.Second).String() + " behind"
	}
	return ahead.Round(time.Second).String() + " ahead of"
}
