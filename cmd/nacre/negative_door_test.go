package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
	"nacre/memory"
)

// oneTongue is for cases without words.
var oneTongue = []string{"en"}

// The people's chats, as Telegram describes them.
const (
	privateChat = `"chat":{"id":%[1]d,"type":"private","first_name":"x"}`
	groupChat   = `"chat":{"id":-100777,"type":"supergroup","title":"g"}`
	theMention  = `"entities":[{"type":"mention","offset":0,"length":%d}]`
)

// arrives is an update of Telegram with a message of a user: kind is "message" or
// "edited_message", parts are the fields of the message besides its sender.
func (c *trial) arrives(kind string, user int64, parts string) (number int) {
	number = len(c.api.Calls("")) + 200_000
	c.api.Inject(fmt.Sprintf(`{%q:{"message_id":%d,"date":%d,"from":{"id":%d,"is_bot":false,"first_name":"x"},%s}}`, kind, number, time.Now().Unix(), user, parts))
	c.pass(2 * time.Second)
	return number
}

// sends is a user sending something in private that is more than text, and the
// chat model calling tools at that.
func (c *trial) sends(user int64, parts string, calls ...llm.ToolCall) (number int) {
	if len(calls) > 0 {
		c.model.Push(llmtest.Step{Calls: calls})
	}
	return c.arrives("message", user, fmt.Sprintf(privateChat, user)+","+parts)
}

// answersIn is a user speaking to the bot in the group, in answer to words of a
// stranger.
func (c *trial) answersIn(user int64, quoted, text string, calls ...llm.ToolCall) {
	if len(calls) > 0 {
		c.model.Push(llmtest.Step{Calls: calls})
	}
	at := "@" + gatewaytest.BotUsername
	c.arrives("message", user, fmt.Sprintf(groupChat+`,"text":%q,`+theMention+`,"reply_to_message":{"message_id":5,"date":1,"from":{"id":%d,"is_bot":false,"first_name":"M"},%s,"text":%q}`,
		at+" "+text, len(at), mallory, groupChat, quoted))
}

// orders is a command to the bot in the group.
func (c *trial) orders(user int64, command, args string) {
	c.arrives("message", user, fmt.Sprintf(groupChat+`,"text":%q,"entities":[{"type":"bot_command","offset":0,"length":%d}]`,
		"/"+command+"@"+gatewaytest.BotUsername+" "+args, len(command)+2+len(gatewaytest.BotUsername)))
}

// learn is a call that lets the memory model read what was just said, and older
// messages by their ids.
func (c *trial) learn(named ...nacre.MessageID) llm.ToolCall {
	if named == nil {
		return c.call("memory_learn", `{}`)
	}
	return c.call("memory_learn", asJSON(map[string]any{"messages": named}))
}

// goesBy is a run that the program begins by itself in a session, in which the
// chat model calls tools.
func (c *trial) goesBy(s nacre.SessionInfo, text string, calls ...llm.ToolCall) nacre.MessageID {
	c.t.Helper()
	c.model.Push(llmtest.Step{Calls: calls})
	return c.stored(s, nacre.Segment{Provenance: nacre.BySystem, Text: text})
}

// stored is a message that came in over no channel, in an owner's session.
func (c *trial) stored(s nacre.SessionInfo, segments ...nacre.Segment) nacre.MessageID {
	c.t.Helper()
	id := nacre.NewID(time.Now())
	in := []nacre.Inbound{{Owner: s.Owner, Message: nacre.Message{ID: nacre.MessageID(id), Chat: s.Chat, External: nacre.ExternalID("stored/" + id),
		Private: s.Private, ToUs: true, Sent: time.Now(), Received: time.Now(), Segments: segments}}}
	if err := c.app.ledger.Put(c.t.Context(), in); err != nil {
		c.t.Fatal(err)
	}
	c.app.sessions.Wake(in[0].Session, in[0].Message)
	c.pass(2 * time.Second)
	return in[0].Message.ID
}

// home is an owner's private chat.
func (c *trial) home(user int64) nacre.SessionInfo {
	c.t.Helper()
	home, err := c.app.ledger.Home(c.t.Context(), c.owner(user))
	if err != nil {
		c.t.Fatal(err)
	}
	return home
}

// stranger is a tool that shows the model what somebody else wrote.
type stranger struct {
	name, text string
	source     llm.Source
}

// Spec implements agent.Tool.
func (s stranger) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: s.name, Description: "Shows something.", Schema: json.RawMessage(`{"type":"object"}`)}
}

// Call implements agent.Tool.
func (s stranger) Call(context.Context, nacre.Caller, json.RawMessage) (agent.Result, error) {
	return agent.Result{Text: s.text, Source: s.source}, nil
}

// told is what the newest request to the chat model shows of its tools.
func (c *trial) told() []string {
	all := c.model.Requests()
	if len(all) == 0 {
		return nil
	}
	var texts []string
	for _, m := range all[len(all)-1].Messages {
		switch m.Role {
		case llm.User:
			texts = nil
		case llm.Tool:
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// requests are those to the chat model since the moment from which probes look,
// of private chats or of groups.
func (c *trial) requests(private bool) []llm.Request {
	return slices.DeleteFunc(slices.Clone(c.model.Requests()[c.since.chat:]), func(r llm.Request) bool {
		return strings.Contains(r.Tail, "private chat") != private
	})
}

// sentTo is what a chat was sent since then.
func (c *trial) sentTo(chat int64) []string {
	var texts []string
	for _, call := range c.api.Calls("")[c.since.network:] {
		if call.Params["chat_id"] == fmt.Sprint(chat) {
			texts = append(texts, asJSON(call.Params))
		}
	}
	return texts
}

// needs is a control without which a case cannot go on.
func (c *trial) needs(ok bool, what string, args ...any) {
	c.t.Helper()
	if !ok {
		c.t.Fatalf(what, args...)
	}
	c.control(ok, what, args...)
}

// has reports whether any text holds a word.
func has(texts []string, word string) bool { return holdsAny(texts, []string{word}) }

// noneHas counts that no text holds any of some words.
func (c *trial) noneHas(where string, texts []string, words ...string) {
	for _, w := range words {
		c.never(has(texts, w), "%s is in %s", w, where)
	}
}

// unkept counts that words are on no surface of an owner's memory, whatever was
// said in conversations, and that the memory model was not shown them as notes.
func (c *trial) unkept(user int64, known string, words ...string) {
	c.t.Helper()
	c.since = c.now(0)
	c.gone(user, ofMemory, known, words...)
	c.noneHas("what the memory model is told", c.indexes(0), words...)
}

// indexes are what the memory model was shown besides messages, from one of its
// requests on.
func (c *trial) indexes(from int) []string {
	var texts []string
	for _, r := range c.scribe.requests()[from:] {
		before, _, _ := strings.Cut(r.Messages[0].Text, "\nMessages:\n")
		texts = append(texts, before)
	}
	return texts
}

// unseen counts that words of one owner are on no surface of another, but for the
// directory in which the files of both are.
func (c *trial) unseen(user int64, known string, words ...string) {
	c.t.Helper()
	c.since = c.now(0)
	c.gone(user, slices.DeleteFunc(slices.Clone(everywhere), func(s string) bool { return s == onDisk }), known, words...)
}

// refused reports whether an owner's log has a refusal for a reason.
func (c *trial) refused(user int64, why memory.Reason) bool {
	return slices.Contains(c.refusals(user), why)
}
