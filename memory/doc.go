// Package memory is what Nacre believes of an Owner and how that changes.
//
// A message becomes Evidence, Evidence supports a Proposal, Review turns the
// Proposal into Ops or refuses it, and Fold makes Notes of Ops. Both are pure:
// they know no database, no model and no clock but the one in their input. A
// refusal is an Op too, so that the list of Ops is the whole history, and every
// view of memory can be made anew from it.
//
// What runs by itself is pure, too: Tidy finds what to archive, Promotions what to
// pin, and the Book carries it out.
//
// Whoever changes memory goes through Review: the chat, the page, an import,
// the command line, and what runs by itself. What they may do is decided there
// and nowhere else.
package memory
