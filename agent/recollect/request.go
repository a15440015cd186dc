package recollect

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
	"nacre/agent/phrase"
	"nacre/memory/recall"
)

// request is what a person asks, as far as anything is looked up for it.
type request struct {
	text  string
	after string // what was asked before, of which text is the end; empty for most
	words words
	wide  bool // it asks for a total, or compares, so that everything counts that fits
	asks  bool // it is a question
}

// How much of a turn is looked up: its newest messages.
const (
	maxAsked     = 3    // messages
	maxAskedText = 4000 // characters
)

// request reads the owner's own words in the messages of a turn. What holds none
// that carry meaning asks for nothing, but for a question such as "and when?": that
// is asked about what they said before.
func (r *Recollector) request(ctx context.Context, c nacre.Caller, w agent.Window) (request, error) {
	own := ownWords(c)
	if len(own) == 0 {
		return request{}, nil
	}
	text := clip(strings.Join(own, "\n"), maxAskedText)
	q := r.read(text)
	q.asks = kindOf(own[len(own)-1]) == phrase.Question
	if q.words.empty() && q.asks {
		before, err := r.before(ctx, c, w)
		if err != nil || before == "" {
			return request{}, err
		}
		q = r.read(before + "\n" + text)
		q.after, q.asks = before, true
	}
	return q, nil
}

// ownWords are the owner's words in each of the newest messages of a turn.
func ownWords(c nacre.Caller) (own []string) {
	for _, m := range slices.Backward(c.Said) {
		if words := strings.TrimSpace(m.Text()); !m.Quiet && words != "" && len(own) < maxAsked {
			own = append(own, words)
		}
	}
	slices.Reverse(own)
	return own
}

// longPhrase is how many characters are more than any phrase has that asks for
// nothing; to read a text for phrases takes long.
const longPhrase = 200

// kindOf is what a text asks for.
func kindOf(text string) phrase.Kind {
	if utf8.RuneCountInString(text) > longPhrase {
		return phrase.None
	}
	return phrase.Parse(text).Kind
}

// idle reports whether a turn asks for nothing that is looked up, such as thanks.
// What is to be forgotten is not looked up either.
func idle(c nacre.Caller) bool {
	return !slices.ContainsFunc(ownWords(c), func(text string) bool {
		return !slices.Contains([]phrase.Kind{phrase.Greeting, phrase.Thanks, phrase.TimeQuestion, phrase.Forget}, kindOf(text))
	})
}

// read makes a request of a text.
func (r *Recollector) read(text string) request {
	return request{text: text, words: r.words(text), wide: totals.MatchString(text)}
}

// totals are the words by which people ask for all there is, or for what there is
// most of, in the languages of package phrase.
var totals = regexp.MustCompile(`(?i)\b(how (many|much|often)|number of|in (total|all)|altogether|overall|list (all|every|my)|every (time|single|one of)|all (the|my|our) |(most|least|more|less) (often|frequently)|which .{1,80} most|compared?|difference between|versus|vs` +
	`|wie ?(viele?|oft|häufig)|insgesamt|alle (meine|unsere|die)|jedes ?mal|am (häufigsten|meisten|seltensten)|vergleich|verglichen` +
	`|cu[aá]nt[oa]s?|en total|tod[oa]s (las|los|mis)|cada vez|m[aá]s (veces|a menudo)|compar(a|ar|ado)` +
	`|combien|au total|en tout|tou(te)?s (les|mes)|chaque fois|le (plus|moins) souvent|comparer?)\b` +
	`|多少|几次|幾次|一共|总共|總共|所有|每次|列出|最常|最多|比较|比較|相比`)

// lookBack is how many of the newest messages are looked through for what somebody
// said before.
const lookBack = 20

// before is the newest thing with meaning that the owner said before this turn and
// that is still in the window, empty if that was too long ago.
func (r *Recollector) before(ctx context.Context, c nacre.Caller, w agent.Window) (string, error) {
	q := r.earlierBy(c, "")
	q.Here, q.Order, q.Limit = true, recall.Newest, lookBack
	res, err := r.opts.Index.Search(ctx, c.Owner, q)
	if err != nil {
		return "", err
	}
	for _, h := range res.Hits {
		if slices.Contains(w.Turns, h.Turn) && h.Author == recall.ByOwner && !h.Strange && !present(c, h.Text) && r.meaningful(h.Text.Text) {
			return clip(h.Text.Text, maxAskedText), nil
		}
	}
	return "", nil
}

// present reports whether a message is of the turn that is being answered.
func present(c nacre.Caller, t recall.Text) bool {
	return t.Turn != "" && t.Turn == c.Turn || t.Message != "" && slices.ContainsFunc(c.Said, func(m nacre.Message) bool { return m.ID == t.Message })
}
