package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// body returns a Body over in that nothing interrupts.
func body(in io.Reader) *Body { return NewBody(in, func(error) {}) }

func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct{ name, body, want string }{ // want: name=data, a bar between
		{"plain", "data: {1}\n\ndata: {2}\n\n", "={1}|={2}"},
		{"named", "event: a\ndata: {1}\n\ndata: {2}\n\n", "a={1}|={2}"},
		{"named after", "data: {1}\nevent: a\n\ndata: {2}\n\n", "a={1}|={2}"},
		{"no space", "event:a\ndata:{1}\n\n", "a={1}"},
		{"no blank lines", "data: {}\ndata: [2]\ndata: [DONE]\n", "={}|=[2]|=[DONE]"},
		{"one event over lines", "data: {\ndata: 1\ndata: }\n\ndata: {2}\n\n", "={\n1\n}|={2}"},
		{"named end", "event: end\ndata: [DONE]\n\n", "end=[DONE]"},
		{"carriage returns", "event: a\r\ndata: {1}\r\n\r\ndata: {2}\r\n\r\n", "a={1}|={2}"},
		{"no last newline", "data: {1}\n\ndata: {2}", "={1}|={2}"},
		{"comments", ": BUSY\n\ndata: {}\n:\ndata: {2}\n", "={}|={2}"},
		{"other fields", "id: 7\nretry: 10\ndata: {1}\n\n", "={1}"},
		{"heartbeat", "event: ping\ndata: 1\n\ndata: {1}\n\n", "={1}"},
		{"name survives a comment", "event: ping\n:\n: why\ndata: 1\n\ndata: {1}\n\n", "={1}"},
		{"name ends with its event", "event: ping\ndata: 1\n\ndata: junk\n\n", "=junk"},
		{"empty data", "data:\n\ndata: \n\ndata: {1}\n\n", "={1}"},
		{"a colon in the data", "data: {\"a\":1}\n\n", `={"a":1}`},
		{"long", "data: {" + long + "}\n\ndata: {2}\n\n", "={" + long + "}|={2}"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.body), iotest.OneByteReader(strings.NewReader(tt.body))} {
				var got []string
				err := body(in).Events(func(e Event) (State, error) {
					got = append(got, fmt.Sprintf("%s=%s", e.Name, e.Data))
					return Open, nil
				})
				if s := strings.Join(got, "|"); s != tt.want || !errors.Is(err, errCut) {
					t.Errorf("got %.60q, %v; want %.60q", s, err, tt.want)
				}
			}
		})
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct{ name, body, want string }{
		{"plain", "{1}\n{2}\n", "{1}|{2}"},
		{"carriage returns and blanks", "{1}\r\n\r\n \n {2} \r\n", "{1}|{2}"},
		{"no last newline", "{1}\n{2}", "{1}|{2}"},
		{"long", long + "\n{2}\n", long + "|{2}"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.body), iotest.OneByteReader(strings.NewReader(tt.body))} {
				var got []string
				err := body(in).Lines(func(line []byte) (State, error) {
					got = append(got, string(line))
					return Open, nil
				})
				if s := strings.Join(got, "|"); s != tt.want || !errors.Is(err, errCut) {
					t.Errorf("got %.60q, %v; want %.60q", s, err, tt.want)
				}
			}
		})
	}
}

func TestLineOverTheLimit(t *testing.T) {
	for _, size := range []int{maxLine - 10, maxLine + 1} {
		err := body(strings.NewReader("{" + strings.Repeat("x", size) + "}\n")).Lines(func([]byte) (State, error) { return Done, nil })
		if got := err != nil; got != (size > maxLine) {
			t.Errorf("%d bytes: got %v", size, err)
		}
	}
}

// What goes wrong after the end of an answer cannot spoil it; before, it tells
// a torn connection from one that was closed.
func TestStates(t *testing.T) {
	torn, bad := errors.New("torn"), errors.New("bad")
	tests := []struct {
		name  string
		lines string // o open, e ended, d done, x an error of the taker, ! a torn connection
		taken int
		want  error
	}{
		{"done", "ood", 3, nil},
		{"done, and more", "odo", 2, nil},
		{"ended and closed", "oeo", 3, nil},
		{"ended and torn", "oe!", 2, nil},
		{"ended and bad", "oex", 3, nil},
		{"closed", "oo", 2, errCut},
		{"torn", "oo!", 2, torn},
		{"bad", "oxo", 2, bad},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, cut := strings.CutSuffix(tt.lines, "!")
			var in io.Reader = strings.NewReader(strings.Join(strings.Split(text, ""), "\n") + "\n")
			if cut {
				in = io.MultiReader(in, iotest.ErrReader(torn))
			}
			taken := 0
			err := body(in).Lines(func(line []byte) (State, error) {
				taken++
				switch line[0] {
				case 'e':
					return Ended, nil
				case 'd':
					return Done, nil
				case 'x':
					return Open, bad
				}
				return Open, nil
			})
			if !errors.Is(err, tt.want) || taken != tt.taken {
				t.Errorf("got %v after %d lines; want %v after %d", err, taken, tt.want, tt.taken)
			}
		})
	}
}

// Silence ends the call after Idle, the wait for the usage after Linger, and a
// server that keeps its answer open delays it by no more than drainTime.
func TestSilence(t *testing.T) {
	for _, tt := range []struct {
		name  string
		state State
		want  time.Duration
	}{{"in an answer", Open, Idle}, {"after its end", Ended, Linger}, {"after all", Done, drainTime}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, out := io.Pipe()
				ctx, cancel := context.WithCancelCause(t.Context())
				context.AfterFunc(ctx, func() { out.CloseWithError(context.Cause(ctx)) })
				start := time.Now()
				go io.WriteString(out, "line\n")
				err := NewBody(in, cancel).Lines(func([]byte) (State, error) { return tt.state, nil })
				if took := time.Since(start); took != tt.want || (err != nil) != (tt.state == Open) {
					t.Errorf("got %v after %v; want it after %v", err, took, tt.want)
				}
			})
		})
	}
}

func TestLiterals(t *testing.T) {
	tests := []struct {
		name     string
		literals []string
		want     string
	}{
		{"joined", []string{`"a"`, `""`, `null`, ``, `"b"`}, "ab"},
		{"pair in two", []string{`"hat \ud83c"`, `"\uDFA9!"`}, "hat 🎩!"},
		{"lone first half at the end", []string{`"x\ud83c"`}, "x\uFFFD"},
		{"escaped backslash", []string{`"\\ud83c"`, `"\\udfa9"`}, `\ud83c\udfa9`},
		{"invalid bytes", []string{"\"a\xffb\""}, "a\uFFFDb"},
	}
	for _, tt := range tests {
		var l Literals
		var got strings.Builder
		for _, raw := range tt.literals {
			s, err := l.Next([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(s)
		}
		if got.WriteString(l.End()); got.String() != tt.want {
			t.Errorf("%s: got %q; want %q", tt.name, got.String(), tt.want)
		}
	}
	for _, raw := range []string{"7", "{}", "[]", "true"} {
		if _, err := new(Literals).Next([]byte(raw)); err == nil {
			t.Errorf("%s passes for text", raw)
		}
	}
}

func TestThinking(t *testing.T) {
	tests := []struct {
		name, in string // pieces with a bar between
		want     string
	}{
		{"none", "a|b", "ab"},
		{"whole", "<think>hm</think>\n\nyes", "yes"},
		{"in pieces", "\n<|thi|nk>a|b</|think|> |yes", "yes"},
		{"not closed", "<think>hm", ""},
		{"almost", " <thi", " <thi"},
		{"blanks in pieces", " |\n|\t|x| y", " \n\tx y"},
		{"later", "yes <think>no</think>", "yes <think>no</think>"},
	}
	for _, tt := range tests {
		var th Thinking
		var got strings.Builder
		for piece := range strings.SplitSeq(tt.in, "|") {
			got.WriteString(th.Next(piece))
		}
		if got.WriteString(th.End()); got.String() != tt.want {
			t.Errorf("%s: got %q; want %q", tt.name, got.String(), tt.want)
		}
	}
}

// Blanks that may stand before a thought are held without being read again with
// every further one.
func TestThinkingManyBlanks(t *testing.T) {
	const n = 1 << 20
	var th Thinking
	for range n {
		if got := th.Next(" "); got != "" {
			t.Fatalf("showed %q", got)
		}
	}
	if got := th.Next("x"); len(got) != n+1 {
		t.Errorf("%d bytes came out; want %d", len(got), n+1)
	}
}

// What a Thinking shows does not depend on how the text was cut.
func FuzzThinking(f *testing.F) {
	f.Add(" \n<think>a</think> b", 3)
	f.Add("  <thi", 4)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = max(1, size)
		var whole, cut Thinking
		want := whole.Next(text)
		want += whole.End()
		var got strings.Builder
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			got.WriteString(cut.Next(rest[:min(size, len(rest))]))
		}
		if got.WriteString(cut.End()); got.String() != want {
			t.Errorf("%q in pieces of %d: got %q; want %q", text, size, got.String(), want)
		}
	})
}

// Both readers end on whatever comes, and lose no line.
func FuzzReaders(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: {1}\r\n\r\n:\ndata: x\n"))
	f.Add([]byte("data:{\n{\n\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var lines []string
		body(strings.NewReader(string(in))).Lines(func(l []byte) (State, error) {
			lines = append(lines, string(l))
			return Open, nil
		})
		var want []string
		for l := range strings.SplitSeq(string(in), "\n") {
			if l = strings.TrimSpace(l); l != "" {
				want = append(want, l)
			}
		}
		if len(in) < maxLine && !slices.Equal(lines, want) {
			t.Errorf("got the lines %q; want %q", lines, want)
		}
		body(iotest.OneByteReader(strings.NewReader(string(in)))).Events(func(e Event) (State, error) {
			for part := range strings.SplitSeq(string(e.Data), "\n") {
				if len(e.Data) == 0 || !slices.ContainsFunc(want, func(l string) bool { return strings.HasSuffix(l, part) }) {
					t.Errorf("the event %q is in none of the lines", e.Data)
				}
			}
			return Open, nil
		})
	})
}
