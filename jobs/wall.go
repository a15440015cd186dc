package jobs

import "time"

// wall watches how the wall clock goes, beside the monotonic clock of the process.
type wall struct {
	read, mono time.Time // both clocks, when the wall clock was furthest ahead
}

// setBack reports whether the wall clock was set back by more than a minute since
// it was furthest ahead. now is what it shows, mono a reading of the other.
func (w *wall) setBack(now, mono time.Time) bool {
	now = now.Round(0) // without the monotonic reading, so that Sub tells what the wall clock did
	if w.read.IsZero() {
		w.read, w.mono = now, mono
		return false
	}
	ahead := now.Sub(w.read) - mono.Sub(w.mono)
	if ahead > 0 || ahead < -time.Minute {
		w.read, w.mono = now, mono
	}
	return ahead < -time.Minute
}
