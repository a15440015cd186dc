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

	"nacre"
)

// memoName is the file beside the account's in which the channel keeps what the
// library does not.
const memoName = "whatsapp.json"

// facts is what the channel has to know after a restart. It names chats and holds no
// words of anybody.
type facts struct {
	// Whose says whose number was linked; empty if nobody said.
	Whose whose `json:"whose,omitempty"`
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

// read returns the facts. A file that cannot be read is as good as none: each fact is
// told again by what it came from.
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

// write replaces the file, and removes it where there is nothing to say. The caller
// holds mu.
func (m *memo) write() error {
	if m.facts.Whose == "" && m.facts.Ended == "" && len(m.facts.Timers) == 0 {
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
