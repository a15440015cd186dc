package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/agent/llm"
)

var (
	errPanic        = errors.New("panic")
	errTooManySteps = errors.New("too many steps")
	errEmpty        = errors.New("empty answer")
	errRefused      = errors.New("refused answer")
	errSilent       = errors.New("the model gave no sign of an answer")
	errTooLarge     = errors.New("prompt too large")
)

// panicked logs a panic without its words, which may be a person's, and
// returns the error that takes its place.
func panicked(log *slog.Logger, p any) error {
	cause := fmt.Sprintf("%T", p)
	if e, ok := p.(runtime.Error); ok {
		cause = e.Error()
	}
	log.Error("panic", "cause", cause, "stack", string(debug.Stack()))
	return errPanic
}

// safely runs f; a panic of it is an error.
func safely(log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(log, p)
		}
	}()
	return f()
}

// await runs f in a goroutine of its own, and safely. One that does not hear the
// end of ctx is left behind.
func await[T any](ctx context.Context, log *slog.Logger, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = safely(log, func() (err error) { o.value, err = f(); return err })
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	select { // what honours ctx says itself what became of it
	case o := <-done:
		return o.value, o.err
	case <-time.After(parkTime / 2):
		log.Error("a call does not end; going on without it")
		var none T
		return none, context.Cause(ctx)
	}
}

// brokeOff reports whether an answer failed in its middle, where llm.Retry does
// not try again.
func brokeOff(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Streamed && llm.Passing(err)
}

// visible reports whether a text would show anything in this chat. Rendering
// tells for sure; a letter is a sign that is cheaper to look for.
func (s *session) visible(text string) bool {
	plain := func(r rune) bool { return r < 0x1100 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return strings.ContainsFunc(text, plain) || len(s.agent.opts.Host.Render(nacre.Reply{Chat: s.info.Chat, Text: text})) > 0
}

// useless reports whether a response gives the person nothing, or not all.
func useless(r llm.Response, visible bool) bool {
	return r.Stop == llm.StopLength || len(r.Calls) == 0 && r.Stop != llm.StopRefused && !visible
}

// finish decides what becomes of the response that counts.
func finish(r llm.Response, visible bool) (llm.Response, error) {
	switch {
	case r.Stop == llm.StopLength && visible:
		r.Calls = nil // the last one may be cut in its middle
		r.Text += "\n\n(My answer was cut off here; ask me to go on.)"
	case r.Stop == llm.StopLength:
		return r, errEmpty
	case r.Stop == llm.StopRefused && !visible:
		return r, errRefused
	case r.Stop == llm.StopRefused:
		r.Calls = nil // they belong to what was not to be said
	case len(r.Calls) > 0:
	case !visible:
		return r, errEmpty
	}
	return r, nil
}

// capResult cuts a tool's result and says so.
func capResult(text string) string {
	if utf8.RuneCountInString(text) <= maxResult {
		return text
	}
	return string([]rune(text)[:maxResult]) + "\n[cut after 16,000 characters]"
}

// sentence is what a person reads of an error. Kinds that carry sentences for
// people are shown as they are, all else in our words.
func sentence(err error) string {
	var m *llm.Error
	var e *nacre.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "That took too long, so I stopped. Please ask again, or for less at once."
	case errors.Is(err, errEmpty):
		return "The language model gave no answer, twice. Please ask again."
	case errors.Is(err, errRefused):
		return "The language model declined to answer that."
	case errors.Is(err, errTooManySteps):
		return "I went round in circles with that and stopped. Please ask for a smaller step."
	case errors.Is(err, errSilent):
		return "The language model did not begin to answer in time. Please ask again in a few minutes."
	case errors.Is(err, errTooLarge):
		return "The language model says that this is too long for it, however much I cut. Please send less at once; if that does not help, whoever runs me must choose a model with a larger window."
	case errors.As(err, &m):
		return modelSentence(m)
	case errors.As(err, &e) && e.Kind != nacre.Internal && e.Text != "":
		first, size := utf8.DecodeRuneInString(e.Text)
		return string(unicode.ToUpper(first)) + e.Text[size:]
	}
	return "Something went wrong on my side. Your message is kept; please try again."
}

// about is a long time in words.
func about(d time.Duration) string {
	if d < 2*time.Hour {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f hours", d.Hours())
}

func modelSentence(e *llm.Error) string {
	switch e.Cause {
	case llm.BadRequest:
		if e.Status == 404 {
			return "There is no such language model where I am set up to look. Whoever runs me must check its name and address; nacre doctor tells more."
		}
	case llm.BadAnswer:
		return "What answers in the place of the language model makes no sense to me. Please try again; if it stays so, whoever runs me must check its address."
	case llm.Overloaded:
		if e.After > 10*time.Minute {
			return fmt.Sprintf("The language model takes nothing more from us for about %s. Whoever runs me can raise its limits, or name another one in NACRE_FALLBACK.", about(e.After))
		}
		return "The language model is overloaded right now. Please ask again in a few minutes."
	case llm.Network:
		return "I cannot reach the language model right now. Please ask again in a few minutes."
	case llm.Refused:
		return "The language model refused my key. Whoever runs me must check it."
	case llm.Billing:
		return "The account for the language model has no credit left. Whoever runs me must top it up."
	case llm.Spent:
		return e.Message
	case llm.Flagged:
		return sentence(errRefused)
	}
	return "The language model could not answer that. Please try again, or put it differently."
}
