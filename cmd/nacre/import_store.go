package main

import (
	"hash/maphash"
	"strings"
	"time"

	"nacre"
	"nacre/memory/moving"
	"nacre/web"
)

// storer stores what was said, in its order, while the next of it is read. One batch is
// on its way at most, beside the one that is stored and the one that is read.
type storer struct {
	by   *bringing // of which it reads alone what never changes
	next chan []moving.Said
	gone chan struct{} // closed when it has ended

	// What follows is of its goroutine until gone is closed.
	err   error
	done  web.Imported // what it tells of messages
	seed  maphash.Seed
	chats map[uint64]bool // hashes of the conversations that were counted
}

func newStorer(b *bringing) *storer {
	s := &storer{by: b, next: make(chan []moving.Said), gone: make(chan struct{}), seed: maphash.MakeSeed(), chats: map[uint64]bool{}}
	go s.run()
	return s
}

// run stores until there is no more, or something fails.
func (s *storer) run() {
	defer close(s.gone)
	for said := range s.next {
		if s.err = s.store(said); s.err != nil {
			return
		}
	}
}

// take takes messages to be stored, at most ledger.ElsewhereAtOnce. An error is that of
// earlier ones.
func (s *storer) take(said []moving.Said) error {
	select {
	case s.next <- said:
		return nil
	case <-s.gone:
		return s.err
	}
}

// end waits until all is stored, and tells what became of it. It is called once, after
// the last take.
func (s *storer) end(done *web.Imported) error {
	close(s.next)
	<-s.gone
	done.Said, done.SaidHere, done.Chats, done.First, done.Last = s.done.Said, s.done.SaidHere, len(s.chats), s.done.First, s.done.Last
	return s.err
}

// store stores messages, or only counts them.
func (s *storer) store(said []moving.Said) error {
	in, here, err := s.by.inbound(said)
	if err != nil {
		return err
	}
	fresh := 0
	if s.by.dry {
		known, err := s.by.app.ledger.KnownElsewhere(s.by.ctx, in)
		if err != nil {
			return err
		}
		fresh = len(in) - known
	} else if fresh, err = s.by.app.ledger.PutElsewhere(s.by.ctx, in); err != nil {
		return err
	}
	s.done.Said += fresh
	s.done.SaidHere += here + len(in) - fresh
	for i := range said {
		s.count(&said[i])
	}
	return nil
}

// count counts conversations, and notes how far back they go.
func (s *storer) count(m *moving.Said) {
	s.chats[maphash.Comparable(s.seed, [2]string{string(m.Source), m.Chat})] = true
	at := m.At.In(s.by.zone)
	if s.done.First.IsZero() || at.Before(s.done.First) {
		s.done.First = at
	}
	if at.After(s.done.Last) {
		s.done.Last = at
	}
}

// inbound makes messages of what was said, each once, and counts those that were said
// here: an archive of our own may come home.
func (b *bringing) inbound(said []moving.Said) (in []nacre.Inbound, here int, err error) {
	var ids []string
	for _, s := range said {
		if s.Source == moving.FromNacre {
			ids = append(ids, strings.TrimSuffix(s.ID, answerEnd))
		}
	}
	home := map[string]bool{}
	if ids != nil {
		if home, err = b.app.ledger.SaidHere(b.ctx, b.owner, ids); err != nil {
			return nil, 0, err
		}
	}
	seen := map[string]bool{}
	for _, s := range said {
		chat, id := elsewhereName(b.owner, s.Source, s.Chat, s.ID)
		name := string(chat.ID) + "\n" + string(id)
		if s.Source == moving.FromNacre && home[strings.TrimSuffix(s.ID, answerEnd)] || seen[name] {
			here++
			continue
		}
		seen[name] = true
		in = append(in, nacre.Inbound{Owner: b.owner, Message: nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), Chat: chat, External: id,
			Author: authorElsewhere(s), Private: true, Sent: s.At, Received: s.At, Segments: []nacre.Segment{{Provenance: vouched(s.Who), Text: s.Text}}}})
	}
	return in, here, nil
}
