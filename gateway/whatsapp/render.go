package whatsapp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/markup"
)

const (
	// textLimit is the length of a message in characters, as markup.WhatsApp cuts.
	textLimit = 4000

	// captionLimit is the length of the text under a file in characters. It is
	// documented for the business platform, whose messages the same apps show.
	// See https://developers.facebook.com/docs/whatsapp/cloud-api/messages/image-messages.
	captionLimit = 1024

	optionLimit = 200 // characters of an option's line
)

// answerByNumber stands under the options of a Reply.
const answerByNumber = "_Please answer with the number._"

// Render cuts a Reply into parts that WhatsApp shows whole: its text, with the
// options as numbered lines under the end of it, then its files. A short text stands
// under the file if there is one that can have a text.
func (c *Channel) Render(r nacre.Reply) []nacre.Part {
	var parts []nacre.Part
	for _, p := range markup.WhatsApp(r.Text) {
		parts = append(parts, nacre.Part{Text: p.Text})
	}
	if len(r.Options) > 0 {
		parts = offer(parts, r.Options)
		last := &parts[len(parts)-1]
		last.Question, last.Options = r.ID, r.Options
	}
	if len(r.Files) == 1 && len(parts) == 1 && captioned(&r.Files[0], parts[0].Text) {
		parts[0].File = &r.Files[0]
		return parts
	}
	for i := range r.Files {
		parts = append(parts, filePart(&r.Files[i]))
	}
	return parts
}

// offer puts options under the last part, or after it where they find no room.
func offer(parts []nacre.Part, options []string) []nacre.Part {
	blocks := numbered(options)
	if n := len(parts); n > 0 {
		joined := parts[n-1].Text + "\n\n" + blocks[0]
		if utf8.RuneCountInString(joined) <= textLimit {
			parts[n-1].Text, blocks = joined, blocks[1:]
		}
	}
	for _, b := range blocks {
		parts = append(parts, nacre.Part{Text: b})
	}
	return parts
}

// numbered is the lines of options, and the one that says what to do with them, in
// as few texts within the limit as may be: one for all that people can take in.
func numbered(options []string) []string {
	var texts []string
	var b strings.Builder
	room := textLimit
	add := func(s string) {
		n := utf8.RuneCountInString(s)
		if n > room {
			texts, room = append(texts, strings.TrimSpace(b.String())), textLimit
			b.Reset()
		}
		b.WriteString(s)
		room -= n
	}
	for i, o := range options {
		add(fmt.Sprintf("%d. %s\n", i+1, oneLine(o)))
	}
	add("\n" + answerByNumber)
	return append(texts, strings.TrimSpace(b.String()))
}

// oneLine is an option on one line that is not too long.
func oneLine(option string) string {
	s := []rune(strings.Join(strings.Fields(clean(option)), " "))
	if len(s) <= optionLimit {
		return string(s)
	}
	return string(s[:optionLimit-1]) + "…"
}

// captioned reports whether a text can stand under a file.
func captioned(f *nacre.File, text string) bool {
	m := mediumOf(f)
	return sendable(f) && m != asVoice && m != asAudio && utf8.RuneCountInString(text) <= captionLimit
}

// filePart is a file, or the sentence that it cannot be sent.
func filePart(f *nacre.File) nacre.Part {
	switch {
	case len(f.Data) == 0:
		return nacre.Part{Text: "I cannot send the file " + gateway.FileName(f.Name) + " because it is empty."}
	case !sendable(f):
		return nacre.Part{Text: "I cannot send the file " + gateway.FileName(f.Name) + " here, because it is larger than 100 MB."}
	}
	return nacre.Part{File: f}
}
