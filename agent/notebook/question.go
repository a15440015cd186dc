package notebook

import (
	"context"
	"encoding/json"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/memory"
)

// question is what memory asks in a session and waits for: at most one thing at
// a time. What each answer does was decided when it was asked.
type question struct {
	Text    string       `json:"text"`
	Answers []answer     `json:"answers"`
	Yes     int          `json:"yes"`             // what "yes" means; -1 for nothing
	No      int          `json:"no"`              // what "no" means
	Typed   bool         `json:"typed,omitempty"` // typed words can answer it, until something else is said; a button always can
	Turn    nacre.TurnID `json:"turn"`            // that asks it
	Expires time.Time    `json:"expires"`

	earlier bool // asked by an earlier process
}

// answer is one of the answers to choose from, and what it does: exactly that,
// and only while the notes that the person was shown are what they were.
type answer struct {
	Label   string                  `json:"label"`
	Shown   map[nacre.NoteID]string `json:"shown,omitempty"`   // what each of the notes was; see look
	Propose []memory.Proposal       `json:"propose,omitempty"` // in this order
	Forget  *memory.Forgetting      `json:"forget,omitempty"`
	Cut     bool                    `json:"cut,omitempty"`    // blanks what was forgotten out of the owner's own prose
	Reply   string                  `json:"reply,omitempty"`  // what to say if it does nothing else
	Review  bool                    `json:"review,omitempty"` // then the next note that waits is shown
}

// maxWait is how long a question can be answered.
const maxWait = 24 * time.Hour

const (
	unchanged = "All right, I leave everything as it is."
	stale     = "It changed meanwhile; have another look."
)

// no is the answer that does nothing.
func no(label, reply string) answer { return answer{Label: label, Reply: reply} }

// shown names notes as they were shown.
func shown(notes ...*memory.Note) map[nacre.NoteID]string {
	list := map[nacre.NoteID]string{}
	for _, n := range notes {
		list[n.ID] = look(n)
	}
	return list
}

// look is what a note is to whoever decides about it: its exact text, and how far
// it is trusted. An erased note has none.
func look(n *memory.Note) string {
	if n == nil || n.Status == memory.Erased {
		return ""
	}
	return n.Hash()
}

// ask puts a question to the person, in the place of an older one. One turn asks
// one thing: a second is not asked, and false.
func (n *Notebook) ask(ctx context.Context, c nacre.Caller, q question) (agent.Result, bool, error) {
	n.asking.Lock()
	defer n.asking.Unlock()
	before, err := n.open(ctx, c)
	if err != nil {
		return agent.Result{}, false, err
	}
	if before != nil && before.Turn == c.Turn && before.Text != q.Text {
		return agent.Result{}, false, nil
	}
	q.Typed, q.Turn, q.Expires = true, c.Turn, time.Now().Add(maxWait)
	if err := n.keep(ctx, session(c), &q); err != nil {
		return agent.Result{}, false, err
	}
	options := make([]string, len(q.Answers))
	for i, a := range q.Answers {
		options[i] = a.Label
	}
	return agent.Result{Ask: &agent.Ask{Question: q.Text, Options: options}}, true, nil
}

// keep makes q what is asked in a session.
func (n *Notebook) keep(ctx context.Context, s nacre.SessionInfo, q *question) error {
	content, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if err := n.opts.Log.PutAsk(ctx, s, content, q.Expires); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asks[s.ID] = q
	return nil
}

// open is what is asked in a session, nil if nothing is. It is read once and must
// not be changed.
func (n *Notebook) open(ctx context.Context, c nacre.Caller) (*question, error) {
	n.mu.Lock()
	q, known := n.asks[c.Session]
	n.mu.Unlock()
	if !known {
		var err error
		if q, err = n.load(ctx, session(c)); err != nil {
			return nil, err
		}
		n.mu.Lock()
		n.asks[c.Session] = q
		n.mu.Unlock()
	}
	if q == nil || time.Now().After(q.Expires) {
		return nil, nil
	}
	return q, nil
}

// load reads what an earlier process asked. What cannot be read any more is
// asked no more.
func (n *Notebook) load(ctx context.Context, s nacre.SessionInfo) (*question, error) {
	content, err := n.opts.Log.Asked(ctx, s)
	if nacre.KindOf(err) == nacre.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var q question
	if json.Unmarshal(content, &q) != nil || q.No < 0 || q.No >= len(q.Answers) {
		n.opts.Logger.Warn("an open question of memory cannot be read", "session", s.ID)
		return nil, nil
	}
	q.earlier = true
	return &q, nil
}

// drop ends the question of a session.
func (n *Notebook) drop(ctx context.Context, c nacre.Caller) error {
	if err := n.opts.Log.DropAsk(ctx, session(c)); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asks[c.Session] = nil
	return nil
}

// Forgotten makes sessions read again what they are asked, and lets go of the words
// of notes, since they may have been erased. It is to be called by memory.Hooks whenever something was forgotten.
func (n *Notebook) Forgotten() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.asks)
	n.keys = nil
}
