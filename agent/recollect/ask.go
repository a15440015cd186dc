package recollect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// ask lets the memory model answer with a JSON object that has one of some fields.
func (r *Recollector) ask(ctx context.Context, req llm.Request, into any, fields ...string) error {
	res, err := r.opts.Model.Complete(ctx, req, nil)
	if err != nil {
		return fmt.Errorf("ask the memory model: %w", err)
	}
	if res.Stop == llm.StopLength || res.Stop == llm.StopRefused {
		return errUnread
	}
	return object(res.Text, into, fields...)
}

// Limits of what is looked at in an answer.
const (
	maxAnswer = 1 << 20 // bytes
	maxStarts = 16      // braces at which the object may begin
)

// object reads the first JSON object in a text that has one of some fields, whatever
// stands around it.
func object(text string, into any, fields ...string) error {
	text = text[:min(len(text), maxAnswer)]
	for range maxStarts {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		var all map[string]json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		if d.Decode(&all) != nil {
			text = text[1:]
			continue
		}
		for _, f := range fields {
			if _, ok := all[f]; ok {
				if json.Unmarshal([]byte(text[:d.InputOffset()]), into) != nil {
					return errUnread
				}
				return nil
			}
		}
		text = text[d.InputOffset():]
	}
	return errUnread
}
