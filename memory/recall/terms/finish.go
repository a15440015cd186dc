package terms

// finish gives the tokens of a text what depends on the whole of it: the terms
// of the language it is in, which words have no meaning of their own, and which
// are names.
func (r *reader) finish(tokens []Token) {
	best := r.guess()
	for i := len(tokens) - 1; i >= 0; i-- {
		t, s := &tokens[i], r.seen[i]
		t.Name = s.written >= capital && r.lowers
		switch {
		case s.until > 0 && t.Kind == Exact:
			t.Stop = allStop(tokens[i+1 : s.until])
		case t.Kind == Gram:
			t.Stop = particle(t.Form)
		case t.Kind == Word:
			lang, ok := best[s.lexeme.script], len(r.a.fits[s.lexeme.script]) > 0
			if ok {
				t.Term = r.a.term(s.lexeme, lang)
			}
			t.Stop = s.lexeme.function.stop(lang) && !(t.Name && r.named(i, lang))
		}
	}
	if allStop(tokens) {
		for i := range tokens {
			tokens[i].Stop = false // it is all there is
		}
	}
}

// named reports whether a function word that is written with a capital is a name:
// "IT", "The Who". The capitals of German are politeness.
func (r *reader) named(i, lang int) bool {
	if r.seen[i].written == allCaps {
		return true
	}
	return i > 0 && r.seen[i-1].written != lowerCase && r.seen[i-1].lexeme.function.stop(lang) && r.a.languages[lang].code != "de"
}

func allStop(tokens []Token) bool {
	for _, t := range tokens {
		if !t.Stop {
			return false
		}
	}
	return true
}
