package whatsapp

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"math"
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// file is a file of a message.
type file struct {
	kind nacre.AttachmentKind
	name string // as the sender's app gave it
	mime string
	once bool // to be seen once
	ref  ref
}

// ref is everything that is needed to fetch a file, or to ask the phone for it
// anew. Written as JSON it is the Ref of an Attachment.
type ref struct {
	Path   string `json:"p"`           // on WhatsApp's media servers
	Key    []byte `json:"k"`           // of the encryption
	Hash   []byte `json:"h"`           // SHA-256 of the file
	Sealed []byte `json:"e"`           // SHA-256 of the file as it is encrypted
	Bytes  int64  `json:"n,omitempty"` // as the sender claims
	Type   string `json:"t"`           // whatsmeow.MediaType

	ID     string `json:"i"`           // of the message
	Chat   string `json:"c"`           // as the server addressed it
	Sender string `json:"s,omitempty"` // in a group
	Mine   bool   `json:"m,omitempty"` // sent from the account itself
}

// downloadable is what the kinds of files have in common.
type downloadable interface {
	whatsmeow.DownloadableMessage
	GetMimetype() string
	GetFileLength() uint64
	GetContextInfo() *waE2E.ContextInfo
}

// readFile reads the message's file, with what it is to people.
func readFile(m *waE2E.Message) (content, bool) {
	switch {
	case m.ImageMessage != nil:
		i := m.ImageMessage
		return carried(i, nacre.Photo, "photo", "", i.GetCaption(), i.GetViewOnce()), true
	case m.AudioMessage != nil && m.AudioMessage.GetPTT():
		return carried(m.AudioMessage, nacre.Voice, "voice message", "", "", m.AudioMessage.GetViewOnce()), true
	case m.AudioMessage != nil:
		return carried(m.AudioMessage, nacre.Audio, "audio", "", "", m.AudioMessage.GetViewOnce()), true
	case m.VideoMessage != nil && m.VideoMessage.GetGifPlayback():
		return carried(m.VideoMessage, nacre.Animation, "animation", "", m.VideoMessage.GetCaption(), m.VideoMessage.GetViewOnce()), true
	case m.VideoMessage != nil:
		return carried(m.VideoMessage, nacre.Video, "video", "", m.VideoMessage.GetCaption(), m.VideoMessage.GetViewOnce()), true
	case m.PtvMessage != nil:
		return carried(m.PtvMessage, nacre.Video, "video message", "", m.PtvMessage.GetCaption(), m.PtvMessage.GetViewOnce()), true
	case m.DocumentMessage != nil:
		d := m.DocumentMessage
		return carried(d, nacre.Document, "document", cmp.Or(d.GetFileName(), d.GetTitle()), d.GetCaption(), false), true
	case m.StickerMessage != nil:
		return carried(m.StickerMessage, nacre.Sticker, "sticker", m.StickerMessage.GetEmojis(), "", false), true
	}
	return content{}, false
}

// carried is the content of a message with a file. title is what a label calls it.
func carried(d downloadable, kind nacre.AttachmentKind, words, title, caption string, once bool) content {
	mime, _, _ := strings.Cut(clean(d.GetMimetype()), ";")
	f := &file{kind: kind, mime: strings.TrimSpace(mime), once: once, ref: ref{
		Path:   clean(d.GetDirectPath()),
		Key:    d.GetMediaKey(),
		Hash:   d.GetFileSHA256(),
		Sealed: d.GetFileEncSHA256(),
		Bytes:  int64(min(d.GetFileLength(), math.MaxInt64)),
		Type:   string(whatsmeow.GetMediaType(d)),
	}}
	if kind == nacre.Document {
		f.name = clip(clean(title), mostNamed)
	}
	return content{label: labelled(words, title), words: caption, file: f, context: d.GetContextInfo()}
}

// attachment is the file as the gateway keeps it, for a message that came in the
// source; false if its sender left out what is needed to fetch it.
func (f *file) attachment(id types.MessageID, s *types.MessageSource) (nacre.Attachment, bool) {
	r := f.ref
	if !strings.HasPrefix(r.Path, "/") || len(r.Key) == 0 || len(r.Hash) != sha256.Size || len(r.Sealed) != sha256.Size {
		return nacre.Attachment{}, false
	}
	r.ID, r.Chat, r.Mine = clean(id), s.Chat.String(), s.IsFromMe
	if s.IsGroup {
		r.Sender = s.Sender.String()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nacre.Attachment{}, false
	}
	return nacre.Attachment{Kind: f.kind, Name: f.name, MIME: f.mime, Bytes: r.Bytes, Ref: string(text)}, true
}
