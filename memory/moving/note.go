package moving

import "nacre/memory"

// Note is one note of a text.
type Note struct {
	File      string // in its Parcel; empty where that is one text
	Line      int    // its number in the text, from 1; 0 where there are no lines
	Draft     memory.Draft
	Sensitive bool   // the text says that it is of a sensitive topic
	Left      string // why it is not to be taken over, as a sentence; empty if it is

	// Quotes are the words that it rests on, in messages of the same Parcel; of our own
	// archive alone.
	Quotes []Quote
}

// Quote is words of a message that was taken over.
type Quote struct {
	Source        Source // this and the next two as in Said
	Chat, Message string
	Text          string
}

// Why notes are left out before anybody decides on them.
const (
	outside = "It stands outside the list."
	letGo   = "It was let go, or waited to be decided on."
	ofGroup = "It is of a group, and stays there."

	learnedStyle = "It is learned anew from your sent mail."
)
