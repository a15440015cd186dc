package moving

import (
	"fmt"
	"strings"
	"testing"
)

// claudeChat is a conversation of Claude, claude1 a message in it: who, at a second of
// 1 May 2026, 07:30 UTC, and what.
func claudeChat(id string, messages ...string) string {
	return fmt.Sprintf(`{"uuid":%q,"name":"N","created_at":"2026-05-01T07:30:00.000000Z","chat_messages":[%s]}`, id, strings.Join(messages, ","))
}

func claude1(sender, text string, second int, more ...string) string {
	return fmt.Sprintf(`{"uuid":"m%d","text":%q,"sender":%q,"created_at":"2026-05-01T07:30:%02d.25Z"%s}`, second, text, sender, second, strings.Join(more, ""))
}

func TestClaude(t *testing.T) {
	const q, a = "claude/c owner 0501T073001 Hi", "claude/c assistant 0501T073002 Ho"
	const sent = "(:0 files that you sent: What is in them may be by others. The messages that they came with are taken over.)"
	hi, ho := claude1("human", "Hi", 1), claude1("assistant", "Ho", 2)
	chat := func(messages ...string) string { return "[" + claudeChat("c", messages...) + "]" }
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"question and answer", chat(hi, ho), []string{q, a}},
		{"a conversation alone", claudeChat("c", hi, ho), []string{q, a}},
		{"parts", chat(hi, claude1("assistant", "Ho\n```\nThis block is not supported\n```", 2, `,"content":[{"type":"thinking","thinking":"Hm","text":"Hm"},{"type":"tool_use","name":"x"},{"type":"text","text":"Ho"},7]`)), []string{q, a}},
		{"parts without words", chat(hi, claude1("assistant", "This block is not supported", 2, `,"content":[{"type":"tool_use"}]`)), []string{q}},
		{"no parts", chat(claude1("human", "Hi", 1, `,"content":[]`), claude1("assistant", "Ho", 2, `,"content":null`)), []string{q, a}},
		{"parts of another type", chat(hi, claude1("assistant", "Ho", 2, `,"content":{"type":"text"}`)), []string{q}},
		{"attachments", chat(claude1("human", "Hi", 1, `,"attachments":[{"file_name":"a.txt","extracted_content":"I am Eve"}]`), claude1("human", "Hi", 3, `,"files":[{}]`)),
			[]string{sent, q, "claude/c owner 0501T073003 Hi"}},
		{"a sender that nobody knows", chat(claude1("eve", "Hi", 1), ho), []string{"(:1 a message: " + badMessage + ")", a}},
		{"messages of other types", chat("7", "[]", "null", `{"sender":5,"text":"x"}`, ho), []string{"(:1 a message: " + badMessage + ")", "(:1 a message: " + badMessage + ")",
			"(:1 a message: " + badMessage + ")", "(:1 a message: " + badMessage + ")", a}},
		{"a time that is none", chat(hi, strings.Replace(ho, "2026-05-01T07:30:02.25Z", "yesterday", 1)), []string{q, "(:1 a message: " + badTime + ")"}},
		{"no time", chat(hi, strings.Replace(ho, `"2026-05-01T07:30:02.25Z"`, "null", 1)), []string{q, "claude/c assistant 0501T073001 Ho"}},
		{"no time at all", chat(strings.Replace(hi, `"2026-05-01T07:30:01.25Z"`, "null", 1)), []string{"claude/c owner 0501T073000 Hi"}},
		{"another zone", chat(strings.Replace(hi, "07:30:01.25Z", "09:30:01+02:00", 1)), []string{q}},
		{"no messages", "[" + claudeChat("b") + "," + claudeChat("c", hi) + "]", []string{q}},
		{"messages of another type", `[{"uuid":"b","chat_messages":{}},` + claudeChat("c", hi) + "]", []string{"(:1 a conversation: " + malformed + ")", q}},
		{"both in one file", "[" + claudeChat("c", hi) + "," + gptChat("g", "1", said1("1", "root", "user", text1("Hi"), 1)) + "]", []string{q, "chatgpt/g owner 0501T073001 Hi"}},
	} {
		same(t, c.name, took(t, "conversations.json", []byte(c.file)), c.want)
	}
}

// What Claude remembers is notes, whatever form it comes in; they are those of the owner
// first.
func TestClaudeMemories(t *testing.T) {
	const file = `[{"conversations_memory":"**People**\n\nAnn is my sister.\n\n**Work**\n\nI bake.","project_memories":{"b":"- I sell bread.","a":"I build boats.","c":7},"account_uuid":"x"}]`
	want := []string{"note people/ Ann is my sister.", "note about/ I bake.", "note about/ I build boats.", "note about/ I sell bread."}
	same(t, "a list", took(t, "memories.json", []byte(file)), want)
	same(t, "an object", took(t, "memories.json", []byte(file[1:len(file)-1])), want)
	same(t, "conversations first", took(t, "data.zip", packed(t, "memories.json", file, "users.json", `[{"email_address":"a"}]`, "projects.json", "[]", "conversations.json", "["+claudeChat("c", claude1("human", "Hi", 1))+"]")),
		append([]string{"(projects.json:0 the file: " + ofWork + ")", "claude/c owner 0501T073001 Hi"}, want...))
	same(t, "other types", took(t, "memories.json", []byte(`[7,{"conversations_memory":[1]},{"conversations_memory":"I bake."}]`)),
		[]string{"(:1 what is remembered: " + malformed + ")", "note about/ I bake."})
	same(t, "too long", took(t, "memories.json", []byte(`{"conversations_memory":"`+strings.Repeat("x", MaxText+1)+`"}`)), []string{"(:1 what is remembered: It is longer than 1 MB.)"})
}
