package wire

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const testKey = "sk-secret-0123456789"

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		header string // the seconds, and after a bar the milliseconds
		want   time.Duration
	}{
		{"7|1500", 1500 * time.Millisecond},
		{"7|soon", 7 * time.Second},
		{"|0", 0},
		{"", 0},
		{"7", 7 * time.Second},
		{"0.5", 500 * time.Millisecond},
		{"-3", 0},
		{"soon", 0},
		{"NaN", 0},
		{"1e300", maxAfter * time.Second},
		{"Fri, 01 May 2026 12:01:30 GMT", 90 * time.Second},
		{"Fri, 01 May 2026 11:00:00 GMT", 0},
	}
	for _, tt := range tests {
		seconds, millis, _ := strings.Cut(tt.header, "|")
		h := http.Header{}
		h.Set("Retry-After", seconds)
		h.Set("retry-after-ms", millis)
		if got := retryAfter(h, now); got != tt.want {
			t.Errorf("%q: got %v; want %v", tt.header, got, tt.want)
		}
	}
}

func TestPresentable(t *testing.T) {
	long := strings.Repeat("é", 299)
	tests := []struct{ name, words, want string }{
		{"plain", "slow down", "slow down"},
		{"blanks", " a\r\n\tb\u0000c  d ", "a b c d"},
		{"key", "the key (" + testKey + ") is bad", "the key ([key]) is bad"},
		{"key at the cut", strings.Repeat("x ", 145) + testKey, strings.Repeat("x ", 145) + "[key]"},
		{"no UTF-8", "a\xffb", "a\uFFFDb"},
		{"exactly 300", long + "é", long + "é"},
		{"longer", long + "éé", long + "…"},
	}
	for _, tt := range tests {
		got := presentable(tt.words, testKey)
		if got != tt.want || utf8.RuneCountInString(got) > maxWords {
			t.Errorf("%s: got %q; want %q", tt.name, got, tt.want)
		}
	}
}
