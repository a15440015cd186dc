package terminal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/term"
)

// openTerminal returns both ends of a new pseudo-terminal.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("the checks need pseudo-terminals: %v", err)
	}
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	var number, unlocked int32
	ioctl(t, person, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	ioctl(t, person, syscall.TIOCGPTN, unsafe.Pointer(&number))
	program, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close(); person.Close() })
	return person, program
}

func ioctl(t *testing.T, f *os.File, request uintptr, arg unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); errno != 0 {
		t.Fatalf("ioctl %#x: %v", request, errno)
	}
}

func setWidth(t *testing.T, f *os.File, columns uint16) {
	size := struct{ rows, columns, x, y uint16 }{24, columns, 0, 0}
	ioctl(t, f, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
}

// tty is a chat on a real terminal.
type tty struct {
	t       *testing.T
	person  *os.File
	program *os.File
	before  term.State
	output  chan []byte
	seen    string
	ended   chan error
}

func openChat(t *testing.T, ctx context.Context, env map[string]string) *tty {
	person, program := openTerminal(t)
	setWidth(t, person, 40)
	i := newInstallation(t, func(text string) string { return "**re:** " + text })
	c := &tty{t: t, person: person, program: program, before: state(t, program), output: make(chan []byte, 1000), ended: make(chan error, 1)}
	go c.listen()
	go func() {
		c.ended <- Chat(ctx, Options{Dial: i.dial, In: program, Out: program, Err: program, Getenv: func(name string) string { return env[name] }})
	}()
	return c
}

// listen passes on what the terminal shows until it is closed.
func (c *tty) listen() {
	for {
		b := make([]byte, 4096)
		n, err := c.person.Read(b)
		if err != nil {
			return
		}
		c.output <- b[:n]
	}
}

// want waits until text was on the terminal, after what was wanted before, and
// returns what came in between.
func (c *tty) want(text string) (before string) {
	c.t.Helper()
	tooLong := time.After(10 * time.Second)
	for !strings.Contains(c.seen, text) {
		select {
		case b := <-c.output:
			c.seen += string(b)
		case <-tooLong:
			c.t.Fatalf("the terminal shows %q, want %q", c.seen, text)
		}
	}
	before, c.seen, _ = strings.Cut(c.seen, text)
	return before
}

func (c *tty) wantRestored() {
	c.t.Helper()
	if state(c.t, c.program) != c.before {
		c.t.Error("the terminal is not as it was")
	}
}

func state(t *testing.T, f *os.File) term.State {
	s, err := term.GetState(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

func TestChatOnATerminal(t *testing.T) {
	c := openChat(t, t.Context(), nil)
	c.want("Nacre, your assistant on this machine.\x1b[0m\r\n")
	c.want("› ")
	if state(t, c.program) == c.before {
		t.Error("the terminal is not in raw mode")
	}

	c.person.WriteString("these words need more than one whole line\r")
	c.want("\x1b[0;1mre:\x1b[0m these words need more than one whole\r\nline\r\n")

	setWidth(t, c.person, 20)
	syscall.Kill(os.Getpid(), syscall.SIGWINCH)
	c.want("\x1b[K") // the line is drawn anew
	c.person.WriteString("these words need two lines\r")
	c.want("\x1b[0;1mre:\x1b[0m these words need\r\ntwo lines\r\n")

	c.person.WriteString("\x03")
	if err := <-c.ended; err != nil {
		t.Errorf("Chat returned %v after Ctrl-C", err)
	}
	c.wantRestored()
}

func TestSignalRestoresTheTerminal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := openChat(t, ctx, nil)
	c.want("› ")
	cancel()
	if err := <-c.ended; err != nil {
		t.Errorf("Chat returned %v", err)
	}
	c.wantRestored()
}

func TestEnvironment(t *testing.T) {
	const styles = "\x1b[0"
	for _, tc := range []struct {
		name   string
		env    map[string]string
		prompt string
		answer string
		styled bool
	}{
		{"colours", map[string]string{"TERM": "xterm"}, promptReady, "re:\x1b[0m hi\r\n", true},
		{"NO_COLOR", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, promptReady, "**re:** hi\r\n", false},
		{"a dumb terminal", map[string]string{"TERM": "dumb"}, "", "**re:** hi\r\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := openChat(t, t.Context(), tc.env)
			seen := c.want(tc.prompt)
			c.person.WriteString("hi\r")
			seen += c.want(tc.answer)
			if got := strings.Contains(seen, styles); got != tc.styled {
				t.Errorf("the terminal shows %q, want styles: %v", seen, tc.styled)
			}
			c.person.WriteString("\x04")
			if err := <-c.ended; err != nil {
				t.Errorf("Chat returned %v", err)
			}
			c.wantRestored()
		})
	}
}
