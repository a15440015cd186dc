package whatsapp

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waMmsRetry"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// renewTime is how long the phone has to upload a file anew. It may be switched off.
const renewTime = 10 * time.Second

// renewals are the files that the phone is being asked for, by the ids of their
// messages. The zero value is ready.
type renewals struct {
	mu      sync.Mutex
	waiting map[types.MessageID][]chan *events.MediaRetry // guarded by mu
}

// wait returns where the phone's answer for a message will come, and what ends the
// waiting.
func (r *renewals) wait(id types.MessageID) (answer chan *events.MediaRetry, done func()) {
	answer = make(chan *events.MediaRetry, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting == nil {
		r.waiting = map[types.MessageID][]chan *events.MediaRetry{}
	}
	r.waiting[id] = append(r.waiting[id], answer)
	return answer, func() { r.leave(id, answer) }
}

// leave ends one waiting.
func (r *renewals) leave(id types.MessageID, answer chan *events.MediaRetry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[id] = slices.DeleteFunc(r.waiting[id], func(a chan *events.MediaRetry) bool { return a == answer })
	if len(r.waiting[id]) == 0 {
		delete(r.waiting, id)
	}
}

// take ends all waiting for a message and returns who waited.
func (r *renewals) take(id types.MessageID) []chan *events.MediaRetry {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.waiting[id]
	delete(r.waiting, id)
	return all
}

// mediaRetried takes the phone's answer.
func (l *line) mediaRetried(e *events.MediaRetry) {
	for _, answer := range l.intake.renewals.take(e.MessageID) {
		answer <- e
	}
}

// renew asks the phone of the account to upload a file anew, and on success changes
// the ref's path to the new one. The phone may be off, or have deleted the file.
func (l *line) renew(ctx context.Context, r *ref) bool {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	answer, done := l.intake.renewals.wait(r.ID)
	defer done()
	err := l.client.SendMediaRetryReceipt(ctx, r.info(), r.Key)
	if err != nil {
		l.log.Warn("the phone could not be asked for a file", "id", r.ID, "err", err)
		return false
	}
	select {
	case e := <-answer:
		return r.renewed(e)
	case <-ctx.Done():
		return false
	}
}

// info is what the phone must know of the message.
func (r *ref) info() *types.MessageInfo {
	info := &types.MessageInfo{ID: r.ID}
	info.Chat, _ = types.ParseJID(r.Chat)
	info.Sender, _ = types.ParseJID(r.Sender)
	info.IsFromMe, info.IsGroup = r.Mine, r.Sender != ""
	return info
}

// renewed reads the phone's answer.
func (r *ref) renewed(e *events.MediaRetry) bool {
	answer, err := whatsmeow.DecryptMediaRetryNotification(e, r.Key)
	if err != nil || answer.GetResult() != waMmsRetry.MediaRetryNotification_SUCCESS {
		return false
	}
	r.Path = answer.GetDirectPath()
	return true
}
