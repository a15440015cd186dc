package recollect

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/recall"
)

// historySearch is the tool that looks into the chats of a session's scope. It
// implements agent.Tool.
type historySearch struct{ r *Recollector }

// Limits of one search.
const (
	usualHits = 8
	maxHits   = 20
	maxSaid   = 1000 // characters of words
	each      = 5    // messages on each side of one
	reach     = 4    // so near to a hit a message may be found for its sake
)

// Spec implements agent.Tool.
func (historySearch) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "history_search",
		Description: "Finds what was said earlier in these chats, in any form of the words, by when it was sent, or both. Who is they (the person) or you (no fact).",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"words":{"type":"string","maxLength":1000,"description":"as they would have said it"},` +
			`"from":{"type":"string","description":"date sent, such as 2026-05"},` +
			`"to":{"type":"string","description":"the end of it counts"},` +
			`"around":{"type":"string","description":"id of a hit, alone: what stands around it"},` +
			`"order":{"type":"string","enum":["relevance","newest"]},` +
			`"cursor":{"type":"string"},` +
			`"limit":{"type":"integer","minimum":1,"maximum":20}},"additionalProperties":false}`),
	}
}

// arguments are those of the tool.
type arguments struct {
	Words  string `json:"words"`
	From   string `json:"from"`
	To     string `json:"to"`
	Around string `json:"around"`
	Order  string `json:"order"`
	Cursor string `json:"cursor"`
	Limit  int    `json:"limit"`
}

var (
	errArguments = nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object as the tool's schema describes it")
	errNothing   = nacre.Errorf(nacre.Invalid, "give words to look for, or a time by from and to, or order newest for the latest messages")
	errBackwards = nacre.Errorf(nacre.Invalid, "from must be before to")
	errNoHit     = nacre.Errorf(nacre.NotFound, "there is no message with that id in these chats; around takes the id of a hit")
)

// Call implements agent.Tool. Whose chats it looks into comes from the caller.
func (t historySearch) Call(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in arguments
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if !bytes.HasPrefix(bytes.TrimSpace(args), []byte("{")) || d.Decode(&in) != nil {
		return agent.Result{}, errArguments
	}
	if id := strings.TrimSpace(in.Around); id != "" {
		return t.r.around(ctx, c, id)
	}
	q, err := t.r.query(c, in)
	if err != nil {
		return agent.Result{}, err
	}
	return t.r.search(ctx, c, q)
}

// query reads the arguments of a search.
func (r *Recollector) query(c nacre.Caller, in arguments) (recall.Query, error) {
	q := r.earlierBy(c, clip(strings.TrimSpace(in.Words), maxSaid))
	q.Order, q.Cursor, q.Limit = recall.Order(in.Order), in.Cursor, in.Limit
	from, err := memory.ParseDate(strings.TrimSpace(in.From), r.opts.Zone(c.Owner))
	if err != nil {
		return q, err
	}
	to, err := memory.ParseDate(strings.TrimSpace(in.To), r.opts.Zone(c.Owner))
	if err != nil {
		return q, err
	}
	q.From, q.To = from.Start, to.End()
	switch {
	case q.Limit == 0:
		q.Limit = usualHits
	case q.Limit < 0 || q.Limit > maxHits:
		return q, nacre.Errorf(nacre.Invalid, "limit is 1 to %d", maxHits)
	}
	switch {
	case !slices.Contains([]recall.Order{"", recall.ByRelevance, recall.Newest}, q.Order):
		return q, errArguments
	case !q.From.IsZero() && !q.To.IsZero() && !q.From.Before(q.To):
		return q, errBackwards
	case q.Text != "":
	case q.From.IsZero() && q.To.IsZero() && q.Order != recall.Newest:
		return q, errNothing
	default:
		q.Order = recall.Newest // nothing is more relevant than anything else
	}
	return q, nil
}

// search shows a page of hits, each with its neighbours. Where nothing on it is to be
// shown, such as the question itself, it turns to the next.
func (r *Recollector) search(ctx context.Context, c nacre.Caller, q recall.Query) (agent.Result, error) {
	w := r.words(q.Text)
	for turn := 1; ; turn++ {
		p, err := r.page(ctx, c, q)
		if err != nil {
			return agent.Result{}, err
		}
		if len(p.shown) > 0 || p.Next == "" || turn == maxPages {
			return r.result(c, p, w), nil
		}
		q.Cursor = p.Next
	}
}

// page reads a page of hits, each with what stands beside it.
func (r *Recollector) page(ctx context.Context, c nacre.Caller, q recall.Query) (page, error) {
	res, err := r.opts.Index.Search(ctx, c.Owner, q)
	if err != nil {
		return page{}, err
	}
	p := page{Total: res.Total, Next: res.Next, Complete: res.Complete}
	for _, h := range res.Hits {
		beside, err := r.opts.Store.Near(ctx, c.Owner, q.Scope, h.Key, reach)
		if err != nil && nacre.KindOf(err) != nacre.NotFound {
			return page{}, err
		}
		p.shown = append(p.shown, hit{h.Text, beside, h.Share > 0 || q.Text == ""})
	}
	p.withoutNeighbours()
	p.withoutPresent(c)
	if q.Text != "" && (len(p.shown) == 0 || q.Cursor == "" && len(p.shown) >= p.Total) {
		p.Next = "" // what comes behind is there for its neighbours' sake
	}
	return p, nil
}

// around shows what stands around one message.
func (r *Recollector) around(ctx context.Context, c nacre.Caller, id string) (agent.Result, error) {
	key, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return agent.Result{}, errNoHit
	}
	near, err := r.opts.Store.Near(ctx, c.Owner, scope(c), recall.Key(key), each)
	if err != nil && nacre.KindOf(err) == nacre.NotFound {
		return agent.Result{}, errNoHit
	}
	if err != nil {
		return agent.Result{}, err
	}
	p := page{Complete: true}
	for _, t := range near {
		if !present(c, t) {
			p.shown = append(p.shown, hit{text: t})
		}
	}
	p.Total = len(p.shown)
	return r.result(c, p, words{}), nil
}
