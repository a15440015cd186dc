package gatewaytest

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// FaultKind is a way to fail.
type FaultKind int

// The ways in which the double fails. The first group is before the method had
// any effect, the second after it.
const (
	Refuse     FaultKind = iota + 1 // an error in Telegram's form, with Code and Words
	Flood                           // 429; every call for the chat is refused for Seconds
	HTML                            // 502 with a page of the web server in front
	NotOK                           // {"ok":false} and nothing else
	DropBefore                      // the connection is closed
	Hang                            // no bytes until Release; then as usual

	DropAfter // the connection is closed without an answer
	Truncated // half of the answer
	HangAfter // no bytes until Release; then the answer
)

// Fault makes calls of a method fail.
type Fault struct {
	Kind    FaultKind
	Code    int    // of Refuse
	Words   string // of Refuse
	Seconds int    // of Flood
	Times   int    // how many calls it meets: 0 is one, less than 0 all of them
}

// Fail queues faults for a method; each call meets the first.
func (b *BotAPI) Fail(method string, faults ...Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := strings.ToLower(method)
	b.faults[key] = append(b.faults[key], faults...)
}

// Heal removes the faults of a method that were not met.
func (b *BotAPI) Heal(method string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.faults, strings.ToLower(method))
}

// Release ends everything that hangs now.
func (b *BotAPI) Release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.released)
	b.released = make(chan struct{})
}

// Violations lists the calls that came although the double had asked for a
// pause that was not over.
func (b *BotAPI) Violations() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.violations...)
}

func (b *BotAPI) takeFault(method string) Fault {
	key := strings.ToLower(method)
	queue := b.faults[key]
	if len(queue) == 0 {
		return Fault{}
	}
	f := queue[0]
	switch {
	case f.Times > 1:
		queue[0].Times--
	case f.Times >= 0:
		b.faults[key] = queue[1:]
	}
	return f
}

// failBefore answers with a fault that prevents the method, and reports
// whether it did.
func (b *BotAPI) failBefore(w http.ResponseWriter, r *http.Request, c *Call, f Fault) bool {
	a := answer{}
	switch f.Kind {
	case Refuse:
		a = refusal(f.Code, f.Words)
	case Flood:
		a = b.flood(c.Params.int("chat_id"), f.Seconds)
	case HTML:
		b.note(c, http.StatusBadGateway)
		write(w, http.StatusBadGateway, "text/html", []byte("<html><head><title>502 Bad Gateway</title></head></html>"))
		return true
	case NotOK:
		b.note(c, http.StatusOK)
		write(w, http.StatusOK, "application/json", []byte(`{"ok":false}`))
		return true
	case DropBefore:
		panic(http.ErrAbortHandler)
	case Hang:
		b.hang(r)
		return false
	default:
		return false
	}
	b.note(c, a.status())
	write(w, a.status(), "application/json", a.body())
	return true
}

// failAfter returns what to give as the answer of a method that was carried
// out.
func (b *BotAPI) failAfter(r *http.Request, body []byte, f Fault) []byte {
	switch f.Kind {
	case DropAfter:
		panic(http.ErrAbortHandler)
	case Truncated:
		return body[:len(body)/2]
	case HangAfter:
		b.hang(r)
	}
	return body
}

// hang waits for Release, or gives up with the client.
func (b *BotAPI) hang(r *http.Request) {
	b.mu.Lock()
	released := b.released
	b.mu.Unlock()
	select {
	case <-released:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// flood begins a pause for a chat; 0 stands for the methods without one.
func (b *BotAPI) flood(chat int64, seconds int) answer {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pauses[chat] = time.Now().Add(time.Duration(seconds) * time.Second)
	return tooMany(seconds)
}

func tooMany(seconds int) answer {
	a := refusal(429, fmt.Sprintf("Too Many Requests: retry after %d", seconds))
	a.Parameters = map[string]int{"retry_after": seconds}
	return a
}

// pausedAnswer refuses a call for a chat whose pause is not over.
func (b *BotAPI) pausedAnswer(method string, args Params) (answer, bool) {
	chat := args.int("chat_id")
	left := time.Until(b.pauses[chat])
	if left <= 0 {
		return answer{}, false
	}
	b.violations = append(b.violations, fmt.Sprintf("%s for chat %d came %s before the pause was over", method, chat, left))
	return tooMany(int((left + time.Second - 1) / time.Second)), true
}
