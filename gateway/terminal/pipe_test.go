package terminal

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"nacre"
)

// ask runs a chat in a pipe to its end and returns what it wrote.
func ask(ctx context.Context, dial func(context.Context) (net.Conn, error), in io.Reader) (out, notes string, err error) {
	var o, n paper
	err = Chat(ctx, Options{Dial: dial, In: in, Out: &o, Err: &n, Getenv: func(string) string { return "" }})
	return o.String(), n.String(), err
}

func TestPipe(t *testing.T) {
	echo := func(text string) string { return "**re:** " + text }
	for _, tc := range []struct{ name, in, want string }{
		{"one line", "hi\n", "**re:** hi\n"},
		{"no newline", "hi", "**re:** hi\n"},
		{"each line has its answer", "one\n\n  \r\ntwo\r\n", "**re:** one\n**re:** two\n"},
		{"a backslash goes on", "one\\\ntwo\n", "**re:** one\ntwo\n"},
		{"a backslash at the end", "one\\", "**re:** one\n"},
		{"quitting ends it", "one\n/quit\ntwo\n", "**re:** one\n"},
		{"nothing", "", ""},
		{"control characters", "a\x1b[31mb", "**re:** a[31mb\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := newInstallation(t, echo)
				out, notes, err := ask(t.Context(), i.dial, strings.NewReader(tc.in))
				if out != tc.want || notes != "" || err != nil {
					t.Errorf("got %q, notes %q, error %v; want %q", out, notes, err, tc.want)
				}
			})
		})
	}
}

// What waited since yesterday is shown, but it is no answer to today's question,
// even if it comes after that.
func TestPipeTellsAnswersFromWhatWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old := nacre.NewID(time.Now())
		time.Sleep(24 * time.Hour)
		d := newDialer(t)
		go func() {
			s := d.next()
			s.send(frame{T: frameStored, ID: s.wantSay("today")})
			s.send(frame{T: framePart, ID: old, Text: "yesterday's answer"})
			time.Sleep(10 * time.Second)
			s.send(frame{T: framePart, ID: nacre.NewID(time.Now()), Text: "today's answer"})
		}()
		out, _, err := ask(t.Context(), d.dial, strings.NewReader("today"))
		if want := "yesterday's answer\ntoday's answer\n"; out != want || err != nil {
			t.Errorf("got %q, %v; want %q", out, err, want)
		}
	})
}

func TestPipeShowsAllPartsOfTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		go func() {
			s := d.next()
			s.send(frame{T: frameStored, ID: s.wantSay("hi")})
			for _, text := range []string{"one", "two", "three"} {
				time.Sleep(lastWait / 2)
				s.send(frame{T: framePart, ID: nacre.NewID(time.Now()), Text: text})
			}
		}()
		out, _, err := ask(t.Context(), d.dial, strings.NewReader("hi"))
		if want := "one\ntwo\nthree\n"; out != want || err != nil {
			t.Errorf("got %q, %v; want %q", out, err, want)
		}
	})
}

func TestPipePrintsFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		long := strings.Repeat("a line\n", maxFileLines+1)
		go func() {
			s := d.next()
			s.send(frame{T: frameStored, ID: s.wantSay("/export")})
			s.send(frame{T: framePart, ID: nacre.NewID(time.Now()), Text: "Here it is."})
			s.send(frame{T: framePart, ID: nacre.NewID(time.Now()), File: "memory.md", Text: long})
		}()
		out, _, err := ask(t.Context(), d.dial, strings.NewReader("/export"))
		if want := "Here it is.\nmemory.md:\n\n" + long; out != want || err != nil {
			t.Errorf("got %q, %v; want %q", out, err, want)
		}
	})
}

func TestPipeWaits(t *testing.T) {
	for _, tc := range []struct {
		name   string
		server func(s server, id string) // what happens after the message came
		after  time.Duration
		want   string
	}{
		{"for a silent server", func(server, string) {}, answerWait,
			"The last message may not have reached Nacre; say it again when it is back."},
		{"for a silent model", func(s server, id string) {
			s.send(frame{T: frameStored, ID: id})
		}, answerWait + lastWait,
			"No answer came within 60 seconds; it will be shown when a chat is open."},
		{"longer while an answer is being made", func(s server, id string) {
			s.send(frame{T: frameStored, ID: id})
			for range 3 {
				time.Sleep(answerWait - time.Second)
				s.send(frame{T: frameTyping})
			}
		}, 4*answerWait - 3*time.Second + lastWait,
			"No answer came within 60 seconds; it will be shown when a chat is open."},
		{"not after a refusal", func(s server, id string) {
			s.send(frame{T: frameError, ID: id, Text: "No.\x1b[2J"})
		}, lastWait, "No.[2J"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDialer(t)
				go func() {
					s := d.next()
					tc.server(s, s.wantSay("one"))
				}()
				begin := time.Now()
				_, _, err := ask(t.Context(), d.dial, strings.NewReader("one"))
				if err == nil || err.Error() != tc.want {
					t.Errorf("got %v, want %q", err, tc.want)
				}
				if got := time.Since(begin); got != tc.after {
					t.Errorf("returned after %v, want %v", got, tc.after)
				}
			})
		})
	}
}

func TestPipeGoesOnAfterARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newInstallation(t, func(text string) string { return "re: " + text[:3] })
		long := strings.Repeat("\x01", maxLine/4) // fits as input, not as JSON
		out, _, err := ask(t.Context(), i.dial, strings.NewReader("one\n"+long+"x\ntwo\n"))
		if want := "re: one\nre: two\n"; out != want {
			t.Errorf("got %q, want %q", out, want)
		}
		if nacre.KindOf(errors.Unwrap(err)) != nacre.Invalid && err.Error() != errTooLong().Error() {
			t.Errorf("got %v, want that the message was too long", err)
		}
	})
}

func TestPipeEnds(t *testing.T) {
	broken := errors.New("broken")
	away := func(context.Context) (net.Conn, error) { return nil, broken }
	t.Run("at once without a server", func(t *testing.T) {
		if _, _, err := ask(t.Context(), away, strings.NewReader("hi")); err != broken {
			t.Errorf("got %v, want the error of Dial", err)
		}
	})
	t.Run("when the input breaks", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newInstallation(t, strings.ToUpper)
			out, _, err := ask(t.Context(), i.dial, io.MultiReader(strings.NewReader("hi\n"), iotest.ErrReader(broken)))
			if out != "HI\n" || !errors.Is(err, broken) {
				t.Errorf("got %q, %v", out, err)
			}
		})
	})
	t.Run("when a line is endless", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newInstallation(t, strings.ToUpper)
			out, _, err := ask(t.Context(), i.dial, strings.NewReader("hi\n"+strings.Repeat("x", maxLine+1)))
			if out != "HI\n" || err == nil || err.Error() != errTooLong().Error() {
				t.Errorf("got %q, %v", out, err)
			}
		})
	})
	t.Run("when the output breaks", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			i := newInstallation(t, strings.ToUpper)
			reader, out := io.Pipe()
			reader.CloseWithError(broken)
			err := Chat(t.Context(), Options{Dial: i.dial, In: strings.NewReader("hi\n"), Out: out, Err: io.Discard, Getenv: func(string) string { return "" }})
			if !errors.Is(err, broken) {
				t.Errorf("got %v, want the error of the output", err)
			}
		})
	})
	for _, in := range []string{"asked\n", ""} {
		t.Run("with its context, after "+in, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := newInstallation(t, func(string) string { return "" })
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				reader, writer := io.Pipe()
				go io.WriteString(writer, in)
				if _, _, err := ask(ctx, i.dial, reader); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the context's error", err)
				}
				writer.Close()
			})
		})
	}
}
