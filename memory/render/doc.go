// Package render turns Notes into bounded text: the memory section of prompts,
// MEMORY.md, the digest that is sent to chats, the export, the receipt of a
// forgetting, and the words in which people are told about statuses and reasons.
//
// Every function is pure: the same notes, in whatever order, give the same
// bytes. None of them decides who may see what. Callers pass the notes that
// memory.State.Select gave them, and all of those are shown or counted.
package render
