package telegram

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// failure is a call of the Bot API that did not succeed. Its words hold no
// token.
type failure struct {
	method string
	asked  bool          // the request may have reached the server
	status int           // of HTTP; 0 if no answer began
	code   int           // of Telegram; 0 if nothing came that Telegram would say
	words  string        // Telegram's description
	after  time.Duration // how long Telegram asks us to wait
	moved  int64         // the id under which the chat goes on; 0 if it does not move
	err    error         // what went wrong, if Telegram said nothing
}

func (f *failure) Error() string {
	switch {
	case f.code != 0:
		return fmt.Sprintf("%s: Telegram answered %d %s", f.method, f.code, unquoted(f.words))
	case f.status != 0:
		return fmt.Sprintf("%s: unreadable answer with HTTP status %d: %v", f.method, f.status, f.err)
	default:
		return fmt.Sprintf("%s: no answer: %v", f.method, f.err)
	}
}

// unquoted is a description without what it quotes, which may be words that were to be
// sent, such as a tag that Telegram does not know. Errors are logged.
func unquoted(words string) string {
	if before, _, quotes := strings.Cut(words, `"`); quotes {
		return before + "…"
	}
	return words
}

func (f *failure) Unwrap() error { return f.err }

// says reports whether Telegram's description contains words, whatever their
// case.
func (f *failure) says(words string) bool {
	return strings.Contains(strings.ToLower(f.words), words)
}

func (a *api) failure(method string, x *exchange, err error) *failure {
	f := &failure{method: method, asked: x.asked.Load(), status: x.status}
	refusal, ok := errors.AsType[*tgbotapi.Error](err)
	if !ok {
		f.err = a.hide(err)
		return f
	}
	f.code = refusal.Code
	if f.code == 0 && f.status >= 400 {
		f.code = f.status
	}
	f.words = clip(a.scrub.Replace(refusal.Message))
	f.after = time.Duration(refusal.RetryAfter) * time.Second
	f.moved = refusal.MigrateToChatID
	if f.code == 0 {
		f.err = errors.New("it says that it failed, without a reason")
	}
	return f
}

// clip bounds words that come from a server.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "")
}

// scrubber replaces a bot token wherever it stands in a text: whole, as URLs
// escape it, or only its secret half, which follows the bot's id and a colon.
func scrubber(token string) *strings.Replacer {
	forms := []string{token, url.PathEscape(token), url.QueryEscape(token)}
	if _, secret, ok := strings.Cut(token, ":"); ok {
		forms = append(forms, secret)
	}
	var pairs []string
	for _, form := range forms {
		if form != "" {
			pairs = append(pairs, form, "[token]")
		}
	}
	return strings.NewReplacer(pairs...)
}

// hidden is an error that can be compared with errors.Is but not unwrapped,
// because the errors inside print the request's URL and with it the token.
type hidden struct {
	words string
	err   error
}

func (h *hidden) Error() string        { return h.words }
func (h *hidden) Is(target error) bool { return errors.Is(h.err, target) }

func (a *api) hide(err error) error {
	words := err.Error()
	if u, ok := errors.AsType[*url.Error](err); ok {
		words = u.Err.Error()
	}
	return &hidden{words: clip(a.scrub.Replace(words)), err: err}
}

// topicGone reports whether the topic that was sent to is deleted or closed.
func (f *failure) topicGone() bool {
	return f.says("message thread not found") || f.says("topic_deleted") || f.says("topic_closed") || f.says("topic_id_invalid")
}
