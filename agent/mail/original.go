package mail

import (
	"slices"
	"strings"
)

// originals are what programs write, between dashes, above an older mail.
var originals = []string{
	"original message", "original mail", "original", "replied message", "reply message", "forwarded message", "forwarded mail",
	"ursprüngliche nachricht", "originalnachricht", "original-nachricht", "original nachricht", "originale nachricht", "weitergeleitete nachricht",
	"message d'origine", "message original", "message originel", "message transféré", "message transmis", "message initial", "mail original",
	"mensaje original", "mensaje reenviado", "messaggio originale", "messaggio inoltrato", "mensagem original", "mensagem encaminhada",
	"原始邮件", "原邮件", "邮件原件", "原始郵件", "回复的原邮件", "转发的邮件", "已转发邮件", "转发邮件", "转发邮件信息", "轉寄郵件", "轉寄的郵件",
	"original message/原始邮件", "元のメッセージ", "転送メッセージ", "転送されたメッセージ", "original message / 元のメッセージ",
	"исходное сообщение", "пересылаемое сообщение", "původní zpráva", "původní e-mail", "přeposlaná zpráva",
	"oorspronkelijk bericht", "doorgestuurd bericht", "wiadomość oryginalna", "wiadomość przekazana",
}

// forwards are what Apple's programs write above it, without dashes.
var forwards = []string{
	"begin forwarded message", "anfang der weitergeleiteten nachricht", "anfang der weitergeleiteten e-mail", "début du message transféré", "début du message réexpédié",
	"inicio del mensaje reenviado", "inizio messaggio inoltrato", "início da mensagem encaminhada", "início da mensagem reencaminhada",
	"下面是被转发的邮件", "以下是转发的邮件", "开始转发的邮件", "以下是轉寄的郵件", "begin doorgestuurd bericht",
	"начало переадресованного сообщения", "začátek přeposílané zprávy", "转发的邮件", "転送されたメッセージ", "以下は転送されたメッセージ",
}

// separator reports whether a line only says that an older mail follows.
func separator(s string) bool {
	if len(s) > 200 {
		return false
	}
	s = strings.ToLower(strings.Trim(straight(s), " \t*"))
	inner := strings.TrimLeft(s, "-_=—–")
	if slices.Contains(forwards, strings.TrimRight(inner, " :：")) {
		return true
	}
	if len(s)-len(inner) < 2 {
		return false
	}
	inner = strings.TrimSpace(strings.TrimRight(inner, " -_=—–:："))
	return slices.Contains(originals, inner) || strings.HasPrefix(inner, "forwarded by ")
}

// field is what a line of a block of headers tells.
type field int

const (
	noField field = iota
	fromField
	subjectField
	otherField // the date, the other people
)

// The names of those lines, in small letters and without blanks.
var (
	fromLabels    = strings.Fields("from von de da dal van od от откого 发件人 寄件者 寄件人 发信人 差出人 送信者 från fra")
	subjectLabels = strings.Fields("subject betreff objet asunto oggetto assunto onderwerp předmět temat тема 主题 主旨 主題 标题 件名 ämne emne")
	otherLabels   = strings.Fields("sent date gesendet datum envoyé envoyéle enviado enviadoel enviadaem enviadoem fecha inviato data verzonden odesláno wysłano отправлено дата " +
		"发送时间 发送日期 日期 时间 時間 寄件日期 傳送時間 送信日時 日付 日時 " +
		"to an à para a per aan komu do кому 收件人 收件者 宛先 til till cc kopie kopia копия copie copia cópia 抄送 副本 抄送人 bcc reply-to antwortan répondreà responderа wichtigkeit importance priorität")
)

// labelOf tells what a line is in a block of headers.
func labelOf(s string) field {
	i := strings.IndexAny(s, ":：")
	if i <= 0 || i > 32 {
		return noField
	}
	name := strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t*\u3000", r) {
			return -1
		}
		return r
	}, s[:i]))
	switch {
	case slices.Contains(fromLabels, name):
		return fromField
	case slices.Contains(subjectLabels, name):
		return subjectField
	case slices.Contains(otherLabels, name):
		return otherField
	}
	return noField
}

// maxHeaders is how many lines a block of headers may have.
const maxHeaders = 24

// headersOf counts the lines of a block of headers at the beginning of some lines: it
// names a sender, and either a subject or an address, so that a list of somebody's
// own is not mistaken for one. Fewer named lines than least are none.
func headersOf(list []line, least int) int {
	if len(list) > 0 && runTogether(list[0].text) {
		return 1
	}
	end, named, from, sure, gap := 0, 0, false, least == 1, 0
	for i := 0; i < len(list) && i < maxHeaders && list[i].mine() && !list[i].cut; i++ {
		s := list[i].text
		if rule(s) && named == 0 || blank(s) && (named > 0 || least == 1) && gap == 0 {
			gap++ // one rule or empty line before, or between two
			continue
		}
		kind := labelOf(s)
		if kind == noField {
			if named == 0 || gap > 0 || !wrapped(s) {
				break
			}
			sure = sure || strings.Contains(s, "@")
			end = i + 1
			continue
		}
		named, gap, end = named+1, 0, i+1
		from = from || kind == fromField
		sure = sure || kind == subjectField || strings.Contains(s, "@")
	}
	if !from || !sure || named < least && (named < 2 || !addressed(list[:end])) {
		return 0
	}
	return end
}

// maxTogether is how many bytes a block of headers may have that stands on one line.
const maxTogether = 1000

// runTogether reports whether a line is a whole block of headers.
func runTogether(s string) bool {
	if len(s) > maxTogether || labelOf(s) != fromField {
		return false
	}
	subject, others := false, 0
	for w := range strings.FieldsSeq(strings.ReplaceAll(s, " :", ":")) {
		switch labelOf(w) {
		case subjectField:
			subject = true
		case otherField:
			others++
		}
	}
	return subject && others >= 2
}

// wrapped reports whether a line may be the rest of a long list of people.
func wrapped(s string) bool {
	return strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") || strings.Contains(s, "@") && (strings.Contains(s, ";") || strings.Contains(s, ">"))
}

func addressed(list []line) bool {
	for _, l := range list {
		if strings.Contains(l.text, "@") {
			return true
		}
	}
	return false
}

// rule reports whether a line is drawn across the page.
func rule(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 5 && strings.Trim(s, "_-=—–") == ""
}
