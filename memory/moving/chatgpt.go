package moving

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// node is a message of ChatGPT in the tree that a conversation is: an edited question
// is a branch beside the old one.
type node struct {
	Parent  string          `json:"parent"`
	Message json.RawMessage `json:"message"` // null at the root
}

// gptMessage is a message of ChatGPT.
type gptMessage struct {
	ID         string                `json:"id"`
	Author     struct{ Role string } `json:"author"`
	Created    json.RawMessage       `json:"create_time"` // seconds since 1970, or null
	Content    gptContent            `json:"content"`
	Recipient  string                `json:"recipient"` // "all", or a tool
	Weight     *float64              `json:"weight"`    // 0 for what counts no more
	Attributes struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

// gptContent is what is in a message: strings, and objects for all else.
type gptContent struct {
	Type  string            `json:"content_type"`
	Parts []json.RawMessage `json:"parts"`
}

// chatgpt hands over a conversation of ChatGPT: the branch that its owner saw last.
func (c *chats) chatgpt(at Place, t *transcript) error {
	path := t.path()
	if len(path) == 0 {
		return nil
	}
	to := talk{r: c.r, source: FromChatGPT, chat: t.idOr(string(t.Created) + strings.Join(path[:min(2, len(path))], " ")), place: at}
	when, _ := unixTime(t.Created, time.Second)
	for _, key := range path {
		n := t.Mapping[key]
		if absent(n.Message) {
			continue
		}
		var m gptMessage
		if !decoded(n.Message, &m) || m.Author.Role == "" {
			if err := c.r.left(at, "a message", badMessage); err != nil {
				return err
			}
			continue
		}
		said, ok := unixTime(m.Created, time.Second)
		if ok && !said.IsZero() {
			when = said
		}
		if err := c.gptSay(&to, key, when, ok, &m); err != nil {
			return err
		}
	}
	return nil
}

// gptSay hands over a message, if it is one that people said or saw. when is its time,
// or that of the one before if it has none; timed is false for one that nobody can read.
func (c *chats) gptSay(to *talk, key string, when time.Time, timed bool, m *gptMessage) error {
	if m.Content.Type == "user_editable_context" {
		return c.once("how you want to be answered", "These are your instructions to ChatGPT. Tell me yourself what of them holds here.")
	}
	who, ok := gptWho[m.Author.Role]
	if !ok || m.Content.Type != "text" && m.Content.Type != "multimodal_text" || m.hidden() {
		return nil
	}
	text := m.Content.text()
	if who == Assistant {
		text = withoutCitations(text)
	}
	if !timed && strings.TrimSpace(text) != "" {
		return c.r.left(to.place, "a message", badTime)
	}
	if m.ID != "" {
		key = m.ID
	}
	return to.say(idOf(key), who, when, text)
}

// gptWho are the roles whose words are taken over; those of system and tool are not.
var gptWho = map[string]Who{"user": Owner, "assistant": Assistant}

// hidden reports whether a message was not shown, or no longer counts.
func (m *gptMessage) hidden() bool {
	return m.Attributes.Hidden || m.Weight != nil && *m.Weight == 0 || m.Recipient != "" && m.Recipient != "all"
}

// text is the words of a message: its strings, and what was spoken. Pictures and files
// are no words.
func (c *gptContent) text() string {
	var words []string
	for _, raw := range c.Parts {
		if text, ok := textOf(raw); ok {
			words = append(words, text)
			continue
		}
		var spoken struct {
			Type string `json:"content_type"`
			Text string `json:"text"`
		}
		if decoded(raw, &spoken) && spoken.Type == "audio_transcription" {
			words = append(words, spoken.Text)
		}
	}
	return strings.Join(words, "\n")
}

// citation is a place of a source, between signs that only ChatGPT's page shows.
var citation = regexp.MustCompile(`\x{E200}[^\x{E201}]*\x{E201}`)

func withoutCitations(text string) string {
	if !strings.ContainsRune(text, '\uE200') {
		return text
	}
	return citation.ReplaceAllString(text, "")
}

// path are the keys of the branch that ends at the current node, from its root. Parents
// that go round in a circle end it.
func (t *transcript) path() []string {
	at := t.Current
	if t.Mapping[at] == nil {
		at = t.newest()
	}
	var path []string
	seen := map[string]bool{}
	for t.Mapping[at] != nil && !seen[at] {
		seen[at] = true
		path = append(path, at)
		at = t.Mapping[at].Parent
	}
	slices.Reverse(path)
	return path
}

// newest is the key of the newest message that nothing answers, for an export that does
// not name the current one.
func (t *transcript) newest() string {
	answered := map[string]bool{}
	for _, n := range t.Mapping {
		if n != nil {
			answered[n.Parent] = true
		}
	}
	key, latest := "", time.Time{}
	for _, k := range slices.Sorted(maps.Keys(t.Mapping)) {
		n := t.Mapping[k]
		if n == nil || answered[k] {
			continue
		}
		var m gptMessage
		decoded(n.Message, &m)
		when, _ := unixTime(m.Created, time.Second)
		if key == "" || when.After(latest) {
			key, latest = k, when
		}
	}
	return key
}
