package wire

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxRefusal = 64 << 10 // bytes read of the body of a refused request
	maxWords   = 300      // characters of a provider's message that are kept
	maxAfter   = 1e9      // seconds; a longer Retry-After would overflow
)

// refusal reads the answer to a request that was not accepted.
func refusal(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	p := readComplaint(bytes.TrimSpace(body)).problem(resp.StatusCode)
	if p.Words == "" {
		p.Words = http.StatusText(resp.StatusCode)
	}
	p.After = retryAfter(resp.Header, time.Now())
	return p
}

// retryAfter reads how long to wait: retry-after-ms, which OpenAI and Anthropic
// send for precision, else Retry-After as seconds or a date (RFC 9110, section
// 10.2.3). It is 0 for a past date and for anything else.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d := span(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	s := h.Get("Retry-After")
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(now))
	}
	return span(s, time.Second)
}

// span reads a positive number of units.
func span(s string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return time.Duration(min(n, maxAfter) * float64(unit))
}

// presentable makes one short line of a provider's words, without the key and
// without what providers show of a refused key ("sk-ab***yz").
func presentable(words, key string) string {
	if key != "" {
		words = strings.ReplaceAll(words, key, "[key]")
	}
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(words, "\uFFFD"))
	fields := strings.Fields(words)
	for i, f := range fields {
		if strings.Contains(f, "***") {
			fields[i] = "[key]"
		}
	}
	return cut(strings.Join(fields, " "))
}

func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxWords {
		return s
	}
	return string([]rune(s)[:maxWords-1]) + "…"
}
