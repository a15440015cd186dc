package gatewaytest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// hookTrouble is what the double says of the calls that it made.
type hookTrouble struct {
	words string
	at    time.Time
}

// CallWebhook hands an update to the program's handler as Telegram does, with
// the secret that came with the latest setWebhook, and returns the status of
// the answer.
func (b *BotAPI) CallWebhook(h http.Handler, update string) int {
	var secret string
	for _, call := range b.Calls("setWebhook") {
		secret = call.Params["secret_token"]
	}
	req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(update))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w.Code
}

// BreakWebhook makes the double say that a call of the webhook just failed.
func (b *BotAPI) BreakWebhook(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hookTrouble = hookTrouble{words, time.Now()}
}

func (b *BotAPI) webhookInfo() answer {
	info := map[string]any{"url": b.webhook, "pending_update_count": len(b.updates)}
	if b.hookTrouble.words != "" {
		info["last_error_message"] = b.hookTrouble.words
		info["last_error_date"] = b.hookTrouble.at.Unix()
	}
	return result(info)
}
