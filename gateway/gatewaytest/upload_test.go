package gatewaytest

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// upload calls a method with a file; the arguments are name and value by
// turns.
func (b *bot) upload(method, field, name string, data []byte, args ...string) (r reply) {
	b.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(args); i += 2 {
		form.WriteField(args[i], args[i+1])
	}
	if field != "" {
		part, err := form.CreateFormFile(field, name)
		if err != nil {
			b.Fatal(err)
		}
		part.Write(data)
	}
	form.Close()
	resp, err := b.client.Post(PipeURL+"/bot"+token+"/"+method, form.FormDataContentType(), &body)
	if err != nil {
		b.Fatalf("%s: %v", method, err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		b.Fatalf("%s: %v", method, err)
	}
	if r.OK != (resp.StatusCode == http.StatusOK) {
		b.Errorf("%s: status %d for %+v", method, resp.StatusCode, r)
	}
	return r
}

func pngOf(t *testing.T, w, h int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUploads(t *testing.T) {
	good := pngOf(t, 30, 20)
	tests := []struct {
		name   string
		method string
		field  string
		data   []byte
		args   []string
		want   string // part of the refusal
	}{
		{"document", "sendDocument", "document", []byte("x"), nil, ""},
		{"photo", "sendPhoto", "photo", good, nil, ""},
		{"caption", "sendPhoto", "photo", good, []string{"caption", "<b>" + strings.Repeat("x", 1024) + "</b>", "parse_mode", "HTML"}, ""},
		{"long caption", "sendPhoto", "photo", good, []string{"caption", strings.Repeat("x", 1025)}, "caption is too long"},
		{"bad caption", "sendPhoto", "photo", good, []string{"caption", "<b>", "parse_mode", "HTML"}, "can't parse entities"},
		{"bad button", "sendPhoto", "photo", good, []string{"reply_markup", `{"inline_keyboard":[[{"text":"a"}]]}`}, "BUTTON_DATA_INVALID"},
		{"wrong field", "sendPhoto", "document", good, nil, "no file"},
		{"no file", "sendDocument", "", nil, nil, "no file"},
		{"empty", "sendDocument", "document", nil, nil, "non-empty"},
		{"photo too large", "sendPhoto", "photo", append(good, make([]byte, photoLimit)...), nil, "too big"},
		{"no image", "sendPhoto", "photo", []byte("x"), nil, "IMAGE_PROCESS_FAILED"},
		{"sides", "sendPhoto", "photo", pngOf(t, 9000, 1001), nil, "PHOTO_INVALID_DIMENSIONS"},
		{"ratio", "sendPhoto", "photo", pngOf(t, 2001, 100), nil, "PHOTO_INVALID_DIMENSIONS"},
		{"General", "sendPhoto", "photo", good, []string{"message_thread_id", "1"}, "thread not found"},
		{"nobody", "sendPhoto", "photo", good, []string{"chat_id", "6"}, "chat not found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				b.tg.Know(5)
				r := b.upload(test.method, test.field, "a.x", test.data, append(test.args, "chat_id", "5")...)
				if r.OK != (test.want == "") || !strings.Contains(r.Words, test.want) {
					t.Fatalf("%+v, want a refusal with %q", r, test.want)
				}
				sent := b.tg.Sent()
				if len(sent) > 1 || (len(sent) == 1) != r.OK {
					t.Fatalf("%d messages are shown", len(sent))
				}
				if r.OK && (sent[0].File.Name != "a.x" || !bytes.Equal(sent[0].File.Data, test.data)) {
					t.Errorf("the file is %q with %d bytes", sent[0].File.Name, len(sent[0].File.Data))
				}
			})
		})
	}
}

func TestButtonsAreChecked(t *testing.T) {
	tests := []struct{ markup, want string }{
		{`{"inline_keyboard":[[{"text":"a","callback_data":"1"}],[{"text":"b","callback_data":"2"}]]}`, ""},
		{`{"inline_keyboard":[[{"text":" ","callback_data":"1"}]]}`, "unallowed"},
		{`{"inline_keyboard":[[{"text":"a","callback_data":"` + strings.Repeat("x", 65) + `"}]]}`, "BUTTON_DATA_INVALID"},
		{`{"inline_keyboard":[[` + strings.Repeat(`{"text":"a","callback_data":"1"},`, 100) + `{"text":"a","callback_data":"1"}]]}`, "too long"},
		{`[`, "can't parse"},
	}
	for _, test := range tests {
		inBubble(t, func(t *testing.T, b *bot) {
			b.tg.Know(5)
			r := b.upload("sendMessage", "", "", nil, "chat_id", "5", "text", "x", "reply_markup", test.markup)
			if r.OK != (test.want == "") || !strings.Contains(r.Words, test.want) {
				t.Errorf("%.60s: %+v, want %q", test.markup, r, test.want)
			}
			if sent := b.tg.Sent(); r.OK && (len(sent[0].Buttons) != 2 || sent[0].Buttons[1][0] != Button{"b", "2"}) {
				t.Errorf("buttons are %v", sent[0].Buttons)
			}
		})
	}
}

func TestEditsMustChangeSomething(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Know(5)
		b.call("sendMessage", "chat_id=5&text=one")
		for _, step := range []struct {
			args string
			ok   bool
		}{
			{"text=one", false},
			{"text=<b>one</b>&parse_mode=HTML", true},
			{"text=<b>one</b>&parse_mode=HTML", false},
			{`text=one&reply_markup={"inline_keyboard":[[{"text":"a","callback_data":"1"}]]}`, true},
			{"text=one", true},
		} {
			if r := b.call("editMessageText", "chat_id=5&message_id=5001&"+step.args); r.OK != step.ok {
				t.Errorf("%s: %+v, want %v", step.args, r, step.ok)
			}
		}
		if got := b.tg.Sent()[0]; got.Buttons != nil || got.Edits != 3 {
			t.Errorf("in the end %+v", got)
		}
	})
}

func TestDrafts(t *testing.T) {
	tests := []struct {
		name   string
		before func(tg *BotAPI)
		args   string
		code   int
		want   string // part of the refusal
	}{
		{"private chat", nil, "chat_id=5&draft_id=1&text=x", 0, ""},
		{"group", nil, "chat_id=-5&draft_id=1&text=x", 400, "TEXTDRAFT_PEER_INVALID"},
		{"no id", nil, "chat_id=5&text=x", 400, "non-zero"},
		{"no text", nil, "chat_id=5&draft_id=1", 400, "empty"},
		{"bad markup", nil, "chat_id=5&draft_id=1&text=<b>&parse_mode=HTML", 400, "can't parse entities"},
		{"nobody", nil, "chat_id=6&draft_id=1&text=x", 400, "chat not found"},
		{"chat without", func(tg *BotAPI) { tg.NoDraftsIn(5) }, "chat_id=5&draft_id=1&text=x", 400, "TEXTDRAFT_PEER_INVALID"},
		{"server without", (*BotAPI).NoDrafts, "chat_id=5&draft_id=1&text=x", 404, "Not Found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, b *bot) {
				b.tg.Know(5, -5)
				if test.before != nil {
					test.before(b.tg)
				}
				r := b.call("sendMessageDraft", test.args)
				if r.Code != test.code || !strings.Contains(r.Words, test.want) {
					t.Errorf("%+v, want %d with %q", r, test.code, test.want)
				}
				if got := b.tg.Drafts(); (len(got) == 1 && got[0].Text == "x") != r.OK || len(b.tg.Sent()) != 0 {
					t.Errorf("shown as drafts: %+v", got)
				}
			})
		})
	}
}

func TestUpgrade(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Upgrade(-5, -1005)
		_, body, err := b.post(t.Context(), "sendMessage", "chat_id=-5&text=x")
		if err != nil || !strings.Contains(string(body), `"migrate_to_chat_id":-1005`) {
			t.Errorf("the old id answers %s, %v", body, err)
		}
		if r := b.call("sendMessage", "chat_id=-1005&text=x"); !r.OK {
			t.Errorf("the new id answers %+v", r)
		}
	})
}
