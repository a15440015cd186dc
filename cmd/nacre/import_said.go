package main

import (
	"context"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
	"nacre/memory/moving"
)

// Limits of the messages that are held until they are stored together.
const (
	saidBytes = 4 << 20
	longestID = 500 // bytes of a name of a conversation or of a message
)

// say takes a message.
func (b *bringing) say(s moving.Said) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if !nameable(s) {
		return b.leave(s.Place, "a message", "What it is called cannot be read, so that it could not be known again.")
	}
	b.said, b.size = append(b.said, s), b.size+len(s.Text)
	if len(b.said) == ledger.ElsewhereAtOnce || b.size >= saidBytes {
		return b.handOver()
	}
	return nil
}

var plainSource = regexp.MustCompile(`^[a-z]{1,20}$`)

// nameable reports whether a message can be known again.
func nameable(s moving.Said) bool {
	for _, name := range []string{s.Chat, s.ID} {
		if name == "" || len(name) > longestID || !utf8.ValidString(name) {
			return false
		}
	}
	return plainSource.MatchString(string(s.Source))
}

// handOver gives the messages that are held to the storer, but for those that may not
// be kept.
func (b *bringing) handOver() error {
	said, err := b.keepable(b.said)
	b.said, b.size = b.said[:0], 0
	if err != nil || len(said) == 0 {
		return err
	}
	return b.store.take(said)
}

// keepable leaves out, and tells, what holds a secret or what was forgotten here.
func (b *bringing) keepable(said []moving.Said) ([]moving.Said, error) {
	texts := make([]string, len(said))
	for i, s := range said {
		texts[i] = s.Text
	}
	gone, err := b.book().Forgotten(b.ctx, texts)
	if err != nil {
		return nil, err
	}
	secret, err := hush(b.ctx, texts)
	if err != nil {
		return nil, err
	}
	var keep []moving.Said
	for i, s := range said {
		why := memory.Reason("")
		switch {
		case secret[i]:
			why = memory.IsSecret
		case gone[i]:
			why = memory.TombExact
		default:
			keep = append(keep, s)
			continue
		}
		if err := b.leave(s.Place, "a message", sentence(why)); err != nil {
			return nil, err
		}
	}
	return keep, nil
}

// hush tells which texts hold a secret. It takes as many processors as there are, and
// ends with ctx.
func hush(ctx context.Context, texts []string) ([]bool, error) {
	found := make([]bool, len(texts))
	var work sync.WaitGroup
	for part, parts := 0, runtime.GOMAXPROCS(0); part < parts; part++ {
		work.Go(func() {
			for i := part; i < len(texts) && ctx.Err() == nil; i += parts {
				_, found[i] = canon.Secret(texts[i])
			}
		})
	}
	work.Wait()
	return found, ctx.Err()
}

// authorElsewhere is who said something elsewhere.
func authorElsewhere(s moving.Said) nacre.Address {
	id := string(s.Who)
	switch s.Who {
	case moving.Owner:
		id = nacre.ElsewhereOwner
	case moving.Assistant:
		id = string(s.Source)
	}
	return nacre.Address{Channel: nacre.Elsewhere, ID: id}
}

// vouched is how far words of somebody are the owner's.
func vouched(who moving.Who) nacre.Provenance {
	if who == moving.Owner {
		return nacre.Imported
	}
	return nacre.Forwarded
}

// What our archives call conversations and messages: what was said to Nacre goes by the
// ids that it has, and what was taken over by what it is called in the ledger, with a
// sign before it. So it is the same wherever it is taken to.
const (
	storedSign = "~"
	answerEnd  = "/answer" // of the name of an answer, whose turn may be called as its first message is
)

var (
	ourID    = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:` + answerEnd + `)?$`)
	storedID = regexp.MustCompile(`^~[A-Za-z0-9_-]{22}$`)
)

// archivedName is what our archives call what is stored under a name.
func archivedName(stored string) string {
	if ourID.MatchString(stored) {
		return stored
	}
	return storedSign + stored
}

// elsewhereName is what a message is called in the ledger.
func elsewhereName(owner nacre.OwnerID, source moving.Source, chat, id string) (nacre.Chat, nacre.ExternalID) {
	place, name := ledger.ElsewhereID(owner, string(source), chat, id)
	if stored, ok := storedName(source, chat); ok {
		place.ID = nacre.ChatID(strings.Join([]string{string(owner), string(source), stored}, "/"))
	}
	if stored, ok := storedName(source, id); ok {
		name = nacre.ExternalID(stored)
	}
	return place, name
}

// storedName is the name in the ledger that stands in an archive of ours.
func storedName(source moving.Source, name string) (string, bool) {
	switch {
	case source == moving.FromNacre && ourID.MatchString(name):
		return name, true
	case storedID.MatchString(name):
		return strings.TrimPrefix(name, storedSign), true
	}
	return "", false
}
