package ledger

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"nacre/memory"
	"nacre/memory/canon"
)

var kiko = memory.Needle{Quotes: []string{"my dog is kiko"}, Marks: []string{"kiko", "call"}, Words: [][]string{{"dog", "brown", "bark"}}}

func TestRedaction(t *testing.T) {
	random := strings.Repeat("xKIKOx/9", dataLength/8)
	for _, c := range []struct {
		name  string
		shelf *shelf
		in    string
		want  string // empty if nothing is found
	}{
		{"nothing of it", &inboxShelf, `{"s":[{"p":"owner","t":"my cat is fine"}]}`, ""},
		{"a text", &inboxShelf, `{"s":[{"p":"owner","t":"kiko is fine"}],"l":"en"}`, `{"l":"en","s":[{"p":"owner","t":"**** is fine"}]}`},
		{"several", &inboxShelf, `{"s":[{"t":"Kiko, KIKO"},{"t":"x"},{"t":"kiko"}]}`, `{"s":[{"t":"****, ****"},{"t":"x"},{"t":"****"}]}`},
		{"a file name", &inboxShelf, `{"f":[{"kind":"photo","name":"kiko.jpg","ref":"r"}]}`, `{"f":[{"kind":"photo","name":"****.jpg","ref":"r"}]}`},
		{"a handle of the network", &inboxShelf, `{"f":[{"kind":"photo","ref":"kiko"}]}`, ""},
		{"numbers stay as they are", shelves[1], `[{"text":"kiko","n":[12345678901234567890,1.50]}]`, `[{"n":[12345678901234567890,1.50],"text":"****"}]`},
		{"names of tools and ids", shelves[1], `[{"calls":[{"id":"call_1","name":"kiko"}],"call_id":"call_1"}]`, ""},
		{"arguments under any key", shelves[1], `[{"calls":[{"id":"call_1","name":"find","args":{"name":"kiko","id":["kiko"]}}]}]`,
			`[{"calls":[{"args":{"id":["****"],"name":"****"},"id":"call_1","name":"find"}]}]`},
		{"arguments in a text", shelves[1], `[{"calls":[{"args":"{\"name\":\"kiko\"}"}]}]`, `[{"calls":[{"args":"{\"name\":\"****\"}"}]}]`},
		{"blobs go with it", shelves[1], `[{"text":"kiko","blob":"b"},{"text":"x","blob":{"a":1}}]`, `[{"text":"****"},{"text":"x"}]`},
		{"blobs stay without it", shelves[1], `[{"text":"x","blob":"b"}]`, ""},
		{"in a blob alone", shelves[1], `[{"text":"x","blob":[{"thinking":"so kiko is fine"}]}]`, `[{"text":"x"}]`},
		{"letters by chance", shelves[1], `[{"text":"x","blob":"` + random + `"}]`, ""},
		{"a file", shelves[5], `{"text":"x","file":{"name":"a","data":"a2lrbyBpcyBmaW5l"}}`, `{"file":{"data":"","name":"a"},"text":"x"}`},
		{"another file", shelves[5], `{"text":"x","file":{"name":"a","data":"aGUgaXMgZmluZQ=="}}`, ""},
		{"an op", &opShelf, `{"s":"kiko","p":{"body":{"slot":{"area":"call","slug":"dog-kiko"},"text":"x"}}}`, `{"p":{"body":{"slot":{"area":"call","slug":"dog-****"},"text":"x"}},"s":"kiko"}`},
		{"ids in an op", &opShelf, `{"s":"kiko","p":{"undoes":["kiko"],"evidence":[{"message":"kiko"}]}}`, ""},
		{"no JSON", &inboxShelf, `kiko`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			look := redaction{shelf: c.shelf, needle: &kiko}
			got, found := look.redacted([]byte(c.in))
			if found != (c.want != "") || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, found, c.want)
			}
		})
	}
}

func TestRedactionOfBytes(t *testing.T) {
	for in, want := range map[string]bool{"kiko": true, "my cat": false, "\xffJPEG: the photo of KIKO\xff": true, "\xff\xffkik\xff": false} {
		look := redaction{shelf: &attachmentShelf, needle: &kiko}
		if _, got := look.redacted([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

// TestUnescaped compares with what the decoder reads.
func TestUnescaped(t *testing.T) {
	for _, s := range []string{"", "plain", `a "b" \c/`, "<b>&\u2028é", "🐕 \x01\x7f", "a\nb\tc"} {
		encoded, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
		if got := string(unescaped(encoded)); got != `"`+want+`"` {
			t.Errorf("%s gives %q, want %q", encoded, got, want)
		}
	}
	for in, want := range map[string]string{
		`"\ud83d\udc15"`: `"🐕"`, `"\ud83dx"`: "\"\ufffdx\"", `"\ud835\udc24iko"`: `"𝐤iko"`, `\`: ``, `\u12`: "\x12", `a\u`: "a\x00", `\ud83d\u`: "\ufffd",
	} {
		if got := string(unescaped([]byte(in))); got != want {
			t.Errorf("%s gives %q, want %q", in, got, want)
		}
	}
}

// TestSieveLetsEverythingThrough: it may be wrong in one way only.
func TestSieveLetsEverythingThrough(t *testing.T) {
	needles := []memory.Needle{kiko, {Quotes: []string{"strasse 5"}}, {Marks: []string{"zürich", "4915112345"}}, {Words: [][]string{{"bark"}}}, {Words: [][]string{{"骑自", "自行"}}},
		{Quotes: []string{"c++"}}, {All: true}}
	pieces := []string{"kiko", "ki", "ko", "Kiko", "KIKO", "ｋｉｋｏ", "ki\u00adko", "k\u0488iko", "ki\u20ddko", "\u212aiko", "ki\u200bko", "k\x01iko", "my dog is", "My  dog, is: ", "my\ndog", "dog", "dogs",
		"brown", "barked", "BARKS.", "ba\u0308rk", "straße 5", "STRASSE 5", "strasse-5", "straße", "5", "５", "⑤", "zürich", "ZÜRICH", "zu\u0308rich", "+49 151 12345", "4915112345", "٤٩15112345", "über", "UBER", "骑自行车",
		"c++", "C＋＋", " ", ", ", ". ", "\n", "“", "”", "é", "ß", "я", "🐕", "❤️", "x", "the cat sat", "\xff", "か\u3099", "ﬁ", "ᵏiko"}
	r := rand.New(rand.NewPCG(1, 2))
	found, held := 0, 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		for i := range needles {
			finds, passes := needles[i].Finds(b.String()), newSieve(&needles[i]).passes([]byte(b.String()))
			if finds && !passes {
				t.Fatalf("%q, in which %v finds something, is held back; its form is %q", b.String(), needles[i], canon.Form(b.String()))
			}
			if finds {
				found++
			}
			if !passes {
				held++
			}
		}
	}
	if found < 10_000 || held < 10_000 {
		t.Errorf("%d found and %d held back, too few to mean something", found, held)
	}
}

func TestLiteralsNeedTextAround(t *testing.T) {
	l := newLiterals(&memory.Needle{Quotes: []string{"kiko"}, Marks: []string{"abc", "49151123"}})
	for _, c := range []struct {
		bytes     string
		wordsOnly bool
		want      bool
	}{
		{"kiko", true, true},
		{"kikö", true, false},
		{"here is KIKO, the dog", true, true},
		{"\x00\x01kiko\x00\x01", true, false},
		{"\x00\x01kiko\xff and more text behind it", true, false},
		{"\x00\x01kiko, and more text behind it", true, true},
		{"\x00\x01and a text before it: kiko\x00", true, true},
		{"\x00\x01kiko\x00 then kiko in a text", true, true},
		{"abc is too short to mean anything", false, false},
		{"a number such as 49151123 here", false, true},
		{"a number such as 49151123 here", true, false},
	} {
		if got := l.in([]byte(c.bytes), c.wordsOnly); got != c.want {
			t.Errorf("%q: %v, want %v", c.bytes, got, c.want)
		}
	}
	if !newLiterals(&memory.Needle{Marks: []string{"abc"}, Words: [][]string{{"kiko"}}}).none() {
		t.Error("stems and short marks are literals")
	}
}
