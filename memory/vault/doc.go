// Package vault holds the keys under which everything private is stored: it
// seals and unseals records, and destroys the key of one record for good.
//
// # Keys
//
// Record keys are derived, never stored. Each owner has a key tree after
// Goldreich, Goldwasser and Micali ("How to construct random functions", 1986):
// a secret of 32 bytes stands for a whole range of record numbers, its two
// children, made by a one-way function, for the two halves, and a leaf for one
// record. To destroy a record's key, the node above it is replaced by the
// siblings along the path to the leaf. They open every other record as before,
// and nothing left leads to that leaf. Storing a record therefore writes no key,
// and forgetting one leaves old copies of the database sealed for it. The key of
// a record that is never used makes an owner's other secrets.
//
// # The key file
//
// The remaining nodes are in one small file that holds everything twice, in two
// slots which are overwritten in place, so that a crash at any moment leaves
// one of them whole and a destroyed node remains nowhere. That holds as far as
// the disk overwrites in place too: a copy of the key file, a file system that
// snapshots, or a flash disk's spare blocks may keep what was. Whoever has the
// key file can open what is sealed later as well. It does not belong in a
// backup of the data.
package vault
