package whatsapp

import (
	"context"

	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// envelope is who sent a message where, as the server tells. What is inside of a
// message changes nothing of it.
type envelope struct {
	me      person // the linked account
	from    person // who sent it
	sender  string // the same as the server names them, which goes by nothing that we know
	private bool
	own     bool       // in the chat with oneself, where me and from are the operator
	chat    nacre.Chat // where to answer
}

// heeds reports whether what came from a source can be meant for us. Statuses,
// broadcasts and channels are addressed to many, and bots would be answered for
// ever.
func (l *line) heeds(s *types.MessageSource) bool {
	switch {
	case !talk(s.Chat), s.Sender.IsBot():
		return false
	case l.opts.Own:
		// The account also tells us of everything that its owner writes to friends.
		return s.IsFromMe && l.me().is(s.Chat) && s.Sender.Device != l.client.Store.GetJID().Device
	default:
		return !s.IsFromMe
	}
}

// talk reports whether a chat is one with a person or a group.
func talk(chat types.JID) bool {
	return chat.Server == types.GroupServer || addressOf(chat) != (nacre.Address{})
}

// me is the linked account.
func (l *line) me() person { return personOf(l.client.Store.GetLID(), l.client.Store.GetJID()) }

// envelope reads who sent something where. Its error is Transient.
func (l *line) envelope(ctx context.Context, s *types.MessageSource) (envelope, error) {
	from, err := personOf(s.Sender, s.SenderAlt).completed(ctx, l.client.Store.LIDs)
	if err != nil {
		return envelope{}, nacre.Errorf(nacre.Transient, "%w", err)
	}
	e := envelope{me: l.me(), from: from, sender: s.Sender.User, private: s.Chat.Server != types.GroupServer, own: l.opts.Own}
	e.chat = chatOf(s.Chat)
	if e.own {
		e.from = e.me
	}
	if e.private {
		e.chat = chatOf(e.from.jid())
	}
	return e, nil
}

// external names a message of the sender. Ids are chosen by senders, so that in a
// group, where they share a chat, the sender is part of the name: nobody can make
// another's message pass for known, or for edited. It is named as in the message, since
// a message that comes twice must have one name, whatever was learnt in between.
func (e *envelope) external(id types.MessageID) nacre.ExternalID {
	if e.private {
		return nacre.ExternalID(clean(id))
	}
	return nacre.ExternalID(e.sender + "/" + clean(id))
}

// moved are the chats under a person's number and under their LID, if both are
// known; what was said in the first goes on in the second.
func (e *envelope) moved() (from, to nacre.Chat, ok bool) {
	if !e.private || e.from.lid.IsEmpty() || e.from.number.IsEmpty() {
		return from, to, false
	}
	return chatOf(e.from.number), chatOf(e.from.lid), true
}
