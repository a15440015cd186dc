package terms

import "strings"

// maxGuess is how many words are looked at closely at the most.
const maxGuess = 40

// guess returns the language of the text for each script: the one whose function
// words it has most of, then whose letters and endings, then the preferred one.
func (r *reader) guess() (best [scripts]int) {
	for s, langs := range r.a.fits {
		if len(langs) > 0 {
			best[s] = langs[0]
		}
		if len(langs) > 1 && r.has(script(s)) {
			best[s] = r.guessAmong(langs, script(s))
		}
	}
	return best
}

func (r *reader) has(s script) bool {
	for _, w := range r.seen {
		if w.lexeme.script == s {
			return true
		}
	}
	return false
}

// guessAmong returns the language of the text among those of a script. What is
// part of something, as "de" of an address, says nothing.
func (r *reader) guessAmong(langs []int, s script) int {
	r.scores = append(r.scores[:0], make([]int, len(r.a.languages))...)
	for i := 0; i < len(r.seen); i = max(i+1, r.seen[i].until) {
		if f := r.seen[i].lexeme.function; f.always != 0 {
			for _, l := range langs {
				r.scores[l] += 4 * int(f.always>>l&1)
			}
		}
	}
	if l, alone := leader(r.scores, langs); alone {
		return l
	}
	for i := 0; i < min(len(r.seen), maxGuess); i = max(i+1, r.seen[i].until) {
		if w := r.seen[i].lexeme; w.script == s {
			for _, l := range langs {
				r.scores[l] += r.a.languages[l].resembles(w) + int(w.function.sometimes>>l&1)
			}
		}
	}
	l, _ := leader(r.scores, langs)
	return l
}

// leader returns the language with the highest score, the preferred one of
// equals, and whether it leads alone.
func leader(scores []int, langs []int) (int, bool) {
	best, alone := langs[0], scores[langs[0]] > 0
	for _, l := range langs[1:] {
		switch {
		case scores[l] > scores[best]:
			best, alone = l, true
		case scores[l] == scores[best]:
			alone = false
		}
	}
	return best, alone
}

// resembles says how much a word looks like one of the language, 0 to 4.
func (l *language) resembles(w *lexeme) int {
	if w.word != w.form && strings.ContainsAny(w.word, l.letters) {
		return 3
	}
	if l.lexicon().irregular(w.word) {
		return 2
	}
	for ending := range strings.FieldsSeq(l.endings) {
		if len(w.word) > len(ending)+1 && strings.HasSuffix(w.word, ending) {
			return 1
		}
	}
	return 0
}
