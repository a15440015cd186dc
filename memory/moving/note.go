package moving

import "nacre/memory"

// Note is one note of a text.
type Note struct {
	Line      int // its number in the text, from 1
	Draft     memory.Draft
	Sensitive bool   // the text says that it is of a sensitive topic
	Left      string // why it is not to be taken over, as a sentence; empty if it is
}

// Why notes are left out before anybody decides on them.
const (
	outside = "It stands outside the list."
	letGo   = "It was let go, or waited to be decided on."
	ofGroup = "It is of a group, and stays there."
)
