package configs

import "testing"

func TestLimit(t *testing.T) {
	for _, v := range []struct {
		text  string
		want  Limit
		again string // how it is written
	}{
		{"$5", Limit{Cost: 5_000_000_000}, "$5"},
		{"$0.5", Limit{Cost: 500_000_000}, "$0.50"},
		{"$0.50", Limit{Cost: 500_000_000}, "$0.50"},
		{"$.05", Limit{Cost: 50_000_000}, "$0.05"},
		{"$100.00", Limit{Cost: 100_000_000_000}, "$100"},
		{"$0.000000001", Limit{Cost: 1}, "$0.000000001"},
		{"$9223372036.854775807", Limit{Cost: 1<<63 - 1}, "$9223372036.854775807"},
		{"3M tokens", Limit{Tokens: 3_000_000}, "3M tokens"},
		{"200k tokens", Limit{Tokens: 200_000}, "200k tokens"},
		{"200000tokens", Limit{Tokens: 200_000}, "200k tokens"},
		{"1.25M tokens", Limit{Tokens: 1_250_000}, "1.25M tokens"},
		{"1.2345k tokens", Limit{}, ""},
		{"1.234k tokens", Limit{Tokens: 1_234}, "1234 tokens"},
		{"1 tokens", Limit{Tokens: 1}, "1 tokens"},
		{"$5, 3M tokens", Limit{5_000_000_000, 3_000_000}, "$5, 3M tokens"},
		{" 3M tokens,$5 ", Limit{5_000_000_000, 3_000_000}, "$5, 3M tokens"},

		{"", Limit{}, ""},
		{"5", Limit{}, ""},
		{"5$", Limit{}, ""},
		{"€5", Limit{}, ""},
		{"$", Limit{}, ""},
		{"$.", Limit{}, ""},
		{"$ 5", Limit{}, ""},
		{"$0", Limit{}, ""},
		{"$-5", Limit{}, ""},
		{"$1e3", Limit{}, ""},
		{"$1_000", Limit{}, ""},
		{"$1,000", Limit{}, ""},
		{"$0.0000000001", Limit{}, ""},
		{"$9223372036.854775808", Limit{}, ""},
		{"tokens", Limit{}, ""},
		{"0 tokens", Limit{}, ""},
		{"0.5 tokens", Limit{}, ""},
		{"3m tokens", Limit{}, ""},
		{"3M", Limit{}, ""},
		{"$5, $6", Limit{}, ""},
		{"1k tokens, 2k tokens", Limit{}, ""},
		{"$5,", Limit{}, ""},
		{"$5 3M tokens", Limit{}, ""},
	} {
		got, err := parseLimit(v.text)
		if got != v.want || (err == nil) != (v.again != "") {
			t.Errorf("%q: got %d and %v, want %d", v.text, got, err, v.want)
		}
		if got.String() != v.again {
			t.Errorf("%q is written %q, want %q", v.text, got, v.again)
		}
	}
}

// FuzzLimit shows that every limit which is read is written as a text that gives
// the same limit, and that none is below zero or empty.
func FuzzLimit(f *testing.F) {
	for _, text := range []string{"$5", "$0.50", "3M tokens", "200k tokens", "$5, 3M tokens", "$.1,1.5k tokens", "$9223372036.9", "$ 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		limit, err := parseLimit(text)
		if err != nil {
			return
		}
		if limit.Cost < 0 || limit.Tokens < 0 || limit == (Limit{}) {
			t.Errorf("%q gives %d", text, limit)
		}
		if again, err := parseLimit(limit.String()); again != limit || err != nil {
			t.Errorf("%q is written %q, which gives %d and %v, want %d", text, limit, again, err, limit)
		}
	})
}
