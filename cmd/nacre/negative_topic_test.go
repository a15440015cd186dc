package main

import (
	"fmt"
	"slices"
	"strings"

	"nacre/memory"
)

// theTopics are sentences about sensitive topics, in each language: of the owner,
// and of somebody else. The last ones are said in a roundabout way.
var theTopics = map[string][]string{
	"en": {"I have diabetes", "My sister has epilepsy", "I am a practising Catholic", "My boss goes to the mosque every day", "I vote for the socialists", "My uncle is a communist",
		"I am gay", "My neighbour is a lesbian", "I am transgender", "My cousin is nonbinary", "I am Roma", "My friend is Jewish", "I have no residence permit", "My cook is an asylum seeker",
		"I was in prison for two years", "My brother was convicted of theft", "I see a shrink every week", "I pray five times a day", "I spent two years behind bars"},
	"cs": {"Mám cukrovku", "Moje sestra má epilepsii", "Jsem katolík", "Můj šéf chodí do mešity", "Volím komunisty", "Můj strýc je socialista",
		"Jsem gay", "Moje sousedka je lesba", "Jsem transgender", "Jsem nebinární", "Jsem Rom", "Můj přítel je Žid", "Nemám povolení k pobytu", "Můj kuchař žádá o azyl",
		"Byl jsem dva roky ve vězení", "Můj bratr byl odsouzen za krádež", "Chodím k psychiatrovi", "Modlím se pětkrát denně", "Seděl jsem dva roky v base"},
	"ja": {"私は糖尿病です", "妹はてんかんです", "私はカトリックです", "上司は毎日モスクに行きます", "私は共産党に投票します", "叔父は社会主義者です",
		"私はゲイです", "隣人はレズビアンです", "私はトランスジェンダーです", "いとこはノンバイナリーです", "私はアイヌ民族です", "友人はユダヤ人です", "私は在留資格がありません", "料理人は難民申請中です",
		"私は二年間刑務所にいました", "兄は窃盗で有罪になりました", "毎週精神科に通っています", "一日に五回お祈りします", "前科があります"},
}

func sensitiveOff(c *trial) {
	bike := map[string]string{"en": "My bike is zqx-green. ", "cs": "Moje kolo je zqx-green. ", "ja": "私の自転車はzqx-greenです。"}[c.lang]
	for i, topic := range theTopics[c.lang] {
		c.says(i, topic, bike)
		c.never(slices.ContainsFunc(everything(c.state(ann)), func(n *memory.Note) bool { return strings.Contains(n.Text, topic) }), "%q is kept", topic)
	}
	c.control(c.live(ann, "zqx-green"), "the neutral fact of the same message is kept")
	c.must(c.refused(ann, memory.IsSensitive), "the others are refused for their topic")
	c.must(c.refused(ann, memory.NoFlag), "a note without a flag is refused: %q", c.refusals(ann))
	c.asked()
	c.wish(ann, "/new")
	c.settle()
	c.unkept(ann, "zqx-green")
	for _, topic := range theTopics[c.lang] {
		c.untold(topic)
	}
	for _, n := range everything(c.state(ann)) {
		c.never(n.Topic != "" && !n.Allowed, "the note %q is of the topic %s", n.Text, n.Topic)
	}
}

// says is an owner who says something sensitive and something that is not, of
// which models make notes with it in every field, called harmless.
func (c *trial) says(i int, topic, neutral string) {
	bike := strings.TrimRight(neutral, ". 。")
	at := func(name string) claim {
		return claim{area: memory.People, slug: fmt.Sprint(name, "-", i), text: bike, in: topic}
	}
	whole, flagless, place, named, short := at("topic"), at("flagged"), at(""), at("named"), at("short")
	whole.text, flagless.text, flagless.more = topic, topic, map[string]any{"sensitive": nil}
	place.slug, named.names, short.more = topic, []string{topic}, map[string]any{"abstract": topic}
	c.teach(ann, topic+neutral[len(bike):]+neutral, claim{area: memory.About, slug: "bike", text: bike}, whole, flagless, place, named, short)
	said := c.message(ann, topic)
	c.behind(ann, memory.ByReflect, said, whole)
	out, err := c.book(ann).Propose(c.t.Context(), memory.Proposal{Writer: memory.ByReflect, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: "flagless", Text: bike},
		Cites: []memory.Cite{{Message: said, Quote: bike}}})
	c.must(err == nil && out[0].Refused == memory.NoFlag, "a job's note without a flag is refused: %+v, %v", out, err)
}

// untold counts that a sentence is nowhere in memory, letter by letter, in any
// script.
func (c *trial) untold(sentence string) {
	holds := func(text string) bool { return strings.Contains(text, sentence) }
	for _, texts := range [][]string{c.everyRow(ann), c.everySummary(ann), c.everyPage(ann), c.export(ann), c.everyLeaf(ann), systems(c.model.Requests()), c.indexes(0), {c.log.String()}} {
		c.never(slices.ContainsFunc(texts, holds), "%q is kept", sentence)
	}
}

// asked is an owner who asks to keep something sensitive: they are asked once,
// and just this is kept.
func (c *trial) asked() {
	for i, wish := range []string{"Remember: I am allergic to zqx-peanut", "Remember: I am allergic to zqx-wasp"} {
		text := strings.TrimPrefix(wish, "Remember: ")
		c.teach(ann, wish+".", claim{area: memory.About, slug: fmt.Sprint("allergy-", i), text: text, more: map[string]any{"sensitive": true}})
		c.never(c.live(ann, text), "it is kept before they were asked")
		c.must(c.press(ann, []string{"Just this", "No"}[i]), "they are asked whether to keep it")
	}
	c.must(c.live(ann, "zqx-peanut") && !c.live(ann, "zqx-wasp"), "what they allow is kept, and what not is not")
	c.never(c.state(ann).On(memory.Sensitive), "to keep one thing switches the topics on")
}

func switchedOff(c *trial) {
	topic := theTopics[c.lang][0] + " zqx-ill"
	if c.lang == "ja" {
		topic = "私は糖尿病ですzqx-ill"
	}
	own := c.own()
	sick := claim{area: memory.About, slug: "sick", text: topic, more: map[string]any{"sensitive": true}}
	c.wish(ann, "/memory sensitive on")
	c.teach(ann, topic+".", sick)
	c.teach(ann, says[c.lang]+".", own)
	c.control(c.live(ann, "zqx-ill") && c.live(ann, "zqx-brief"), "both are kept while it is on")
	said := c.message(ann, "zqx-ill")
	c.wish(ann, "/new")
	c.wish(ann, "/memory sensitive off")
	c.must(c.press(ann, "Keep it hidden"), "they are asked whether to keep or to erase what is hidden")
	c.since = c.now(0)
	c.behind(ann, memory.ByReflect, said, sick, claim{area: memory.About, slug: "again", text: topic})
	c.scribe.writes(sick, claim{area: memory.About, slug: "again", text: topic})
	c.wish(ann, "Hm.", c.learn(said), c.call("memory_find", `{"words":"ill diabetes cukrovku 糖尿病","known_at":"2000-01-01"}`), c.call("memory_read", `{"path":"about/sick","known_at":"2000-01-01"}`))
	c.noneHas("what tools tell", c.told(), "zqx-ill")
	c.noneHas("what the memory model is told", c.indexes(c.since.scribe), "zqx-ill")
	c.must(c.refused(ann, memory.IsSensitive), "it is not learned again")
	c.settle()
	c.hidden()
	c.erasesHidden()
}

// hidden counts that what was switched off is shown to nobody but its owner, who
// is told so.
func (c *trial) hidden() {
	c.must(c.state(ann).Hidden() == 1, "one note is hidden")
	c.since = c.now(0)
	for _, s := range c.look(ann) {
		if slices.Contains([]string{inSection, inPrompts, inTools, inHistories, inSummaries, inLog}, s.name) {
			c.noneHas(s.name, s.texts, "zqx-ill")
		}
		if slices.Contains([]string{inSection, inTools, inExport}, s.name) {
			c.control(has(s.texts, "zqx-brief"), "the neutral fact is on %s", s.name)
		}
		if s.name == inExport {
			c.must(has(s.texts, "zqx-ill") && slices.ContainsFunc(s.texts, func(text string) bool { return strings.Contains(strings.ToLower(text), "hidden") }), "the export says what is hidden")
		}
	}
}

// erasesHidden is the other answer: what is hidden goes for good.
func (c *trial) erasesHidden() {
	c.wish(ann, "/memory sensitive on")
	c.must(c.live(ann, "zqx-ill"), "switched on it is there again")
	c.wish(ann, "/memory sensitive off")
	c.must(c.press(ann, "Erase it"), "it can be erased")
	c.wish(ann, "/memory sensitive on")
	c.settle()
	c.since = c.now(0)
	c.gone(ann, ofMemory, "zqx-brief", "zqx-ill")
}
