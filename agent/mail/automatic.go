package mail

import (
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-message"
)

// automatic reports whether the header of a mail tells that a program wrote it.
func automatic(h message.Header) bool {
	if auto := strings.ToLower(h.Get("Auto-Submitted")); auto != "" && !strings.HasPrefix(auto, "no") {
		return true
	}
	switch strings.ToLower(strings.TrimSpace(h.Get("Precedence"))) {
	case "bulk", "list", "junk", "auto_reply":
		return true
	}
	for _, key := range []string{"List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Response-Suppress"} {
		if h.Has(key) {
			return true
		}
	}
	if posted(h) {
		return true
	}
	if strings.Contains(strings.ToLower(h.Get("Content-Class")), "calendarmessage") {
		return true
	}
	subject, _ := h.Text("Subject")
	return mechanical(h.Get("From")) || mechanical(h.Get("Return-Path")) || absent(subject) || answersInvitation(subject)
}

// services begin the names of the header lines of those that send mail for programs.
var services = []string{"x-mailgun-", "x-ses-", "feedback-id", "x-github-"}

// bulkMailers are the names of programs that write to many, in small letters.
var bulkMailers = []string{"mailchimp", "sendgrid", "mailjet", "sendinblue", "brevo", "hubspot", "klaviyo", "constant contact", "campaign", "newsletter", "cleverreach", "phpmailer", "swiftmailer", "acymailing", "mailgun", "phplist"}

// posted reports whether a mail went out through a service for programs, or was made
// by one that writes to many.
func posted(h message.Header) bool {
	for f := h.Fields(); f.Next(); {
		key := strings.ToLower(f.Key())
		if slices.ContainsFunc(services, func(s string) bool { return strings.HasPrefix(key, s) }) {
			return true
		}
	}
	mailer := strings.ToLower(h.Get("X-Mailer"))
	return slices.ContainsFunc(bulkMailers, func(name string) bool { return strings.Contains(mailer, name) })
}

// mechanical reports whether nobody reads what is sent to an address.
func mechanical(address string) bool {
	if strings.TrimSpace(address) == "<>" {
		return true
	}
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return false
	}
	local := address[:at]
	if i := strings.LastIndexAny(local, "< ,\""); i >= 0 {
		local = local[i+1:]
	}
	local = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(local))
	for _, name := range []string{"noreply", "donotreply", "mailerdaemon", "nichtantworten", "nepasrepondre", "noresponder", "bounce"} {
		if strings.HasPrefix(local, name) || strings.HasSuffix(local, name) {
			return true
		}
	}
	return false
}

// absences begin the subjects of what answers while somebody is away. A person's
// answer to one begins with "Re:".
var absences = []string{
	"automatic reply", "auto reply", "auto-reply", "autoreply", "auto:", "out of office", "out of the office", "out-of-office", "vacation reply", "on vacation",
	"automatische antwort", "abwesenheitsnotiz", "abwesenheits", "abwesend:", "abwesenheit:", "abwesend re:", "abwesend aw:", "i am out of the office", "i am currently out of", "i'm out of the office", "ich bin nicht im büro", "nicht im büro", "nicht im haus",
	"réponse automatique", "message d'absence", "absence du bureau", "absent du bureau", "absence :",
	"respuesta automática", "respuesta automatica", "fuera de la oficina", "fuera de oficina", "ausencia de la oficina",
	"自动回复", "自动答复", "自動回覆", "自動答覆", "不在办公室",
	"risposta automatica", "fuori sede", "resposta automática", "fora do escritório", "автоматический ответ", "автоответ", "automatická odpověď", "自動応答", "自動返信",
}

func absent(subject string) bool {
	subject = strings.ToLower(strings.TrimLeft(straight(clean(subject)), " [(*"))
	for _, a := range absences {
		if strings.HasPrefix(subject, a) {
			return true
		}
	}
	return false
}

// answersTo are how calendars begin the subjects of answers to an invitation, before a
// colon.
var answersTo = []string{"accepted", "declined", "tentative", "tentatively accepted", "zugesagt", "abgesagt", "mit vorbehalt", "vorläufig zugesagt", "angenommen", "abgelehnt",
	"accepté", "acceptée", "refusé", "refusée", "provisoire", "aceptado", "aceptada", "rechazado", "rechazada", "provisional", "已接受", "已拒绝", "暂定", "接受", "拒绝"}

func answersInvitation(subject string) bool {
	subject = strings.ToLower(strings.TrimSpace(clean(subject)))
	i := strings.IndexAny(subject, ":：")
	return i > 0 && slices.Contains(answersTo, strings.TrimSpace(subject[:i]))
}

// maxAbsence is how many words a mail has at most that only tells that somebody is
// away.
const maxAbsence = 80

// away begins what programs answer while somebody is away; returning is what else
// stands in it, and in no letter about an absence.
var (
	away      = regexp.MustCompile(`(?i)^\W*(i am|i'm|i will be|ich bin|je suis|estoy|estaré|我(目前|现在|正)?)\s*(\S+ ){0,6}?(out of (the |my )?office|away from (the |my )?office|on (annual )?leave|abwesend|nicht im büro|außer haus|im urlaub|absente?\b|en congés?|fuera de (la |mi )?oficina|de vacaciones|不在办公室|休假)`)
	returning = regexp.MustCompile(`(?i)(limited|no) access to (my )?(e-?mail|inbox)|(reply|respond|answer|get back)\b.{0,60}\b(return|as soon as|when i am back)|(upon|on|after) my return|(urgent|immediate) (matters?|assistance|requests?|cases?|issues?)|in dringenden (fällen|angelegenheiten)|nach meiner rückkehr|nicht weitergeleitet|à mon retour|en cas d'urgence|a mi (regreso|vuelta)|(caso|asuntos?|temas?) (de urgencia|urgentes?)|(紧急|急事|尽快回复|返回后)`)
)

// absence reports whether a whole text is what a program answers while somebody is
// away. A line of greeting may stand before.
func absence(text string) bool {
	if Words(text) > maxAbsence {
		return false
	}
	text = straight(text)
	_, below, _ := strings.Cut(text, "\n")
	if strings.Contains(text, "\n\n") {
		_, below, _ = strings.Cut(text, "\n\n")
	}
	return (away.MatchString(text) || away.MatchString(below)) && returning.MatchString(text)
}

// straight makes plain apostrophes of printed ones.
func straight(s string) string { return strings.ReplaceAll(s, "’", "'") }
