package memory

import (
	"encoding/json"
	"time"

	"nacre"
)

// Precision is how exactly a Date is known.
type Precision string

// The precisions.
const (
	Year   Precision = "year"
	Month  Precision = "month"
	Day    Precision = "day"
	Minute Precision = "minute"
)

// Date is a time in the world as people tell it: a year, a day, a minute, in a
// zone. The zero Date is unknown or open.
type Date struct {
	Start     time.Time // in its zone, at the beginning of what it names
	Precision Precision
}

// layouts are the forms of a Date in text, by precision.
var layouts = []struct {
	p    Precision
	form string
}{{Minute, "2006-01-02T15:04"}, {Day, "2006-01-02"}, {Month, "2006-01"}, {Year, "2006"}}

// ParseDate reads a Date: "2026", "2026-05", "2026-05-01" or
// "2026-05-01T09:30". An empty text is the zero Date. The error is Invalid.
func ParseDate(text string, zone *time.Location) (Date, error) {
	if text == "" {
		return Date{}, nil
	}
	for _, l := range layouts {
		if t, err := time.ParseInLocation(l.form, text, zone); err == nil {
			return Date{t, l.p}, nil
		}
	}
	return Date{}, nacre.Errorf(nacre.Invalid, "%q is no date such as 2026, 2026-05, 2026-05-01 or 2026-05-01T09:30", text)
}

// String is the form that ParseDate reads.
func (d Date) String() string {
	for _, l := range layouts {
		if l.p == d.Precision {
			return d.Start.Format(l.form)
		}
	}
	return ""
}

// IsZero reports whether the date is unknown or open.
func (d Date) IsZero() bool { return d.Precision == "" }

// same reports whether two dates name the same, each in its zone.
func (d Date) same(o Date) bool { return d.Precision == o.Precision && d.Start.Equal(o.Start) }

// End is the first instant after what the date names: of 2026, the beginning of
// 2027.
func (d Date) End() time.Time {
	switch d.Precision {
	case Year:
		return d.Start.AddDate(1, 0, 0)
	case Month:
		return d.Start.AddDate(0, 1, 0)
	case Day:
		return d.Start.AddDate(0, 0, 1)
	case Minute:
		return d.Start.Add(time.Minute)
	}
	return time.Time{}
}

// Span is when something is true. A zero From means since nobody knows when, and
// a zero To that its end is not known, which is not the same as for ever.
type Span struct {
	From Date `json:"from,omitzero"`
	To   Date `json:"to,omitzero"`
}

// Holds reports whether something is true at an instant, as far as is known: an
// unknown beginning counts as before, an unknown end as after.
func (s Span) Holds(at time.Time) bool {
	if !s.From.IsZero() && at.Before(s.From.Start) {
		return false
	}
	return s.To.IsZero() || at.Before(s.To.End())
}

// stored is the form of a Date in a payload: what people wrote, and the zone in
// which it holds.
type stored struct {
	Date string `json:"d"`
	Zone string `json:"z"`
}

// MarshalJSON implements json.Marshaler.
func (d Date) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{d.String(), d.Start.Location().String()})
}

// UnmarshalJSON implements json.Unmarshaler. A zone that this machine does not
// know is read as UTC.
func (d *Date) UnmarshalJSON(raw []byte) error {
	var s stored
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		zone = time.UTC
	}
	*d, err = ParseDate(s.Date, zone)
	return err
}
