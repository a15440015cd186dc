package llmtest

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"nacre/agent/llm"
)

// Received is one request as it arrived.
type Received struct {
	Header http.Header
	Body   []byte
}

// Script is what the doubles of provider servers share: the replies to give
// and the requests that came. Requests take the replies in the order of their
// arrival.
type Script struct {
	mu       sync.Mutex // guards what follows
	replies  []Reply
	received []Received
}

// Push adds replies to the end of the script.
func (s *Script) Push(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Received returns every request so far, refused ones included.
func (s *Script) Received() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// receive reads and records a request.
func (s *Script) receive(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, Received{r.Header.Clone(), body})
	return body, nil
}

// next takes a reply from the script and fills in what it leaves open: the
// echo of req, and a usage that fits the size of the body.
func (s *Script) next(req llm.Request, body []byte) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	var reply Reply
	if len(s.replies) > 0 {
		reply, s.replies = s.replies[0], s.replies[1:]
	}
	if reply.Text == "" && len(reply.Calls) == 0 && reply.Reasoning == "" {
		reply.Text = Echo(req)
	}
	if reply.Usage == (llm.Usage{}) {
		reply.Usage = llm.Usage{Input: len(body) / 4, Output: len(reply.Text)/4 + 1}
	}
	return reply
}

// paragraphs are the messages that a client merged into one text of the user,
// up to the Tail, which begins with mark. Only an empty text has an empty one.
func paragraphs(text, mark string) []llm.Message {
	var out []llm.Message
	for p := range strings.SplitSeq(text, "\n\n") {
		if mark != "" && strings.HasPrefix(p, mark) {
			break
		}
		if p == "" && text != "" {
			continue
		}
		out = append(out, llm.Message{Role: llm.User, Text: p})
	}
	return out
}
