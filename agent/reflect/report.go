package reflect

import (
	"context"
	"errors"
	"strings"

	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/memory"
)

// Report is what came of reading messages back.
type Report struct {
	Batches  int    // that were gone through
	Messages int    // that may support a note, and were read
	Learned  int    // notes that are new, or better founded
	Waiting  int    // notes that are left to the owner
	Refused  int    // what the model wanted and was not done
	Calls    int    // how often the Distiller was asked, once for each scope of a batch
	Aside    int    // batches that were set aside
	Reason   string // what it came to, as a code; empty if there was nothing to read
}

// The codes of Report.Reason and memory.Batch.Reason, besides the causes of
// llm.Error.
const (
	reasonRead       = "read"
	reasonAside      = "set_aside"
	reasonBudget     = "budget"
	reasonUnreadable = "unreadable" // the model's answer, twice
	reasonSlow       = "deadline"
	reasonOther      = "failed"
)

// told says what a Report came to. That a budget is spent is no error.
func (rep *Report) told(err error) (Report, error) {
	switch {
	case spent(err):
		rep.Reason, err = reasonBudget, nil
	case err != nil:
		rep.Reason = code(err)
	case rep.Aside > 0:
		rep.Reason = reasonAside
	case rep.Calls > 0:
		rep.Reason = reasonRead
	}
	return *rep, err
}

// count adds what became of proposals.
func (rep *Report) count(outcomes []memory.Outcome) {
	for _, o := range outcomes {
		_, waits := o.Waits()
		switch {
		case o.Refused != "":
			rep.Refused++
		case o.Same:
		case waits:
			rep.Waiting++
		default:
			rep.Learned++
		}
	}
}

// spent reports whether a budget is used up.
func spent(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Cause == llm.Spent
}

// code says in a word why messages could not be read.
func code(err error) string {
	e, ok := errors.AsType[*llm.Error](err)
	switch {
	case errors.Is(err, distill.ErrUnreadable):
		return reasonUnreadable
	case ok:
		return strings.ReplaceAll(string(e.Cause), " ", "_")
	case errors.Is(err, context.DeadlineExceeded):
		return reasonSlow
	}
	return reasonOther
}
