package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"rsc.io/qr"
)

// linkText is as long as what WhatsApp gives to be scanned.
var linkText = "https://wa.me/settings/linked_devices#2@" + strings.Repeat("aB3/", 60)

// dark reads half blocks back: which modules are dark, two rows of them a line.
func dark(t *testing.T, lines []string, colours bool) (rows [][]bool) {
	t.Helper()
	for _, line := range lines {
		if colours {
			var begun, ended bool
			line, begun = strings.CutPrefix(line, "\x1b[38;5;16;48;5;231m")
			line, ended = strings.CutSuffix(line, "\x1b[0m")
			if !begun || !ended {
				t.Fatalf("%q is not black on white", line)
			}
		}
		var above, below []bool
		for _, block := range line {
			if !strings.ContainsRune("█▀▄ ", block) {
				t.Fatalf("%q has %q", line, block)
			}
			above = append(above, (block == '█' || block == '▀') == colours)
			below = append(below, (block == '█' || block == '▄') == colours)
		}
		rows = append(rows, above, below)
	}
	return rows
}

// What is drawn has the modules of the code that it stands for, and a light margin.
func TestHalfBlocks(t *testing.T) {
	for _, text := range []string{"1", "hello", linkText} {
		code, err := qr.Encode(text, qr.L)
		if err != nil {
			t.Fatal(err)
		}
		for _, colours := range []bool{false, true} {
			rows := dark(t, halfBlocks(code, colours), colours)
			if want := code.Size + 2*quietZone; len(rows) != want+1 || len(rows[0]) != want { // the last line has one row below
				t.Fatalf("%.20q: %d rows of %d, want %d and one", text, len(rows), len(rows[0]), want)
			}
			for y, row := range rows {
				for x, got := range row {
					if want := code.Black(x-quietZone, y-quietZone); got != want {
						t.Fatalf("%.20q, colours %v: module %d, %d is dark: %v, want %v", text, colours, x, y, got, want)
					}
				}
			}
		}
	}
}

// A terminal shows one code at a time; what is no terminal gets one below another.
func TestScreenReplacesTheCode(t *testing.T) {
	for _, redraws := range []bool{false, true} {
		var b bytes.Buffer
		s := &screen{out: &b, colours: true, redraws: redraws, size: func() (int, int) { return 80, 60 }}
		s.qr(linkText, "the first")
		first := b.String()
		b.Reset()
		s.qr(linkText+"/", "the second")
		second := b.String()
		up := fmt.Sprintf("\x1b[%dA\r\x1b[J", strings.Count(first, "\n"))
		if got := strings.HasPrefix(second, up); got != redraws || strings.Contains(first, "\x1b[J") {
			t.Errorf("redraws %v: the second begins with %.20q, want %q", redraws, second, up)
		}
		if !strings.Contains(first, "the first\n") || !strings.Contains(second, "the second\n") {
			t.Error("what stands below is missing")
		}
	}
}

// A code of which a part is out of sight cannot be scanned.
func TestScreenThatIsTooSmall(t *testing.T) {
	code, err := qr.Encode(linkText, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	wide, high := code.Size+2*quietZone, (code.Size+2*quietZone+1)/2+3
	for _, c := range []struct {
		columns, lines int
		drawn          bool
	}{{0, 0, true}, {wide, high, true}, {wide - 1, high, false}, {wide, high - 1, false}} {
		var b bytes.Buffer
		s := &screen{out: &b, size: func() (int, int) { return c.columns, c.lines }}
		s.qr(linkText, "the remark")
		drawn, told := strings.Contains(b.String(), "█"), strings.Contains(b.String(), "nacre pair whatsapp --phone NUMBER")
		if drawn != c.drawn || told == c.drawn || !strings.Contains(b.String(), "the remark") {
			t.Errorf("%d columns, %d lines: drawn %v, told %v", c.columns, c.lines, drawn, told)
		}
	}
}

func TestScreenOfWhatCannotBeDrawn(t *testing.T) {
	var b bytes.Buffer
	s := &screen{out: &b, size: func() (int, int) { return 0, 0 }}
	s.qr(strings.Repeat("x", 3000), "the remark")
	if !strings.Contains(b.String(), "The code cannot be drawn: ") || strings.Contains(b.String(), "█") {
		t.Errorf("shown %q", b.String())
	}
}
