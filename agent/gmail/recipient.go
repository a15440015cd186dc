package gmail

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/agent/phrase"
)

// sense is in which sense somebody typed an address.
type sense int

// The senses. One that may be meant otherwise is not refused: its owner is asked.
const (
	absent sense = iota // it stands nowhere as a whole
	doubt               // only where it is denied, or where it may be the words of others
	plain
)

// typedTexts are the owner's own typed words of a turn: not what they quote, forward,
// press or speak, and not what a file or a link brought.
type typedTexts []typedText

// typedText is one of them, with what in it may be pasted.
type typedText struct {
	text   string
	pasted []span // sorted by where they begin
}

// span is a part of a text, from a byte to before another.
type span struct{ from, to int }

func readTyped(c nacre.Caller) (all typedTexts) {
	for _, m := range c.Said {
		if text := m.Typed(); m.Due == nil && text != "" {
			all = append(all, typedText{text, pasted(text)})
		}
	}
	return all
}

// find is an address as it stands in some texts, whatever its case. That it gets nothing
// counts for more than that it gets something.
func (all typedTexts) find(address string) (spelt string, found sense) {
	denied := false
	for _, t := range all {
		for _, at := range t.places(address) {
			switch {
			case t.quotes(at) || strangeBefore(t.text[:at.from]):
				found = max(found, doubt)
			case t.denies(at):
				found, denied = max(found, doubt), true
			default:
				found = plain
			}
			spelt = t.text[at.from:at.to]
		}
	}
	if denied {
		found = doubt
	}
	return spelt, found
}

// places are where an address stands whole.
func (t typedText) places(address string) (all []span) {
	low, want := lower(t.text), lower(address)
	for from := 0; ; {
		i := strings.Index(low[from:], want)
		if i < 0 {
			return all
		}
		at := span{from + i, from + i + len(want)}
		if begins(t.text[:at.from]) && stops(t.text[at.to:]) && !t.local(at) {
			all = append(all, at)
		}
		from = at.from + 1
	}
}

// lower is a text in lower case, as far as that leaves its places: letters of ASCII.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// Marks of an address: those that may join it to more before it, those after it, and
// those that mail programs take for the dot in a domain.
const (
	joinsBefore = `!#$%&*+-/=?^_{|}~.@\`
	joinsAfter  = "-_@%+"
	dots        = ".．。｡․﹒"
)

// begins reports whether an address can begin behind a text, so that it is not the end
// of a longer one.
func begins(before string) bool {
	before = strings.TrimRight(before, "'`\"")
	r, n := utf8.DecodeLastRuneInString(before)
	if n > 0 && r != '.' && strings.ContainsRune(dots, r) { // it ends a sentence, or joins what stands before
		before, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
		return r == '。' && !ofWord(before)
	}
	return n == 0 || !ofWord(r) && !strings.ContainsRune(joinsBefore, narrow(r))
}

// stops reports whether an address can stop before a text, so that it is not the
// beginning of a longer one, nor within one that is quoted.
func stops(after string) bool {
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, ")>]}'\"’”")); narrow(first) == '@' {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(after); east(first) { // which is written right behind an address
		after = strings.TrimLeftFunc(after, func(r rune) bool { return east(r) || ofWord(r) })
	}
	r, n := utf8.DecodeRuneInString(after)
	if n > 0 && strings.ContainsRune(dots, r) {
		next, n := utf8.DecodeRuneInString(strings.TrimLeft(after, dots))
		return n == 0 || r == '。' && !ofWord(next) || !ofWord(next) && !east(next) && !strings.ContainsRune(joinsAfter, narrow(next))
	}
	return n == 0 || !ofWord(r) && !strings.ContainsRune(joinsAfter, narrow(r))
}

// ofWord reports whether a character may be a part of an address's words, seen or not.
// Han and kana are written right beside an address.
func ofWord(r rune) bool {
	return !east(r) && (unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Cf) || r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r))
}

func east(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// narrow is a character of full width in the width of ASCII.
func narrow(r rune) rune {
	if '！' <= r && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// leads are the Chinese characters that end the word for to whom, or whose address.
const leads = "给給向到至致寄发發送写寫回信件箱址为為是叫对對和与與跟及或、"

// strangeBefore reports whether a text ends in Han or kana that nobody writes right
// before an address: it may be a part of one.
func strangeBefore(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return east(r) && !strings.ContainsRune(leads, r)
}

// local reports whether a place is within the quoted name of another address, as in
// "bob (eve@example.org)"@example.org.
func (t typedText) local(at span) bool {
	return slices.ContainsFunc(t.pasted, func(s span) bool {
		next, _ := utf8.DecodeRuneInString(t.text[s.to:])
		return s.from <= at.from && at.to <= s.to && narrow(next) == '@'
	})
}

// quotes reports whether a place is in what may be the words of others.
func (t typedText) quotes(at span) bool {
	return slices.ContainsFunc(t.pasted, func(s span) bool {
		return s.from <= at.from && at.to <= s.to
	})
}

// alone is an address in quotation marks, and nothing with it: no words of others.
var alone = regexp.MustCompile("^[\"“„”«»‹›「」『』‘’`\\s]*[^\\s\"“„”«»]+@[^\\s\"“„”«»]+[\"“„”«»‹›「」『』‘’`\\s.,]*$")

// What begins words of others: the head of a mail, in the middle of a line only with its
// capital; how a mail program announces an answer; and a letter's greeting, on its line.
var (
	headLine = regexp.MustCompile(`(?i)^[\s>*_]*(?:from|von|de|发件人|發件人|寄件者|寄件人|reply-to|sender|absender)[*_]*\s*[:：]`)
	headIn   = regexp.MustCompile(`(?:^|[\s(\[])(?:From|Von|De|发件人|發件人|寄件者|寄件人|Reply-To|Sender|Absender)\s*[:：]`)
	announce = regexp.MustCompile(`(?i)(?:\bwrote|\bschrieb|escribió|a écrit|写道|寫道)\s*[:：]|^\s*(?:begin forwarded message|anfang der weitergeleiteten|-{2,})`)
	greeting = regexp.MustCompile(`(?i)^\s*(?:hi|hello|hey|dear|good (?:morning|evening)|hallo|liebe[rs]?|sehr geehrte\S*|guten \S+|hola|querid[oa]|estimad[oa]s?|bonjour|salut|chère?|你好|您好|尊敬的|亲爱的)[^@.?!]{0,40}[,，:：!！]\s*$`)
)

// marks are quotation marks that open, and what closes them.
var marks = map[rune]string{'"': `"`, '“': "”\"“", '„': "“”\"", '«': "»", '»': "«", '‹': "›", '「': "」", '『': "』", '‘': "’", '`': "`", '＂': "＂"}

// pasted are the parts of a text that may be the words of others: what is quoted by a
// mark at its lines or by marks around it, and all from where a mail or a letter begins.
func pasted(text string) []span {
	all := between(text)
	for at, first := 0, true; at < len(text); first = false {
		line, _, _ := strings.Cut(text[at:], "\n")
		line, _, _ = strings.Cut(line, "\r")
		head := headIn.FindStringIndex(line)
		switch {
		case headLine.MatchString(line) || announce.MatchString(line) || !first && greeting.MatchString(line):
			return append(all, span{at, len(text)})
		case head != nil:
			return append(all, span{at + head[0], len(text)})
		case strings.HasPrefix(strings.TrimSpace(line), ">") || strings.HasPrefix(strings.TrimSpace(line), "|"):
			all = append(all, span{at, at + len(line)})
		}
		at += len(line) + 1
	}
	return all
}

// between are the parts of a text within quotation marks, these included. One that is not
// closed lasts to the end.
func between(text string) (all []span) {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		close, opens := marks[r]
		if !opens || r == '"' && at > 0 && digit(text[at-1]) { // 5" are inches
			at += n
			continue
		}
		end := len(text)
		if i := strings.IndexAny(text[at+n:], close); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[at+n+i:])
			end = at + n + i + size
		}
		if !alone.MatchString(text[at:end]) {
			all = append(all, span{at, end})
		}
		at = end
	}
	return all
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// What says in a sentence that somebody gets nothing, and what only looks like it: "not
// only to".
var (
	refusing = regexp.MustCompile(`(?i)\b(?:not|never|no|nobody|nothing|none|neither|nor|cannot|dont|without|except|excluding|exclude|instead of|rather than` +
		`|nicht|nie|niemals|kein\w*|niemand\w*|nichts|weder|ohne|statt|anstatt|anstelle|nunca|jam[aá]s|tampoco|nadie|ni|sin|excepto|salvo|menos|en vez|en lugar|pas|jamais|rien|sans|sauf|au lieu)\b` +
		`|n['’]t\b|\b(?:leave|keep|skip|remove|drop|avoid|omit)\s*$|\bau(?:ß|ss)er\b|except[eé]|[别別勿没沒除不]|以外|之外`)
	onlyToo = regexp.MustCompile(`(?i)\b(?:not (?:only|just)|nicht nur|no s[oó]lo|no solamente|pas (?:seulement|que)|no (?:problem|rush|hurry))\b|不仅|不僅|不只|不但|能不能|可不可以|会不会|是不是|好不好|不好意思|对不起|除了.{0,12}还`)
	turning = regexp.MustCompile(`(?i)[,，、;；:：]|\b(?:but|and|aber|und|sondern|sino|pero|y|mais|et)\b|但|而`)
	// saying begins what a mail is to say, which may deny something.
	saying = regexp.MustCompile(`(?i)\b(?:that|saying|because|since|about|if|whether|i|we|dass|daß|weil|ob|[uü]ber|ich|wir|que|sobre|porque|parce|car|pour dire|je|nous|yo)\b|\bqu['’]|[说說]|告诉|告訴|因为|因為|关于|關於|我`)
)

// denies reports whether the sentence in which an address stands says that it gets
// nothing.
func (t typedText) denies(at span) bool {
	for _, s := range phrase.Sentences(t.text) {
		if s.Start <= at.from && at.to <= s.End {
			return deniedBefore(t.text[s.Start:at.from]) || deniedAfter(t.text[at.to:s.End])
		}
	}
	return false
}

// deniedBefore reports whether the beginning of a sentence denies what comes next: a word
// for no stands in it, with nothing behind that turns the sentence, and not in what a mail
// is to say, as far as that has ended.
func deniedBefore(text string) bool {
	text = onlyToo.ReplaceAllLiteralString(text, "")
	for _, no := range refusing.FindAllStringIndex(text, -1) {
		before, after := text[:no[0]], text[no[1]:]
		if !but.MatchString(after) && !(saying.MatchString(before) && strings.ContainsAny(after, ",，;；")) {
			return true
		}
	}
	return false
}

// but is a word that ends a denial: but to him.
var but = regexp.MustCompile(`(?i)\b(?:but|aber|sondern|sino|pero|mais|instead|stattdessen)\b|但|而是`)

// deniedAfter reports whether what follows an address says that it gets nothing.
func deniedAfter(text string) bool {
	text = onlyToo.ReplaceAllLiteralString(text, "")
	no := refusing.FindStringIndex(text)
	return no != nil && !turning.MatchString(text[:no[0]]) && !saying.MatchString(text[:no[0]])
}
