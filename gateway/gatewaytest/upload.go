package gatewaytest

import (
	"bytes"
	"image"
	_ "image/jpeg" // for image.Decode
	_ "image/png"  // for image.Decode
	"io"
	"mime/multipart"
	"time"
	"unicode/utf16"
)

// What the server takes without a server of one's own.
// See https://core.telegram.org/bots/api#sending-files and #sendphoto.
const (
	captionLimit = 1024 // UTF-16 units
	fileLimit    = 50 << 20
	photoLimit   = 10 << 20
	photoSides   = 10000
	photoRatio   = 20
)

// SentFile is a file of the bot as people get it.
type SentFile struct {
	Kind string // "photo" or "document"
	Name string
	Data []byte
}

// fileName is the parameter with the name of the file in another parameter.
func fileName(parameter string) string { return parameter + " file_name" }

// readFiles reads the files of a form as parameters.
func (p Params) readFiles(form *multipart.Form) error {
	if form == nil {
		return nil
	}
	for name, headers := range form.File {
		f, err := headers[0].Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			return err
		}
		p[name], p[fileName(name)] = string(data), headers[0].Filename
	}
	return nil
}

// sendFile is sendPhoto and sendDocument.
func (b *BotAPI) sendFile(kind string, args Params) answer {
	if refused := b.unreachable(args); refused != "" {
		return badRequest(refused)
	}
	file := &SentFile{Kind: kind, Name: args[fileName(kind)], Data: []byte(args[kind])}
	if len(file.Data) > fileLimit {
		return refusal(413, "Request Entity Too Large")
	}
	caption, refused := visibleCaption(args)
	if refused == "" {
		refused = file.refused()
	}
	rows, wrong := buttons(args)
	if refused == "" {
		refused = wrong
	}
	if refused != "" {
		return badRequest(refused)
	}
	b.nextMessage++
	s := &Sent{ID: b.nextMessage, Chat: args.int("chat_id"), Thread: args["message_thread_id"], Text: caption, File: file, Buttons: rows, At: time.Now()}
	b.sent = append(b.sent, s)
	return result(s.object(b.me()))
}

func (f *SentFile) refused() string {
	switch {
	case f.Name == "":
		return "there is no file in the request"
	case len(f.Data) == 0:
		return "file must be non-empty"
	case f.Kind != "photo":
		return ""
	case len(f.Data) > photoLimit:
		return "file is too big for a photo"
	case bytes.HasPrefix(f.Data, []byte("RIFF")):
		return "" // WebP, which we cannot read
	}
	img, _, err := image.Decode(bytes.NewReader(f.Data))
	if err != nil {
		return "IMAGE_PROCESS_FAILED"
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	if w+h > photoSides || max(w, h) > photoRatio*min(w, h) {
		return "PHOTO_INVALID_DIMENSIONS"
	}
	return ""
}

// visibleCaption is what people see under a file; a caption may be absent.
func visibleCaption(args Params) (text, refused string) {
	if args["caption"] == "" {
		return "", ""
	}
	text, refused = visibleText(Params{"text": args["caption"], "parse_mode": args["parse_mode"]})
	if len(utf16.Encode([]rune(text))) > captionLimit {
		return "", "message caption is too long"
	}
	return text, refused
}
