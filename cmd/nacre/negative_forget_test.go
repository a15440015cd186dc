package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
	"nacre/web"
)

// forgetNegatives are about what was forgotten or rejected: that it is gone, and
// that it stays away.
func forgetNegatives() []negative {
	return []negative{
		{id: "N01", what: "what is forgotten is nowhere", langs: everyTongue, notices: []string{oldIndex, noteOnly, nightJob, quotingLog}, run: exactForgetting},
		{id: "N02", what: "the same words of the same message do not bring it back", langs: everyTongue, notices: []string{noTombstones, nightJob, quotingLog}, run: sameSource},
		{id: "N03", what: "no other wording of the same message does either", langs: everyTongue, notices: []string{noTombstones, nightJob, quotingLog}, run: paraphrase},
		{id: "N04", what: "nor does somebody else's message", langs: everyTongue, notices: []string{nightJob, quotingLog}, run: newSource, dress: both(withMail, withGmail)},
		{id: "N05", what: "what is rejected is not laundered by repetition", langs: everyTongue, run: laundering},
		{id: "N13", what: "one owner's forgetting is not another's", langs: everyTongue, notices: []string{oldIndex, noteOnly, nightJob, quotingLog, openTool}, run: twoOwners},
		{id: "E03", what: "copies made earlier are named or gone", langs: everyTongue, notices: []string{oldIndex, noteOnly, nightJob, quotingLog}, run: copies},
		{id: "E05", what: "a save that is under way does not bring it back", langs: everyTongue, notices: []string{oldIndex, noTombstones, noteOnly, nightJob, quotingLog}, run: queued},
	}
}

// pets is two facts in one message, of which one is to be forgotten.
type pets struct {
	said      string
	dog, bike claim
	reply     string // of the assistant, which repeats the word alone
	forget    string // the owner's wish
}

// The words that may not come back, and that have to stay.
const (
	theDog  = "zqx-Kiko"
	theBike = "zqx-green"
)

var petTalk = map[string]pets{
	"en": {said: "My dog is called zqx-Kiko. My bike is zqx-green.",
		dog:   claim{area: memory.People, slug: "dog", text: "The dog is called zqx-Kiko.", quote: "My dog is called zqx-Kiko"},
		bike:  claim{area: memory.About, slug: "bike", text: "The bike is zqx-green.", quote: "My bike is zqx-green"},
		reply: "zqx-Kiko! What a name.", forget: "Forget my dog's name"},
	"cs": {said: "Můj pes se jmenuje zqx-Kiko. Moje kolo je zqx-green.",
		dog:   claim{area: memory.People, slug: "pes", text: "Pes se jmenuje zqx-Kiko.", quote: "Můj pes se jmenuje zqx-Kiko"},
		bike:  claim{area: memory.About, slug: "kolo", text: "Kolo je zqx-green.", quote: "Moje kolo je zqx-green"},
		reply: "zqx-Kiko! To je jméno.", forget: "Zapomeň, jak se jmenuje můj pes"},
	"ja": {said: "私の犬の名前はzqx-Kikoです。私の自転車はzqx-greenです。",
		dog:   claim{area: memory.People, slug: "犬", text: "犬の名前はzqx-Kikoです", quote: "犬の名前はzqx-Kikoです"},
		bike:  claim{area: memory.About, slug: "自転車", text: "自転車はzqx-greenです", quote: "自転車はzqx-greenです"},
		reply: "zqx-Kiko、いい名前ですね。", forget: "私の犬の名前を忘れて"},
}

// pets teaches both facts to an owner, and has them in the conversation too.
func (c *trial) pets(user int64) pets {
	p := petTalk[c.lang]
	c.teach(user, p.said, p.dog, p.bike)
	c.answered(user, p.reply)
	c.control(c.live(user, theDog) && c.live(user, theBike), "both facts are learned")
	return p
}

// forget is an owner's wish to forget what the model says it is about, confirmed
// where that is asked. Probes look at what comes after.
func (c *trial) forget(user int64, wish, about string) {
	before := c.version(user)
	c.since = c.now(1) // the request that asks for it still knows
	c.wish(user, wish, c.call("memory_forget", asJSON(map[string]string{"about": about})))
	if c.version(user) == before {
		c.since = c.now(0)
		c.must(c.press(user, "Forget it"), "they are asked before it is forgotten")
	}
}

// forgetNote forgets a note alone, so that the words that it rests on stay.
func (c *trial) forgetNote(user int64, slug string) {
	c.since = c.now(0)
	c.wish(user, "/forget note "+slug)
	c.control(!slices.ContainsFunc(c.state(user).Select(memory.Query{}), func(n *memory.Note) bool { return n.Slot.Slug == slug }), "the note is forgotten")
}

func (c *trial) version(user int64) int64 { return c.state(user).Version }

// scatter has a word come along in every way that a conversation has: quoted,
// forwarded, under a picture, as the name of a file, as an edit, and in a file of
// the assistant's own.
func (c *trial) scatter(user int64, p pets) {
	c.sends(user, fmt.Sprintf(`"text":"?","reply_to_message":{"message_id":5,"date":1,"from":{"id":7001,"is_bot":true,"first_name":"Nacre"},"chat":{"id":%d,"type":"private"},"text":%q}`, user, p.reply))
	c.sends(user, fmt.Sprintf(`"text":%q,"forward_origin":{"type":"hidden_user","date":1,"sender_user_name":"M"}`, p.said))
	c.sends(user, fmt.Sprintf(`"photo":[{"file_id":"f"}],"caption":%q`, p.dog.quote))
	c.sends(user, fmt.Sprintf(`"document":{"file_id":"g","file_name":"%s.txt"}`, theDog))
	c.arrives("edited_message", user, fmt.Sprintf(privateChat+`,"edit_date":%d,"text":%q`, user, time.Now().Unix(), p.dog.quote))
	c.wish(user, "Hm.", c.call("send_file", asJSON(map[string]string{"name": theDog + ".md", "content": p.reply})))
	c.wish(user, "/remember "+p.dog.quote+"!")
}

func exactForgetting(c *trial) {
	p := c.pets(ann)
	c.scatter(ann, p)
	c.forget(ann, p.forget, "people/"+p.dog.slug)
	c.must(strings.Contains(strings.Join(append(c.texts(ann), c.returned()...), "\n"), "Erased: "), "there is a receipt")
	c.must(c.did(ann, memory.Intend) && c.did(ann, memory.Erase) && c.did(ann, memory.Finish), "the log has the intent, the erasure and its end")
	next := everyByte(c.model.Requests()[c.since.chat:])
	c.never(holdsWord(strings.Join(next, "\n"), theDog), "the very next prompt holds it")
	c.settle()
	c.gone(ann, everywhere, theBike, theDog)
}

// did reports whether an owner's log has an Op of a kind.
func (c *trial) did(user int64, k memory.OpKind) bool {
	return slices.ContainsFunc(c.ops(user), func(o memory.Op) bool { return o.Kind == k })
}

// returned is what tools returned since the moment from which probes look.
func (c *trial) returned() []string {
	return messagesOf(c.model.Requests()[min(c.since.chat, len(c.model.Requests())):], fromTool)
}

func sameSource(c *trial) {
	p := c.pets(ann)
	source := c.message(ann, theDog)
	c.forgetNote(ann, p.dog.slug)
	c.again(p, source)
	c.settle()
	c.again(p, source)
	c.gone(ann, ofMemory, theBike, theDog)
}

// again reads an old message anew, as a job and as the chat model would have it,
// and writes what it says.
func (c *trial) again(p pets, source nacre.MessageID) {
	before, tombs, refused := c.evidence(theBike), c.state(ann).Tombstones(), len(c.refusals(ann))
	c.behind(ann, memory.ByReflect, source, p.dog, p.bike)
	c.scribe.writes(p.dog, p.bike)
	c.wish(ann, "Hm.", c.call("memory_learn", asJSON(map[string][]nacre.MessageID{"messages": {source}})))
	c.must(c.evidence(theBike) == before, "what was known already has the same evidence")
	why := c.refusals(ann)[refused:]
	c.must(slices.Contains(why, memory.SourceRevoked) || slices.Contains(why, memory.TombExact), "a refusal is recorded: %q", why)
	c.must(c.state(ann).Tombstones() == tombs, "the tombstones stay")
	c.never(c.known(ann, theDog), "it is a note again")
}

// evidence counts the messages that support the live note with a word.
func (c *trial) evidence(word string) int {
	for _, n := range c.state(ann).Select(memory.Query{}) {
		if strings.Contains(n.Text, word) {
			return len(n.Evidence)
		}
	}
	return 0
}

// known reports whether an owner has a note with a word that models see, or that
// waits.
func (c *trial) known(user int64, word string) bool {
	return slices.ContainsFunc(c.state(user).Select(memory.Query{Everywhere: true, Hidden: true,
		Statuses: []memory.Status{memory.Candidate, memory.Tentative, memory.Observed, memory.Stated}}), func(n *memory.Note) bool { return holdsWord(n.Text, word) })
}

// home is where somebody lives, in more words than one.
type home struct {
	said, quote string
	text        []string // of a note; the first was learned
	work        string   // another message
	works       claim
	mail        string // what somebody else writes
}

const (
	theStreet = "zqx-Elm"
	theWork   = "zqx-Mill"
)

var homeTalk = map[string]home{
	"en": {said: "I live at 14 zqx-Elm Street.", quote: "I live at 14 zqx-Elm Street",
		text: []string{"They live at 14 zqx-Elm Street.", "Resides on zqx-Elm, number fourteen", "zqx-Elm Street 14 is where they live", "Lives at zqx-Elm Street", "14 zqx-Elm Street"},
		work: "I work at the zqx-Mill.", works: claim{area: memory.About, slug: "work", text: "They work at the zqx-Mill.", quote: "I work at the zqx-Mill"},
		mail: "Since you live at 14 zqx-Elm Street, the parcel goes there."},
	"cs": {said: "Bydlím na adrese zqx-Elm 14.", quote: "Bydlím na adrese zqx-Elm 14",
		text: []string{"Bydlí na adrese zqx-Elm 14.", "Má byt v ulici zqx-Elm, číslo čtrnáct", "Adresa: zqx-Elm 14", "zqx-Elm 14 je domov", "Na adrese zqx-Elm bydlí"},
		work: "Pracuji v zqx-Mill.", works: claim{area: memory.About, slug: "prace", text: "Pracuje v zqx-Mill.", quote: "Pracuji v zqx-Mill"},
		mail: "Protože bydlíte na adrese zqx-Elm 14, balík přijde tam."},
	"ja": {said: "私はzqx-Elm通り14番に住んでいます。", quote: "zqx-Elm通り14番に住んでいます",
		text: []string{"zqx-Elm通り14番に住んでいます", "住所はzqx-Elm通りの十四番", "zqx-Elm通り14番の住まい", "zqx-Elm通りに住んでいます", "自宅はzqx-Elm通り14番"},
		work: "私はzqx-Mill工場で働いています。", works: claim{area: memory.About, slug: "仕事", text: "zqx-Mill工場で働いています", quote: "zqx-Mill工場で働いています"},
		mail: "zqx-Elm通り14番にお住まいなので、荷物はそこに届きます。"},
}

// wordings are the claims that repeat where somebody lives, quoting a message.
func (h home) wordings(quote string) []claim {
	var list []claim
	for i, text := range h.text {
		list = append(list, claim{area: memory.About, slug: []string{"home", "address", "street", "flat", "place"}[i], text: text, quote: quote})
	}
	return list
}

func paraphrase(c *trial) {
	h := homeTalk[c.lang]
	c.teach(ann, h.said, h.wordings(h.quote)[0])
	c.control(c.live(ann, theStreet), "it is learned")
	source := c.message(ann, theStreet)
	c.wish(ann, h.work)
	other := c.message(ann, theWork)
	c.forgetNote(ann, "home")
	c.settle()

	before := len(c.refusals(ann))
	c.behind(ann, memory.ByReflect, source, h.wordings(h.quote)...)
	c.behind(ann, memory.ByReflect, other, h.works)
	c.scribe.writes(h.wordings(h.quote)...)
	c.wish(ann, "Hm.", c.call("memory_learn", asJSON(map[string][]nacre.MessageID{"messages": {source}})))
	why := c.refusals(ann)[before:]
	c.must(len(why) == 2*len(h.text) && !slices.ContainsFunc(why, func(r memory.Reason) bool { return r != memory.SourceRevoked }), "all are refused for their source, not for their words: %q", why)
	c.must(c.live(ann, theWork), "another fact of the same batch is stored")
	c.never(c.known(ann, theStreet), "some wording is a note again")
	c.gone(ann, ofMemory, theWork, theStreet)
}

// withMail gives the chat model a tool that reads the mail of the suite.
func withMail(c *trial, o *outside) {
	o.tools = append(o.tools, badTool{"read_mail", c, func(c *trial, _ nacre.Caller, _ badArgs) string { return homeTalk[c.lang].mail }})
}

func newSource(c *trial) {
	h := homeTalk[c.lang]
	c.teach(ann, h.said, h.wordings(h.quote)[0])
	c.wish(ann, h.work)
	c.behind(ann, memory.ByReflect, c.message(ann, theWork), h.works)
	c.control(c.live(ann, theStreet) && c.live(ann, theWork), "both facts are learned")
	c.forget(ann, "/forget home", "")
	c.settle()

	stranger := `{"message":{"message_id":70001,"date":%d,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"forward_origin":{"type":"user","date":1,"sender_user":{"id":1666,"is_bot":false,"first_name":"M"}},"text":%q}}`
	c.scribe.writes(h.wordings(h.mail)...)
	c.model.Push(llmtest.Step{Calls: append(c.everyRead(ann), c.call("read_mail", `{}`))}, llmtest.Step{Calls: toolCalls(c.call("memory_learn", `{}`))})
	c.inject(stranger, time.Now().Unix(), h.mail)
	c.must(slices.ContainsFunc(c.returned(), func(r string) bool { return holdsWord(r, theStreet) }), "the mail can be read in its own result")
	source := c.newest(ann)
	c.manner(h.mail)
	for range 2 {
		c.behind(ann, memory.ByReflect, source, h.wordings(h.mail)...)
		c.upkeepOfStyle(h.mail)
		c.settle()
	}
	c.unread(theStreet)
	c.never(c.known(ann, theStreet), "it is a note again")
	c.gone(ann, slices.DeleteFunc(slices.Clone(ofMemory), func(s string) bool { return s == inTools }), theWork, theStreet)
}

func laundering(c *trial) {
	talk := map[string][2]string{"en": {"Our head office is in zqx-Paris.", "The head office is in zqx-Paris."},
		"cs": {"Naše ústředí je v zqx-Paris.", "Ústředí je v zqx-Paris."}, "ja": {"本社はzqx-Parisにあります", "本社はzqx-Parisにあります"}}[c.lang]
	paris := claim{area: memory.About, slug: "office", text: talk[1], quote: strings.TrimSuffix(talk[0], ".")}
	var sources []nacre.MessageID
	for range 3 {
		c.wish(ann, talk[0])
		sources = append(sources, c.message(ann, "zqx-Paris"))
		c.later(25 * time.Hour)
	}
	c.byHand(strings.ReplaceAll(talk[1], "zqx-Paris", "zqx-Rome"))
	c.behind(ann, memory.ByReflect, sources[0], paris)
	c.control(c.known(ann, "zqx-Paris") && !c.live(ann, "zqx-Paris"), "it waits for review")
	c.wish(ann, "/memory review")
	c.must(c.press(ann, "No"), "it can be rejected")
	c.byHand(strings.ReplaceAll(talk[1], "zqx-Paris", "zqx-London"))

	for range 50 {
		for _, s := range sources {
			c.behind(ann, memory.ByReflect, s, paris)
		}
	}
	c.scribe.writes(paris)
	c.wish(ann, "Hm.", c.call("memory_learn", asJSON(map[string][]nacre.MessageID{"messages": sources})))
	c.must(len(c.refusals(ann)) >= 2, "the refusals are logged")
	c.must(c.live(ann, "zqx-London"), "the correction is what counts")
	c.never(c.known(ann, "zqx-Paris"), "it is believed, or waits again")
	c.settle()
	c.since = c.now(0)
	c.gone(ann, ofUse, "zqx-London", "zqx-Paris")
}

// byHand writes where the office is on the page.
func (c *trial) byHand(text string) {
	c.t.Helper()
	out, err := c.app.Memory(web.Hand{By: memory.ByPage}).Propose(c.t.Context(), web.Change{Do: memory.Learn, Path: "about/office", Text: text})
	if err != nil || out.Refused != "" {
		c.t.Fatalf("%+v, %v", out, err)
	}
}

func twoOwners(c *trial) {
	p := c.pets(ann)
	c.pets(bea)
	before := asJSON(c.state(bea).Select(memory.Query{Everywhere: true, Hidden: true}))
	c.forget(ann, p.forget, "people/"+p.dog.slug)
	c.settle()
	c.never(asJSON(c.state(bea).Select(memory.Query{Everywhere: true, Hidden: true})) != before, "the other owner's memory changed")
	c.since = c.now(0)                                           // what was read back of the other owner's words has it, rightly
	c.gone(ann, everywhere[:len(everywhere)-1], theBike, theDog) // the other owner's file has it, rightly
	c.since = c.now(0)
	c.must(c.live(bea, theDog), "the other owner still has it")
	c.gone(bea, []string{inReview}, theDog, "zqx-none")
	c.forgetNote(bea, p.dog.slug)
	c.wish(bea, "/remember "+p.dog.quote)
	c.press(bea, "Remember it again")
	c.must(c.live(bea, theDog), "the other owner can have it noted anew")
}

func copies(c *trial) {
	p := c.pets(ann)
	c.orders(ann, "memory", "group on")
	c.scribe.writes(p.dog)
	c.answersIn(ann, "?", p.dog.quote, c.learn())
	c.control(slices.ContainsFunc(c.groupNotes(), func(n *memory.Note) bool { return holdsWord(n.Text, theDog) }), "the group is told of it, by its owner")
	c.wish(ann, "/export")
	c.control(slices.ContainsFunc(c.export(ann), func(text string) bool { return holdsWord(text, theDog) }), "the file that is sent holds it")
	s, usual := c.backUp(), c.app.cfg.Backup.Dir
	before, elsewhere := c.keysIn(usual), c.keysIn(s.dir)
	c.forget(ann, p.forget, "people/"+p.dog.slug)
	receipt := strings.Join(append(c.texts(ann), c.returned()...), "\n")
	c.must(strings.Contains(receipt, "files that you downloaded") && strings.Contains(receipt, "chat network"), "the receipt names the copies that are out of reach")
	c.must(strings.Contains(receipt, "copies of the key file or the key bundle elsewhere: overwrite them"), "and what opens backups, with what to do about it")
	c.never(bytes.Equal(c.keysIn(usual), before), "the key bundle here is the one from before")
	c.control(bytes.Equal(c.keysIn(s.dir), elsewhere), "the copy elsewhere is, which the receipt speaks of")
	c.settle()
	c.never(slices.ContainsFunc(c.groupNotes(), func(n *memory.Note) bool { return holdsWord(n.Text, theDog) }), "the group still knows it")
	c.gone(ann, everywhere, theBike, theDog)
}

func queued(c *trial) {
	p, h := c.pets(ann), homeTalk[c.lang]
	source := c.message(ann, theDog)
	entered, release := c.scribe.holds()
	c.scribe.writes(p.dog, h.works)
	c.model.Push(llmtest.Step{Calls: toolCalls(c.call("memory_learn", asJSON(map[string][]nacre.MessageID{"messages": {source}})))})
	c.say(ann, h.work)
	<-entered
	c.forgetOnPage("people/" + p.dog.slug)
	c.since = c.now(0)
	release()
	c.pass(2 * time.Second)
	c.must(c.live(ann, theWork), "the rest of the save lands")
	c.must(slices.Contains(c.refusals(ann), memory.SourceRevoked), "the refusal is recorded")
	c.never(c.known(ann, theDog), "it is a note again")
	c.settle()
	c.gone(ann, everywhere, theWork, theDog)
}
