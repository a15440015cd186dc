package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// memoryReview is the queue of notes that wait for their owner.
type memoryReview struct {
	List   reviewList   `cmd:"" default:"withargs" help:"List what waits for you (the default)."`
	Accept reviewAccept `cmd:"" help:"Believe a note; one that it contradicts goes to the archive."`
	Keep   reviewKeep   `cmd:"" help:"Believe a note, and the one that it contradicts too."`
	Reject reviewReject `cmd:"" help:"Do not believe a note, now or when it comes up again."`
}

type reviewList struct {
	JSON bool `help:"Print it as JSON."`
}

// Run lists the notes with what one decides by.
func (r reviewList) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		sheets, err := mem.Review(c.ctx)
		if err != nil {
			return err
		}
		if r.JSON {
			return c.printJSON(sheets)
		}
		_, err = io.WriteString(c.out, reviewText(sheets))
		return err
	})
}

func reviewText(sheets []web.Sheet) string {
	if len(sheets) == 0 {
		return "Nothing waits for you.\n"
	}
	var b strings.Builder
	for i, s := range sheets {
		fmt.Fprintf(&b, "%d  %s\n", i+1, noteLine(s.Note))
		b.WriteString(indented(3, decisionText(s)))
		b.WriteString("\n")
	}
	b.WriteString("Decide with nacre memory review accept, keep or reject, and the number.\n")
	return b.String()
}

// decisionText is what one decides on a waiting note by.
func decisionText(s web.Sheet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "It waits: %s.\n", render.Why(s.Note.Waits))
	if s.Against != nil {
		fmt.Fprintf(&b, "There is already %s\n", noteLine(*s.Against))
	}
	b.WriteString(quotesText(s.Said))
	if s.Note.Scope != memory.Private {
		fmt.Fprintf(&b, "It is for %s.\n", scopeWords(s.Note.Scope))
	}
	fmt.Fprintf(&b, "Its id is %s.\n", s.Note.ID)
	return b.String()
}

// decision is one note that is decided on.
type decision struct {
	Note string `arg:"" name:"number|id" help:"Which, as nacre memory review lists them."`
	Yes  bool   `help:"Do not ask."`
}

type reviewAccept struct{ decision }

// Run accepts a note.
func (r reviewAccept) Run(c call) error { return r.decide(c, memory.Confirm, "Accepted") }

type reviewKeep struct{ decision }

// Run keeps a note beside another.
func (r reviewKeep) Run(c call) error { return r.decide(c, memory.Keep, "Kept both; this one is") }

type reviewReject struct{ decision }

// Run rejects a note.
func (r reviewReject) Run(c call) error { return r.decide(c, memory.Reject, "Rejected") }

// decide shows the note once more and asks, for a number may mean another note
// than when it was listed. What is decided on is what was shown, by its hash.
func (d decision) decide(c call, do memory.Verb, done string) error {
	return c.atMemory(func(mem web.Memory) error {
		id, err := d.id(c, mem)
		if err != nil {
			return err
		}
		s, err := mem.Note(c.ctx, web.NoteName{Name: id, Which: web.WaitingNotes})
		if err != nil {
			return err
		}
		if !d.Yes {
			fmt.Fprintf(c.err, "%s\n%s", noteLine(s.Note), decisionText(s))
			if err := c.confirm(fmt.Sprintf("%s it?", verbWords(do)), "yes", "nothing was decided"); err != nil {
				return err
			}
		}
		return c.proposeTo(mem, web.Change{Do: do, Note: s.Note.ID, Hash: s.Note.Hash}, done)
	})
}

// id is the id of the note that is named by its number.
func (d decision) id(c call, mem web.Memory) (string, error) {
	n, err := strconv.Atoi(d.Note)
	if err != nil {
		return d.Note, nil
	}
	waiting, err := mem.Review(c.ctx)
	if err == nil && (n < 1 || n > len(waiting)) {
		err = nacre.Errorf(nacre.NotFound, "no note with that number waits; nacre memory review lists them")
	}
	if err != nil {
		return "", err
	}
	return string(waiting[n-1].Note.ID), nil
}

func verbWords(do memory.Verb) string {
	switch do {
	case memory.Confirm:
		return "Accept"
	case memory.Keep:
		return "Keep both, and believe"
	}
	return "Reject"
}
