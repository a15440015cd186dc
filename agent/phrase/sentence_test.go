package phrase

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string // one that begins with ¶ stands after a blank line
	}{
		{"", nil},
		{" \n . \n", []string{"."}},
		{"I like tea", []string{"I like tea"}},
		{"I like tea. Do you?  Yes!! ", []string{"I like tea.", "Do you?", "Yes!!"}},
		{"one\ntwo.\nthree.\n\n four\n \nfive", []string{"one", "two.", "three.", "¶four", "¶five"}},
		{"Remember:\n\nmy list:\n- eggs\n- tea", []string{"Remember:\n\nmy list:\n- eggs", "- tea"}},
		{"我住在上海。我喜欢茶！好吗？", []string{"我住在上海。", "我喜欢茶！", "好吗？"}},
		{`He said "stop." Then left.`, []string{`He said "stop."`, "Then left."}},
		{"Anna hat am 3. Mai Geburtstag. Sie mag Tee.", []string{"Anna hat am 3. Mai Geburtstag.", "Sie mag Tee."}},
		{"Dr. Weiss, e.g. J. Weiss, moved. So did I. Bye", []string{"Dr. Weiss, e.g. J. Weiss, moved.", "So did I.", "Bye"}},
		{"at 9.30 on nacre.example.org now", []string{"at 9.30 on nacre.example.org now"}},
		{"¿Qué? Nada… nunca", []string{"¿Qué?", "Nada…", "nunca"}},
		{"bad\xff\xff. end \xff", []string{"bad\xff\xff.", "end \xff"}},
	} {
		var got []string
		for _, s := range Sentences(tt.text) {
			if s.Apart {
				got = append(got, "¶"+tt.text[s.Start:s.End])
				continue
			}
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q has %q; want %q", tt.text, got, tt.want)
		}
	}
}

// Whatever is typed, its sentences lie one after the other and hold everything
// but blanks.
func FuzzSentences(f *testing.F) {
	for _, r := range rows {
		f.Add(r.text)
	}
	f.Add("one. two\n\n3. four。“five!” \xff?")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, s := range Sentences(text) {
			if s.Start < at || s.End <= s.Start || strings.TrimSpace(text[at:s.Start]) != "" {
				t.Fatalf("%+v after %d in %q", s, at, text)
			}
			at = s.End
		}
		if rest := strings.TrimSpace(text[at:]); rest != "" {
			t.Errorf("%q is in no sentence of %q", rest, text)
		}
	})
}
