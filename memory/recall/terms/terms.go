// Package terms turns texts into the terms by which they are found: the same for
// what was said and for what is asked.
//
// A word becomes its Snowball stem without case and accents, an irregular form
// that of its base ("went" is "go"), writing without spaces single characters and
// pairs of them; numbers, addresses, names such as C++ and emoji stay what they
// are.
//
// The same letters may be the stems of different words in two languages, so that
// a stem of any language but English ends in a capital that stands for it: "auto"
// in a German message has the term "autoG". Terms of an owner with several
// languages therefore compare, and [Analyzer.Query] tries each of them.
package terms

// Kind says what sort of thing a Token is.
type Kind uint8

// The kinds.
const (
	Word  Kind = iota // reduced to its stem
	Exact             // kept as it is: a number, an identifier, an address, an emoji
	Gram              // a character, or two, of writing without spaces
)

// Token is one term of a text, and where it stands.
type Token struct {
	Term  string // as it is compared
	Form  string // the folded word that it was made of
	From  int    // byte of the text where it begins
	Place int    // its place among the words of the text; tokens of one word share it
	Kind  Kind
	Stop  bool // it carries no meaning of its own: not indexed, and asked for only when nothing else is
	Name  bool // a capital where no sentence begins, or all capitals
}
