package style

import (
	"strings"
	"sync"
	"unicode/utf8"

	"nacre/memory/canon"
)

// Forms in which mails open and close, as they are written. What is said of somebody
// by such a form is how they write, and a form has no name in it.
const (
	openings = `Good morning,Good afternoon,Good evening,Hi there,Hello,Hi,Hey,Dear,Greetings,
Guten Morgen,Guten Tag,Guten Abend,Sehr geehrte,Sehr geehrter,Hallo,Liebe,Lieber,Moin,Servus,Grüß Gott,
Bonjour,Bonsoir,Salut,Coucou,Chère,Cher,Chers,Madame,Monsieur,
Hola,Buenos días,Buenas tardes,Buenas noches,Buenas,Estimado,Estimada,Estimados,Querido,Querida,
尊敬的,亲爱的,大家好,各位好,早上好,下午好,晚上好,你好,您好,嗨`

	closings = `Best regards,Kind regards,Warm regards,Best wishes,Warm wishes,All the best,Best,Regards,Cheers,Many thanks,Thank you,Thanks,Sincerely,Yours sincerely,
Yours faithfully,Yours,Take care,Talk soon,Have a good day,Have a great day,Have a nice day,Love,
Mit freundlichen Grüßen,Freundliche Grüße,Viele Grüße,Liebe Grüße,Beste Grüße,Herzliche Grüße,Schöne Grüße,Gruß,Grüße,LG,VG,MfG,BG,Vielen Dank,Danke,Bis bald,Bis dann,Tschüss,Ciao,Schönen Tag,Schönen Tag noch,Schönen Abend,
Bien cordialement,Cordialement,Bien à vous,Bien à toi,Amicalement,Merci,Bises,Bisous,À bientôt,Salutations,Respectueusement,Bonne journée,Bonne soirée,
Un cordial saludo,Un saludo,Saludos cordiales,Saludos,Atentamente,Muchas gracias,Gracias,Un abrazo,Abrazos,Besos,Hasta luego,Hasta pronto,Buen día,
此致敬礼,此致,敬礼,祝好,谢谢,多谢,顺祝商祺,祝工作顺利,敬上`

	// crowd are words behind an opening that name nobody.
	crowd = `all everyone everybody team folks there again sir madam mr mrs ms dr zusammen alle allerseits team herr frau damen herren leute tous toutes messieurs mesdames
équipe todos todas equipo señor señora 大家 各位 先生 女士 老师 团队`
)

// phrasing is a form as it is written, and the canonical form of it.
type phrasing struct{ text, form string }

// formsOf reads a list of forms with commas between, the longest first.
func formsOf(list string) []phrasing {
	var all []phrasing
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		all = append(all, phrasing{text, canon.Form(text)})
	}
	return all
}

var (
	openingForms = sync.OnceValue(func() []phrasing { return formsOf(openings) })
	closingForms = sync.OnceValue(func() []phrasing { return formsOf(closings) })
	crowdWords   = sync.OnceValue(func() set { return setOf(crowd) })
)

// formWords are the words of all forms. A description may hold them in quotation
// marks, whatever its language.
var formWords = sync.OnceValue(func() set {
	s := set{}
	for _, list := range [][]phrasing{openingForms(), closingForms()} {
		for _, p := range list {
			for w := range strings.FieldsSeq(p.form) {
				s[w] = true
			}
		}
	}
	return s
})

// begins returns the longest form with which a line in canonical form begins, and
// what follows it.
func begins(line string, forms []phrasing) (best phrasing, rest string, ok bool) {
	for _, p := range forms {
		after, found := strings.CutPrefix(line, p.form)
		if found && len(p.form) > len(best.form) && (after == "" || after[0] == ' ' || !pairless(p.form)) {
			best, rest, ok = p, strings.TrimSpace(after), true
		}
	}
	return best, rest, ok
}

// contains returns the longest form of writing without spaces that a line in
// canonical form holds: 小明你好 greets as 你好 does.
func contains(line string, forms []phrasing) (best phrasing, ok bool) {
	for _, p := range forms {
		if !pairless(p.form) && len(p.form) > len(best.form) && strings.Contains(line, p.form) {
			best, ok = p, true
		}
	}
	return best, ok
}

// How long a line is, in characters, that may be an opening or a closing.
const (
	maxFormLine = 60
	lastLines   = 4 // of a letter, in which its closing stands
)

// linesOf returns the lines of a letter that are not empty.
func linesOf(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// opens returns the form with which a letter opens.
func opens(lines []string) (phrasing, bool) {
	if len(lines) == 0 {
		return phrasing{}, false
	}
	head := []rune(lines[0])
	line := canon.Form(string(head[:min(len(head), maxFormLine)]))
	if p, _, ok := begins(line, openingForms()); ok {
		return p, true
	}
	if len(head) > maxFormLine/2 {
		return phrasing{}, false
	}
	return contains(line, openingForms())
}

// closes returns the form with which a letter closes, and in which line that is.
func closes(lines []string) (p phrasing, at int, ok bool) {
	for at := len(lines) - 1; at >= max(1, len(lines)-lastLines); at-- {
		if utf8.RuneCountInString(lines[at]) > maxFormLine/2 {
			continue
		}
		if p, _, ok := begins(canon.Form(lines[at]), closingForms()); ok {
			return p, at, true
		}
	}
	return phrasing{}, 0, false
}
