package wadouble

import (
	"testing"
	"testing/synctest"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// party is a group of the bot and two people.
func (b *bot) party() (group types.JID, anna, ben *Account) {
	anna, ben = b.server.Account("15550000001"), b.server.Account("15550000002")
	return b.server.Group("Party", anna, ben, b.server.Account("15550000000")), anna, ben
}

func TestGroupBothWays(t *testing.T) {
	inBubble(t, func(b *bot) {
		group, anna, ben := b.party()
		for _, c := range []struct {
			from  *Account
			words string
		}{{anna, "hello"}, {ben, "hi"}, {anna, "again"}} {
			e := b.message(c.from.Say(group, c.words))
			if got := words(e.RawMessage).text; got != c.words {
				b.Errorf("the bot reads %q; want %q", got, c.words)
			}
			if e.Info.Chat != group || !e.Info.IsGroup || e.Info.Sender != c.from.LID() || e.Info.SenderAlt != c.from.PN() {
				b.Errorf("%q is by %v, %v in %v", c.words, e.Info.Sender, e.Info.SenderAlt, e.Info.Chat)
			}
		}
		for _, words := range []string{"one", "two"} {
			id := b.send(group, Text(words))
			for _, a := range []*Account{anna, ben, b.server.Account("15550000000")} {
				if got := b.shown(a, group, id); got.Text != words || got.From != b.server.Account("15550000000").LID() {
					b.Errorf("%v shows %+v; want %q", a.LID(), got, words)
				}
			}
		}
	})
}

func TestGroupReplyAndMention(t *testing.T) {
	inBubble(t, func(b *bot) {
		group, anna, _ := b.party()
		bot := b.server.Account("15550000000")
		for _, who := range []types.JID{bot.LID(), bot.PN()} {
			id := anna.Send(group, Mention(Text("@"+who.User+" tea?"), who), Opts{})
			e := b.message(id)
			mentioned := e.Message.GetExtendedTextMessage().GetContextInfo().GetMentionedJID()
			if len(mentioned) != 1 || mentioned[0] != who.String() {
				b.Errorf("the bot sees mentions of %v; want %v", mentioned, who)
			}
			answer := b.send(group, Reply(Mention(Text("yes"), anna.LID()), id, anna.LID(), e.Message))
			if got := b.shown(anna, group, answer); got.Quoted != id || got.Text != "yes" {
				b.Errorf("an answer to %s is shown as %+v", id, got)
			}
			again := anna.Send(group, Reply(Text("now?"), answer, bot.LID(), Text("yes")), Opts{})
			if got := words(b.message(again).RawMessage); got.quoted != answer {
				b.Errorf("an answer to %s quotes %q", answer, got.quoted)
			}
		}
	})
}

// A phone that has lost its keys asks for what it cannot read, and shows it once.
func TestGroupRetryOfAPhone(t *testing.T) {
	inBubble(t, func(b *bot) {
		group, anna, ben := b.party()
		first := b.send(group, Text("first"))
		b.shown(anna, group, first)
		anna.Forget()
		id := b.send(group, Text("second"))
		for _, a := range []*Account{anna, ben} {
			if got := b.shown(a, group, id); got.Text != "second" {
				b.Errorf("%v shows %+v", a.LID(), got)
			}
		}
		synctest.Wait()
		if got := len(anna.Shown(group)); got != 2 {
			b.Errorf("anna is shown %d messages; want 2", got)
		}
		id = b.send(group, Text("third"))
		if got := b.shown(anna, group, id); got.Text != "third" {
			b.Errorf("anna is shown %+v", got)
		}
	})
}

// What the bot cannot decrypt it asks for, and gets once.
func TestGroupRetryOfTheBot(t *testing.T) {
	inBubble(t, func(b *bot) {
		group, anna, _ := b.party()
		b.message(anna.Say(group, "before"))
		id := anna.Send(group, Text("garbled"), Opts{Garble: true})
		if e := await(b, func(*events.UndecryptableMessage) bool { return true }); e.Info.ID != id {
			b.Errorf("%s cannot be decrypted; want %s", e.Info.ID, id)
		}
		if got := words(b.message(id).RawMessage).text; got != "garbled" {
			b.Errorf("the bot reads %q", got)
		}
		after := anna.Say(group, "after")
		e := await(b, func(e *events.Message) bool { return words(e.RawMessage) != said{} })
		if e.Info.ID != after {
			b.Errorf("the next message is %s; want %s", e.Info.ID, after)
		}
	})
}

func TestGroupEditAndRevoke(t *testing.T) {
	inBubble(t, func(b *bot) {
		group, anna, _ := b.party()
		kept, gone := b.send(group, Text("draft")), b.send(group, Text("oops"))
		b.send(group, b.BuildEdit(group, kept, Text("final")))
		b.send(group, b.BuildRevoke(group, types.EmptyJID, gone))
		synctest.Wait()
		if got := b.shown(anna, group, kept); got.Text != "final" || got.Edits != 1 || got.Revoked {
			b.Errorf("an edited message is shown as %+v", got)
		}
		if got := b.shown(anna, group, gone); !got.Revoked || got.Text != "" {
			b.Errorf("a revoked message is shown as %+v", got)
		}
		said := anna.Say(group, "mine")
		b.message(said)
		edit := b.message(anna.Send(group, Edit(said, Text("better")), Opts{}))
		if p := edit.Message.GetProtocolMessage(); p.GetKey().GetID() != said || p.GetEditedMessage().GetConversation() != "better" {
			b.Errorf("an edit of %s arrives as %v", said, edit.Message)
		}
		revoke := b.message(anna.Send(group, Revoke(said), Opts{}))
		if got := words(revoke.RawMessage).revokes; got != said {
			b.Errorf("a revocation of %s is one of %q", said, got)
		}
	})
}
