package render_test

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// archive is a whole memory with its quotes.
func archive(notes []*memory.Note) render.Archive {
	said := func(text string, at time.Duration, on nacre.ChannelName) memory.Quoted {
		return memory.Quoted{Evidence: memory.Evidence{Sent: noon.Add(at)}, Text: text, Chat: nacre.Chat{Channel: on}}
	}
	return render.Archive{
		Notes: notes,
		Quotes: map[nacre.NoteID][]memory.Quoted{
			"n5": {said("I walked Kiko, and he ate a *whole* shoe", 48*time.Hour, nacre.WhatsApp), said("Kiko is a beagle\n## really", 0, nacre.Telegram)},
			"n6": {said("my brother Rui has a gig, he's on the bass", 0, nacre.Telegram)},
		},
		At: noon.Add(100 * time.Hour).In(time.FixedZone("", 3600)),
	}
}

func TestExport(t *testing.T) {
	golden(t, "export.md", render.Export(archive(past())))
	golden(t, "export_hostile.md", render.Export(archive(hostile())))
	golden(t, "export_empty.md", render.Export(archive(nil)))
}

func TestExportSaysWhatIsHidden(t *testing.T) {
	const hidden = "hidden from every conversation"
	a := archive(past())
	if n := strings.Count(render.Export(a), hidden); n != 1 {
		t.Errorf("%d notes are said to be hidden while sensitive topics are off", n)
	}
	a.Sensitive = true
	if n := strings.Count(render.Export(a), hidden); n != 0 {
		t.Errorf("%d notes are said to be hidden while sensitive topics are on", n)
	}
}
