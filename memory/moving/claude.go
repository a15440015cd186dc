package moving

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// claudeMessage is a message of Claude.
type claudeMessage struct {
	UUID        string            `json:"uuid"`
	Sender      string            `json:"sender"`
	Text        string            `json:"text"`    // all of it, with remarks for what it could not hold
	Content     json.RawMessage   `json:"content"` // the same in parts; absent in old exports
	Created     json.RawMessage   `json:"created_at"`
	Attachments []json.RawMessage `json:"attachments"`
	Files       []json.RawMessage `json:"files"`
}

// claude hands over a conversation of Claude.
func (c *chats) claude(at Place, t *transcript) error {
	if len(t.Messages) == 0 {
		return nil
	}
	to := talk{r: c.r, source: FromClaude, chat: t.idOr(string(t.Begun) + firstID(t.Messages)), place: at}
	when, _ := anyTime(t.Begun, c.r.zone)
	for i, raw := range t.Messages {
		var m claudeMessage
		ok := decoded(raw, &m)
		who, known := claudeWho[m.Sender]
		if !ok || !known {
			if err := c.r.left(at, "a message", badMessage); err != nil {
				return err
			}
			continue
		}
		said, timed := anyTime(m.Created, c.r.zone)
		if timed && !said.IsZero() {
			when = said
		}
		if err := c.claudeSay(&to, i, who, when, timed, &m); err != nil {
			return err
		}
	}
	return nil
}

// claudeSay hands over the i-th message; when and timed are as of gptSay.
func (c *chats) claudeSay(to *talk, i int, who Who, when time.Time, timed bool, m *claudeMessage) error {
	if len(m.Attachments)+len(m.Files) > 0 {
		if err := c.once("files that you sent", "What is in them may be by others. The messages that they came with are taken over."); err != nil {
			return err
		}
	}
	text := m.text()
	if !timed && strings.TrimSpace(text) != "" {
		return c.r.left(to.place, "a message", badTime)
	}
	return to.say(m.id(i), who, when, text)
}

// claudeWho are the senders.
var claudeWho = map[string]Who{"human": Owner, "user": Owner, "assistant": Assistant}

// firstID is the id of the first of some messages.
func firstID(messages []json.RawMessage) string {
	var m claudeMessage
	decoded(messages[0], &m)
	return m.UUID
}

// id is the id of the i-th message.
func (m *claudeMessage) id(i int) string {
	if m.UUID != "" {
		return idOf(m.UUID)
	}
	return hashed(strconv.Itoa(i), string(m.Created), m.Sender, m.Text)
}

// text is the words of a message: its parts of text, because what stands in Text beside
// them is remarks.
func (m *claudeMessage) text() string {
	if text, ok := partsText(m.Content); ok && strings.TrimSpace(text) != "" {
		return text
	}
	if absent(m.Content) || string(m.Content) == "[]" {
		return m.Text
	}
	return ""
}

// claudeMemory is what Claude remembers of its owner, and of their projects.
type claudeMemory struct {
	About    string                     `json:"conversations_memory"`
	Projects map[string]json.RawMessage `json:"project_memories"`
}

// claudeMemories reads a memories.json: texts of notes, one of the owner and one a
// project.
func claudeMemories(_ *Parcel, e entry, r *reading) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	return readEntries(in, "memories", func(el element) error {
		var m claudeMemory
		if !decoded(el.raw, &m) {
			return r.left(e.place(el.number), "what is remembered", malformed)
		}
		return m.notes(e.place(el.number), r)
	}, func(el element, why string) error {
		return r.left(e.place(el.number), "what is remembered", why)
	})
}

// notes hands over the notes.
func (m *claudeMemory) notes(at Place, r *reading) error {
	texts := []string{m.About}
	for _, project := range slices.Sorted(maps.Keys(m.Projects)) {
		text, _ := textOf(m.Projects[project])
		texts = append(texts, text)
	}
	for _, text := range texts {
		if len(text) > MaxText {
			if err := r.left(at, "what is remembered", "It is longer than 1 MB."); err != nil {
				return err
			}
			continue
		}
		list, whole := markdown(plain(text))
		for i := range list {
			list[i].Line = at.Line
		}
		if err := r.noteAll(at, list, whole); err != nil {
			return err
		}
	}
	return nil
}
