package whatsapp

import (
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"
)

// textMessage is a text that disappears after expiry seconds; 0 stays. Previews of
// links are made by who sends them, so that ours have none.
func textMessage(text string, expiry uint32) *waE2E.Message {
	if expiry == 0 {
		return &waE2E.Message{Conversation: proto.String(text)}
	}
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{
		Text: proto.String(text), ContextInfo: expires(expiry),
	}}
}

// expires is what makes a message disappear with the others of its chat; nil where
// they stay.
func expires(expiry uint32) *waE2E.ContextInfo {
	if expiry == 0 {
		return nil
	}
	return &waE2E.ContextInfo{Expiration: proto.Uint32(expiry)}
}

// fileMessage is an uploaded file with a text under it, which may be empty.
func fileMessage(f *attached, up *whatsmeow.UploadResponse, caption string, expiry uint32) *waE2E.Message {
	var text *string
	if caption != "" {
		text = proto.String(caption)
	}
	url, path, length := proto.String(up.URL), proto.String(up.DirectPath), proto.Uint64(up.FileLength)
	mime, context := proto.String(f.mime), expires(expiry)
	switch f.medium {
	case asImage:
		return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
			URL: url, DirectPath: path, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256,
			FileLength: length, Mimetype: mime, Caption: text, Width: f.width, Height: f.height, ContextInfo: context,
		}}
	case asVideo:
		return &waE2E.Message{VideoMessage: &waE2E.VideoMessage{
			URL: url, DirectPath: path, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256,
			FileLength: length, Mimetype: mime, Caption: text, ContextInfo: context,
		}}
	case asVoice, asAudio:
		return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
			URL: url, DirectPath: path, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256,
			FileLength: length, Mimetype: mime, Seconds: f.seconds, PTT: proto.Bool(f.medium == asVoice), ContextInfo: context,
		}}
	}
	document := &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
		URL: url, DirectPath: path, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256,
		FileLength: length, Mimetype: mime, Caption: text, FileName: proto.String(f.name), Title: proto.String(f.name),
		ContextInfo: context,
	}}
	if text == nil {
		return document
	}
	// Apps show the text under a document only where it comes wrapped.
	return &waE2E.Message{DocumentWithCaptionMessage: &waE2E.FutureProofMessage{Message: document}}
}
