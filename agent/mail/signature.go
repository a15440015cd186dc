package mail

import (
	"slices"
	"strings"
	"unicode"
)

// signatureMark is the line above a signature, by an old custom of the net.
const signatureMark = "-- "

// maxSigned is how many lines after a line of two dashes are a signature. The mark
// with its blank is sure; without it, it may only be a pause.
const maxSigned = 12

// unsigned returns a run of own lines without the signature that ends it.
func unsigned(list []line) []string {
	lines := make([]string, 0, len(list))
	for _, l := range list {
		lines = append(lines, l.text)
	}
	lines = undelimited(lines)
	lines = undisclaimed(lines)
	lines = undevised(lines)
	lines = uncontacted(lines)
	for len(lines) > 0 && (blank(lines[len(lines)-1]) || rule(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// undelimited cuts at the mark of a signature.
func undelimited(lines []string) []string {
	for i, l := range lines {
		if l == signatureMark || strings.HasPrefix(l, "-----BEGIN PGP SIGNATURE") || strings.HasPrefix(l, "-----BEGIN PGP MESSAGE") {
			return lines[:i]
		}
		if t := strings.TrimSpace(l); (t == "--" || t == "—" || t == "––") && !longer(lines[i+1:], maxSigned) {
			return lines[:i]
		}
	}
	return lines
}

// longer reports whether more than n lines have something on them.
func longer(lines []string, n int) bool {
	for _, l := range lines {
		if !blank(l) {
			n--
		}
		if n < 0 {
			return true
		}
	}
	return false
}

// disclaimers begin what firms and programs add below every mail.
var disclaimers = []string{
	"this e-mail and any", "this email and any", "this e-mail is confidential", "this email is confidential", "this message is confidential", "this message contains confidential", "the information contained in this", "the information in this e", "confidentiality notice", "please consider the environment",
	"this e-mail may contain", "this email may contain", "this message and any attachments",
	"diese e-mail enthält", "diese e-mail kann", "diese nachricht enthält", "der inhalt dieser e-mail", "die information in dieser e-mail", "bitte denken sie an die umwelt", "bitte prüfen sie, ob diese",
	"ce message et toutes les pièces", "ce message et ses pièces", "ce courriel et", "ce message est confidentiel", "ce message est établi", "pensez à l'environnement", "avant d'imprimer",
	"este mensaje y sus", "este mensaje va dirigido", "este mensaje contiene", "este correo electrónico y", "este correo electrónico contiene", "este mensaje se dirige", "antes de imprimir", "aviso de confidencialidad",
	"本邮件及其附件", "本邮件包含", "此邮件包含", "此电子邮件", "本電子郵件",
	"virenfrei", "virus-free", "libre de virus", "sans virus", "diese e-mail wurde von avast", "this email has been checked for viruses",
}

func undisclaimed(lines []string) []string {
	lines = unboiled(lines)
	for i, l := range lines {
		l = strings.ToLower(strings.TrimLeft(straight(head(l, 200)), " \t*_"))
		if slices.ContainsFunc(disclaimers, func(d string) bool { return strings.HasPrefix(l, d) }) {
			return lines[:i]
		}
	}
	return lines
}

// head is the beginning of a text, in bytes.
func head(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// sentFrom is how the line begins in which a program tells what a mail was sent with.
var sentFrom = []string{
	"sent from", "sent via", "sent with", "sent using", "get outlook for", "sent by",
	"von meinem", "gesendet von", "gesendet mit", "gesendet über", "von unterwegs gesendet", "diese nachricht wurde von meinem", "holen sie sich outlook", "outlook für", "mit freundlichen grüßen von meinem", "vom smartphone gesendet",
	"envoyé de", "envoyé depuis", "envoyé à partir", "envoyé avec", "obtenez outlook", "obtenir outlook", "télécharger outlook", "provenance :",
	"enviado desde", "enviado con", "enviado mediante", "obtener outlook", "obtén outlook", "descargar outlook",
	"发自", "从我的", "从 ", "來自我的", "来自我的", "來自", "傳送自", "從我的", "通过我的", "获取outlook", "下载 outlook", "获取 outlook",
	"inviato da", "inviato dal", "scarica outlook", "ottieni outlook", "enviado do", "enviado a partir", "obter o outlook", "baixe o outlook", "verzonden vanaf", "verstuurd vanaf",
	"отправлено с", "отправлено из", "odesláno z", "wysłane z", "wysłano z", "skickat från", "sendt fra", "iphoneから送信", "ipadから送信", "androidから送信",
}

// devices are words of which one must stand in that line, because it may also be a
// sentence.
var devices = []string{
	"iphone", "iphonu", "ipadu", "ipad", "ipod", "android", "samsung", "galaxy", "huawei", "xiaomi", "redmi", "pixel", "oneplus", "oppo", "vivo", "honor", "nokia", "sony", "motorola", "fairphone", "blackberry", "apple watch",
	"outlook", "windows", "yahoo", "aol", "gmx", "web.de", "t-online", "1&1", "ionos", "thunderbird", "proton", "tutanota", "tuta", "k-9", "k9", "fastmail", "gmail", "airmail", "spark", "bluemail", "hey.com", "mailbox.org", "freenet", "telekom", "superhuman", "orange", "free", "sfr", "qq", "foxmail", "网易", "163", "spike", "edison", "mail.ru", "yandex",
	"mobile", "smartphone", "handy", "mobiltelefon", "phone", "phone.", "mobil", "tablet", "téléphone", "portable", "móvil", "teléfono", "celular", "telemóvel", "телефон", "手机", "手機", "mobilního", "cellulare", "телефона",
}

// undevised leaves out, near the end, the line that tells what the mail was sent
// with.
func undevised(lines []string) []string {
	left := 6
	for i := len(lines) - 1; i >= 0 && left > 0; i-- {
		if blank(lines[i]) {
			continue
		}
		left--
		if sentWith(lines[i]) {
			return slices.Delete(slices.Clone(lines), i, i+1)
		}
	}
	return lines
}

func sentWith(s string) bool {
	if len(s) > 200 {
		return false
	}
	s = strings.ToLower(strings.TrimLeft(straight(s), " \t*_<(-—"))
	if len(strings.Fields(s)) > 14 || !slices.ContainsFunc(sentFrom, func(b string) bool { return strings.HasPrefix(s, b) }) {
		return false
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>(),:;-", r) })
	return slices.ContainsFunc(devices, func(d string) bool {
		return slices.Contains(words, d) || (len(d) > 4 && strings.Contains(s, d))
	})
}
