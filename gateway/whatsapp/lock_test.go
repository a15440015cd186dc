package whatsapp

import (
	"testing"
	"time"

	"go.mau.fi/util/jsontime"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// TestLocked has an account that may begin no chats: it answers those who wrote to it.
func TestLocked(t *testing.T) {
	play(t, false, func(p *scene) {
		bob := p.wa.Account("15550000002")
		club := p.wa.Group("club", p.ann, p.us)
		l := p.online()
		l.handle(&events.NotifyAccountReachoutTimelock{IsActive: true, TimeEnforcementEnds: jsontime.UnixString{Time: time.Now().Add(6 * time.Hour)}})
		if len(p.told()) != 1 {
			p.Errorf("%d notices, want one", len(p.told()))
		}
		_, err := p.send(bob.LID(), "new", nacre.Part{Text: "new"})
		if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) != 6*time.Hour {
			p.Errorf("to somebody new, Send = %v, after %v", err, nacre.RetryAfter(err))
		}
		p.say("one", "one")
		if _, err := p.send(club, "two", nacre.Part{Text: "two"}); err != nil {
			p.Errorf("to a group, Send = %v", err)
		}
		p.wantShown("one")
		if got := bob.Shown(p.us.LID()); len(got) != 0 {
			p.Errorf("somebody new is shown %+v", got)
		}
		l.handle(&events.NotifyAccountReachoutTimelock{})
		if _, err := p.send(bob.LID(), "new", nacre.Part{Text: "new"}); err != nil {
			p.Errorf("after the lock, Send = %v", err)
		}
	})
}
