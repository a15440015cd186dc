package moving

import (
	"fmt"
	"strings"
	"testing"
)

// said1 is a node of ChatGPT's tree: its key, its parent, who and what, the latter as
// JSON, at a second of 1 May 2026, 07:30 UTC.
func said1(key, parent, role, content string, second int, more ...string) string {
	return fmt.Sprintf(`%q:{"id":%q,"parent":%q,"children":[],"message":{"id":%q,"author":{"role":%q},"create_time":%d.25,"content":%s%s}}`,
		key, key, parent, key, role, summer.Unix()+int64(second), content, strings.Join(more, ""))
}

// text1 is a content of text.
func text1(text string) string { return fmt.Sprintf(`{"content_type":"text","parts":[%q]}`, text) }

// gptChat is a conversation of ChatGPT.
func gptChat(id, current string, nodes ...string) string {
	return fmt.Sprintf(`{"title":"T","create_time":%d,"mapping":{"root":{"id":"root","message":null,"parent":null},%s},"current_node":%q,"conversation_id":%q}`,
		summer.Unix(), strings.Join(nodes, ","), current, id)
}

func TestChatGPT(t *testing.T) {
	const q, a = "chatgpt/c owner 0501T073001 Hi", "chatgpt/c assistant 0501T073002 Ho"
	hi, ho := said1("1", "root", "user", text1("Hi"), 1), said1("2", "1", "assistant", text1("Ho"), 2)
	chat := func(nodes ...string) string { return "[" + gptChat("c", "2", nodes...) + "]" }
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"question and answer", chat(hi, ho), []string{q, a}},
		{"an object with a list", `{"conversations":` + chat(hi, ho) + `}`, []string{q, a}},
		{"a conversation alone", gptChat("c", "2", hi, ho), []string{q, a}},
		{"a branch that was given up", chat(hi, said1("1b", "root", "user", text1("Hey"), 9), ho), []string{q, a}},
		{"no current node", "[" + gptChat("c", "", hi, ho, said1("1b", "root", "user", text1("Hey"), 1)) + "]", []string{q, a}},
		{"a current node that is not there", "[" + gptChat("c", "9", hi, ho) + "]", []string{q, a}},
		{"a circle", chat(said1("1", "2", "user", text1("Hi"), 1), ho), []string{q, a}},
		{"a parent of itself", chat(said1("1", "1", "user", text1("Hi"), 1), ho), []string{q, a}},
		{"a parent that is not there", chat(said1("1", "9", "user", text1("Hi"), 1), ho), []string{q, a}},
		{"tools and the system", chat(said1("0", "root", "system", text1("You are"), 0), said1("1", "0", "user", text1("Hi"), 1),
			said1("1t", "1", "tool", text1("Found"), 1), said1("2", "1t", "assistant", text1("Ho"), 2)), []string{q, a}},
		{"hidden, without weight, to a tool", chat(hi, said1("x", "1", "assistant", text1("X"), 1, `,"metadata":{"is_visually_hidden_from_conversation":true}`),
			said1("y", "x", "assistant", text1("Y"), 1, `,"weight":0`), said1("z", "y", "assistant", text1("Z"), 1, `,"recipient":"browser"`),
			said1("2", "z", "assistant", text1("Ho"), 2, `,"weight":1,"recipient":"all"`)), []string{q, a}},
		{"code and thoughts", chat(hi, said1("x", "1", "assistant", `{"content_type":"code","text":"1+1"}`, 1), said1("y", "x", "assistant", `{"content_type":"thoughts","thoughts":[]}`, 1),
			said1("2", "y", "assistant", text1("Ho"), 2)), []string{q, a}},
		{"pictures and speech", chat(said1("1", "root", "user", `{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"x"},"H",{"content_type":"audio_transcription","text":"i"},7]}`, 1), ho),
			[]string{"chatgpt/c owner 0501T073001 H\ni", a}},
		{"instructions", chat(said1("0", "root", "user", `{"content_type":"user_editable_context","user_profile":"I am Ann","user_instructions":"Be brief"}`, 0),
			said1("1", "0", "user", text1("Hi"), 1), said1("0b", "1", "user", `{"content_type":"user_editable_context"}`, 1), said1("2", "0b", "assistant", text1("Ho"), 2)),
			[]string{"(:0 how you want to be answered: These are your instructions to ChatGPT. Tell me yourself what of them holds here.)", q, a}},
		{"citations", chat(hi, said1("2", "1", "assistant", text1("Ho\ue200cite\ue202turn0\ue201"), 2)), []string{q, a}},
		{"no time", chat(hi, strings.Replace(ho, `"create_time":1777620602.25`, `"create_time":null`, 1)), []string{q, "chatgpt/c assistant 0501T073001 Ho"}},
		{"no time at all", chat(strings.Replace(hi, `"create_time":1777620601.25`, `"create_time":null`, 1), ho), []string{"chatgpt/c owner 0501T073000 Hi", a}},
		{"a time as a string", chat(strings.Replace(hi, `1777620601.25`, `"1777620601.25"`, 1), ho), []string{q, a}},
		{"a time that is none", chat(hi, strings.Replace(ho, `1777620602.25`, `1e400`, 1)), []string{q, "(:1 a message: " + badTime + ")"}},
		{"a time long past", chat(strings.Replace(hi, `1777620601.25`, `7`, 1), ho), []string{"(:1 a message: It does not say when it was said.)", a}},
		{"a message of another type", chat(`"1":{"parent":"root","message":[1]}`, ho), []string{"(:1 a message: " + badMessage + ")", a}},
		{"an author of another type", chat(`"1":{"parent":"root","message":{"author":"user"}}`, ho), []string{"(:1 a message: " + badMessage + ")", a}},
		{"parts of another type", chat(said1("1", "root", "user", `{"content_type":"text","parts":"Hi"}`, 1), ho), []string{a}},
		{"a node of another type", chat(`"1":7`, ho), []string{a}},
		{"an id of another type", strings.Replace(chat(hi, ho), `"conversation_id":"c"`, `"id":"c","conversation_id":5`, 1), []string{q, a}},
		{"a conversation of another type", `[7,null,{},[],"x",{"mapping":[]},` + gptChat("c", "2", hi, ho) + "]", []string{
			"(:1 a conversation: " + malformed + ")", "(:2 a conversation: " + malformed + ")", "(:3 a conversation: " + malformed + ")", "(:4 a conversation: " + malformed + ")",
			"(:5 a conversation: " + malformed + ")", "(:6 a conversation: " + malformed + ")", q, a}},
		{"an empty conversation", `[{"mapping":{}},` + gptChat("c", "2", hi, ho) + "]", []string{q, a}},
		{"a number that is none", `[{"mapping":{},"create_time":NaN},` + gptChat("c", "2", hi, ho) + "]", []string{"(:1 a conversation: " + malformed + ")", q, a}},
		{"a key twice", chat(hi, hi, ho), []string{q, a}},
		{"deep brackets", "[" + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "," + gptChat("c", "2", hi, ho) + "]", []string{"(:1 a conversation: " + malformed + ")", q, a}},
		{"a long message", chat(said1("1", "root", "user", text1(strings.Repeat("x", MaxSaid+1)), 1), ho), []string{"(:1 a message: It is longer than 256 KB.)", a}},
		{"a long conversation", "[" + gptChat("b", "2", said1("1", "root", "user", text1(strings.Repeat("x", MaxEntry)), 1)) + "," + gptChat("c", "2", hi, ho) + "]",
			[]string{"(:1 a conversation: " + tooLong + ")", q, a}},
		{"cut off", chat(hi, ho)[:len(chat(hi, ho))-1] + `,{"mapping":{"x`, []string{q, a, "(:2 a conversation: " + cutOff + ")"}},
	} {
		file := c.file
		if !strings.Contains(file[:min(len(file), maxHead)], `"mapping"`) {
			file = strings.Replace(file, "[", `[{"mapping":{}},`, 1)
			for i := range c.want {
				c.want[i] = strings.NewReplacer("(:1 ", "(:2 ", "(:2 ", "(:3 ").Replace(c.want[i])
			}
		}
		same(t, c.name, took(t, "conversations.json", []byte(file)), c.want)
	}
}

// An export comes as a zip with much beside the conversations, in a folder or not, and
// is known by what is in it where its name was changed.
func TestChatGPTExport(t *testing.T) {
	one := "[" + gptChat("c", "1", said1("1", "root", "user", text1("Hi"), 1)) + "]"
	two := "[" + gptChat("d", "1", said1("1", "root", "user", text1("Ho"), 2)) + "]"
	same(t, "a zip", took(t, "export.zip", packed(t, "x/chat.html", "<html>", "x/user.json", `{"email":"ann@example.com"}`, "x/message_feedback.json", "[]",
		"x/file-1.png", "PNG", "x/file-2.png", "PNG", "x/conversations-001.json", two, "x/conversations-000.json", one)), []string{
		"(x/chat.html:0 the file: " + samePage + ")", "(x/message_feedback.json:0 the file: " + ofScores + ")", "(x/file-1.png:0 2 files like this: " + ofMedia + ")",
		"chatgpt/d owner 0501T073002 Ho", "chatgpt/c owner 0501T073001 Hi"})
	same(t, "another name", took(t, "my-chats (1).json", []byte(one)), []string{"chatgpt/c owner 0501T073001 Hi"})
	same(t, "no conversation in it", took(t, "conversations.json", []byte(`[{"a":1}]`)), []string{"(:1 a conversation: " + malformed + ")"})
}

// A conversation that is brought again has the same ids, also one without any.
func TestChatGPTIDs(t *testing.T) {
	chat := strings.Replace(gptChat("c", "1", said1("1", "root", "user", text1("Hi"), 1)), `"conversation_id":"c"`, `"x":1`, 1)
	first := took(t, "conversations.json", []byte("["+chat+"]"))
	if again := took(t, "conversations.json", []byte(`[{"mapping":{}},`+chat+"]")); len(first) != 1 || again[0] != first[0] || !strings.HasPrefix(first[0], "chatgpt/"+hashed("1777620600root 1")+" ") {
		t.Errorf("%q, then %q", first, again)
	}
}
