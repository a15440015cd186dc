// Package recall finds, among everything that was ever said in an owner's chats,
// the few messages that matter to a question.
//
// Words are compared as package terms analyses them, the same for messages and
// questions. An Index holds for each owner, in memory and nowhere else, which
// message has which words, and next to nothing of its text: the texts of the best
// are read from the Store when they are shown. It is built from there, newest
// first, and may be dropped at any time.
package recall
