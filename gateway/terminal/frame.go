package terminal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

const (
	// maxLine is the longest frame in bytes, with its newline.
	maxLine = 1 << 20
	// writeWait is how long one frame may take to leave before the other side
	// counts as dead.
	writeWait = 10 * time.Second
)

// frameKind says what a frame is; the package comment lists what they mean.
type frameKind string

const (
	frameReady  frameKind = "ready"
	frameSay    frameKind = "say"
	frameShown  frameKind = "shown"
	frameStored frameKind = "stored"
	framePart   frameKind = "part"
	frameTyping frameKind = "typing"
	frameError  frameKind = "error"
)

// frame is one line of the protocol.
type frame struct {
	T    frameKind `json:"t"`
	ID   string    `json:"id,omitempty"`
	Text string    `json:"text,omitempty"`

	// File is set on a part that is a text file, or a piece of one: its name. Text
	// then is what it says.
	File string `json:"file,omitempty"`

	// Repeat is set on a part that an earlier process may have shown.
	Repeat bool `json:"repeat,omitempty"`
}

// words is what the person reads of a part, of a file below its name. A chat that
// knows its id does not show it again; one that was opened since cannot know and
// says so.
func (f frame) words() string {
	text := f.Text
	if f.File != "" {
		text = f.File + ":\n\n" + strings.TrimRight(text, "\n")
	}
	if f.Repeat {
		return gateway.RepeatLabel + text
	}
	return text
}

// maxFileLines is how many lines of a file a person at a screen is shown.
const maxFileLines = 200

// pointer is what a person at a screen reads instead of a file that would push
// all else off it; empty for what is shown.
func (f frame) pointer() string {
	lines := strings.Count(strings.TrimRight(f.Text, "\n"), "\n") + 1
	if f.File == "" || lines <= maxFileLines {
		return ""
	}
	return fmt.Sprintf("%s has %d lines, too many to show here. In a pipe, nacre chat prints all of a file; nacre memory export prints what is remembered.", f.File, lines)
}

// frameLines scans the lines of a connection; it fails with
// bufio.ErrTooLong at one that exceeds maxLine.
func frameLines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return s
}

// encode returns f as a line. A line too long to be read is Invalid.
func (f frame) encode() ([]byte, error) {
	line, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	if len(line)+1 > maxLine {
		return nil, errTooLong()
	}
	return append(line, '\n'), nil
}

// writeFrame sends f within writeWait. It may be called from several
// goroutines; frames do not mix.
func writeFrame(conn net.Conn, f frame) error {
	line, err := f.encode()
	if err != nil {
		return err
	}
	conn.SetWriteDeadline(time.Now().Add(writeWait))
	_, err = conn.Write(line)
	return err
}

// parseRequest reads a line that a chat sent. A frame which is refused returns
// its id where that is sound, so that the answer can name it, and an error that
// is a sentence for the person.
func parseRequest(line []byte) (frame, error) {
	var f frame
	if err := json.Unmarshal(line, &f); err != nil || !live.SoundID(f.ID) {
		return frame{}, errStrange()
	}
	switch {
	case f.T == frameSay && !live.Visible(f.Text):
		return f, nacre.Errorf(nacre.Invalid, "The message was empty.")
	case f.T == frameSay, f.T == frameShown:
		return f, nil
	}
	return f, errStrange()
}

func errTooLong() error {
	return nacre.Errorf(nacre.Invalid, "This is too long for one message; send less than %d kilobytes at a time.", maxLine>>10)
}

func errStrange() error {
	return nacre.Errorf(nacre.Invalid, "Nacre did not understand this chat program; use the one that came with the server.")
}
