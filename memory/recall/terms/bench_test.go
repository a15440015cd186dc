package terms

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkAppend reads messages of 23 words whose frequencies follow Zipf's law,
// a tenth with a number, an address or a hyphen, as a conversation has them.
func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name      string
		languages []string
	}{{"one language", []string{"en"}}, {"four languages", nil}} {
		b.Run(c.name, func(b *testing.B) {
			messages := conversation(20_000)
			a := New(c.languages)
			var tokens []Token
			words := 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				tokens = a.Append(tokens[:0], messages[i%len(messages)])
				words += len(tokens)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(words), "ns/token")
		})
	}
}

func conversation(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 200_000)
	functions := strings.Fields("the a i to and of you it in is that was for on my we have with so but are they this at be")
	messages := make([]string, n)
	for i := range messages {
		var words []string
		for range 23 {
			switch k := r.IntN(20); {
			case k < 9:
				words = append(words, functions[r.IntN(len(functions))])
			case k == 9:
				words = append(words, []string{"Anna's", "well-known", "2026-03-01,", "don’t", "1,299.50", "it’s"}[r.IntN(6)])
			default:
				words = append(words, invented(zipf.Uint64()))
			}
		}
		words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
		messages[i] = strings.Join(words, " ") + "."
	}
	return messages
}

// invented returns the nth word of an endless vocabulary.
func invented(n uint64) string {
	var word []byte
	for n += 40; n > 0; n /= 40 {
		word = append(word, "bdfgklmnprstvz"[n%8+n%7], "aeiou"[n%5])
	}
	return string(word) + []string{"", "s", "ing", "ed"}[len(word)%4]
}
