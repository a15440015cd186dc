package browse

import (
	"encoding/json"
	"strings"
	"testing"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

// Every request pays for the specs.
func TestSpecsAreSmall(t *testing.T) {
	for _, tool := range []agent.Tool{NewFetcher(), NewSearXNG("http://x")} {
		spec := tool.Spec()
		if !json.Valid(spec.Schema) {
			t.Errorf("%s has no valid schema", spec.Name)
		}
		if n := len(spec.Name) + len(spec.Description) + len(spec.Schema); n > 400 {
			t.Errorf("%s takes %d bytes", spec.Name, n)
		}
	}
}

func TestWebFetch(t *testing.T) {
	_, f := online(t, text(strings.Repeat("words ", 5000)))
	res, err := f.Call(t.Context(), nacre.Caller{}, json.RawMessage(`{"url":"http://site.test/a","start":29990}`))
	if err != nil || res.Source != llm.FromWeb || !strings.HasPrefix(res.Text, `"", http://site.test/a (text of a web page`) || !strings.HasSuffix(res.Text, "\n\n[characters 29990 to 29999 of 29999]") {
		t.Errorf("got %q from %q, %v", res.Text, res.Source, err)
	}
	for _, args := range []string{``, `7`, `{"url":7}`, `{"url":"http://site.test/","start":1.5}`, `{"url":"http://site.test/","start":-1}`, `{"url":"http://site.test/","start":30000}`, `{}`} {
		if res, err := f.Call(t.Context(), nacre.Caller{}, json.RawMessage(args)); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%s: %q, %v", args, res.Text, err)
		}
	}
}
