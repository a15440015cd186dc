package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// The program itself: what is linked on one platform alone is found there, files of
// ours that others wrote are found, and everything has its text.
func TestTheProgram(t *testing.T) {
	dir := t.TempDir()
	words, bill := filepath.Join(dir, "words"), filepath.Join(dir, "bill")
	release := func(platforms ...string) (report, all, bom string) {
		t.Helper()
		var out strings.Builder
		if err := run(append([]string{"-version", "1.2.3", "-text", words, "-sbom", bill}, platforms...), "1790000000", &out); err != nil {
			t.Fatal(err)
		}
		return out.String(), read(t, words), read(t, bill)
	}
	report, all, bom := release("linux/amd64", "linux/arm/v7")
	for _, part := range []string{"std", "web/page/lit", "go.mau.fi/libsignal", "modernc.org/sqlite"} {
		if !strings.Contains(report, "\n"+part) || !strings.Contains(all, "\n"+part) {
			t.Errorf("%s is not there", part)
		}
	}
	var b struct {
		SpecVersion string
		Metadata    struct {
			Timestamp string
			Component struct{ Version string }
		}
		Components []struct {
			Name     string
			Licenses []struct{ License struct{ ID string } }
		}
	}
	if err := json.Unmarshal([]byte(bom), &b); err != nil || b.Metadata.Timestamp != "2026-09-21T14:13:20Z" || b.Metadata.Component.Version != "1.2.3" {
		t.Fatalf("%v, %+v", err, b.Metadata)
	}
	if lines := strings.Count(report, "\n"); len(b.Components) != lines || lines < 50 {
		t.Errorf("the bill has %d components, the report %d", len(b.Components), lines)
	}
	for _, c := range b.Components {
		if len(c.Licenses) == 0 {
			t.Errorf("%s has no licence", c.Name)
		}
	}
	if again, text, same := release("linux/amd64", "linux/arm/v7"); again != report || text != all || same != bom {
		t.Error("a second time it differs")
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		epoch string
		args  []string
		says  string
	}{
		{"", nil, "name a platform"},
		{"", []string{"linux"}, "no platform"},
		{"", []string{"-root", t.TempDir(), "linux/amd64"}, "go list"},
		{"yesterday", []string{"-sbom", filepath.Join(t.TempDir(), "bill"), "linux/amd64"}, "SOURCE_DATE_EPOCH"},
	} {
		if err := run(c.args, c.epoch, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.args, err, c.says)
		}
	}
}
