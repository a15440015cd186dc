package markup_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nacre/gateway/gatewaytest"
	"nacre/gateway/markup"
)

const (
	token = "7001:test"
	chat  = "1001"
)

// send hands a message to the double as the Bot API takes it.
func send(t *testing.T, tg *gatewaytest.BotAPI, text, mode string) (ok bool, words string) {
	t.Helper()
	form := url.Values{"chat_id": {chat}, "text": {text}, "parse_mode": {mode}}
	r := httptest.NewRequest(http.MethodPost, "/bot"+token+"/sendMessage", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	tg.ServeHTTP(w, r)
	var answer struct {
		OK    bool   `json:"ok"`
		Words string `json:"description"`
	}
	if err := json.NewDecoder(w.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer.OK, answer.Words
}

// TestTelegramTakesIt sends every part of every answer in testdata, in both
// forms, to the double of the Bot API, which refuses what Telegram refuses.
func TestTelegramTakesIt(t *testing.T) {
	tg := gatewaytest.NewBotAPI(token)
	tg.Know(1001)
	if ok, words := send(t, tg, "<b>1 < 2</b>", "HTML"); ok || !strings.Contains(words, "can't parse entities") {
		t.Fatalf("the double takes bad HTML: %v %q", ok, words)
	}
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers in testdata: %v", err)
	}
	var all strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(source)
		deliver(t, tg, string(source))
	}
	deliver(t, tg, all.String()+strings.Repeat(all.String(), 5)) // some parts
}

func deliver(t *testing.T, tg *gatewaytest.BotAPI, markdown string) {
	t.Helper()
	parts := markup.Telegram(markdown)
	if len(parts) == 0 {
		t.Errorf("%.40q has no parts", markdown)
	}
	for i, p := range parts {
		if ok, words := send(t, tg, p.Text, "HTML"); !ok {
			t.Errorf("part %d is refused: %s\n%s", i, words, p.Text)
		}
		if ok, words := send(t, tg, p.Plain, ""); !ok {
			t.Errorf("part %d without markup is refused: %s\n%s", i, words, p.Plain)
		}
	}
}
