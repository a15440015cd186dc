package web

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// literal is a text of JavaScript, in quotes.
const literal = `"(?:[^"\\\n]|\\.)*"`

var (
	call        = regexp.MustCompile(`(?:^|[^\w.#])(t|count)\(`)
	literals    = regexp.MustCompile(literal)
	translation = regexp.MustCompile(`(?m)^\s*(` + literal + `):\s*(` + literal + `),?\s*$`)
	entry       = regexp.MustCompile(`(?m)^\s*"`)
	inner       = regexp.MustCompile(`[\w.]+\([^()]*\)`) // a call among the arguments of another
	places      = regexp.MustCompile(`\{\d\}`)
)

// unquoted is what a literal means.
func unquoted(t *testing.T, text string) string {
	t.Helper()
	s, err := strconv.Unquote(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// arguments are those of a call, from after its parenthesis.
func arguments(code string) (list []string) {
	depth, from := 0, 0
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			i += len(literals.FindString(code[i:])) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return append(list, code[from:i])
			}
		case ',':
			if depth == 0 {
				list, from = append(list, code[from:i]), i+1
			}
		}
	}
	return nil
}

// said are the texts that code asks to be said in the reader's language.
func said(t *testing.T, code string) (texts []string) {
	t.Helper()
	for _, m := range call.FindAllStringSubmatchIndex(code, -1) {
		args := arguments(code[m[1]:])
		if code[m[2]:m[3]] == "t" {
			args = args[:min(1, len(args))]
		} else {
			args = args[min(1, len(args)):]
		}
		for _, a := range args {
			for _, l := range literals.FindAllString(inner.ReplaceAllString(a, ""), -1) {
				texts = append(texts, unquoted(t, l))
			}
		}
	}
	return texts
}

func TestSaid(t *testing.T) {
	code := `t("a") + text("no") + x.t("no") + t(b ? "c, (d" : "\"e\"", "no") + t(x.f("no")) + count(n(1, "no"), "one", "{0} many") + t(sentence)`
	if got, want := said(t, code), []string{"a", "c, (d", `"e"`, "one", "{0} many"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// catalogue is what stands in a file of page/de: each text, and how it is in German.
func catalogue(t *testing.T, name string) map[string]string {
	t.Helper()
	body, err := assets.ReadFile("page/de/" + name)
	if err != nil {
		t.Fatal(err)
	}
	found := translation.FindAllStringSubmatch(string(body), -1)
	if lines := len(entry.FindAllString(string(body), -1)); len(found) != lines {
		t.Errorf("%s: only %d of %d texts stand on a line of their own", name, len(found), lines)
	}
	list := map[string]string{}
	for _, m := range found {
		from, to := unquoted(t, m[1]), unquoted(t, m[2])
		if list[from] != "" {
			t.Errorf("%s has %q twice", name, from)
		}
		list[from] = to
		if !slices.Equal(placesIn(from), placesIn(to)) {
			t.Errorf("%s: %q has other places than %q", name, to, from)
		}
	}
	return list
}

// placesIn are the places of a text that are filled in.
func placesIn(text string) []string {
	return slices.Sorted(slices.Values(places.FindAllString(text, -1)))
}

// Everything that the page says is there in German, once, with what is filled in, and
// nothing is there that it does not say. The pages of those who are not logged in have a
// catalogue of their own. What the server says is known to it alone.
func TestEveryTextHasAGermanOne(t *testing.T) {
	for page, catalogues := range map[string][]string{
		"login": {"login.js"},
		"app":   {"page.js", "server.js"},
	} {
		used := map[string]string{} // text → where it is said
		for _, name := range files() {
			body, err := assets.ReadFile("page/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if path.Ext(name) == ".js" && path.Dir(name) == "." && (open[name] && name != "words.js") == (page == "login") {
				for _, text := range said(t, string(body)) {
					used[text] = name
				}
			}
		}
		if len(used) < 10 {
			t.Errorf("only %d texts were found", len(used))
		}
		german := map[string]string{} // text → where it is translated
		for _, name := range catalogues {
			for text := range catalogue(t, name) {
				if old := german[text]; old != "" {
					t.Errorf("%q stands in %s and in %s", text, old, name)
				}
				german[text] = name
				if used[text] == "" && name != "server.js" {
					t.Errorf("%s has %q, which the page does not say", name, text)
				}
			}
		}
		for text, name := range used {
			if german[text] == "" {
				t.Errorf("%s says %q, which has no German text", name, text)
			}
		}
	}
}

// What both catalogues have is the same in German.
func TestLoginSpeaksAsThePageDoes(t *testing.T) {
	login, shared := catalogue(t, "login.js"), 0
	for _, name := range []string{"page.js", "server.js"} {
		for text, ours := range catalogue(t, name) {
			if theirs := login[text]; theirs != "" {
				shared++
				if theirs != ours {
					t.Errorf("%q is %q to log in and %q after that", text, theirs, ours)
				}
			}
		}
	}
	if shared == 0 {
		t.Error("the catalogues share no text")
	}
}

// The commands of the chat are offered in the reader's language.
func TestEveryCommandHasAGermanHelp(t *testing.T) {
	german := catalogue(t, "server.js")
	for _, c := range Commands() {
		for _, text := range []string{c.Help, c.Args} {
			if text != "" && german[text] == "" {
				t.Errorf("/%s says %q, which has no German text", c.Name, text)
			}
		}
	}
}
