package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

// journal keeps what sessions write in memory, as the ledger does on disk, so
// that these tests and fuzz targets need not build a database.
type journal struct {
	mu       sync.Mutex // guards what follows
	seq      int64
	pending  []nacre.Message
	turns    []nacre.Turn
	head     json.RawMessage
	through  int // turns that head stands for
	fresh    int // turns before the last fresh start
	model    string
	files    map[string][]byte
	readings map[string]nacre.Reading
	broken   bool // refuses to keep a head
}

func (j *journal) put(m nacre.Message) nacre.Message {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	m.Seq, m.ID = j.seq, nacre.MessageID(fmt.Sprintf("m%d", j.seq))
	j.pending = append(j.pending, m)
	return m
}

func (j *journal) Pending(_ context.Context, _ nacre.SessionInfo, after int64) ([]nacre.Message, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []nacre.Message
	for _, m := range j.pending {
		if m.Seq > after && len(list) < 100 {
			list = append(list, m)
		}
	}
	return list, nil
}

func (j *journal) Conversation(context.Context, nacre.SessionInfo) (nacre.Conversation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := nacre.Conversation{Model: j.model}
	from := j.fresh
	if j.through > j.fresh {
		c.Head, from = j.head, j.through
	}
	for _, t := range j.turns[from:] {
		replaced := slices.ContainsFunc(j.turns, func(o nacre.Turn) bool { return o.Instead == t.ID })
		if len(t.History) > 0 && !replaced {
			c.Turns = append(c.Turns, nacre.PastTurn{ID: t.ID, Outcome: t.Outcome, History: t.History})
		}
	}
	return c, nil
}

func (j *journal) Compact(_ context.Context, _ nacre.SessionInfo, through nacre.TurnID, head json.RawMessage) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.IndexFunc(j.turns, func(t nacre.Turn) bool { return t.ID == through })
	if i < 0 || j.broken {
		return nacre.Errorf(nacre.NotFound, "no such turn")
	}
	j.head, j.through = head, i+1
	return nil
}

func (j *journal) ChooseModel(_ context.Context, _ nacre.SessionInfo, name string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.model = name
	return nil
}

func (j *journal) PutAttachment(_ context.Context, _ nacre.OwnerID, m nacre.MessageID, place int, _ nacre.AttachmentKind, data []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.files[fmt.Sprint(m, place)] = data
	return nil
}

func (j *journal) Attachment(_ context.Context, _ nacre.OwnerID, m nacre.MessageID, place int) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if data, ok := j.files[fmt.Sprint(m, place)]; ok {
		return data, nil
	}
	return nil, nacre.Errorf(nacre.NotFound, "no such attachment")
}

func (j *journal) PutReading(_ context.Context, _ nacre.OwnerID, m nacre.MessageID, place int, reading nacre.Reading) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.readings[fmt.Sprint(m, place)] = reading
	return nil
}

func (j *journal) Reading(_ context.Context, _ nacre.OwnerID, m nacre.MessageID, place int) (nacre.Reading, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if text, ok := j.readings[fmt.Sprint(m, place)]; ok {
		return text, nil
	}
	return nacre.Reading{}, nacre.Errorf(nacre.NotFound, "not read")
}

func (j *journal) Commit(_ context.Context, turn nacre.Turn) ([]nacre.Delivery, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, id := range turn.Messages {
		i := slices.IndexFunc(j.pending, func(m nacre.Message) bool { return m.ID == id })
		if i < 0 {
			return nil, nacre.Errorf(nacre.Conflict, "answered before")
		}
		j.pending = slices.Delete(j.pending, i, i+1)
	}
	j.turns = append(j.turns, turn)
	if turn.Fresh {
		j.fresh = len(j.turns)
	}
	return nil, nil
}

// host shows nothing and fetches what a test put there.
type host struct{ files map[string][]byte }

func (host) Render(r nacre.Reply) []nacre.Part {
	if strings.TrimSpace(r.Text) == "" {
		return nil
	}
	return []nacre.Part{{Text: r.Text}}
}
func (host) Post([]nacre.Delivery) {}
func (host) Progress(nacre.Chat, nacre.TurnID) (func(string), func()) {
	return func(string) {}, func() {}
}
func (h host) Fetch(_ context.Context, _ nacre.Chat, ref string, _ int64) ([]byte, error) {
	if data, ok := h.files[ref]; ok {
		return data, nil
	}
	return nil, nacre.Errorf(nacre.Transient, "gone")
}

// media reads "image …" as an image and "text …" as a text.
type media struct{}

func (media) Read(_ context.Context, _ nacre.OwnerID, a nacre.Attachment, data []byte) (nacre.Reading, error) {
	switch kind, rest, _ := strings.Cut(string(data), " "); kind {
	case "image":
		return nacre.Reading{MIME: "image/png", Image: data}, nil
	case "text":
		return nacre.Reading{Text: nacre.Segment{Provenance: nacre.InFile, Text: rest}}, nil
	case "voice":
		return nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: rest}}, nil
	}
	return nacre.Reading{}, nacre.Errorf(nacre.Invalid, "I cannot watch a %s.", a.Kind)
}

// world is Sessions between doubles, one conversation of which is looked at.
type world struct {
	t        *testing.T
	journal  *journal
	host     host
	network  agent.Host  // in the place of host
	media    agent.Media // in the place of what reads files
	model    *llmtest.Model
	memory   *llmtest.Model
	window   int
	writes   int // window of the memory model
	deadline time.Duration
	simple   bool // the chat model cannot write summaries
	tools    []agent.Tool
	notes    agent.Memory
	asks     []agent.Asker
	recall   agent.Recaller
	store    agent.Journal // in the place of journal
	commands map[string]agent.CommandFunc
	more     []agent.Choice
	usual    string // the model that the owner wants where none is chosen
	flushed  [][]llm.Message
	flush    func(context.Context) error // runs with each flush, if set
	sessions *agent.Sessions
	log      strings.Builder
}

var info = nacre.SessionInfo{ID: "s", Owner: "o", Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1"}, Private: true}

// in runs f with a world in a synctest bubble.
func in(t *testing.T, f func(w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, journal: &journal{files: map[string][]byte{}, readings: map[string]nacre.Reading{}}, host: host{map[string][]byte{}},
			model: &llmtest.Model{Strict: true}, memory: &llmtest.Model{Strict: true}, window: 8000, writes: 100_000, deadline: 5 * time.Minute, tools: []agent.Tool{agent.Now{Zone: utc}}}
		f(w)
		w.end()
	})
}

// begin starts a process over what the journal holds.
func (w *world) begin() {
	network, reader := agent.Host(w.host), agent.Media(media{})
	store := agent.Journal(w.journal)
	if w.store != nil {
		store = w.store
	}
	if w.network != nil {
		network = w.network
	}
	if w.media != nil {
		reader = w.media
	}
	w.sessions = agent.New(agent.Options{
		Journal: store, Host: network, Media: reader, Tools: w.tools, Notes: w.notes, Asks: w.asks, Recall: w.recall, Commands: w.commands, Zone: utc,
		Models:   append([]agent.Choice{{Name: "usual/model", Model: w.model, Window: w.window, Simple: w.simple}}, w.more...),
		Usual:    func(nacre.OwnerID) string { return w.usual },
		Memory:   agent.Choice{Name: "memory", Model: w.memory, Window: w.writes},
		Deadline: w.deadline, Idle: time.Hour, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
		Flush: func(ctx context.Context, _ nacre.Caller, going []llm.Message) error {
			w.flushed = append(w.flushed, slices.Clone(going))
			if w.flush != nil {
				return w.flush(ctx)
			}
			return nil
		},
	})
}

// end ends it, and parks what is not done within a minute.
func (w *world) end() { w.park(time.Minute) }

// park ends it, and parks what is not done by then.
func (w *world) park(after time.Duration) {
	if w.sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	w.sessions.Drain(ctx)
	w.sessions = nil
}

// send puts a message in and wakes its session.
func (w *world) send(m nacre.Message) {
	if w.sessions == nil {
		w.begin()
	}
	m.Chat, m.Private, m.Received = info.Chat, true, time.Now()
	m.External = nacre.ExternalID(fmt.Sprint("e", w.journal.seq))
	w.sessions.Wake(info, w.journal.put(m))
}

// say is the person writing, and what follows within the hour.
func (w *world) say(text string) {
	w.send(nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}})
	w.pass(30 * time.Minute)
}

// pass lets time pass, and everybody come to rest.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// answers are the readings of all replies.
func (w *world) answers() []string {
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	var list []string
	for _, t := range w.journal.turns {
		text := ""
		for _, r := range t.Replies {
			for _, p := range r.Parts {
				text += p.Text
			}
		}
		list = append(list, text)
	}
	return list
}

func (w *world) expect(want ...string) {
	w.t.Helper()
	if got := w.answers(); !slices.EqualFunc(got, want, strings.HasPrefix) {
		w.t.Errorf("the person reads %q, want %q", got, want)
	}
}

// seen are the readings of the newest request's messages.
func (w *world) seen() []string {
	w.t.Helper()
	all := w.model.Requests()
	if len(all) == 0 {
		w.t.Fatal("the model was not asked")
	}
	var texts []string
	for _, m := range all[len(all)-1].Messages {
		texts = append(texts, m.Text)
	}
	return texts
}
