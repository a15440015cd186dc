package main

import (
	"fmt"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

type memoryAdd struct {
	Path           string   `arg:"" name:"area/name" help:"Where it stands, such as about/bike."`
	Text           []string `arg:"" help:"What to remember."`
	AllowSensitive bool     `help:"Keep this one though it is about a sensitive topic."`
}

// Run remembers a note. What was forgotten is remembered again only after one
// question.
func (m memoryAdd) Run(c call) error {
	change := web.Change{Do: memory.Learn, Path: m.Path, Text: strings.Join(m.Text, " "), Sensitive: m.AllowSensitive}
	return c.propose(change, "Remembered")
}

type memoryEdit struct {
	Note           string   `arg:"" name:"path|id" help:"Which note, such as about/bike."`
	Text           []string `arg:"" help:"What it shall say."`
	AllowSensitive bool     `help:"Keep it though it is about a sensitive topic."`
}

// Run corrects a note.
func (m memoryEdit) Run(c call) error {
	change := web.Change{Do: memory.Edit, Text: strings.Join(m.Text, " "), Sensitive: m.AllowSensitive}
	return c.proposeFor(m.Note, web.LiveNotes, change, "Corrected")
}

type memoryArchive struct {
	Note string `arg:"" name:"path|id" help:"Which note, such as about/bike."`
}

// Run archives a note.
func (m memoryArchive) Run(c call) error {
	return c.proposeFor(m.Note, web.LiveNotes, web.Change{Do: memory.Archive}, "Archived")
}

type memoryRestore struct {
	Note string `arg:"" name:"path|id" help:"Which note; of several at a path, the newest."`
}

// Run brings a note back.
func (m memoryRestore) Run(c call) error {
	return c.proposeFor(m.Note, web.ArchivedNotes, web.Change{Do: memory.Bring}, "Brought back")
}

type memoryUndo struct{}

// Run takes the last change back.
func (memoryUndo) Run(c call) error {
	return c.propose(web.Change{Do: memory.TakeBack}, "Took back the last change")
}

type memoryPause struct{}

// Run stops remembering.
func (memoryPause) Run(c call) error {
	return c.propose(web.Change{Do: memory.Set, Setting: memory.Saving},
		"Nothing new is remembered from chats until you run nacre memory resume")
}

type memoryResume struct{}

// Run starts remembering again.
func (memoryResume) Run(c call) error {
	return c.propose(web.Change{Do: memory.Set, Setting: memory.Saving, On: true}, "Remembering is on")
}

type memorySensitive struct {
	Switch string `arg:"" enum:"on,off" name:"on|off" help:"on or off."`
}

// Run allows or forbids sensitive topics.
func (m memorySensitive) Run(c call) error {
	done := "Sensitive topics are not remembered; notes about them that are there are not used"
	if m.Switch == "on" {
		done = "Sensitive topics are remembered like others"
	}
	return c.propose(web.Change{Do: memory.Set, Setting: memory.Sensitive, On: m.Switch == "on"}, done)
}

// propose makes a change and says what became of it.
func (c call) propose(change web.Change, done string) error {
	return c.atMemory(func(mem web.Memory) error { return c.proposeTo(mem, change, done) })
}

// proposeFor makes a change of the note of a name, as it is now.
func (c call) proposeFor(name string, which web.Which, change web.Change, done string) error {
	return c.atMemory(func(mem web.Memory) error {
		sheet, err := mem.Note(c.ctx, web.NoteName{Name: name, Which: which})
		if err != nil {
			return err
		}
		change.Note, change.Hash = sheet.Note.ID, sheet.Note.Hash
		return c.proposeTo(mem, change, done)
	})
}

func (c call) proposeTo(mem web.Memory, change web.Change, done string) error {
	out, err := mem.Propose(c.ctx, change)
	if err == nil && out.Refused == memory.Forgotten {
		if err := c.confirm("You had this forgotten. Remember it now?", "yes", "nothing was remembered"); err != nil {
			return err
		}
		change.Forgotten = true
		out, err = mem.Propose(c.ctx, change)
	}
	if err != nil {
		return err
	}
	if out.Refused != "" {
		return refusal(out.Refused)
	}
	_, err = fmt.Fprintln(c.out, outcomeText(change, out, done))
	return err
}

// outcomeText says what became of a change that was not refused.
func outcomeText(change web.Change, out web.Outcome, done string) string {
	n := out.Note
	noted := change.Do != memory.Set && change.Do != memory.TakeBack
	switch {
	case len(out.Undone) > 0:
		return done + ".\n" + strings.Join(out.Undone, "\n")
	case n == nil || !noted:
		return done + "."
	case n.Status == memory.Candidate:
		return fmt.Sprintf("%s waits for you: %s. See nacre memory review.", n.Path, render.Why(n.Waits))
	case out.Same:
		return "There was nothing to change: " + noteLine(*n)
	}
	return fmt.Sprintf("%s: %s", done, noteLine(*n))
}

// noteLine is a note in a line.
func noteLine(n web.Note) string { return n.Path + ": " + oneRow(n.Text) }

// refusal is the error that a person reads of a change that was refused.
func refusal(why memory.Reason) error {
	kind, hint := nacre.Denied, ""
	switch why {
	case memory.IsSensitive:
		hint = "; --allow-sensitive keeps just this one, and nacre memory sensitive on all of them"
	case memory.NotLegal:
		return nacre.Errorf(nacre.Conflict, "nothing was changed: that note changed meanwhile; look again and repeat it")
	case memory.Stale:
		kind, hint = nacre.Conflict, "; look at it again"
	case memory.NoNote, memory.NothingToUndo:
		kind = nacre.NotFound
	case memory.TooLong, memory.NoText, memory.BadSlot:
		kind = nacre.Invalid
	}
	return nacre.Errorf(kind, "nothing was changed: %s%s", render.Why(why), hint)
}
