package moving

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// object is a value of JSON that names others. Nothing of it is trusted: whatever type
// a value has, asking for another one finds nothing.
type object map[string]any

// objectOf decodes one; ok is false for anything else, and for what is malformed.
func objectOf(raw []byte) (o object, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return o, d.Decode(&o) == nil && o != nil
}

// value is what stands under the first of the names that is there and not null.
func (o object) value(names ...string) any {
	for _, n := range names {
		if v := o[n]; v != nil {
			return v
		}
	}
	return nil
}

// text is a text; empty where there is none.
func (o object) text(names ...string) string {
	s, _ := o.value(names...).(string)
	return strings.TrimSpace(s)
}

// words is a text, or a number or a truth as it is written.
func (o object) words(names ...string) string {
	switch v := o.value(names...).(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// under is the object that stands under a name; nil where there is none, which holds
// nothing.
func (o object) under(name string) object {
	m, _ := o[name].(map[string]any)
	return m
}

// truth is a truth, however it is written; otherwise is what it is where nothing says.
func (o object) truth(otherwise bool, names ...string) bool {
	switch v := o.value(names...).(type) {
	case bool:
		return v
	case string:
		if b, err := strconv.ParseBool(v); err == nil {
			return b
		}
	case json.Number:
		return v != "0"
	}
	return otherwise
}

// number is a number, also one that is written as a text. It is finite.
func (o object) number(names ...string) (float64, bool) {
	var text string
	switch v := o.value(names...).(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// instant is a time in milliseconds, in seconds where that is too early to be one, or as
// ISO 8601 writes it, in a zone where it names none.
func (o object) instant(zone *time.Location, names ...string) (time.Time, bool) {
	if n, ok := o.number(names...); ok {
		if math.Abs(n) > 1e14 {
			return time.Time{}, false
		}
		if t := time.UnixMilli(int64(n)); datable(t) {
			return t, true
		}
		t := time.UnixMilli(int64(n * 1000))
		return t, math.Abs(n) < 1e11 && datable(t)
	}
	t, ok := isoTime(o.text(names...), zone)
	return t, ok && datable(t)
}
