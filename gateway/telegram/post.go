package telegram

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nacre"
)

// textLimit is the length of a message in UTF-16 units, its tags not counted.
// See https://core.telegram.org/bots/api#sendmessage.
const textLimit = 4096

// Lengths of the words on buttons, in characters: two that are short share a
// row, and those that are too long are cut. Phones would cut them anyway.
const (
	shortLabel = 16
	labelLimit = 64
)

// post is a request that shows something in a chat.
type post struct {
	method string
	params params
	words  string // the parameter that holds what is to be read
	plain  string // the words to show if the markup is refused; empty if there is nothing else to show
	file   *nacre.File
	moved  bool // the chat has moved meanwhile
}

// newPost makes a new message of a part.
func newPost(part nacre.Part) *post {
	p := &post{method: "sendMessage", words: "text", params: params{}, plain: part.Plain, file: part.File}
	switch {
	case part.File == nil:
		p.params["link_preview_options"] = noPreview
	case isPhoto(part.File):
		p.method, p.words = "sendPhoto", "caption"
	default:
		p.method, p.words = "sendDocument", "caption"
	}
	if part.Text != "" {
		p.params[p.words] = part.Text
	}
	if part.Plain != "" {
		p.params["parse_mode"] = "HTML"
	}
	if len(part.Options) > 0 {
		p.params["reply_markup"] = keyboard(part.Question, part.Options)
	}
	return p
}

// address says where a post goes.
func (p *post) address(chat nacre.Chat) {
	p.params["chat_id"] = string(chat.ID)
	if chat.Thread != "" && chat.Thread != general {
		p.params["message_thread_id"] = string(chat.Thread)
	}
}

func (p *post) call(ctx context.Context, a *api, result any) error {
	if p.file == nil {
		return a.call(ctx, p.method, p.params, result)
	}
	u, err := newUpload(p.params, strings.ToLower(strings.TrimPrefix(p.method, "send")), p.file)
	if err != nil {
		return err
	}
	return a.upload(ctx, p.method, u, result)
}

// amend changes what Telegram refused, and reports whether there was something
// to change. Each change is made once: a topic that is gone gives way to the
// chat, markup to plain words, a photo to a document.
func (p *post) amend(f *failure) bool {
	switch {
	case f.code != 400:
		return false
	case p.params["message_thread_id"] != "" && f.topicGone():
		delete(p.params, "message_thread_id")
	case p.plain != "" && p.params["parse_mode"] != "" && f.refusesMarkup():
		delete(p.params, "parse_mode")
		p.params[p.words] = p.plain
	case p.method == "sendPhoto" && f.refusesPhoto():
		p.method = "sendDocument"
	default:
		return false
	}
	return true
}

// refusesMarkup reports whether the same words may pass without markup.
func (f *failure) refusesMarkup() bool {
	return f.says("can't parse") || f.says("entit") || f.says("too long") || f.says("must be non-empty")
}

// refusesPhoto reports whether Telegram could not make a photo of a file.
func (f *failure) refusesPhoto() bool { return f.says("photo") || f.says("image_process_failed") }

// keyboard is a reply_markup of buttons, two in a row where they are short.
// See https://core.telegram.org/bots/api#inlinekeyboardmarkup.
func keyboard(question nacre.ReplyID, options []string) string {
	type button struct {
		Text string `json:"text"`
		Data string `json:"callback_data"`
	}
	var buttons []button
	perRow := 2
	for i, option := range options {
		text := shorten(strings.Join(strings.Fields(option), " "), labelLimit)
		if text == "" {
			text = strconv.Itoa(i + 1)
		}
		if utf8.RuneCountInString(text) > shortLabel {
			perRow = 1
		}
		buttons = append(buttons, button{text, callbackData(question, i)})
	}
	rows := slices.Collect(slices.Chunk(buttons, perRow))
	b, _ := json.Marshal(map[string]any{"inline_keyboard": rows}) // strings alone cannot fail
	return string(b)
}
