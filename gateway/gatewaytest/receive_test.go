package gatewaytest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestPressesAreAnsweredInTime(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		id := b.tg.Press(5, -100, 77, "data")
		late := b.tg.Press(5, -100, 77, "data")
		b.want("answerCallbackQuery", "callback_query_id="+id+"&text=done&show_alert=true", "")
		b.want("answerCallbackQuery", "callback_query_id=0&text=done", "query ID is invalid")
		b.want("answerCallbackQuery", "callback_query_id="+late+"&text="+strings.Repeat("x", 201), "MESSAGE_TOO_LONG")
		time.Sleep(queryLife + time.Second)
		b.want("answerCallbackQuery", "callback_query_id="+late, "query is too old")
		if got := b.tg.Toasts(); len(got) != 1 || got[0] != (Toast{id, "done", true}) {
			t.Errorf("shown %+v", got)
		}
	})
}

func TestButtonsAreTakenAway(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Know(5)
		b.want("sendMessage", `chat_id=5&text=x&reply_markup={"inline_keyboard":[[{"text":"Yes","callback_data":"y"}]]}`, "")
		message := b.tg.Sent()[0].ID
		under := "chat_id=5&message_id=" + fmt.Sprint(message)
		if n := len(b.tg.Sent()[0].Buttons); n != 1 {
			t.Fatalf("%d rows of buttons", n)
		}
		b.want("editMessageReplyMarkup", under, "")
		if n := len(b.tg.Sent()[0].Buttons); n != 0 {
			t.Errorf("%d rows of buttons are left", n)
		}
		b.want("editMessageReplyMarkup", under, "not modified")
		b.want("editMessageReplyMarkup", "chat_id=5&message_id=1", "message to edit not found")
	})
}

func TestFilesAreLinkedForAnHour(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		b.tg.Keep("F", File{Data: []byte("words")})
		b.tg.Keep("large", File{Size: downloadLimit + 1})
		const path = "/file/bot" + token + "/documents/F"
		if status, _ := b.get(path); status != 404 {
			t.Errorf("before a link was given out: %d", status)
		}
		b.want("getFile", "file_id=F", "")
		b.want("getFile", "file_id=G", "wrong file_id")
		b.want("getFile", "file_id=large", "file is too big")
		if status, body := b.get(path); status != 200 || body != "words" {
			t.Errorf("with a link: %d %q", status, body)
		}
		if status, _ := b.get("/file/bot999:other/documents/F"); status != 404 {
			t.Errorf("with another token: %d", status)
		}
		time.Sleep(linkLife + time.Second)
		if status, _ := b.get(path); status != 404 {
			t.Errorf("after an hour: %d", status)
		}
	})
}

func TestMenusAreChecked(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		const private = `&scope={"type":"all_private_chats"}`
		b.want("setMyCommands", `commands=[{"command":"stop","description":"stop it"}]`+private+"&language_code=de", "")
		b.want("setMyCommands", `commands=[{"command":"Stop","description":"stop it"}]`+private, "BOT_COMMAND_INVALID")
		b.want("setMyCommands", `commands=[{"command":"stop","description":""}]`+private, "BOT_COMMAND_DESCRIPTION_INVALID")
		if got := b.tg.Menus(); len(got) != 1 || got["de"][0] != (MenuEntry{"stop", "stop it"}) {
			t.Errorf("menus %v", got)
		}
	})
}

func TestWebhookIsCalledWithTheSecret(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		var secret, body string
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			secret, body = r.Header.Get("X-Telegram-Bot-Api-Secret-Token"), string(raw)
			w.WriteHeader(http.StatusTeapot)
		})
		b.want("setWebhook", "url=https://example.org&secret_token=s3cret", "")
		if status := b.tg.CallWebhook(h, `{"update_id":1}`); status != http.StatusTeapot || secret != "s3cret" || body != `{"update_id":1}` {
			t.Errorf("called with %q and %q, status %d", secret, body, status)
		}
	})
}

// want calls a method and compares why it was refused, empty for not at all.
func (b *bot) want(method, args, refused string) {
	b.Helper()
	_, body, err := b.post(context.Background(), method, args)
	if err != nil {
		b.Fatal(method, err)
	}
	if got := string(body); strings.Contains(got, `"ok":true`) != (refused == "") || !strings.Contains(got, refused) {
		b.Errorf("%s %s: %s, want %q", method, args, got, refused)
	}
}

func (b *bot) get(path string) (status int, body string) {
	b.Helper()
	resp, err := b.client.Get(PipeURL + path)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}
