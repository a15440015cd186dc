package gatewaytest

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Sent is a message of the bot, as people see it.
type Sent struct {
	ID      int64
	Chat    int64
	Thread  string // empty outside of topics
	Text    string // without markup; the caption where there is a File
	File    *SentFile
	Buttons [][]Button
	Edits   int
	Deleted bool
	At      time.Time // of the first version

	look string // what makes an edit one
}

// Know makes chats exist in which the bot was not spoken to.
func (b *BotAPI) Know(chats ...int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range chats {
		b.chats[id] = true
	}
}

// Sent returns the messages of the bot, in order of sending.
func (b *BotAPI) Sent() []Sent {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sentCopy()
}

func (b *BotAPI) sentCopy() []Sent {
	var all []Sent
	for _, s := range b.sent {
		all = append(all, *s)
	}
	return all
}

func (b *BotAPI) sendMessage(args Params) answer {
	if refused := b.unreachable(args); refused != "" {
		return badRequest(refused)
	}
	s := &Sent{Chat: args.int("chat_id"), Thread: args["message_thread_id"], At: time.Now()}
	if refused := s.show(args); refused != "" {
		return badRequest(refused)
	}
	b.nextMessage++
	s.ID = b.nextMessage
	b.sent = append(b.sent, s)
	return result(s.object(b.me()))
}

// unreachable says why nothing can be shown where a call wants it.
func (b *BotAPI) unreachable(args Params) string {
	switch {
	case !b.chats[args.int("chat_id")]:
		return "chat not found"
	case args["message_thread_id"] == "1":
		return "message thread not found" // General has this number, but takes none
	}
	return ""
}

// show gives a message the text and the buttons of a call, or says why not.
func (s *Sent) show(args Params) (refused string) {
	text, refused := visibleText(args)
	if refused != "" {
		return refused
	}
	rows, refused := buttons(args)
	if refused != "" {
		return refused
	}
	look := strings.Join([]string{args["parse_mode"], strings.TrimSpace(args["text"]), args["reply_markup"]}, "\n")
	if look == s.look {
		return "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"
	}
	s.Text, s.Buttons, s.look = text, rows, look
	return ""
}

func (b *BotAPI) editMessageText(args Params) answer {
	s := b.find(args)
	if s == nil {
		return badRequest("message to edit not found")
	}
	if refused := s.show(args); refused != "" {
		return badRequest(refused)
	}
	s.Edits++
	return result(s.object(b.me()))
}

func (b *BotAPI) deleteMessage(args Params) answer {
	s := b.find(args)
	if s == nil {
		return badRequest("message to delete not found")
	}
	s.Deleted = true
	return result(true)
}

func (b *BotAPI) sendChatAction(args Params) answer {
	if !b.chats[args.int("chat_id")] {
		return badRequest("chat not found")
	}
	if args["action"] == "" {
		return badRequest("wrong parameter action in request")
	}
	return result(true)
}

func (b *BotAPI) find(args Params) *Sent {
	for _, s := range b.sent {
		if s.ID == args.int("message_id") && s.Chat == args.int("chat_id") && !s.Deleted {
			return s
		}
	}
	return nil
}

func (s *Sent) object(me map[string]any) map[string]any {
	kind := "private"
	if s.Chat < 0 {
		kind = "supergroup"
	}
	return map[string]any{
		"message_id": s.ID, "date": s.At.Unix(), "text": s.Text, "from": me,
		"chat": map[string]any{"id": s.Chat, "type": kind},
	}
}

// textLimit is the length of a message in UTF-16 units, after its markup is
// taken out.
const textLimit = 4096

// AcceptsText reports whether Telegram takes a text without markup.
func AcceptsText(text string) bool {
	_, refused := visibleText(Params{"text": text})
	return refused == ""
}

// visibleText is what people see of a text, or why Telegram refuses it.
func visibleText(args Params) (text, refused string) {
	text = args["text"]
	switch {
	case text == "":
		return "", "message text is empty"
	case !utf8.ValidString(text):
		return "", "strings must be encoded in UTF-8"
	}
	if strings.EqualFold(args["parse_mode"], "HTML") {
		if text, refused = parseHTML(text); refused != "" {
			return "", "can't parse entities: " + refused
		}
	}
	text = strings.TrimSpace(strings.Map(cleaned, text))
	switch {
	case strings.TrimFunc(text, empty) == "":
		return "", "text must be non-empty"
	case len(utf16.Encode([]rune(text))) > textLimit:
		return "", "message is too long"
	}
	return text, ""
}

// cleaned removes or replaces what the server does not let through.
func cleaned(r rune) rune {
	switch {
	case r == '\r', r >= '\u2028' && r <= '\u202E', r == '\u030A', r == '\u0333', r == '\u033F':
		return -1
	case r < ' ' && r != '\n':
		return ' '
	}
	return r
}

// empty reports whether a rune looks like nothing to the server: a text of
// these alone is empty.
func empty(r rune) bool {
	return unicode.IsSpace(r) || r >= '\U000E0000' && r <= '\U000E007F' ||
		strings.ContainsRune("\u180E\u200B\u200C\u200D\u200E\u200F\u2800\uFEFF\uFFFC", r)
}
