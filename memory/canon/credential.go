package canon

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// trust says what it takes for the words beside a keyword to be its secret.
type trust int

const (
	loose  trust = iota + 1 // any word that is no remark ("password is hunter")
	strict                  // digits ("PIN is 1234")
	bare                    // digits, and no word that makes it harmless ("postal code")
)

// keyword is a name of something secret.
type keyword struct {
	words  []string // folded
	trust  trust
	reason Reason
}

const (
	reach   = 8 // words after a keyword in which its value is looked for
	reverse = 3 // words between a value and its keyword ("1234 is my PIN")

	minStrong = 4 // characters of a value that looks drawn
	minLoose  = 3 // characters of a value that is a word
	minBare   = 6 // digits of a code with nothing but "code" before it
)

// credential finds passwords, PINs and codes that a plain text calls by name.
func credential(p string) (Reason, bool) {
	if reason, ok := unspacedCredential(p); ok {
		return reason, true
	}
	p = withoutLinks(p)
	p = strings.NewReplacer("=", " : ", "→", " : ", "->", " : ", "|", " ", "`", " ").Replace(p)
	s := sentence{p, wordsOf(p)}
	for i := range s.words {
		for _, k := range keywords()[s.words[i].form] {
			if s.named(i, k) && (s.follows(i+len(k.words), k.trust) || s.precedes(i)) {
				return k.reason, true
			}
		}
	}
	return "", false
}

// withoutLinks returns a text without its links, which hasLink judges.
func withoutLinks(p string) string {
	if !strings.Contains(p, "://") {
		return p
	}
	fields := strings.FieldsFunc(p, func(r rune) bool { return r == ' ' })
	return strings.Join(slices.DeleteFunc(fields, func(f string) bool { return strings.Contains(f, "://") }), " ")
}

// sentence is a text with its words.
type sentence struct {
	text  string
	words []word
}

// word is a word of a text in canonical form, and where it stands.
type word struct {
	form     string
	from, to int
}

// wordsOf returns the words of a text's canonical form.
func wordsOf(text string) []word {
	var units []unit
	form := fold(text, &units)
	var words []word
	start := 0
	for i, u := range units {
		if i+1 < len(units) && units[i+1].start == u.end {
			continue
		}
		first := units[start]
		words = append(words, word{string(form[first.start:u.end]), first.from, u.to})
		start = i + 1
	}
	return words
}

// named reports whether keyword k stands at word i, and does not mean something
// harmless there ("postal code").
func (s sentence) named(i int, k keyword) bool {
	if i+len(k.words) > len(s.words) {
		return false
	}
	for j, w := range k.words {
		if s.words[i+j].form != w {
			return false
		}
	}
	if k.trust != bare {
		return true
	}
	after := i + len(k.words)
	return !(i > 0 && harmlessCodes()[s.words[i-1].form]) && !(after < len(s.words) && harmlessCodes()[s.words[after].form])
}

// follows reports whether a value stands after a keyword that ends before word
// i: after a colon, a form of "to be", a "to", or at once.
func (s sentence) follows(i int, t trust) bool {
	for k := i; k < len(s.words) && k < i+reach; k++ {
		between := s.between(k)
		switch {
		case strings.ContainsRune(between, ':'):
			return s.secretAt(k, t, true)
		case strings.ContainsAny(between, ".!?;\n"):
			return false
		case k == i && s.strongAt(k) && (t != bare || digitsIn(s.value(k)) >= minBare):
			return true
		case k+1 == len(s.words):
			return false
		case copulas()[s.words[k].form] && s.secretAt(k+1, t, strings.ContainsRune(s.between(k+1), ':')):
			return true
		case movers()[s.words[k].form] && t != bare && s.strongAt(k+1):
			return true
		}
	}
	return false
}

// precedes reports whether a value stands before a keyword at word i, with a
// form of "to be" between.
func (s sentence) precedes(i int) bool {
	for k := i - 1; k > 0 && k >= i-reverse; k-- {
		if strings.ContainsAny(s.between(k+1), ".!?;:\n") {
			return false
		}
		if copulas()[s.words[k].form] {
			value := s.words[k-1].form
			if k > 1 && allDigits(value) && allDigits(s.words[k-2].form) {
				value = s.words[k-2].form + value
			}
			return digitsIn(value) > 1 && len(value) >= minStrong
		}
	}
	return false
}

// between returns what stands before word k, back to the word before it.
func (s sentence) between(k int) string {
	if k == 0 {
		return ""
	}
	return s.text[s.words[k-1].to:s.words[k].from]
}

// value returns what stands at word k up to the next space, without quotes; of a
// number, also the next group of digits.
func (s sentence) value(k int) string {
	if form := s.words[k].form; k+1 < len(s.words) && allDigits(form) && allDigits(s.words[k+1].form) && len(s.between(k+1)) == 1 {
		return form + s.words[k+1].form
	}
	v := s.text[s.words[k].from:]
	if i := strings.IndexFunc(v, unicode.IsSpace); i >= 0 {
		v = v[:i]
	}
	return strings.TrimRight(v, ".,;:!?)]}\"'”’»*_")
}

func allDigits(s string) bool { return digitsIn(s) == len(s) }

// strongAt reports whether what stands at word k looks drawn: with digits, and
// long enough.
func (s sentence) strongAt(k int) bool {
	v := s.value(k)
	return len(v) >= minStrong && digitsIn(v) > 0 && !strings.Contains(v, "://") && !harmlessNumber(v)
}

// harmlessNumber reports whether a value is a date, a time or an amount.
func harmlessNumber(v string) bool {
	digits := digitsIn(v)
	return digits < len(v) && digits+strings.Count(v, "-")+strings.Count(v, "/")+strings.Count(v, ".")+strings.Count(v, ":")+strings.Count(v, ",") == len(v)
}

// secretAt reports whether what stands at word k is the value of a keyword of
// trust t, introduced by a colon or by a word.
func (s sentence) secretAt(k int, t trust, colon bool) bool {
	if s.strongAt(k) && (t == loose || digitsIn(s.value(k)) > 1) {
		return true
	}
	v := s.value(k)
	if t != loose || len(v) < minLoose || remark(v) {
		return false
	}
	return colon || strings.ContainsFunc(v, notLetter) || s.ends(k)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// ends reports whether a clause ends after word k, or goes on as one does after
// a value ("… is hunter for the router").
func (s sentence) ends(k int) bool {
	return k+1 == len(s.words) || strings.ContainsAny(s.between(k+1), ".,!?;\n") || continuations()[s.words[k+1].form]
}

// remark reports whether a word after "the password is" says something about
// the password.
func remark(v string) bool {
	form := Form(v)
	if remarks()[form] || stopWord(form, allLanguages) {
		return true
	}
	return v == form && !strings.ContainsFunc(v, notLetter) && (strings.HasSuffix(form, "ed") || strings.HasSuffix(form, "ing") || strings.HasSuffix(form, "able"))
}

// unspacedCredential finds what is called a password or code in Chinese,
// Japanese and Korean: the keyword, at most four characters that connect, and
// letters or digits; or digits before the keyword.
func unspacedCredential(p string) (Reason, bool) {
	for _, list := range []struct {
		reason Reason
		names  []string
	}{
		{Code, []string{"验证码", "驗證碼", "校验码", "动态码", "認証コード", "確認コード", "ワンタイムコード", "ログインコード", "セキュリティコード", "인증번호"}},
		{Password, []string{"密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호"}},
	} {
		for _, name := range list.names {
			for rest := p; ; {
				before, after, ok := strings.Cut(rest, name)
				if !ok {
					break
				}
				after = strings.TrimLeft(after, " :是为為はがも이은는\"“「『'")
				if n := keyLength(after); n >= minStrong || n > 0 && digitsIn(after[:n]) >= minLoose {
					return list.reason, true
				}
				if list.reason == Code && codeBefore(before) {
					return Code, true
				}
				rest = after
			}
		}
	}
	return "", false
}

// codeBefore reports whether a text ends in a code and a few characters more.
func codeBefore(s string) bool {
	chars := []rune(s)
	for i := len(chars) - 1; i >= 0 && i >= len(chars)-8; i-- {
		if !unicode.IsDigit(chars[i]) {
			continue
		}
		n := 0
		for ; i >= 0 && unicode.IsDigit(chars[i]); i-- {
			n++
		}
		return n >= minStrong
	}
	return false
}

// keywords are the names of secrets by their first word.
var keywords = sync.OnceValue(func() map[string][]keyword {
	byFirst := map[string][]keyword{}
	for _, list := range []struct {
		trust  trust
		reason Reason
		names  string
	}{
		{loose, Password, passwordNames}, {strict, Password, pinNames},
		{strict, Key, secretNames}, {strict, Code, codeNames}, {bare, Code, bareCodes},
	} {
		for name := range strings.SplitSeq(list.names, ",") {
			words := strings.Fields(Form(name))
			byFirst[words[0]] = append(byFirst[words[0]], keyword{words, list.trust, list.reason})
		}
	}
	return byFirst
})

const (
	passwordNames = "password,passwords,passcode,passphrase,passwd,pwd,pass word,wifi key,passwort,kennwort,pass wort,passphrase,contraseña,contrasena,mot de passe,mdp,parola d'ordine,senha,palavra-passe,wachtwoord,lösenord,adgangskode,passord,пароль,hasło,heslo,şifre,şifrem,jelszó,salasana,parolă,κωδικός,كلمة المرور,كلمة السر,סיסמה"
	pinNames      = "pin,pins,pincode,pin number,cvv,cvc,cvv2,geheimzahl,geheimnummer,pin nummer,pin-код,пин,пин-код,código pin,code pin,clave,clave secreta,code secret"
	secretNames   = "api key,apikey,api token,access key,access token,secret key,secret access key,private key,auth token,refresh token,client secret,bot token,recovery key,backup code,backup codes,recovery code,recovery codes,clave privada,clave api,clé api,clé privée,api schlüssel,geheimer schlüssel,privater schlüssel"
	codeNames     = "verification code,security code,login code,one-time code,one time password,one-time passcode,otp,2fa code,authentication code,confirmation code,access code,entry code,door code,gate code,alarm code,lock code,safe code,sms code,tan,einmalcode,einmalpasswort,bestätigungscode,sicherheitscode,anmeldecode,zugangscode,türcode,verifizierungscode,código de verificación,código de seguridad,código de acceso,código de confirmación,code de vérification,code de sécurité,code d'accès,code de confirmation,code de validation,codice di verifica,codice di sicurezza,código de verificação,код подтверждения,код доступа,verificatiecode,kod weryfikacyjny,jednorázový kód,ověřovací kód,přihlašovací kód,bezpečnostní kód"
	bareCodes     = "code,codes,código,codigo,codice,код,kod,kód,kode"
)

// harmlessCodes stand beside codes that are public.
var harmlessCodes = sync.OnceValue(func() map[string]bool {
	return set(`postal post zip area country dial dialling dialing error status exit http return response promo promotional discount coupon voucher referral order booking reservation product item bar qr source tax color colour dress morse airport iata hs hex building penal civil course class flight train error module version penal
postale postaux barres pays promotion réduction civil área barras descuento país fuente postali sconto nav почтовый товара`)
})

// copulas are forms of "to be" and what else stands between a name and a value.
var copulas = sync.OnceValue(func() map[string]bool {
	return set("is was are be ist war sind lautet lauten es son era est sont était è é sono är var er jest je это equals remains stays")
})

// movers stand between the name of a secret and its new value.
var movers = sync.OnceValue(func() map[string]bool { return set("to s auf zu a en à als na now jetzt ahora") })

// continuations are words with which a clause goes on after a value.
var continuations = sync.OnceValue(func() map[string]bool {
	return set("for and but please on at from since thanks ok okay btw für und aber bitte seit bei para y pero por desde pour et mais sur depuis per e para для и на")
})

// remarks are what is said about passwords.
var remarks = sync.OnceValue(func() map[string]bool {
	return set(`wrong incorrect correct right weak strong safe unsafe secure insecure long short old new outdated easy hard difficult simple complex complicated secret private different identical unique same case-sensitive sensitive optional mandatory bad good great fine ok okay okey enough important necessary missing empty blank gone lost unknown known written hidden forgotten stolen broken given taken kept stored leaked hashed public here there inside somewhere everywhere nowhere always never still almost probably see ask tbd todo none null n/a case well self-explanatory awful terrible stupid funny silly ridiculous annoying mine yours everything nothing something anything everyone due back ready useless invalid valid
falsch richtig schwach stark sicher unsicher lang kurz alt neu einfach schwer schwierig kompliziert geheim anders gleich pflicht weg verloren unbekannt bekannt abgelaufen vergessen geändert gespeichert notiert gestohlen gültig ungültig wichtig leer nötig erforderlich gut schlecht überall nirgends hier dort immer nie
incorrecta incorrecto correcta correcto mala débil fuerte segura seguro insegura larga corta vieja nueva fácil difícil simple complicada secreta diferente igual misma única obligatoria opcional caducada olvidada perdida importante necesaria aquí allí siempre nunca demasiado válida inválida
incorrect correct faux mauvais faible fort sûr sécurisé long court vieux ancien nouveau facile difficile simple compliqué secret différent identique unique obligatoire facultatif expiré oublié perdu important nécessaire ici là toujours jamais trop valide invalide requis
sbagliata giusta debole forte sicura lunga corta errada correta fraca segura onjuist fout sterk zwak veilig неверный правильный слабый надежный сложный простой`)
})
