package main

import (
	"math"
	"slices"
	"time"

	"nacre/memory/recall"
)

// metrics are means over questions.
type metrics struct {
	Questions int     `json:"questions"`
	Recall5   float64 `json:"recall@5"`
	Recall10  float64 `json:"recall@10"`
	Recall20  float64 `json:"recall@20"`
	Recall50  float64 `json:"recall@50"`
	MRR       float64 `json:"mrr"`
	NDCG10    float64 `json:"ndcg@10"`
}

// add takes in what one question found, best first.
func (m *metrics) add(found []recall.Key, evidence map[recall.Key]bool) {
	m.Questions++
	m.Recall5 += share(found, evidence, 5)
	m.Recall10 += share(found, evidence, 10)
	m.Recall20 += share(found, evidence, 20)
	m.Recall50 += share(found, evidence, 50)
	m.MRR += reciprocal(found, evidence)
	m.NDCG10 += gain(found, evidence, 10)
}

// mean divides the sums by the number of questions, to four places.
func (m metrics) mean() metrics {
	for _, sum := range []*float64{&m.Recall5, &m.Recall10, &m.Recall20, &m.Recall50, &m.MRR, &m.NDCG10} {
		*sum = math.Round(*sum/float64(max(1, m.Questions))*1e4) / 1e4
	}
	return m
}

// share of the evidence that is among the first n found: recall@n.
func share(found []recall.Key, evidence map[recall.Key]bool, n int) float64 {
	hits := 0
	for _, key := range found[:min(n, len(found))] {
		if evidence[key] {
			hits++
		}
	}
	return float64(hits) / float64(len(evidence))
}

// reciprocal rank of the first evidence; 0 if there is none.
func reciprocal(found []recall.Key, evidence map[recall.Key]bool) float64 {
	first := slices.IndexFunc(found, func(key recall.Key) bool { return evidence[key] })
	if first < 0 {
		return 0
	}
	return 1 / float64(first+1)
}

// gain is nDCG@n of evidence that all counts the same: what stands later counts
// by the logarithm of its place less, relative to the best order.
func gain(found []recall.Key, evidence map[recall.Key]bool, n int) float64 {
	var sum, best float64
	for i := range n {
		discount := 1 / math.Log2(float64(i+2))
		if i < len(found) && evidence[found[i]] {
			sum += discount
		}
		if i < len(evidence) {
			best += discount
		}
	}
	return sum / best
}

// latency is how long searches take, in milliseconds.
type latency struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
}

func latencyOf(times []time.Duration) latency {
	slices.Sort(times)
	at := func(quantile float64) float64 {
		if len(times) == 0 {
			return 0
		}
		return float64(times[int(quantile*float64(len(times)-1))].Microseconds()) / 1000
	}
	return latency{at(0.5), at(0.95)}
}

// join adds sums of other questions.
func (m *metrics) join(o metrics) {
	m.Questions += o.Questions
	m.Recall5 += o.Recall5
	m.Recall10 += o.Recall10
	m.Recall20 += o.Recall20
	m.Recall50 += o.Recall50
	m.MRR += o.MRR
	m.NDCG10 += o.NDCG10
}
