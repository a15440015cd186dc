package gateway

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("é", 100)
	tests := []struct{ name, want string }{
		{"a.txt", "a.txt"},
		{"", "file"},
		{" . ", "file"},
		{"\xff", "file"},
		{"..", "file"},
		{"/etc/passwd", "passwd"},
		{`C:\temp\a.txt`, "a.txt"},
		{"a\r\nb\x00.txt", "ab.txt"},
		{"invoice\u202Etxt.exe", "invoicetxt.exe"},
		{`a"b<c>.txt`, "a b c .txt"},
		{"\xff\xfe.txt", "txt"},
		{"отчёт.pdf", "отчёт.pdf"},
		{long + ".txt", long[:96] + ".txt"},
		{"x." + long, ("x." + long)[:100]},
	}
	for _, test := range tests {
		if got := FileName(test.name); got != test.want || len(got) > nameLimit || !utf8.ValidString(got) {
			t.Errorf("FileName(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}
