package web

import (
	"path"
	"regexp"
	"slices"
	"testing"
)

// heaviest is how much the page may weigh in all, compressed, in bytes.
const heaviest = 150_000

func TestPageIsLight(t *testing.T) {
	var sum int
	for _, name := range append(files(), "index.html", "login.html", "gmail.html") {
		sum += len(load(name).small)
	}
	t.Logf("the page weighs %d bytes", sum)
	if sum > heaviest || sum < heaviest/10 {
		t.Errorf("the page weighs %d bytes, want at most %d", sum, heaviest)
	}
}

var (
	imported  = regexp.MustCompile(`(?:from|import) ?"([^"]+)"`)
	preloaded = regexp.MustCompile(`<link rel="modulepreload" href="/([^"]+)">`)
)

// The browser is told at once of every script that the first view needs, so that it
// does not learn of one from another.
func TestFirstScriptsAreLoadedAtOnce(t *testing.T) {
	var want []string
	var follow func(name string)
	follow = func(name string) {
		if slices.Contains(want, name) {
			return
		}
		want = append(want, name)
		code, err := assets.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imported.FindAllStringSubmatch(string(code), -1) {
			if next := m[1]; next[0] == '/' {
				follow(next[1:])
			} else {
				follow(path.Join(path.Dir(name), next))
			}
		}
	}
	follow("app.js")
	index, err := assets.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range preloaded.FindAllStringSubmatch(string(index), -1) {
		got = append(got, m[1])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("index.html has\n%q loaded first, want\n%q", got, want)
	}
}
