package heartbeat

import (
	"testing"
	"time"
)

func TestHours(t *testing.T) {
	day, night := Hours{8 * 60, 22 * 60}, Hours{22 * 60, 6*60 + 30}
	for _, c := range []struct {
		hours Hours
		at    string
		want  bool
	}{
		{day, "07:59", false}, {day, "08:00", true}, {day, "21:59", true}, {day, "22:00", false}, {day, "00:00", false},
		{night, "21:59", false}, {night, "22:00", true}, {night, "00:00", true}, {night, "06:29", true}, {night, "06:30", false}, {night, "12:00", false},
		{Hours{}, "00:00", true}, {Hours{}, "13:37", true}, {Hours{600, 600}, "10:00", true}, {Hours{600, 600}, "09:59", true},
		{Hours{0, 24 * 60}, "23:59", true}, {Hours{0, 24 * 60}, "00:00", true},
	} {
		at, err := time.Parse("15:04", c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.hours.Hold(at); got != c.want {
			t.Errorf("%v at %s: %v, want %v", c.hours, c.at, got, c.want)
		}
	}
}
