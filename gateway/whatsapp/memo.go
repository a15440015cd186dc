package whatsapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nacre"
)

// memoName is the file beside the account's in which the channel keeps what the
// library does not.
const memoName = "whatsapp.json"

// facts is what the channel has to know after a restart. It names chats and holds no
// words of anybody.
type facts struct {
	// Whose says whose number is linked. It is noted before the account is there and
	// until it is no more; empty with an account means that it was lost.
	Whose whose `json:"whose,omitempty"`
	// Linked is when that was begun, in Unix milliseconds. What was sent before went
	// out under ids of another account, if there was one.
	Linked int64 `json:"linked,omitempty"`
	// Ended is why the account is linked no longer, if WhatsApp or the phone
	// ended it; until somebody links or unlinks.
	Ended string `json:"ended,omitempty"`
	// Timers are the seconds after which messages of a chat disappear.
	Timers map[nacre.ChatID]uint32 `json:"timers,omitempty"`
}

// whose says to whom a linked number belongs.
type whose string

const (
	operators  whose = "own"
	assistants whose = "separate"
)

func (c *Channel) whose() whose {
	if c.opts.Own {
		return operators
	}
	return assistants
}

// memo keeps facts in a file, which is replaced as a whole.
type memo struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	facts facts // guarded by mu
	known bool  // guarded by mu; facts are those of the file
}

func newMemo(dir string, log *slog.Logger) *memo {
	return &memo{path: filepath.Join(dir, memoName), log: log}
}

// read returns the facts. A file that cannot be read is as good as none. Only the
// timers are told again, each by its chat; an account of which nothing is noted any
// more is used where that harms nobody.
func (m *memo) read() facts {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	return m.facts
}

// load fills facts the first time. The caller holds mu.
func (m *memo) load() {
	if m.known {
		return
	}
	m.known = true
	b, err := os.ReadFile(m.path)
	if err == nil {
		err = json.Unmarshal(b, &m.facts)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.facts = facts{}
		m.log.Warn("what was noted of the account cannot be read", "file", memoName)
	}
}

// change changes the facts, durably. They are changed even where the file cannot be
// written, until the program ends.
func (m *memo) change(f func(*facts)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	f(&m.facts)
	if err := m.write(); err != nil {
		m.log.Warn("what is noted of the account cannot be stored, and is forgotten at the next start", "file", memoName, "cause", causeOf(err))
	}
}

// linked is when the account was linked; 1970 if that is not known.
func (m *memo) linked() time.Time { return time.UnixMilli(m.read().Linked) }

// write replaces the file, and removes it where there is nothing to say. The caller
// holds mu.
func (m *memo) write() error {
	if m.facts.Whose == "" && m.facts.Linked == 0 && m.facts.Ended == "" && len(m.facts.Timers) == 0 {
		err := os.Remove(m.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	b, err := json.Marshal(m.facts)
	if err != nil {
		return fmt.Errorf("encode facts: %w", err)
	}
	fresh, err := os.OpenFile(m.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = fresh.Write(b)
	if err = errors.Join(err, fresh.Sync(), fresh.Close()); err != nil {
		return err
	}
	return os.Rename(fresh.Name(), m.path)
}
