package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"go.mau.fi/whatsmeow"

	"nacre"
)

// fetchTime is how long a file may take, the phone's help included.
const fetchTime = 2 * time.Minute

// sealing is by how many bytes a file may grow when it is encrypted: padding to
// blocks of AES, and the beginning of an HMAC.
const sealing = 16 + 10

// Fetch returns the bytes of an attachment of a Message of this channel. A file that
// the servers have no more is asked of the phone that it was sent to, which has it
// for longer. A Transient error means that WhatsApp could not be asked just now.
func (c *Channel) Fetch(ctx context.Context, handle string, most int64) ([]byte, error) {
	var r ref
	if err := json.Unmarshal([]byte(handle), &r); err != nil {
		return nil, fileGone(err)
	}
	if r.Bytes > most {
		return nil, tooLarge()
	}
	l, err := c.current()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	data, err := l.download(ctx, &r, most)
	if gone(err) && l.renew(ctx, &r) {
		data, err = l.download(ctx, &r, most)
	}
	if err != nil {
		return nil, fetchError(err)
	}
	return data, nil
}

// download reads and decrypts a file of at most that many bytes.
func (l *line) download(ctx context.Context, r *ref, most int64) ([]byte, error) {
	ctx, end := allowing(ctx, most+sealing)
	defer end(nil)
	data, err := l.client.DownloadMediaWithPath(ctx, r.Path, r.Sealed, r.Hash, r.Key, whatsmeow.MediaType(r.Type), "", false)
	if cause := context.Cause(ctx); err != nil && nacre.KindOf(cause) == nacre.Invalid {
		return nil, cause
	}
	if int64(len(data)) > most {
		return nil, tooLarge()
	}
	return data, err
}

// gone reports whether the servers have the file no more, at least under its path.
func gone(err error) bool {
	return errors.Is(err, whatsmeow.ErrMediaDownloadFailedWith403) ||
		errors.Is(err, whatsmeow.ErrMediaDownloadFailedWith404) ||
		errors.Is(err, whatsmeow.ErrMediaDownloadFailedWith410)
}

// damaged reports whether what came is not what was sent.
func damaged(err error) bool {
	return errors.Is(err, whatsmeow.ErrInvalidMediaSHA256) ||
		errors.Is(err, whatsmeow.ErrInvalidMediaEncSHA256) ||
		errors.Is(err, whatsmeow.ErrInvalidMediaHMAC) ||
		errors.Is(err, whatsmeow.ErrTooShortFile)
}

func tooLarge() error {
	return nacre.Errorf(nacre.Invalid, "This file is too large for me; please send a smaller one.")
}

func fileGone(err error) error {
	return &nacre.Error{Kind: nacre.NotFound, Text: "This file can no longer be fetched from WhatsApp; please send it again.", Err: err}
}

// fetchError is the sentence for the person, or for the log if it may work later.
// Where a file lies is nobody's business.
func fetchError(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	switch {
	case nacre.KindOf(err) == nacre.Invalid:
		return err
	case gone(err):
		return fileGone(err)
	case damaged(err):
		return &nacre.Error{Kind: nacre.Invalid, Text: "This file arrived damaged; please send it again.", Err: err}
	default:
		return nacre.Errorf(nacre.Transient, "the file could not be fetched from WhatsApp just now: %w", err)
	}
}
