package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/recall"
)

// leak is a way in which a store can be wrong. The suite has to notice each,
// by the cases that are about it and by no others.
type leak struct {
	name  string
	open  func(c *trial, o *outside) // before the program is built; also at each start anew
	dark  func(c *trial)             // what it does at night
	tools []string                   // what it offers to the chat model
}

// The leaks, by name. Each case says which of them it notices.
const (
	noTombstones = "it forgets without tombstones and revocations"
	noteOnly     = "it looks at nothing but the note"
	oldSummaries = "its summaries survive"
	nightJob     = "a job derives again what was forgotten"
	quotingLog   = "its log quotes what it erases"
	openTool     = "a tool takes the owner from its arguments"
	rawSecrets   = "it looks for secrets in raw bytes"
	oldIndex     = "its index is made of copies of the messages"
)

func (l *leak) spring(c *trial, o *outside) {
	if l != nil && l.open != nil {
		l.open(c, o)
	}
}

func (l *leak) night(c *trial) {
	if l != nil && l.dark != nil {
		l.dark(c)
	}
}

func (l *leak) offers() []string {
	if l == nil {
		return nil
	}
	return l.tools
}

// leaks are the stores that leak.
func leaks() []*leak {
	var remembered []memory.Body // by the nightly writer
	said := map[recall.Key]string{}
	return []*leak{
		{name: noTombstones, open: erasing(func(e *memory.Erasure) {
			e.Ops = slices.Clone(e.Ops)
			for i := range e.Ops {
				e.Ops[i].Payload.Tomb, e.Ops[i].Payload.Revoked = nil, nil
			}
		})},
		{name: noteOnly, open: erasing(func(e *memory.Erasure) { e.Needle, e.Cited = nil, nil })},
		{name: oldSummaries, open: keepingHeads},
		{name: nightJob, open: func(c *trial, o *outside) {
			o.wrapLog = func(log memory.Log) memory.Log {
				return &faultyLog{Log: log, before: func(owner nacre.OwnerID, e *memory.Erasure) {
					remembered = append(remembered, c.bodies(owner, e)...)
				}}
			}
		}, dark: func(c *trial) {
			for _, b := range remembered {
				c.smuggle(c.owner(ann), b, memory.Stated)
				c.smuggle(c.owner(ann), b, memory.Candidate)
			}
			remembered = nil
		}},
		{name: quotingLog, open: func(c *trial, o *outside) {
			o.wrapLog = func(log memory.Log) memory.Log {
				return &faultyLog{Log: log, before: func(owner nacre.OwnerID, e *memory.Erasure) {
					for _, b := range c.bodies(owner, e) {
						fmt.Fprintf(c.log, "level=INFO msg=forgotten text=%q\n", b.Text)
						c.slip(owner, memory.Op{Writer: memory.ByPage, Kind: memory.Refuse, Reason: memory.ByOwner, Payload: memory.Payload{V: 1, Body: &b}})
					}
				}}
			}
		}},
		{name: openTool, open: offering("memory_of", readAnybody), tools: []string{"memory_of"}},
		{name: rawSecrets, open: offering("memory_save", saveRaw), tools: []string{"memory_save"}},
		{name: oldIndex, open: func(_ *trial, o *outside) {
			o.wrapStore = func(s recall.Store) recall.Store { return &staleStore{Store: s, made: said} }
		}},
	}
}

// others is of how many cases that are not about a leak one is tried on it.
const others = 16

// TestNegativeNoticesLeaks runs the suite, in one language, against every store that
// leaks: the cases that are about the leak, which have to notice it, and one in sixteen
// of the others, not the same for each leak, which must not. All of them together
// have to show on every surface.
func TestNegativeNoticesLeaks(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex // guards shown
	var shown []string
	t.Run("leaks", func(t *testing.T) {
		for i, l := range leaks() {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				for j, n := range negatives() {
					if !slices.Contains(n.notices, l.name) && (i+j)%others != 0 {
						continue
					}
					s := n.try(t, n.langs[0], leaks()[i])
					wanted := slices.Contains(n.notices, l.name)
					if noticed := s.fails(); noticed != wanted || !wanted && len(s.broken) > 0 {
						t.Errorf("%s notices it: %v, want %v: %q", n.id, noticed, wanted, s.broken)
					}
					mu.Lock()
					shown = append(shown, s.broken...)
					mu.Unlock()
				}
			})
		}
	})
	for _, surface := range everywhere {
		if !slices.ContainsFunc(shown, func(broken string) bool { return strings.Contains(broken, " is on "+surface) }) {
			t.Errorf("no leak shows on %s", surface)
		}
	}
}

// staleStore is a recall.Store which says for ever what a message said first.
type staleStore struct {
	recall.Store
	mu   sync.Mutex
	made map[recall.Key]string // guarded by mu
}

func (s *staleStore) old(d recall.Doc) recall.Doc {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.made[d.Key]; ok {
		d.Text = old
	}
	s.made[d.Key] = d.Text
	return d
}

// Before implements recall.Store.
func (s *staleStore) Before(ctx context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc) bool) error {
	return s.Store.Before(ctx, owner, m, func(d recall.Doc) bool { return yield(s.old(d)) })
}

// Since implements recall.Store.
func (s *staleStore) Since(ctx context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc)) (recall.Mark, error) {
	return s.Store.Since(ctx, owner, m, func(d recall.Doc) { yield(s.old(d)) })
}

// faultyLog is a memory.Log which does something else with a forgetting than it
// is told.
type faultyLog struct {
	memory.Log
	before func(owner nacre.OwnerID, e *memory.Erasure) // may change what is erased; may be nil
	after  func(owner nacre.OwnerID)                    // may be nil
}

// Erase implements memory.Log.
func (f *faultyLog) Erase(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) (map[string]int, []memory.Op, error) {
	if f.before != nil {
		f.before(owner, &e)
	}
	done, ops, err := f.Log.Erase(ctx, owner, e)
	if f.after != nil && err == nil {
		f.after(owner)
	}
	return done, ops, err
}

// Sweep implements memory.Log.
func (f *faultyLog) Sweep(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) (memory.Swept, error) {
	if f.before != nil {
		f.before(owner, &e)
	}
	return f.Log.Sweep(ctx, owner, e)
}

// erasing is a store that changes what is erased.
func erasing(change func(*memory.Erasure)) func(*trial, *outside) {
	return func(_ *trial, o *outside) {
		o.wrapLog = func(log memory.Log) memory.Log {
			return &faultyLog{Log: log, before: func(_ nacre.OwnerID, e *memory.Erasure) { change(e) }}
		}
	}
}

// keepingHeads is a store that puts back the summaries that a forgetting took.
func keepingHeads(c *trial, o *outside) {
	type head struct {
		session nacre.SessionInfo
		through nacre.TurnID
		text    json.RawMessage
	}
	var kept []head
	o.wrapLog = func(log memory.Log) memory.Log {
		return &faultyLog{Log: log, before: func(owner nacre.OwnerID, e *memory.Erasure) {
			for _, s := range c.sessionsOfOwner(owner) {
				var through nacre.TurnID
				c.ask("SELECT t.id FROM heads h JOIN turns t ON t.seq = h.through WHERE h.session = ?", []any{s.ID}, &through)
				if talk, err := c.app.ledger.Conversation(c.t.Context(), s); err == nil && through != "" {
					kept = append(kept, head{s, through, talk.Head})
				}
			}
		}, after: func(nacre.OwnerID) {
			for _, h := range kept {
				if err := c.app.ledger.Compact(c.t.Context(), h.session, h.through, h.text); err != nil {
					c.t.Error(err)
				}
			}
		}}
	}
}

// bodies are what the notes say that a forgetting is about to take.
func (c *trial) bodies(owner nacre.OwnerID, e *memory.Erasure) (list []memory.Body) {
	ops, err := c.app.ledger.Ops(c.t.Context(), owner, -1, false)
	if err != nil {
		c.t.Error(err)
	}
	for _, o := range ops {
		if o.Payload.Body != nil && slices.Contains(e.Notes, o.Note) {
			list = append(list, *o.Payload.Body)
		}
	}
	return list
}

// smuggle writes a note beside the Book, in a place of its own.
func (c *trial) smuggle(owner nacre.OwnerID, b memory.Body, as memory.Status) {
	b.Slot.Slug += "-" + string(as)
	op := memory.Op{Writer: memory.ByRepair, Kind: memory.Add, Note: nacre.NoteID(nacre.NewID(time.Now())),
		Payload: memory.Payload{V: 1, Body: &b, Status: as}}
	rand.Read(op.Tag[:])
	c.slip(owner, op)
}

// slip writes an Op beside the Book.
func (c *trial) slip(owner nacre.OwnerID, op memory.Op) {
	var version int64
	c.ask("SELECT coalesce(max(version), 0) FROM ops WHERE owner = ? AND kind NOT IN ('refuse', 'intend', 'finish')", []any{owner}, &version)
	if _, err := c.app.ledger.Append(c.t.Context(), owner, version, []memory.Op{op}, nil); err != nil {
		c.t.Error(err)
	}
}

// badTool is a tool that no one should have written.
type badTool struct {
	name string
	c    *trial
	do   func(c *trial, caller nacre.Caller, in badArgs) string
}

// badArgs are its arguments: whatever is sent.
type badArgs struct {
	Owner nacre.OwnerID `json:"owner"`
	Text  string        `json:"text"`
}

func offering(name string, do func(*trial, nacre.Caller, badArgs) string) func(*trial, *outside) {
	return func(c *trial, o *outside) { o.tools = append(o.tools, badTool{name, c, do}) }
}

// Spec implements agent.Tool.
func (b badTool) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: b.name, Description: "Something about memory.", Schema: json.RawMessage(`{"type":"object"}`)}
}

// Call implements agent.Tool.
func (b badTool) Call(_ context.Context, caller nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in badArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: b.do(b.c, caller, in)}, nil
}

// readAnybody reads the notes of whomever it is told.
func readAnybody(c *trial, _ nacre.Caller, in badArgs) string {
	st, err := c.app.library.Book(in.Owner).State(c.t.Context())
	if err != nil {
		return err.Error()
	}
	return asJSON(st.Select(memory.Query{Everywhere: true}))
}

var sixteenDigits = regexp.MustCompile(`[0-9]{16}`)

// saveRaw saves what does not look like a card's number at the first glance.
func saveRaw(c *trial, caller nacre.Caller, in badArgs) string {
	if in.Text == "" || sixteenDigits.MatchString(in.Text) {
		return "refused"
	}
	c.smuggle(caller.Owner, memory.Body{Slot: memory.Slot{Area: memory.About, Slug: "saved"}, Text: in.Text}, memory.Stated)
	return "saved"
}

// ask reads one row of the database, as another program could. No row leaves
// into as it is.
func (c *trial) ask(query string, args []any, into ...any) {
	c.t.Helper()
	db := c.database("?mode=ro")
	defer db.Close()
	if err := db.QueryRow(query, args...).Scan(into...); err != nil && err != sql.ErrNoRows {
		c.t.Error(err)
	}
}

// database opens the database beside the program.
func (c *trial) database(options string) *sql.DB {
	c.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(c.app.cfg.Data, "nacre.db")+options)
	if err != nil {
		c.t.Fatal(err)
	}
	return db
}

func (c *trial) sessionsOf(user int64) []nacre.SessionInfo { return c.sessionsOfOwner(c.owner(user)) }

// sessionsOfOwner are all conversations of an owner.
func (c *trial) sessionsOfOwner(owner nacre.OwnerID) (list []nacre.SessionInfo) {
	c.t.Helper()
	db := c.database("?mode=ro")
	defer db.Close()
	rows, err := db.Query("SELECT id, channel, chat, thread, private FROM sessions WHERE owner = ?", owner)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		s := nacre.SessionInfo{Owner: owner}
		if err := rows.Scan(&s.ID, &s.Chat.Channel, &s.Chat.ID, &s.Chat.Thread, &s.Private); err != nil {
			c.t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}
