package folder

import (
	"cmp"
	"fmt"
	"strings"

	"nacre/memory"
	"nacre/memory/render"
)

// What is what became of a hand edit.
type What int

// What can become of one.
const (
	Added    What = iota // a new note
	Changed              // a note says something else now, stands elsewhere, or is pinned or not
	Archived             // a note is no longer believed
	Waiting              // it is kept, and the owner has to decide on it
	Refused              // nothing was done
	Clashed              // memory changed in the same place, and its version stays
	Twice                // a line above is of the same note
	Lost                 // so much was gone that it was taken for an accident
	Foreign              // nothing says what was last written, so that nobody can tell what a hand did
	Broken               // the file cannot be read until the owner mends it; nothing was done
	Overlong             // a text is longer than what is read of it
)

// Report says what became of one hand edit. It repeats the words of a line only
// where these would be lost, and are neither a secret nor about what the owner
// keeps out of memory.
type Report struct {
	What   What
	File   string        // its name in the folder
	Line   int           // from 1, as the hand left it; 0 for none
	Note   string        // "area/slug" of a note that memory has; empty for none
	Reason memory.Reason // Waiting, Refused
	Text   string        // Refused, Clashed, Twice: the beginning of the line; empty if it may not be told
	Mend   string        // Broken: what to do
}

// String is the report in a sentence or two for the owner.
func (r Report) String() string {
	switch r.What {
	case Added:
		return fmt.Sprintf("Line %d of %s is remembered.", r.Line, r.File)
	case Changed:
		return fmt.Sprintf("%s is as you want it in line %d of %s.", r.Note, r.Line, r.File)
	case Archived:
		return fmt.Sprintf("%s went to the archive, because you took its line out of %s. To erase it for good, say /forget.", r.Note, r.File)
	case Waiting:
		return fmt.Sprintf("Line %d of %s waits for you to decide: %s.", r.Line, r.File, render.Why(r.Reason))
	case Refused:
		return r.refusal()
	case Clashed:
		return r.clash()
	case Twice:
		return fmt.Sprintf("Line %d of %s was not taken over, and is gone from the file: a line above it has the same name, %s. Please give it one of its own.", r.Line, r.File, cmp.Or(r.Note, "which is new")) + r.quote()
	case Lost:
		return fmt.Sprintf("The list in %s was gone, or more than half of it. I took that for an accident, changed nothing in memory and wrote the list anew. To take out many notes, take out a few lines at a time, or say /forget.", r.File)
	case Foreign:
		return fmt.Sprintf("I could not tell what you changed in the list in %s, so I wrote it anew and changed nothing in memory.", r.File)
	case Broken:
		return r.Mend
	}
	return fmt.Sprintf("%s is longer than %d characters. What is beyond is not read; please shorten it.", r.File, MaxText)
}

func (r Report) refusal() string {
	if r.Line == 0 {
		return fmt.Sprintf("%s could not be taken out: %s.", r.Note, render.Why(r.Reason))
	}
	told := fmt.Sprintf("Line %d of %s was not taken over, and is gone from the file: %s.", r.Line, r.File, render.Why(r.Reason))
	if r.Reason == memory.Forgotten {
		told += " If I shall know it again, say it to me in the chat; then I ask once."
	}
	return told + r.quote()
}

func (r Report) clash() string {
	if r.Line == 0 {
		return fmt.Sprintf("%s stays, because memory changed it while you took its line out of %s. If it shall go, please take it out again.", r.Note, r.File)
	}
	return fmt.Sprintf("Line %d of %s was not taken over, because memory changed in the same place meanwhile. Please look at what it says now, and change that if you still want to.", r.Line, r.File) + r.quote()
}

// quote gives the words of a line back.
func (r Report) quote() string {
	if r.Text == "" {
		return ""
	}
	return " You wrote: “" + render.Literal(r.Text) + "”"
}

// mostTold is how many sentences go into one message.
const mostTold = 12

// Summary is what the owner is told of reports; empty if everything went as a
// hand would expect.
func Summary(reports []Report) string {
	var lines []string
	for _, r := range reports {
		if r.What != Added && r.What != Changed {
			lines = append(lines, r.String())
		}
	}
	if more := len(lines) - mostTold; more > 0 {
		lines = append(lines[:mostTold], fmt.Sprintf("And so for %d more.", more))
	}
	return strings.Join(lines, "\n")
}
