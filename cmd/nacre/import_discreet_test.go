package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nacre/web"
)

// Whatever is told of what was left out, no secret is in it: not in a file's name, not in
// a line that was left out for something else, not in why.
func TestImportTellsNoSecrets(t *testing.T) {
	const password, card = "my password is zqx-hunter22", "4111 1111 1111 1111"
	w := newWorld(t)
	w.alone(func(a *app) {
		w.said(a, "1001", "Hello.")
		job := func(text, schedule string) string {
			return `{"kind":"task","text":"` + text + `","schedule":` + schedule + "}\n"
		}
		done := w.the(a).imports("a.zip", parcelOf(t, map[string]string{"manifest.json": `{"format":"nacre-archive","version":1}`,
			"jobs.jsonl": job("Look at it", `{"kind":"cron","cron":"0 9 * * *","zone":"`+password+`"}`) + job("Read "+card, `{"kind":"cron","cron":"`+card+` *"}`) +
				job("Call Ann", `{"kind":"once","at":"2001-01-01T00:00:00Z"}`) + job(password, `{"kind":"every","every":86400000000000}`),
			"files/" + password + ".md": "- x\n"}))
		text, err := json.Marshal(done)
		if err != nil || strings.Contains(string(text), "hunter22") || strings.Contains(string(text), "4111") || len(done.Lines) != 4 || !strings.Contains(string(text), "Call Ann") {
			t.Errorf("%s, %v", text, err)
		}
		done = w.the(a).imports("b.zip", parcelOf(t, map[string]string{
			password + "/MEMORY.md": "# About\nOut of any list: " + card + "\n- Bob rows.\n- " + strings.Repeat("a ", 2001) + card + "\n- " + card + strings.Repeat(" a", 2001) + "\n",
			"plain/USER.md":         "- " + strings.Repeat("b ", 2001) + "\n", password + ".png": "x", "a.exe": "x"}))
		text, err = json.Marshal(done)
		if err != nil || strings.Contains(string(text), "hunter22") || strings.Contains(string(text), "4111") || done.Added == 0 {
			t.Errorf("%s, %v", text, err)
		}
		for _, want := range []string{`"file":"a file"`, `"file":"plain/USER.md"`, `"text":"b b b`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not tell %s", text, want)
			}
		}
	})
}

// Who is gone has nothing more looked for.
func TestHushEnds(t *testing.T) {
	texts := []string{"Ann rows.", "my password is zqx-hunter22"}
	if found, err := hush(t.Context(), texts); err != nil || found[0] || !found[1] {
		t.Errorf("%v, %v", found, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := hush(gone, texts); !errors.Is(err, context.Canceled) || found[1] {
		t.Errorf("of one who is gone: %v, %v", found, err)
	}
}

func TestShortened(t *testing.T) {
	for text, want := range map[string]string{"": "", "Ann": "Ann", strings.Repeat("ü", importedLength): strings.Repeat("ü", importedLength), strings.Repeat("ü", importedLength+1): strings.Repeat("ü", importedLength) + "…"} {
		if got := shortened(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
	if got := discreet(web.ImportedLine{What: web.ImportLeft, Words: "The zone my password is zqx-hunter22 is not known."}, "Call Ann"); got.Words != unclear || got.Text != "Call Ann" {
		t.Errorf("a line is told as %+v", got)
	}
}
