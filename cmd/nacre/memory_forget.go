package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

type memoryForget struct {
	What []string    `arg:"" optional:"" name:"path|id|words" help:"A note, such as about/bike, or words for everything about them."`
	Size memory.Size `help:"How much: note (it alone), said (also where you said it; usual for a note), about (all that speaks of the words; usual for words), hidden (all of sensitive topics that are switched off) or all (everything)." enum:",note,said,about,hidden,all" default:"" placeholder:"SIZE"`
	Cut  bool        `help:"Blank it out in your own words in MEMORY.md and SOUL.md too."`
	Yes  bool        `help:"Do not ask."`
	JSON bool        `help:"Print the receipt as JSON."`
}

// Run shows what would be forgotten, asks, forgets it and prints the receipt.
func (m memoryForget) Run(c call) error {
	return c.atMemory(func(mem web.Memory) error {
		f, err := m.forgetting(c.ctx, mem)
		switch {
		case err != nil:
			return err
		case f.Size == "":
			return m.cut(c, mem)
		}
		plan, err := mem.Plan(c.ctx, f)
		if err != nil {
			return err
		}
		if err := m.agree(c, plan); err != nil {
			return err
		}
		f.Base, f.Cut = plan.Base, m.Cut
		receipt, err := mem.Forget(c.ctx, f)
		switch {
		case err != nil:
			return err
		case m.JSON:
			return c.printJSON(receipt)
		}
		_, err = io.WriteString(c.out, receiptText(receipt))
		return err
	})
}

// cut asks, and has what is forgotten already blanked out in the owner's own
// words too.
func (m memoryForget) cut(c call, mem web.Memory) error {
	if !m.Yes {
		if err := c.confirm("Everything else of it is forgotten. Blank out what was forgotten in your own words in MEMORY.md and SOUL.md?", "yes", "nothing was changed"); err != nil {
			return err
		}
	}
	receipt, err := mem.Forget(c.ctx, web.Forgetting{Cut: true})
	switch {
	case err != nil:
		return err
	case m.JSON:
		return c.printJSON(receipt)
	}
	_, err = io.WriteString(c.out, "Done: your own words do not say it any more.\n")
	return err
}

// agree shows a plan and asks whether to go on, unless that is said already. For
// everything the answer is a word that nobody types by habit.
func (m memoryForget) agree(c call, p web.Plan) error {
	all := p.Size == memory.SizeAll
	if !all && !m.Cut && len(p.Notes) == 0 && render.Counted(p.Counts) == "" {
		return nacre.Errorf(nacre.NotFound, "nothing that is kept speaks of that, so there is nothing to forget")
	}
	if m.Yes {
		return nil
	}
	word := "yes"
	if all {
		word = "everything"
	}
	fmt.Fprint(c.err, planText(p))
	return c.confirm("This cannot be undone. Forget it?", word, "nothing was forgotten")
}

// forgetting reads what the person means; its size is empty if that is only to
// cut what was forgotten before, such as the note of a path. What looks like a path is never taken
// for words, because a slip there would forget too much.
func (m memoryForget) forgetting(ctx context.Context, mem web.Memory) (web.Forgetting, error) {
	what := strings.Join(m.What, " ")
	_, isPath := parsePath(what)
	size := m.Size
	switch {
	case (size == memory.SizeAll || size == memory.SizeHidden) && what != "":
		return web.Forgetting{}, nacre.Errorf(nacre.Invalid, "all of that is forgotten without naming it; leave the words out, or leave out --size %s", size)
	case size == memory.SizeAll, size == memory.SizeHidden:
		return web.Forgetting{Size: size}, nil
	case what == "" && size == "" && m.Cut:
		return web.Forgetting{}, nil
	case what == "":
		return web.Forgetting{}, nacre.Errorf(nacre.Invalid, "say what to forget: a note such as about/bike, or words")
	case size == memory.SizeAbout, size == "" && !isPath && !isID(what):
		return web.Forgetting{Size: memory.SizeAbout, Words: what}, nil
	}
	sheet, err := mem.Note(ctx, web.NoteName{Name: what, Which: web.AllNotes})
	if m.Cut && nacre.KindOf(err) == nacre.NotFound {
		return web.Forgetting{}, nil
	}
	return web.Forgetting{Size: cmp.Or(size, memory.SizeSaid), Note: sheet.Note.ID}, err
}

// isID reports whether a text has the form of an id that we mint.
func isID(text string) bool { return len(text) == 36 && strings.Count(text, "-") == 4 }

// confirm asks for a word. Any other answer is Denied, and the sentence says
// that nothing happened.
func (c call) confirm(question, word, otherwise string) error {
	fmt.Fprintf(c.err, "%s Type %s to go on: ", question, word)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(c.in, 1<<10)).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		if strings.EqualFold(strings.TrimSpace(line), word) {
			return nil
		}
		return nacre.Errorf(nacre.Denied, "%s, since the answer was not %s", otherwise, word)
	case <-c.ctx.Done():
		return nacre.Errorf(nacre.Denied, "%s", otherwise)
	}
}

// planText shows what would go.
func planText(p web.Plan) string {
	if p.Size == memory.SizeAll {
		return fmt.Sprintf("Everything that is kept of you would be forgotten: %s, and all messages, answers, files, jobs and settings, the names of your tokens, and the password of your page.\n", number(len(p.Notes), "note", "notes"))
	}
	counts := render.Counted(p.Counts)
	switch {
	case len(p.Notes) == 0 && counts == "":
		return "No note speaks of it, and nothing that was said. It would be blanked out in your own words in MEMORY.md and SOUL.md.\n"
	case len(p.Notes) == 0:
		return fmt.Sprintf("No note speaks of it. It would be forgotten where else it is kept: %s.\n%s", counts, lostText(p))
	}
	var b strings.Builder
	b.WriteString("This would be forgotten:\n\n")
	rows(&b, p.Notes, 0)
	if counts != "" {
		fmt.Fprintf(&b, "\nIt would be blanked out where else it is kept: %s.", counts)
	}
	b.WriteString("\n" + lostText(p))
	return b.String()
}

// lostText is a line of what nobody can do any more afterwards, if there is any.
func lostText(p web.Plan) string {
	lost := render.Lost(p.Counts)
	if lost != "" {
		lost += "\n"
	}
	return lost
}

// receiptText is the receipt for people. It repeats nothing of what went.
func receiptText(r memory.Receipt) string {
	text := render.PlainReceipt(r)
	if len(r.Prose) > 0 {
		text += "nacre memory forget --cut blanks it out in your own words too.\n"
	}
	return text
}
