package mail

import (
	"strings"
	"testing"
)

func TestRecoded(t *testing.T) {
	const chinese = "你好，星期六见，我会带沙拉和两把椅子。"
	for _, c := range []struct {
		name, label, data, want string
		ok                      bool
	}{
		{"nothing", "", "", "", true},
		{"utf-8", "utf-8", "Grüße", "Grüße", true},
		{"utf-8 that claims to be latin 1", "iso-8859-1", "Grüße", "Grüße", true},
		{"utf-8 with a broken byte", "utf-8", chinese + "\xff", chinese + "\xff", true},
		{"utf-8 that was cut", "utf-8", chinese[:len(chinese)-1], chinese[:len(chinese)-1], true},
		{"latin 1 that claims to be utf-8", "utf-8", "Gr\xfc\xdfe aus K\xf6ln", "Grüße aus Köln", true},
		{"windows that claims to be latin 1", "iso-8859-1", "\x84Hallo\x93 \x96 20 \x80", "„Hallo“ – 20 €", true},
		{"latin 9", "iso-8859-15", "20 \xa4", "20 €", true},
		{"windows", "windows-1252", "caf\xe9", "café", true},
		{"no known name", "x-unknown", "caf\xe9", "café", true},
		{"no known name and no western text", "x-unknown", "\xf0\xd2\xc9\xd7\xc5\xd4", "", false},
		{"chinese that claims to be latin 1", "iso-8859-1", "\xc4\xe3\xba\xc3", "", false},
		{"chinese", "gb2312", "\xc4\xe3\xba\xc3", "你好", true},
		{"more chinese", "gb18030", "\xc4\xe3\xba\xc3\x81\x30\x84\x36", "你好¥", true},
		{"traditional chinese", "big5", "\xa7\x41\xa6\x6e", "你好", true},
		{"japanese of seven bits", "iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本", true},
		{"japanese", "shift_jis", "\x93\xfa\x96\x7b", "日本", true},
		{"russian", "koi8-r", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет", true},
		{"russian of windows", "windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет", true},
	} {
		got, ok := recoded(c.label, []byte(c.data))
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %q %v, want %q %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestUntransfer(t *testing.T) {
	for _, c := range []struct{ name, encoding, body, want string }{
		{"quoted", "quoted-printable", "a=3Db =C3=\n=A4 \t\nnext", "a=b ä\nnext"},
		{"quoted in small letters", "quoted-printable", "=c3=a4", "ä"},
		{"quoted badly", "quoted-printable", "1 = 2 =ZZ =4", "1 = 2 =ZZ =4"},
		{"base64", "base64", "aGVs\nbG8=\n", "hello"},
		{"base64 with rubbish", "base64", " aG!Vs\tbG8", "hello"},
		{"base64 that breaks off", "base64", "aGVsbG8gd", "hello "},
		{"as it is", "8bit", "a=3D", "a=3D"},
		{"unknown", "x-own", "a=3D", "a=3D"},
	} {
		if got := string(untransfer(c.encoding, []byte(c.body))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	in := "a\x00b\u200bc\u00a0d\u202fe\r\nf\u2028g \U0001F469\u200d\U0001F680 \u202ah\u3000\xff"
	if got, want := clean(in), "abc d e\nf\ng \U0001F469\u200d\U0001F680 h\u3000\uFFFD"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHTMLLines(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"lines of Gmail", "<div>a</div><div><br></div><div>b<br>c</div>", "a\n\nb\nc"},
		{"paragraphs", "<p>a</p>\n<p>b\n c</p>", "a\n\nb c"},
		{"paragraphs of Outlook", "<p class=MsoNormal>a</p><p class=MsoNormal>b</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>c</p>", "a\nb\n\nc"},
		{"a list", "a<ul><li>b</li><li>c</li></ul>d", "a\n\n- b\n- c\n\nd"},
		{"words across elements", "<b>wo</b>rds <i>and</i> <u>more</u>", "words and more"},
		{"raw text", "<pre>a\n  b</pre>c", "a\n  b\nc"},
		{"a quote", "a<blockquote type=cite>b<blockquote>c</blockquote>d</blockquote>e", "a\n\ne"},
		{"a quote that is not closed", "a<blockquote class=gmail_quote>b", "a"},
		{"own words moved to the right", "a<blockquote style='margin:0 0 0 40px; border:none'>b</blockquote>", "a\nb"},
		{"closed twice", "a</blockquote></pre></div>b", "a\nb"},
		{"a signature", "a<div class=gmail_signature><div>b</div></div>c", "a\nc"},
		{"the rest is older", "a<div id=appendonsend></div>b", "a"},
		{"the rest is older, by a line", "a<div style='border:none; border-top:solid #E1E1E1 1.0pt'>b</div>c", "a"},
		{"hidden", "a<span style='display: none'>b</span><div hidden>c</div><style>d</style>e", "a\ne"},
		{"a script", "a<script>document.write('<p>b')</script>", "a"},
		{"a comment", "a<!-- b -->c", "ac"},
		{"a picture", "a<img alt=b src=c>d", "ad"},
		{"a line of its own", "a<hr>b", "a\n\nb"},
	} {
		if got := own(htmlLines(c.page)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := htmlLines(strings.Repeat("<br>", 2*maxLines)); len(got) != maxLines {
		t.Errorf("%d lines, want %d", len(got), maxLines)
	}
}
