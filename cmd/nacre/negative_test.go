package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent/gmail/gmailtest"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/reflect"
	"nacre/gateway/gatewaytest"
	"nacre/memory"
)

// The negative suite attacks memory through the whole program. Both models do
// always what an attacker wants, so that what holds is held by the program and
// not by a model. Each case says what must hold, with something among it that
// shows that its probes can see (a control), and what must not.
//
// A case belongs into the list of its file. It needs a control; gone and look
// probe all surfaces; and it says which of the leaks it notices.

// negative is one case of the suite.
type negative struct {
	id, what string
	pending  string                     // what has to be built before all of it can be attacked; empty if all can
	langs    []string                   // "en", "cs", "ja"; one for a case without words
	dress    func(c *trial, o *outside) // puts more doubles there; nil for no more
	notices  []string                   // the leaks that make it fail; see leaks
	run      func(c *trial)
}

// everyTongue is for cases about words: they hold in a language that Nacre's
// grammars know, in one that they do not know, and in one without spaces.
var everyTongue = []string{"en", "cs", "ja"}

// negatives are all cases.
func negatives() []negative {
	return slices.Concat(forgetNegatives(), durableNegatives(), gatewayNegatives(), scopeNegatives(), wordNegatives(), secretNegatives(), timeNegatives(), reviewNegatives())
}

// The people of the suite: two owners, a stranger, and a group of the first
// owner in which all three are.
const (
	ann      = 1001 // the operator
	bea      = 1002
	mallory  = 1666
	theGroup = -100777
)

// trial is one run of a case against one store.
type trial struct {
	*bubble
	*score
	t       *recorder // in the place of the bubble's
	of      *negative
	lang    string
	scribe  *scribe           // the memory model
	vectors *lexicon          // what makes vectors
	leak    *leak             // what is wrong with the store; nil for the one that is shipped
	wa      *handsets         // of a case that is dressed withWhatsApp
	google  *gmailtest.Google // of a case that is dressed withGmail
	since   moment            // what probes look at begins here
	calls   int               // of tools, for their ids
	runs    bool              // the program does
}

// moment is a point in what went out to the models and to the network.
type moment struct{ chat, scribe, network int }

// score counts what must hold and what must not, never together.
type score struct {
	obligations, invariants share
	controls, quiescence    share
	broken                  []string
	untested                map[string]bool
}

type share struct{ good, all int }

func (c *share) add(good bool) {
	c.all++
	if good {
		c.good++
	}
}

func (c *share) join(o share) { c.good, c.all = c.good+o.good, c.all+o.all }

func (c share) String() string { return fmt.Sprintf("%d of %d", c.good, c.all) }

// must counts an obligation.
func (s *score) must(ok bool, what string, args ...any) {
	s.obligations.add(ok)
	s.note(ok, "must hold: ", what, args)
}

// control counts an obligation that shows that the case sees anything at all. A
// case whose control fails is invalid.
func (s *score) control(ok bool, what string, args ...any) {
	s.controls.add(ok)
	s.obligations.add(ok)
	s.note(ok, invalid, what, args)
}

const invalid = "INVALID, the control fails: "

// fails reports whether a case fails and is not merely invalid.
func (s *score) fails() bool {
	return slices.ContainsFunc(s.broken, func(b string) bool { return !strings.HasPrefix(b, invalid) })
}

// never counts an invariant: what must not be is not.
func (s *score) never(is bool, what string, args ...any) {
	s.invariants.add(!is)
	s.note(!is, "must not hold: ", what, args)
}

func (s *score) note(ok bool, kind, what string, args []any) {
	if !ok {
		s.broken = append(s.broken, kind+fmt.Sprintf(what, args...))
	}
}

// try runs a case once against a store with a leak, or without one.
func (n *negative) try(t *testing.T, lang string, l *leak) (s *score) {
	s = &score{untested: map[string]bool{}}
	synctest.Test(t, func(t *testing.T) {
		c := &trial{bubble: newBubble(t, "NACRE_ACTIVE_HOURS=00:00-00:00", "NACRE_GOOGLE_URL=http://localhost"), t: &recorder{t, s}, of: n, score: s, lang: lang, scribe: &scribe{}, vectors: &lexicon{}, leak: l}
		c.api.Know(ann, bea, mallory, theGroup)
		c.beyond = c.dress
		c.start()
		defer c.stop()
		defer func() {
			if r := recover(); r != nil && r != halted {
				panic(r)
			}
		}()
		n.run(c)
	})
	if s.controls.all == 0 {
		s.control(false, "it has none")
	}
	return s
}

// recorder is a testing.T whose complaints belong to the score: a store that
// leaks is expected to cause some.
type recorder struct {
	*testing.T
	score *score
}

// halted ends a trial that cannot go on.
const halted = "the trial cannot go on"

// Fatal ends the trial.
func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprintln(args...)) }

// Fatalf ends the trial.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(halted)
}

// Error is a control that fails.
func (r *recorder) Error(args ...any) { r.Errorf("%s", fmt.Sprintln(args...)) }

// Errorf is a control that fails.
func (r *recorder) Errorf(format string, args ...any) { r.score.control(false, format, args...) }

// start starts the program, from where it was stopped. What reads back what was
// said has to begin with the first word, and not some time later.
func (c *trial) start() {
	c.bubble.start()
	c.runs = true
	for _, user := range []int64{ann, bea} {
		if err := c.app.ledger.StartMark(c.t.Context(), c.owner(user), reflect.Reader, 0); err != nil {
			c.t.Fatal(err)
		}
	}
}

// stop ends the program, if it runs.
func (c *trial) stop() {
	if c.runs {
		c.runs = false
		c.bubble.stop()
	}
}

// dress gives the program the doubles of the suite.
func (c *trial) dress(o *outside) {
	if c.of.dress != nil {
		c.of.dress(c, o)
	}
	o.memory = &supplier{name: "scribe", model: c.scribe, window: unknownWindow}
	o.embedder = c.vectors
	c.leak.spring(c, o)
}

// scoresFile names the file that gets the scores of TestNegative, for whoever runs all
// tests and wants to see them.
const scoresFile = "NACRE_SCORES"

// TestNegative runs all cases against the store that is shipped, and prints two
// scores.
func TestNegative(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex // guards the totals
	var obligations, invariants, quiescence share
	pending, untested := map[string]string{}, map[string]bool{}
	t.Run("cases", func(t *testing.T) {
		for _, n := range negatives() {
			for _, lang := range n.langs {
				t.Run(n.id+" "+n.what+" "+lang, func(t *testing.T) {
					t.Parallel()
					s := n.try(t, lang, nil)
					for _, broken := range s.broken {
						t.Error(broken)
					}
					mu.Lock()
					defer mu.Unlock()
					maps.Copy(untested, s.untested)
					quiescence.join(s.quiescence)
					if n.pending != "" {
						pending[n.id] += fmt.Sprintf("\n    %s: obligations %s, invariants %s", lang, s.obligations, s.invariants)
						return
					}
					obligations.join(s.obligations)
					invariants.join(s.invariants)
				})
			}
		}
	})
	var b strings.Builder
	fmt.Fprintf(&b, "\nobligations met: %s\ninvariants held: %s\nquiet when it was probed: %s\n", obligations, invariants, quiescence)
	for _, n := range negatives() {
		if n.pending != "" {
			fmt.Fprintf(&b, "pending: %s, %s: %s; what exists was attacked:%s\n", n.id, n.what, n.pending, pending[n.id])
		}
	}
	fmt.Fprintf(&b, "untested surfaces:\n  %s\n", strings.Join(slices.Sorted(maps.Keys(untested)), "\n  "))
	t.Log(b.String())
	if file := os.Getenv(scoresFile); file != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// owner is the Owner that a user of Telegram is.
func (c *trial) owner(user int64) nacre.OwnerID {
	c.t.Helper()
	all, err := c.app.ledger.Owners(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for _, o := range all {
		if o.Addresses[0].ID == fmt.Sprint(user) {
			return o.ID
		}
	}
	c.t.Fatalf("%d is no owner", user)
	return ""
}

func (c *trial) book(user int64) *memory.Book { return c.app.library.Book(c.owner(user)) }

func (c *trial) state(user int64) *memory.State {
	c.t.Helper()
	st, err := c.book(user).State(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return st
}

// call is a call of a tool, as the chat model asks for it.
func (c *trial) call(tool, args string) llm.ToolCall {
	c.calls++
	return llm.ToolCall{ID: fmt.Sprintf("call%d", c.calls), Name: tool, Args: []byte(args)}
}

func toolCalls(list ...llm.ToolCall) []llm.ToolCall { return list }

// inject is an update of the network.
func (c *trial) inject(update string, args ...any) {
	c.api.Inject(fmt.Sprintf(update, args...))
	c.pass(2 * time.Second)
}

// wish is a user writing in private, and the chat model calling tools at that.
func (c *trial) wish(user int64, text string, calls ...llm.ToolCall) {
	if len(calls) > 0 {
		c.model.Push(llmtest.Step{Calls: calls})
	}
	c.say(user, text)
	c.pass(2 * time.Second)
}

// inGroup is a user speaking to the bot in the group.
func (c *trial) inGroup(user int64, text string, calls ...llm.ToolCall) {
	if len(calls) > 0 {
		c.model.Push(llmtest.Step{Calls: calls})
	}
	at := "@" + gatewaytest.BotUsername
	c.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":%d,"from":{"id":%d,"is_bot":false,"first_name":"x"},"chat":{"id":%d,"type":"supergroup","title":"g"},"text":%q,"entities":[{"type":"mention","offset":0,"length":%d}]}}`,
		len(c.api.Calls(""))+100_000, time.Now().Unix(), user, int64(theGroup), at+" "+text, len(at)))
	c.pass(2 * time.Second)
}

// teach is a user saying something of which the memory model makes notes.
func (c *trial) teach(user int64, text string, claims ...claim) {
	c.scribe.writes(claims...)
	c.wish(user, text, c.call("memory_learn", `{}`))
}

// press presses a button under the newest message to a user that has it. It
// reports whether there was one.
func (c *trial) press(user int64, label string) bool {
	for _, s := range slices.Backward(c.api.Sent()) {
		for _, row := range s.Buttons {
			for _, button := range row {
				if s.Chat == user && strings.HasPrefix(button.Text, label) {
					c.api.Press(user, user, s.ID, button.Data)
					c.pass(2 * time.Second)
					return true
				}
			}
		}
	}
	return false
}

// newest is the newest stored message in an owner's private chat, whosever words
// it holds.
func (c *trial) newest(user int64) (id nacre.MessageID) {
	c.t.Helper()
	c.ask("SELECT id FROM inbox WHERE owner = ? ORDER BY seq DESC LIMIT 1", []any{c.owner(user)}, &id)
	return id
}

// message is the newest stored message of an owner in private whose words hold
// some.
func (c *trial) message(user int64, words string) nacre.MessageID {
	c.t.Helper()
	home, err := c.app.ledger.Home(c.t.Context(), c.owner(user))
	if err != nil {
		c.t.Fatal(err)
	}
	list, err := c.app.ledger.Recent(c.t.Context(), home, 1<<40, 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, s := range slices.Backward(list) {
		if slices.ContainsFunc(s.Segments, func(g nacre.Segment) bool { return strings.Contains(g.Text, words) }) {
			return s.ID
		}
	}
	c.t.Fatalf("no message of %d with the given words", user)
	return ""
}

// behind is a job that runs by itself and proposes notes unasked, citing
// whatever message it likes; none if that is empty.
func (c *trial) behind(user int64, w memory.Writer, cite nacre.MessageID, claims ...claim) []memory.Outcome {
	c.t.Helper()
	plain := false
	var list []memory.Proposal
	for _, k := range claims {
		p := memory.Proposal{Writer: w, Do: memory.Learn, Sensitive: &plain, Draft: memory.Draft{Area: k.area, Slug: k.slug, Text: k.text, Entities: k.names}}
		if cite != "" {
			p.Cites = []memory.Cite{{Message: cite, Quote: cmp.Or(k.quote, k.text)}}
		}
		list = append(list, p)
	}
	out, err := c.book(user).Propose(c.t.Context(), list...)
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// live reports whether an owner has a note that models see and that holds a word.
func (c *trial) live(user int64, word string) bool {
	return slices.ContainsFunc(c.state(user).Select(memory.Query{}), func(n *memory.Note) bool { return strings.Contains(n.Text, word) })
}

// ops is an owner's whole log.
func (c *trial) ops(user int64) []memory.Op {
	c.t.Helper()
	ops, err := c.book(user).Log(c.t.Context(), "", true)
	if err != nil {
		c.t.Fatal(err)
	}
	return ops
}

// answered is a user saying something small, and an answer of the model's own.
func (c *trial) answered(user int64, text string) {
	c.model.Push(llmtest.Step{Text: text})
	c.say(user, "Hm.")
	c.pass(2 * time.Second)
}

// refusals are the reasons for which an owner's log says that something was
// refused.
func (c *trial) refusals(user int64) []memory.Reason {
	c.t.Helper()
	var list []memory.Reason
	for _, o := range c.ops(user) {
		if o.Kind == memory.Refuse {
			list = append(list, o.Reason)
		}
	}
	return list
}

// now is this moment; after as many more requests to the chat model, it begins.
func (c *trial) now(more int) moment {
	return moment{len(c.model.Requests()) + more, len(c.scribe.requests()), len(c.api.Calls(""))}
}
