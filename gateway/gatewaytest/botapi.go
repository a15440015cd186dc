// Package gatewaytest is the test kit of the gateway: a double of the Telegram
// Bot API, a network made of pipes, a recording gateway.Host, and the suite
// that every gateway.Channel passes.
package gatewaytest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Who the double says that the bot is, if its token begins with 7001.
const (
	BotUser     = 7001
	BotUsername = "nacre_test_bot"
)

// BotAPI is a double of the Telegram Bot API: an http.Handler that keeps
// updates until they are confirmed, keeps what the bot sent, refuses what
// Telegram refuses, and fails where it is told to. Its methods may be called
// from any goroutine.
//
// Behaviour follows https://core.telegram.org/bots/api and, where that is
// silent, the source of the official server (tdlib/telegram-bot-api).
type BotAPI struct {
	token string

	mu      sync.Mutex    // guards all below
	changed chan struct{} // closed and replaced whenever something changes

	updates    []queued // not confirmed, oldest first
	nextUpdate int64
	confirmed  map[int64]bool

	poll      int    // which getUpdates call is in force
	pollEnded string // why the one before it was ended
	polling   int    // getUpdates calls being answered
	mostPolls int
	webhook   string

	hookTrouble hookTrouble
	queries     map[string]time.Time // presses that can be answered, and since when
	toasts      []Toast
	files       map[string]*File // by handle
	menus       map[string][]MenuEntry

	calls       []*Call
	chats       map[int64]bool
	sent        []*Sent
	nextMessage int64
	drafts      drafts
	upgraded    map[int64]int64 // groups that are supergroups now

	faults     map[string][]Fault // by method in lower case
	released   chan struct{}      // closed to end what hangs
	pauses     map[int64]time.Time
	violations []string
}

// NewBotAPI returns a double that knows one bot by its token.
func NewBotAPI(token string) *BotAPI {
	return &BotAPI{
		token:       token,
		changed:     make(chan struct{}),
		nextUpdate:  1000,
		confirmed:   map[int64]bool{},
		chats:       map[int64]bool{},
		nextMessage: 5000,
		faults:      map[string][]Fault{},
		released:    make(chan struct{}),
		pauses:      map[int64]time.Time{},
	}
}

// Serve answers on a loopback port until the test ends, and returns the base
// URL.
func (b *BotAPI) Serve(t testing.TB) string {
	s := httptest.NewServer(b)
	t.Cleanup(func() {
		b.Release()
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// change wakes everybody who waits for something. Call it with the lock held.
func (b *BotAPI) change() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// answer is the envelope of every response.
type answer struct {
	OK         bool           `json:"ok"`
	Result     any            `json:"result,omitempty"`
	Code       int            `json:"error_code,omitempty"`
	Words      string         `json:"description,omitempty"`
	Parameters map[string]int `json:"parameters,omitempty"`
}

func result(v any) answer { return answer{OK: true, Result: v} }

func refusal(code int, words string) answer { return answer{Code: code, Words: words} }

func badRequest(words string) answer { return refusal(400, "Bad Request: "+words) }

// status is the HTTP status of an answer.
func (a answer) status() int {
	if a.OK {
		return http.StatusOK
	}
	return a.Code
}

func (a answer) body() []byte {
	body, err := json.Marshal(a)
	if err != nil {
		panic(err) // a fault of this package
	}
	return body
}

// tokenShape is what the server takes for a token at all.
var tokenShape = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)

// ServeHTTP answers /bot<token>/<method>. Method names have no case.
func (b *BotAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/file/") {
		b.download(w, r)
		return
	}
	rest, _ := strings.CutPrefix(r.URL.Path, "/bot")
	token, method, ok := strings.Cut(rest, "/")
	switch {
	case !ok || !tokenShape.MatchString(token):
		write(w, 404, "application/json", refusal(404, "Not Found").body())
		return
	case token != b.token:
		write(w, 401, "application/json", refusal(401, "Unauthorized").body())
		return
	}
	args, err := arguments(r)
	if err != nil {
		write(w, 400, "application/json", badRequest("can't parse the arguments").body())
		return
	}
	call, fault := b.arrive(method, args)
	defer b.leave(call)
	if b.failBefore(w, r, call, fault) {
		return
	}
	a, ok := b.do(r.Context(), method, args)
	if !ok {
		panic(http.ErrAbortHandler) // nobody is there any more
	}
	b.note(call, a.status())
	write(w, a.status(), "application/json", b.failAfter(r, a.body(), fault))
}

func write(w http.ResponseWriter, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	w.Write(body)
}

// do carries out a method. It returns false if the client went away meanwhile.
func (b *BotAPI) do(ctx context.Context, method string, args Params) (answer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.change()
	if a, paused := b.pausedAnswer(method, args); paused {
		return a, true
	}
	if a, upgraded := b.upgradedAnswer(args); upgraded {
		return a, true
	}
	switch strings.ToLower(method) {
	case "getupdates":
		return b.getUpdates(ctx, args)
	case "getme":
		return result(b.me()), true
	case "sendmessage":
		return b.sendMessage(args), true
	case "sendphoto", "senddocument":
		return b.sendFile(strings.ToLower(method[len("send"):]), args), true
	case "sendmessagedraft":
		return b.sendMessageDraft(args), true
	case "editmessagetext":
		return b.editMessageText(args), true
	case "deletemessage":
		return b.deleteMessage(args), true
	case "sendchataction":
		return b.sendChatAction(args), true
	case "setwebhook":
		return b.setWebhook(args), true
	case "deletewebhook":
		return b.deleteWebhook(args), true
	case "getwebhookinfo":
		return b.webhookInfo(), true
	case "setmycommands":
		return b.setMyCommands(args), true
	case "answercallbackquery":
		return b.answerCallbackQuery(args), true
	case "editmessagereplymarkup":
		return b.editMessageReplyMarkup(args), true
	case "getfile":
		return b.getFile(args), true
	}
	return refusal(404, "Not Found"), true
}

// me is the bot, whose id is the number in front of its token.
func (b *BotAPI) me() map[string]any {
	number, _, _ := strings.Cut(b.token, ":")
	id, _ := strconv.ParseInt(number, 10, 64)
	return map[string]any{
		"id": id, "is_bot": true, "first_name": "Nacre", "username": BotUsername,
		"can_join_groups": true, "can_read_all_group_messages": false, "supports_inline_queries": false,
	}
}
