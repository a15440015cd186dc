//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"go.mau.fi/whatsmeow"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
	"nacre/memory"
	"nacre/web"
)

// The people: one on Telegram, who is the operator and has a group, one on WhatsApp and
// one on the page.
const (
	atTelegram = "1001"
	atGroup    = "-2002"
	atWhatsApp = "15550000002"
	atPage     = "1003"
)

// talker is one who keeps talking.
type talker struct {
	chat  string
	rnd   *rand.Rand
	pause time.Duration // the least between two messages, on average
	say   func(text string)
	more  []func(n int) // what else they do; n is new each time
}

// talk talks until stop is closed, on average so often.
func (s *soak) talk(p *talker, every time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(rand.N(2 * every)):
		}
		switch n := s.next(); {
		case p.rnd.IntN(3) > 0:
			s.says(p, n)
		default:
			p.more[p.rnd.IntN(len(p.more))](n)
		}
	}
}

// next numbers what is said.
func (s *soak) next() int { return int(s.number.Add(1)) }

// owes is a mark that is owed to a chat.
func (s *soak) owes(chat string, n int) string {
	m := fmt.Sprintf("m%d.", n)
	s.books.owe(chat, m)
	return m
}

// says says something short, which is answered.
func (s *soak) says(p *talker, n int) { p.say(s.owes(p.chat, n) + " how are you?") }

// keeps has something remembered and, mostly, forgotten again.
func (s *soak) keeps(p *talker) func(int) {
	return func(n int) {
		word := fmt.Sprintf("zqw%dx", n)
		p.say("/remember the name of cat " + fmt.Sprint(n) + " is " + word)
		if p.rnd.IntN(4) > 0 {
			p.say("/forget " + word)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.forgotten = append(s.forgotten, word)
		}
	}
}

// asks uses a command that is no matter of the model.
func asks(p *talker, commands ...string) func(int) {
	return func(n int) { p.say(commands[n%len(commands)]) }
}

func (s *soak) ann() *talker {
	p := &talker{chat: atTelegram, rnd: s.random()}
	p.say = func(text string) { s.api.Text(1001, text) }
	// Ids of messages are given here, where one is edited or has others beside it.
	const from = `"date":%d,"from":{"id":1001,"is_bot":false,"first_name":"Ann"},"chat":{"id":1001,"type":"private"}`
	message := func(id int, more string, args ...any) {
		s.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,`+from+`,%s}}`, 100_000+id, time.Now().Unix(), fmt.Sprintf(more, args...)))
	}
	s.api.Keep("photo", gatewaytest.File{Data: picture()})
	s.api.Keep("voice", gatewaytest.File{Data: []byte("OggS a voice note")})
	// Not /jobs, which lists what reminders will say.
	p.more = []func(int){s.keeps(p), s.keeps(p), asks(p, "/status", "/memory", "/usage", "/whoami"), s.reminds, s.reminds,
		func(n int) {
			message(n, `"photo":[{"file_id":"photo","file_unique_id":"p"}],"caption":"%s"`, s.owes(p.chat, n))
		},
		func(n int) {
			message(n, `"voice":{"file_id":"voice","file_unique_id":"v","duration":2},"caption":"%s"`, s.owes(p.chat, n))
		},
		func(n int) {
			m := s.owes(p.chat, n)
			for i := range 3 {
				message(s.next(), `"media_group_id":"g%d","photo":[{"file_id":"photo","file_unique_id":"p"}],"caption":"%s"`, n, []string{m, "", ""}[i])
			}
		},
		func(n int) {
			message(n, `"text":"%s helo"`, s.owes(p.chat, n))
			s.api.Inject(fmt.Sprintf(`{"edited_message":{"message_id":%d,"edit_date":%d,`+from+`,"text":"e%d. hello"}}`, 100_000+n, time.Now().Unix(), time.Now().Unix(), n))
		},
		func(n int) { s.asksInGroup(n) },
		func(n int) { s.presses() },
	}
	return p
}

// asksInGroup mentions us in a group; not often, as who floods one is not answered.
func (s *soak) asksInGroup(n int) {
	if s.inGroup.Add(1) > 50 {
		return
	}
	at := "@" + gatewaytest.BotUsername
	s.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":%d,"from":{"id":1001,"is_bot":false,"first_name":"Ann"},"chat":{"id":%s,"type":"supergroup","title":"g"},"text":"%s %s","entities":[{"type":"mention","offset":0,"length":%d}]}}`,
		100_000+n, time.Now().Unix(), atGroup, at, s.owes(atGroup, n), len(at)))
}

// presses asks whether all is to be forgotten, and says no to the newest such question.
func (s *soak) presses() {
	s.api.Text(1001, "/forget all")
	sent := s.api.Sent()
	for i := len(sent) - 1; i >= 0; i-- {
		for _, row := range sent[i].Buttons {
			for _, b := range row {
				if b.Text == "No" && sent[i].Chat == 1001 {
					s.api.Press(1001, 1001, sent[i].ID, b.Data)
					return
				}
			}
		}
	}
}

// reminds sets a reminder that is due in some seconds. What the program may not have
// taken is not owed, and still must not be said twice.
func (s *soak) reminds(n int) {
	m := fmt.Sprintf("r%d.", n)
	at := time.Now().Add(time.Duration(s.beneath.ahead.Load())*time.Second + time.Second + rand.N(3*time.Second))
	wish := web.JobWish{Kind: nacre.Reminder, Text: m, At: at.UTC().Format(time.RFC3339)}
	if _, err := s.client.Jobs(web.Hand{By: memory.ByShell}).Add(s.t.Context(), wish); err == nil {
		s.books.owe(atTelegram, m)
	}
}

func (s *soak) ben() *talker {
	p := &talker{chat: atWhatsApp, rnd: s.random(), pause: 1500 * time.Millisecond} // answers are paced there
	p.say = func(text string) { s.phone.Say(s.bot.LID(), text) }
	photo, voice := s.wa.Upload(whatsmeow.MediaImage, picture()), s.wa.Upload(whatsmeow.MediaAudio, []byte("OggS a voice note"))
	p.more = []func(int){s.keeps(p), asks(p, "/memory", "/whoami", "/jobs"),
		func(n int) { s.phone.Send(s.bot.LID(), wadouble.Image(photo, s.owes(p.chat, n)), wadouble.Opts{}) },
		func(n int) { s.phone.Send(s.bot.LID(), wadouble.Voice(voice, 2), wadouble.Opts{}) },
		func(n int) {
			id := s.phone.Say(s.bot.LID(), s.owes(p.chat, n)+" helo")
			s.phone.Send(s.bot.LID(), wadouble.Edit(id, wadouble.Text(fmt.Sprintf("e%d. hello", n))), wadouble.Opts{})
		},
	}
	return p
}

func (s *soak) cleo() *talker {
	p := &talker{chat: atPage, rnd: s.random(), say: s.page.say}
	p.more = []func(int){s.keeps(p), asks(p, "/memory", "/usage", "/jobs")}
	return p
}

// heard is what everybody sees of Nacre, by chat.
func (s *soak) heard() map[string][]string {
	all := map[string][]string{atPage: s.page.heard()}
	for _, m := range s.api.Sent() {
		chat := fmt.Sprint(m.Chat)
		all[chat] = append(all[chat], m.Text)
	}
	for _, m := range s.phone.Shown(s.bot.LID()) {
		if m.From == s.bot.LID() {
			all[atWhatsApp] = append(all[atWhatsApp], m.Text)
		}
	}
	return all
}
