// Package style learns how an owner writes from mails that they sent, and keeps it
// as one note of at most 500 characters without a fact in it.
//
// It takes Letters of a Mailbox, has a model describe them (or measures them where
// there is none), and hands the note to memory, where it stands as
// preferences/writing-style. What a model wrote is checked here, by rules: no name,
// address, number, date or place, no five words in a row of any letter, no order, and
// no word at all that is not one about writing. The text of mails is in memory while
// it is read, in the one request to the model, and nowhere else.
package style
