// Package moving reads what an owner brings from another assistant, or what Nacre
// exported, so that it can be taken over; and it writes what Nacre exports for that.
//
// A Parcel is one file or a zip of them. What each file is, is told by its name and its
// beginning (forms), and a reader for each form hands what it finds to a Receiver: notes
// as Drafts, jobs, what was said, and what is left out and why, each with its place.
// Nothing is decided here: whether a note is remembered is for Review to say, and
// whatever a text holds, it is notes or nothing.
//
// Everything that comes is hostile until it is read. Nothing is written to a path that
// an archive names, no number is taken on trust, and what is malformed is told by its
// place without its words, and takes nothing else with it.
package moving
