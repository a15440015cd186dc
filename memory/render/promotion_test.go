package render_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

func TestPromotionInWords(t *testing.T) {
	for _, c := range []struct {
		p    memory.Promotion
		want string
	}{
		{memory.Promotion{Pin: true, Use: memory.Use{Days: 5, Last: "2026-11-28"}}, "recalled on 5 days, last on 2026-11-28"},
		{memory.Promotion{Use: memory.Use{Days: 5, Last: "2026-08-28"}}, "not recalled for 90 days, since 2026-08-28"},
		{memory.Promotion{}, "not recalled once in the 90 days since it was pinned"},
	} {
		if got := render.Promotion(c.p); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

func TestPinnedInWords(t *testing.T) {
	use := memory.Use{Days: 1, Last: "2026-11-28"}
	for _, c := range []struct {
		name string
		note memory.Note
		use  memory.Use
		want string
	}{
		{"not pinned", memory.Note{}, use, ""},
		{"by itself", memory.Note{Pinned: true, PinnedBy: memory.ByRepair}, use, "recalled on 1 day, last on 2026-11-28"},
		{"by hand", memory.Note{Pinned: true, PinnedBy: memory.ByPage, Held: true}, use, "you want it at hand"},
		{"by itself, its use unknown", memory.Note{Pinned: true, PinnedBy: memory.ByRepair}, memory.Use{}, "not recalled yet"},
	} {
		if got := render.Pinned(&c.note, c.use); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPinnedRoom holds that what fills the room keeps to the budget in MEMORY.md
// and in prompts, to the character in the first.
func TestPinnedRoom(t *testing.T) {
	for name, filling := range map[string][]*memory.Note{
		"short": many(400, 40), "long": many(20, 900), "hostile": append(hostile(), many(300, 60)...), "dated": dated(300),
	} {
		t.Run(name, func(t *testing.T) {
			room := render.PinnedRoom()
			var notes []*memory.Note
			for _, n := range filling {
				if size := room.Size(n); size <= room.Budget {
					room.Budget -= size
					n.Pinned = true
					notes = append(notes, n)
				}
			}
			if len(notes) < 4 || len(notes) == len(filling) {
				t.Fatalf("%d of %d notes are pinned", len(notes), len(filling))
			}
			file, err := render.File("", notes)
			if err != nil {
				t.Fatal(err)
			}
			_, part, _ := strings.Cut(file, "-->\n")
			part, _, _ = strings.Cut(part, "\n<!-- memory:end")
			if size := utf8.RuneCountInString(part); size != render.PinnedBudget-room.Budget {
				t.Errorf("MEMORY.md has %d characters of them, with %d left of %d", size, room.Budget, render.PinnedBudget)
			}
			section := render.Section(notes, map[nacre.NoteID]int{}, fence)
			if strings.Contains(section, "Notes, the surest first") || strings.Contains(section, "Shortened") || len(slots(section)) != len(notes) {
				t.Error("prompts have no room for all of them")
			}
		})
	}
}

// dated makes notes whose remarks are long.
func dated(n int) []*memory.Note {
	notes := many(n, 30)
	day := func(text string) memory.Date {
		d, _ := memory.ParseDate(text, time.UTC)
		return d
	}
	for _, n := range notes {
		n.Valid, n.Event, n.Expires = memory.Span{From: day("2020-01-02"), To: day("2030-01-02")}, day("2026-05-06T07:08"), day("2031")
	}
	return notes
}
