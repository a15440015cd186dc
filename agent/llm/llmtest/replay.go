package llmtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"nacre/agent/llm"
)

// Replayer is an llm.Model that answers from a recording which llm.Record made,
// call by call in its order. It is safe for many goroutines, though what they
// ask must come in the order of the recording.
type Replayer struct {
	mu        sync.Mutex // guards what follows
	exchanges []llm.Exchange
	next      int
}

// Replay reads a recording. Images are not in it, only what tells them apart.
func Replay(r io.Reader) (*Replayer, error) {
	p := &Replayer{}
	in := json.NewDecoder(bufio.NewReader(r))
	for {
		var x llm.Exchange
		err := in.Decode(&x)
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("recording: exchange %d: %w", len(p.exchanges)+1, err)
		}
		p.exchanges = append(p.exchanges, x)
	}
}

// Left is how many exchanges nobody has asked for. A test of a whole
// conversation ends with none.
func (p *Replayer) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.exchanges) - p.next
}

// Complete implements llm.Model. A request that differs from the recorded one
// fails with the first lines that differ, and leaves the recording where it is.
// Its Tail is not compared, because the time of day stands there.
func (p *Replayer) Complete(ctx context.Context, req llm.Request, emit func(string)) (llm.Response, error) {
	x, err := p.take(req)
	if err != nil {
		return llm.Response{}, err
	}
	for _, piece := range x.Pieces {
		if emit != nil {
			emit(piece)
		}
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	return x.Answer()
}

func (p *Replayer) take(req llm.Request) (llm.Exchange, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == len(p.exchanges) {
		return llm.Exchange{}, fmt.Errorf("recording: asked once more than its %d exchanges", p.next)
	}
	x := p.exchanges[p.next]
	want, got := canonical(&x), canonical(llm.NewExchange(req))
	if want != got {
		return llm.Exchange{}, fmt.Errorf("recording: exchange %d has another request:\n%s", p.next+1, difference(want, got))
	}
	p.next++
	return x, nil
}

// canonical writes a request over many lines, without its Tail.
func canonical(x *llm.Exchange) string {
	request := x.Request
	request.Tail = ""
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(request); err != nil {
		return err.Error() // a Schema or Blob that is no JSON
	}
	return b.String()
}

// difference shows the first lines in which two texts differ, after the two
// before them.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < len(w) && at < len(g) && w[at] == g[at] {
		at++
	}
	var b strings.Builder
	for _, line := range w[max(0, at-2):at] {
		fmt.Fprintln(&b, "  "+line)
	}
	for _, line := range w[at:min(at+5, len(w))] {
		fmt.Fprintln(&b, "- "+line)
	}
	for _, line := range g[at:min(at+5, len(g))] {
		fmt.Fprintln(&b, "+ "+line)
	}
	return b.String()
}
