package telegram

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	defaultAPI = "https://api.telegram.org"
	maxAnswer  = 64 << 20 // bytes; a hundred updates are far below

	// idleTime is how long an unused connection is kept. It is shorter than
	// the minute or so after which Telegram closes one, because a send on a
	// connection that is just being closed has an unknown outcome.
	idleTime = 30 * time.Second
)

// params are the arguments of a Bot API method.
type params = tgbotapi.Params

// The library logs to standard error by itself, with the token in it.
var _ = tgbotapi.SetLogger(discard{})

type discard struct{}

func (discard) Println(...any)        {}
func (discard) Printf(string, ...any) {}

// api makes calls of the Bot API. It may be used from many goroutines.
type api struct {
	token  string
	files  string          // what the URLs of files begin with
	bot    tgbotapi.BotAPI // copied for each call, which adds its own client
	scrub  *strings.Replacer
	client *http.Client
}

// newAPI does not use the library's own constructor, which calls getMe and so
// fails without network.
func newAPI(o Options) *api {
	a := &api{token: o.Token, scrub: scrubber(o.Token), client: newClient(o)}
	base := strings.TrimRight(o.API, "/")
	if base == "" {
		base = defaultAPI
	}
	a.files = base + "/file/bot" + o.Token + "/"
	a.bot.Token = o.Token
	a.bot.SetAPIEndpoint(strings.ReplaceAll(base, "%", "%%") + "/bot%s/%s")
	return a
}

// newClient speaks HTTP/1.1, because a dial function is set: each request in
// flight then has a connection of its own, and one that got stuck holds up
// nothing else. It follows no redirects, which would carry the token away.
func newClient(o Options) *http.Client {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dial,
			TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConnsPerHost: 256,
			IdleConnTimeout:     idleTime,
			DisableCompression:  true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// call asks for a method and decodes its result. An error is a *failure.
func (a *api) call(ctx context.Context, method string, p params, result any) error {
	return a.do(&exchange{ctx: ctx, client: a.client}, method, p, result)
}

// upload is call with a file.
func (a *api) upload(ctx context.Context, method string, u *upload, result any) error {
	return a.do(&exchange{ctx: ctx, client: a.client, upload: u}, method, nil, result)
}

func (a *api) do(x *exchange, method string, p params, result any) error {
	bot := a.bot
	bot.Client = x
	resp, err := bot.MakeRequest(method, p)
	if err == nil {
		err = json.Unmarshal(resp.Result, result)
	}
	if err == nil {
		return nil
	}
	return a.failure(method, x, err)
}

// exchange is one request and its answer. As the library's HTTP client it adds
// what the library lacks: a context, and an account of how far it came.
type exchange struct {
	ctx    context.Context
	client *http.Client
	upload *upload // takes the place of the library's body; nil without files

	asked  atomic.Bool // the request may have reached the server
	status int         // of the answer; 0 if none came
}

// Do counts a request as asked from the moment it has a connection. The
// transport looks for another connection only if it wrote nothing to the
// first, so looking for one makes it unasked again.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	ctx := httptrace.WithClientTrace(x.ctx, &httptrace.ClientTrace{
		GetConn: func(string) { x.asked.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { x.asked.Store(true) },
	})
	req = req.WithContext(ctx)
	if x.upload != nil {
		x.upload.put(req)
	}
	resp, err := x.client.Do(req)
	if err != nil {
		return nil, err
	}
	x.status = resp.StatusCode
	resp.Body = answer{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	return resp, nil
}

// answer is a body that is read to its end when it is closed. The library
// stops after the JSON value, and a connection with bytes left on it would not
// be used again.
type answer struct {
	io.Reader
	body io.Closer
}

func (a answer) Close() error {
	io.Copy(io.Discard, a.Reader) // what is wrong with it, the decoder has said
	return a.body.Close()
}
