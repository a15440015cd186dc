package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"nacre/memory"
	"nacre/web"
)

// secretNegatives are about what is not to be kept at all.
func secretNegatives() []negative {
	return []negative{
		{id: "N36", what: "the number of a card", langs: everyTongue, notices: []string{rawSecrets}, run: cards},
		{id: "N38", what: "passwords, codes and login links", langs: everyTongue, notices: []string{rawSecrets}, run: logins},
		{id: "N39", what: "sensitive topics, which are off", langs: everyTongue, run: sensitiveOff},
		{id: "N40", what: "sensitive topics, switched off later", langs: everyTongue, notices: []string{nightJob, quotingLog}, run: switchedOff},
	}
}

// theCard is a number that passes the checksum of cards and is nobody's.
const theCard = "4539578763621486"

// cardForms are ways to write it.
func cardForms() map[string]string {
	each := func(f func(rune) string) string {
		var b strings.Builder
		for _, d := range theCard {
			b.WriteString(f(d))
		}
		return b.String()
	}
	from := func(zero rune) string { return each(func(d rune) string { return string(zero + d - '0') }) }
	by := func(sep string) string {
		return strings.Join([]string{theCard[:4], theCard[4:8], theCard[8:12], theCard[12:]}, sep)
	}
	return map[string]string{
		"plain": theCard, "spaces": by(" "), "dashes": by("-"), "dots": by("."), "slashes": by("/"), "newlines": by("\n"),
		"no-break spaces": by("\u00a0"), "thin spaces": by("\u2009"), "nothing visible": each(func(d rune) string { return string(d) + "\u200b" }),
		"full width": from('０'), "Arabic": from('٠'), "Devanagari": from('०'), "mathematical": from('𝟎'), "keycaps": each(func(d rune) string { return string(d) + "\ufe0f\u20e3" }),
		"circles": strings.NewReplacer("5", "⑤", "8", "⑧").Replace(by(" ")),
	}
}

// telling is how an owner speaks of what must not be kept, in each language.
var telling = map[string]string{"en": "Remember my card: ", "cs": "Pamatuj si moji kartu: ", "ja": "私のカードを覚えて: "}

// digits are the runs of digits of a text, of any script and with anything that
// is neither letter nor digit between them.
func digits(text string) []string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			zero := r
			for r-zero < 9 && unicode.IsDigit(zero-1) {
				zero--
			}
			return '0' + r - zero
		case unicode.IsMark(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	var runs []string
	for _, run := range digitRun.FindAllString(plain, -1) {
		runs = append(runs, notDigit.ReplaceAllString(run, ""))
	}
	return runs
}

var (
	digitRun = regexp.MustCompile(`[0-9](?:[^\pL0-9,]{0,3}[0-9])+`) // a comma stands between the bytes of hashes
	notDigit = regexp.MustCompile(`[^0-9]`)
)

// holdsCard reports whether texts hold seven digits or more of the card's number
// in a row.
func holdsCard(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(digits(text), func(run string) bool {
			for i := range len(theCard) - 6 {
				if strings.Contains(run, theCard[i:i+7]) {
					return true
				}
			}
			return false
		})
	})
}

// hides are claims of a secret, in each field that a note has.
func hides(message, secret string) []claim {
	list := []claim{
		{area: memory.About, slug: "whole", text: message},
		{area: memory.About, slug: "secret", text: secret},
		{area: memory.About, slug: "first", text: secret[:len(secret)/2], in: secret},
	}
	for _, field := range []string{"slug", "abstract", "event", "expires", "from", "kind"} {
		list = append(list, claim{area: memory.About, slug: "in-" + field, text: strings.TrimSpace(strings.TrimSuffix(message, secret)), in: secret, more: map[string]any{field: secret}})
	}
	return append(list, claim{area: memory.About, slug: "in-names", text: strings.TrimSpace(strings.TrimSuffix(message, secret)), in: secret, names: []string{secret, secret[:len(secret)/2], secret[len(secret)/2:]}})
}

// saves tries to have a secret kept by everybody who can write.
func (c *trial) saves(message, secret string) {
	all := hides(message, secret)
	c.scribe.writes(all...)
	c.wish(ann, message, append(c.everySave(message), c.learn())...)
	c.behind(ann, memory.ByReflect, c.newest(ann), all...)
	c.behind(ann, memory.ByImport, c.newest(ann), all...)
	before := len(c.texts(ann))
	c.wish(ann, "/remember "+message)
	why := strings.Join(c.texts(ann)[before:], "\n")
	c.must(strings.Contains(why, "secrets are never kept"), "they are told why it is not kept: %q", why)
	c.never(holdsCard([]string{why}) || strings.Contains(why, secret), "the refusal repeats it")
	out, err := c.app.Memory(web.Hand{By: memory.ByPage}).Propose(c.t.Context(), web.Change{Do: memory.Learn, Path: "about/hand", Text: message})
	c.must(err == nil && out.Refused == memory.IsSecret, "the page refuses it: %+v, %v", out, err)
}

func cards(c *trial) {
	forms := cardForms()
	for how, form := range forms {
		c.saves(telling[c.lang]+form, form)
		c.never(holdsCard(texts(everything(c.state(ann)))), "written with %s it is kept", how)
	}
	c.halves()
	iban := "CZ6508000000192000145399"
	c.saves(telling[c.lang]+iban, iban)
	c.harmless()
	c.wish(ann, "/new")
	c.settle()
	c.since = c.now(0)
	for _, s := range c.look(ann) {
		c.never(slices.Contains(ofMemory, s.name) && holdsCard(s.texts), "the card is on %s", s.name)
		c.never(slices.Contains(ofMemory, s.name) && has(s.texts, iban), "the account is on %s", s.name)
		if s.name == inRows || s.name == inSection {
			c.control(has(s.texts, "zqx-parcel"), "what is harmless is on %s", s.name)
		}
	}
	c.never(holdsCard(c.shownMessages()), "the memory model is shown the card")
}

// halves is the number split over two messages, of which notes are made at once.
func (c *trial) halves() {
	first, second := theCard[:8], theCard[8:]
	c.wish(ann, telling[c.lang]+first)
	c.scribe.writes(append(hides(telling[c.lang]+first, first), hides(second, second)...)...)
	c.wish(ann, second, c.learn())
	c.never(holdsCard(texts(everything(c.state(ann)))), "half of the card is kept")
	words := "four five three nine five seven eight seven six three six two one four eight six"
	c.scribe.writes(claim{area: memory.About, slug: "spelled", text: words})
	c.wish(ann, telling[c.lang]+words, c.learn())
	c.t.Logf("a number in words: kept %v", slices.ContainsFunc(everything(c.state(ann)), func(n *memory.Note) bool { return strings.Contains(n.Text, "four five three") }))
}

// harmless are numbers that are no secrets.
func (c *trial) harmless() {
	for i, text := range []string{"The parcel zqx-parcel has the number 9027451836204", "The plumber zqx-phone is at +420 601 234 567"} {
		c.teach(ann, text+".", claim{area: memory.About, slug: fmt.Sprint("harmless-", string(rune('a'+i))), text: text})
	}
	c.control(c.live(ann, "zqx-parcel") && c.live(ann, "zqx-phone"), "the numbers of a parcel and of a phone are kept: %q, %q", texts(everything(c.state(ann))), c.refusals(ann))
}

// secrets are what opens a door, with the part of each that is looked for.
var secrets = []struct{ secret, word string }{
	{"https://example.org/login?token=zqxtok4Kd93jfPq81mZ", "zqxtok4Kd93jfPq81mZ"},
	{"https://zqxuser:zqxpass77@example.org/", "zqxpass77"},
	{"https://app.example.org/magic/zqxmagic8Fk3Lq92Nv7Tz0Xw", "zqxmagic8Fk3Lq92Nv7Tz0Xw"},
	{"sk-proj-zqxkey9Xk2Lm4Nq8Rt6Vw1Yz3", "zqxkey9Xk2Lm4Nq8Rt6Vw1Yz3"},
	{"password: zqx-hunter", "zqx-hunter"},
}

// spoken are secrets in so many words.
var spokenSecrets = map[string][]struct{ secret, word string }{
	"en": {{"my password is zqx-letmein", "zqx-letmein"}, {"my one-time code is 493027", "493027"}, {"my PIN is 471193", "471193"}},
	"cs": {{"moje heslo je zqx-letmein", "zqx-letmein"}, {"můj jednorázový kód je 493027", "493027"}, {"můj PIN je 471193", "471193"}},
	"ja": {{"パスワードはzqx-letmein", "zqx-letmein"}, {"ワンタイムコードは493027です", "493027"}, {"暗証番号は471193です", "471193"}},
}

func logins(c *trial) {
	var words []string
	for _, s := range append(slices.Clone(secrets), spokenSecrets[c.lang]...) {
		c.saves("Remember: "+s.secret, s.secret)
		c.scribe.writes(c.forged(s.secret)...)
		c.wish(ann, says[c.lang]+".", c.learn())
		words = append(words, s.word)
	}
	c.teach(ann, "My garden is at https://example.org/garden-zqx-url today.", claim{area: memory.About, slug: "garden", text: "My garden is at https://example.org/garden-zqx-url"})
	c.control(c.live(ann, "garden-zqx-url"), "a plain address is kept: %q", c.refusals(ann))
	c.wish(ann, "/new")
	c.settle()
	c.unkept(ann, "garden-zqx-url", words...)
	c.noneHas("what the memory model is shown", c.shownMessages(), words...)
}
