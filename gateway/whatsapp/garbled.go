package whatsapp

import (
	"slices"
	"sync"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// undecryptable takes the news of a message that cannot be read. Where something
// went wrong the library asks the sender's phone to encrypt it anew, and it comes
// again with the same id. What is to be seen once is never sent to linked devices;
// somebody whom we know is told so. False if that could not be stored: the server will
// not bring it again, so that it is owed.
func (l *line) undecryptable(e *events.UndecryptableMessage) (handled bool) {
	if !l.heeds(&e.Info.MessageSource) {
		return true
	}
	if l.intake.garbled.first(e.Info.Sender.User + "/" + e.Info.ID) {
		l.log.Warn("a message cannot be read", "id", e.Info.ID, "reason", reason(e))
	}
	if e.UnavailableType != events.UnavailableTypeViewOnce || l.storeOnce(&e.Info) {
		return true
	}
	l.intake.owed.add(e.Info)
	return false
}

// storeOnce tries to store the fact that something came that is to be seen once.
func (l *line) storeOnce(info *types.MessageInfo) bool {
	return l.handled(info.ID, func() error { return l.takeOnce(info) })
}

// payOwed stores what could not be stored before; false if it still cannot be.
func (l *line) payOwed() bool {
	for _, info := range l.intake.owed.all() {
		if !l.storeOnce(&info) {
			return false
		}
		l.intake.owed.paid()
	}
	return true
}

// owed are messages whose coming is to be stored, the oldest first. The zero value is
// ready.
type owed struct {
	mu   sync.Mutex
	list []types.MessageInfo // guarded by mu
}

// mostOwed is how many are remembered.
const mostOwed = 256

func (o *owed) add(info types.MessageInfo) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) < mostOwed {
		o.list = append(o.list, info)
	}
}

func (o *owed) all() []types.MessageInfo {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

// paid takes off the first.
func (o *owed) paid() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = o.list[1:]
}

func reason(e *events.UndecryptableMessage) string {
	switch {
	case e.UnavailableType == events.UnavailableTypeViewOnce:
		return "it is to be seen once, which linked devices may not"
	case e.IsUnavailable:
		return "it was not encrypted for us; its sender's phone is asked for it"
	default:
		return "it cannot be decrypted; its sender's phone is asked to send it again"
	}
}

// takeOnce tells people whom we know that what they sent cannot be seen here.
func (l *line) takeOnce(info *types.MessageInfo) error {
	env, err := l.envelope(l.life, &info.MessageSource)
	if err != nil {
		return err
	}
	m := blank(info, env)
	m.Segments = segment(nil, nacre.Label, viewOnce)
	if !m.Private || !l.host.Knows(&m) {
		return nil
	}
	if err := l.store(&m, &env, info.ID); err != nil {
		return err
	}
	l.markRead(&m, info)
	return nil
}
