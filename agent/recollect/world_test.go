package recollect_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm/llmtest"
	"nacre/agent/recollect"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/recall"
	"nacre/memory/recall/terms"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

var _ agent.Recaller = (*recollect.Recollector)(nil)

// said is a stored message with whose it is.
type said struct {
	owner nacre.OwnerID
	recall.Text
}

// chats is a recall.Store in memory.
type chats struct{ all []said }

func (s *chats) KeyOf(m nacre.Message) recall.Key {
	if i := slices.IndexFunc(s.all, func(one said) bool { return m.ID != "" && one.Message == m.ID }); i >= 0 {
		return s.all[i].Key
	}
	return recall.Key(m.Seq)
}

func (s *chats) Mark(context.Context, nacre.OwnerID) (recall.Mark, error) {
	return recall.Mark{Said: int64(len(s.all))}, nil
}

func (s *chats) Before(_ context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc) bool) error {
	for _, one := range slices.Backward(s.all[:m.Said]) {
		if one.owner == owner && !yield(one.Doc) {
			break
		}
	}
	return nil
}

func (s *chats) Since(_ context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc)) (recall.Mark, error) {
	for _, one := range s.all[m.Said:] {
		if one.owner == owner {
			yield(one.Doc)
		}
	}
	return recall.Mark{Said: int64(len(s.all))}, nil
}

func (s *chats) Texts(_ context.Context, owner nacre.OwnerID, keys []recall.Key) (map[recall.Key]recall.Text, error) {
	texts := map[recall.Key]recall.Text{}
	for _, one := range s.all {
		if one.owner == owner && slices.Contains(keys, one.Key) {
			texts[one.Key] = one.Text
		}
	}
	return texts, nil
}

func (s *chats) Near(_ context.Context, owner nacre.OwnerID, scope memory.Scope, key recall.Key, each int) ([]recall.Text, error) {
	at, list := -1, []recall.Text{}
	i := slices.IndexFunc(s.all, func(one said) bool { return one.Key == key && one.owner == owner && one.Scope == scope })
	if i < 0 {
		return nil, nacre.Errorf(nacre.NotFound, "no such message")
	}
	for _, one := range s.all {
		if one.Session != s.all[i].Session {
			continue
		}
		if one.Key == key {
			at = len(list)
		}
		list = append(list, one.Text)
	}
	return list[max(0, at-each):min(len(list), at+each+1)], nil
}

// world is a Recollector over a real ledger, a real Index and chats in memory.
type world struct {
	t       testing.TB
	chats   *chats
	index   *recall.Index
	ledger  *ledger.Ledger
	library *memory.Library
	model   *llmtest.Model
	r       *recollect.Recollector
	ann     nacre.OwnerID
	bob     nacre.OwnerID
}

var silent = slog.New(slog.DiscardHandler)

// newWorld makes one that asks no model.
func newWorld(t testing.TB) *world {
	w := &world{t: t, chats: &chats{}, model: llmtest.NewModel()}
	dir := t.TempDir()
	l, err := ledger.Open(context.Background(), ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	list, err := l.SyncOwners(t.Context(), [][]nacre.Address{{addr("1001")}, {addr("1002")}})
	if err != nil {
		t.Fatal(err)
	}
	w.ledger, w.library, w.ann, w.bob = l, memory.NewLibrary(l, utc), list[0].ID, list[1].ID
	w.index = recall.New(w.chats, recall.Options{Log: silent})
	t.Cleanup(w.index.Close)
	for _, owner := range []nacre.OwnerID{w.ann, w.bob} { // while there is nothing to index, so that every search is complete
		if _, err := w.index.Search(t.Context(), owner, recall.Query{Order: recall.Newest}); err != nil {
			t.Fatal(err)
		}
	}
	w.with(func(*recollect.Options) {})
	return w
}

// noHits counts nothing, for time that is not the ledger's.
type noHits struct{}

func (noHits) Hit(context.Context, nacre.OwnerID, string, []nacre.NoteID) error { return nil }

// with makes the Recollector with other options.
func (w *world) with(change func(*recollect.Options)) {
	o := recollect.Options{Index: w.index, Store: w.chats, Library: w.library, Hits: w.ledger, Terms: terms.New(nil), Zone: utc, Log: silent}
	change(&o)
	w.r = recollect.New(o)
}

// zone makes Ann live somewhere.
func (w *world) zone(name string) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		w.t.Fatal(err)
	}
	w.with(func(o *recollect.Options) {
		o.Zone = func(owner nacre.OwnerID) *time.Location {
			if owner == w.ann {
				return zone
			}
			return time.UTC
		}
	})
}

func addr(id string) nacre.Address { return nacre.Address{Channel: nacre.Telegram, ID: id} }

// chat is one conversation.
type chat struct {
	w       *world
	owner   nacre.OwnerID
	id      nacre.ChatID
	private bool
	session nacre.SessionID
}

func (w *world) private() chat { return chat{w, w.ann, "1001", true, "s-ann"} }
func (w *world) group() chat   { return chat{w, w.ann, "-55", false, "s-group"} }
func (w *world) other() chat   { return chat{w, w.ann, "-66", false, "s-other"} }
func (w *world) bobs() chat    { return chat{w, w.bob, "1002", true, "s-bob"} }

func (c chat) scope() memory.Scope {
	if c.private {
		return memory.Private
	}
	return memory.GroupScope(nacre.Chat{Channel: nacre.Telegram, ID: c.id})
}

// sent is a time as the tests write it.
func sent(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

// put stores a message that was answered long ago.
func (c chat) put(author, when, text string) recall.Key {
	return c.store(recall.Text{Doc: recall.Doc{Author: author, Sent: sent(when), Text: text}})
}

// forwards stores words of others that the person passed on.
func (c chat) forwards(when, text string) recall.Key {
	return c.store(recall.Text{Doc: recall.Doc{Author: recall.ByOwner, Sent: sent(when), Text: text}, Strange: true})
}

func (c chat) store(t recall.Text) recall.Key {
	n := len(c.w.chats.all) + 1
	t.Key, t.Session, t.Scope = recall.Key(n), c.session, c.scope()
	if t.Turn == "" {
		t.Turn = nacre.TurnID(fmt.Sprint("t", n))
	}
	if t.Author != recall.ByAssistant && t.Message == "" {
		t.Message = nacre.MessageID(fmt.Sprint("m", n))
	}
	c.w.chats.all = append(c.w.chats.all, said{c.owner, t})
	return t.Key
}

// asks is the Caller of a turn over messages that were just typed. They are stored
// too.
func (c chat) asks(texts ...string) nacre.Caller {
	caller := nacre.Caller{Owner: c.owner, Session: c.session, Chat: nacre.Chat{Channel: nacre.Telegram, ID: c.id}, Private: c.private, Author: addr("1001"), Turn: "now"}
	p := nacre.ByOwner
	if !c.private {
		p = nacre.InGroup
	}
	for _, text := range texts {
		id := nacre.MessageID(fmt.Sprint("now", len(c.w.chats.all)))
		caller.Said = append(caller.Said, nacre.Message{ID: id, Private: c.private, Segments: []nacre.Segment{{Provenance: p, Text: text}}})
		c.store(recall.Text{Doc: recall.Doc{Author: recall.ByOwner, Sent: time.Now(), Text: text}, Message: id, Turn: "now"})
	}
	return caller
}

var room = agent.Window{Room: 100_000}

// recalls is the evidence for a question.
func (c chat) recalls(texts ...string) agent.Evidence {
	c.w.t.Helper()
	return c.w.recall(c.asks(texts...), room)
}

func (w *world) recall(c nacre.Caller, in agent.Window) agent.Evidence {
	w.t.Helper()
	e, err := w.r.Recall(w.t.Context(), c, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// note stores a note by the owner's hand.
func (c chat) note(place, text string) *memory.Note {
	c.w.t.Helper()
	area, slug, _ := strings.Cut(place, "/")
	return c.draft(memory.Draft{Area: memory.Area(area), Slug: slug, Text: text})
}

func (c chat) draft(d memory.Draft) *memory.Note {
	c.w.t.Helper()
	out, err := c.w.library.Book(c.owner).Propose(c.w.t.Context(), memory.Proposal{Writer: memory.ByPage, Scope: c.scope(), Do: memory.Learn, Draft: d})
	if err != nil || out[0].Refused != "" || out[0].Note == nil {
		c.w.t.Fatalf("note %q: %+v, %v", d.Text, out, err)
	}
	return out[0].Note
}

// set switches a setting of Ann's.
func (w *world) set(name string, on bool) {
	w.t.Helper()
	if _, err := w.library.Book(w.ann).Propose(w.t.Context(), memory.Proposal{Writer: memory.ByPage, Do: memory.Set, Setting: name, On: on}); err != nil {
		w.t.Fatal(err)
	}
}

// wantText checks that a text holds some pieces.
func wantText(t testing.TB, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q lacks %q", text, p)
		}
	}
}

// wantNot checks that a text holds none of some pieces.
func wantNot(t testing.TB, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if strings.Contains(text, p) {
			t.Errorf("%q holds %q", text, p)
		}
	}
}
