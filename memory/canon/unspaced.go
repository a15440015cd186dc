package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unspacedNames are the names of secrets in writing without spaces.
var unspacedNames = [...]struct {
	reason Reason
	names  string
}{
	{Code, "验证码 驗證碼 校验码 动态码 安全码 安全碼 認証コード 確認コード ワンタイムコード ログインコード セキュリティコード 인증번호"},
	{Password, "密码 密碼 PIN码 PIN碼 口令 パスワード 暗証番号 비밀번호"},
	{Key, "密钥 密鑰"},
	{ID, "护照号 護照號 社保号 社保號 身份证号 身份證號"},
}

// unspacedCredential finds what is called a password or code in Chinese,
// Japanese and Korean: the keyword, at most four characters that connect, and
// letters, digits or a Chinese word; or the value before the keyword.
func unspacedCredential(p string) (Reason, bool) {
	if !strings.ContainsFunc(p, Unspaced) {
		return "", false
	}
	texts := []string{p}
	if hasChineseDigits(p) {
		texts = append(texts, chineseDigits.Replace(p))
	}
	for _, text := range texts {
		for _, list := range unspacedNames {
			for name := range strings.FieldsSeq(list.names) {
				if unspacedBeside(text, name, list.reason) {
					return list.reason, true
				}
			}
		}
	}
	return "", false
}

// unspacedBeside reports whether a value stands beside a name somewhere in p.
func unspacedBeside(p, name string, reason Reason) bool {
	for rest := p; ; {
		before, after, ok := strings.Cut(rest, name)
		switch {
		case !ok:
			return false
		case unspacedValue(after, reason), reason == Code && codeBefore(before), reason == Password && passwordBefore(before, after):
			return true
		}
		rest = after
	}
}

// unspacedValue reports whether a value stands after a name.
func unspacedValue(after string, reason Reason) bool {
	value := strings.TrimLeft(after, " :是为為はがも이은는码碼\"“「『'")
	if n := keyLength(value); n >= minStrong || n > 0 && digitsIn(value[:n]) >= minLoose {
		return true
	}
	said := strings.TrimLeft(after, " 是为為")
	return reason == Password && (said != after || strings.HasPrefix(said, ":")) && chineseWord(strings.TrimLeft(said, ": \"“「『'"))
}

// maxChineseWord is how many characters a Chinese password has at most.
const maxChineseWord = 8

// chineseWord reports whether a text begins with a clause of two to eight Chinese
// characters that says nothing about a password.
func chineseWord(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.Is(unicode.Han, r) {
			if !unicode.IsSpace(r) && !unicode.IsPunct(r) {
				return false
			}
			break
		}
		if strings.ContainsRune("的了吗嗎呢吧我你您他她它这這那不没沒无無有未已被很太非需要请請错錯对對必什怎哪谁誰多几幾空正加忘过過", r) {
			return false
		}
		if n++; n > maxChineseWord {
			return false
		}
	}
	return n >= 2
}

// passwordBefore reports whether a text ends in "… is my", what is said to be the
// password, unless a word follows with which the name means something else.
func passwordBefore(before, after string) bool {
	if strings.HasPrefix(after, "管理") || strings.HasPrefix(after, "生成") || strings.HasPrefix(after, "学") {
		return false
	}
	before = strings.TrimRight(before, "的")
	for _, whose := range []string{"我", "我们", "我們", "你", "家"} {
		value, ok := strings.CutSuffix(before, "是"+whose)
		if !ok {
			continue
		}
		value = strings.TrimRight(value, " \"”」』'")
		value = value[strings.LastIndexFunc(value, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })+1:]
		if last, _ := utf8.DecodeLastRuneInString(value); !unicode.Is(unicode.Han, last) {
			return keyLength(value) >= minStrong
		}
		return chineseWord(value)
	}
	return false
}

// maxCodeEnd is how many bytes eight characters and a code may have.
const maxCodeEnd = 64

// codeBefore reports whether a text ends in a code and a few characters more.
func codeBefore(s string) bool {
	chars := []rune(s[max(0, len(s)-maxCodeEnd):])
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
