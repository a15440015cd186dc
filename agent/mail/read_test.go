package mail

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadOfPrograms reads mails as many programs write them. Beside each lies what
// its sender typed, or the reason why there is nothing.
func TestReadOfPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d mails, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".eml")
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw, want := content(t, file), strings.TrimSuffix(string(content(t, name+".want")), "\n")
			l, why := Read(bytes.NewReader(raw))
			got := l.Text
			if why != "" {
				got = "reason: " + string(why)
			}
			if got != want {
				t.Errorf("got:\n%s\n\nwant:\n%s", got, want)
			}
		})
	}
}

func content(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
