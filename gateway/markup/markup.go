// Package markup turns the Markdown of an answer into what a chat platform
// accepts, measured and split by that platform's own unit.
//
// It knows CommonMark with tables, strikethrough (~~two tildes~~), task lists,
// bare links and ||spoilers||, and it takes any text whatever: what is no
// markup, or only half of one, is shown as it was written. Tags of HTML are
// text too, except <br>.
//
// An answer becomes rich text first, which is flat: one string, and runs that
// say how its stretches are shown. Cutting that is as simple as cutting plain
// text, and every part is written from its own stretch alone, so that tags,
// fences and quotations are closed at its end and opened again in the next.
package markup

// Part is one message.
type Part struct {
	Text  string // with the platform's markup
	Plain string // the same to be read without markup, where the platform refuses it
}

// Telegram writes an answer in the HTML of the Bot API, for parse_mode HTML.
// The text of each part has at most 4,096 UTF-16 units once its tags are taken
// out, and at most 100 tags; Plain has at most 4,096 units. No part is blank
// in Telegram's eyes, and an answer with nothing to see has none.
func Telegram(markdown string) []Part {
	return telegram().parts(flatten(markdown, "• "))
}

// WhatsApp writes an answer with the marks that WhatsApp reads. Text and Plain
// of each part have at most 4,000 characters, marks included. No part is
// blank, and an answer with nothing to see has none.
func WhatsApp(markdown string) []Part {
	return whatsApp().parts(readable(flatten(markdown, "- ")))
}
