package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/offline"
	"nacre/configs"
)

// When the usual model fails for good, the next one answers, once, and the
// usual one is asked again when it has rested.
func TestAnotherModelTakesOver(t *testing.T) {
	second := &llmtest.Model{Strict: true}
	liveWith(t, []supplier{{name: "other", model: second, window: unknownWindow}}, func(b *bubble) {
		fail := func(status int, after time.Duration) llmtest.Step {
			return llmtest.Step{Err: &llm.Error{Cause: llm.Overloaded, Provider: "double", Status: status, After: after}}
		}
		for _, step := range []llmtest.Step{fail(529, 0), fail(529, 0), fail(429, time.Hour)} {
			b.model.Push(step)
		}
		b.api.Text(1001, "one")
		b.pass(10 * time.Second)
		b.api.Text(1001, "two") // the usual one rests
		b.pass(time.Second)
		b.expect(1001, "echo: one", "echo: two")
		if usual, other := len(b.model.Requests()), len(second.Requests()); usual != 2 || other != 2 {
			t.Errorf("the usual model was asked %d times, the other %d times; want 2 and 2", usual, other)
		}
		b.pass(time.Minute)
		b.api.Text(1001, "three") // it says: come back in an hour
		b.pass(time.Second)
		b.pass(15 * time.Minute)
		b.api.Text(1001, "four")
		b.pass(time.Second)
		b.expect(1001, "echo: one", "echo: two", "echo: three", "echo: four")
		if usual, other := len(b.model.Requests()), len(second.Requests()); usual != 4 || other != 3 {
			t.Errorf("the usual model was asked %d times, the other %d times; want 4 and 3", usual, other)
		}
		b.say(1001, "/model")
		if got := b.texts(1001); !strings.HasPrefix(got[len(got)-1], "scripted answers here. You can choose:\n\n/model 1 – scripted\n/model 2 – other") {
			t.Errorf("/model shows %q", got[len(got)-1])
		}
	})
}

// A budget stops with a sentence, for the one whose it is, until its day ends;
// what needs no model goes on.
func TestBudgets(t *testing.T) {
	live(t, func(b *bubble) {
		usage := llm.Usage{Input: 1000, Output: 100, CacheRead: 900}
		for range 3 {
			b.model.Push(llmtest.Step{Text: "fine", Usage: usage})
		}
		b.say(1001, "a")
		b.say(1001, "b")
		b.say(1001, "c")
		b.expect(1001, "fine", "fine", "Your budget of 2,000 tokens a day is used up; it is free again at midnight.")
		b.say(1002, "hello")
		b.expect(1002, "fine")
		b.say(1001, "/usage")
		want := "Today: 2 calls, 2000 tokens in, 200 out, 90 % of the input from the cache, $0.001.\nThis month: 2 calls, 2000 tokens in, 200 out, 90 % of the input from the cache, $0.001.\n" +
			"• scripted: 2 calls, 2000 tokens in, 200 out, 90 % of the input from the cache, $0.001\n\n" +
			"Left of your budget today: 0 of 2000 tokens.\n\nEverybody together: 3 calls, 3000 tokens in, 300 out, 90 % of the input from the cache, $0.0015 today, " +
			"3 calls, 3000 tokens in, 300 out, 90 % of the input from the cache, $0.0015 this month."
		if got := b.texts(1001); got[len(got)-1] != want {
			t.Errorf("/usage shows\n%s\nwant\n%s", got[len(got)-1], want)
		}
		b.stop()
		b.start() // what was counted survives
		b.say(1001, "d")
		b.pass(24 * time.Hour)
		b.say(1001, "e")
		got := b.texts(1001)
		if tail := got[len(got)-2:]; !strings.HasPrefix(tail[0], "Your budget") || !strings.HasPrefix(tail[1], "echo: ") {
			t.Errorf("after a restart and on the next day they see %q", tail)
		}
	}, "NACRE_BUDGET_OWNER_DAY=2k tokens")
}

// Only what is configured and there is chosen.
func TestChosenModel(t *testing.T) {
	chat, tools := []string{"completion"}, []string{"completion", "tools"}
	serve := func(models ...llmtest.OllamaModel) string {
		server := httptest.NewServer(&llmtest.Ollama{Models: models})
		t.Cleanup(server.Close)
		return "OLLAMA_HOST=" + server.URL
	}
	cloud, vectors := llmtest.OllamaModel{Name: "cloud", RemoteHost: "https://ollama.example", Capabilities: tools}, llmtest.OllamaModel{Name: "vectors", Capabilities: []string{"embedding"}}
	plain, able := llmtest.OllamaModel{Name: "plain", Capabilities: chat}, llmtest.OllamaModel{Name: "able:8b", Capabilities: tools}
	full := serve(cloud, vectors, plain, able)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	nowhere := "OLLAMA_HOST=127.0.0.1:1"
	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"nothing":         {[]string{nowhere}, "offline"},
		"configured":      {[]string{"NACRE_MODEL=offline", "OPENAI_API_KEY=k", full}, "offline"},
		"OpenAI first":    {[]string{"OPENROUTER_API_KEY=k", "ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k"}, defaultOpenAI},
		"Anthropic":       {[]string{"ANTHROPIC_API_KEY=k", "DEEPSEEK_API_KEY=k"}, defaultAnthropic},
		"DeepSeek":        {[]string{"DEEPSEEK_API_KEY=k", full}, defaultDeepSeek},
		"OpenRouter":      {[]string{"OPENROUTER_API_KEY=k"}, defaultOpenRouter},
		"Ollama":          {[]string{full}, "ollama/able:8b"},
		"without tools":   {[]string{serve(cloud, vectors, plain)}, "ollama/plain"},
		"of the cloud":    {[]string{serve(cloud, vectors)}, "offline"},
		"empty":           {[]string{serve(vectors)}, "offline"},
		"a silent Ollama": {[]string{"OLLAMA_HOST=" + silent.URL}, "offline"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := configs.Load(append(c.env, "HOME="+t.TempDir()), "", checkOwners)
			if err != nil {
				t.Fatal(err)
			}
			if got := chosen(t.Context(), cfg); got != c.want {
				t.Errorf("chosen %s, want %s", got, c.want)
			}
		})
	}
}

// Every model that is chosen by itself is in the catalogue, with a price and a
// window.
func TestDefaultModelsAreKnown(t *testing.T) {
	cfg, err := configs.Load([]string{"HOME=" + t.TempDir()}, "", checkOwners)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{defaultOpenAI, defaultAnthropic, defaultDeepSeek, defaultOpenRouter, "ollama/any"} {
		s := supplier{name: name}
		s.know(cfg)
		if !s.price.Known || s.window < unknownWindow {
			t.Errorf("%s: price %v, window %d", name, s.price, s.window)
		}
	}
}

// The work on memory is for the first of those that answer that can write, and
// the offline model never stands in for it.
func TestMemoryModel(t *testing.T) {
	down := &llmtest.Model{}
	for range 9 {
		down.Push(llmtest.Step{Err: &llm.Error{Cause: llm.Billing, Provider: "x"}})
	}
	hosted := supplier{name: "openai/x", model: down, window: 1000}
	builtin := supplier{name: "offline", model: offline.Model{}, simple: true, window: 1000}
	for name, c := range map[string]struct {
		chat   []supplier
		memory *supplier
		want   string
		simple bool
	}{
		"alone":           {[]supplier{hosted}, nil, "openai/x", false},
		"offline behind":  {[]supplier{hosted, builtin}, nil, "openai/x", false},
		"offline first":   {[]supplier{builtin, hosted}, nil, "openai/x", false},
		"offline alone":   {[]supplier{builtin}, nil, "offline", true},
		"one of its own":  {[]supplier{builtin}, &hosted, "openai/x", false},
		"offline by name": {[]supplier{hosted}, &builtin, "offline", true},
	} {
		t.Run(name, func(t *testing.T) {
			_, memory := choices(c.chat, c.memory, nowhere{}, llm.Limits{}, slog.New(slog.DiscardHandler))
			if memory.Name != c.want || memory.Simple != c.simple {
				t.Errorf("%s works on memory, simple: %v", memory.Name, memory.Simple)
			}
			if r, err := memory.Model.Complete(t.Context(), llm.Request{}, nil); !c.simple && err == nil {
				t.Errorf("another model answered %q", r.Text)
			}
		})
	}
}

// nowhere is a book that keeps nothing.
type nowhere struct{}

func (nowhere) Spend(string, llm.Spend) {}
func (nowhere) Spent(context.Context, string) (day, month llm.Total, err error) {
	return day, month, nil
}

// What the offline model says is no use of a language model.
func TestOfflineIsNotCounted(t *testing.T) {
	kept := &tally{}
	list, _ := choices([]supplier{{name: "offline", model: offline.Model{}, simple: true}, {name: "openai/x", model: &llmtest.Model{}}}, nil, kept, llm.Limits{}, slog.New(slog.DiscardHandler))
	for i, want := range []int{0, 1} {
		if _, err := list[i].Model.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}, nil); err != nil || kept.calls != want {
			t.Errorf("after %s %d calls are counted, want %d; %v", list[i].Name, kept.calls, want, err)
		}
	}
}

// tally is a book that counts calls.
type tally struct {
	nowhere
	calls int
}

func (y *tally) Spend(string, llm.Spend) { y.calls++ }

// Voice notes go to OpenAI by themselves only where the key is for OpenAI.
func TestTranscription(t *testing.T) {
	for name, c := range map[string]struct {
		env       []string
		want, key string
	}{
		"nothing":             {nil, "", ""},
		"a key":               {[]string{"OPENAI_API_KEY=k"}, defaultTranscribe, "k"},
		"a key of another":    {[]string{"OPENAI_API_KEY=k", "OPENAI_BASE_URL=http://127.0.0.1:1/v1"}, "", ""},
		"off":                 {[]string{"OPENAI_API_KEY=k", "NACRE_TRANSCRIBE=off"}, "", ""},
		"chosen":              {[]string{"OPENAI_API_KEY=k", "OPENAI_BASE_URL=http://127.0.0.1:1/v1", "NACRE_TRANSCRIBE=openai/whisper-1"}, "openai/whisper-1", "k"},
		"a server of its own": {[]string{"OPENAI_API_KEY=k", "NACRE_TRANSCRIBE_URL=http://127.0.0.1:1/v1"}, defaultTranscribe, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := configs.Load(append(c.env, "HOME="+t.TempDir()), "", checkOwners)
			if err != nil {
				t.Fatal(err)
			}
			if choice, p := transcription(cfg); choice != c.want || p.Key.Reveal() != c.key {
				t.Errorf("%q with the key %q, want %q with %q", choice, p.Key.Reveal(), c.want, c.key)
			}
		})
	}
}

func TestDollars(t *testing.T) {
	for nanos, want := range map[int64]string{0: "$0.00", 49_999: "$0.00", 50_000: "$0.0001", 980_000: "$0.001", 50_000_000: "$0.05",
		99_999_999: "$0.10", 123_456_789: "$0.12", 12_345_678_901: "$12.35", 1_234_560_000_000: "$1,234.56"} {
		if got := dollars(nanos); got != want {
			t.Errorf("%d is %s, want %s", nanos, got, want)
		}
	}
}
