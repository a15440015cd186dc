package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
	"rsc.io/qr"
)

// screen shows QR codes, in a terminal each in the place of the one before.
type screen struct {
	out     io.Writer
	colours bool
	redraws bool
	size    func() (columns, lines int) // 0 if that is not known
	shown   int                         // lines of the code that is to be replaced
}

func newScreen(c call) *screen {
	s := &screen{out: c.out, size: func() (int, int) { return 0, 0 }}
	if f, ok := c.out.(*os.File); ok && isTerminal(f) {
		s.redraws = c.getenv("TERM") != "dumb"
		s.colours = s.redraws && c.getenv("NO_COLOR") == ""
		s.size = func() (columns, lines int) {
			columns, lines, _ = term.GetSize(int(f.Fd()))
			return columns, lines
		}
	}
	return s
}

// qr shows a code with a remark below. What does not fit into the terminal could
// not be scanned; it may fit when the next code comes.
func (s *screen) qr(text, remark string) {
	lines := []string{"", "On the phone open WhatsApp, Linked devices, Link a device. Scan this code:", ""}
	lines = append(lines, s.draw(text)...)
	lines = append(lines, "", remark)
	if s.redraws && s.shown > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\r\x1b[J", s.shown) // up, and clear what is below
	}
	s.shown = len(lines)
	io.WriteString(s.out, strings.Join(lines, "\n")+"\n")
}

// draw draws a code, or says why it does not.
func (s *screen) draw(text string) []string {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return []string{"The code cannot be drawn: " + err.Error() + "."}
	}
	blocks := halfBlocks(code, s.colours)
	wide, high := code.Size+2*quietZone, len(blocks)+3 // with the remark and the cursor
	columns, lines := s.size()
	if columns == 0 || columns >= wide && lines >= high {
		return blocks
	}
	return []string{
		fmt.Sprintf("The code needs %d columns and %d lines, and this terminal has %d and %d. Make it", wide, high, columns, lines),
		"larger before the next one comes, or stop this with Ctrl+C and link by the phone",
		"number: nacre pair whatsapp --phone NUMBER",
	}
}

// quietZone is the white margin that a QR code needs to be found, in modules
// (ISO/IEC 18004).
const quietZone = 4

// halfBlocks draws two rows of modules in a line. With colours they are black on
// white whatever the terminal's own colours are: numbers 16 and 231 of the 256,
// which no theme changes. Without, the light ones are drawn, as most terminals
// are dark.
func halfBlocks(code *qr.Code, colours bool) []string {
	ink := func(x, y int) int {
		if code.Black(x, y) == colours {
			return 1
		}
		return 0
	}
	begin, end := "", ""
	if colours {
		begin, end = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
	}
	blocks := [2][2]string{{" ", "▄"}, {"▀", "█"}} // by ink above and below
	var lines []string
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		var line strings.Builder
		for x := -quietZone; x < code.Size+quietZone; x++ {
			line.WriteString(blocks[ink(x, y)][ink(x, y+1)])
		}
		lines = append(lines, begin+line.String()+end)
	}
	return lines
}
