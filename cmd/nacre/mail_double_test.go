package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/gmail/gmailtest"
	"nacre/web"
)

// letters that somebody sent: enough of them, and each long enough, to tell how they
// write.
var sentLetters = []string{
	"the plan for the garden looks good to me, and I would love to start as soon as the weather is dry enough for digging.",
	"thanks a lot for the recipe, we made it twice already and everybody at the table asked for more of it, even the children.",
	"could you bring the ladder when you come over? Ours broke last week and the gutter needs somebody who is not afraid of heights.",
	"I read your text with great pleasure, and only the second part could perhaps be a little shorter than it is at the moment.",
	"no worries about the delay, these things happen to all of us, and we are in no hurry at all with the rest of the boxes.",
	"it was lovely to have you here, the house feels empty now, and the cat is still looking for you behind every single door.",
	"please find the list below as promised, and tell me if anything on it seems odd to you or should better be left out.",
}

// letter is a mail that Ann sent, as it is stored.
func letter(body string, at time.Time, more string) []byte {
	return fmt.Appendf(nil, "From: Ann <%s>\r\nTo: Bea <bea@example.org>\r\nSubject: Hello\r\nDate: %s\r\nMessage-ID: <%d@example.org>\r\n%sMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s\r\n",
		gmailtest.Address, at.Format(time.RFC1123Z), at.UnixNano(), more, body)
}

// sends puts letters into a mailbox, as sent in the last days.
func sends(g *gmailtest.Google, bodies ...string) {
	for i, body := range bodies {
		at := time.Now().Add(-time.Duration(i+1) * 24 * time.Hour)
		g.AddSent(letter("Hi Bea,\r\n\r\n"+body+"\r\n\r\nCheers,\r\nAnn", at, ""), at)
	}
}

// reaching puts a double of Google's behind the program.
func (b *bubble) reaching(g *gmailtest.Google) {
	b.env = append(b.env, "NACRE_GOOGLE_URL="+g.URL)
	before := b.beyond
	b.beyond = func(o *outside) {
		o.google = g.Client()
		if before != nil {
			before(o)
		}
	}
}

// mail is a user's Gmail as their page asks for it.
func (b *bubble) mail(user int64) web.Mail { return b.app.Mail(b.hand(user)) }

// consents is a user who asks for consent on their page, and what comes back of it.
func (b *bubble) consents(g *gmailtest.Google, user int64, c gmailtest.Choice, drafts bool) (back string) {
	b.t.Helper()
	asked, err := b.mail(user).Connect(b.t.Context(), web.MailConnect{ID: gmailtest.ClientID, Secret: gmailtest.Secret, Drafts: drafts, At: "http://127.0.0.1:8080"})
	if err != nil {
		b.t.Fatal(err)
	}
	return g.Consent(asked.URL, c)
}

// connects is a user who connects their Gmail, whose browser comes back by itself.
func (b *bubble) connects(g *gmailtest.Google, user int64, drafts bool) {
	b.t.Helper()
	if _, err := b.mail(user).Finish(b.t.Context(), web.MailReturn{URL: b.consents(g, user, gmailtest.Choice{}, drafts)}); err != nil {
		b.t.Fatal(err)
	}
	b.pass(time.Second)
}

// mailLife runs f in a bubble with a program that reaches a double of Google's, in
// which Ann sent letters.
func mailLife(t *testing.T, f func(b *bubble, g *gmailtest.Google), env ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, g := newBubble(t, append(env, "NACRE_HEARTBEAT=off")...), gmailtest.NewPiped(t)
		b.reaching(g)
		sends(g, sentLetters...)
		b.start()
		f(b, g)
		b.stop()
	})
}
