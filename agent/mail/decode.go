package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset" // the character sets of the world
	"golang.org/x/text/encoding/htmlindex"
)

// decode makes a text part into readable text, and counts it against the limit.
func (w *walker) decode(h message.Header, params map[string]string, body []byte) string {
	data := untransfer(strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))), body)
	if len(data) > w.left {
		data = data[:w.left]
	}
	w.left -= len(data)
	text, ok := recoded(strings.ToLower(strings.TrimSpace(params["charset"])), data)
	if !ok {
		w.refused = Unreadable
	}
	return clean(text)
}

// untransfer undoes how a part was packed to travel. What is not packed as it should
// be is taken as it stands.
func untransfer(encoding string, body []byte) []byte {
	switch encoding {
	case "quoted-printable":
		return unquoted(body)
	case "base64":
		return unbase64(body)
	}
	return body
}

// unquoted decodes quoted-printable. An equals sign that begins no code stays one:
// the decoder of the standard library would lose all that follows it.
func unquoted(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for l := range bytes.Lines(body) {
		text := bytes.TrimRight(l, " \t\n")
		soft := bytes.HasSuffix(text, []byte("="))
		if soft {
			text = text[:len(text)-1]
		}
		for i := 0; i < len(text); i++ {
			if text[i] == '=' && i+2 < len(text) && hex(text[i+1]) >= 0 && hex(text[i+2]) >= 0 {
				out = append(out, byte(hex(text[i+1])<<4|hex(text[i+2])))
				i += 2
				continue
			}
			out = append(out, text[i])
		}
		if !soft && l[len(l)-1] == '\n' {
			out = append(out, '\n')
		}
	}
	return out
}

func hex(c byte) int { return strings.IndexByte("0123456789ABCDEF", byte(unicode.ToUpper(rune(c)))) }

// unbase64 decodes base64 as far as it is some.
func unbase64(body []byte) []byte {
	kept := make([]byte, 0, len(body))
	for _, c := range body {
		if c == '=' {
			break
		}
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			kept = append(kept, c)
		}
	}
	if len(kept)%4 == 1 {
		kept = kept[:len(kept)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(kept)))
	n, _ := base64.RawStdEncoding.Decode(out, kept)
	return out[:n]
}

// recoded makes UTF-8 of a text in a character set. What is UTF-8 already, but for a
// few broken bytes, is taken for that whatever it claims to be, and what claims
// nothing of use is read as Windows does in the west; it reports false where that
// would be nonsense.
func recoded(label string, data []byte) (string, bool) {
	stateful := strings.HasPrefix(label, "iso-2022") || strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "hz")
	if !stateful && mostlyUTF8(data) {
		return string(data), true
	}
	if label == "" || label == "utf-8" || label == "us-ascii" {
		return western(data)
	}
	r := reader(label, data)
	if r == nil {
		return western(data)
	}
	out, err := io.ReadAll(r)
	return string(out), err == nil
}

// mostlyUTF8 reports whether less than a fifth of the characters beyond ASCII are
// broken. The limit may have cut the last one in two.
func mostlyUTF8(data []byte) bool {
	if utf8.Valid(data) {
		return true
	}
	good, bad := 0, 0
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else if n > 1 {
			good++
		}
		i += n
	}
	return bad*5 < good
}

// reader reads a character set; nil for an unknown one and for the western one. The names of the web come
// first, because they mean what mail programs mean: gbk by gb2312, windows-1252 by
// iso-8859-1. Those that the web gave up are left to the names of mail.
func reader(label string, data []byte) io.Reader {
	if enc, err := htmlindex.Get(label); err == nil {
		switch name, err := htmlindex.Name(enc); {
		case err != nil || name == "replacement":
		case name == "windows-1252": // what it cannot be is found there
			return nil
		default:
			return enc.NewDecoder().Reader(bytes.NewReader(data))
		}
	}
	r, err := charset.Reader(label, bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return r
}

// western reads windows-1252. It reports false if most of the letters beyond ASCII
// stand side by side, as they do in no language that is written with it.
func western(data []byte) (string, bool) {
	high, paired := 0, 0
	for i, c := range data {
		if c < utf8.RuneSelf {
			continue
		}
		high++
		if i > 0 && data[i-1] >= utf8.RuneSelf {
			paired++
		}
	}
	enc, err := htmlindex.Get("windows-1252")
	if err != nil || paired*2 > high {
		return "", false
	}
	out, err := enc.NewDecoder().Bytes(data)
	return string(out), err == nil
}

// clean leaves out what cannot be seen, and makes plain blanks and line ends of the
// special ones, so that what programs wrote around the own words can be found.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= ' ' && r < '\u007F':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			return '\n'
		case r == '\u200D': // it joins emoji
			return r
		case r != '\t' && r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		case unicode.Is(unicode.Zs, r) && r != '\u3000':
			return ' '
		}
		return r
	}, text)
}
