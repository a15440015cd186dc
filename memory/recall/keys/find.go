package keys

// Find ranks the notes that have any of some words, or what they may be slips of,
// and returns at most so many; of equally good ones the earlier entries first. It
// returns none where no note has any.
func (s *Set) Find(words string, most int) []Match {
	list := s.index().answers(s.cue(words, true))
	rank(list)
	var found []Match
	for i := range list[:min(most, len(list))] {
		found = append(found, Match{list[i].at, Fuzzy, s.signs(list, i).confidence(Fuzzy)})
	}
	return found
}
