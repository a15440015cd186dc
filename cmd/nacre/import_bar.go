package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"nacre/web"
)

// Times of a bar.
const (
	barEvery = 100 * time.Millisecond // between two drawings, at least
	barFirst = time.Second            // until a step is shown: sooner nobody can tell how fast it is
)

// bar shows a person how far an import is; it shows nothing where nobody looks.
type bar struct {
	call
	shown *progressbar.ProgressBar // nil for none
	step  web.ImportStep           // that it shows
	began time.Time                // when that began
	off   bool
}

// newBar makes a bar. For programs it is off, and where there is no terminal.
func newBar(c call, off bool) *bar { return &bar{call: c, off: off || !isTerminal(c.err)} }

// tell shows how far it is.
func (b *bar) tell(p web.ImportProgress) {
	if b.off {
		return
	}
	if b.shown == nil || b.step != p.Step {
		b.end()
		b.step, b.began = p.Step, time.Now()
		b.shown = progressbar.NewOptions64(unknownAs(p.All, -1), progressbar.OptionSetWriter(b.err), progressbar.OptionShowBytes(true),
			progressbar.OptionSetDescription(stepWords(p.Step)), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(barEvery),
			progressbar.OptionClearOnFinish())
	}
	if time.Since(b.began) < barFirst {
		return
	}
	if p.All > 0 {
		b.shown.ChangeMax64(max(p.All, p.Done))
	}
	b.shown.Set64(p.Done)
}

// end clears it away.
func (b *bar) end() {
	if b.shown != nil {
		b.shown.Clear()
		b.shown = nil
	}
}

func stepWords(s web.ImportStep) string {
	if s == web.ImportTakes {
		return "Taking it in"
	}
	return "Reading it"
}

// unknownAs is a number, or another where that is not known.
func unknownAs(n, other int64) int64 {
	if n == 0 {
		return other
	}
	return n
}
