// Package metrics counts what a Nacre does and tells it to Prometheus. Labels are
// channels, models, outcomes and codes: few, and nobody's words, names or numbers.
package metrics

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"nacre"
)

// Meter counts. Its methods may be called from any goroutine and return at once.
type Meter struct {
	registry *prometheus.Registry

	received   *prometheus.CounterVec   // by channel
	greeted    *prometheus.CounterVec   // by channel
	refused    *prometheus.CounterVec   // by channel and code
	turns      *prometheus.HistogramVec // by outcome
	calls      *prometheus.HistogramVec // by model and outcome
	tokens     *prometheus.CounterVec   // by model and kind
	cost       *prometheus.CounterVec   // by model
	recalls    prometheus.Histogram
	deliveries *prometheus.CounterVec // by channel and outcome
	runs       *prometheus.CounterVec // by what ran and outcome
	refusals   *prometheus.CounterVec // of memory, by reason
}

// New makes a Meter of a program's version. State reads what is only looked up when it is
// asked for; an error leaves that out.
func New(version string, state func(context.Context) (State, error)) *Meter {
	m := &Meter{
		registry:   prometheus.NewRegistry(),
		received:   counter("messages_received_total", "Messages taken in.", "channel"),
		greeted:    counter("strangers_total", "People who were shown a pairing code.", "channel"),
		refused:    counter("gateway_refused_total", "What was refused to senders, by code.", "channel", "code"),
		turns:      histogram("turn_duration_seconds", "From taking messages up to committing their answer.", turnTimes, "outcome"),
		calls:      histogram("model_call_duration_seconds", "One request to a language model, each try by itself; ok, or the cause of the failure.", turnTimes, "model", "outcome"),
		tokens:     counter("model_tokens_total", "Tokens; input includes what came from the cache.", "model", "kind"),
		cost:       counter("model_cost_dollars_total", "What requests cost, of models whose price is known.", "model"),
		deliveries: counter("deliveries_total", "Tries to deliver a part of an answer: sent, waiting (to be tried again) or dead (given up).", "channel", "outcome"),
		runs:       counter("job_runs_total", "Runs of jobs and hourly rounds that ended.", "what", "outcome"),
		refusals:   counter("memory_refusals_total", "Changes of memory that were refused, by reason.", "reason"),
	}
	m.recalls = prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: "recall_duration_seconds",
		Help: "Finding what matters for a request.", Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5, 20}})
	m.registry.MustRegister(m.received, m.greeted, m.refused, m.turns, m.calls, m.tokens, m.cost, m.recalls, m.deliveries, m.runs, m.refusals,
		lookup{version, runtime.Version(), state}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

const namespace = "nacre"

// turnTimes are buckets for what a language model takes part in, in seconds.
var turnTimes = []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// Handler serves what was counted in the formats of Prometheus.
func (m *Meter) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Received counts a message that was stored.
func (m *Meter) Received(channel nacre.ChannelName) {
	m.received.WithLabelValues(string(channel)).Inc()
}

// Greeted counts a stranger who was shown a pairing code.
func (m *Meter) Greeted(channel nacre.ChannelName) {
	m.greeted.WithLabelValues(string(channel)).Inc()
}

// Refused counts what a sender was refused, by a code of ours.
func (m *Meter) Refused(channel nacre.ChannelName, code string) {
	m.refused.WithLabelValues(string(channel), code).Inc()
}

// Turned counts a turn that was committed.
func (m *Meter) Turned(outcome nacre.Outcome, took time.Duration) {
	m.turns.WithLabelValues(string(outcome)).Observe(took.Seconds())
}

// Called counts a request to a model, as it is configured ("provider/model"). The outcome
// is one of a few codes.
func (m *Meter) Called(model, outcome string, took time.Duration) {
	m.calls.WithLabelValues(model, outcome).Observe(took.Seconds())
}

// Spent counts what a request used.
func (m *Meter) Spent(model string, u nacre.Usage) {
	for kind, n := range map[string]int64{"input": u.Input, "output": u.Output, "cache_read": u.CacheRead, "cache_write": u.CacheWrite} {
		m.tokens.WithLabelValues(model, kind).Add(float64(n))
	}
	if u.Unpriced == 0 {
		m.cost.WithLabelValues(model).Add(float64(u.Cost) / 1e9) // billionths of a dollar
	}
}

// Recalled counts a search for what matters to a request.
func (m *Meter) Recalled(took time.Duration) { m.recalls.Observe(took.Seconds()) }

// Delivered counts a part that was settled.
func (m *Meter) Delivered(channel nacre.ChannelName, outcome string) {
	m.deliveries.WithLabelValues(string(channel), outcome).Inc()
}

// Ran counts a run that ended: of a job, or of an hourly round by its name.
func (m *Meter) Ran(what string, outcome nacre.RunState) {
	m.runs.WithLabelValues(what, string(outcome)).Inc()
}

// MemoryRefused counts a change of memory that was refused.
func (m *Meter) MemoryRefused(reason string) { m.refusals.WithLabelValues(reason).Inc() }
