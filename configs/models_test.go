package configs

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ours is our own list alone.
func ours(t *testing.T) Models {
	t.Helper()
	return mustLoad(t, "").Models
}

// TestCatalogue looks over our own list: whole entries, for which nothing is
// out of proportion.
func TestCatalogue(t *testing.T) {
	models := ours(t)
	sameModels(t, withModels(t, catalogue), models) // it also passes as an operator's file
	for name, m := range models {
		if m.Name != name || m.Window < leastWindow || m.Output < 1 || m.Output >= m.Window {
			t.Errorf("%s: got %+v", name, m)
		}
		if m.Price == nil {
			t.Errorf("%s has no price", name)
			continue
		}
		p := *m.Price
		if p.Input <= 0 || p.Output < p.Input || p.Output > 100 || p.CacheRead > p.Input || p.CacheWrite < p.Input || p.CacheWrite > 2*p.Input {
			t.Errorf("%s: the price %+v is out of proportion", name, p)
		}
	}
	for _, provider := range []string{"openai", "anthropic", "deepseek", "openrouter"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(models)), func(name string) bool { return strings.HasPrefix(name, provider+"/") }) {
			t.Errorf("no model of %s is listed", provider)
		}
	}
}

func TestLookup(t *testing.T) {
	list := Models{}
	for _, name := range []string{
		"openai/gpt-5", "openai/gpt-5-mini", "openai/gpt-5-2025-08-07", "anthropic/claude-sonnet-4", "anthropic/claude-sonnet-4-5",
		"openrouter/openai/gpt-5", "openrouter/some/model:free", "ollama/paid",
	} {
		list[name] = Model{Name: name, Window: 1000, Price: &Price{Input: 1, Output: 2, CacheRead: 1, CacheWrite: 1}}
	}
	list["ollama/qwen3"] = Model{Name: "ollama/qwen3", Window: 40_000}
	for _, v := range []struct {
		name, found string
		free        bool
	}{
		{"openai/gpt-5", "openai/gpt-5", false},
		{"openai/gpt-5-2025-08-07", "openai/gpt-5-2025-08-07", false},
		{"openai/gpt-5-2025-10-01", "openai/gpt-5", false},
		{"openai/gpt-5-mini-2025-08-07", "openai/gpt-5-mini", false},
		{"anthropic/claude-sonnet-4-20250514", "anthropic/claude-sonnet-4", false},
		{"anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5", false},
		{"openrouter/openai/gpt-5:nitro", "openrouter/openai/gpt-5", false},
		{"openrouter/openai/gpt-5-2025-08-07:nitro", "openrouter/openai/gpt-5", false},
		{"openrouter/openai/gpt-5:free", "openrouter/openai/gpt-5", true},
		{"openrouter/some/model:free", "openrouter/some/model:free", false},
		{"openrouter/other/model:free", "openrouter/other/model:free", true},
		{"ollama/qwen3:8b", "ollama/qwen3", true},
		{"ollama/llama", "ollama/llama", true},
		{"ollama/paid:1b", "ollama/paid", false},
		{"local/Qwen/Qwen3-8B", "local/Qwen/Qwen3-8B", true},
		{"offline", "offline", true},

		{"openai/gpt-5-pro", "", false},
		{"openai/gpt-5.1", "", false},
		{"openai/gpt-5-2025-08", "", false},
		{"openai/gpt-5-202508071", "", false},
		{"openai/gpt-5:", "", false},
		{"openai/gpt-5:a/b", "", false},
		{"openai/gpt", "", false},
		{"openrouter/anthropic/claude-sonnet-4", "", false},
		{"gpt-5", "", false},
		{"", "", false},
	} {
		got, ok := list.Lookup(v.name)
		if got.Name != v.found || ok != (v.found != "") {
			t.Errorf("%q: got %q and %v, want %q", v.name, got.Name, ok, v.found)
		} else if ok && (*got.Price == (Price{})) != v.free {
			t.Errorf("%q costs %+v, want it free: %v", v.name, *got.Price, v.free)
		}
	}
	if got, _ := list.Lookup("ollama/qwen3:8b"); got.Window != 40_000 {
		t.Errorf("what is known of a free model besides its price is lost: %+v", got)
	}
	if got := list["openrouter/openai/gpt-5"].Price; *got == (Price{}) {
		t.Error("looking up a free variant has made the model free")
	}
}

// withModels loads a file of models.
func withModels(t *testing.T, doc string) Models {
	t.Helper()
	return mustLoad(t, "", "NACRE_MODELS="+write(t, t.TempDir(), "models.toml", doc)).Models
}

// TestModelsFile lays an operator's file over our list: it changes what it
// names and nothing else.
func TestModelsFile(t *testing.T) {
	before, after := ours(t), withModels(t, `
"openai/gpt-5" = {window = 100_000, price = {cache_read = 1}}
["openai/gpt-4.1"]
price.input = 4
["local/new"]
output = 5_000
blind = true
["openrouter/some/model".price]
input = 3
output = 0.5
`)
	gpt5, gpt41 := before["openai/gpt-5"], before["openai/gpt-4.1"]
	gpt5.Window, gpt5.Price.CacheRead = 100_000, 1
	gpt41.Price.Input, gpt41.Price.CacheWrite = 4, 4 // nobody gave it for writing, so it follows
	before["local/new"] = Model{Name: "local/new", Output: 5_000, Blind: true}
	before["openrouter/some/model"] = Model{Name: "openrouter/some/model", Price: &Price{3, 0.5, 3, 3}}
	before["openai/gpt-5"], before["openai/gpt-4.1"] = gpt5, gpt41
	sameModels(t, after, before)
}

func sameModels(t *testing.T, got, want Models) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("got %d models, want %d", len(got), len(want))
	}
	for name, w := range want {
		if g := got[name]; !reflect.DeepEqual(g, w) {
			t.Errorf("%s: got %+v with %+v, want %+v with %+v", name, g, g.Price, w, w.Price)
		}
	}
}

// TestModelsFileProblem makes one mistake at a time; each must give exactly the
// one problem that it names, and none once the mistake is mended.
func TestModelsFileProblem(t *testing.T) {
	const provider = "this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline"
	for _, v := range []struct{ name, doc, want, mended string }{
		{"no TOML", "[openai/gpt-5]\n", `FILE line 1 column 8: this is not valid TOML, expected ']' to close table name: […]`, "['openai/gpt-5']\n"},
		{"no value", "\n['local/x']\nwindow = many\n", `FILE line 3 column 10: this is not valid TOML, unexpected character U+006D 'm' at start of value: window = …`, "\n['local/x']\nwindow = 5000\n"},
		{"too large", strings.Repeat("#", maxFile+1), "NACRE_MODELS (models_file): the file cannot be read (it is larger than 64 KiB); check its path and permissions", ""},
		{"no model", "\nwindow = 5000\n", `FILE line 2: "window" belongs to no model; write ["provider/model"] on a line above it`, "['local/x']\nwindow = 5000\n"},
		{"model twice", "[['local/x']]\n", `FILE line 1: "local/x" belongs to no model; write ["provider/model"] on a line above it`, "['local/x']\n"},
		{"no quotes", "[openai.gpt-5]\nwindow = 5000\n", `FILE line 1 ("openai"): the name of the model is missing or holds a space; write it like openai/name-of-the-model`, "['openai/gpt-5']\n"},
		{"provider", "\n['opnai/gpt-5']\n", `FILE line 2 ("opnai/gpt-5"): ` + provider + `; did you mean "openai"?`, "['openai/gpt-5']\n"},
		{"slip", "['openai/gpt-4.1']\n\nwindw = 5000\n", `FILE line 3: unknown key "windw"; did you mean "window"?`, "['openai/gpt-4.1']\n\nwindow = 5000\n"},
		{"unlike any key", "'local/x' = {colour = 'red'}\n", `FILE line 1: unknown key "colour"; remove it`, "'local/x' = {}\n"},
		{"text for a number", "['local/x']\nwindow = '5000'\n", `FILE line 2 (window of "local/x"): the value must be a number of tokens from 2000 to 2000000, without quotes`, "['local/x']\nwindow = 2000\n"},
		{"small window", "['local/x']\nwindow = 1999\n", `FILE line 2 (window of "local/x"): the value must be a number of tokens from 2000 to 2000000, without quotes`, "['local/x']\nwindow = 2000000\n"},
		{"no output", "['local/x']\noutput = 0\n", `FILE line 2 (output of "local/x"): the value must be a number of tokens from 1 to 2000000, without quotes`, "['local/x']\noutput = 1\n"},
		{"text for a yes", "['local/x']\nblind = 'yes'\n", `FILE line 2 (blind of "local/x"): the value must be true or false, without quotes`, "['local/x']\nblind = false\n"},
		{"bare price", "['local/x']\nprice = 5\n", `FILE line 2 (price of "local/x"): a price has several parts; write it like {input = 1.25, output = 10}`, "['local/x']\nprice = {input = 5, output = 5}\n"},
		{"slip in a price", "['local/x']\nprice = {input = 1, ouput = 2}\n", `FILE line 2 (price of "local/x"): a price has no "ouput", only input, output, cache_read and cache_write; did you mean "output"?`, "['local/x']\nprice = {input = 1, output = 0}\n"},
		{"half a price", "['local/x']\nprice = {input = 1}\n", `FILE line 2 (price of "local/x"): a price needs input and output; write it like {input = 1.25, output = 10}`, "['openai/gpt-5']\nprice = {input = 1}\n"},
		{"below zero", "['local/x'.price]\ninput = 1\noutput = -1\n", `FILE line 1 (price of "local/x"): output must be dollars for a million tokens, from 0 to 10000, without quotes`, "['local/x'.price]\ninput = 1\noutput = 1\n"},
		{"no number", "['openai/gpt-5']\nprice.input = nan\n", `FILE line 2 (price of "openai/gpt-5"): input must be dollars for a million tokens, from 0 to 10000, without quotes`, "['openai/gpt-5']\nprice.input = 1e4\n"},
		{"endless", "['openai/gpt-5']\nprice.input = inf\n", `FILE line 2 (price of "openai/gpt-5"): input must be dollars for a million tokens, from 0 to 10000, without quotes`, ""},
		{"text for a price", "['openai/gpt-5']\nprice.input = '1'\n", `FILE line 2 (price of "openai/gpt-5"): input must be dollars for a million tokens, from 0 to 10000, without quotes`, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			path := write(t, t.TempDir(), "models.toml", v.doc)
			got := problems(t, "", "NACRE_MODELS="+path)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], path, "FILE")
			}
			if !slices.Equal(got, []string{v.want}) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), v.want)
			}
			withModels(t, v.mended)
		})
	}
}
