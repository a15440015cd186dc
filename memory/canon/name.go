package canon

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minName is how many characters a word has by which something is recognised.
const minName = 3

// Names returns the words of a value by which it is recognised where one of them
// stands alone, in canonical form: those with a capital inside a sentence, one that
// begins a sentence and is what it is about ("Libelle is …"), and the only word that
// means anything. Stop words and common names are none of them, nor is writing
// without spaces. In German every noun has a capital and counts.
func Names(value string) []string {
	var telling, names []string
	list := tokens(value)
	for i, t := range list {
		if pairs(t.form) || utf8.RuneCountInString(t.form) < minName || allDigits(t.form) || stopWord(t.form, allLanguages) || common(t.form) || common(strings.TrimSuffix(t.form, "s")) {
			continue
		}
		telling = append(telling, t.form)
		if subject := t.capital && i+1 < len(list) && copulas()[list[i+1].form]; t.name || subject {
			names = append(names, t.form)
		}
	}
	if len(telling) == 1 {
		return telling
	}
	return names
}

// NameTags are the tags of words by which a value is recognised, in canonical form.
// One that is an everyday word of English too ("Hope") is recognised by its capital
// alone.
func NameTags(key [32]byte, names []string) [][32]byte {
	var tags [][32]byte
	for _, name := range names {
		look := NameLook(name)
		before := ""
		if Everyday(name) {
			before = capitalMark
		}
		tags = append(tags, NameTag(key, before+look))
		if s := nameStem(look); s != look {
			tags = append(tags, NameTag(key, before+s))
		}
	}
	return tags
}

// WordTags are the tags that a word of a text may be recognised by, of which NameTags
// makes some. Capital says that it has a capital inside a sentence.
func WordTags(key [32]byte, look string, capital bool) [][32]byte {
	looks := []string{look}
	if s := nameStem(look); s != look {
		looks = append(looks, s)
	}
	var tags [][32]byte
	for _, l := range looks {
		if tags = append(tags, NameTag(key, l)); capital {
			tags = append(tags, NameTag(key, capitalMark+l))
		}
	}
	return tags
}

// capitalMark stands before what is recognised by its capital. It is in no word.
const capitalMark = "^"

// minNameStem is how many bytes a name has at least without an ending other than s:
// what is left of a shorter word ("tomo") is another name.
const minNameStem = 5

// nameStem returns what a word looks like without its ending.
func nameStem(look string) string {
	if s := stem(look, stemmed); len(s) >= minNameStem || s+"s" == look {
		return s
	}
	return look
}

// stemmed are the languages whose endings names may have. They may never change.
var stemmed = []string{"en", "de", "es", "fr"}

// Everyday reports whether a word in canonical form, or what it is the plural of, is
// among the common ones of English that seed phrases are made of.
func Everyday(form string) bool { return seedWord(form) || seedWord(strings.TrimSuffix(form, "s")) }

// NameLook is what a word looks like, without its accents and whatever parts it.
func NameLook(word string) string {
	return strings.ReplaceAll(Skeleton(Unaccented(word)), " ", "")
}

// NameTag is the tag of what a word looks like.
func NameTag(key [32]byte, look string) [32]byte { return Tag(key, layerName, look) }

// Bare returns a text as people see it where its markup is shown: without tags, with
// the characters that its entities stand for, in compatibility form and without
// invisible ones. Case, spaces and punctuation stay.
func Bare(text string) string {
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return plain(withoutTags(text))
}

// maxTag is how many bytes a tag of markup has at most.
const maxTag = 200

// withoutTags leaves the tags of HTML out.
func withoutTags(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		if n := strings.IndexByte(text[i:min(len(text), i+maxTag)], '>'); n > 1 && beginsTag(text[i+1]) {
			b.WriteString(text[:i])
			text = text[i+n+1:]
			continue
		}
		b.WriteString(text[:i+1])
		text = text[i+1:]
	}
	return b.String() + text
}

func beginsTag(c byte) bool { return lower(c) || upper(c) || c == '/' || c == '!' }

// Respelled returns a text with the words that are written letter by letter put
// together, and numbers that are said digit by digit.
func Respelled(text string) string { return respell(text) }

// WordsOf yields the words of a text as they are written, with where they begin and
// end: letters, digits and marks. One ends where writing with spaces meets writing
// without.
func WordsOf(text string, yield func(from, to int)) {
	for at := 0; ; {
		n := strings.IndexFunc(text[at:], func(r rune) bool { return !mark(r) || unicode.IsMark(r) })
		if n < 0 {
			return
		}
		at += n
		end := at + wordEnd(text[at:])
		if end == at {
			_, size := utf8.DecodeRuneInString(text[at:])
			end = at + size
		}
		yield(at, end)
		at = end
	}
}
