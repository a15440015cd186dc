package moving

import "encoding/json"

// conversations reads a conversations.json, of ChatGPT or of Claude: both call it so,
// and each conversation tells of whom it is.
func conversations(_ *Parcel, e entry, r *reading) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	c := chats{r: r, e: e}
	return readEntries(in, "conversations", c.take, c.left)
}

// chats is a file of conversations while it is read.
type chats struct {
	r    *reading
	e    entry
	told map[string]bool // what is told once for the file
}

// transcript is a conversation as ChatGPT or Claude export it.
type transcript struct {
	// Of ChatGPT.
	ID      string           `json:"id"`
	Chat    string           `json:"conversation_id"`
	Created json.RawMessage  `json:"create_time"`
	Mapping map[string]*node `json:"mapping"`
	Current string           `json:"current_node"`

	// Of Claude.
	UUID     string            `json:"uuid"`
	Begun    json.RawMessage   `json:"created_at"`
	Messages []json.RawMessage `json:"chat_messages"`
}

// idOr is the id of the conversation; without one, what is made of a word that is the
// same whenever it is exported.
func (t *transcript) idOr(word string) string {
	for _, id := range []string{t.Chat, t.ID, t.UUID} {
		if id != "" {
			return idOf(id)
		}
	}
	return hashed(word)
}

func (c *chats) take(el element) error {
	var t transcript
	at := c.e.place(el.number)
	switch ok := decoded(el.raw, &t); {
	case ok && t.Mapping != nil:
		return c.chatgpt(at, &t)
	case ok && t.Messages != nil:
		return c.claude(at, &t)
	}
	return c.r.left(at, "a conversation", malformed)
}

func (c *chats) left(el element, why string) error {
	what := "a conversation"
	if el.number == 0 {
		what = "the rest of the file"
	}
	return c.r.left(c.e.place(el.number), what, why)
}

// once tells of something that is in many conversations.
func (c *chats) once(what, why string) error {
	if c.told[what] {
		return nil
	}
	if c.told == nil {
		c.told = map[string]bool{}
	}
	c.told[what] = true
	return c.r.left(c.e.place(0), what, why)
}
