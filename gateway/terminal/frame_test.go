package terminal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/gateway/live"
)

func TestParseRequest(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		id         string
		ok         bool
	}{
		{"message", `{"t":"say","id":"a-1","text":"hello"}`, "a-1", true},
		{"shown", `{"t":"shown","id":"a-1"}`, "a-1", true},
		{"unknown field", `{"t":"say","id":"a-1","text":"x","v":2}`, "a-1", true},
		{"longest id", `{"t":"say","id":"` + strings.Repeat("a", 64) + `","text":"x"}`, strings.Repeat("a", 64), true},
		{"lone surrogate", `{"t":"say","id":"a-1","text":"\ud800"}`, "a-1", true},
		{"blank text", `{"t":"say","id":"a-1","text":" \n\t"}`, "a-1", false},
		{"invisible text", `{"t":"say","id":"a-1","text":"\u200b"}`, "a-1", false},
		{"no text", `{"t":"say","id":"a-1"}`, "a-1", false},
		{"unknown kind", `{"t":"stored","id":"a-1"}`, "a-1", false},
		{"long id", `{"t":"say","id":"` + strings.Repeat("a", 65) + `","text":"x"}`, "", false},
		{"no id", `{"t":"say","text":"x"}`, "", false},
		{"strange id", `{"t":"say","id":"a/../b","text":"x"}`, "", false},
		{"id with a letter beyond ASCII", `{"t":"say","id":"é","text":"x"}`, "", false},
		{"text is a number", `{"t":"say","id":"a-1","text":1}`, "", false},
		{"more after the object", `{"t":"say","id":"a-1","text":"x"}{}`, "", false},
		{"no JSON", `hello`, "", false},
		{"nothing", ``, "", false},
		{"array", `[]`, "", false},
		{"null", `null`, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := parseRequest([]byte(tc.line))
			if (err == nil) != tc.ok || f.ID != tc.id {
				t.Errorf("got id %q, error %v; want id %q, ok %v", f.ID, err, tc.id, tc.ok)
			}
			if err != nil && nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("the error is %v, want Invalid", nacre.KindOf(err))
			}
		})
	}
}

func TestLongestLine(t *testing.T) {
	f := frame{T: frameSay, ID: "a"}
	empty, _ := f.encode()
	f.Text = strings.Repeat("x", maxLine-len(empty)-len(`,"text":""`))
	line, err := f.encode()
	if err != nil || len(line) != maxLine {
		t.Fatalf("the longest line has %d bytes, error %v", len(line), err)
	}
	if s := frameLines(bytes.NewReader(line)); !s.Scan() {
		t.Errorf("the longest line cannot be read: %v", s.Err())
	}
	f.Text += "x"
	if _, err := f.encode(); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("a longer line gives %v, want an Invalid error", err)
	}
}

func TestTooLongLineEndsTheChat(t *testing.T) {
	h := &host{}
	c, _ := runChannel(t, h)
	p := attach(t, c)
	p.send(frame{T: frameSay, ID: "a-1", Text: "before"})
	p.want(frame{T: frameStored, ID: "a-1"})
	p.conn.Write(bytes.Repeat([]byte("x"), maxLine+1))
	if err := <-p.served; nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("Serve returned %v, want an Invalid error", err)
	}
}

// FuzzServe sends any bytes. Exactly the valid lines, in order, reach the host.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"t":"say","id":"a-1","text":"hello"}` + "\n" + `{"t":"shown","id":"d"}` + "\n\n{]\n" + `{"t":"say","id":"a-2","text":"no newline"}`))
	f.Add([]byte(`{"T":"say","ID":"A","text":"\ud800\u0000"}` + "\r\n" + `{"t":"say","id":"","text":"x"}` + "\n"))
	f.Add(bytes.Repeat([]byte("\n"), 200))
	f.Fuzz(func(t *testing.T, sent []byte) {
		h := &host{}
		c, _ := runChannel(t, h)
		here, there := net.Pipe()
		go io.Copy(io.Discard, here)
		defer here.Close()
		if err := c.Serve(there, bytes.NewReader(sent)); err != nil && nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("Serve returned %v", err)
		}
		want, bad := validTexts(sent)
		got := h.texts()
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Errorf("received %q, want a beginning of %q", got, want)
		}
		if bad+len(want) < live.Queue && len(got) < len(want) { // else it may be dropped as slow
			t.Errorf("received %q, want %q", got, want)
		}
	})
}

var goodID = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// validTexts is what a host should receive of some lines, said another way.
func validTexts(lines []byte) (texts []string, bad int) {
	for line := range bytes.SplitSeq(lines, []byte("\n")) {
		if len(line) >= maxLine {
			return texts, bad
		}
		var f struct{ T, ID, Text string }
		err := json.Unmarshal(line, &f)
		blank := strings.Trim(clean(f.Text), " \t\n") == "" || !live.Visible(f.Text)
		if err == nil && f.T == "say" && goodID.MatchString(f.ID) && !blank {
			texts = append(texts, f.Text)
		} else {
			bad++
		}
	}
	return texts, bad
}

func BenchmarkRoundTrip(b *testing.B) {
	h := discard{}
	c := New(nil)
	go c.Run(b.Context(), h)
	here, there := net.Pipe()
	defer here.Close()
	go c.Serve(there, there)
	lines := frameLines(here)
	lines.Scan() // ready
	for b.Loop() {
		if err := writeFrame(here, frame{T: frameSay, ID: "a-1", Text: "hello"}); err != nil || !lines.Scan() {
			b.Fatal(errors.Join(err, lines.Err()))
		}
	}
}
