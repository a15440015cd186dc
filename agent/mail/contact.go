package mail

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what may be a block of contact data.
const (
	maxContact     = 14  // lines
	maxContactLine = 120 // characters of one
)

// uncontacted leaves out the block of name, firm, telephone and address that follows
// the closing, or that ends the text where there is no closing. The closing itself
// and the name below it stay.
func uncontacted(lines []string) []string {
	c := closingOf(lines)
	if c < 0 {
		return unblocked(lines)
	}
	rest := c + 1
	if name := nextFilled(lines, rest); name >= 0 && isName(lines[name]) && !closedWithName(lines[c]) {
		rest = name + 1
	}
	end := rest
	for end < len(lines) && !postscript(lines[end]) {
		end++
	}
	if !contactBlock(lines[rest:end], 1) {
		return lines
	}
	if end == len(lines) {
		return lines[:rest]
	}
	return slices.Concat(lines[:rest], []string{""}, lines[end:])
}

// unblocked leaves out a last paragraph that is nothing but contact data.
func unblocked(lines []string) []string {
	end := len(lines)
	for end > 0 && blank(lines[end-1]) {
		end--
	}
	start := end
	for start > 0 && !blank(lines[start-1]) {
		start--
	}
	if block := lines[start:end]; start > 0 && contactBlock(block, max(2, (len(block)+1)/2)) {
		return lines[:start]
	}
	return lines
}

// contactBlock reports whether lines are short and at least so many of them are
// contact data; more of them where there are sentences too.
func contactBlock(lines []string, least int) bool {
	n, all := 0, 0
	for _, l := range lines {
		if blank(l) {
			continue
		}
		all++
		if all > maxContact || utf8.RuneCountInString(l) > maxContactLine {
			return false
		}
		switch {
		case contact(l):
			n++
		case prose(l):
			least++
		}
	}
	return n >= least
}

// prose reports whether a line is a sentence, or much of one.
func prose(s string) bool { return len(strings.Fields(s)) >= 8 || Words(s) >= 16 }

// nextFilled finds the next line that is not empty; -1 if there is none.
func nextFilled(lines []string, from int) int {
	for i := from; i < len(lines); i++ {
		if !blank(lines[i]) {
			return i
		}
	}
	return -1
}

// closingOf finds the last line with which a letter closes, near its end; -1 if there
// is none.
func closingOf(lines []string) int {
	left := maxContact + 3
	for i := len(lines) - 1; i >= 0 && left > 0; i-- {
		if blank(lines[i]) {
			continue
		}
		left--
		if closing(lines[i]) {
			return i
		}
	}
	return -1
}

// closings are how letters close, in small letters. A single common word counts only
// where a comma or nothing follows it.
var closings = []string{
	"best regards", "kind regards", "warm regards", "many thanks", "best wishes", "all the best", "yours sincerely", "yours faithfully", "yours truly", "sincerely", "regards", "warmly", "cheers", "thank you", "thanks", "thanks again", "best", "take care", "see you", "see you soon", "talk soon", "love", "hugs", "xo",
	"viele grüße", "viele grüsse", "viele liebe grüße", "liebe grüße", "liebe grüsse", "beste grüße", "beste grüsse", "herzliche grüße", "herzliche grüsse", "schöne grüße", "freundliche grüße", "freundliche grüsse", "mit freundlichen grüßen", "mit freundlichen grüssen", "mit freundlichem gruß", "mit besten grüßen", "mit herzlichen grüßen", "mit lieben grüßen", "lieben gruß", "lieber gruß", "herzlich", "herzlichst", "gruß", "grüße", "beste", "mfg", "lg", "vg", "bg", "danke", "danke dir", "danke und viele grüße", "vielen dank", "bis bald", "bis dann", "bis morgen", "alles gute", "alles liebe", "tschüss", "hochachtungsvoll", "dein", "deine", "euer", "eure",
	"cordialement", "bien cordialement", "très cordialement", "bien à vous", "bien à toi", "amicalement", "amitiés", "sincèrement", "salutations", "meilleures salutations", "sincères salutations", "bonne journée", "bonne soirée", "belle journée", "bises", "bisous", "je t'embrasse", "à bientôt", "à plus", "à demain", "merci", "merci d'avance", "merci beaucoup", "respectueusement",
	"saludos", "un saludo", "saludos cordiales", "un cordial saludo", "cordialmente", "atentamente", "un abrazo", "abrazos", "besos", "un beso", "gracias", "muchas gracias", "hasta pronto", "hasta luego", "hasta mañana", "quedo a la espera", "cuídate",
	"祝好", "此致", "敬礼", "此致敬礼", "顺祝商祺", "顺颂商祺", "祝商祺", "谢谢", "多谢", "感谢", "祝工作顺利", "祝您工作顺利", "祝一切顺利", "祝您生活愉快", "祝你一切都好", "祝安", "敬上", "顺祝", "致礼", "祝顺利", "盼复", "以上",
	"cordiali saluti", "distinti saluti", "un caro saluto", "saluti", "grazie", "a presto", "atenciosamente", "cumprimentos", "com os melhores cumprimentos", "abraço", "abraços", "obrigado", "obrigada", "с уважением", "всего доброго", "спасибо", "с наилучшими пожеланиями", "s pozdravem", "hezký den", "děkuji", "よろしくお願いします", "よろしくお願いいたします", "met vriendelijke groet", "groeten", "pozdrawiam", "z poważaniem",
}

// maxClosing is how many bytes a closing may have, with a name on its line.
const maxClosing = 80

// closing reports whether a line closes a letter, with or without a name.
func closing(s string) bool {
	name, ok := afterClosing(s)
	return ok && (name == "" || isName(name))
}

// afterClosing returns what stands behind the closing on its line.
func afterClosing(s string) (string, bool) {
	s = strings.TrimSpace(straight(s))
	if s == "" || len(s) > maxClosing {
		return "", false
	}
	low, found := strings.ToLower(s), -1
	for _, c := range closings {
		if strings.HasPrefix(low, c) && len(c) > found && ends(low, c) {
			found = len(c)
		}
	}
	if found < 0 || found > len(s) {
		return "", false
	}
	return strings.Trim(s[found:], " ,.!;~，。！:)("), true
}

// ends reports whether a closing ends where a word of the line does: one of a single
// word at a comma or at the end, so that "Best practices" closes nothing.
func ends(line, c string) bool {
	rest := line[len(c):]
	if rest == "" || strings.Trim(rest, " ,.!;~，。！:)(") == "" {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(rest); strings.ContainsRune(",.!，。！", r) {
		return true
	}
	return strings.Contains(c, " ") && strings.HasPrefix(rest, " ") || slices.Contains([]string{"lg", "vg", "mfg", "gruß", "grüße", "dein", "deine", "cheers", "saludos", "cordialement"}, c) && strings.HasPrefix(rest, " ")
}

func closedWithName(s string) bool {
	name, ok := afterClosing(s)
	return ok && name != ""
}

// isName reports whether a line may be no more than the sender's name, with a word in
// brackets behind it at most.
func isName(s string) bool {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		s = strings.TrimSpace(s[:i])
	}
	return s != "" && len(s) <= 60 && len(strings.Fields(s)) <= 4 && !strings.ContainsAny(s, "0123456789@|/?:") && !contact(s)
}

// postscript reports whether a line begins what is added after the closing.
func postscript(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, p := range []string{"ps", "p.s.", "p. s.", "pd:", "p.d.", "pps", "nb:", "n.b.", "附：", "又及", "另："} {
		if rest, ok := strings.CutPrefix(s, p); ok && (rest == "" || !startsWithLetter(rest) || strings.HasSuffix(p, ":") || p[0] >= utf8.RuneSelf) {
			return true
		}
	}
	return false
}

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// The forms of contact data. Lines are short when they are matched against them.
var (
	addressForm = regexp.MustCompile(`[^\s@]@[^\s@]+\.[a-zA-Z]{2}|https?://|\bwww\.|\b[a-z0-9-]+\.(com|org|net|de|fr|es|cn|at|ch|eu|it|io|co\.uk)\b`)
	phoneForm   = regexp.MustCompile(`(\+|\(|\b0)[\d\s()/.\-–]{6,}\d|\d{3}[-. ]\d{3,4}[-. ]\d{4}|\b1\d{10}\b`)
	labelForm   = regexp.MustCompile(`(?i)^\W*(tel|phone|telefon|téléphone|tél|teléfono|telefono|mob|mobil|mobile|móvil|portable|handy|cell|fax|web|e-?mail|mail|t|m|f|p|e|w|skype|电话|手机|邮箱|地址|传真|電話|тел)\.?\s?[:：]`)
	placeForm   = regexp.MustCompile(`^\W*(?:[A-Z]{1,2}-)?\d{4,5},? \p{Lu}|(?i:straße|strasse|str\.|street|avenue|platz|weg|gasse) \d|^(?i:\d+,? (?:bis |ter )?(?:rue|avenue|boulevard|place))|(?i:calle|c/|avda\.?|plaza) .*\d|[路街]\d+号|\d+ [A-Z]\w+ (?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive)\b`)
	firmForm    = regexp.MustCompile(`\b(GmbH|AG|KG|e\.V\.|Inc|Ltd|LLC|PLC|Corp|SARL|SAS|S\.A\.|S\.L\.|SL|B\.V\.|Pty)\b|S\.L\.|S\.A\.|有限公司|集团`)
	titleForm   = regexp.MustCompile(`(?i)\b(manager|director|engineer|head of|ceo|cto|cfo|consultant|professor|assistant|leiter|leiterin|geschäftsführer|geschäftsführerin|referent|referentin|vertrieb|abteilung|directeur|directrice|responsable|chargée? de|ingénieure?|jefe|jefa|gerente|departamento|coordinador|coordinadora)\b|经理|总监|工程师|主任`)
)

// contact reports whether a line is contact data: an address, a telephone number, a
// firm or an office.
func contact(s string) bool {
	if len(s) > 4*maxContactLine {
		return false
	}
	if prose(s) && strings.ContainsAny(s[len(s)-1:], ".!?,") { // a sentence that names some
		return false
	}
	for _, form := range []*regexp.Regexp{addressForm, phoneForm, labelForm, placeForm, firmForm, titleForm} {
		if form.MatchString(s) {
			return true
		}
	}
	return strings.Contains(s, " | ")
}
