package recall

import (
	"iter"
	"math"
	"slices"
)

// How much the parts of a score count. The numbers are round on purpose: each is
// right to within a third, whatever people talk about.
const (
	earlier        = 1.5  // times what came before: it is taken up, what follows is not foreseen
	ofReply        = 2.0  // times a question of somebody else: its answer does not repeat it
	ofConversation = 0.5  // of the best message of the conversation: that is what it was about
	ofTime         = 0.2  // of the best message, for being sent on the day that is asked for
	ofDay          = 2.5  // times, for being of the days that are asked for
	byAsked        = 1.7  // times, for being written by whom it is about: people tell of themselves
	whenCue        = 1.5  // times, for saying when, to who asks when
	nameCue        = 1.3  // times, for having a name, to who asks which book, which city
	numberCue      = 1.3  // times, for having a number, to who asks how many: many have one by chance
	again          = 0.95 // times, for each better one of its conversation, to who asks for several things
	ofQuestion     = 0.9  // times, for ending with a question: it rather asks than tells
)

// near is what a message gets of the scores of those that stand one, two, … from
// it: people say in several messages what they have to say, and others take a turn
// in between.
var near = [...]float64{0.3, 0.3, 0.15, 0.1}

// spreading is how many of the best by words give to those around them, and bring
// them in where they have none of the words.
const spreading = 60

// rank orders messages by their own words, which best tells, and by all that is
// around them.
func (q query) rank(c corpus, best []hit) []hit {
	scores := make(map[docID]float64, 2*len(best))
	for _, h := range best {
		scores[h.doc] = h.score
	}
	for _, h := range best[:min(spreading, len(best))] {
		spread(c, h, scores)
	}
	q.addDays(c, best, scores)
	addConversations(c, best, scores)
	ranked := make([]hit, 0, len(scores))
	for doc, score := range scores {
		ranked = append(ranked, hit{doc, score * q.factor(c, doc)})
	}
	slices.SortFunc(ranked, order)
	if q.cues.several {
		disperse(c, ranked)
	}
	return ranked
}

// disperse ranks a message the lower, the more of its conversation are before it:
// of several things people tell at several times.
func disperse(c corpus, ranked []hit) {
	before := map[conversation]int{}
	for i := range ranked {
		at := conversationOf(c.traits(ranked[i].doc))
		ranked[i].score *= math.Pow(again, float64(before[at]))
		before[at]++
	}
	slices.SortFunc(ranked, order)
}

// spread gives of a message's score to those around it. Those after it get more:
// who answers does not repeat what was said, least of all what was asked.
func spread(c corpus, h hit, scores map[docID]float64) {
	from := c.traits(h.doc)
	for i, doc := range around(c, h.doc, -1) {
		scores[doc] += near[i] * h.score
	}
	for i, doc := range around(c, h.doc, 1) {
		share := near[i] * earlier
		if i == 0 && from.has(asks) && c.traits(doc).author != from.author {
			share *= ofReply
		}
		scores[doc] += share * h.score
	}
}

// pause is after how many minutes a session has another conversation.
const pause = 6 * 60

// around yields the messages before (step -1) or after another one in the same
// conversation, as many as get of its score.
func around(c corpus, doc docID, step int) iter.Seq2[int, docID] {
	return func(yield func(int, docID) bool) {
		last := c.traits(doc).sent
		for i := range near {
			next, ok := c.neighbour(doc, step)
			if !ok {
				return
			}
			sent := c.traits(next).sent
			if max(sent, last)-min(sent, last) > pause || !yield(i, next) {
				return
			}
			doc, last = next, sent
		}
	}
}

// addDays brings in what was sent on the days that are asked for, whatever its
// words.
func (q query) addDays(c corpus, best []hit, scores map[docID]float64) {
	most := 1.0
	if len(best) > 0 {
		most = best[0].score
	}
	for _, days := range q.days {
		zone := q.reader.zone
		for _, doc := range c.during(days.first.start(zone), days.last.plus(1).start(zone), manyOfDay) {
			scores[doc] += ofTime * most
		}
	}
}

// addConversations gives each message of the best one of its conversation: that is
// what it was about.
func addConversations(c corpus, best []hit, scores map[docID]float64) {
	most := map[conversation]float64{}
	for _, h := range best {
		at := conversationOf(c.traits(h.doc))
		most[at] = max(most[at], h.score)
	}
	for doc := range scores {
		scores[doc] += ofConversation * most[conversationOf(c.traits(doc))]
	}
}

// conversation is what was said in a session on one day. Sessions may last for
// years. The day is that of UTC: where exactly a night cuts does not matter.
type conversation struct{ session, day uint32 }

func conversationOf(t traits) conversation { return conversation{t.session, t.sent / (24 * 60)} }

// factor is by how much more a message counts for what is asked.
func (q query) factor(c corpus, doc docID) float64 {
	t, f := c.traits(doc), 1.0
	if len(q.who) == 1 && q.who[0] == t.author {
		f *= byAsked
	}
	if q.dated(c, doc) {
		f *= ofDay
	}
	if q.cues.when && t.has(tellsWhen) {
		f *= whenCue
	}
	if q.cues.howMany && t.has(counts) {
		f *= numberCue
	}
	if q.cues.name && t.has(names) {
		f *= nameCue
	}
	if t.has(asks) {
		f *= ofQuestion
	}
	return f
}

// dated reports whether a query names days and a message is of them.
func (q query) dated(c corpus, doc docID) bool {
	return len(q.days) > 0 && q.onDays(c.traits(doc), c.spans(doc))
}

// toldFor is for how many days people go on telling of what happened.
const toldFor = 7

// manyOfDay bounds how many messages come in by their day alone.
const manyOfDay = 200

// onDays reports whether a message speaks of the days that are asked for, or was
// sent then or soon after.
func (q query) onDays(t traits, spoken []span) bool {
	sent := t.day(q.reader.zone)
	for _, day := range q.days {
		if sent >= day.first && sent <= day.last.plus(toldFor) {
			return true
		}
		if slices.ContainsFunc(spoken, day.meets) {
			return true
		}
	}
	return false
}
