package style

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent/mail"
	"nacre/memory"
)

// How much of a mailbox is looked at.
const (
	MinMails  = 5    // letters, of which fewer tell nothing
	maxLooked = 400  // mails, of use or not
	maxLetter = 4000 // characters of a letter; of a longer one, its beginning and its end
)

// Learn looks at the owner's sent mail if it is time, or now if it is asked for, and
// notes how they write. NotFound if no mailbox is connected. On an error nothing is
// changed and the point up to which mail was read stays.
//
// Errors of the model are passed on as they are, so that whoever runs this as a job can
// tell a spent budget, which is no failure, from a model that is down.
func (l *Learner) Learn(ctx context.Context, owner nacre.OwnerID, now bool) (Result, error) {
	learned, err := l.opts.Mailbox.Learned(ctx, owner)
	if err != nil {
		return "", err
	}
	if !now && !learned.IsZero() && l.opts.Now().Sub(learned) < Between {
		return Early, nil
	}
	fresh, upTo, err := l.opts.Mailbox.Fresh(ctx, owner)
	if err != nil {
		return "", err
	}
	result := Unchanged
	if fresh || now {
		if result, err = l.renew(ctx, owner); err != nil {
			return "", err
		}
	}
	if err := l.opts.Mailbox.Read(ctx, owner, upTo); err != nil {
		return "", err
	}
	l.opts.Logger.Info("sent mail was looked at for its style", "owner", owner, "result", result)
	return result, nil
}

// renew makes the note anew. Before anything is read or asked for it finds out whether
// a note could be kept at all.
func (l *Learner) renew(ctx context.Context, owner nacre.OwnerID) (Result, error) {
	if result, err := l.barred(ctx, owner); result != "" || err != nil {
		return result, err
	}
	list, err := l.letters(ctx, owner)
	if err != nil {
		return "", err
	}
	if len(list) < MinMails {
		return TooFew, nil
	}
	text, err := l.text(ctx, owner, list)
	if err != nil {
		return "", err
	}
	if text == "" {
		old, err := l.note(ctx, owner)
		if err != nil {
			return "", err
		}
		if old == nil {
			text = Measure(list) // better than nothing
		}
	}
	if text == "" { // also where not even that can be said
		return Kept, nil
	}
	return l.keep(ctx, owner, text)
}

// note is the one that is in use; nil if none is.
func (l *Learner) note(ctx context.Context, owner nacre.OwnerID) (*memory.Note, error) {
	st, err := l.opts.Library.Book(owner).State(ctx)
	if err != nil {
		return nil, err
	}
	return st.Live(memory.StyleSlot), nil
}

// text describes letters, by the model or without one; empty if that cannot be used.
func (l *Learner) text(ctx context.Context, owner nacre.OwnerID, list []mail.Letter) (string, error) {
	if l.opts.Model == nil {
		return Measure(list), nil
	}
	return l.describe(ctx, owner, list)
}

// probe stands for a description that is not known yet.
const probe = "Plain sentences."

// barred tells why no description would be kept, empty if one would.
func (l *Learner) barred(ctx context.Context, owner nacre.OwnerID) (Result, error) {
	old, err := l.note(ctx, owner)
	if err != nil {
		return "", err
	}
	if old != nil && old.Status == memory.Stated { // also if they only confirmed it
		return Yours, nil
	}
	out, err := l.opts.Library.Book(owner).Try(ctx, proposal(probe))
	if err != nil {
		return "", err
	}
	return l.refused(owner, out[0]), nil
}

// keep has the note stored, in the place of the one before, which goes to the archive.
func (l *Learner) keep(ctx context.Context, owner nacre.OwnerID, text string) (Result, error) {
	out, err := l.opts.Library.Book(owner).Propose(ctx, proposal(text))
	if err != nil {
		return "", err
	}
	switch result := l.refused(owner, out[0]); {
	case result != "":
		return result, nil
	case out[0].Same:
		return Same, nil
	}
	return Learned, nil
}

// refused is the Result of an Outcome that is a refusal, else empty.
func (l *Learner) refused(owner nacre.OwnerID, o memory.Outcome) Result {
	switch o.Refused {
	case "":
		return ""
	case memory.Contradicts:
		return Yours
	}
	l.opts.Logger.Info("how an owner writes cannot be noted", "owner", owner, "reason", o.Refused)
	return Refused
}

func proposal(text string) memory.Proposal {
	sensitive := false
	return memory.Proposal{
		Writer: memory.ByStyle, Do: memory.Learn, Sensitive: &sensitive,
		Draft: memory.Draft{Area: memory.StyleSlot.Area, Slug: memory.StyleSlot.Slug, Kind: memory.KindStyle, Text: text},
	}
}

// letters reads the newest letters that tell how an owner writes, at most MaxMails.
// It reads on where the same words went out again and again, and gives up after
// maxLooked mails.
func (l *Learner) letters(ctx context.Context, owner nacre.OwnerID) ([]mail.Letter, error) {
	var all, list []mail.Letter
	looked, enough := 0, MaxMails
	err := l.opts.Mailbox.Sent(ctx, owner, l.opts.Now().Add(-Reach), func(raw []byte) bool {
		looked++
		if one, why := mail.Read(bytes.NewReader(raw)); why == "" {
			one.Text = ends(one.Text, maxLetter)
			all = append(all, one)
		}
		if len(all) >= enough {
			list = distinct(all)
			enough += MaxMails - len(list)
		}
		return looked < maxLooked && len(list) < MaxMails
	})
	if err != nil {
		return nil, err
	}
	list = distinct(all)
	return list[:min(len(list), MaxMails)], nil
}

// distinct is mail.Distinct, which leaves the list as it is.
func distinct(list []mail.Letter) []mail.Letter {
	return mail.Distinct(append([]mail.Letter(nil), list...))
}

// cutMark stands where the middle of a letter was left out.
const cutMark = "\n\n…\n\n"

// ends leaves out the middle of a text of more than so many characters: how somebody
// writes shows in how they begin and how they end.
func ends(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	chars := []rune(strings.ToValidUTF8(text, ""))
	most = min(most, len(chars))
	tail := most / 3
	return string(chars[:most-tail]) + cutMark + string(chars[len(chars)-tail:])
}
