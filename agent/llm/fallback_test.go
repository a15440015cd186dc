package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/ollama"
	"nacre/agent/llm/openai"
	"nacre/gateway/gatewaytest"
)

// pair is a Fallback over two doubles, the second of which is healthy.
func pair(steps ...llmtest.Step) (m llm.Model, first, second *llmtest.Model) {
	first, second = llmtest.NewModel(steps...), llmtest.NewModel()
	return llm.Fallback(llm.NewMember("first", first, nil), llm.NewMember("second", second, nil)), first, second
}

func status(c llm.Cause, code int) llmtest.Step {
	return llmtest.Step{Err: &llm.Error{Cause: c, Provider: "double", Status: code}}
}

func cause(err error) llm.Cause {
	var e *llm.Error
	errors.As(err, &e)
	if e == nil {
		return ""
	}
	return e.Cause
}

func TestFallback(t *testing.T) {
	partial := failing(llm.Overloaded)
	partial.Text = "half an "
	tests := []struct {
		name string
		step llmtest.Step
		next bool
	}{
		{"healthy", llmtest.Step{Text: "echo: hello"}, false},
		{"overloaded", overloaded(0), true},
		{"overloaded for long", overloaded(time.Hour), true},
		{"network", failing(llm.Network), true},
		{"bad answer", failing(llm.BadAnswer), true},
		{"billing", failing(llm.Billing), true},
		{"credentials", failing(llm.Refused), true},
		{"flagged", failing(llm.Flagged), true},
		{"no such model", status(llm.BadRequest, 404), true},
		{"a deadline of its own", llmtest.Step{Err: context.DeadlineExceeded}, true},
		{"too long", failing(llm.TooLong), false},
		{"bad request", status(llm.BadRequest, 400), true},
		{"budget", failing(llm.Spent), false},
		{"anything else", llmtest.Step{Err: errors.New("encode")}, false},
		{"after text", partial, false},
		{"after text by its own word", llmtest.Step{Err: &llm.Error{Cause: llm.Network, Streamed: true}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, first, second := pair(tt.step)
				start := time.Now()
				resp, err := m.Complete(t.Context(), ask, func(string) {})
				if tt.next && (err != nil || resp.Text != "echo: hello") {
					t.Errorf("got %q, %v; want the answer of the second", resp.Text, err)
				}
				if !tt.next && err != tt.step.Err {
					t.Errorf("got %v; want %v", err, tt.step.Err)
				}
				if got := len(second.Requests()) == 1; got != tt.next || len(first.Requests()) != 1 || time.Since(start) != 0 {
					t.Errorf("first asked %d times, second %d, in %v", len(first.Requests()), len(second.Requests()), time.Since(start))
				}
			})
		})
	}
}

// What a member said already is not said again, and the next call goes to the
// next one.
func TestFallbackAfterText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		partial := failing(llm.Overloaded)
		partial.Text = "half an "
		m, first, _ := pair(partial)
		var shown strings.Builder
		emit := func(s string) { shown.WriteString(s) }
		if _, err := m.Complete(t.Context(), ask, emit); cause(err) != llm.Overloaded || shown.String() != "half an " {
			t.Errorf("got %v after %q", err, shown.String())
		}
		if resp, err := m.Complete(t.Context(), ask, emit); err != nil || resp.Text != "echo: hello" || len(first.Requests()) != 1 {
			t.Errorf("the next call: %q, %v; want the second's answer", resp.Text, err)
		}
	})
}

// Text that nobody watches may be made again.
func TestFallbackUnseenText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		partial := failing(llm.Overloaded)
		partial.Text = "half an "
		m, _, _ := pair(partial)
		if resp, err := m.Complete(t.Context(), ask, nil); err != nil || resp.Text != "echo: hello" {
			t.Errorf("got %q, %v; want the second's answer", resp.Text, err)
		}
	})
}

// A member rests after failures and is asked again when its rest has ended, not
// a moment later.
func TestFallbackRest(t *testing.T) {
	ok := llmtest.Step{Text: "first"}
	tests := []struct {
		name  string
		steps []llmtest.Step
		rests []time.Duration // one after each failure
	}{
		{"short at first", []llmtest.Step{overloaded(0), ok}, []time.Duration{15 * time.Second}},
		{"doubled", []llmtest.Step{overloaded(0), failing(llm.Network), failing(llm.BadAnswer), overloaded(0), overloaded(0), ok},
			[]time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 2 * time.Minute}},
		{"as it asked", []llmtest.Step{overloaded(40 * time.Second), ok}, []time.Duration{40 * time.Second}},
		{"less than it asked", []llmtest.Step{overloaded(time.Hour), ok}, []time.Duration{10 * time.Minute}},
		{"short after an answer", []llmtest.Step{overloaded(0), overloaded(0), ok, overloaded(0), ok},
			[]time.Duration{15 * time.Second, 30 * time.Second, 0, 15 * time.Second}},
		{"billing", []llmtest.Step{failing(llm.Billing), ok}, []time.Duration{time.Hour}},
		{"credentials", []llmtest.Step{failing(llm.Refused), failing(llm.Refused), ok}, []time.Duration{time.Hour, time.Hour}},
		{"billing, then busy", []llmtest.Step{failing(llm.Billing), overloaded(0), ok}, []time.Duration{time.Hour, 30 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, first, _ := pair(tt.steps...)
				call := func(want int) {
					t.Helper()
					if _, err := m.Complete(t.Context(), ask, nil); err != nil {
						t.Fatal(err)
					}
					if got := len(first.Requests()); got != want {
						t.Fatalf("the first was asked %d times; want %d", got, want)
					}
				}
				call(1)
				for i, rest := range tt.rests {
					if rest > 0 {
						time.Sleep(rest - time.Nanosecond)
						call(i + 1)
						time.Sleep(time.Nanosecond)
					}
					call(i + 2)
				}
			})
		})
	}
}

// What a member cannot take tells nothing of how well it is: it is asked again
// at once.
func TestFallbackNoRest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first bool // only the first asked fails so
		step  llmtest.Step
	}{
		{"a filter", true, status(llm.Flagged, 403)},
		{"a later filter", false, status(llm.Flagged, 403)},
		{"a later bad request", false, status(llm.BadRequest, 400)},
		{"a later window", false, status(llm.TooLong, 400)},
	} {
		synctest.Test(t, func(t *testing.T) {
			down, picky, last := llmtest.NewModel(failing(llm.Billing)), llmtest.NewModel(tt.step, llmtest.Step{Text: "picky"}), llmtest.NewModel()
			members := []*llm.Member{llm.NewMember("down", down, nil), llm.NewMember("picky", picky, nil), llm.NewMember("last", last, nil)}
			if tt.first {
				members = members[1:]
			}
			m := llm.Fallback(members...)
			for _, want := range []string{"echo: hello", "picky"} {
				if resp, err := m.Complete(t.Context(), ask, nil); err != nil || resp.Text != want {
					t.Errorf("%s: got %q, %v; want %q", tt.name, resp.Text, err, want)
				}
			}
		})
	}
}

// A member that failed in one chain rests in the others.
func TestFallbackSharedRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := llmtest.NewModel(overloaded(0), llmtest.Step{Text: "busy"}, llmtest.Step{Text: "busy"})
		member := llm.NewMember("busy", busy, nil)
		one := llm.Fallback(member, llm.NewMember("one", llmtest.NewModel(), nil))
		two := llm.Fallback(member, llm.NewMember("two", llmtest.NewModel(), nil))
		for i, tt := range []struct {
			chain llm.Model
			want  string
		}{{one, "echo: hello"}, {two, "echo: hello"}, {two, "busy"}, {one, "busy"}} {
			if i == 2 {
				time.Sleep(15 * time.Second)
			}
			if resp, err := tt.chain.Complete(t.Context(), ask, nil); err != nil || resp.Text != tt.want {
				t.Errorf("call %d: got %q, %v; want %q", i, resp.Text, err, tt.want)
			}
		}
	})
}

// Calls that ran at once and failed together are one outage: the rest does not
// outlive a brief overload.
func TestFallbackTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := llmtest.NewGate()
		first := llmtest.NewModel()
		for range 20 {
			first.Push(llmtest.Step{Gate: gate, Err: &llm.Error{Cause: llm.Overloaded}})
		}
		m := llm.Fallback(llm.NewMember("", first, nil), llm.NewMember("", llmtest.NewModel(), nil))
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { m.Complete(t.Context(), ask, nil) })
		}
		synctest.Wait()
		time.Sleep(time.Second)
		gate.Open()
		wg.Wait()
		if got := len(first.Requests()); got != 20 {
			t.Fatalf("the first was asked %d times at once; want 20", got)
		}
		time.Sleep(15 * time.Second)
		m.Complete(t.Context(), ask, nil)
		if got := len(first.Requests()); got != 21 {
			t.Errorf("asked %d times 15 s later; want 21", got)
		}
	})
}

// When all rest, the one that wakes first is asked: a person waits.
func TestFallbackAllRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := llmtest.NewModel(failing(llm.Billing)), llmtest.NewModel(overloaded(0))
		m := llm.Fallback(llm.NewMember("", first, nil), llm.NewMember("", second, nil))
		if _, err := m.Complete(t.Context(), ask, nil); cause(err) != llm.Billing {
			t.Fatalf("got %v; want the first's", err)
		}
		resp, err := m.Complete(t.Context(), ask, nil)
		if err != nil || resp.Text != "echo: hello" || len(first.Requests()) != 1 || len(second.Requests()) != 2 {
			t.Errorf("got %q, %v; want an answer of the second", resp.Text, err)
		}
	})
}

func TestFallbackError(t *testing.T) {
	words := func(c llm.Cause, message string) llmtest.Step {
		return llmtest.Step{Err: &llm.Error{Cause: c, Provider: "p", Message: message}}
	}
	tests := []struct {
		name          string
		first, second llmtest.Step
		want          llm.Cause
		text          string
	}{
		{"the first's", words(llm.Overloaded, "busy"), words(llm.Billing, "pay"), llm.Overloaded, "p: overloaded: busy; second: p: billing: pay"},
		{"a later one that says more", words(llm.Network, "cut"), words(llm.Billing, "pay"), llm.Billing, "p: billing: pay; first: p: network: cut"},
		{"a local server that is off", words(llm.Refused, "key"), words(llm.Network, "dial"), llm.Refused, "p: credentials: key; second: p: network: dial"},
		{"none says much", words(llm.Network, "cut"), words(llm.BadAnswer, ""), llm.Network, "p: network: cut; second: p: bad answer"},
		{"a later one's own limit", words(llm.Overloaded, ""), words(llm.BadRequest, "no images"), llm.Overloaded, "p: overloaded; second: p: bad request"},
		{"a later one's window", words(llm.Overloaded, ""), words(llm.TooLong, ""), llm.Overloaded, "p: overloaded; second: p: too long"},
		{"a vague one, and a later one's window", words(llm.Network, "cut"), words(llm.TooLong, ""), llm.Network, "p: network: cut; second: p: too long"},
		{"a later one's filter", words(llm.Network, "cut"), words(llm.Flagged, ""), llm.Flagged, "p: declined; first: p: network: cut"},
		{"a deadline", llmtest.Step{Err: context.DeadlineExceeded}, words(llm.Overloaded, ""), llm.Overloaded, "p: overloaded; first: context deadline exceeded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first, second := llmtest.NewModel(tt.first), llmtest.NewModel(tt.second)
			m := llm.Fallback(llm.NewMember("first", first, nil), llm.NewMember("second", second, nil))
			_, err := m.Complete(t.Context(), ask, nil)
			if cause(err) != tt.want || err.Error() != tt.text {
				t.Errorf("got %v; want %s: %q", err, tt.want, tt.text)
			}
		})
	}
}

func TestFallbackCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, first, second := pair(failing(llm.Overloaded))
	if _, err := m.Complete(ctx, ask, nil); err == nil || len(first.Requests()) != 1 || len(second.Requests()) != 0 {
		t.Errorf("got %v; want no second try for nobody", err)
	}
	if _, err := m.Complete(t.Context(), ask, nil); err != nil || len(first.Requests()) != 2 {
		t.Errorf("got %v; want the first to be asked, which has not failed", err)
	}
}

// A short rest does not end a long one that another call has found out about.
func TestFallbackLongerRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := llmtest.NewGate()
		first := llmtest.NewModel(llmtest.Step{Gate: gate, Err: &llm.Error{Cause: llm.Overloaded}}, failing(llm.Billing))
		m := llm.Fallback(llm.NewMember("", first, nil), llm.NewMember("", llmtest.NewModel(), nil))
		var wg sync.WaitGroup
		wg.Go(func() { m.Complete(t.Context(), ask, nil) })
		synctest.Wait()
		m.Complete(t.Context(), ask, nil) // billing
		gate.Open()
		wg.Wait() // overloaded
		for _, tt := range []struct {
			after time.Duration
			asked int
		}{{time.Minute, 2}, {time.Hour, 3}} {
			time.Sleep(tt.after)
			m.Complete(t.Context(), ask, nil)
			if got := len(first.Requests()); got != tt.asked {
				t.Errorf("asked %d times after %v more; want %d", got, tt.after, tt.asked)
			}
		}
	})
}

// connect returns a client whose every request goes to h, over pipes.
func connect(t *testing.T, h http.Handler) *http.Client {
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// The long story of a primary that is overloaded in every way, over the wire
// and inside a Retry: every person gets an answer within seconds, nothing is
// shown twice, and the primary is back soon after it is healthy.
func TestFallbackOverloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		primary, backup := &llmtest.OpenAI{Strict: true}, &llmtest.Ollama{Strict: true}
		primary.Push(
			llmtest.Reply{Status: 529}, llmtest.Reply{Status: 529}, // first call
			llmtest.Reply{Status: 529}, llmtest.Reply{Status: 529}, // second
			llmtest.Reply{Status: 529}, llmtest.Reply{Status: 503}, // third
			llmtest.Reply{Status: 429, RetryAfter: "3600"}, // fourth: no wait, no second try
			llmtest.Reply{Text: "The weather is fine today", Break: true, Message: "server is overloaded"},
			llmtest.Reply{Text: "healthy"},
		)
		policy := llm.Policy{Tries: 2, Max: 3 * time.Second}
		m := llm.Fallback(
			llm.NewMember("primary", llm.Retry(openai.New(openai.Options{BaseURL: "http://primary", Client: connect(t, primary), Model: "m"}), policy), nil),
			llm.NewMember("backup", llm.Retry(ollama.New(ollama.Options{BaseURL: "http://backup", Client: connect(t, backup), Model: "m"}), policy), nil),
		)
		call := func(wantShown string, wantAsked int) error {
			t.Helper()
			var shown strings.Builder
			start := time.Now()
			_, err := m.Complete(t.Context(), ask, func(s string) { shown.WriteString(s) })
			if shown.String() != wantShown || time.Since(start) > 3*time.Second {
				t.Errorf("shown %q after %v, %v; want %q", shown.String(), time.Since(start), err, wantShown)
			}
			if got := len(primary.Received()); got != wantAsked {
				t.Errorf("the primary was asked %d times; want %d", got, wantAsked)
			}
			return err
		}
		const echo = "echo: hello"
		call(echo, 2)
		call(echo, 2) // resting
		time.Sleep(15 * time.Second)
		call(echo, 4)
		time.Sleep(30 * time.Second)
		call(echo, 6)
		time.Sleep(time.Minute)
		call(echo, 7)
		time.Sleep(10 * time.Minute)
		if err := call("The weather is ", 8); cause(err) != llm.Overloaded {
			t.Errorf("got %v; want the overload", err)
		}
		call(echo, 8)
		time.Sleep(2 * time.Minute)
		call("healthy", 9)
		if got := len(backup.Received()); got != 6 {
			t.Errorf("the backup was asked %d times; want 6", got)
		}
	})
}

// While the usual member rests, a stand-in whose window is too small does not
// decide how long the conversation may be.
func TestFallbackStandInWithASmallWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usual := llmtest.NewModel(overloaded(0))
		small := llmtest.NewModel(llmtest.Step{Text: "one"}, failing(llm.TooLong), failing(llm.TooLong))
		m := llm.Fallback(llm.NewMember("usual", usual, nil), llm.NewMember("small", small, nil))
		for i, want := range []string{"one", "echo: hello"} {
			if resp, err := m.Complete(t.Context(), ask, nil); err != nil || resp.Text != want {
				t.Errorf("call %d: got %q, %v; want %q", i, resp.Text, err, want)
			}
		}
	})
}
