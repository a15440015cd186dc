package embed

import (
	"strings"
	"unicode/utf8"
)

const (
	mostTexts = 64      // of one request
	mostBytes = 200_000 // of one request, about; OpenAI takes 300,000 tokens
	longText  = 8000    // characters of a text that are sent
	shortText = 2000    // where that is too long for the model
)

// batch is the beginning of a list that goes into one request: at least one text.
func batch(texts []string) []string {
	n, size := 0, 0
	for n < min(len(texts), mostTexts) && (n == 0 || size+len(texts[n]) <= mostBytes) {
		size += len(texts[n])
		n++
	}
	return texts[:n]
}

// beginnings cuts texts, and makes them fit to be sent: OpenAI refuses an empty
// one.
func beginnings(texts []string, most int) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = strings.ToValidUTF8(beginning(t, most), "\uFFFD")
		if out[i] == "" {
			out[i] = " "
		}
	}
	return out
}

// beginning is the first most characters of a text.
func beginning(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
