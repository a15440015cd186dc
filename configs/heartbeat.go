package configs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Heartbeat says how often the assistant looks by itself after what an owner
// wants looked after.
type Heartbeat struct {
	Every    time.Duration // 0 for never
	Hours    Hours
	Calls    int // of the model, at most, for each owner and day
	Messages int // that an owner gets of it, at most, in a day
}

// Hours is a part of the day on a clock, from a minute of the day on and before
// another; one that begins later than it ends goes over midnight, and one that
// begins when it ends is the whole day.
type Hours struct{ From, To int }

func (h Hours) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d", h.From/60, h.From%60, h.To/60, h.To%60)
}

// The bounds of the time between two looks.
const (
	leastBeat = 5 * time.Minute
	mostBeat  = 24 * time.Hour
)

// parseBeat reads how often to look; off is 0.
func parseBeat(text string) (time.Duration, error) {
	if text == off {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d == 0 {
		return 0, nil // as off is dumped
	}
	if err != nil || d < leastBeat || d > mostBeat || d%time.Second != 0 {
		return 0, fmt.Errorf("%.60q is not how often to look; write a time from 5m to 24h, such as 30m, or off", text)
	}
	return d, nil
}

// ParseHours reads hours as String writes them. The error is a phrase that says what
// to write instead.
func ParseHours(text string) (Hours, error) {
	from, to, _ := strings.Cut(text, "-")
	a, err := time.Parse("15:04", strings.TrimSpace(from))
	b, err2 := time.Parse("15:04", strings.TrimSpace(to))
	if err != nil || err2 != nil {
		return Hours{}, fmt.Errorf("%.60q are not hours of a day; write them such as 08:00-22:00", text)
	}
	return Hours{a.Hour()*60 + a.Minute(), b.Hour()*60 + b.Minute()}, nil
}

// mostCount bounds counts for a day.
const mostCount = 1000

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > mostCount {
		return 0, fmt.Errorf("%.60q is not a number for a day; write one from 0 to %d", text, mostCount)
	}
	return n, nil
}
