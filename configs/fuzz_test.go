package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// FuzzLoad writes anything before and after a line with a secret. Whatever
// that makes of the file, the secret is never seen, each problem stays on its
// line, and what is accepted dumps as TOML.
func FuzzLoad(f *testing.F) {
	for _, around := range [][2]string{
		{"[telegram]", "api = 'http://h'"},
		{"[web]", "listen = ':80'"},
		{"[openai]\nkey = '''", "'''"},
		{"model = '''", "'''"},
		{"model = \"\"\"\\", "\"\"\""},
		{"owners = \"\"\"a:\\", "\"\"\""},
		{"[web", "]"},
		{"x = [", "]"},
		{"web = {", "}"},
		{"zone = 'a", "'"},
		{"[log]\nlevel = 1\n[web]\n\"a\\nb\" = 2", "token = 1"},
		{"data = \"\\u0000\"\n[[web]]", "[telegram.token]\n[model]"},
		{"\xff", "\x00"},
	} {
		f.Add([]byte(around[0]), []byte(around[1]))
	}
	dir := f.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(canary), 0o600); err != nil {
		f.Fatal(err)
	}
	environ := []string{"HOME=/home/ada", "OPENAI_API_KEY=" + canary, "ANTHROPIC_API_KEY_FILE=" + secret}
	f.Fuzz(func(t *testing.T, before, after []byte) {
		path := filepath.Join(t.TempDir(), "nacre.toml")
		doc := string(before) + "\ntoken = \"1:" + canary + "\"\n" + string(after)
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load(environ, path, checkOwners)
		if err != nil {
			checkProblems(t, err, canary)
			return
		}
		if c.OpenAI.Key.Reveal() != canary {
			t.Error("the key of the environment is lost")
		}
		seen := c.Dump() + strings.Join(c.Warnings, "\n")
		if strings.Contains(seen, canary) {
			t.Errorf("the secret is seen in\n%s", seen)
		}
		var root map[string]any
		if err := toml.Unmarshal([]byte(c.Dump()), &root); err != nil {
			t.Errorf("the dump is not TOML: %v\n%s", err, c.Dump())
		}
	})
}

// checkProblems looks for a secret, if there is one to be found, and for what
// does not belong into a sentence.
func checkProblems(t *testing.T, err error, secret string) {
	t.Helper()
	list, ok := errors.AsType[Problems](err)
	if !ok || len(list) == 0 {
		t.Fatalf("got %T, want Problems", err)
	}
	for _, problem := range list {
		if secret != "" && strings.Contains(problem, secret) || strings.ContainsFunc(problem, unicode.IsControl) {
			t.Errorf("a problem shows the secret or a control character: %q", problem)
		}
		if strings.Contains(problem, "nacre.toml line 0") || strings.Contains(problem, "models.toml line 0") {
			t.Errorf("a problem does not know its line: %q", problem)
		}
	}
}

// FuzzModels writes anything around a word. Whatever that makes of the file, in
// which nothing is secret, each problem knows its line, and what is accepted has
// a name and a price that make sense.
func FuzzModels(f *testing.F) {
	for _, around := range [][2]string{
		{"['openai/gpt-5']\nprice = {input = 1, output = ", "}"},
		{"['openai/gpt-5']\nwindow = ", "\nblind = true"},
		{"['local/x']\nprice = {input = 0.5, output = 1e3}\nnote = '", "'"},
		{"['local/x'.price]\ninput = nan\noutput = inf\nx = '", "'"},
		{"[[\"a\\nb/c\"]]\n#", "\n[openai.x]"},
		{"'local/a.b'.window = 5000\n'local/a.b'.price.input = ", ""},
		{"window = '", "'"},
		{"['ollama/x'", ""},
		{"\xff", "\x00"},
	} {
		f.Add([]byte(around[0]), []byte(around[1]))
	}
	f.Fuzz(func(t *testing.T, before, after []byte) {
		path := filepath.Join(t.TempDir(), "models.toml")
		doc := string(before) + canary + string(after)
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load([]string{"HOME=/none", "NACRE_MODELS=" + path}, "", checkOwners)
		if err != nil {
			checkProblems(t, err, "")
			return
		}
		for name, model := range c.Models {
			if found, ok := c.Models.Lookup(name); !ok || found.Name != name || model.Name != name {
				t.Errorf("%q is found as %q", name, found.Name)
			}
			if p := model.Price; p != nil && !(min(p.Input, p.Output, p.CacheRead, p.CacheWrite) >= 0) {
				t.Errorf("%q costs %v", name, *p)
			}
		}
	})
}
