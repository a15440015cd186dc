// Package canon puts texts into the forms in which they are compared. Whether
// a note quotes its message, whether a value was forgotten, and whether words
// may be kept at all is decided on these forms, never on the bytes that came
// in: full-width digits, soft hyphens, look-alike letters and odd spaces must
// not make a difference.
//
// [Form] is the canonical form; [Find] leads from a quote back to the bytes it
// was taken from; [Skeleton] is a second, looser key by appearance; [Words]
// are the words that carry a text's meaning. [Tag] and its kin are the keyed
// hashes of these that remain of a forgotten value. [Secret], [Topics] and
// [Instruction] say what a text is not to be kept for, or not unasked.
//
// Everything here is a pure function, safe for concurrent use, and never
// returns or logs the words that made it decide. The few tables are built when
// they are first needed.
package canon
