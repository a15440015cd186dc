package wadouble

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"
)

func TestMediaToTheBot(t *testing.T) {
	inBubble(t, func(b *bot) {
		anna, to := b.server.Account("15550000001"), b.server.Account("15550000000").LID()
		for kind, message := range map[whatsmeow.MediaType]func(Media) []*waE2E.Message{
			whatsmeow.MediaImage: func(m Media) []*waE2E.Message {
				return []*waE2E.Message{Image(m, "look"), Sticker(m), ViewOnce(Image(m, ""))}
			},
			whatsmeow.MediaVideo: func(m Media) []*waE2E.Message { return []*waE2E.Message{Video(m, ""), VideoNote(m)} },
			whatsmeow.MediaAudio: func(m Media) []*waE2E.Message { return []*waE2E.Message{Voice(m, 2), Audio(m, 3)} },
			whatsmeow.MediaDocument: func(m Media) []*waE2E.Message {
				return []*waE2E.Message{Document(m, "a.txt", "text/plain", "read"), Document(m, "a.txt", "text/plain", "")}
			},
		} {
			file := bytes.Repeat([]byte(kind), 100)
			for _, m := range message(b.server.Upload(kind, file)) {
				e := b.message(anna.Send(to, m, Opts{}))
				got, err := b.Download(b.Context(), words(e.RawMessage).file)
				if err != nil || !bytes.Equal(got, file) {
					b.Errorf("%s: the bot downloads %d bytes, %v", kind, len(got), err)
				}
			}
		}
	})
}

func TestMediaOfTheBot(t *testing.T) {
	inBubble(t, func(b *bot) {
		anna := b.server.Account("15550000001")
		file := []byte("a document")
		up, err := b.Upload(b.Context(), file, whatsmeow.MediaDocument)
		if err != nil {
			b.Fatal(err)
		}
		id := b.send(anna.PN(), &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
			URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
			FileSHA256: up.FileSHA256, FileEncSHA256: up.FileEncSHA256, FileLength: &up.FileLength,
			Mimetype: proto.String("text/plain"), FileName: proto.String("a.txt"), Caption: proto.String("read"),
		}})
		got := b.shown(anna, b.server.Account("15550000000").LID(), id)
		if !bytes.Equal(got.File, file) || got.MIME != "text/plain" || got.Name != "a.txt" || got.Text != "read" {
			b.Errorf("a document is shown as %+v", got)
		}
	})
}

func TestMediaFaults(t *testing.T) {
	inBubble(t, func(b *bot) {
		s := b.server
		m := Image(s.Upload(whatsmeow.MediaImage, []byte("picture")), "").ImageMessage
		s.Fail(Fault{Kind: UploadError, Code: http.StatusServiceUnavailable})
		if _, err := b.Upload(b.Context(), []byte("x"), whatsmeow.MediaImage); err == nil || !strings.Contains(err.Error(), "503") {
			b.Errorf("a failing upload: %v", err)
		}
		if _, err := b.Upload(b.Context(), []byte("x"), whatsmeow.MediaImage); err != nil {
			b.Errorf("the next upload: %v", err)
		}
		for status, want := range map[int]error{
			http.StatusForbidden: whatsmeow.ErrMediaDownloadFailedWith403,
			http.StatusNotFound:  whatsmeow.ErrMediaDownloadFailedWith404,
			http.StatusGone:      whatsmeow.ErrMediaDownloadFailedWith410,
		} {
			s.Fail(Fault{Kind: DownloadError, Code: status})
			if _, err := b.Download(b.Context(), m); !errors.Is(err, want) {
				b.Errorf("a download that gets %d: %v", status, err)
			}
		}
		s.Fail(Fault{Kind: DownloadError, Code: http.StatusServiceUnavailable, Times: 2})
		if got, err := b.Download(b.Context(), m); string(got) != "picture" {
			b.Errorf("a download at the third attempt: %q, %v", got, err)
		}
	})
}

func TestMediaSwollen(t *testing.T) {
	inBubble(t, func(b *bot) {
		m := b.server.Upload(whatsmeow.MediaImage, []byte("picture"))
		b.server.Swell(m, 1<<20)
		if got, err := b.Download(b.Context(), Image(m, "").ImageMessage); !errors.Is(err, whatsmeow.ErrInvalidMediaEncSHA256) {
			b.Errorf("a swollen download gives %d bytes, %v", len(got), err)
		}
	})
}

// A file that the hosts have lost is uploaded again by the phone, if it has it.
func TestMediaUploadedAgain(t *testing.T) {
	inBubble(t, func(b *bot) {
		anna, to := b.server.Account("15550000001"), b.server.Account("15550000000").LID()
		m := b.server.Upload(whatsmeow.MediaImage, []byte("picture"))
		b.server.Expire(m, http.StatusGone)
		e := b.message(anna.Send(to, Image(m, ""), Opts{}))
		image := e.Message.GetImageMessage()
		if _, err := b.Download(b.Context(), image); !errors.Is(err, whatsmeow.ErrMediaDownloadFailedWith410) {
			b.Fatalf("an expired file: %v", err)
		}
		told, err := b.askAgain(e)
		if err != nil {
			b.Fatal(err)
		}
		image.DirectPath = &told
		if got, err := b.Download(b.Context(), image); string(got) != "picture" {
			b.Errorf("after asking: %q, %v", got, err)
		}
		b.server.Delete(Media{DirectPath: told})
		b.server.Delete(m)
		if path, err := b.askAgain(e); !errors.Is(err, whatsmeow.ErrMediaNotAvailableOnPhone) {
			b.Errorf("a deleted file is at %q, %v", path, err)
		}
	})
}

// askAgain asks the phone to upload the image of a message again, and returns where
// it is then.
func (b *bot) askAgain(of *events.Message) (directPath string, err error) {
	key := of.Message.GetImageMessage().GetMediaKey()
	if err := b.SendMediaRetryReceipt(b.Context(), &of.Info, key); err != nil {
		return "", err
	}
	e := await(b, func(e *events.MediaRetry) bool { return e.MessageID == of.Info.ID })
	told, err := whatsmeow.DecryptMediaRetryNotification(e, key)
	return told.GetDirectPath(), err
}
