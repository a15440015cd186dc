package gatewaytest

// Upgrade makes a group a supergroup, which has another id. The old one
// answers every call with the new one.
func (b *BotAPI) Upgrade(group, supergroup int64) {
	b.Know(group, supergroup)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.upgraded = map[int64]int64{group: supergroup}
}

func (b *BotAPI) upgradedAnswer(args Params) (answer, bool) {
	to, ok := b.upgraded[args.int("chat_id")]
	if !ok {
		return answer{}, false
	}
	a := badRequest("group chat was upgraded to a supergroup chat")
	a.Parameters = map[string]int{"migrate_to_chat_id": int(to)}
	return a, true
}
