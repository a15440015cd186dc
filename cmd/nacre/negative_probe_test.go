package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
	"nacre/memory/recall"
	"nacre/web"
)

// surface is one place where something can come to light.
type surface struct {
	name  string
	texts []string
}

// The surfaces, by the numbers under which the suite reports them.
const (
	inRows      = "P1 notes and ops"
	inReview    = "P2 what waits for the owner"
	inSection   = "P3 what prompts hold of memory"
	inPrompts   = "P3 prompts"
	inTools     = "P4 results of tools"
	inSummaries = "P5 summaries and files for people"
	inHistories = "P6 histories in memory"
	inIndex     = "P6 search index and history_search"
	onPage      = "P7 page and control socket"
	inExport    = "P8 export"
	inAudit     = "P9 audit and refusals"
	inMessages  = "P10 messages to people"
	inLog       = "P11 log"
	onDisk      = "P12 bytes of files"
)

// holdsWord reports whether a text holds a distinctive word, whatever its case
// and the marks inside it.
func holdsWord(text, word string) bool { return strings.Contains(letters(text), letters(word)) }

// letters is the ASCII letters and digits of a text, in lower case.
func letters(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch b := text[i]; {
		case b >= 'A' && b <= 'Z':
			out = append(out, b+'a'-'A')
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
			out = append(out, b)
		}
	}
	return string(out)
}

// settle lets everything that is due come to an end, runs what runs by itself
// once, starts the program anew, and records whether it was quiet then.
func (c *trial) settle() {
	c.t.Helper()
	c.pass(idle + time.Minute)
	c.background()
	c.stop()
	c.start()
	c.pass(time.Minute)
	c.background()
	c.quiet()
}

// later is so long after, with the program switched off.
func (c *trial) later(d time.Duration) {
	c.t.Helper()
	c.stop()
	time.Sleep(d)
	c.start()
	c.pass(time.Minute)
}

// upkeep runs once what is done for an owner's memory every hour, whose memory model
// is the attacker's.
func (c *trial) upkeep(user int64) {
	c.t.Helper()
	for _, round := range []nacre.JobID{nacre.RoundRepair, nacre.RoundReflect, nacre.RoundPromote} {
		if err := c.app.clock.RunRound(c.t.Context(), c.owner(user), round); err != nil {
			c.t.Errorf("%s: %v", round, err)
		}
	}
}

// background runs once all that the program does by itself.
func (c *trial) background() {
	c.t.Helper()
	ctx := c.t.Context()
	c.leak.night(c)
	c.upkeep(ann)
	c.upkeep(bea)
	for _, user := range []int64{ann, bea} {
		if _, err := c.app.folder.Sync(ctx, c.owner(user)); err != nil {
			c.t.Fatal(err)
		}
		if same, err := c.book(user).Rebuild(ctx); err != nil || !same && c.leak == nil {
			c.t.Errorf("what was folded anew is not what was in use, %v", err)
		}
	}
	if r, err := c.app.ledger.VerifyMemory(ctx); err != nil || !r.OK() {
		c.t.Errorf("the audit log does not verify: %+v, %v", r, err)
	}
}

// quiet records whether nothing is under way.
func (c *trial) quiet() {
	c.t.Helper()
	ctx := c.t.Context()
	counts, err := c.app.ledger.Counts(ctx)
	left, err2 := c.app.ledger.Unanswered(ctx)
	due, err3 := c.app.ledger.Undelivered(ctx)
	if err != nil || err2 != nil || err3 != nil {
		c.t.Fatal(err, err2, err3)
	}
	quiet := counts.Pending == 0 && counts.Waiting == 0 && len(left) == 0 && len(due) == 0
	c.quiescence.add(quiet)
	c.control(quiet, "nothing is under way when it is probed: %+v", counts)
}

// look reads every surface of an owner, as hostile models and the owner would, and
// looks for words where somebody has to ask for them.
func (c *trial) look(user int64, words ...string) []surface {
	c.t.Helper()
	found := append(c.everyFind(user, words), c.everySaying(user, words)...)
	before := c.now(0)
	c.wish(user, "What do you know?", c.everyRead(user)...)
	if user == ann {
		c.inGroup(user, "What do you know?", c.everyRead(user)...)
	}
	c.byItself(user)
	c.wish(user, "/memory")
	c.wish(user, "/why")
	c.wish(user, "/export")
	var private []llm.Request
	for _, r := range c.model.Requests()[before.chat:] {
		if strings.Contains(r.Tail, "private chat") {
			private = append(private, r)
		}
	}
	all := c.model.Requests()[min(c.since.chat, before.chat):]
	return []surface{
		{inRows, c.everyRow(user)}, {inReview, c.everyWait(user)},
		{inSection, systems(all)}, {inPrompts, append(everyByte(all), everyByte(c.scribe.requests()[c.since.scribe:])...)},
		{inTools, messagesOf(all, fromTool)}, {inSummaries, c.everySummary(user)}, {inHistories, messagesOf(private, byPeople)}, {inIndex, found},
		{onPage, c.everyPage(user)}, {inExport, c.export(user)}, {inAudit, c.everyLeaf(user)},
		{inMessages, c.sent()}, {inLog, []string{c.log.String()}}, {onDisk, c.disk()},
	}
}

// mostOpened is how many notes are read one by one, besides in lists of all.
const mostOpened = 50

// everyRead is all calls of tools by which a model can read what is remembered,
// and calls of every other tool that has to do with memory, for everybody.
func (c *trial) everyRead(user int64) []llm.ToolCall {
	list := []llm.ToolCall{c.call("memory_read", `{"path":""}`), c.call("memory_find", `{"words":"zqx name dog bike street city"}`)}
	for _, a := range memory.Areas {
		list = append(list, c.call("memory_read", fmt.Sprintf(`{"path":%q}`, a)))
	}
	notes := c.state(user).Select(memory.Query{Everywhere: true, Hidden: true})
	for _, n := range notes[max(0, len(notes)-mostOpened):] {
		list = append(list, c.call("memory_read", fmt.Sprintf(`{"path":%q}`, n.Slot)))
	}
	for _, name := range c.leak.offers() {
		for _, owner := range []int64{ann, bea} {
			list = append(list, c.call(name, fmt.Sprintf(`{"owner":%q,"scope":"*"}`, c.owner(owner))))
		}
	}
	return list
}

// everyFind is what the search index says of words in any of an owner's chats: how
// many messages it knows to have them, what these say, and what history_search makes
// of that for a model.
func (c *trial) everyFind(user int64, words []string) (texts []string) {
	c.t.Helper()
	owner := c.owner(user)
	for _, s := range c.sessionsOf(user) {
		caller := nacre.Caller{Owner: owner, Session: s.ID, Chat: s.Chat, Private: s.Private}
		scope := memory.Private
		if !s.Private {
			scope = memory.GroupScope(s.Chat)
		}
		for _, word := range words {
			r, err := c.app.index.Search(c.t.Context(), owner, recall.Query{Text: strings.TrimPrefix(word, "zqx-"), Scope: scope, Now: time.Now(), Limit: recall.MaxLimit})
			if err != nil {
				c.t.Fatal(err)
			}
			texts = append(texts, asJSON(r))
			blanked := func(h recall.Hit) bool { return strings.Contains(h.Doc.Text, "***") }
			if r.Total > len(r.Hits) || slices.ContainsFunc(r.Hits, blanked) || c.vectors.know(c, owner, word) {
				texts = append(texts, word) // it is known, though the text is gone
			}
			for _, tool := range c.app.recalls.Tools() {
				r, err := tool.Call(c.t.Context(), caller, json.RawMessage(asJSON(map[string]any{"words": word})))
				texts = append(texts, r.Text, fmt.Sprint(err))
			}
		}
	}
	return texts
}

// byItself is a run that the program begins, in an owner's private chat.
func (c *trial) byItself(user int64) {
	c.t.Helper()
	home, err := c.app.ledger.Home(c.t.Context(), c.owner(user))
	if err != nil {
		c.t.Fatal(err)
	}
	id := nacre.NewID(time.Now())
	in := []nacre.Inbound{{Owner: home.Owner, Message: nacre.Message{ID: nacre.MessageID(id), Chat: home.Chat, External: nacre.ExternalID("run/" + id),
		Private: true, Sent: time.Now(), Received: time.Now(), Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: "Look around."}}}}}
	if err := c.app.ledger.Put(c.t.Context(), in); err != nil {
		c.t.Fatal(err)
	}
	c.model.Push(llmtest.Step{Calls: c.everyRead(user)})
	c.app.sessions.Wake(in[0].Session, in[0].Message)
	c.pass(2 * time.Second)
}

// systems is what stands at the beginning of requests.
func systems(requests []llm.Request) []string {
	var texts []string
	for _, r := range requests {
		texts = append(texts, r.System)
	}
	return texts
}

// everyByte is what requests hold.
func everyByte(requests []llm.Request) []string {
	var texts []string
	for _, r := range requests {
		texts = append(texts, r.System, r.Tail, asJSON(r.Messages))
	}
	return texts
}

func fromTool(m llm.Message) bool { return m.Role == llm.Tool }
func byPeople(m llm.Message) bool { return m.Role != llm.Tool }

// messagesOf is some messages of requests.
func messagesOf(requests []llm.Request, which func(llm.Message) bool) []string {
	var texts []string
	for _, r := range requests {
		for _, m := range r.Messages {
			if which(m) {
				texts = append(texts, asJSON(m))
			}
		}
	}
	return texts
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (c *trial) everyRow(user int64) []string {
	c.t.Helper()
	ops, err := c.app.ledger.Ops(c.t.Context(), c.owner(user), -1, true)
	if err != nil {
		c.t.Fatal(err)
	}
	return []string{asJSON(ops), asJSON(everything(c.state(user)))}
}

func (c *trial) everyWait(user int64) []string {
	c.t.Helper()
	home, err := c.app.ledger.Home(c.t.Context(), c.owner(user))
	if err != nil {
		c.t.Fatal(err)
	}
	asked, err := c.app.ledger.Asked(c.t.Context(), home)
	if err != nil && nacre.KindOf(err) != nacre.NotFound {
		c.t.Fatal(err)
	}
	return []string{string(asked), asJSON(c.state(user).Select(memory.Query{Everywhere: true, Hidden: true, Statuses: []memory.Status{memory.Candidate}}))}
}

// everySummary is what stands for older turns in any session, and the files of
// an owner's folder.
func (c *trial) everySummary(user int64) []string {
	c.t.Helper()
	var texts []string
	for _, s := range c.sessionsOf(user) {
		talk, err := c.app.ledger.Conversation(c.t.Context(), s)
		if err != nil {
			c.t.Fatal(err)
		}
		texts = append(texts, string(talk.Head))
	}
	return append(texts, c.files(filepath.Join(c.app.cfg.Data, "owners", string(c.owner(user))))...)
}

func (c *trial) files(dir string) (texts []string) {
	c.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		texts = append(texts, path+"\n"+string(b))
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return texts
}

// everyPage is what the page and the command line get of an owner's memory.
func (c *trial) everyPage(user int64) []string {
	c.t.Helper()
	hand, ctx := web.Hand{Owner: c.owner(user), By: memory.ByPage}, c.t.Context()
	m := c.app.Memory(hand)
	list, err := m.Notes(ctx, web.NoteQuery{Which: web.AllNotes})
	if err != nil {
		c.t.Fatal(err)
	}
	texts := []string{asJSON(list)}
	for _, n := range list.Notes[:min(mostOpened, len(list.Notes))] {
		sheet, err := m.Note(ctx, web.NoteName{Name: string(n.ID), Which: web.AllNotes})
		texts = append(texts, asJSON(sheet), fmt.Sprint(err))
	}
	log, err := m.Log(ctx, web.LogQuery{Refusals: true})
	review, err2 := m.Review(ctx)
	pinned, err3 := m.Pinned(ctx)
	found, err4 := m.Search(ctx, web.NoteSearch{Words: "zqx", Which: web.AllNotes, Most: 200})
	files, err5 := c.app.Files(hand).Read(ctx)
	status, err6 := c.app.Status(ctx)
	if err := errors.Join(err, err2, err3, err4, err5, err6); err != nil {
		c.t.Fatal(err)
	}
	return append(texts, asJSON(log), asJSON(review), asJSON(pinned), asJSON(found), asJSON(files), asJSON(status))
}

// everySaying is what the page finds of an owner's chats by some words, and what it
// shows of their chat on the page.
func (c *trial) everySaying(user int64, words []string) []string {
	c.t.Helper()
	h, ctx := c.app.History(web.Hand{Owner: c.owner(user), By: memory.ByPage}), c.t.Context()
	recent, err := h.Recent(ctx, web.RecentQuery{Most: 200})
	if err != nil {
		c.t.Fatal(err)
	}
	texts := []string{asJSON(recent)}
	for _, w := range words {
		found, err := h.Search(ctx, web.SearchQuery{Words: w, Most: 100})
		if err != nil {
			c.t.Fatal(err)
		}
		texts = append(texts, asJSON(found))
	}
	return texts
}

func (c *trial) export(user int64) []string {
	c.t.Helper()
	var texts []string
	for _, s := range slices.Backward(c.api.Sent()) {
		if s.Chat == user && s.File != nil {
			texts = append(texts, string(s.File.Data))
			break
		}
	}
	text, err := c.app.Memory(web.Hand{Owner: c.owner(user), By: memory.ByPage}).Export(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return append(texts, text)
}

// everyLeaf is what the log shows of changes and refusals, and the words that
// their records keep.
func (c *trial) everyLeaf(user int64) []string {
	c.t.Helper()
	ops, err := c.book(user).Log(c.t.Context(), "", true)
	if err != nil {
		c.t.Fatal(err)
	}
	texts := []string{memoryLog(c, user)}
	for _, o := range ops {
		if !o.Changes() || o.Kind == memory.Erase {
			texts = append(texts, asJSON(o))
		}
	}
	return texts
}

// memoryLog is an owner's log as it is printed.
func memoryLog(c *trial, user int64) string {
	c.t.Helper()
	entries, err := c.app.Memory(web.Hand{Owner: c.owner(user), By: memory.ByShell}).Log(c.t.Context(), web.LogQuery{Refusals: true})
	if err != nil {
		c.t.Fatal(err)
	}
	return logText(entries)
}

// sent is everything that went to the network since the moment from which probes
// look.
func (c *trial) sent() []string {
	var texts []string
	for _, call := range c.api.Calls("")[c.since.network:] {
		if call.Params["document"] == "" { // that is the export
			texts = append(texts, asJSON(call.Params))
		}
	}
	return texts
}

// disk is every file of the data directory and around it, keys among them.
func (c *trial) disk() []string { return c.files(filepath.Dir(c.app.cfg.Data)) }

// everywhere is all surfaces; ofMemory are those where a note may not come to
// light whose words still stand in the conversation.
var (
	everywhere = []string{inRows, inReview, inSection, inPrompts, inTools, inSummaries, inHistories, inIndex, onPage, inExport, inAudit, inMessages, inLog, onDisk}
	ofMemory   = []string{inRows, inReview, inSection, inTools, inSummaries, onPage, inExport, inAudit, inLog, onDisk}
	ofUse      = []string{inReview, inSection, inTools}
)

// gone counts, for each of some surfaces of an owner, that words are nowhere; and
// as a control that another word still is where it belongs.
func (c *trial) gone(user int64, from []string, kept string, words ...string) {
	c.t.Helper()
	for _, s := range c.look(user, append(words, kept)...) {
		shows := func(word string) bool {
			return slices.ContainsFunc(s.texts, func(text string) bool { return holdsWord(text, word) })
		}
		for _, w := range words {
			if slices.Contains(from, s.name) && !c.untested[s.name] {
				c.never(shows(w), "%s is on %s of %d", w, s.name, user)
			}
		}
		if slices.Contains([]string{inRows, inSection, inPrompts, inTools, inExport}, s.name) {
			c.control(shows(kept), "%s is still on %s of %d", kept, s.name, user)
		}
	}
}
