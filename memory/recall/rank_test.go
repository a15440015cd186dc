package recall

import (
	"slices"
	"testing"
	"time"

	"nacre"
)

// now is when the questions of these tests are asked: a Wednesday.
var now = time.Date(2025, 6, 18, 12, 0, 0, 0, time.UTC)

func in(session nacre.SessionID, author, text string) Doc {
	return Doc{Session: session, Author: author, Text: text}
}

// at is a message of a session that goes on and on, some minutes after it began.
func at(minutes int, text string) Doc {
	return Doc{Text: text, Sent: now.AddDate(0, -1, 0).Add(time.Duration(minutes) * time.Minute)}
}

func sent(daysAgo int, text string) Doc {
	return Doc{Session: nacre.SessionID(text), Text: text, Sent: now.AddDate(0, 0, -daysAgo)}
}

// Each case is two questions to the same messages: the first has what must put one
// message before another, the second lacks it, and the order is the other way
// round. Where nothing else tells, the newer is first.
func TestRank(t *testing.T) {
	tests := []struct {
		name         string
		docs         []Doc
		before, than int // places of the two messages
		asked        string
		other        string
	}{
		{"what was said next to it", []Doc{
			in("a", "Ana", "the lake at last"), in("a", "Ana", "so cold that evening"), in("b", "Ana", "so cold that evening"),
		}, 1, 2, "cold evening lake", "cold evening"},
		{"the answer to a question", []Doc{
			in("a", "Ana", "Which instrument is it?"), in("a", "Ben", "cello"), in("b", "Ana", "That instrument it is."), in("b", "Ben", "cello"),
			in("c", "Ana", "my trumpet"), in("c", "Ben", "cello"),
		}, 1, 3, "instrument", "cello"},
		{"what the conversation was about", []Doc{
			in("a", "Ana", "the sourdough starter"), in("a", "Ana", "one"), in("a", "Ana", "two"), in("a", "Ana", "three"), in("a", "Ana", "four"), in("a", "Ana", "five"),
			in("a", "Ana", "flour is cheap"), in("b", "Ana", "flour is cheap"),
		}, 6, 7, "flour for sourdough", "flour"},
		{"what was said next to it, not days later", []Doc{
			at(0, "the lake at last"), at(1, "so cold that evening"), at(9000, "the lake at last"), at(19000, "so cold that evening"), at(29000, "the sea at last"), at(29001, "so cold that evening"),
		}, 1, 3, "cold evening lake", "cold evening"},
		{"the person who is asked about", []Doc{
			in("a", "Ana", "the bike is red"), in("b", "Ben", "the bike is red"),
		}, 0, 1, "what colour is Ana's bike", "what colour is Ben's bike"},
		{"the person whose name is misspelled", []Doc{
			in("a", "Samira", "the bike is red"), in("b", "Tomas", "the bike is red"),
		}, 0, 1, "what colour is Samria's bike", "what colour is Tmoas's bike"},
		{"the owner's words", []Doc{
			in("a", ByOwner, "green tea"), in("b", ByAssistant, "green tea"),
		}, 0, 1, "what did I say of green tea", "what did you say of green tea"},
		{"the owner's words in Chinese", []Doc{
			in("a", ByOwner, "绿茶很好"), in("b", ByAssistant, "绿茶很好"),
		}, 0, 1, "我喜欢什么绿茶", "你推荐什么绿茶"},
		{"sent in the month that is asked for", []Doc{
			sent(100, "painting the fence"), sent(40, "painting a fence"),
		}, 0, 1, "what did we paint in March", "what did we paint in May"},
		{"told of the day that is asked for", []Doc{
			sent(60, "fence painted two weeks ago"), sent(60, "fence painted three months ago"),
		}, 0, 1, "fence painted on 5 April", "fence painted in January"},
		{"a time for who asks when", []Doc{
			in("a", "Ana", "moved house in autumn, on a Friday"), in("b", "Ana", "moved house in autumn, on a whim"),
		}, 0, 1, "when did she move house", "why did she move house"},
		{"a number for who asks how many", []Doc{
			in("a", "Ana", "there are 30 pigeons"), in("b", "Ana", "there are grey pigeons"),
		}, 0, 1, "how many pigeons", "what pigeons"},
		{"a name for who asks for what has one", []Doc{
			in("a", "Ana", "we sat in a tent near Rome"), in("b", "Ana", "we sat in a tent near home"),
		}, 0, 1, "what city had they sat in, in a tent", "what had they sat in, in a tent"},
		{"another conversation for who asks for several things", []Doc{
			in("a", "Ana", "walnut tart"), in("b", "Ana", "plum tart"), in("b", "Ana", "one"), in("b", "Ana", "two"), in("b", "Ana", "three"), in("b", "Ana", "four"), in("b", "Ana", "cherry tart"),
		}, 0, 1, "what tarts did she bake", "what tart did she bake"},
		{"a statement before a question", []Doc{
			in("a", "Ana", "the pool is heated"), in("b", "Ana", "is the pool heated?"), in("c", "Ana", "a bath?"), in("d", "Ana", "a bath!"),
		}, 0, 1, "pool", ""},
		{"words side by side", []Doc{
			in("a", "Ana", "green tea with black bread"), in("b", "Ana", "black tea with green bread"),
		}, 0, 1, "green tea", "black tea"},
		{"other words for the same thing", []Doc{
			in("a", "Ana", "hired at the bakery"), in("b", "Ana", "lost at the bakery"),
		}, 0, 1, "her job at the bakery", "at the bakery"},
		{"a thing of the kind that is asked for", []Doc{
			in("a", "Ana", "violin on the balcony"), in("b", "Ana", "rain on the balcony"),
		}, 0, 1, "her instrument on the balcony", "on the balcony"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			store := newMemStore()
			keys := store.say("o", test.docs...)
			x := ready(t, store, "o")
			if !ranksBefore(t, x, test.asked, keys[test.before], keys[test.than]) {
				t.Errorf("%q puts message %d before %d", test.asked, test.than, test.before)
			}
			if test.other != "" && ranksBefore(t, x, test.other, keys[test.before], keys[test.than]) {
				t.Errorf("%q puts message %d before %d", test.other, test.before, test.than)
			}
		})
	}
}

func ranksBefore(t *testing.T, x *Index, asked string, a, b Key) bool {
	t.Helper()
	res := find(t, x, "o", Query{Text: asked, Now: now})
	at := func(key Key) int { return slices.IndexFunc(res.Hits, func(h Hit) bool { return h.Key == key }) }
	if at(a) < 0 || at(b) < 0 {
		t.Fatalf("%q finds messages at %d and %d", asked, at(a), at(b))
	}
	return at(a) < at(b)
}

func TestRankBringsInTheDayThatIsAskedFor(t *testing.T) {
	store := newMemStore()
	keys := store.say("o", sent(3, "bought skates"), sent(1, "sold the piano"), sent(0, "went swimming"))
	x := ready(t, store, "o")
	for asked, want := range map[string]Key{"what was it yesterday?": keys[1], "was habe ich vor drei Tagen gemacht?": keys[0]} {
		res := find(t, x, "o", Query{Text: asked, Now: now})
		if len(res.Hits) == 0 || res.Hits[0].Key != want {
			t.Errorf("%q finds %v", asked, texts(res))
		}
	}
	if res := find(t, x, "o", Query{Text: "what was it?", Now: now}); len(res.Hits) != 0 {
		t.Errorf("a question without words and days finds %v", texts(res))
	}
}

func TestShareIsOfTheQuerysOwnWords(t *testing.T) {
	store := newMemStore()
	store.say("o", in("a", "Ana", "a red kite"), in("a", "Ana", "over there"), in("b", "Ana", "a red car"), in("c", "Ana", "a red bus"))
	x := ready(t, store, "o")
	share := map[string]float64{}
	for _, h := range find(t, x, "o", Query{Text: "red kite", Now: now}).Hits {
		share[h.Text.Text] = h.Share
	}
	if share["a red kite"] != 1 {
		t.Errorf("all words have a share of %v", share["a red kite"])
	}
	if s := share["a red car"]; s <= 0 || s >= 0.5 {
		t.Errorf("the commoner of two words has a share of %v", s)
	}
	if s, found := share["over there"]; !found || s != 0 {
		t.Errorf("a neighbour without any word: found %v, share %v", found, s)
	}
}
