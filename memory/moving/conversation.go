package moving

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// talk is one conversation while its messages are handed over.
type talk struct {
	r      *reading
	source Source
	chat   string
	place  Place
	last   time.Time // of the message before
}

// say hands over the next message. Clocks of servers disagree by moments, so one that
// would stand before the one that it answers is of its time.
func (t *talk) say(id string, who Who, at time.Time, text string) error {
	if datable(at) && at.Before(t.last) {
		at = t.last
	}
	if datable(at) {
		t.last = at
	}
	return t.r.said(Said{Source: t.source, Chat: t.chat, ID: id, Who: who, At: at, Text: strings.TrimSpace(text), Place: t.place})
}

// maxID is how many bytes an id that an export gives may have.
const maxID = 128

// idOf is an id as an export has it, or its hash where it is none that anybody would
// give.
func idOf(id string) string {
	if id != "" && len(id) <= maxID && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl) {
		return id
	}
	return hashed(id)
}

// hashed is an id for what has none: the same for the same words.
func hashed(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// decoded reads a value as far as it is what it should be: what is of another type
// stays empty. False if it is no JSON, if all of it is of another type, and if it is
// crowded.
func decoded(raw []byte, into any) bool {
	if crowded(raw) {
		return false
	}
	err := json.Unmarshal(raw, into)
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return mistyped.Field != ""
	}
	return err == nil
}

// Limits of what is decoded at once. A value takes a hundred times the room that its one
// or two bytes have in a file, so that nothing is decoded before they are counted.
const (
	maxValues = 100_000 // in the lists and objects down to maxNested; the longest conversations have a third of that
	maxNested = 3       // how deep the values lie that are kept; what lies deeper is passed over, or decoded by itself
)

// crowded reports whether a value holds more values than anybody's conversation has.
func crowded(raw []byte) bool {
	depth, values := 0, 0
	for i := 0; i < len(raw) && values <= maxValues; i++ {
		switch raw[i] {
		case '"':
			text := valueState{text: true}
			i += text.string(raw[i+1:])
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth <= maxNested {
				values++
			}
		}
	}
	return values > maxValues
}

// absent reports whether there is no value.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// textOf is a string, and whether it is one.
func textOf(raw json.RawMessage) (text string, ok bool) {
	return text, len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil
}

// numberOf is a number, also one in quotes. False for what is none, or beyond all
// numbers.
func numberOf(raw json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(string(bytes.Trim(raw, `"`)), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// maxSeconds is the end of the year 9999, in seconds since 1970.
const maxSeconds = 253_402_300_799

// unixTime is a time that is counted since 1970 in a unit. False for what is none; the
// zero time for null.
func unixTime(raw json.RawMessage, unit time.Duration) (time.Time, bool) {
	if absent(raw) {
		return time.Time{}, true
	}
	n, ok := numberOf(raw)
	n *= unit.Seconds()
	if !ok || math.Abs(n) > maxSeconds {
		return time.Time{}, false
	}
	return time.UnixMicro(int64(math.Round(n * 1e6))).UTC(), true
}

// isoForms are the forms of times that are written out; those without a zone are of the
// owner's. Fractions of a second may follow the seconds of each.
var isoForms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"}

// isoTime is a time that is written out. False for what is none.
func isoTime(text string, zone *time.Location) (time.Time, bool) {
	for _, form := range isoForms {
		if t, err := time.ParseInLocation(form, text, zone); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// anyTime is a time in one form or the other: written out, or in seconds since 1970.
// False for what is none; the zero time for null.
func anyTime(raw json.RawMessage, zone *time.Location) (time.Time, bool) {
	if text, ok := textOf(raw); ok {
		if t, ok := isoTime(text, zone); ok {
			return t, true
		}
	}
	return unixTime(raw, time.Second)
}

// part is one of the parts that words come in where they come in several.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// partsText is the words of a value that is a string or a list of parts, of which those
// of type text are words. False for anything else.
func partsText(raw json.RawMessage) (string, bool) {
	if text, ok := textOf(raw); ok || absent(raw) {
		return text, true
	}
	var parts []json.RawMessage
	if !decoded(raw, &parts) {
		return "", false
	}
	var words []string
	for _, p := range parts {
		var one part
		if text, ok := textOf(p); ok {
			words = append(words, text)
		} else if decoded(p, &one) && one.Type == "text" && one.Text != "" {
			words = append(words, one.Text)
		}
	}
	return strings.Join(words, "\n\n"), true
}

// thought is what a model wrote to itself.
var thought = regexp.MustCompile(`(?s)<think>.*?(?:</think>|\z)`)

// withoutThoughts is a text without what a model wrote to itself.
func withoutThoughts(text string) string { return thought.ReplaceAllString(text, "") }

// Why messages and conversations are left out.
const (
	timeless   = "It does not say when it was said."
	badTime    = "It says that it was said at a time that there is not."
	malformed  = "It is not written as that assistant writes it."
	badMessage = "It is malformed."
)

// jsonHolding tells a file of JSON by a key that its first bytes hold.
func jsonHolding(key string) func([]byte) bool {
	return func(head []byte) bool {
		head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
		return len(head) > 0 && (head[0] == '[' || head[0] == '{') && bytes.Contains(head, []byte(`"`+key+`"`))
	}
}

// lineHolding tells a file of JSON Lines by a key that its first line holds.
func lineHolding(key string) func([]byte) bool {
	holding := jsonHolding(key)
	return func(head []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n"), []byte("\n"))
		return holding(line)
	}
}

// Why what lies beside conversations is not taken over.
const (
	samePage = "It is for reading, and holds the same as conversations.json."
	ofScores = "It is what you thought of answers, and the addresses of conversations that you shared."
	ofWork   = "Projects are not taken over. What you said in them is, with the other conversations."
	ofMedia  = "Pictures, recordings and files are not taken over. What was said about them is."
)

// conversationForms are the kinds of files that hold conversations, and what lies beside
// them. The first that fits counts.
var conversationForms = []form{
	{source: FromChatGPT, stage: saids, path: conversationsPath, head: jsonHolding("mapping"), read: conversations},
	{source: FromClaude, stage: saids, path: conversationsPath, head: jsonHolding("chat_messages"), read: conversations},
	{stage: saids, path: conversationsPath, read: conversations},
	{source: FromClaude, stage: notes, path: named(`memories\.json|memories/[^/]+\.json`), head: jsonHolding("conversations_memory"), read: claudeMemories},

	{path: named(`users?\.json|user_settings\.json|export_manifest\.json`), beside: conversationsPath, read: quietly},
	{path: named(`chat\.html`), beside: conversationsPath, why: samePage},
	{path: named(`message_feedback\.json|shared_conversations\.json|model_comparisons\.json`), why: ofScores},
	{path: named(`projects\.json|projects/[0-9a-f-]{36}\.json`), why: ofWork},
	{path: named(`[^/]*\.(?:png|jpe?g|webp|gif|heic|svg|wav|mp3|m4a|ogg|opus|mp4|dat)`), beside: conversationsPath, why: ofMedia},

	{source: FromNanobot, stage: saids, path: sessionPath, head: lineHolding("_type"), read: nanobotSession},
	{source: FromNanobot, stage: saids, path: sessionPath, read: nanobotSession},
	{source: FromNanobot, stage: saids, path: named(`history\.jsonl`), head: lineHolding("content"), read: nanobotHistory},
	{source: FromNanobot, stage: saids, path: named(`history\.md`), read: nanobotHistory},
	{source: FromNuum, stage: saids, path: named(`transcript\.jsonl`), read: nuumTranscript},
}

// conversationsPath is what ChatGPT and Claude call the file of conversations, of which
// there are several in a large export.
var conversationsPath = named(`conversations(?:[-_]\d+)?\.json`)
