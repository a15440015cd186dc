package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"nacre"
)

// How an answer in the making is shown. Quick answers need no sign; apps drop
// the typing sign after five seconds.
const (
	typingAfter = 300 * time.Millisecond
	typingEvery = 4 * time.Second
	bubbleAfter = 1500 * time.Millisecond
	streamAgain = 500 * time.Millisecond // least time between two showings; channels ask for more
	streamTime  = 10 * time.Second       // of one showing
)

// progress shows one answer while it is made: first that somebody is typing,
// then, where the channel can, the words so far.
type progress struct {
	g      *Gateway
	bubble Bubble
	began  time.Time
	done   chan struct{} // closed by stop
	ended  chan struct{} // closed when run has ended
	timer  *time.Timer   // starts run
	shown  bool          // words were shown, in bubble or in a draft

	changed chan struct{} // room for one: text is new
	mu      sync.Mutex
	text    string // guarded by mu
}

// Progress shows in a chat that a turn is being answered. show takes the
// answer's text so far, whenever it grew, and does not block. stop ends the
// showing and returns when nothing of it is under way; it is called before the
// turn is committed, since the answer takes the place of what was shown.
func (g *Gateway) Progress(chat nacre.Chat, turn nacre.TurnID) (show func(text string), stop func()) {
	p := &progress{g: g, bubble: Bubble{Chat: chat, Turn: turn}, began: time.Now(),
		done: make(chan struct{}), ended: make(chan struct{}), changed: make(chan struct{}, 1)}
	p.timer = time.AfterFunc(typingAfter, p.run)
	return p.show, sync.OnceFunc(p.stop)
}

func (p *progress) show(text string) {
	p.mu.Lock()
	p.text = text
	p.mu.Unlock()
	p.ping()
}

func (p *progress) ping() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *progress) stop() {
	if p.timer.Stop() {
		return // it never began
	}
	close(p.done)
	<-p.ended
}

// run types until there are words to show, then shows them as they grow.
func (p *progress) run() {
	defer close(p.ended)
	channel := p.g.channels[p.bubble.Chat.Channel]
	typer, types := channel.(Typer)
	streamer, streams := channel.(Streamer)
	typing, words := time.NewTimer(0), time.NewTimer(time.Until(p.began.Add(bubbleAfter)))
	defer typing.Stop()
	defer words.Stop()
	var grown chan struct{} // p.changed while we may show
	for {
		select {
		case <-typing.C:
			if types && p.bubble.ID == "" {
				typing.Reset(p.typing(typer))
			}
		case <-words.C:
			if streams {
				grown = p.changed
			}
		case <-grown:
			again, ok := p.stream(streamer)
			if !ok {
				streams = false
			}
			grown = nil
			words.Reset(again)
		case <-p.done:
			return
		}
	}
}

// typing shows the sign once and returns when to show it again.
func (p *progress) typing(t Typer) time.Duration {
	ctx, cancel := context.WithTimeout(p.g.courier.sending, streamTime)
	defer cancel()
	err := t.Typing(ctx, p.g.courier.home(p.bubble.Chat))
	if err == nil {
		return typingEvery
	}
	p.g.log.Debug("typing not shown", "turn", p.bubble.Turn, "channel", p.bubble.Chat.Channel, "err", err)
	if wait := nacre.RetryAfter(err); wait > 0 {
		return wait
	}
	return typingEvery
}

// stream shows the newest words once. It is not cut off by stop, or we would
// not learn the id of a message that is already there. It returns when to show
// again, and false if that is of no use.
func (p *progress) stream(s Streamer) (again time.Duration, ok bool) {
	ctx, cancel := context.WithTimeout(p.g.courier.sending, streamTime)
	defer cancel()
	if !p.shown && !p.open(ctx) {
		return streamAgain, false
	}
	p.mu.Lock()
	text := p.text
	p.mu.Unlock()
	p.bubble.Chat = p.g.courier.home(p.bubble.Chat)
	id, err := s.Stream(ctx, p.bubble, text)
	if err == nil {
		p.keep(ctx, id)
		return streamAgain, true
	}
	if !errors.Is(err, ErrUnsure) && !p.shown {
		p.drop(ctx)
	}
	if nacre.KindOf(err) == nacre.Transient {
		p.ping() // once more
		return max(nacre.RetryAfter(err), streamAgain), true
	}
	p.g.log.Info("answer not shown while it is made", "turn", p.bubble.Turn, "channel", p.bubble.Chat.Channel, "err", err)
	return streamAgain, false
}

// open prepares the first showing. It goes on in the message that an earlier
// process left; where that died while sending it, nothing more is shown, since
// a second one would stand beside it. Else it notes that a message may come to
// be, before the network hears of it.
func (p *progress) open(ctx context.Context) bool {
	id, kept, err := p.g.outbox.Bubble(ctx, p.bubble.Turn)
	if err == nil && kept {
		p.bubble.ID, p.shown = id, true
		return id != ""
	}
	if err == nil {
		err = p.g.outbox.KeepBubble(ctx, p.bubble.Turn, "")
	}
	if err != nil {
		p.g.log.Error("bubble not kept", "turn", p.bubble.Turn, "err", err)
	}
	return err == nil
}

// keep records what the words are shown in, if that is new: a message of its
// own, or a draft that leaves none.
func (p *progress) keep(ctx context.Context, id nacre.ExternalID) {
	if p.shown && id == p.bubble.ID {
		return
	}
	p.bubble.ID, p.shown = id, true
	if id == "" {
		p.drop(ctx)
		return
	}
	if err := p.g.outbox.KeepBubble(ctx, p.bubble.Turn, id); err != nil {
		p.g.log.Error("bubble not kept", "turn", p.bubble.Turn, "err", err)
	}
}

func (p *progress) drop(ctx context.Context) {
	if err := p.g.outbox.DropBubble(ctx, p.bubble.Turn); err != nil {
		p.g.log.Error("bubble not dropped", "turn", p.bubble.Turn, "err", err)
	}
}
