package timetable_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// days holds what a clock showed in each minute of real time, from two days
// before begin on.
type days struct {
	zone       *time.Location
	start      time.Time
	begin, end time.Time
	walls      []int64 // minutes since 1970 by the clock
}

func walk(zone *time.Location, from, to int) *days {
	d := &days{zone: zone, begin: time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC), end: time.Date(to, 1, 1, 0, 0, 0, 0, time.UTC)}
	d.start = d.begin.AddDate(0, 0, -2)
	for t := d.start; t.Before(d.end); t = t.Add(time.Minute) {
		_, offset := t.In(zone).Zone()
		d.walls = append(d.walls, (t.Unix()+int64(offset))/60)
	}
	return d
}

// jumps are the moments at which the clock is set.
func (d *days) jumps() (list []time.Time) {
	for i, wall := range d.walls {
		if i > 0 && wall != d.walls[i-1]+1 {
			list = append(list, d.start.Add(time.Duration(i)*time.Minute))
		}
	}
	return list
}

// set is what a field allows.
type set [60]bool

// wish is a cron expression as the sets of what it allows.
type wish struct {
	text                            string
	minute, hour, date, month, week set
	either                          bool // a date or a day of the week
}

func (w wish) names(wall int64) bool {
	m, h := int(wall%60), int(wall/60%24)
	if !w.minute[m] || !w.hour[h] {
		return false
	}
	t := time.Unix(wall*60, 0).UTC()
	if !w.month[int(t.Month())] {
		return false
	}
	date, week := w.date[t.Day()], w.week[int(t.Weekday())]
	return date && week || w.either && (date || week)
}

// named reports whether any time of the clock in [from, to) is wished.
func (w wish) named(from, to int64) bool {
	for wall := from; wall < to; wall++ {
		if w.names(wall) {
			return true
		}
	}
	return false
}

// slots decides by definition, minute by minute, when a wish is due.
func (w wish) slots(d *days) []time.Time {
	if !slices.Contains(w.hour[:24], false) {
		return w.hourly(d)
	}
	var slots []time.Time
	farthest := d.walls[0]
	for i, wall := range d.walls {
		if wall > farthest {
			if w.named(farthest+1, wall+1) {
				slots = append(slots, d.start.Add(time.Duration(i)*time.Minute))
			}
			farthest = wall
		}
	}
	return slots
}

func (w wish) hourly(d *days) []time.Time {
	shown := make([]bool, len(d.walls))
	for i, wall := range d.walls {
		shown[i] = w.names(wall)
	}
	var slots []time.Time
	farthest, last := d.walls[0], -1<<30
	for i, wall := range d.walls {
		again := wall <= farthest
		due := shown[i] && (!again || i-last >= w.apart())
		if !due && i > 0 && wall > d.walls[i-1]+1 && w.named(d.walls[i-1]+1, wall) {
			due = i-last >= 60 && !slices.Contains(shown[i:min(i+60, len(shown))], true)
		}
		if due {
			slots, last = append(slots, d.start.Add(time.Duration(i)*time.Minute)), i
		}
		farthest = max(farthest, wall)
	}
	return slots
}

// busy is how often a wish comes in a day.
func (w wish) busy() int {
	count := func(s set) (n int) {
		for _, allowed := range s {
			if allowed {
				n++
			}
		}
		return n
	}
	return count(w.minute) * count(w.hour)
}

// apart is the fewest minutes between two times of a wish for every hour.
func (w wish) apart() int {
	least := 60
	for a := range w.minute {
		for b := range w.minute {
			if a != b && w.minute[a] && w.minute[b] {
				least = min(least, (a-b+60)%60)
			}
		}
	}
	return least
}

// draw makes a random expression, and the sets that it means.
func draw(r *rand.Rand) wish {
	var w wish
	var parts [5]string
	parts[0], w.minute = field(r, 0, 59, 0.02)
	parts[1], w.hour = field(r, 0, 23, 0.4)
	parts[2], w.date = field(r, 1, 31, 0.6)
	parts[3], w.month = field(r, 1, 12, 0.7)
	parts[4], w.week = field(r, 0, 6, 0.6)
	w.either = parts[2] != "*" && parts[4] != "*"
	w.text = strings.Join(parts[:], " ")
	return w
}

// field makes one part of an expression; it is a star so often.
func field(r *rand.Rand, low, high int, free float64) (string, set) {
	var allowed set
	add := func(from, to, step int) {
		for n := from; n <= to; n += step {
			allowed[n] = true
		}
	}
	if r.Float64() < free {
		add(low, high, 1)
		return "*", allowed
	}
	var entries []string
	for range 1 + r.IntN(3) {
		from := low + r.IntN(high-low+1)
		to := from + r.IntN(high-from+1)
		step := 2 + r.IntN(high-low)
		switch r.IntN(8) {
		case 0:
			entries = append(entries, fmt.Sprintf("%d-%d", from, to))
			add(from, to, 1)
		case 1:
			entries = append(entries, fmt.Sprintf("%d-%d/%d", from, to, step))
			add(from, to, step)
		case 2:
			entries = append(entries, fmt.Sprintf("*/%d", step))
			add(low, high, step)
		default:
			entries = append(entries, fmt.Sprint(from))
			add(from, from, 1)
		}
	}
	return strings.Join(entries, ","), allowed
}

// TestEachSlotOnce compares every slot of some years with what follows from the
// definition, in zones whose clocks do odd things.
func TestEachSlotOnce(t *testing.T) {
	for _, c := range []struct {
		zone     string
		from, to int
	}{
		{"America/New_York", 2026, 2027},
		{"Europe/Berlin", 2026, 2027},
		{"Australia/Lord_Howe", 2026, 2027},
		{"Asia/Beirut", 2026, 2027},
		{"Asia/Kathmandu", 2026, 2027},
		{"Pacific/Chatham", 2026, 2027},
		{"Africa/Casablanca", 2026, 2027}, // an hour back for Ramadan
		{"Antarctica/Troll", 2026, 2027},  // two hours
		{"America/Havana", 2026, 2027},
		{"Pacific/Apia", 2010, 2013}, // left out a day
		{"America/Sao_Paulo", 2010, 2013},
		{"America/Asuncion", 2011, 2013},
		{"Asia/Gaza", 2011, 2012},
		{"Africa/Cairo", 2010, 2011},
		{"Asia/Pyongyang", 2015, 2016},  // half an hour back
		{"Asia/Pyongyang", 2018, 2019},  // and forward again
		{"America/Caracas", 2007, 2008}, // half an hour back, for good
		{"UTC", 2026, 2027},
	} {
		t.Run(fmt.Sprint(c.zone, c.from), func(t *testing.T) {
			t.Parallel()
			d := walk(zone(t, c.zone), c.from, c.to)
			r := rand.New(rand.NewPCG(uint64(len(c.zone)), uint64(c.from)))
			for tried := 0; tried < 6; {
				w, most := draw(r), 24
				if tried%3 == 0 { // every hour, every day: these meet all that the clock does
					w, most = often(w), 3*24
				}
				if w.busy() > most { // which would only take longer
					continue
				}
				if want := w.slots(d); len(want) > 5 {
					tried++
					compare(t, d, w, want, r)
				}
			}
		})
	}
}

// often lets a wish come in every hour of every day.
func often(w wish) wish {
	for n := range len(w.hour) {
		w.hour[n], w.date[n], w.month[n], w.week[n] = n < 24, true, true, true
	}
	w.text, w.either = strings.Fields(w.text)[0]+" * * * *", false
	return w
}

// compare iterates Next over what an oracle found, and asks Latest now and then.
func compare(t *testing.T, d *days, w wish, want []time.Time, r *rand.Rand) {
	t.Helper()
	s := cronIn(w.text, "")
	want = slices.DeleteFunc(want, func(slot time.Time) bool { return slot.Before(d.begin) })
	after := d.begin.Add(-1)
	for _, slot := range want {
		got := timetable.Next(s, d.zone, after)
		if !got.Equal(slot) {
			t.Fatalf("%s: after %s comes %s, want %s", w.text, after.In(d.zone).Format(stamp), got.Format(stamp), slot.In(d.zone).Format(stamp))
		}
		after = got
	}
	if got := timetable.Next(s, d.zone, after); !got.IsZero() && got.Before(d.end.Add(-2*time.Hour)) {
		t.Fatalf("%s: after the last, %s, comes %s", w.text, after.Format(stamp), got.Format(stamp))
	}
	for _, near := range d.jumps() {
		for at := near.Add(-3 * time.Hour); at.Before(near.Add(3 * time.Hour)); at = at.Add(11 * time.Minute) {
			i, _ := slices.BinarySearchFunc(want, at.Add(1), time.Time.Compare)
			if got := timetable.Next(s, d.zone, at); i < len(want) && !got.Equal(want[i]) {
				t.Fatalf("%s: after %s comes %s, want %s", w.text, at.In(d.zone).Format(stamp), got.Format(stamp), want[i].In(d.zone).Format(stamp))
			}
		}
	}
	for range 20 {
		i := r.IntN(len(want))
		before := want[i].Add(-time.Millisecond)
		if i > 0 && want[i-1].After(before) {
			continue
		}
		if got := timetable.Next(s, d.zone, before); !got.Equal(want[i]) {
			t.Fatalf("%s: just before %s comes %s", w.text, want[i].Format(stamp), got.Format(stamp))
		}
		j := min(i+r.IntN(2000), len(want)-1)
		latest(t, s, d.zone, want[i:j+1], before)
	}
}

// TestEachDayOnce compares the slots of every so many days with what a clock shows,
// minute by minute.
func TestEachDayOnce(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Beirut", "Africa/Casablanca", "Antarctica/Troll"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := walk(zone(t, name), 2026, 2027)
			r := rand.New(rand.NewPCG(7, uint64(len(name))))
			for i := range 24 {
				at := d.begin.Add(time.Duration(r.IntN(30*24*60)) * time.Minute) // a month that no clock is set in
				if i%2 == 0 {                                                    // these meet what the clock does
					at = d.jumps()[i/2%len(d.jumps())].AddDate(0, 0, -1-r.IntN(9)).Add(time.Duration(r.IntN(300)-150) * time.Minute)
				}
				days := 1 + r.IntN(15)
				s := nacre.Schedule{Kind: nacre.Every, At: at, Every: time.Duration(days) * 24 * time.Hour}
				compareDays(t, s, d, d.evenly(at, int64(days)), r)
			}
		})
	}
}

// evenly decides by definition when the clock has first come to the time that it
// shows at a moment, or past it, so many days later, and as many again.
func (d *days) evenly(at time.Time, step int64) (slots []time.Time) {
	next := d.walls[int(at.Sub(d.start)/time.Minute)]
	for i, wall := range d.walls {
		if wall >= next {
			slots, next = append(slots, d.start.Add(time.Duration(i)*time.Minute)), next+step*24*60
		}
	}
	return slots
}

// compareDays iterates Next over what an oracle found, and asks Latest and Next from
// moments around each change of the clock.
func compareDays(t *testing.T, s nacre.Schedule, d *days, want []time.Time, r *rand.Rand) {
	t.Helper()
	name := s.Every.String() + " from " + s.At.In(d.zone).Format(stamp)
	after := s.At.Add(-48 * time.Hour)
	for _, slot := range want {
		if got := timetable.Next(s, d.zone, after); !got.Equal(slot) {
			t.Fatalf("%s: after %s comes %s, want %s", name, after.In(d.zone).Format(stamp), got.Format(stamp), slot.In(d.zone).Format(stamp))
		}
		after = slot
	}
	for _, near := range d.jumps() {
		for range 30 {
			until := near.Add(time.Duration(r.IntN(4*24*60)-2*24*60) * time.Minute)
			from := until.Add(-time.Duration(r.IntN(40*24*60)) * time.Minute)
			i, _ := slices.BinarySearchFunc(want, from.Add(1), time.Time.Compare)
			j, _ := slices.BinarySearchFunc(want, until.Add(1), time.Time.Compare)
			slot, n := timetable.Latest(s, d.zone, from, until)
			if n != j-i || n > 0 && !slot.Equal(want[j-1]) {
				t.Fatalf("%s: latest from %s to %s is %s of %d, want %d", name, from.Format(stamp), until.Format(stamp), slot.Format(stamp), n, j-i)
			}
			if got := timetable.Next(s, d.zone, until); j < len(want) && !got.Equal(want[j]) {
				t.Fatalf("%s: after %s comes %s, want %s", name, until.In(d.zone).Format(stamp), got.Format(stamp), want[j].In(d.zone).Format(stamp))
			}
		}
	}
}

// latest asks for the newest of some slots that follow each other.
func latest(t *testing.T, s nacre.Schedule, home *time.Location, among []time.Time, after time.Time) {
	t.Helper()
	newest := among[len(among)-1]
	if slot, n := timetable.Latest(s, home, after, newest); !slot.Equal(newest) || n != len(among) {
		t.Fatalf("%s: latest after %s is %s of %d, want %s of %d", s.Cron, after.Format(stamp), slot.Format(stamp), n, newest.Format(stamp), len(among))
	}
}

// TestEveryHourIsAnHour takes the jobs of one minute an hour: where a clock is
// set by whole hours, any two runs are an hour apart; where it is set by half an
// hour, only what it shows for the first time comes sooner.
func TestEveryHourIsAnHour(t *testing.T) {
	for _, c := range []struct {
		zone        string
		least, most time.Duration
	}{
		{"America/New_York", time.Hour, time.Hour},
		{"Europe/Berlin", time.Hour, time.Hour},
		{"Asia/Beirut", time.Hour, time.Hour},
		{"Antarctica/Troll", time.Hour, time.Hour},
		{"Australia/Lord_Howe", 30 * time.Minute, 90 * time.Minute},
	} {
		home := zone(t, c.zone)
		for _, minute := range []int{0, 30} {
			s := cronIn(fmt.Sprintf("%d * * * *", minute), "")
			at := timetable.Next(s, home, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			for at.Year() < 2027 {
				next := timetable.Next(s, home, at)
				if d := next.Sub(at); d < c.least || d > c.most {
					t.Fatalf("%s in %s: from %s to %s it is %v", s.Cron, c.zone, at.Format(stamp), next.Format(stamp), d)
				}
				at = next
			}
		}
	}
}

// TestLatestOfMany compares the search beyond what is counted with a walk.
func TestLatestOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, expression := range []string{"*/5 * * 1 *", "0,7 * * * *"} {
		s, home := cronIn(expression, ""), zone(t, "America/New_York")
		begin := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		var slots []time.Time
		for at := timetable.Next(s, home, begin); at.Year() < 2027; at = timetable.Next(s, home, at) {
			slots = append(slots, at)
		}
		if len(slots) <= timetable.MostCounted {
			t.Fatalf("%s has only %d slots", expression, len(slots))
		}
		for range 10 {
			until := begin.Add(time.Duration(r.Int64N(int64(3 * 365 * 24 * time.Hour))))
			i, _ := slices.BinarySearchFunc(slots, until.Add(1), time.Time.Compare)
			slot, n := timetable.Latest(s, home, begin, until)
			if n != min(i, timetable.MostCounted) || i > 0 && !slot.Equal(slots[i-1]) {
				t.Fatalf("%s until %s: %s of %d, there are %d", expression, until.Format(stamp), slot.Format(stamp), n, i)
			}
		}
	}
}
