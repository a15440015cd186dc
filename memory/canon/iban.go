package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ibanLengths are the countries that use IBANs and the length each prescribes
// (SWIFT IBAN registry).
const ibanLengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30"

// minIBANDigits is how many digits the shortest account number has at least; see ibanAt.
const minIBANDigits = 8

// hasIBAN reports whether a plain text holds an account number with the length
// of its country and the right check digits (ISO 13616), in groups or not.
func hasIBAN(p string) bool {
	p = strings.ToUpper(p)
	for i := 0; i+4 <= len(p); i++ {
		if !upper(p[i]) || i > 0 && alphanumeric(p[i-1]) {
			continue
		}
		if country := ibanCountry(p[i:]); country != "" && ibanAt(p[i:], ibanLength(country)) {
			return true
		}
	}
	return false
}

// ibanCountry returns the two letters that p begins with if two digits follow,
// all of them together or each apart; "" otherwise.
func ibanCountry(p string) string {
	var head [4]byte
	n := 0
	for i := 0; i < len(p) && i < maxHead && n < len(head); i++ {
		if p[i] < utf8.RuneSelf && alphanumeric(p[i]) {
			head[n] = p[i]
			n++
		}
	}
	if n < len(head) || !upper(head[1]) || !asciiDigit(head[2]) || !asciiDigit(head[3]) {
		return ""
	}
	return string(head[:2])
}

// maxHead is how many bytes the first four characters may take up.
const maxHead = 16

// ibanLength returns how many characters a country prescribes, 0 if it has none.
func ibanLength(country string) int {
	for t := ibanLengths; len(t) > 0; t = t[4:] {
		if t[:2] == country {
			return int(t[2]-'0')*10 + int(t[3]-'0')
		}
	}
	return 0
}

// ibanAt reports whether p begins with a valid account number of n characters,
// between which there may be spaces and the like. Half of them are digits in
// every country; in words that happen to follow a country's code they are not.
func ibanAt(p string, n int) bool {
	if n == 0 {
		return false
	}
	chars, digits := make([]byte, 0, n), 0
	for i, r := range p {
		switch {
		case len(chars) == n:
			return digits*2 >= n && mod97(chars)
		case r < utf8.RuneSelf && alphanumeric(p[i]):
			chars = append(chars, p[i])
			if asciiDigit(p[i]) {
				digits++
			}
		case !unicode.IsSpace(r) && !unicode.IsPunct(r):
			return false
		}
	}
	return len(chars) == n && digits*2 >= n && mod97(chars)
}

// mod97 checks the check digits: the first four characters go to the end,
// letters count from 10 on, and the remainder is 1 (ISO 7064, MOD 97-10).
func mod97(chars []byte) bool {
	rest := 0
	for i := range chars {
		c := chars[(i+4)%len(chars)]
		if asciiDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }

func alphanumeric(c byte) bool { return upper(c) || lower(c) || asciiDigit(c) }
