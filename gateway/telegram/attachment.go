package telegram

import (
	"cmp"
	"fmt"

	"nacre"
)

// fetchLimit is the size in bytes of the largest file that Telegram gives to a
// bot. See https://core.telegram.org/bots/api#getfile.
const fetchLimit = 20 << 20

// carried is the file of a message, with what it is to people.
type carried struct {
	kind  nacre.AttachmentKind
	words string // what a label calls it
	title string // what its sender called it
	file  file
}

// carried finds the file of a message. The order matters where Telegram fills
// in two fields: an animation is also a document. Formats that Telegram fixes
// and does not name are those of https://core.telegram.org/bots/api.
func (m *media) carried() (carried, bool) {
	switch {
	case len(m.Photo) > 0:
		return carried{nacre.Photo, "photo", "", m.largest().as("image/jpeg")}, true
	case m.Voice != nil:
		return carried{nacre.Voice, "voice message", "", m.Voice.as("audio/ogg")}, true
	case m.Audio != nil:
		return carried{nacre.Audio, "audio", cmp.Or(m.Audio.Title, m.Audio.Name), m.Audio.file}, true
	case m.Video != nil:
		return carried{nacre.Video, "video", m.Video.Name, *m.Video}, true
	case m.VideoNote != nil:
		return carried{nacre.Video, "video message", "", m.VideoNote.as("video/mp4")}, true
	case m.Animation != nil:
		return carried{nacre.Animation, "animation", m.Animation.Name, *m.Animation}, true
	case m.Document != nil:
		return carried{nacre.Document, "document", m.Document.Name, *m.Document}, true
	case m.Sticker != nil:
		return carried{nacre.Sticker, "sticker", m.Sticker.Emoji, m.Sticker.as(m.Sticker.format())}, true
	}
	return carried{}, false
}

// label says what the file is called, and whether it is out of reach.
func (c carried) label() string {
	if !c.tooLarge() {
		return labelled(c.words, c.title)
	}
	const megabyte = 1 << 20
	words := c.words
	if c.title != "" {
		words += ": " + c.title
	}
	return fmt.Sprintf("[%s, %d MB, too large to fetch]", words, (c.file.Size-1)/megabyte+1)
}

// attachment is the file as the gateway keeps it. One that is too large has no
// Ref, because nothing can be done with it.
func (c carried) attachment() nacre.Attachment {
	a := nacre.Attachment{Kind: c.kind, Name: c.file.Name, MIME: c.file.MIME, Bytes: max(c.file.Size, 0), Ref: c.file.ID}
	if c.tooLarge() {
		a.Ref = ""
	}
	return a
}

func (c carried) tooLarge() bool { return c.file.Size > fetchLimit }

// largest is the photo at its largest within the limit, or else at its
// smallest.
func (m *media) largest() file {
	best := m.Photo[0]
	for _, p := range m.Photo[1:] {
		fits, larger := p.Size <= fetchLimit, p.Width*p.Height > best.Width*best.Height
		if fits && (larger || best.Size > fetchLimit) {
			best = p
		}
	}
	return best.file
}

// as fills in the format of a file that does not name its own.
func (f file) as(mime string) file {
	f.MIME = cmp.Or(f.MIME, mime)
	return f
}

func (s *sticker) format() string {
	switch {
	case s.Animated:
		return "application/x-tgsticker"
	case s.Video:
		return "video/webm"
	default:
		return "image/webp"
	}
}
