package recall

import (
	"context"
	"nacre/memory/recall/terms"
	"testing"

	"nacre"
)

func FuzzCursor(f *testing.F) {
	store := newMemStore()
	many(store, ann, 120)
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	f.Cleanup(x.Close)
	q := Query{Text: "lantern", Limit: 7, Now: syntheticEpoch}
	own := cursor{Search: fingerprint(ann, q)}
	f.Add(own.encode(), int64(0), int64(0), uint32(0), 0.0)
	f.Add("x", int64(100), int64(130), uint32(50), 0.3)
	f.Fuzz(func(t *testing.T, text string, ceiling, last int64, window uint32, score float64) {
		forged := own
		forged.Ceiling, forged.Last = place{Key: Key(ceiling)}, place{Key: Key(last)}
		forged.Window, forged.Score = window, score
		for _, q.Cursor = range []string{text, forged.encode()} {
			res, err := x.Search(context.Background(), ann, q)
			if err != nil && nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("cursor %q: error %v, want Invalid or none", q.Cursor, err)
			}
			if len(res.Hits) > q.Limit {
				t.Errorf("cursor %q: %d hits, want at most %d", q.Cursor, len(res.Hits), q.Limit)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	store := newMemStore()
	many(store, ann, 40)
	store.say(ann, lines("crème brûlée", "C++ and foo/bar-baz", "我们明天去北京", "ann@example.com wrote 42 times")...)
	x := New(store, Options{})
	f.Cleanup(x.Close)
	for _, text := range []string{"lantern", "number7 numbr8", "北京", "c++ 42", "yesterday in March", "\x00\xff*\"(", "crème"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, newest bool) {
		q := Query{Text: text, Now: syntheticEpoch, Limit: 9}
		if newest {
			q.Order = Newest
		}
		seen := map[Key]bool{}
		for page := 0; page == 0 || q.Cursor != ""; page++ {
			res, err := x.Search(context.Background(), ann, q)
			if err != nil {
				t.Fatalf("search %q: %v", text, err)
			}
			for _, h := range res.Hits {
				if seen[h.Key] {
					t.Errorf("search %q: message %d came twice", text, h.Key)
				}
				seen[h.Key] = true
			}
			q.Cursor = res.Next
			if newest && q.Cursor == "" && len(seen) != res.Total {
				t.Errorf("search %q: %d messages on the pages, %d in all", text, len(seen), res.Total)
			}
		}
	})
}
