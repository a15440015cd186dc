// Package terminal is the Channel over a terminal, in two halves that meet on a
// connection: Channel, in the server, to which any number of chats attach, and
// Chat, the program that a person sits in front of.
//
// Both speak in frames, JSON objects on one line each:
//
//	server → {"t":"ready"}                  the first frame: the chat is attached
//	chat   → {"t":"say","id":I,"text":…}    a message; I is the chat's own id of it
//	server → {"t":"stored","id":I}          message I is durable
//	server → {"t":"error","id":I,"text":…}  message I is refused for good, and why
//	server → {"t":"error","text":…}         something else is wrong
//	server → {"t":"part","id":D,"text":…}   show this; D is the id of the delivery
//	server → {"t":"part","id":D,"file":…,"text":…}  the same of a text file, by its name
//	chat   → {"t":"shown","id":D}           part D is on the screen
//	server → {"t":"typing"}                 an answer is being made
//
// Each side repeats what the other has not acknowledged, with the same id, and
// each side ignores ids that it knows. So a server that is killed at any moment
// loses and doubles nothing on a chat that stays open.
package terminal
