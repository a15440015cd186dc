package gatewaytest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Params are the arguments of a call. Values that are no strings are JSON.
type Params map[string]string

func (p Params) int(name string) int64 {
	n, _ := strconv.ParseInt(p[name], 10, 64)
	return n
}

// Call is one request that reached the double.
type Call struct {
	Method string
	Params Params
	At     time.Time
	Status int // of the answer; 0 while there is none, or if it was never given
}

// arguments reads what Telegram reads: the query, a form of either kind, or a
// JSON object.
func arguments(r *http.Request) (Params, error) {
	args := Params{}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return args, args.readJSON(r.Body)
	}
	if err := r.ParseMultipartForm(32 << 20); err != nil && err != http.ErrNotMultipart {
		return nil, err
	}
	for name, values := range r.Form {
		args[name] = values[0]
	}
	return args, args.readFiles(r.MultipartForm)
}

func (p Params) readJSON(body io.Reader) error {
	var object map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&object); err != nil && err != io.EOF {
		return err
	}
	for name, raw := range object {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		p[name] = text
	}
	return nil
}

// arrive records a call and takes the fault that it meets.
func (b *BotAPI) arrive(method string, args Params) (*Call, Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &Call{Method: method, Params: args, At: time.Now()}
	b.calls = append(b.calls, c)
	if strings.EqualFold(method, "getUpdates") {
		b.polling++
		b.mostPolls = max(b.mostPolls, b.polling)
	}
	b.change()
	return c, b.takeFault(method)
}

func (b *BotAPI) leave(c *Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.EqualFold(c.Method, "getUpdates") {
		b.polling--
	}
	b.change()
}

func (b *BotAPI) note(c *Call, status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.Status = status
}

// Calls returns the calls of a method in order of arrival; of all methods if
// the name is empty.
func (b *BotAPI) Calls(method string) []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	var calls []Call
	for _, c := range b.calls {
		if method == "" || strings.EqualFold(c.Method, method) {
			copied := *c
			copied.Params = maps.Clone(c.Params)
			calls = append(calls, copied)
		}
	}
	return calls
}

// MostPolls is how many getUpdates calls were ever in flight at once.
func (b *BotAPI) MostPolls() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mostPolls
}
