package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPageNotesForget(t *testing.T) {
	p := newPaged(t)
	p.notes()
	soul := filepath.Join(p.listing().Folder, "SOUL.md")
	if err := os.WriteFile(soul, []byte("Be brief.\nNever praise Acme bikes.\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	// The plan says what would go, and is made anew if memory changes meanwhile.
	p.open("The bike is green.")
	p.Press("Forget…")
	p.sound("the sizes")
	p.Scheme("dark")
	p.Golden("notes-sizes-1280-dark")
	p.Press("Show what would go")
	p.Sees("dialog", "It would be blanked out where else it is kept: 1 message.")
	p.sound("the plan")
	p.says("memory", "add", "about/desk", "The desk is high.")
	p.Press("Forget it")
	p.Sees("dialog", "Memory changed while you were looking. Nothing was forgotten yet")
	p.Sees("long-list", "The bike is green.")
	p.Press("Forget it")
	for _, words := range []string{"The note is forgotten, and where you said it.", "1 note, 1 message", "what the chat network keeps of our conversation", "1 fingerprint"} {
		p.Sees("dialog", words)
	}
	p.sound("the receipt")
	p.Size(360, 780)
	p.Golden("notes-receipt-360-dark")
	p.Size(1280, 800)
	p.Press("Done")
	p.SeesNot("body", "The bike is green.")
	p.Sees("body", "Choose a note to see where it comes from.") // the way back is gone

	// It is remembered again only if the owner says so.
	p.Press("Add a note")
	p.Fill("What to remember", "The bike is green.")
	p.Fill("Name", "bike")
	p.Press("Remember it")
	p.Sees("dialog", "You had this forgotten. Remember it now?")
	p.Press("Leave it forgotten")
	p.Press("Remember it")
	p.PressIn("dialog", "Remember it")
	p.Sees(".sheet > .text", "The bike is green.")

	// Words are forgotten wherever they stand, also in the owner's own prose if they
	// want that.
	p.Fill("Search notes and what was said", "Acme bikes")
	p.Press("Forget these words…")
	p.Press("Show what would go")
	p.Sees("dialog .going", "Always recommend Acme bikes.")
	p.Press("Forget it")
	p.Sees("dialog", "SOUL.md")
	p.Press("Blank it out there too")
	p.Sees("dialog", "Blanked out in your own words")
	p.Press("Done")
	if text, err := os.ReadFile(soul); err != nil || strings.Contains(string(text), "Acme") || !strings.Contains(string(text), "Be brief.") {
		t.Errorf("SOUL.md is %q, %v", text, err)
	}

	// Everything needs the word.
	p.Fill("Search notes and what was said", "x")
	p.Press("Forget these words…")
	p.Press("Everything\nAll that is kept of you: notes, messages, answers, files, jobs, settings and your password.")
	p.Press("Show what would go")
	p.Sees("dialog", "and all messages, answers, files, jobs and settings")
	p.Until(`document.querySelector("dialog .danger").disabled`)
	p.Fill("Type everything to go on", "everything")
	p.Press("Forget it")
	p.Sees("dialog", "Everything is forgotten")
	p.Press("Done")
	p.Sees(".notes .empty", "Nothing is remembered yet.")
	p.lists("all")
}
