package distill_test

import (
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/agent/distill"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
)

const card = "4111 1111 1111 1111"

// What may not be read is not shown to the model, and if it was said now or named
// the reason is recorded.
func TestWhatIsNotRead(t *testing.T) {
	photo := with(5, nacre.Segment{Provenance: nacre.Forwarded, Text: "zqx-forwarded"})
	for _, tt := range []struct {
		name          string
		current       []memory.Source
		recent, named []memory.Source
		shows         []string
		reasons       []string
	}{
		{"a message (control)", []memory.Source{said(9, "zqx-tea")}, nil, nil, []string{"zqx-tea"}, nil},
		{"a secret", []memory.Source{said(9, "zqx-tea"), said(10, "my card is "+card)}, nil, nil, []string{"zqx-tea"}, []string{"secret id-10"}},
		{"a secret that is named too", []memory.Source{said(10, "my card is "+card)}, nil, []memory.Source{said(10, "my card is "+card)}, nil, []string{"secret id-10"}},
		{"only a secret", []memory.Source{said(10, "my card is "+card)}, []memory.Source{said(1, "zqx-tea")}, nil, nil, []string{"secret id-10"}},
		{"an older secret", []memory.Source{said(9, "zqx-tea")}, []memory.Source{said(1, "my card is "+card)}, nil, []string{"zqx-tea"}, nil},
		{"a named secret", []memory.Source{said(9, "zqx-tea")}, nil, []memory.Source{said(1, "my card is "+card)}, []string{"zqx-tea"}, []string{"secret id-1"}},
		{"too long", []memory.Source{said(9, "zqx-tea"), said(10, strings.Repeat("ä", 4001))}, nil, nil, []string{"zqx-tea"}, []string{"too_long id-10"}},
		{"just not too long", []memory.Source{said(9, "zqx-tea"), said(10, "zqx-end"+strings.Repeat("ä", 3993))}, nil, nil, []string{"zqx-tea", "zqx-end"}, nil},
		{
			"a card over two messages", []memory.Source{said(10, "1111 1111, zqx-half"), said(11, "zqx-tea")}, []memory.Source{said(1, "zqx-bike"), said(8, "my card is 4111 1111")}, nil,
			[]string{"zqx-bike", "zqx-tea"}, []string{"secret id-10"},
		},
		{
			"a card over the messages of a turn", []memory.Source{said(7, "zqx-tea"), said(8, "4111 1111"), said(9, "1111"), said(10, "1111"), said(11, "zqx-bike")}, nil, nil,
			[]string{"zqx-tea", "zqx-bike"}, []string{"secret id-8", "secret id-9", "secret id-10"},
		},
		{"nobody's words", []memory.Source{photo}, []memory.Source{said(1, "zqx-tea")}, nil, nil, []string{"quote_not_in_owner_text id-5"}},
		{"nobody's words beside others", []memory.Source{photo, said(9, "zqx-tea")}, nil, nil, []string{"zqx-tea"}, nil},
		{"nobody's words named", []memory.Source{said(9, "zqx-tea")}, nil, []memory.Source{photo}, []string{"zqx-tea"}, []string{"quote_not_in_owner_text id-5"}},
		{"nothing", nil, []memory.Source{said(1, "zqx-tea")}, nil, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := llmtest.NewModel(llmtest.Step{Text: `{"notes":[]}`})
			in := input(tt.current...)
			in.Recent, in.Named = tt.recent, tt.named
			got, _ := learn(t, m, in)
			if r := reasons(got); !slices.Equal(r, tt.reasons) || len(r) != len(got) {
				t.Errorf("the reasons are %q; want %q", r, tt.reasons)
			}
			checkShown(t, m, tt.shows)
			if got, _ := learn(t, nil, in); !slices.Equal(reasons(got), tt.reasons) {
				t.Errorf("by rules the reasons are %q; want %q", reasons(got), tt.reasons)
			}
		})
	}
}

// checkShown checks that a model was shown these words and no secret, or was not
// asked if there are none.
func checkShown(t *testing.T, m *llmtest.Model, words []string) {
	t.Helper()
	r := m.Requests()
	if len(words) == 0 || len(r) == 0 {
		if len(words) != len(r) {
			t.Errorf("the model was asked %d times, to show it %q", len(r), words)
		}
		return
	}
	text := r[0].Messages[0].Text
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not shown in %s", w, text)
		}
	}
	for _, w := range []string{"4111", "1111", "zqx-half", "zqx-forwarded"} {
		if strings.Contains(text, w) {
			t.Errorf("%q is shown in %s", w, text)
		}
	}
}

// Of what was said before ten messages are shown, of those that were named twenty,
// each once and in the order in which they came.
func TestWindowIsBounded(t *testing.T) {
	var many []memory.Source
	for i := range 40 {
		many = append(many, said(i, "words"))
	}
	count := func(in distill.Input) string {
		m := llmtest.NewModel(llmtest.Step{Text: `{"notes":[]}`})
		learn(t, m, in)
		var roles []string
		for line := range strings.Lines(m.Requests()[0].Messages[0].Text) {
			if _, rest, ok := strings.Cut(line, " ("); ok && strings.HasPrefix(line, "m") {
				roles = append(roles, rest[:1])
			}
		}
		return strings.Join(roles, "")
	}
	in := input(many[39])
	in.Recent = many[:39]
	if got, want := count(in), strings.Repeat("b", 10)+"n"; got != want {
		t.Errorf("recent ones: %s, want %s", got, want)
	}
	in.Recent, in.Named = many[37:40], many[:39]
	if got, want := count(in), strings.Repeat("n", 21); got != want { // 19 to 38 named, 39 now
		t.Errorf("named ones: %s, want %s", got, want)
	}
}
