package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/gateway"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/web/metrics"
)

// meteredStore is the ledger as the gateway knows it. It counts what comes in and what
// goes out.
type meteredStore struct {
	*ledger.Ledger
	meter *metrics.Meter
}

var _ gateway.Inbox = meteredStore{}

// Put implements gateway.Inbox.
func (s meteredStore) Put(ctx context.Context, in []nacre.Inbound) error {
	err := s.Ledger.Put(ctx, in)
	for i := range in {
		if m := &in[i].Message; err == nil && m.Seq > 0 { // and was not known before
			s.meter.Received(m.Chat.Channel)
		}
	}
	return err
}

// Choose implements gateway.Questions.
func (s meteredStore) Choose(ctx context.Context, id nacre.ReplyID, option int, in *nacre.Inbound) (bool, error) {
	chosen, err := s.Ledger.Choose(ctx, id, option, in)
	if err == nil && chosen {
		s.meter.Received(in.Message.Chat.Channel)
	}
	return chosen, err
}

// OfferPairing implements gateway.Roster.
func (s meteredStore) OfferPairing(ctx context.Context, p nacre.Pairing, seal nacre.OwnerID, reply nacre.RenderedReply) ([]nacre.Delivery, error) {
	list, err := s.Ledger.OfferPairing(ctx, p, seal, reply)
	if err == nil {
		s.meter.Greeted(p.Address.Channel)
	}
	return list, err
}

// Settle implements gateway.Outbox.
func (s meteredStore) Settle(ctx context.Context, d nacre.Delivery, external nacre.ExternalID, reason string, next nacre.DeliveryID) (bool, error) {
	asked, err := s.Ledger.Settle(ctx, d, external, reason, next)
	if err == nil {
		s.meter.Delivered(d.Chat.Channel, d.State.String())
	}
	return asked, err
}

// meteredLog is the ledger as memory knows it. It counts what is refused.
type meteredLog struct {
	*ledger.Ledger
	meter *metrics.Meter
}

// Append implements memory.Log.
func (l meteredLog) Append(ctx context.Context, owner nacre.OwnerID, base int64, ops []memory.Op, mark *memory.Mark) ([]memory.Op, error) {
	done, err := l.Ledger.Append(ctx, owner, base, ops, mark)
	for _, op := range done {
		if op.Kind == memory.Refuse {
			l.meter.MemoryRefused(string(op.Reason))
		}
	}
	return done, err
}

// meteredBook is a book of what models cost that counts it, too.
type meteredBook struct {
	book
	meter *metrics.Meter
}

// Spend implements llm.Book.
func (b meteredBook) Spend(account string, s llm.Spend) {
	b.book.Spend(account, s)
	b.meter.Spent(s.Model, usageOf(s))
}

// timedModel measures how long a model takes for an answer, each try by itself.
type timedModel struct {
	llm.Model
	name  string
	meter *metrics.Meter
}

// Complete implements llm.Model.
func (m timedModel) Complete(ctx context.Context, req llm.Request, emit func(text string)) (llm.Response, error) {
	began := time.Now()
	r, err := m.Model.Complete(ctx, req, emit)
	m.meter.Called(m.name, outcomeOf(ctx, err), time.Since(began))
	return r, err
}

// outcomeOf is a code for what became of a request: ok, stopped from our side, the cause
// that the provider gave, or failed.
func outcomeOf(ctx context.Context, err error) string {
	e, told := errors.AsType[*llm.Error](err)
	switch {
	case err == nil:
		return "ok"
	case ctx.Err() != nil:
		return "stopped"
	case told:
		return string(e.Cause)
	}
	return "failed"
}

// timed are models that are measured.
func (a *app) timed(list ...supplier) []supplier {
	list = slices.Clone(list)
	for i, s := range list {
		list[i].model = timedModel{s.model, s.name, a.meter}
	}
	return list
}

// timedMemory is timed for the model that works on memory, which may be none.
func (a *app) timedMemory(s *supplier) *supplier {
	if s == nil {
		return nil
	}
	return &a.timed(*s)[0]
}

// timedRecall measures how long it takes to find what matters.
type timedRecall struct {
	agent.Recaller
	meter *metrics.Meter
}

// Recall implements agent.Recaller.
func (r timedRecall) Recall(ctx context.Context, c nacre.Caller, w agent.Window) (agent.Evidence, error) {
	began := time.Now()
	e, err := r.Recaller.Recall(ctx, c, w)
	r.meter.Recalled(time.Since(began))
	return e, err
}

// whatRan names a run without whose it is: the round, or that it was a job.
func whatRan(id nacre.JobID) string {
	switch id {
	case nacre.RoundRepair, nacre.RoundReflect, nacre.RoundPromote, nacre.RoundStyle:
		return string(id)
	}
	return "job"
}

// measured reads what the meter looks up when it is asked.
func (a *app) measured(ctx context.Context) (metrics.State, error) {
	counts, err := a.ledger.Counts(ctx)
	if err != nil {
		return metrics.State{}, err
	}
	jobs, err := a.ledger.JobStates(ctx)
	if err != nil {
		return metrics.State{}, err
	}
	open, err := a.ledger.Open(ctx)
	if err != nil {
		return metrics.State{}, err
	}
	s := metrics.State{Due: len(open), Notes: a.memoryStatus(ctx).notes, Index: a.index.Bytes(), Pending: counts.Pending, Waiting: counts.Waiting, Oldest: counts.Oldest, Dead: counts.Dead, Jobs: jobs,
		Channels: map[nacre.ChannelName]bool{}, Pages: a.page.Pages()}
	for name, c := range a.gateway.State() {
		s.Channels[name] = c.OK
	}
	path := filepath.Join(a.cfg.Data, "nacre.db")
	s.Database, s.WAL = length(path), length(path+"-wal")
	var fs syscall.Statfs_t
	if err := syscall.Statfs(a.cfg.Data, &fs); err == nil {
		s.Free = int64(fs.Bavail) * int64(fs.Bsize)
	}
	if list, err := a.backups.set.Snapshots(); err == nil && len(list) > 0 {
		s.Backup, s.BackupBytes = list[0].At, list[0].Bytes
	}
	return s, nil
}

// length is how long a file is; 0 for none.
func length(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}
