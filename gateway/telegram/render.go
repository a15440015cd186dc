package telegram

import (
	"strings"
	"unicode"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/markup"
)

// captionLimit is the length of the text under a file in UTF-16 units.
// See https://core.telegram.org/bots/api#sendphoto.
const captionLimit = 1024

// pleaseChoose stands over the buttons of a Reply that says nothing else.
const pleaseChoose = "Please choose:"

// Render cuts a Reply into parts that Telegram accepts: its text, with the
// buttons under the end of it, then its files. A short text stands under the
// file if there is one.
func (c *Channel) Render(r nacre.Reply) []nacre.Part {
	parts := texts(r.Text)
	if len(parts) == 0 && len(r.Options) > 0 {
		parts = []nacre.Part{{Text: pleaseChoose}}
	}
	if n := len(parts); n > 0 && len(r.Options) > 0 {
		parts[n-1].Question, parts[n-1].Options = r.ID, r.Options
	}
	if len(r.Files) == 1 && len(parts) == 1 && length(parts[0]) <= captionLimit && sendable(&r.Files[0]) {
		parts[0].File = &r.Files[0]
		return parts
	}
	for i := range r.Files {
		parts = append(parts, filePart(&r.Files[i]))
	}
	return parts
}

// texts renders Markdown. A part that looks the same with and without markup
// has none.
func texts(markdown string) []nacre.Part {
	if prose(markdown) {
		return []nacre.Part{{Text: markdown}}
	}
	var parts []nacre.Part
	for _, p := range markup.Telegram(markdown) {
		if p.Text == p.Plain {
			p.Plain = ""
		}
		parts = append(parts, nacre.Part{Text: p.Text, Plain: p.Plain})
	}
	return parts
}

// prose reports whether a text is a short line of words as most answers are,
// in which nothing can be markup or a link, so that no parser is needed.
func prose(text string) bool {
	if text == "" || len(text) > textLimit || strings.Contains(text, "www.") {
		return false
	}
	before := ' '
	for i, r := range text {
		in := i > 0 && (r == ' ' && before != ' ' || unicode.IsDigit(r) || strings.ContainsRune(".,;!?'()…’", r))
		if !in && (!unicode.IsLetter(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)) {
			return false
		}
		before = r
	}
	return before != ' '
}

// length bounds how long people see a part, in UTF-16 units: Plain shows all
// that Text shows, and addresses.
func length(p nacre.Part) int {
	text := p.Plain
	if text == "" {
		text = p.Text
	}
	n := 0
	for _, r := range text {
		n += markup.UTF16(r)
	}
	return n
}

func sendable(f *nacre.File) bool { return len(f.Data) > 0 && len(f.Data) <= fileLimit }

// filePart is a file, or the sentence that it cannot be sent.
func filePart(f *nacre.File) nacre.Part {
	switch {
	case len(f.Data) == 0:
		return nacre.Part{Text: "I cannot send the file " + gateway.FileName(f.Name) + " because it is empty."}
	case !sendable(f):
		return nacre.Part{Text: "I cannot send the file " + gateway.FileName(f.Name) + " here, because Telegram takes no more than 50 MB."}
	}
	return nacre.Part{File: f}
}
