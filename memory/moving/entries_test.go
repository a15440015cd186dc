package moving

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// split reads a file of JSON: "1@1 raw" for an element of a number and a line, and
// "(2@1 why)" for what is left out.
func split(t testing.TB, in io.Reader) []string {
	t.Helper()
	var list []string
	err := readEntries(in, "items", func(e element) error {
		list = append(list, fmt.Sprintf("%d@%d %s", e.number, e.line, e.raw))
		return nil
	}, func(e element, why string) error {
		list = append(list, fmt.Sprintf("(%d@%d %s)", e.number, e.line, why))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEntries(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"a list", "[{\"a\":[1,{}]},\n [2] ,\"x\",3,null]", []string{`1@1 {"a":[1,{}]}`, "2@2 [2]", `3@2 "x"`, "4@2 3", "5@2 null"}},
		{"nothing", " \n", nil},
		{"an empty list", "[ ]", nil},
		{"a mark of order", "\uFEFF[1]", []string{"1@1 1"}},
		{"brackets in strings", `[{"a":"]}\"]\\"},{"b":"\\\\"}]`, []string{`1@1 {"a":"]}\"]\\"}`, `2@1 {"b":"\\\\"}`}},
		{"a list under its key", `{"v":[0],"items" : [ {"a":1}, 2 ],"w":{"x":3}}`, []string{`1@1 {"a":1}`, "2@1 2"}},
		{"the key as a value", `{"v":"items","items":[1]}`, []string{"1@1 1"}},
		{"the key of no list", `{"items":{"a":1}}`, []string{`1@1 {"items":{"a":1}}`}},
		{"an object without a list", "{\"a\": [1],\n\"b\":{}}", []string{`1@1 {"a":[1],"b":{}}`}},
		{"two lists", `{"items":[1],"items":[2]}`, []string{"1@1 1", "2@1 2"}},
		{"cut off in an element", `[1,{"a":"b`, []string{"1@1 1", "(2@1 " + cutOff + ")"}},
		{"cut off between elements", `[1,`, []string{"1@1 1", "(1@1 " + cutOff + ")"}},
		{"cut off in an escape", `["\`, []string{"(1@1 " + cutOff + ")"}},
		{"cut off in an object", `{"items":[1`, []string{"1@1 1", "(1@1 " + cutOff + ")"}},
		{"cut off before its list", `{"items":`, []string{"(0@1 " + cutOff + ")"}},
		{"something behind", `[1] x`, []string{"1@1 1", "(0@0 " + trailing + ")"}},
		{"something between", `[1}:2]`, []string{"1@1 1", "2@1 2", "(0@0 " + between + ")"}},
		{"no commas", `[{}{}"a"1]`, []string{"1@1 {}", "2@1 {}", `3@1 "a"`, "4@1 1"}},
		{"a word", `[nan,1]`, []string{"1@1 nan", "2@1 1"}},
		{"no JSON", "dear diary", []string{"(0@1 " + notJSON + ")"}},
		{"two bytes a character", "\xff\xfe[\x001\x00", []string{"(0@1 " + notJSON + ")"}},
	} {
		if got := split(t, strings.NewReader(c.file)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := split(t, iotest.OneByteReader(strings.NewReader(c.file))); !slices.Equal(got, c.want) {
			t.Errorf("%s, byte by byte: %q, want %q", c.name, got, c.want)
		}
	}
}

// longText makes up lines of MaxEntry bytes.
var longText = strings.Repeat("x", 64<<10)

// repeated is a text many times over, without being held.
func repeated(text string, times int) io.Reader {
	return io.LimitReader(&ring{text: text}, int64(len(text)*times))
}

type ring struct {
	text string
	at   int
}

func (r *ring) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], r.text[r.at:])
		n, r.at = n+c, (r.at+c)%len(r.text)
	}
	return n, nil
}

// An element that is too long is passed over, whatever makes it so, and the next one is
// read.
func TestEntriesTooLong(t *testing.T) {
	const most = 1 << 17 // more than what is read at once
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"a string":   {"[1,\n\"" + strings.Repeat("0123456\n", most/8) + "\",2]", []string{"1@1 1", "(2@2 " + tooLong + ")", "3@16386 2"}},
		"brackets":   {"[" + strings.Repeat("[", most) + strings.Repeat("]", most) + ",2]", []string{"(1@1 " + tooLong + ")", "2@1 2"}},
		"an object":  {`{"a":"` + strings.Repeat("x", most) + `"}`, []string{"(1@1 " + tooLong + ")"}},
		"before it":  {`{"a":"` + strings.Repeat("x", most) + `","items":[1]}`, []string{"1@1 1"}},
		"never ends": {`[1,"` + strings.Repeat("x", most), []string{"1@1 1", "(2@1 " + cutOff + ")"}},
		"just fits":  {"[" + strings.Repeat("1", most) + ",2]", []string{"1@1 " + strings.Repeat("1", most), "2@1 2"}},
		"by a byte":  {"[" + strings.Repeat("1", most+1) + ",2]", []string{"(1@1 " + tooLong + ")", "2@1 2"}},
	} {
		if got := splitAt(t, strings.NewReader(c.file), most); !slices.Equal(got, c.want) {
			t.Errorf("%s: %.200q, want %.200q", name, got, c.want)
		}
	}
	if got := split(t, io.MultiReader(strings.NewReader(`["`), repeated(longText, MaxEntry/len(longText)), strings.NewReader(`",2]`))); !slices.Equal(got, []string{"(1@1 " + tooLong + ")", "2@1 2"}) {
		t.Errorf("of 16 MB: %.200q", got)
	}
}

// splitAt is split with another limit.
func splitAt(t *testing.T, in io.Reader, most int) (list []string) {
	t.Helper()
	s := splitter{in: bufio.NewReaderSize(in, 64<<10), key: "items", most: most, line: 1}
	s.take = func(e element) error {
		list = append(list, fmt.Sprintf("%d@%d %s", e.number, e.line, e.raw))
		return nil
	}
	s.left = func(e element, why string) error {
		list = append(list, fmt.Sprintf("(%d@%d %s)", e.number, e.line, why))
		return nil
	}
	if err := s.file(); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEntriesFail(t *testing.T) {
	broken := errors.New("broken")
	fails := func(element) error { return broken }
	fine := func(element, string) error { return nil }
	for name, c := range map[string]struct {
		in   io.Reader
		take func(element) error
		left func(element, string) error
		want error
	}{
		"the reader":      {io.MultiReader(strings.NewReader("[1,"), iotest.ErrReader(broken)), func(element) error { return nil }, fine, broken},
		"the taker":       {strings.NewReader("[1,2]"), fails, fine, broken},
		"an end of files": {strings.NewReader("[1,2]"), func(element) error { return io.EOF }, fine, io.ErrUnexpectedEOF},
		"who is told":     {strings.NewReader("[1]x"), func(element) error { return nil }, func(element, string) error { return broken }, broken},
	} {
		if err := readEntries(c.in, "items", c.take, c.left); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		file io.Reader
		want []string
	}{
		"lines":           {strings.NewReader("\uFEFFa\r\n\nb"), []string{"1 a", "2 ", "3 b"}},
		"an end":          {strings.NewReader("a\n"), []string{"1 a"}},
		"nothing":         {strings.NewReader(""), nil},
		"a long one":      {io.MultiReader(strings.NewReader("a\n"), repeated(longText, MaxEntry/len(longText)), strings.NewReader("\nb\n")), []string{"1 a", "(2)", "3 b"}},
		"a long last one": {io.MultiReader(strings.NewReader("a\n"), repeated(longText, MaxEntry/len(longText)), strings.NewReader("x")), []string{"1 a", "(2)"}},
	} {
		var got []string
		err := readLines(c.file, func(n int, line []byte) error {
			got = append(got, fmt.Sprintf("%d %s", n, line))
			return nil
		}, func(n int) error {
			got = append(got, fmt.Sprintf("(%d)", n))
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %.200q, %v; want %q", name, got, err, c.want)
		}
	}
	broken := errors.New("broken")
	err := readLines(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), func(int, []byte) error { return nil }, nil)
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

// FuzzEntries: whatever is taken stood in the file, in order; and a list that is JSON
// is taken whole, element by element.
func FuzzEntries(f *testing.F) {
	for _, s := range []string{`[{"a":"]"},[1],"\\",2.5]`, `{"items":[1,{}],"b":2}`, `[1}`, `["\`, "[nan]x", `{"a":{"items":[1]}}`, "\uFEFF[]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var got [][]byte
		told := 0
		err := readEntries(bytes.NewReader(file), "items", func(e element) error {
			got = append(got, bytes.Clone(e.raw))
			return nil
		}, func(element, string) error { told++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if total := len(bytes.Join(got, nil)); total > len(file) {
			t.Fatalf("%d bytes were made of %d", total, len(file))
		}
		var list []json.RawMessage
		if json.Unmarshal(file, &list) != nil || list == nil {
			return
		}
		if told != 0 || !slices.EqualFunc(got, list, func(a []byte, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Fatalf("%q, told %d; want %q", got, told, list)
		}
	})
}
