package folder

import (
	"strings"
	"testing"

	"nacre/memory"
	"nacre/memory/render"
)

func TestSummary(t *testing.T) {
	secret := Report{What: Refused, File: Memory, Line: 7, Reason: memory.IsSecret}
	for _, c := range []struct {
		name    string
		reports []Report
		want    string
	}{
		{"nothing", nil, ""},
		{"as expected", []Report{{What: Added, File: Memory, Line: 3}, {What: Changed, File: Memory, Line: 4, Note: "about/bike"}}, ""},
		{"refused", []Report{secret}, "Line 7 of MEMORY.md was not taken over, and is gone from the file: " + render.Why(memory.IsSecret) + "."},
		{"refused and quoted", []Report{{What: Refused, File: Memory, Line: 7, Reason: memory.NoText, Text: "a *line*"}}, "Line 7 of MEMORY.md was not taken over, and is gone from the file: it has no text. You wrote: “a \\*line\\*”"},
		{"forgotten before", []Report{{What: Refused, File: Memory, Line: 7, Reason: memory.Forgotten}}, "Line 7 of MEMORY.md was not taken over, and is gone from the file: " + render.Why(memory.Forgotten) + ". If I shall know it again, say it to me in the chat; then I ask once."},
		{"twice", []Report{{What: Twice, File: Memory, Line: 4, Note: "about/bike"}}, "Line 4 of MEMORY.md was not taken over, and is gone from the file: a line above it has the same name, about/bike. Please give it one of its own."},
		{"archived", []Report{{What: Added}, {What: Archived, File: Memory, Note: "about/bike"}}, "about/bike went to the archive, because you took its line out of MEMORY.md. To erase it for good, say /forget."},
		{"not archived", []Report{{What: Refused, File: Memory, Note: "about/bike", Reason: memory.NotLegal}}, "about/bike could not be taken out: " + render.Why(memory.NotLegal) + "."},
		{"waits", []Report{{What: Waiting, File: Memory, Line: 2, Reason: memory.TombSlot}}, "Line 2 of MEMORY.md waits for you to decide: " + render.Why(memory.TombSlot) + "."},
		{"clash", []Report{{What: Clashed, File: Memory, Line: 2}}, "Line 2 of MEMORY.md was not taken over, because memory changed in the same place meanwhile. Please look at what it says now, and change that if you still want to."},
		{"clash of a removed line", []Report{{What: Clashed, File: Memory, Note: "about/bike"}}, "about/bike stays, because memory changed it while you took its line out of MEMORY.md. If it shall go, please take it out again."},
		{"accident", []Report{{What: Lost, File: Memory}}, "The list in MEMORY.md was gone, or more than half of it. I took that for an accident, changed nothing in memory and wrote the list anew. To take out many notes, take out a few lines at a time, or say /forget."},
		{"foreign", []Report{{What: Foreign, File: Memory}}, "I could not tell what you changed in the list in MEMORY.md, so I wrote it anew and changed nothing in memory."},
		{"broken", []Report{{What: Broken, File: Memory, Mend: "Mend it."}}, "Mend it."},
		{"long", []Report{{What: Overlong, File: Soul}}, "SOUL.md is longer than 8000 characters. What is beyond is not read; please shorten it."},
	} {
		if got := Summary(c.reports); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	many := make([]Report, mostTold+3)
	for i := range many {
		many[i] = secret
	}
	if got := Summary(many); strings.Count(got, "\n") != mostTold || !strings.HasSuffix(got, "\nAnd so for 3 more.") {
		t.Errorf("many: %q", got)
	}
}
