package render_test

import (
	"testing"
	"time"

	"nacre/memory"
	"nacre/memory/render"
)

func TestReceipt(t *testing.T) {
	outside := []string{"what the chat network keeps of our conversation", "what the provider of the language model keeps of earlier requests"}
	for name, r := range map[string]memory.Receipt{
		"receipt_note.md":    {Size: memory.SizeNote, At: noon, Done: map[string]int{"notes": 1}, Outside: outside, Tombs: 1},
		"receipt_said.md":    {Size: memory.SizeSaid, At: noon, Done: map[string]int{"turns": 1, "notes": 2, "messages": 3, "summaries": 1, "replies": 1, "files": 0, "jobs": 2, "attachments": 2}, Outside: outside, Tombs: 4},
		"receipt_pending.md": {Size: memory.SizeAbout, At: noon.Add(time.Hour), Done: map[string]int{"messages": 1}, Pending: []string{"a *log* is still\nbeing read"}, Outside: outside},
		"receipt_all.md":     {Size: memory.SizeAll, At: noon},
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, render.Receipt(r)) })
	}
}
