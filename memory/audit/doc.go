// Package audit is the Merkle log over memory: one leaf for every change and
// for every refused change, checkpoints that can be kept elsewhere, and the
// verifier that compares the two. It is pure: the ledger stores leaves, hashes
// and commitments in the transaction of the change itself.
//
// # No words
//
// A leaf says who changed or tried to change which record, when, over which
// channel and with what outcome, in codes and numbers. What was changed, the
// payload, stands beside the log; the leaf holds a commitment to it, keyed with
// a salt of its own. Once payload and salt are destroyed the commitment is
// noise, which cannot even confirm a guess, and the leaf proves what it proved
// before.
//
// # What it proves
//
// The hashes are those of RFC 6962, kept as golang.org/x/mod/sumdb/tlog numbers
// them. By themselves they show a leaf that was edited by somebody who did not
// also compute the hashes over it anew. Against a checkpoint kept where that
// person cannot write, they show any leaf before it that was edited, moved,
// added or removed, a history that was forged as a whole, and a log that was cut
// off or put back from an older copy.
//
// # What it cannot prove
//
// The log cannot show a change for which nobody wrote a leaf: that every
// writer uses it is up to the ledger. Without a checkpoint from outside, a
// history forged with all its hashes looks genuine, and so does an older copy.
// After the newest checkpoint that holds for the newest leaves alone. And
// whoever has the signing key can sign a forged history, though not replace the
// checkpoints that others already keep.
package audit
