package main

import (
	"context"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/llm"
	"nacre/agent/style"
	"nacre/jobs"
	"nacre/web"
)

// learnStyle learns from an owner's sent mail how they write, if it is time, or now
// where it is wanted by hand. What it looked at in vain is recorded only by hand; so
// an owner without Gmail costs one look into the ledger an hour.
func (a *app) learnStyle(ctx context.Context, owner nacre.OwnerID) (jobs.Outcome, error) {
	now := ctx.Value(byHand{}) != nil
	ctx, counted := llm.Counting(ctx)
	result, err := a.styles.Learn(ctx, owner, now)
	if err != nil && ctx.Err() != nil {
		return jobs.Outcome{}, err // Nacre ends, or it takes too long: no trouble of Google's
	}
	if err == nil && result == style.Early {
		return jobs.Outcome{}, nil // Google was not asked, so nobody knows how it is
	}
	out := jobs.Outcome{Reason: string(result), Used: nacre.Usage(counted.Total())}
	switch trouble := gmail.TroubleOf(err); {
	case err != nil && trouble == "":
		if !now && nacre.KindOf(err) == nacre.NotFound {
			return jobs.Outcome{}, nil
		}
		return out, err
	case a.noted(ctx, owner, trouble):
		out.Reason = string(trouble)
	case !now && (trouble != "" || result == style.Unchanged):
		out.Reason = ""
	}
	if now {
		return out, err
	}
	return out, nil
}

// noted notes that Gmail cannot be read, or can again, and tells the owner once of
// each stretch of trouble. It reports whether they were told now.
func (a *app) noted(ctx context.Context, owner nacre.OwnerID, trouble gmail.Trouble) bool {
	fresh, err := a.mail.Note(ctx, owner, trouble)
	if err != nil {
		a.log.Error("it could not be noted how an owner's Gmail is", "owner", owner, "err", err)
	}
	a.page.Changed(owner, web.TopicSettings)
	if fresh && trouble != "" {
		a.tell(ctx, owner, "I cannot read your sent mail to learn how you write. "+troubleWords[trouble])
	}
	return fresh && trouble != ""
}

// troubleWords say what is wrong with an owner's Gmail, and what they can do.
var troubleWords = map[gmail.Trouble]string{
	gmail.Revoked: "Google says that your consent is gone. Connect Gmail again on the page under Settings, or with nacre gmail connect; or disconnect it there.",
	gmail.Limited: "Google lets nothing more be read for now, because a quota is used up. You need not do anything: it is tried again every hour.",
	gmail.Down:    "Google does not answer as it should. You need not do anything: it is tried again every hour.",
}
