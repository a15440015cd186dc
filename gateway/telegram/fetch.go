package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"nacre"
)

// fetchTime is how long a file may take; Telegram gives at most 20 MB.
const fetchTime = 2 * time.Minute

// download names the request for a file's bytes, which is no method.
const download = "download"

// Fetch returns the bytes of an attachment of a Message of this channel. An
// empty ref is that of a file which was too large from the start. A Transient
// error means that Telegram could not be asked just now.
func (c *Channel) Fetch(ctx context.Context, ref string, most int64) ([]byte, error) {
	if ref == "" {
		return nil, tooLarge()
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	data, err := c.fetch(ctx, ref, most)
	if gone(err) {
		data, err = c.fetch(ctx, ref, most) // the link may have run out meanwhile
	}
	if err != nil {
		return nil, fetchError(err)
	}
	return data, nil
}

// fetch asks for a link, which is good for an hour, and follows it.
func (c *Channel) fetch(ctx context.Context, ref string, most int64) ([]byte, error) {
	var f struct {
		Path string `json:"file_path"`
		Size int64  `json:"file_size"`
	}
	if err := c.api.call(ctx, "getFile", params{"file_id": ref}, &f); err != nil {
		return nil, err
	}
	if f.Size > most {
		return nil, tooLarge()
	}
	return c.api.download(ctx, f.Path, most)
}

// download reads a file of at most that many bytes, whatever its announced
// length. Errors are tooLarge or a *failure.
func (a *api) download(ctx context.Context, path string, most int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.files+(&url.URL{Path: path}).EscapedPath(), nil)
	if err != nil {
		return nil, &failure{method: download, err: a.hide(err)}
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, &failure{method: download, asked: true, err: a.hide(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &failure{method: download, asked: true, status: resp.StatusCode, code: resp.StatusCode, words: http.StatusText(resp.StatusCode)}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err != nil {
		return nil, &failure{method: download, asked: true, status: resp.StatusCode, err: a.hide(err)}
	}
	if int64(len(data)) > most {
		return nil, tooLarge()
	}
	return data, nil
}

// gone reports whether Telegram says that there is no such file. It answers
// 400 to a handle that it cannot use now, and 404 to a link that ran out.
func gone(err error) bool {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return false
	}
	if f.method == download {
		return f.code == 404 || f.code == 410
	}
	return f.code == 400 && !f.tooBig()
}

func (f *failure) tooBig() bool { return f.says("too big") }

func tooLarge() error {
	return nacre.Errorf(nacre.Invalid, "This file is too large for me; please send a smaller one.")
}

// fetchError is the sentence for the person, or for the log if it may work
// later.
func fetchError(err error) error {
	f, ok := errors.AsType[*failure](err)
	switch {
	case !ok:
		return err
	case gone(err):
		return &nacre.Error{Kind: nacre.NotFound, Text: "This file can no longer be fetched from Telegram; please send it again.", Err: err}
	case f.code == 400:
		return tooLarge()
	case f.code == 401, f.code == 404:
		return &nacre.Error{Kind: nacre.Denied, Text: f.Error(), Err: f}
	default:
		return &nacre.Error{Kind: nacre.Transient, Text: fmt.Sprintf("the file could not be fetched just now: %v", f), After: f.after, Err: f}
	}
}
