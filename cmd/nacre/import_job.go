package main

import (
	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/moving"
	"nacre/web"
)

// job takes a job. It rests until its owner lets it go on.
func (b *bringing) job(j moving.Job) error {
	if len(b.notes)+len(b.jobs) >= mostImported {
		return b.leave(j.Place, "a job", tooMany)
	}
	l := web.ImportedLine{File: b.fileOf(j.File), Line: j.Line, Job: true, What: web.ImportLeft, Words: j.Left}
	if j.Left == "" {
		if err := b.plan(j, &l); err != nil {
			return err
		}
	}
	if b.jobs = append(b.jobs, discreet(l, j.Text)); l.What == web.ImportAdds {
		b.done.Jobs++
	}
	return b.ctx.Err()
}

// plan makes a job, or tells why it is none. Its words are those of a file, whoever
// wrote them there.
func (b *bringing) plan(j moving.Job, l *web.ImportedLine) error {
	why, err := b.barred(j.Text)
	if err != nil {
		return err
	}
	if why != "" {
		l.Reason, l.Words = why, sentence(why)
		return nil
	}
	d := nacre.JobDraft{Kind: j.Kind, Schedule: j.Schedule, Text: j.Text, Strange: true, By: nacre.JobAuthor{Owner: b.owner, Own: true}}
	d.Session, err = b.app.ledger.Home(b.ctx, b.owner)
	if nacre.KindOf(err) == nacre.NotFound {
		l.Words = "I would not know where to tell you. Write to me once in a private chat, or with nacre chat, and import it then."
		return nil
	}
	if err != nil {
		return err
	}
	_, known, err := b.app.board.Bring(b.ctx, d, b.dry)
	switch kind := nacre.KindOf(err); {
	case err == nil && known:
		l.What = web.ImportKnown
	case err == nil:
		l.What = web.ImportAdds
	case kind == nacre.Internal || kind == nacre.Transient:
		return err
	default:
		l.Words = err.Error()
	}
	return nil
}

// barred is why a text may not be kept, if it may not.
func (b *bringing) barred(text string) (memory.Reason, error) {
	if _, secret := canon.Secret(text); secret {
		return memory.IsSecret, nil
	}
	gone, err := b.book().Forgotten(b.ctx, []string{text})
	if err == nil && gone[0] {
		return memory.TombExact, nil
	}
	return "", err
}
