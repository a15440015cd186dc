// Package keys leads from what somebody calls a note to the note: from "what's my
// dog called" to people/dog, from "pyhton version" to about/python-version.
//
// A Set is the notes that one may see, filtered before they come here. Resolve
// takes a cue for one note, by steps, of which the first that is more likely right
// than wrong decides; Find ranks all notes that have any of some words. Both say
// how sure they are, and find nothing where nothing fits. Words are compared as
// package terms makes them, and never parts of words.
//
// # Which steps
//
// The steps were measured on the cues that testdata makes of 196 notes in six
// languages and up to a thousand more that are combined: exact, with a slip,
// reordered, partial, inflected, as questions; and on as many cues to notes that
// are not there and questions that no note answers. Half of the cues made the odds
// in signs.go, the other half gave this, in percent, as cues that find their note
// / cues to nothing that find something, among so many notes:
//
//	                                1        10       100      1,000
//	exact                         17/0     20/0     19/0      19/0
//	words                         70/0     72/0     70/5      65/3
//	overlap                       93/1     88/1     87/11     73/1
//	fuzzy                         99/0     98/1     97/7      92/1
//	hologram                     100/1     95/1     89/4      78/5
//	exact, words, overlap, fuzzy  99/1     99/2     98/11     92/3
//	exact, fuzzy, hologram       100/2     99/2     99/8      94/6
//	exact, fuzzy                  99/0     98/1     97/7      92/1
//
// So the usual steps are exact and fuzzy. Fuzzy has all that words and overlap
// have and weighs it with what is mistyped; with these before it, cues to nothing
// are taken for notes. The hologram comes close to it, and hears words that
// merely resemble each other; as a last step it finds a few notes more and takes
// as many wrong ones, at a hundred times the cost: it is there to be chosen.
// go test -run Measure -v prints the whole table.
package keys
