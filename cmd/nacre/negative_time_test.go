package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"nacre"
	"nacre/memory"
)

// timeNegatives are about what changes: corrections, dates, and writers at the
// same time.
func timeNegatives() []negative {
	return []negative{
		{id: "N42", what: "a change of mind, and a part of it", langs: everyTongue, run: changes},
		{id: "N43", what: "what was true when, and when it was known", langs: oneTongue, run: dates},
		{id: "N45", what: "writers at the same time", langs: oneTongue, run: race},
	}
}

// minds is what somebody thinks first, and then.
type minds struct{ love, hate, work, role, promoted string }

var mindTalk = map[string]minds{
	"en": {"I love coriander zqx-yes", "I can not stand coriander zqx-no", "My employer is zqx-Acme", "I am an engineer zqx-eng", "I am a manager zqx-man now"},
	"cs": {"Miluju koriandr zqx-yes", "Nesnáším koriandr zqx-no", "Můj zaměstnavatel je zqx-Acme", "Jsem inženýr zqx-eng", "Jsem teď vedoucí zqx-man"},
	"ja": {"パクチーzqx-yesが大好きです", "パクチーzqx-noが嫌いです", "勤務先はzqx-Acmeです", "職業はエンジニアzqx-engです", "今は部長zqx-manです"},
}

func changes(c *trial) {
	m := mindTalk[c.lang]
	taste := func(text string) claim { return claim{area: memory.Preferences, slug: "coriander", text: text} }
	role := func(text string) claim { return claim{area: memory.About, slug: "role", text: text} }
	c.teach(ann, m.love+".", taste(m.love))
	c.teach(ann, m.work+". "+m.role+".", claim{area: memory.About, slug: "employer", text: m.work}, role(m.role))
	c.control(c.live(ann, "zqx-yes") && c.live(ann, "zqx-Acme") && c.live(ann, "zqx-eng"), "all is learned")
	loved := c.message(ann, "zqx-yes")
	c.teach(ann, m.hate+".", taste(m.hate))
	c.teach(ann, m.promoted+".", role(m.promoted))
	c.one("zqx-no", "zqx-yes")
	c.one("zqx-man", "zqx-eng")
	c.must(c.live(ann, "zqx-Acme"), "the employer is kept")
	for range 3 { // the old words, by those who run by themselves and by the model
		c.behind(ann, memory.ByReflect, loved, taste(m.love))
		c.scribe.writes(taste(m.love))
		c.wish(ann, "Hm.", c.learn(loved))
	}
	c.settle()
	c.one("zqx-no", "zqx-yes")
	c.since = c.now(0)
	c.wish(ann, "/new")
	c.wish(ann, "Hello.")
	c.noneHas("what prompts hold of memory", systems(c.requests(true)), "zqx-yes", "zqx-eng")
	c.control(has(systems(c.requests(true)), "zqx-no") && has(systems(c.requests(true)), "zqx-Acme"), "a prompt holds what is so now")
	c.robbed(m)
}

// one counts that of two notes that contradict each other the first is live.
func (c *trial) one(now, before string) {
	c.must(c.live(ann, now), "%s is live", now)
	c.never(c.live(ann, before), "%s is live too", before)
}

// robbed is a model which takes the whole for the part that changed. What is lost
// so is one /undo away, and in the archive.
func (c *trial) robbed(m minds) {
	lead := map[string]string{"en": "I am a director zqx-dir", "cs": "Jsem ředitel zqx-dir", "ja": "今は社長zqx-dirです"}[c.lang]
	c.teach(ann, lead+".", claim{area: memory.About, slug: "role", text: lead, more: map[string]any{"replaces": []string{"about/role", "about/employer"}}})
	c.must(has(texts(everything(c.state(ann))), "zqx-Acme"), "what a model takes away is in the archive")
	c.wish(ann, "/undo")
	c.must(c.live(ann, "zqx-Acme") && c.live(ann, "zqx-man"), "and /undo brings it back")
}

// at reads what a model sees of something, at the two times of a read.
func (c *trial) at(words, asOf, knownAt string) string {
	args := map[string]string{"words": words}
	if asOf != "" {
		args["as_of"] = asOf
	}
	if knownAt != "" {
		args["known_at"] = knownAt
	}
	c.wish(ann, "Hm.", c.call("memory_find", asJSON(args)))
	return strings.Join(c.told(), "\n")
}

func dates(c *trial) {
	c.stop()
	c.env = append(c.env, "TZ=Europe/Prague")
	c.start()
	c.until("2000-05-10T12:00:00Z")
	c.teach(ann, "I was vegetarian zqx-veg from 1992 to 1998.", claim{area: memory.About, slug: "diet", text: "I was vegetarian zqx-veg from 1992 to 1998", more: map[string]any{"from": "1992", "to": "1998"}})
	c.teach(ann, "I play zqx-chess.", claim{area: memory.About, slug: "game", text: "I play zqx-chess"})
	c.until("2000-05-12T12:00:00Z")
	c.teach(ann, "From March I work at zqx-Werk.", claim{area: memory.About, slug: "work", text: "From March I work at zqx-Werk", more: map[string]any{"from": "2000-03"}})
	c.teach(ann, "The train zqx-train leaves on 10 May 2000 at 00:30.", claim{area: memory.About, slug: "train", text: "The train zqx-train leaves on 10 May 2000 at 00:30", more: map[string]any{"event": "2000-05-10T00:30"}})
	c.teach(ann, "The feast zqx-feast is on 1 July 2000.", claim{area: memory.About, slug: "feast", text: "The feast zqx-feast is on 1 July 2000", more: map[string]any{"event": "2000-07-01"}})
	c.control(c.live(ann, "zqx-veg") && c.live(ann, "zqx-Werk") && c.live(ann, "zqx-train") && c.live(ann, "zqx-feast"), "all is learned: %q", c.refusals(ann))
	c.reads()
	for _, n := range c.state(ann).Select(memory.Query{}) {
		c.never(strings.Contains(n.Text, "chess") && !n.Valid.From.IsZero(), "a note begins to be true when it is written")
		c.never(strings.Contains(n.Text, "Werk") && !n.Valid.To.IsZero(), "an unknown end is known")
	}
	c.settle()
	c.control(holdsWord(c.at("Werk", "2000-04", ""), "zqx-Werk"), "after a start anew too")
}

// reads are what was so at a time, as it was known at another.
func (c *trial) reads() {
	for _, read := range []struct {
		word, asOf, knownAt string
		seen                bool
	}{
		{"zqx-veg", "1995", "", true}, {"zqx-veg", "1998", "", true}, {"zqx-veg", "1991", "", false}, {"zqx-veg", "1999", "", false}, {"zqx-veg", "2000-05-12", "", false},
		{"zqx-Werk", "2000-04", "", true}, {"zqx-Werk", "2000-04", "2000-05-11", false}, {"zqx-Werk", "2000-04", "2000-05-12", true}, {"zqx-Werk", "2000-02", "", false}, {"zqx-Werk", "", "2000-05-11", false},
		{"zqx-train", "2000-05-09", "", false}, {"zqx-train", "2000-05-10", "", true}, {"zqx-train", "2000-05-10T00:30", "", true}, {"zqx-train", "2000-05-10T00:29", "", false},
		{"zqx-feast", "2000-06-30", "", false}, {"zqx-feast", "2000-07-01", "", true},
		{"zqx-chess", "1995", "", true}, {"zqx-chess", "", "2000-05-09", false},
	} {
		got := holdsWord(c.at(strings.ReplaceAll(read.word, "zqx-", "")+" zqx", read.asOf, read.knownAt), read.word)
		if read.seen {
			c.must(got, "%s was so in %s, as known in %q", read.word, read.asOf, read.knownAt)
			continue
		}
		c.never(got, "%s is in the past of %s, as known in %q", read.word, read.asOf, read.knownAt)
	}
}

// until lets time pass until an instant, while nothing runs.
func (c *trial) until(when string) {
	c.t.Helper()
	t, err := time.Parse(time.RFC3339, when)
	if err != nil {
		c.t.Fatal(err)
	}
	c.later(time.Until(t))
}

// rounds is how often the writers race.
const rounds = 1000

func race(c *trial) {
	said := c.duplicates()
	slot := memory.Slot{Area: memory.About, Slug: "raced"}
	n := rounds
	if c.leak != nil {
		n = 20
	}
	lost := 0
	for i := range n {
		base := c.state(ann).Live(slot)
		out := c.together(i, said, slot, base)
		now := c.state(ann).Live(slot)
		c.never(c.livesIn(slot) != 1, "round %d: %d notes are current", i, c.livesIn(slot))
		c.never(base != nil && (now == nil || c.state(ann).Note(base.ID).Status.Live() && now.ID != base.ID), "round %d: half a correction", i)
		for _, o := range out {
			if o.Refused != "" {
				lost++
			}
			c.never(o.Refused == "" && o.Note == nil, "round %d: a write is lost", i)
		}
	}
	c.control(lost > 0, "some writers come too late, and are told so: %d", lost)
	st := c.state(ann)
	c.must(st.Live(slot) != nil, "there is one current version")
	c.must(len(c.waiting(ann)) > 0, "what contradicts the owner's word waits for them")
	same, err := c.book(ann).Rebuild(c.t.Context())
	c.must(err == nil && same, "folded anew it is the same: %v", err)
	c.settle()
}

// together lets a job, an explicit save and an edit on the page hit the same
// place, each with what it saw before.
func (c *trial) together(i int, said nacre.MessageID, slot memory.Slot, base *memory.Note) []memory.Outcome {
	plain := false
	all := []memory.Proposal{
		{Writer: memory.ByReflect, Do: memory.Learn, Sensitive: &plain, Draft: memory.Draft{Area: slot.Area, Slug: slot.Slug, Text: "I like short summaries"}, Cites: []memory.Cite{{Message: said, Quote: says["en"]}}},
		{Writer: memory.ByCommand, Do: memory.Learn, Asked: true, Draft: memory.Draft{Area: slot.Area, Slug: slot.Slug, Text: fmt.Sprintf("command zqx-%d", i)}},
		{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: slot.Area, Slug: slot.Slug, Text: fmt.Sprintf("page zqx-%d", i)}},
	}
	if base != nil {
		all[2].Do, all[2].Note, all[2].Hash = memory.Edit, base.ID, base.Hash()
	}
	out := make([]memory.Outcome, len(all))
	var writers sync.WaitGroup
	for j := range all {
		writers.Go(func() {
			done, err := c.book(ann).Propose(c.t.Context(), all[(j+i)%len(all)])
			if err != nil {
				c.t.Error(err)
				return
			}
			out[j] = done[0]
		})
	}
	writers.Wait()
	return out
}

func (c *trial) livesIn(slot memory.Slot) (n int) {
	for _, note := range c.state(ann).Select(memory.Query{}) {
		if note.Slot == slot {
			n++
		}
	}
	return n
}

// duplicates is one update that Telegram delivers again and again, and messages
// that come in another order than they were sent. It returns the message.
func (c *trial) duplicates() nacre.MessageID {
	c.scribe.writes(c.own())
	parts := fmt.Sprintf(`"chat":{"id":1001,"type":"private"},"text":%q`, says["en"]+".")
	for range 5 {
		c.api.Inject(fmt.Sprintf(`{"message":{"message_id":424242,"date":%d,"from":{"id":1001,"is_bot":false,"first_name":"x"},%s}}`, time.Now().Unix(), parts))
		c.pass(2 * time.Second)
	}
	said := c.message(ann, "zqx-brief")
	for range 3 {
		c.wish(ann, "Hm.", c.learn(said))
		c.behind(ann, memory.ByReflect, said, c.own())
	}
	list := c.state(ann).Select(memory.Query{})
	c.control(len(list) == 1, "one note is learned: %q", texts(list))
	c.never(len(list) == 1 && (len(list[0].Evidence) != 1 || list[0].Status != memory.Tentative), "a message that comes twice is evidence twice")
	return said
}
