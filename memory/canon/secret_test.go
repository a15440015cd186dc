package canon

import (
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	const jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	for _, c := range []struct {
		name, text string
		want       Reason
	}{
		{"card", "remember my card 4111111111111111", Card},
		{"card with spaces", "4111 1111 1111 1111", Card},
		{"card with dashes", "it is 4111-1111-1111-1111.", Card},
		{"card with other dashes", "4111–1111—1111−1111", Card},
		{"card with dots", "4111.1111.1111.1111", Card},
		{"card with commas", "4111,1111,1111,1111", Card},
		{"card with colons", "4111:1111:1111:1111", Card},
		{"card with slashes", "4111/1111/1111/1111", Card},
		{"card on lines", "4111\n1111\r\n1111\n1111", Card},
		{"card with no-break spaces", "4111\u00a01111\u20091111\u202f1111", Card},
		{"card with zero width", "4111\u200b1111\u200d1111\u20601111", Card},
		{"card with soft hyphens", "41\u00ad11111111111111", Card},
		{"card full width", "４１１１　１１１１　１１１１　１１１１", Card},
		{"card Arabic", "٤١١١١١١١١١١١١١١١", Card},
		{"card Persian", "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱", Card},
		{"card Devanagari", "४१११११११११११११११", Card},
		{"card mathematical", "𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏", Card},
		{"card keycaps", "4️⃣" + strings.Repeat("1️⃣", 15), Card},
		{"card circled beside real", "④111 ①111 1➀11 111❶", Card},
		{"card in brackets", "(4111) (1111) (1111) (1111)", Card},
		{"card digit by digit", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", Card},
		{"card in pairs", "41 11 11 11 11 11 11 11", Card},
		{"card of mixed groups", "my card is 41111 111 11111 111", Card},
		{"card among other numbers", "4111 1111 1111 1111 12 29 123", Card},
		{"card before text", "card4111111111111111exp", Card},
		{"card in words", "four one one one one one one one, one one one one one one one one", Card},
		{"card in German words", "vier eins eins eins " + strings.Repeat("eins ", 12), Card},
		{"card in Chinese numerals", "四一一一一一一一一一一一一一一一", Card},
		{"card of 13 digits", "4222222222222", Card},
		{"card of 19 digits", "4000000000000000006", Card},
		{"Mastercard", "5555 5555 5555 4444", Card},
		{"Mastercard, new range", "2223003122003222", Card},
		{"Amex", "3782 822463 10005", Card},
		{"Diners", "3056 930902 5904", Card},
		{"Discover", "6011111111111117", Card},
		{"JCB", "3530111333300000", Card},
		{"UnionPay", "6200000000000005", Card},
		{"IBAN", "DE89370400440532013000", IBAN},
		{"IBAN in groups", "my IBAN: GB29 NWBK 6016 1331 9268 19", IBAN},
		{"IBAN small and dashed", "fr14-2004-1010-0505-0001-3m02-606", IBAN},
		{"IBAN before text", "NL91 ABNA 0417 1643 00 is my account", IBAN},
		{"IBAN full width", "ＤＥ８９３７０４００４４０５３２０１３０００", IBAN},
		{"OpenAI key", "sk-proj-abc123DEF456ghi789JKL012", Key},
		{"Anthropic key", "use sk-ant-api03-abcdefghij1234567890", Key},
		{"GitHub token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", Key},
		{"GitHub fine-grained", "github_pat_11ABCDEFG0abcdefghijklmnopqrstuvwxyz", Key},
		{"GitLab token", "glpat-ABCdef123456ghiJKL78", Key},
		{"Amazon key", "AKIAIOSFODNN7EXAMPLE", Key},
		{"Google key", "AIzaSyA1234567890abcdefghijklmnopqrstuv", Key},
		{"Slack token", "xoxb-123456789012-abcdefABCDEF", Key},
		{"Stripe key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", Key},
		{"npm token", "npm_abcdefghijklmnopqrstuvwxyz0123456789", Key},
		{"bot token", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0", Key},
		{"web token", "token " + jwt, Key},
		{"authorization header", "Authorization: Bearer abcdef0123456789abcdef", Key},
		{"private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", Key},
		{"webhook", "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX", Key},
		{"key with zero width", "gh\u200bp_16C7e42F292c6912E7710c838347Ae178B4a", Key},
		{"API key by name", "my api key is 9f8e7d6c5b4a", Key},
		{"password", "my password is zqx-hunter", Password},
		{"password one word", "My password is swordfish", Password},
		{"password with a purpose", "the password for the router is swordfish for now", Password},
		{"password colon", "Password: hunter2", Password},
		{"password equals", "password=hunter2", Password},
		{"password on its own line", "login: ana\npassword:\nhunter2", Password},
		{"password changed", "I changed my password to hunter2!", Password},
		{"password before its name", "hunter22 is my password", Password},
		{"password quoted", "the wifi password is “swordfish”.", Password},
		{"password hidden", "my pass\u00adword is ｈｕｎｔｅｒ２", Password},
		{"passphrase", "passphrase: paper horse battery staple", Password},
		{"PIN", "My PIN is 1234", Password},
		{"PIN without verb", "pin 4821", Password},
		{"PIN before its name", "4821 is my pin", Password},
		{"CVV", "CVV: 1234", Password},
		{"German", "Mein Passwort ist Sonnenblume7", Password},
		{"German lautet", "Das Kennwort lautet: zqx-hund", Password},
		{"Spanish", "mi contraseña es girasol", Password},
		{"French", "Mon mot de passe est tournesol", Password},
		{"Italian", "La mia password è girasole9", Password},
		{"Portuguese", "a minha senha é girassol", Password},
		{"Dutch", "wachtwoord: zonnebloem", Password},
		{"Russian", "мой пароль: подсолнух", Password},
		{"Czech", "moje heslo je zqx-hunter", Password},
		{"Czech", "moje heslo je zqx-hunter", Password},
		{"Chinese", "我的密码是hunter2", Password},
		{"Chinese digits", "银行卡密码：１２３４５６", Password},
		{"Japanese", "パスワードはhimawari7です", Password},
		{"userinfo", "https://ana:hunter2@example.com/", Link},
		{"database", "postgres://app:s3cret@db.local/main", Link},
		{"token parameter", "https://example.com/login?token=abc123def", Link},
		{"token in the fragment", "https://example.com/#access_token=abc123def&x=1", Link},
		{"code parameter", "see https://example.com/cb?x=1&code=4f9a8b7c.", Link},
		{"signed link", "https://b.s3.amazonaws.com/f?X-Amz-Signature=0123456789abcdef", Link},
		{"magic link", "https://app.example.com/magic/abc123def456ghi789", Link},
		{"reset link", "https://example.com/reset-password/5f4dcc3b5aa765d61d8327de", Link},
		{"link without scheme", "example.com/login?token=abc123def", Link},
		{"link in Markdown", "[log in](https://example.com/?auth_token=abc123def)", Link},
		{"code", "your code is 123456", Code},
		{"code first", "123456 is your verification code", Code},
		{"code of Google", "G-123456 is your Google verification code", Code},
		{"code of a door", "The door code is 4711", Code},
		{"code in two groups", "your code is 558-912", Code},
		{"code in two groups first", "558 912 is your Telegram code", Code},
		{"code without verb", "Two-factor code 558912 expires in 10 minutes", Code},
		{"German code", "Ihr Bestätigungscode lautet 482913", Code},
		{"Spanish code", "Tu código es 482913", Code},
		{"French code", "Votre code de vérification est 482913", Code},
		{"Chinese code", "您的验证码是482913", Code},
		{"Chinese code first", "482913是您的验证码", Code},
		{"Russian code", "Ваш код подтверждения: 482913", Code},
		{"seed phrase", "legal winner thank year wave sausage worth useful legal winner thank yellow", Seed},
		{"seed phrase numbered", "1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow", Seed},
		{"seed phrase in a sentence", "keep this: " + strings.Repeat("abandon ", 23) + "art, please", Seed},
		{"card and", "4111, 1111, 1111 and 1111", Card},
		{"card and, with comma", "4111, 1111, 1111, and 1111", Card},
		{"card times", "4111x1111x1111x1111", Card},
		{"card multiplied", "4111 × 1111 × 1111 × 1111", Card},
		{"card und", "4111 und 1111 und 1111 und 1111", Card},
		{"card y", "4111, 1111, 1111 y 1111", Card},
		{"card et", "4111 et 1111 et 1111 et 1111", Card},
		{"card 和", "4111和1111和1111和1111", Card},
		{"card in words, and", "four one one one and one one one one and one one one one and one one one one", Card},
		{"IBAN letter by letter", "D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0", IBAN},
		{"IBAN letter by letter in a text", "my IBAN is D-E-8-9-3-7-0-4-0-0-4-4-0-5-3-2-0-1-3-0-0-0, thanks", IBAN},
		{"short bearer", "Authorization: Bearer abcdef123456", Key},
		{"short bearer, small", "authorization: bearer abcdef123456", Key},
		{"bearer alone", "use Bearer abcdef123456", Key},
		{"2FA secret", "my 2FA secret JBSWY3DPEHPK3PXP", Key},
		{"German 2FA secret", "mein 2FA-Schlüssel ist JBSWY3DPEHPK3PXP", Key},
		{"Spanish 2FA secret", "mi secreto 2FA es JBSWY3DPEHPK3PXP", Key},
		{"French 2FA secret", "ma clé 2FA est JBSWY3DPEHPK3PXP", Key},
		{"Chinese 2FA secret", "我的两步验证密钥是JBSWY3DPEHPK3PXP", Key},
		{"password of two words", "my password: correct horse", Password},
		{"password is two words", "my password is correct horse", Password},
		{"password is four words", "my password is correct horse battery staple", Password},
		{"German two words", "Mein Passwort: richtig Pferd", Password},
		{"Spanish two words", "mi contraseña es caballo correcto azul", Password},
		{"French two words", "mon mot de passe : cheval correct bleu", Password},
		{"password first, one digit", "hunter2 is my password", Password},
		{"password first, no digit", "sunshine is my password", Password},
		{"German first", "hunter2 ist mein Passwort", Password},
		{"Spanish first", "hunter2 es mi contraseña", Password},
		{"French first", "hunter2 est mon mot de passe", Password},
		{"Chinese first", "hunter2是我的密码", Password},
		{"Chinese word first", "阳光是我的密码", Password},
		{"Chinese word", "密码：阳光", Password},
		{"Chinese word with a verb", "我的密码是阳光", Password},
		{"Chinese traditional word", "我的WiFi密碼是陽光海灘", Password},
		{"Chinese spelled", "密码是四七一一", Password},
		{"Spanish clave", "mi clave es zqx-hunter", Password},
		{"Spanish clave secreta", "la clave secreta es girasol", Password},
		{"Spanish contraseña", "la contraseña del wifi: girasol", Password},
		{"leet", "my passw0rd is swordfish", Password},
		{"leet with symbols", "my p@$$w0rd is swordfish", Password},
		{"leet in German", "mein Passw0rt ist Sonnenblume", Password},
		{"spaced out", "my p a s s w o r d is swordfish", Password},
		{"dotted", "my p.a.s.s.w.o.r.d is swordfish", Password},
		{"spaced out German", "mein P a s s w o r t ist Sonnenblume", Password},
		{"pw", "pw: kitten", Password},
		{"Chinese PIN", "我的PIN码是1234", Password},
		{"social", "my social is 123-45-6789", ID},
		{"pwd", "pwd zqx-hunter", Password},
		{"mdp", "mdp zqx-hunter", Password},
		{"login", "netflix login: anna / hunter2", Password},
		{"German login", "Netflix Zugangsdaten: anna / hunter2", Password},
		{"Spanish login", "credenciales de netflix: anna / hunter2", Password},
		{"French login", "identifiants netflix : anna / hunter2", Password},
		{"Chinese login", "奈飞 账号：anna / hunter2", Password},
		{"key of a network", "the wifi is called Home and the key is sunshine99", Password},
		{"German key", "der Schlüssel ist sonne1999", Password},
		{"Spanish key", "la clave es girasol99", Password},
		{"French key", "la clé est tournesol99", Password},
		{"CVV of three", "cvv 123", Password},
		{"CVV of three with verb", "my cvc is 123", Password},
		{"German CVV", "Kartenprüfnummer 123", Password},
		{"French CVV", "cryptogramme 123", Password},
		{"Chinese CVV", "安全码是123", Code},
		{"PIN in words", "my pin for the bank is four seven one one", Password},
		{"PIN in German words", "Meine PIN ist vier sieben eins eins", Password},
		{"PIN in Spanish words", "mi pin es cuatro siete uno uno", Password},
		{"PIN in French words", "mon code pin est quatre sept un un", Password},
		{"door code in words", "the door code is four, seven, one, one", Code},
		{"combination", "the lock combination is 12-34-56", Code},
		{"combination of a safe", "combination for the safe: 12 34 56", Code},
		{"German combination", "Die Zahlenkombination vom Schloss ist 12-34-56", Code},
		{"Spanish combination", "la combinación del candado es 12-34-56", Code},
		{"French combination", "la combinaison du coffre est 12-34-56", Code},
		{"Chinese combination", "锁的密码是12-34-56", Password},
		{"SSN", "my SSN is 123-45-6789", ID},
		{"SSN in groups", "social security number 123 45 6789", ID},
		{"SSN together", "SSN: 123456789", ID},
		{"German SSN", "Meine Sozialversicherungsnummer ist 12170345W123", ID},
		{"Spanish SSN", "mi número de la seguridad social es 281234567840", ID},
		{"French SSN", "mon numéro de sécurité sociale est 1 84 12 76 451 089 46", ID},
		{"Chinese SSN", "我的社保号是123456789", ID},
		{"passport", "my passport number is C01X00T47", ID},
		{"passport of digits", "passport no. 123456789", ID},
		{"passport without number", "my passport is C01X00T47", ID},
		{"German passport", "Meine Reisepassnummer lautet C01X00T47", ID},
		{"Spanish passport", "mi número de pasaporte es AAB123456", ID},
		{"French passport", "mon numéro de passeport est 12AB34567", ID},
		{"Chinese passport", "我的护照号码是E12345678", ID},
		{"random", "keep q8ZtR4vXw2Lm9KpB7sYhN3cD for me", Random},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := Secret(c.text); got != c.want || !ok {
				t.Errorf("Secret(%q) = %q, %v, want %q", c.text, got, ok, c.want)
			}
		})
	}
}

func TestNoSecret(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"empty", ""},
		{"order number of 13 digits", "my order is 4222222222223"},
		{"card with a wrong check digit", "4111 1111 1111 1112"},
		{"right check digit, no issuer", "7992739871300000"},
		{"phone", "+49 170 1234567"},
		{"phone with a card's beginning", "call +4222222222222"},
		{"phones", "555 123 4567 / 555 765 4321 / 555 222 3333"},
		{"US phone", "(415) 555-2671"},
		{"dates", "from 2024-05-01 to 2024-05-17, then 30.05.2024"},
		{"date and time", "2024-05-01 18:30:00"},
		{"years", "2019 2020 2021 2022 2023"},
		{"ISBN", "978-3-16-148410-0"},
		{"coordinates", "52.520008, 13.404954"},
		{"lottery", "4, 8, 15, 16, 23, 42"},
		{"IBAN with wrong digits", "DE88370400440532013000"},
		{"word like an IBAN", "DE89 is a strange title"},
		{"prefix in a word", "the risk-taking-and-danger-loving-crowd"},
		{"public link", "https://en.wikipedia.org/wiki/Go_(programming_language)?action=view"},
		{"video", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"},
		{"document", "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKLmNoPqRsTuVwXyZ/edit"},
		{"link of an article about logins", "https://example.com/blog/reset/how-to-reset-your-password-in-2024"},
		{"repository", "ssh://git@github.com/owner/repo and git@github.com:owner/repo.git"},
		{"mail address", "ana@example.com"},
		{"short code parameter", "https://example.com/?code=DE"},
		{"UUID", "018f3f5e-7b1a-7cc2-9d5e-0a1b2c3d4e5f"},
		{"hash in prose", "fixed in 9f1e22a3b4c5d6e7f8091a2b3c4d5e6f70819a2b"},
		{"file", "IMG_20240512_183012_Holiday_at_the_Sea.jpg"},
		{"function", "getUserAccountByIdentifierAndRegionV2"},
		{"password too short", "my password is too short"},
		{"password wrong", "The password is wrong."},
		{"password required", "Password: required"},
		{"password forgotten", "I forgot my password again"},
		{"password manager", "I use a password manager since 2019"},
		{"password changed", "I changed my password in 2023"},
		{"password expired", "my password expired on 2024-05-01"},
		{"password written", "the password is written on a note"},
		{"what password", "What is the password?"},
		{"German", "Mein Passwort ist abgelaufen"},
		{"Spanish", "mi contraseña es demasiado corta"},
		{"French", "Le mot de passe est trop long"},
		{"Chinese", "我忘了密码，密码是什么？"},
		{"PIN required", "A PIN is required"},
		{"key", "The key is patience"},
		{"Spanish key", "la clave es practicar"},
		{"postal code", "My postal code is 10115"},
		{"country code", "The country code is 0049"},
		{"error code", "error code 404404"},
		{"promo code", "the promo code is SAVE2024"},
		{"French postal code", "mon code postal est 75011"},
		{"Spanish postal code", "mi código postal es 28013"},
		{"source code", "the source code is 1200 lines long"},
		{"prose of listed words", "abandon ability and able people"},
		{"eleven seed words", "legal winner thank year wave sausage worth useful legal winner thank"},
		{"numbers in words", "one two three, four five six"},
		{"dimensions", "the tiles are 4111x1111x1111x1112"},
		{"years and years", "2019 and 2020 and 2021 and 2022"},
		{"spaced letters", "D E 8 8 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0"},
		{"password manager", "my password manager is Bitwarden"},
		{"password manager with a digit", "my password manager is 1Password"},
		{"manager first", "1Password is my password manager"},
		{"German manager", "Mein Passwort-Manager ist Bitwarden"},
		{"Chinese manager", "1Password是我的密码管理器"},
		{"what Chinese password", "什么是我的密码"},
		{"password remark of two words", "my password is wrong again"},
		{"password stolen", "My password was stolen last year"},
		{"social life", "my social life is 100 percent fine since 2019"},
		{"password stored", "my password is stored securely"},
		{"password of a length", "my password is twelve characters long"},
		{"German remark", "Mein Passwort ist wirklich schlecht"},
		{"Chinese remark", "我的密码是加密的，密码：必填"},
		{"key under", "the key is under the mat"},
		{"key to", "the key to a good sauce is time"},
		{"key to a year", "the key to 2024 is patience"},
		{"pin board", "my pin board is green"},
		{"house number", "house number 12-34"},
		{"login without a pair", "my login: anna"},
		{"login page", "the login is at the top of page 12"},
		{"passport that expires", "my passport expires on 2029-05-01"},
		{"passport number expires", "I lost my passport in 2019"},
		{"bearer of a name", "the bearer of good news"},
		{"combination of colours", "my favourite combination is blue and green"},
		{"social security", "social security pays 1200 euros"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := Secret(c.text); ok {
				t.Errorf("Secret(%q) = %q", c.text, got)
			}
		})
	}
}

// TestSecretSaysNothing: the reason is one of the codes, whatever was found.
func TestSecretSaysNothing(t *testing.T) {
	if got, ok := Secret("my password is card"); got != Password || !ok {
		t.Errorf("reason %q", got)
	}
	if got, ok := Secret("my car is red"); got != "" || ok {
		t.Errorf("reason %q", got)
	}
}

func TestSeedWords(t *testing.T) {
	words := strings.Fields(seedWords)
	if len(words) != 2048 {
		t.Fatalf("%d words", len(words))
	}
	for _, w := range words {
		if !seedWord(w) || seedWord(w+"x") {
			t.Errorf("%q is not found, or too much is", w)
		}
	}
	for _, w := range []string{"", "the", "a", "zzz", "aaa"} {
		if seedWord(w) {
			t.Errorf("%q is found", w)
		}
	}
}

// FuzzSecret hides a card in whatever text: it must be found, and noise that
// does not count changes nothing.
func FuzzSecret(f *testing.F) {
	f.Add("remember my card", " or ask me", uint8(0))
	f.Add("4️⃣ \xff", "=@://?#", uint8(5))
	f.Add("password:", "密码", uint8(11))
	f.Fuzz(func(t *testing.T, before, after string, sep uint8) {
		seps := []string{"", " ", "-", ".", "/", "\n", "\u00a0", "\u200b", "\u2009", "–", "\u00ad", "_"}
		card := strings.Join([]string{"4111", "1111", "1111", "1111"}, seps[int(sep)%len(seps)])
		if _, ok := Secret(before + " x " + card + " x " + after); !ok {
			t.Errorf("%q hides the card from view", before)
		}
		r1, ok1 := Secret(before)
		r2, ok2 := Secret(plain(before))
		if r1 != r2 || ok1 != ok2 {
			t.Errorf("Secret(%+q) = %q, in plain form %q", before, r1, r2)
		}
	})
}

func BenchmarkSecret(b *testing.B) {
	for name, text := range longTexts {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, ok := Secret(text); ok {
					b.Fatal("a secret")
				}
			}
		})
	}
}
