//go:build linux

package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// stamp is what each saying (m) and reminder (r) has of its own, and its answer repeats.
// What was edited (e) stands in the place of what was said, or comes once more beside it.
var stamp = regexp.MustCompile(`\b[mre]\d+\.`)

// sorry are answers of Nacre to what it could not answer, and what a model that is out
// of order gave for one.
var sorry = regexp.MustCompile(`language model|took too long|in circles|went wrong|could not fetch|zqhuge|zqodd|zqlong|zqfinish`)

// books are who said what and what they heard, since all was last at rest.
type books struct {
	mu   sync.Mutex
	open map[string][]string // what was said, by chat
	seen map[string]int      // what was heard before, by chat

	said, sorry int // of them all, and how many got words for a failure
}

func newBooks() *books { return &books{open: map[string][]string{}, seen: map[string]int{}} }

// owe notes that a mark is owed to a chat.
func (b *books) owe(chat, mark string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[chat] = append(b.open[chat], mark)
	b.said++
}

// lost lists what was neither answered nor refused in words. heard is all that each
// chat shows, oldest first.
func (b *books) lost(heard map[string][]string) (list []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for chat, said := range b.open {
		missing, _ := b.missing(chat, said, heard[chat])
		for _, m := range missing {
			list = append(list, chat+" "+m)
		}
	}
	slices.Sort(list)
	return list
}

// missing is what of a chat has no answer. Something else that was said for one stands
// for a whole turn, so it excuses all messages that are missing; no reminder, which asks
// no model.
func (b *books) missing(chat string, said, heard []string) (missing []string, excused int) {
	now := heard[min(b.seen[chat], len(heard)):]
	there := map[string]bool{}
	for _, text := range now {
		for _, m := range stamp.FindAllString(text, -1) {
			there[m] = true
		}
	}
	apology := slices.ContainsFunc(now, sorry.MatchString)
	for _, m := range said {
		switch {
		case there[m], there["e"+m[1:]]:
		case apology && m[0] == 'm':
			excused++
		default:
			missing = append(missing, m)
		}
	}
	return missing, excused
}

// close begins anew, once nothing is lost.
func (b *books) close(heard map[string][]string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for chat, said := range b.open {
		_, excused := b.missing(chat, said, heard[chat])
		b.sorry += excused
	}
	clear(b.open)
	for chat, texts := range heard {
		b.seen[chat] = len(texts)
	}
}

// doubled lists what was answered more than once without saying so, of all that a chat
// ever showed, and counts the repeats that say what they are.
func doubled(heard map[string][]string) (list []string, repeats int) {
	for _, chat := range slices.Sorted(maps.Keys(heard)) {
		plain := map[string]int{}
		for _, text := range heard[chat] {
			if strings.HasPrefix(text, label) {
				repeats++
				continue
			}
			once := stamp.FindAllString(text, -1)
			slices.Sort(once)
			for _, m := range slices.Compact(once) {
				plain[m]++
			}
		}
		for _, m := range slices.Sorted(maps.Keys(plain)) {
			if plain[m] > 1 && m[0] != 'e' {
				list = append(list, chat+" "+m)
			}
		}
	}
	return list, repeats
}

// The books notice what is lost and what is doubled, and nothing else.
func TestSoakNotices(t *testing.T) {
	for _, c := range []struct {
		name          string
		heard         []string
		lost, doubled int
	}{
		{"all is well", []string{"echo: m1. a", "echo: m2.\nm3."}, 0, 0},
		{"a lost answer", []string{"echo: m1. a", "echo: m3."}, 1, 0},
		{"nothing", nil, 3, 0},
		{"a part of a mark", []string{"echo: m1. a", "echo: m2.\nm33."}, 1, 0},
		{"an answer in words", []string{"echo: m1. a", "The language model gave no answer, twice. Please ask again."}, 0, 0},
		{"words that are no answer", []string{"echo: m1. a", "Remembered."}, 2, 0},
		{"a double", []string{"echo: m1. a", "echo: m2.\nm3.", "echo: m3."}, 0, 1},
		{"a labelled double", []string{"echo: m1. a", "echo: m2.\nm3.", label + "echo: m3."}, 0, 0},
		{"a labelled answer alone", []string{"echo: m1. a", label + "echo: m2.\nm3."}, 0, 0},
		{"an edit for an answer", []string{"echo: m1. a", "echo: e2.\nm3."}, 0, 0},
		{"an edit beside an answer", []string{"echo: m1. a", "echo: m2.\nm3.", "echo: e2."}, 0, 0},
		{"a word twice in one answer", []string{"echo: m1. m1.", "echo: m2.\nm3."}, 0, 0},
	} {
		b := newBooks()
		b.owe("x", "m0.")
		before := []string{"echo: m0."}
		b.close(map[string][]string{"x": before})
		for _, m := range []string{"m1.", "m2.", "m3."} {
			b.owe("x", m)
		}
		heard := map[string][]string{"x": append(before, c.heard...)}
		if lost := b.lost(heard); len(lost) != c.lost {
			t.Errorf("%s: lost %q, want %d", c.name, lost, c.lost)
		}
		if double, _ := doubled(heard); len(double) != c.doubled {
			t.Errorf("%s: doubled %q, want %d", c.name, double, c.doubled)
		}
	}
}
