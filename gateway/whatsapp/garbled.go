package whatsapp

import (
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// undecryptable takes the news of a message that cannot be read. Where something
// went wrong the library asks the sender's phone to encrypt it anew, and it comes
// again with the same id. What is to be seen once is never sent to linked devices;
// somebody whom we know is told so.
func (l *line) undecryptable(e *events.UndecryptableMessage) {
	if !l.heeds(&e.Info.MessageSource) {
		return
	}
	if l.intake.garbled.first(e.Info.Sender.User + "/" + e.Info.ID) {
		l.log.Warn("a message cannot be read", "id", e.Info.ID, "reason", reason(e))
	}
	if e.UnavailableType == events.UnavailableTypeViewOnce {
		l.handled(e.Info.ID, func() error { return l.takeOnce(&e.Info) })
	}
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

// takeOnce stores the fact that something came that is to be seen once.
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
	if err := l.store(&m, &env); err != nil {
		return err
	}
	l.markRead(&m, info)
	return nil
}
