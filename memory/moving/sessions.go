package moving

import (
	"encoding/base64"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Where nanobot keeps a session: below a folder of 32 hexadecimal digits under its key
// in base64, and in older versions under its key with "_" for ":".
var (
	sessionPath = named(`sessions/(?:[0-9a-f]{32}/)?[^/]+\.jsonl`)
	storePath   = regexp.MustCompile(`(?:^|/)sessions/[0-9a-f]{32}/[^/]+$`)
)

// session is a session of nanobot while it is read.
type session struct {
	talk
	key   string
	chat  Who // who is the user in it
	begun time.Time
}

// sessionLine is a line of a session: what it is about, or a message.
type sessionLine struct {
	Type    string          `json:"_type"` // "metadata" of the first; of a message none
	Key     string          `json:"key"`
	Created json.RawMessage `json:"created_at"`

	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a string, or parts
	Time    json.RawMessage `json:"timestamp"`
	Command bool            `json:"_command"` // it was for nanobot itself
	Context struct {
		Suffix string `json:"suffix"` // what nanobot added to the words
	} `json:"_runtime_context"`
}

// nanobotSession reads a session of nanobot: a line about it, then a line a message.
func nanobotSession(_ *Parcel, e entry, r *reading) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	s := session{talk: talk{r: r, source: FromNanobot}}
	s.enter(sessionKey(e.name))
	return readLines(in, func(number int, raw []byte) error {
		if len(raw) == 0 {
			return nil
		}
		s.place = e.place(number)
		var l sessionLine
		if !decoded(raw, &l) {
			return r.left(s.place, "a line", badMessage)
		}
		return s.take(&l)
	}, func(number int) error { return r.left(e.place(number), "a line", tooLong) })
}

// sessionKey is the key of a session as the name of its file tells it.
func sessionKey(name string) string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if storePath.MatchString(name) {
		if key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(stem, "=")); err == nil && utf8.Valid(key) {
			return string(key)
		}
	}
	return strings.Replace(stem, "_", ":", 1)
}

// enter says of which session it is.
func (s *session) enter(key string) { s.key, s.talk.chat, s.chat = key, idOf(key), userOf(key) }

func (s *session) take(l *sessionLine) error {
	switch {
	case l.Type == "metadata":
		s.begun, _ = anyTime(l.Created, s.r.zone)
		if l.Key != "" {
			s.enter(l.Key)
		}
		return nil
	case l.Type != "" || l.Command || ownRun(s.key):
		return nil
	case l.Role == "":
		return s.r.left(s.place, "a line", badMessage)
	}
	who, ok := map[string]Who{"user": s.chat, "assistant": Assistant}[l.Role]
	if !ok {
		return nil
	}
	text, ok := partsText(l.Content)
	if !ok {
		return s.r.left(s.place, "a message", badMessage)
	}
	at, ok := anyTime(l.Time, s.r.zone)
	switch {
	case !ok:
		return s.r.left(s.place, "a message", badTime)
	case at.IsZero() && s.last.IsZero():
		at = s.begun
	case at.IsZero():
		at = s.last
	}
	return s.say(hashed(string(l.Time), l.Role, text), who, at, l.words(text))
}

// added is what nanobot added to what was said to it.
var added = regexp.MustCompile(`(?s)\[Runtime Context[^\]\n]*\].*?(?:\[/Runtime Context\]|\n\n|\z)`)

// words is what was said, of a text of the line.
func (l *sessionLine) words(text string) string {
	if l.Context.Suffix != "" {
		text = strings.TrimSuffix(text, l.Context.Suffix)
	}
	return withoutThoughts(added.ReplaceAllString(text, ""))
}

// ownRun reports whether a session is one that nanobot held with itself.
func ownRun(key string) bool {
	kind, _, _ := strings.Cut(key, ":")
	switch kind {
	case "cron", "dream", "heartbeat", "subagent":
		return true
	}
	return false
}

// userOf is who the user is in a session: the owner where its key is that of a chat with
// one person, and somebody else where it is that of a group or does not tell.
func userOf(key string) Who {
	channel, chat, _ := strings.Cut(key, ":")
	switch channel {
	case "cli", "api", "web", "webui", "websocket", "unified":
		return Owner
	case "telegram":
		if !strings.HasPrefix(chat, "-") {
			return Owner
		}
	case "whatsapp":
		if !strings.HasSuffix(chat, "@g.us") {
			return Owner
		}
	case "slack":
		if strings.HasPrefix(chat, "D") {
			return Owner
		}
	}
	return Others
}

// historyChat is the conversation that nanobot's summaries are put into.
const historyChat = "history"

// summary is a line of nanobot's history.
type summary struct {
	Time    json.RawMessage `json:"timestamp"`
	Content json.RawMessage `json:"content"`
	Session string          `json:"session_key"`
}

// nanobotHistory reads what nanobot wrote down of what was said: its own words, in lines
// of JSON or, in older versions, of text.
func nanobotHistory(_ *Parcel, e entry, r *reading) error {
	in, err := r.open(e)
	if err != nil {
		return err
	}
	defer in.Close()
	h := history{talk: talk{r: r, source: FromNanobot, chat: historyChat}, e: e}
	long := func(number int) error { return r.left(e.place(number), "a line", tooLong) }
	if strings.EqualFold(path.Ext(e.name), ".md") {
		if err := readLines(in, h.text, long); err != nil {
			return err
		}
		return h.end()
	}
	return readLines(in, h.line, long)
}

// history is a file of summaries while it is read.
type history struct {
	talk
	e     entry
	begun string // the time of the summary that is read; empty before the first
	words strings.Builder
}

// tell hands over a summary. Where one stands is the same in both forms of the file, so
// that it is taken over once.
func (h *history) tell(written, text string) error {
	text = strings.TrimSpace(text)
	at, ok := isoTime(written, h.r.zone)
	if !ok {
		return h.r.left(h.place, "a summary", timeless)
	}
	return h.say(hashed(written, text), Assistant, at, withoutThoughts(text))
}

// line reads a line of JSON.
func (h *history) line(number int, raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	h.place = h.e.place(number)
	var s summary
	if !decoded(raw, &s) {
		return h.r.left(h.place, "a line", badMessage)
	}
	text, ok := textOf(s.Content)
	if !ok {
		return h.r.left(h.place, "a line", badMessage)
	}
	if ownRun(s.Session) {
		return nil
	}
	written, _ := textOf(s.Time)
	return h.tell(written, text)
}

// entryHead is how a summary begins in the older form.
var entryHead = regexp.MustCompile(`^\[(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?)\][ \t]?(.*)$`)

// text reads a line of text. A summary goes on until the next one begins.
func (h *history) text(number int, raw []byte) error {
	m := entryHead.FindStringSubmatch(string(raw))
	if m == nil {
		if h.begun != "" && h.words.Len() <= MaxSaid {
			h.words.WriteString("\n")
			h.words.Write(raw)
		}
		return nil
	}
	if err := h.end(); err != nil {
		return err
	}
	h.begun, h.place = m[1], h.e.place(number)
	h.words.WriteString(m[2])
	return nil
}

// end hands over the summary that was read.
func (h *history) end() error {
	text, written := h.words.String(), h.begun
	h.words.Reset()
	h.begun = ""
	if written == "" {
		return nil
	}
	return h.tell(written, strings.ToValidUTF8(text, "\uFFFD"))
}
