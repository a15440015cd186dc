package recall

import (
	"context"
	"sync"
	"time"

	"nacre"
	"nacre/memory"
)

// memStore is a Store in memory, which fails and waits when it is told to.
type memStore struct {
	mu    sync.Mutex // guards what follows
	said  map[nacre.OwnerID][]Doc
	reads int // of texts, one by one

	before func(Doc) error // called for each message of Before; nil for nothing
	since  error           // that Since returns
}

func newMemStore() *memStore { return &memStore{said: map[nacre.OwnerID][]Doc{}} }

// say stores messages of an owner and fills in what they leave out.
func (s *memStore) say(owner nacre.OwnerID, docs ...Doc) []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []Key
	for _, d := range docs {
		n := len(s.said[owner])
		d.Key = Key(100 + n)
		if d.Author == "" {
			d.Author = ByOwner
		}
		if d.Session == "" {
			d.Session = nacre.SessionID("s" + string(d.Scope))
		}
		if d.Sent.IsZero() {
			d.Sent = syntheticEpoch.Add(time.Duration(n) * time.Minute)
		}
		s.said[owner] = append(s.said[owner], d)
		keys = append(keys, d.Key)
	}
	return keys
}

func (s *memStore) erase(owner nacre.OwnerID, key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said[owner][key-100].Key = 0
}

func (s *memStore) all(owner nacre.OwnerID) []Doc {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Doc(nil), s.said[owner]...)
}

func (s *memStore) Mark(_ context.Context, owner nacre.OwnerID) (Mark, error) {
	return Mark{Said: int64(len(s.all(owner)))}, nil
}

func (s *memStore) Before(_ context.Context, owner nacre.OwnerID, m Mark, yield func(Doc) bool) error {
	all := s.all(owner)[:m.Said]
	for i := len(all) - 1; i >= 0; i-- {
		if s.before != nil {
			if err := s.before(all[i]); err != nil {
				return err
			}
		}
		if all[i].Key != 0 && !yield(all[i]) {
			return nil
		}
	}
	return nil
}

func (s *memStore) Since(_ context.Context, owner nacre.OwnerID, m Mark, yield func(Doc)) (Mark, error) {
	if s.since != nil {
		return m, s.since
	}
	all := s.all(owner)
	for _, d := range all[m.Said:] {
		if d.Key != 0 {
			yield(d)
		}
	}
	return Mark{Said: int64(len(all))}, nil
}

func (s *memStore) Texts(_ context.Context, owner nacre.OwnerID, keys []Key) (map[Key]Text, error) {
	all := s.all(owner)
	replaced := map[Key]bool{}
	for _, d := range all {
		replaced[d.Replaces] = true
	}
	texts := map[Key]Text{}
	for _, k := range keys {
		if d := all[k-100]; d.Key == k && !replaced[k] {
			texts[k] = Text{Doc: d}
		}
	}
	s.mu.Lock()
	s.reads += len(keys)
	s.mu.Unlock()
	return texts, nil
}

func (s *memStore) Near(context.Context, nacre.OwnerID, memory.Scope, Key, int) ([]Text, error) {
	return nil, nil
}
