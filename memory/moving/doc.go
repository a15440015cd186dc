// Package moving reads notes that another assistant wrote down, or that Nacre
// exported, so that they can be taken over.
//
// It only reads: what it returns are Drafts, with the numbers of their lines, and
// whether one is remembered is for Review to say. Whatever a text holds, it is notes
// or nothing.
package moving
