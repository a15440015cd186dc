package main

import (
	"math"
	"testing"
	"time"

	"nacre/memory/recall"
)

func keysOf(keys ...recall.Key) map[recall.Key]bool {
	set := map[recall.Key]bool{}
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// All values are computed by hand.
func TestMetrics(t *testing.T) {
	tests := []struct {
		name     string
		found    []recall.Key
		evidence map[recall.Key]bool
		want     metrics
	}{
		{"first", []recall.Key{1, 2, 3}, keysOf(1), metrics{1, 1, 1, 1, 1, 1, 1}},
		{"third", []recall.Key{2, 3, 1}, keysOf(1), metrics{1, 1, 1, 1, 1, 1.0 / 3, 0.5}},
		{"one of two, sixth", []recall.Key{9, 8, 7, 6, 5, 1}, keysOf(1, 2), metrics{1, 0, 0.5, 0.5, 0.5, 1.0 / 6, 0.3562 / 1.6309}},
		{"both", []recall.Key{1, 9, 2}, keysOf(1, 2), metrics{1, 1, 1, 1, 1, 1, 1.5 / 1.6309}},
		{"eleventh", []recall.Key{11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 1}, keysOf(1), metrics{1, 0, 0, 1, 1, 1.0 / 11, 0}},
		{"none", []recall.Key{9}, keysOf(1), metrics{Questions: 1}},
		{"nothing found", nil, keysOf(1), metrics{Questions: 1}},
	}
	for _, test := range tests {
		var got metrics
		got.add(test.found, test.evidence)
		if got, want := got.mean(), test.want; !near(got, want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

func near(a, b metrics) bool {
	equal := func(x, y float64) bool { return math.Abs(x-y) < 0.0002 }
	return a.Questions == b.Questions && equal(a.Recall5, b.Recall5) && equal(a.Recall10, b.Recall10) && equal(a.Recall20, b.Recall20) &&
		equal(a.Recall50, b.Recall50) && equal(a.MRR, b.MRR) && equal(a.NDCG10, b.NDCG10)
}

func TestMetricsAreMeans(t *testing.T) {
	var a, b metrics
	a.add([]recall.Key{1}, keysOf(1))
	b.add([]recall.Key{2, 1}, keysOf(1))
	b.add([]recall.Key{2}, keysOf(1))
	a.join(b)
	if got, want := a.mean(), (metrics{3, 0.6667, 0.6667, 0.6667, 0.6667, 0.5, 0.5436}); !near(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestLatency(t *testing.T) {
	var times []time.Duration
	for i := range 101 {
		times = append(times, time.Duration(100-i)*time.Millisecond)
	}
	if got, want := latencyOf(times), (latency{50, 95}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := latencyOf(nil); got != (latency{}) {
		t.Errorf("of nothing: %v", got)
	}
}
