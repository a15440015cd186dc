package main

import (
	"context"
	"strings"
	"time"

	"nacre/memory"
	"nacre/memory/recall"
	"nacre/web"
)

// Search implements web.History. It looks in the private chats of the owner, on
// every channel, and in no group: what is said there is for that group.
func (h historyDesk) Search(ctx context.Context, q web.SearchQuery) (web.Found, error) {
	query := recall.Query{Text: q.Words, Scope: memory.Private, Order: recall.ByRelevance, Now: time.Now(), Cursor: q.Cursor}
	if q.Newest || strings.TrimSpace(q.Words) == "" {
		query.Order = recall.Newest
	}
	from, err := memory.ParseDate(q.From, h.zone())
	if err != nil {
		return web.Found{}, err
	}
	to, err := memory.ParseDate(q.To, h.zone())
	if err != nil {
		return web.Found{}, err
	}
	query.From, query.To = from.Start, to.End()
	return h.search(ctx, query, atMost(q.Most, usuallyHits, mostHits))
}

// search asks for as many hits as are wanted, which may be more than a page of the
// index has. It may find fewer though there are more.
func (h historyDesk) search(ctx context.Context, q recall.Query, most int) (web.Found, error) {
	found := web.Found{Hits: []web.FoundSaying{}}
	for round := range mostHits / recall.MaxLimit {
		q.Limit = min(recall.MaxLimit, most-len(found.Hits))
		r, err := h.app.index.Search(ctx, h.owner, q)
		if err != nil {
			return web.Found{}, err
		}
		hits, err := h.hits(ctx, q, r.Hits)
		if err != nil {
			return web.Found{}, err
		}
		if round == 0 {
			found.Total, found.Complete = r.Total, r.Complete
		}
		found.Hits, found.Next, q.Cursor = append(found.Hits, hits...), r.Next, r.Next
		if r.Next == "" || len(found.Hits) == most {
			break
		}
	}
	return found, nil
}

// hits reads where hits were said. What only stands beside one, or is about the like
// in other words, is for models to look at and not what a person typed.
func (h historyDesk) hits(ctx context.Context, q recall.Query, list []recall.Hit) ([]web.FoundSaying, error) {
	var keys []int64
	for _, hit := range list {
		if q.Order == recall.Newest || hit.Share > 0 || hit.Meant {
			keys = append(keys, int64(hit.Key))
		}
	}
	said, err := h.app.archive.Archive.Texts(ctx, h.owner, keys)
	var found []web.FoundSaying
	for _, key := range keys {
		if s, there := said[key]; there {
			found = append(found, web.FoundSaying{Saying: h.saying(s), Place: placeOf(s)})
		}
	}
	return found, err
}
