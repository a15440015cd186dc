package ledger

import "nacre"

// sealSaid seals what a job says, if it says anything.
func (l *Ledger) sealSaid(say *nacre.Inbound) (sealed, error) {
	if say == nil {
		return sealed{}, nil
	}
	return l.sealMessage(say)
}

// say puts what a job says in the inbox of its session, as if it had come in.
func (l *Ledger) say(t *tx, say *nacre.Inbound, words sealed) error {
	if say == nil {
		return nil
	}
	return l.putInbound(t, say, words)
}

// unsaid takes back what an attempt to write has filled in.
func unsaid(say *nacre.Inbound) {
	if say != nil {
		say.Message.Seq = 0
	}
}

// rememberSaid keeps the session of what was said, once that is committed.
func (l *Ledger) rememberSaid(say *nacre.Inbound) {
	if say != nil && say.Message.Seq > 0 {
		l.remember([]nacre.Inbound{*say})
	}
}
