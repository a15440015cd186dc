package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// memoryCommand is the operator's memory on the command line.
type memoryCommand struct {
	List      memoryList      `cmd:"" default:"withargs" help:"List what is remembered (the default)."`
	Show      memoryShow      `cmd:"" help:"Show a note with the words that it rests on."`
	Add       memoryAdd       `cmd:"" help:"Remember something."`
	Edit      memoryEdit      `cmd:"" help:"Correct a note; what it said goes to the archive."`
	Archive   memoryArchive   `cmd:"" help:"Put a note into the archive, out of use."`
	Restore   memoryRestore   `cmd:"" help:"Bring a note back from the archive."`
	Forget    memoryForget    `cmd:"" help:"Forget something for good, after showing what would go."`
	Review    memoryReview    `cmd:"" help:"Decide on notes that wait for you."`
	Log       memoryLogList   `cmd:"" help:"Show what happened to memory, without its words."`
	Undo      memoryUndo      `cmd:"" help:"Take back the last change; never a forgetting."`
	Pause     memoryPause     `cmd:"" help:"Remember nothing new for now."`
	Resume    memoryResume    `cmd:"" help:"Remember again."`
	Sensitive memorySensitive `cmd:"" help:"Allow or forbid remembering sensitive topics, such as health."`
	Export    memoryExport    `cmd:"" help:"Write all of it as one Markdown file."`
	Path      memoryPath      `cmd:"" help:"Print where your files MEMORY.md and SOUL.md lie."`
}

// atMemory runs f with the operator's memory.
func (c call) atMemory(f func(web.Memory) error) error {
	return c.atDesk(func(d web.Desk) error { return f(d.Memory(web.Hand{By: memory.ByShell})) })
}

// printJSON prints a value for programs.
func (c call) printJSON(v any) error {
	e := json.NewEncoder(c.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

type memoryList struct {
	Area    string    `help:"Only this area: about, preferences, people, routines or lessons." placeholder:"AREA"`
	Status  web.Which `help:"Which notes: live, waiting, archived or all." enum:"live,waiting,archived,all" default:"live"`
	AsOf    string    `help:"What was true at that date, such as 2026-05 or 2026-05-01." placeholder:"DATE"`
	KnownAt string    `help:"What was remembered at that date." placeholder:"DATE"`
	JSON    bool      `help:"Print it as JSON."`
}

// Run lists notes, one a line.
func (m memoryList) Run(c call) error {
	q := web.NoteQuery{Which: m.Status, Area: memory.Area(strings.ToLower(m.Area)), AsOf: m.AsOf, KnownAt: m.KnownAt}
	return c.atMemory(func(mem web.Memory) error {
		list, err := mem.Notes(c.ctx, q)
		switch {
		case err != nil:
			return err
		case m.JSON:
			return c.printJSON(list)
		}
		_, err = io.WriteString(c.out, listText(list, newSheet(c).width))
		return err
	})
}

type memoryShow struct {
	Note string `arg:"" name:"path|id" help:"Which note, such as about/bike."`
	JSON bool   `help:"Print it as JSON."`
}

// Run shows one note with everything that is known about it.
func (m memoryShow) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		sheet, err := mem.Note(c.ctx, web.NoteName{Name: m.Note, Which: web.AllNotes})
		switch {
		case err != nil:
			return err
		case m.JSON:
			return c.printJSON(sheet)
		}
		_, err = io.WriteString(c.out, sheetText(sheet))
		return err
	})
}

type memoryLogList struct {
	Note     string `arg:"" optional:"" name:"path|id" help:"Only this note."`
	Refusals bool   `help:"Show also what was refused."`
	JSON     bool   `help:"Print it as JSON."`
}

// Run prints the log, the newest entry last.
func (m memoryLogList) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		entries, err := mem.Log(c.ctx, web.LogQuery{Name: m.Note, Refusals: m.Refusals})
		switch {
		case err != nil:
			return err
		case m.JSON:
			return c.printJSON(entries)
		}
		_, err = io.WriteString(c.out, logText(entries))
		return err
	})
}

type memoryExport struct {
	File string `arg:"" optional:"" help:"Where to write it; leave it out to print it."`
}

// Run writes the export where only this user can read it.
func (m memoryExport) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		text, err := mem.Export(c.ctx)
		if err != nil {
			return err
		}
		if m.File == "" {
			_, err = io.WriteString(c.out, text)
			return err
		}
		if err := os.WriteFile(m.File, []byte(text), 0o600); err != nil {
			return nacre.Errorf(nacre.Invalid, "the export cannot be written (%w); name another file", err)
		}
		_, err = fmt.Fprintf(c.out, "Written to %s. This copy is yours to delete; forgetting does not reach it.\n", m.File)
		return err
	})
}

type memoryPath struct{}

// Run prints the owner's folder.
func (memoryPath) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		list, err := mem.Notes(c.ctx, web.NoteQuery{})
		if err == nil {
			_, err = fmt.Fprintln(c.out, list.Folder)
		}
		return err
	})
}
