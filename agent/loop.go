package agent

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

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

// think is the loop: ask the model, run the tools it wants, let it see what
// arrived meanwhile, until it answers in words.
func (s *session) think(ctx context.Context, t *turn) error {
	for range s.steps() {
		s.attach(ctx, t)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if !t.answerable && len(t.notes) > 0 {
			return nil // the notes say all
		}
		done, err := s.stepIn(ctx, t)
		if err != nil {
			return err
		}
		if done {
			return s.check(ctx, t)
		}
	}
	return errTooManySteps
}

// steps is how often a turn may call the model.
func (s *session) steps() int {
	if s.errand != nil && s.errand.Steps > 0 {
		return min(s.errand.Steps, maxSteps)
	}
	return maxSteps
}

// stepIn asks the model once and does what it wants; done is true once the turn
// has its answer.
func (s *session) stepIn(ctx context.Context, t *turn) (done bool, err error) {
	r, err := s.ask(ctx, t)
	if errors.Is(err, errEmpty) && (t.answer != "" || len(t.tells) > 0) {
		return true, nil // it said all before it used its tools, or they did
	}
	if err != nil {
		return false, err
	}
	t.said = append(t.said, storable(r))
	if len(r.Calls) == 0 {
		t.draft(r.Text)
		return true, nil
	}
	if text := strings.TrimSpace(r.Text); text != "" {
		t.draft(text)
	}
	if s.forget(t); t.blank || len(t.forgets) > 0 {
		last := t.said[len(t.said)-1]
		r.Text, r.Calls = last.Text, last.Calls // no tool works on what is forgotten
	}
	for _, call := range r.Calls {
		if t.said = append(t.said, s.use(ctx, t, call)); t.ended {
			return true, nil
		}
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return false, errInterrupted // a question would come after the stop
	}
	if t.options != nil {
		t.said = append(t.said, llm.Message{Role: llm.Assistant, Text: t.question})
		t.answer = r.Text
		return true, nil
	}
	return false, s.steer(ctx, t)
}

// maxFits bounds how often one step makes its prompt smaller because the
// provider says that it is too long.
const maxFits = 4

// ask calls the model with a prompt that fits its window, as far as anybody
// knows before.
func (s *session) ask(ctx context.Context, t *turn) (llm.Response, error) {
	for fits := 1; ; fits++ {
		s.refresh(ctx, t, s.frozen)
		bare, err := s.fit(ctx, t)
		if err != nil {
			return llm.Response{}, err
		}
		req, err := s.evident(ctx, t, bare)
		if err != nil {
			return llm.Response{}, err
		}
		r, err := s.askUseful(ctx, t, req)
		e, _ := errors.AsType[*llm.Error](err)
		switch {
		case e == nil:
			return r, err
		case e.Cause == llm.TooLong && t.evidence.Text != "":
			t.dropEvidence()
		case e.Cause == llm.TooLong && fits < maxFits && s.gauge.overflow(req):
			t.log.Warn("the model takes less than it is said to", "window", int(s.gauge.window))
		case e.Cause == llm.TooLong:
			return r, errTooLarge
		case e.Cause == llm.BadRequest && hasImages(req):
			return s.askBlind(ctx, t, e)
		default:
			return r, err
		}
	}
}

// askBlind tries without images what was refused with them. If that helps, and
// it was this conversation's own model that refused, it gets no more of them.
func (s *session) askBlind(ctx context.Context, t *turn, refused *llm.Error) (llm.Response, error) {
	t.log.Warn("model refuses a prompt with images, trying without")
	s.blind = true
	req, err := s.renew(ctx, t)
	if err != nil {
		return llm.Response{}, err
	}
	r, err := s.askUseful(ctx, t, req)
	s.blind = err == nil && strings.HasPrefix(s.model.Name, refused.Provider+"/")
	return r, err
}

// askUseful calls the model; an answer of no use is asked for once more.
func (s *session) askUseful(ctx context.Context, t *turn, req llm.Request) (llm.Response, error) {
	for again := false; ; again = true {
		if again {
			var err error
			if req, err = s.renew(ctx, t); err != nil {
				return llm.Response{}, err
			}
		}
		r, err := s.complete(ctx, t, req)
		if !again && brokeOff(err) && ctx.Err() == nil {
			continue // what was shown of it is replaced
		}
		if err != nil {
			return r, err
		}
		s.gauge.read(req, r.Usage.Input)
		if s.mayBeSilent() && r.Stop == llm.StopLength {
			return r, errEmpty // nobody can ask for the rest
		}
		visible := s.visible(r.Text)
		if again || s.mayBeSilent() || len(r.Text) >= maxAnswer-utf8.UTFMax || !useless(r, visible) {
			return finish(r, visible)
		}
		t.log.Warn("model gave no usable answer, asking once more", "stop", r.Stop)
	}
}

// mayBeSilent reports whether no words are an answer too.
func (s *session) mayBeSilent() bool { return s.errand != nil && s.errand.Silent }

// renew makes the request of a step once more, for what it holds by now.
func (s *session) renew(ctx context.Context, t *turn) (llm.Request, error) {
	s.refresh(ctx, t, s.frozen)
	return s.evident(ctx, t, s.request(t, ""))
}

// request is the prompt of the next step, with some evidence or with none.
func (s *session) request(t *turn, evidence string) llm.Request {
	req := prompt.Build(prompt.Input{Tools: s.tools.specs, Voice: s.frozen.Voice, Person: s.frozen.Person, Notes: s.frozen.Notes, Head: s.head, History: s.history(t.instead), Turn: t.said, Blind: s.blind,
		Evidence: evidence, Moment: prompt.Moment{Now: time.Now().In(s.agent.opts.Zone(s.info.Owner)), Channel: s.info.Chat.Channel, Private: s.info.Private, Alone: s.errand != nil}})
	req.Account, req.CacheKey = string(s.info.Owner), string(s.info.ID)
	return req
}

// maxAnswer bounds the bytes of an answer. A model that runs away is stopped
// there, before it fills the chat.
const maxAnswer = 100_000

var errRunaway = errors.New("an answer without end")

// complete asks the model once, and shows the answer while it grows, unless it
// will be checked.
func (s *session) complete(ctx context.Context, t *turn, req llm.Request) (llm.Response, error) {
	call, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var soFar strings.Builder
	r, err := s.model.Model.Complete(call, req, func(piece string) {
		soFar.WriteString(piece)
		t.shown = true
		if soFar.Len() > maxAnswer {
			stop(errRunaway)
			return
		}
		if t.evidence.Check == nil {
			t.show(s.showable(t, soFar.String()))
		}
	})
	s.asked = time.Now()
	if soFar.Len() > maxAnswer && ctx.Err() == nil {
		t.log.Warn("the model was stopped in an answer without end")
		r.Text, r.Calls, r.Stop, err = strings.ToValidUTF8(soFar.String()[:maxAnswer], ""), nil, llm.StopLength, nil
	}
	return r, err
}

// steer lets the model see messages that arrived during a step. Commands wait
// for the end of the turn, and so does what came behind something due.
func (s *session) steer(ctx context.Context, t *turn) error {
	if len(s.wake) == 0 || len(t.messages) >= maxMessages || ctx.Err() != nil {
		return nil
	}
	pending, err := s.agent.opts.Journal.Pending(ctx, s.info, t.last.Seq)
	if err != nil {
		t.log.Warn("cannot look for what arrived meanwhile; the next turn sees it", "err", err)
		return nil
	}
	if messages, interrupted := untilCommand(pending); !interrupted {
		s.take(t, s.beforeDue(messages))
	}
	return nil
}

// errAsked is for the model.
var errAsked = nacre.Errorf(nacre.Conflict, "one question at a time: this was not done, since the person is being asked something")

// use runs one tool. Whatever goes wrong is told to the model, so that a call
// always has its result.
func (s *session) use(ctx context.Context, t *turn, call llm.ToolCall) llm.Message {
	var r Result
	err := errAsked // one question at a time, and what it asks about stays as it is
	if t.options == nil {
		r, err = s.call(ctx, t, call)
	}
	if r.Ask != nil && s.errand != nil {
		r, err = Result{}, errNobody
	}
	s.forget(t) // now, so that the model reads of its result what is left when everything was forgotten
	if err != nil {
		t.log.Warn("tool failed", "kind", nacre.KindOf(err))
		r = Result{Text: "Error: " + err.Error()}
	}
	t.files = append(t.files, r.Files...)
	if r.Tell != "" {
		t.tells = append(t.tells, r.Tell)
	}
	t.ended = r.Ends && s.errand != nil
	if r.Ask != nil {
		t.question, t.options, t.own = r.Ask.Question, r.Ask.Options, call.Name == askUser
	}
	return llm.Message{Role: llm.Tool, CallID: call.ID, Text: capResult(r.Text), Source: cmp.Or(r.Source, llm.FromTool)}
}

func (s *session) call(ctx context.Context, t *turn, call llm.ToolCall) (r Result, err error) {
	if err := context.Cause(ctx); err != nil {
		return r, err
	}
	t.called = append(t.called, call.Name)
	tool, err := s.tools.find(call)
	if err != nil {
		return r, err
	}
	caller := s.caller(t)
	return await(ctx, t.log.With("tool", call.Name), func() (Result, error) { return tool.Call(ctx, caller, call.Args) })
}
