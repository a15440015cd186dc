package web

import (
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"nacre"
)

const (
	// mostInside is how many requests with files are taken in at the same time: each
	// takes several times its size in memory until it is stored.
	mostInside = 2
	// intakeWait is how long others wait for that.
	intakeWait = 20 * time.Second
)

// longestChat is how long a message may be with its files, as JSON writes them.
var longestChat = int64(base64.StdEncoding.EncodedLen(mostEnclosed)) + maxRequest

// intake is where messages come in that may bring files.
type intake struct {
	exchange[talk, chatRequest, chatAnswer]
	inside chan struct{} // holds one for each request that is in
}

// ServeHTTP implements http.Handler.
func (i intake) ServeHTTP(w http.ResponseWriter, r *http.Request) { handler(i.serve).ServeHTTP(w, r) }

// serve lets the next one in when the message is stored, and not only when it is
// answered.
func (i intake) serve(w http.ResponseWriter, r *http.Request) error {
	leave, err := i.enter(w, r)
	if err != nil {
		return err
	}
	defer leave()
	e := exchange[talk, chatRequest, chatAnswer]{do: i.do, of: func(h Hand) talk {
		t := i.of(h)
		t.stored = leave
		return t
	}}
	return e.serve(w, r)
}

// enter lets a request in, which calls leave when its files need no memory any more.
// One that is no longer than others can have no files to speak of. A slow line may
// take as long as for a file that the page is sent.
func (i intake) enter(w http.ResponseWriter, r *http.Request) (leave func(), err error) {
	if 0 <= r.ContentLength && r.ContentLength <= maxRequest {
		return func() {}, nil
	}
	select {
	case i.inside <- struct{}{}:
	case <-time.After(intakeWait):
		return nil, nacre.Errorf(nacre.Transient, "Others are sending files just now; try again in a moment.")
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	wait := writeWait + time.Duration(longestChat/slowest)*time.Second
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(wait))
	return sync.OnceFunc(func() { <-i.inside }), nil
}
