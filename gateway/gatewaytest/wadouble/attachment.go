package wadouble

import (
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"
)

// Image is a picture; the caption may be empty, here and below.
func Image(f Media, caption string) *waE2E.Message {
	return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
		URL: &f.URL, DirectPath: &f.DirectPath, MediaKey: f.Key,
		FileSHA256: f.SHA256, FileEncSHA256: f.EncSHA256, FileLength: &f.Length,
		Mimetype: proto.String("image/jpeg"), Caption: given(caption),
	}}
}

// Video is a film.
func Video(f Media, caption string) *waE2E.Message {
	return &waE2E.Message{VideoMessage: film(f, caption)}
}

// VideoNote is a film that was taken in the chat and is shown as a circle.
func VideoNote(f Media) *waE2E.Message {
	return &waE2E.Message{PtvMessage: film(f, "")}
}

func film(f Media, caption string) *waE2E.VideoMessage {
	return &waE2E.VideoMessage{
		URL: &f.URL, DirectPath: &f.DirectPath, MediaKey: f.Key,
		FileSHA256: f.SHA256, FileEncSHA256: f.EncSHA256, FileLength: &f.Length,
		Mimetype: proto.String("video/mp4"), Caption: given(caption),
	}
}

// Voice is what somebody said into the phone, of so many seconds.
func Voice(f Media, seconds uint32) *waE2E.Message {
	m := sound(f, "audio/ogg; codecs=opus", seconds)
	spoken := true
	m.AudioMessage.PTT = &spoken
	return m
}

// Audio is a piece of music or another recording.
func Audio(f Media, seconds uint32) *waE2E.Message { return sound(f, "audio/mpeg", seconds) }

func sound(f Media, kind string, seconds uint32) *waE2E.Message {
	return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
		URL: &f.URL, DirectPath: &f.DirectPath, MediaKey: f.Key,
		FileSHA256: f.SHA256, FileEncSHA256: f.EncSHA256, FileLength: &f.Length,
		Mimetype: &kind, Seconds: &seconds,
	}}
}

// Document is a file with its name and MIME type. With a caption it has another
// shape than without.
func Document(f Media, name, kind, caption string) *waE2E.Message {
	m := &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
		URL: &f.URL, DirectPath: &f.DirectPath, MediaKey: f.Key,
		FileSHA256: f.SHA256, FileEncSHA256: f.EncSHA256, FileLength: &f.Length,
		Mimetype: &kind, FileName: &name, Title: &name, Caption: given(caption),
	}}
	if caption == "" {
		return m
	}
	return &waE2E.Message{DocumentWithCaptionMessage: &waE2E.FutureProofMessage{Message: m}}
}

// Sticker is a small picture that stands for itself.
func Sticker(f Media) *waE2E.Message {
	return &waE2E.Message{StickerMessage: &waE2E.StickerMessage{
		URL: &f.URL, DirectPath: &f.DirectPath, MediaKey: f.Key,
		FileSHA256: f.SHA256, FileEncSHA256: f.EncSHA256, FileLength: &f.Length,
		Mimetype: proto.String("image/webp"),
	}}
}

// given is a text that is left out where it is empty.
func given(words string) *string {
	if words == "" {
		return nil
	}
	return &words
}
