package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// maxSteps bounds how often one turn may call the model.
const maxSteps = 40

// maxMessages bounds how many messages one turn answers; more wait for the next.
const maxMessages = 100

// maxResult bounds the characters of a tool's result that the model sees.
const maxResult = 16_000

// turn is one turn in the making.
type turn struct {
	id         nacre.TurnID
	first      int64 // inbox sequence of its first message
	log        *slog.Logger
	started    time.Time
	messages   []nacre.MessageID
	last       nacre.Message // the newest message, on whose behalf tools run
	fetch      []arrival     // messages whose attachments are still with the network
	answerable bool          // there are words, or something else to go by
	said       []llm.Message // what the history will keep of it
	answer     string        // what the person gets; empty for nothing
	question   string        // what of it they are asked
	options    []string      // what they can choose from
	files      []nacre.File  // what they get with it
	notes      []string      // sentences about what went wrong on the way
	show       func(string)  // takes the answer so far
	outcome    nacre.Outcome
	fresh      bool
	instead    nacre.TurnID // the turn whose place it takes
}

// begin makes a turn over messages, which are taken from now on.
func (s *session) begin(messages []nacre.Message) *turn {
	id := nacre.TurnID(messages[0].ID)
	t := &turn{id: id, first: messages[0].Seq, log: s.log.With("turn", id), started: time.Now(), outcome: nacre.Answered}
	s.take(t, messages)
	return t
}

func (s *session) take(t *turn, messages []nacre.Message) {
	for _, m := range messages {
		t.messages = append(t.messages, m.ID)
		t.last = m
		t.answerable = t.answerable || worded(m)
	}
	for _, m := range current(messages) {
		if len(m.Attachments) > 0 {
			t.fetch = append(t.fetch, arrival{m, len(t.said)})
		}
		t.said = append(t.said, prompt.User(&m))
	}
}

// worded reports whether a message has more than labels.
func worded(m nacre.Message) bool {
	return slices.ContainsFunc(m.Segments, func(s nacre.Segment) bool { return s.Provenance != nacre.Label && s.Text != "" })
}

// within makes a turn interruptible and bounds its time.
func (s *session) within(t *turn) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(s.agent.turns)
	ctx, stopClock := context.WithTimeoutCause(ctx, s.agent.opts.Deadline, context.DeadlineExceeded)
	s.mu.Lock()
	s.cancel, s.first = cancel, t.first
	if s.first < s.stop {
		cancel(errInterrupted)
	}
	s.mu.Unlock()
	return ctx, func() {
		s.mu.Lock()
		s.cancel = nil
		s.mu.Unlock()
		stopClock()
		cancel(nil)
	}
}

// answer runs a turn and commits it, whatever became of it.
func (s *session) answer(t *turn) error {
	ctx, end := s.within(t)
	defer end()
	show, stopShowing := s.agent.opts.Host.Progress(s.info.Chat, t.id)
	defer stopShowing()
	t.show = show
	err := s.think(ctx, t)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	switch {
	case errors.Is(err, errParked):
		return errParked // nothing of it is done; the next process takes it all again
	case errors.Is(err, errInterrupted):
		t.end(nacre.Stopped, "")
	case err != nil:
		t.log.Warn("turn failed", "err", err)
		t.end(nacre.Failed, sentence(err))
	}
	stopShowing()
	return s.commit(t)
}

// end makes a turn one that came to nothing but a sentence. One that was to
// take another's place leaves that where it was.
func (t *turn) end(outcome nacre.Outcome, answer string) {
	t.outcome, t.said, t.answer, t.options, t.files = outcome, ownWords(t.said), answer, nil, nil
	if t.instead != "" {
		t.instead, t.said = "", nil
	}
}

// ownWords keeps of an unfinished turn what people said: half an exchange with
// tools would break later prompts.
func ownWords(said []llm.Message) []llm.Message {
	return slices.DeleteFunc(said, func(m llm.Message) bool { return m.Role != llm.User })
}

// think is the loop: ask the model, run the tools it wants, let it see what
// arrived meanwhile, until it answers in words.
func (s *session) think(ctx context.Context, t *turn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(t.log, p)
		}
	}()
	for range maxSteps {
		s.attach(ctx, t)
		if !t.answerable && len(t.notes) > 0 {
			return nil // the notes say all
		}
		r, err := s.ask(ctx, t)
		if err != nil {
			return err
		}
		t.said = append(t.said, storable(r))
		if len(r.Calls) == 0 {
			t.answer = r.Text
			return nil
		}
		for _, call := range r.Calls {
			t.said = append(t.said, s.use(ctx, t, call))
		}
		if t.options != nil {
			t.answer = strings.TrimSpace(r.Text + "\n\n" + t.question)
			return nil
		}
		if err := s.steer(ctx, t); err != nil {
			return err
		}
	}
	return errTooManySteps
}

// maxFits bounds how often one step makes its prompt smaller because the
// provider says that it is too long.
const maxFits = 4

// ask calls the model with a prompt that fits its window, as far as anybody
// knows before.
func (s *session) ask(ctx context.Context, t *turn) (llm.Response, error) {
	for fits := 1; ; fits++ {
		if err := s.fit(ctx, t); err != nil {
			return llm.Response{}, err
		}
		r, err := s.askUseful(ctx, t)
		switch e, _ := errors.AsType[*llm.Error](err); {
		case err == nil || e == nil:
			return r, err
		case e.Cause == llm.TooLong && fits < maxFits:
			s.gauge.overflow(s.request(t))
		case e.Cause == llm.BadRequest && !s.blind && hasImages(s.request(t)):
			t.log.Warn("model refuses a prompt with images, going on without")
			s.blind = true
		default:
			return r, err
		}
	}
}

// askUseful calls the model; an answer of no use is asked for once more.
func (s *session) askUseful(ctx context.Context, t *turn) (llm.Response, error) {
	req := s.request(t)
	for again := false; ; again = true {
		r, err := s.model.Model.Complete(ctx, req, t.grow())
		if !again && brokeOff(err) && ctx.Err() == nil {
			continue // what was shown of it is replaced
		}
		if err != nil {
			return r, err
		}
		s.gauge.read(req, r.Usage.Input)
		visible := s.visible(r.Text)
		if again || !useless(r, visible) {
			return finish(r, visible)
		}
		t.log.Warn("model gave no usable answer, asking once more", "stop", r.Stop)
	}
}

// request is the prompt of the next step.
func (s *session) request(t *turn) llm.Request {
	req := prompt.Build(prompt.Input{Tools: s.agent.tools.specs, Head: s.head, History: s.history(), Turn: t.said, Blind: s.blind,
		Moment: prompt.Moment{Now: time.Now().In(s.agent.opts.Zone), Channel: s.info.Chat.Channel, Private: s.info.Private}})
	req.Account, req.CacheKey = string(s.info.Owner), string(s.info.ID)
	return req
}

// grow returns what takes the pieces of an answer and shows them together.
func (t *turn) grow() func(piece string) {
	var soFar strings.Builder
	return func(piece string) {
		soFar.WriteString(piece)
		t.show(soFar.String())
	}
}

// steer lets the model see messages that arrived during a step. Commands wait
// for the end of the turn.
func (s *session) steer(ctx context.Context, t *turn) error {
	if len(s.wake) == 0 || len(t.messages) >= maxMessages {
		return nil
	}
	pending, err := s.agent.opts.Journal.Pending(ctx, s.info, t.last.Seq)
	if err != nil {
		return err
	}
	if messages, interrupted := untilCommand(pending); !interrupted {
		s.take(t, messages)
	}
	return nil
}

// use runs one tool. Whatever goes wrong is told to the model, so that a call
// always has its result.
func (s *session) use(ctx context.Context, t *turn, call llm.ToolCall) llm.Message {
	r, err := s.call(ctx, t, call)
	if err != nil {
		t.log.Warn("tool failed", "kind", nacre.KindOf(err))
		r = Result{Text: "Error: " + err.Error()}
	}
	t.files = append(t.files, r.Files...)
	if r.Ask != nil {
		t.question, t.options = r.Ask.Question, r.Ask.Options
	}
	return llm.Message{Role: llm.Tool, CallID: call.ID, Text: capResult(r.Text), Source: cmp.Or(r.Source, llm.FromTool)}
}

func (s *session) call(ctx context.Context, t *turn, call llm.ToolCall) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(t.log, p)
		}
	}()
	if err := context.Cause(ctx); err != nil {
		return r, err
	}
	tool, err := s.agent.tools.find(call)
	if err != nil {
		return r, err
	}
	return tool.Call(ctx, s.caller(&t.last, t.id), call.Args)
}

// storable makes of a response what it will be after it was stored and read, so
// that prompts before and after a restart have the same bytes: JSON in one
// form, and arguments that are no JSON as a JSON text.
func storable(r llm.Response) llm.Message {
	m := llm.Message{Role: llm.Assistant, Text: r.Text, Calls: slices.Clone(r.Calls), Blob: uniform(r.Blob)}
	for i, c := range m.Calls {
		args := c.Args
		if !json.Valid(args) {
			args, _ = json.Marshal(string(args))
		}
		m.Calls[i].Args = uniform(args)
	}
	return m
}

// uniform is JSON in the form in which it comes back from storage; nil for what
// is none, which could not be stored.
func uniform(raw json.RawMessage) json.RawMessage {
	out, err := json.Marshal(raw)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return out
}

// commit writes the turn until that succeeds, since the model must not be
// asked again, and hands its replies on.
func (s *session) commit(t *turn) error {
	done := s.record(t)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		list, err := s.agent.opts.Journal.Commit(context.Background(), done)
		if err == nil {
			s.agent.opts.Host.Post(list)
			break
		}
		if nacre.KindOf(err) == nacre.Conflict {
			t.log.Error("turn dropped, its messages were answered before", "err", err)
			return nil
		}
		t.log.Error("turn not committed, trying again", "err", err)
		select {
		case <-time.After(wait):
		case <-s.agent.turns.Done():
			return errParked
		}
	}
	t.log.Debug("turn committed", "outcome", t.outcome, "messages", len(t.messages), "ms", time.Since(t.started).Milliseconds())
	if t.fresh {
		s.head, s.past = nil, nil
	} else if len(t.said) > 0 {
		s.past = append(s.past, past{t.id, t.said})
	}
	return nil
}

// record makes the form in which a turn is kept. It cannot fail: what a model
// said that has no such form is left out of the history.
func (s *session) record(t *turn) nacre.Turn {
	done := nacre.Turn{ID: t.id, Session: s.info.ID, Owner: s.info.Owner, Messages: t.messages,
		Outcome: t.outcome, Started: t.started, Fresh: t.fresh, Instead: t.instead}
	history, err := json.Marshal(t.said)
	if err != nil {
		t.log.Error("history shortened", "err", err)
		t.said = ownWords(t.said)
		history, _ = json.Marshal(t.said)
	}
	if len(t.said) > 0 {
		done.History = history
	}
	reply := nacre.Reply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: s.info.Chat, Options: t.options, Files: t.files,
		Text: strings.TrimSpace(t.answer + "\n\n" + strings.Join(t.notes, "\n"))}
	parts := s.render(t, reply)
	if len(parts) == 0 && t.outcome == nacre.Answered { // markup alone
		reply.Text = sentence(errEmpty)
		parts = s.render(t, reply)
	}
	if len(parts) > 0 {
		done.Replies = []nacre.RenderedReply{{ID: reply.ID, Chat: reply.Chat, Parts: parts, Text: t.question, Options: reply.Options}}
	}
	return done
}

// render cuts a reply. An answer that makes its channel panic is replaced by a
// sentence, so that it costs this turn and not every start from now on.
func (s *session) render(t *turn, r nacre.Reply) (parts []nacre.Part) {
	defer func() {
		if p := recover(); p != nil {
			t.outcome = nacre.Failed
			parts = []nacre.Part{{Text: sentence(panicked(t.log, p))}}
		}
	}()
	return s.agent.opts.Host.Render(r)
}
