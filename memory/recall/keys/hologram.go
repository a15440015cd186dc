package keys

import "math"

// hologram is the notes as one memory in which words and notes are bound to each
// other and laid over one another, after Plate, "Holographic Reduced
// Representations" (IEEE Transactions on Neural Networks 6, 1995): binding is
// circular convolution, done in the frequency domain, where vectors are phasors of
// length 1 and it adds their angles. What a cue is unbound with echoes the notes
// that its words were bound to, over a noise that is known: see hear.
//
// Notes are spread over banks, so that none holds more than it can tell apart.
type hologram struct{ banks []*bank }

// bank is a trace of some notes.
type bank struct {
	trace  spectrum
	energy float64 // of what is bound in it: the sum of the squares of weights
	notes  []int
	places []string // of the notes, of which their vectors are made
	words  int
}

// maxBound is how many words a bank holds. The noise is then √(48/2·2048), a tenth
// of what one word of a cue is worth.
const maxBound = 48

// newHologram binds all words of notes to the notes.
func newHologram(notes []*note) *hologram {
	h := &hologram{}
	vectors := map[string]*vector{} // of the pieces, while this goes on
	for at, n := range notes {
		last := len(h.banks) - 1
		if last < 0 || h.banks[last].words+len(n.fields) > maxBound {
			h.banks = append(h.banks, &bank{})
			last++
		}
		h.banks[last].bind(at, n, vectors)
	}
	return h
}

// bind adds a note to a bank.
func (b *bank) bind(at int, n *note, vectors map[string]*vector) {
	var sum spectrum
	for _, f := range n.fields {
		for _, p := range pieces(f.Token, f.weight) {
			v := vectors[p.name]
			if v == nil {
				made := vectorOf("cue", p.name)
				v = &made
				vectors[p.name] = v
			}
			sum.add(v, p.weight)
			b.energy += p.weight * p.weight
		}
	}
	value, turn := vectorOf("note", n.Place), phasors()
	for d := range sum {
		b.trace[d] += sum[d] * turn[value[d]]
	}
	b.notes, b.places, b.words = append(b.notes, at), append(b.places, n.Place), b.words+len(n.fields)
}

// echo is what comes back of one note.
type echo struct {
	at    int
	share float64 // of the cue, about 0 to 1
	noise float64 // the standard deviation of share where nothing fits
}

// hear unbinds a cue from every bank and compares what is left with the notes'
// vectors. The signs are the share of the cue that the loudest echo is, by how many
// dozens of deviations it stands out of the noise, at most one, and its lead over
// the second.
//
// The noise follows from the sizes alone. Each of the pairs that a bank holds and
// that do not fit leaves, in dims random phases, a deviation of
// √(energy of the cue · energy of the bank / 2·dims).
func (s *Set) hear(text string) (int, signs, bool) {
	open, energy, all := s.sound(text)
	if all == 0 || len(s.notes) == 0 {
		return 0, signs{}, false
	}
	var first, second echo
	for _, b := range s.trace().banks {
		noise := math.Sqrt(b.energy*energy/(2*dims)) / all
		for i, share := range b.unbind(&open) {
			e := echo{b.notes[i], share / all, noise}
			if e.share > first.share {
				first, second = e, first
			} else if e.share > second.share {
				second = e
			}
		}
	}
	if first.share <= 0 {
		return 0, signs{}, false
	}
	loud := min(first.share/first.noise/dozen, 1)
	lead := first.share - max(second.share, chance)
	return first.at, signs{first.share, loud, lead, s.many()}, true
}

// sound is the sum of a cue's words, with its energy and the weight of all of them.
func (s *Set) sound(text string) (open spectrum, energy, all float64) {
	for _, w := range s.cue(text, false) {
		all += w.weight
		for _, p := range pieces(w.Token, w.weight) {
			v := vectorOf("cue", p.name)
			open.add(&v, p.weight)
			energy += p.weight * p.weight
		}
	}
	return open, energy, all
}

const (
	// dozen deviations are more than noise ever has.
	dozen = 12
	// chance is what pieces that words share by chance make of a cue: no lead over
	// less than that means anything.
	chance = 0.2
)

// unbind returns how much of a cue comes back of each note.
func (b *bank) unbind(cue *spectrum) []float64 {
	var left spectrum
	for d := range left {
		left[d] = b.trace[d] * complex(real(cue[d]), -imag(cue[d]))
	}
	list := make([]float64, len(b.notes))
	turn := phasors()
	for i, place := range b.places {
		v := vectorOf("note", place)
		var sum float32
		for d := range left {
			t := turn[v[d]]
			sum += real(left[d])*real(t) + imag(left[d])*imag(t)
		}
		list[i] = float64(sum) / dims
	}
	return list
}
