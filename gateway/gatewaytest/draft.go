package gatewaytest

import (
	"slices"
	"time"
)

// Draft is one showing of an answer that is being made.
type Draft struct {
	Chat   int64
	Thread string
	ID     int64
	Text   string // without markup
	At     time.Time
}

// drafts is what the double knows of drafts.
type drafts struct {
	shown     []Draft
	none      bool           // the server is too old
	draftless map[int64]bool // chats that take none
}

// NoDrafts makes the double a server that does not know drafts.
func (b *BotAPI) NoDrafts() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drafts.none = true
}

// NoDraftsIn makes a private chat one that takes no drafts. Groups never do.
func (b *BotAPI) NoDraftsIn(chat int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drafts.draftless = map[int64]bool{chat: true}
}

// Drafts returns what was shown as drafts, in order.
func (b *BotAPI) Drafts() []Draft {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.drafts.shown)
}

// sendMessageDraft: see https://core.telegram.org/bots/api#sendmessagedraft.
func (b *BotAPI) sendMessageDraft(args Params) answer {
	chat := args.int("chat_id")
	if b.drafts.none {
		return refusal(404, "Not Found")
	}
	if refused := b.unreachable(args); refused != "" {
		return badRequest(refused)
	}
	if chat < 0 || b.drafts.draftless[chat] {
		return badRequest("TEXTDRAFT_PEER_INVALID")
	}
	if args.int("draft_id") == 0 {
		return badRequest("draft identifier must be non-zero")
	}
	text, refused := visibleText(args)
	if refused != "" {
		return badRequest(refused)
	}
	b.drafts.shown = append(b.drafts.shown, Draft{chat, args["message_thread_id"], args.int("draft_id"), text, time.Now()})
	return result(true)
}
