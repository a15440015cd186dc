package recollect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"nacre/agent/llm"
)

// patience is how long a person waits for the memory model, once for a selection and
// once for a check.
const patience = 20 * time.Second

var (
	errUnread = errors.New("an answer that cannot be used") // it is none of those that were asked for
	errWindow = errors.New("a window that is too small")
)

// rest is how long a memory model is left alone that let a person wait in vain.
const rest = 5 * time.Minute

// errRests is for the log.
var errRests = errors.New("it did not answer in time before, and is left alone for five minutes")

// ask lets the memory model answer with a JSON object that has one of some fields.
func (r *Recollector) ask(ctx context.Context, req llm.Request, into any, fields ...string) error {
	if time.Now().Before(time.UnixMilli(r.rests.Load())) {
		return errRests
	}
	res, err := r.opts.Model.Complete(ctx, req, nil)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.rests.Store(time.Now().Add(rest).UnixMilli())
	}
	if err != nil {
		return fmt.Errorf("ask the memory model: %w", err)
	}
	if res.Stop == llm.StopLength || res.Stop == llm.StopRefused {
		return errUnread
	}
	raw, err := llm.Object(res.Text, fields...)
	if err != nil || json.Unmarshal(raw, into) != nil {
		return errUnread
	}
	return nil
}
