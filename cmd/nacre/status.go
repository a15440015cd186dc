package main

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/configs"
	"nacre/memory"
	"nacre/web"
)

// Status implements web.Desk.
func (a *app) Status(ctx context.Context) (web.Status, error) {
	counts, err := a.ledger.Counts(ctx)
	if err != nil {
		return web.Status{}, err
	}
	dead, err := a.ledger.DeadLetters(ctx, 10)
	if err != nil {
		return web.Status{}, err
	}
	s := web.Status{Version: version, Since: a.since, Data: a.cfg.Data, Model: a.model, MemoryModel: a.writer, Owners: counts.Owners, Messages: counts.Messages,
		Pending: counts.Pending, Waiting: counts.Waiting, Oldest: counts.Oldest, Dead: counts.Dead, Channels: []web.ChannelStatus{}, DeadLetters: []web.DeadLetter{}}
	for _, d := range dead {
		s.DeadLetters = append(s.DeadLetters, web.DeadLetter{ID: d.ID, Channel: d.Chat.Channel, Reason: d.Reason, At: d.At})
	}
	if a.whatsapp != nil {
		s.WhatsApp = &web.WhatsApp{Own: a.cfg.WhatsApp.Number == configs.OwnNumber, Linked: a.whatsapp.Linked()}
	}
	if !a.since.IsZero() {
		for name, c := range a.gateway.State() {
			s.Channels = append(s.Channels, web.ChannelStatus{Name: name, OK: c.OK, Words: c.Words})
		}
	}
	s.Disk, s.Backup = a.diskStatus(), a.newestBackup()
	return s, a.addWork(ctx, &s)
}

// addWork adds what memory, jobs and models are doing.
func (a *app) addWork(ctx context.Context, s *web.Status) (err error) {
	if s.Jobs, err = a.jobsStatus(ctx); err != nil {
		return err
	}
	today, month, err := book{a.ledger, a.cfg.Zone}.spans(ctx, "")
	if err != nil {
		return err
	}
	s.Spent = web.SpentStatus{Day: total(today).Cost, Month: total(month).Cost, DayLimit: a.cfg.Budget.Day.Cost, MonthLimit: a.cfg.Budget.Month.Cost}
	if err := a.addTroubles(ctx, s); err != nil {
		return err
	}
	m := a.memoryStatus(ctx)
	s.Notes, s.Review, s.Full, s.Index = m.notes, m.review, m.full, a.index.Bytes()
	return nil
}

// addTroubles counts what owners wait for in vain.
func (a *app) addTroubles(ctx context.Context, s *web.Status) error {
	owners, err := a.ownerIDs(ctx)
	if err != nil {
		return err
	}
	for _, owner := range owners {
		aside, err := a.reflector.Aside(ctx, owner)
		if err != nil {
			return err
		}
		mail, err := a.mail.State(ctx, owner)
		if err != nil {
			return err
		}
		s.Aside += len(aside)
		if mail.Trouble == gmail.Revoked {
			s.MailLost++
		}
	}
	return nil
}

// memoryWait is how long status waits for memory, which answers nobody while something
// is being forgotten.
const memoryWait = time.Second

// remembered counts what is remembered.
type remembered struct{ notes, review, full int }

// uncounted stands for counts that nobody could take.
func uncounted() remembered { return remembered{notes: -1, review: -1} }

// memoryStatus counts the notes of all owners; uncounted if that takes too long or fails.
func (a *app) memoryStatus(ctx context.Context) remembered {
	counted := make(chan remembered, 1)
	go func() { counted <- a.countAllNotes(ctx) }()
	select {
	case n := <-counted:
		return n
	case <-time.After(memoryWait):
		return uncounted()
	}
}

func (a *app) countAllNotes(ctx context.Context) (all remembered) {
	owners, err := a.ownerIDs(ctx)
	if err != nil {
		return uncounted()
	}
	for _, owner := range owners {
		one, err := a.notesOf(ctx, owner)
		if err != nil {
			return uncounted()
		}
		all = remembered{all.notes + one.notes, all.review + one.review, all.full + one.full}
	}
	return all
}

// nearlyFull is from how many bytes of text on an owner's memory has little room.
const nearlyFull = memory.MaxLive - memory.MaxLive/20

// notesOf counts an owner's live notes, those that wait for their word, and 1 if there is
// hardly room for more.
func (a *app) notesOf(ctx context.Context, owner nacre.OwnerID) (remembered, error) {
	state, err := a.library.Book(owner).State(ctx)
	if err != nil {
		return remembered{}, err
	}
	live := state.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: web.LiveNotes.Statuses()})
	n := remembered{len(live), len(state.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: web.WaitingNotes.Statuses()})), 0}
	size := 0
	for _, note := range live {
		size += len(note.Text)
	}
	if size > nearlyFull {
		n.full = 1
	}
	return n, nil
}

func (a *app) jobsStatus(ctx context.Context) (s web.JobsStatus, err error) {
	states, err := a.ledger.JobStates(ctx)
	if err != nil {
		return s, err
	}
	active, err := a.ledger.Active(ctx)
	if err != nil {
		return s, err
	}
	s = web.JobsStatus{Active: states[nacre.Active], Paused: states[nacre.Paused], Failing: states[nacre.Disabled], Parked: states[nacre.Parked]}
	for _, job := range active {
		if job.Failures > 0 {
			s.Failing++
		}
		if !job.Next.IsZero() && (s.Next.IsZero() || job.Next.Before(s.Next)) {
			s.Next = job.Next
		}
	}
	return s, nil
}

func (a *app) diskStatus() web.DiskStatus {
	s := web.DiskStatus{Database: length(filepath.Join(a.cfg.Data, "nacre.db"))}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(a.cfg.Data, &fs); err == nil {
		s.Free = int64(fs.Bavail) * int64(fs.Bsize)
	}
	return s
}

// newestBackup is when the newest backup was made; zero if there is none to be seen.
func (a *app) newestBackup() time.Time {
	list, err := a.backups.set.Snapshots()
	if err != nil || len(list) == 0 {
		return time.Time{}
	}
	return list[0].At
}

// statusCommand tells the operator everything, others what is their own, and
// whoever asks where others read only that all is well.
func (a *app) statusCommand(ctx context.Context, c nacre.Caller, _ string) (string, error) {
	if !c.Private {
		return a.upText(), nil
	}
	if !c.Operator {
		return a.ownStatus(ctx, c.Owner)
	}
	s, err := a.Status(ctx)
	if err != nil {
		return "", err
	}
	s.Pending-- // this command itself
	return s.Text(time.Now()), nil
}

func (a *app) upText() string {
	return fmt.Sprintf("Nacre %s, up for %s.", version, time.Since(a.since).Round(time.Second))
}

// ownStatus is what an owner has here: notes, jobs and what models cost.
func (a *app) ownStatus(ctx context.Context, owner nacre.OwnerID) (string, error) {
	n, err := a.notesOf(ctx, owner)
	if err != nil {
		return "", err
	}
	jobs, err := a.board.Jobs(ctx, owner)
	if err != nil {
		return "", err
	}
	active := 0
	for _, job := range jobs {
		if job.State == nacre.Active {
			active++
		}
	}
	today, month, err := book{a.ledger, a.cfg.Zone}.spans(ctx, owner)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\nMemory: %s, %d waiting for your word.\nJobs: %d active.\nCost: %s today, %s this month.", a.upText(),
		number(n.notes, "note", "notes"), n.review, active, dollars(total(today).Cost), dollars(total(month).Cost)), nil
}
