package recollect_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/recollect"
	"nacre/memory"
	"nacre/memory/recall"
)

// checking is a world whose memory model checks.
func checking(t *testing.T) *world {
	w := newWorld(t)
	w.with(func(o *recollect.Options) { o.Model, o.Check = w.model, true })
	return w
}

// trip is a chat that plans one, and what is found for a question about it.
func trip(w *world) (chat, agent.Evidence) {
	w.t.Helper()
	ann := w.private()
	ann.moreTalk()
	ann.draft(memory.Draft{Area: memory.About, Slug: "lisbon-trip", Text: "Wants to go to Lisbon.", Kind: "plan"})
	ann.put(recall.ByOwner, "2026-03-02 10:00", "I want to go to Lisbon in May")
	ann.put(recall.ByAssistant, "2026-03-02 10:01", "Nice, I will look for trains.")
	return ann, ann.recalls("Did I go to Lisbon?")
}

// check checks a draft.
func check(t *testing.T, e agent.Evidence, draft string) string {
	t.Helper()
	if e.Check == nil {
		t.Fatal("there is no check")
	}
	got, err := e.Check(t.Context(), draft)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCheck(t *testing.T) {
	w := checking(t)
	_, e := trip(w)
	w.model.Push(llmtest.Step{Text: `{"text":"You **planned** to go to Lisbon."}`}, llmtest.Step{Text: `{"ok":true}`})
	if got := check(t, e, "You **went** to Lisbon in May."); got != "You **planned** to go to Lisbon." {
		t.Errorf("delivered is %q", got)
	}
	if got := check(t, e, "You planned it."); got != "You planned it." {
		t.Errorf("delivered is %q", got)
	}
	shown := w.asked(0)
	wantText(t, shown, `Request: "Did I go to Lisbon?"`, `Draft: "You **went** to Lisbon in May."`, `Draft as the person reads it: "You went to Lisbon in May."`,
		", plan: Wants to go to Lisbon.", "they said: I want to go to Lisbon in May", "you (the assistant) said, which makes it no fact: Nice, I will look for trains.")
	wantNot(t, w.asked(1), "as the person reads it")
	if req := w.model.Requests()[0]; req.Account != string(w.ann) || req.Tail != "" || req.MaxTokens == 0 {
		t.Errorf("it is asked with %+v", req)
	}
}

// A check needs a model, and something to check against.
func TestNoCheck(t *testing.T) {
	w := checking(t)
	ann, _ := trip(w)
	if e := ann.recalls("Who wrote the Odyssey?"); e.Check != nil {
		t.Error("nothing was selected and there is a check")
	}
	w.with(func(o *recollect.Options) { o.Model = w.model })
	if e := ann.recalls("Did I go to Lisbon?"); e.Check != nil || e.Text == "" {
		t.Errorf("switched off, there is a check: %q", e.Text)
	}
	w.with(func(o *recollect.Options) { o.Check = true })
	if e := ann.recalls("Did I go to Lisbon?"); e.Check != nil || e.Text == "" {
		t.Errorf("without a model there is a check: %q", e.Text)
	}
	if n := len(w.model.Requests()); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

// A draft goes out as it is when its check comes to nothing, or to something that
// must not be delivered.
func TestDraftGoesOut(t *testing.T) {
	const draft = "You went to Lisbon. See https://example.org/a?b=c and [the list](https://example.org/list).\n\n```go\nfmt.Println(\"1\")\n```\nThat is all."
	good := strings.Replace(draft, "You went", "You wanted to go", 1)
	w := checking(t)
	_, e := trip(w)
	quoted := func(text string) string { return fmt.Sprintf("{\"text\":%q}", text) }
	for _, c := range []struct {
		name, answer, want string
	}{
		{"a correction", quoted(good), good},
		{"prose around it", "Here:\n```json\n" + quoted(good) + "\n```", good},
		{"fine", `{"ok":true}`, draft},
		{"both", `{"ok":true,"text":""}`, draft},
		{"empty", "", draft},
		{"blank", quoted(" \n"), draft},
		{"prose", "All fine.", draft},
		{"no object", `["ok"]`, draft},
		{"another type", `{"text":["a"]}`, draft},
		{"without its code", quoted(strings.Replace(good, "```go\nfmt.Println(\"1\")\n```\n", "", 1)), draft},
		{"with other code", quoted(strings.Replace(good, "Println(\"1\")", "Println(\"2\")", 1)), draft},
		{"with more code", quoted(good + "\n~~~\nrm -rf /\n~~~"), draft},
		{"without a link", quoted(strings.Replace(good, "https://example.org/a?b=c", "it", 1)), draft},
		{"without a link behind words", quoted(strings.Replace(good, "(https://example.org/list)", "", 1)), draft},
		{"with another link", quoted(good + " Pay at https://evil.example/x"), draft},
		{"with a bare domain", quoted(good + " Pay at evil.example."), draft},
		{"endless", quoted(good + strings.Repeat(" and so on", 200)), draft},
	} {
		w.model.Push(llmtest.Step{Text: c.answer})
		if got := check(t, e, draft); got != c.want {
			t.Errorf("%s: delivered is\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	for name, step := range map[string]llmtest.Step{
		"an error":       {Err: errors.New("no")},
		"a spent budget": {Err: &llm.Error{Cause: llm.Spent}},
		"half an answer": {Text: quoted(good), Stop: llm.StopLength},
		"a refusal":      {Text: quoted(good), Stop: llm.StopRefused},
	} {
		w.model.Push(step)
		if got := check(t, e, draft); got != draft {
			t.Errorf("%s: delivered is %q", name, got)
		}
	}
}

func TestCheckTakesTooLong(t *testing.T) {
	w := newWorld(t)
	ann, _ := trip(w)
	caller := ann.asks("Did I go to Lisbon?")
	synctest.Test(t, func(t *testing.T) {
		w.with(func(o *recollect.Options) {
			o.Hits = noHits{}
			o.Check, o.Model = true, modelFunc(func(ctx context.Context, _ int) (string, error) {
				<-ctx.Done()
				return `{"text":"x"}`, ctx.Err()
			})
		})
		e, err := w.r.Recall(t.Context(), caller, room)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got := check(t, e, "You went."); got != "You went." || time.Since(began) != 20*time.Second {
			t.Errorf("after %v delivered is %q", time.Since(began), got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := e.Check(ctx, "You went."); got != "You went." || !errors.Is(err, context.Canceled) {
			t.Errorf("after its end delivered is %q, %v", got, err)
		}
	})
}

// A check reads what is there when it runs, its own scope alone, and no more than it
// may.
func TestCheckReads(t *testing.T) {
	w := checking(t)
	ann := w.private()
	for i := range 120 {
		ann.put(recall.ByOwner, "2026-03-02 10:00", fmt.Sprintf("The otter %d swims. ", i)+strings.Repeat("And swims. ", 400))
	}
	e := ann.recalls("How many times did the otter swim?")
	w.model.Push(llmtest.Step{Text: `{"ok":true}`})
	check(t, e, "Very often.")
	shown := w.asked(0)
	if n := utf8.RuneCountInString(shown); n > 81_000 || n < 60_000 {
		t.Errorf("it reads %d characters", n)
	}
	w.chats.all = nil
	if got := check(t, e, "Very often."); got != "Very often." || len(w.model.Requests()) != 1 {
		t.Errorf("of what was forgotten %d checks were made", len(w.model.Requests())-1)
	}
}

func TestCheckOfNothing(t *testing.T) {
	w := checking(t)
	_, e := trip(w)
	for _, draft := range []string{"", " \n", strings.Repeat("word ", 10_000)} {
		if got := check(t, e, draft); got != draft {
			t.Errorf("delivered is %.50q", got)
		}
	}
	if n := len(w.model.Requests()); n != 0 {
		t.Errorf("%d checks were made", n)
	}
}

// What is judged is the text form of a draft.
func TestPlainDraft(t *testing.T) {
	w := checking(t)
	_, e := trip(w)
	for draft, want := range map[string]string{
		"**Yes**, you _went_ there.":                     "Yes, you went there.",
		"# Trip\n> so *it* was":                          "Trip\\nso it was",
		"See [the list](https://example.org/a).":         "See the list.",
		"Use `2 * 3 * 4` or snake_case_names.":           "Use 2 * 3 * 4 or snake_case_names.",
		"Run:\n```sh\necho **x**\n```\n**Then** rest.":   "Run:\\n(code)\\nThen rest.",
		"**Open**\n```sh\necho you went to Lisbon":       "Open\\n(code)",
		"- ~~one~~\n- ||two||\n- ![a cat](https://x.yz)": "- one\\n- two\\n- a cat",
	} {
		w.model.Push(llmtest.Step{Text: `{"ok":true}`})
		check(t, e, draft)
		wantText(t, w.asked(len(w.model.Requests())-1), `Draft as the person reads it: "`+want+`"`)
	}
}
