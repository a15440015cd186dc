package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/configs"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/telegram"
)

// bubble is the program between its two doubles, in a synctest bubble, where
// hours pass at once.
type bubble struct {
	t      *testing.T
	api    *gatewaytest.BotAPI
	net    *gatewaytest.PipeNet
	model  *llmtest.Model
	env    []string
	more   []supplier // after the scripted model
	cancel context.CancelFunc
	ended  chan error
	app    *app
	log    *buffer
	wrap   func(gateway.Channel) gateway.Channel
	beyond func(*outside) // puts more doubles outside; nil for no more
}

// live runs f in a bubble with the program running. Users 1001 (the operator)
// and 1002 are admitted, unless env says otherwise.
func live(t *testing.T, f func(b *bubble), env ...string) {
	liveWith(t, nil, f, env...)
}

// liveWith is live with models besides the scripted one.
func liveWith(t *testing.T, more []supplier, f func(b *bubble), env ...string) {
	synctest.Test(t, func(t *testing.T) {
		b := newBubble(t, env...)
		b.more = more
		b.start()
		f(b)
		b.stop()
	})
}

func newBubble(t *testing.T, env ...string) *bubble {
	b := &bubble{t: t, api: gatewaytest.NewBotAPI(token), net: gatewaytest.NewPipeNet(), model: &llmtest.Model{Strict: true}, log: &buffer{},
		wrap: func(c gateway.Channel) gateway.Channel { return c }}
	b.net.Serve(t, b.api)
	dir := t.TempDir()
	b.env = append([]string{"HOME=" + dir, "NACRE_DATA=" + dir + "/data", "NACRE_OWNERS=telegram:1001,telegram:1002", "TZ=UTC"}, env...)
	return b
}

func (b *bubble) start() {
	b.t.Helper()
	cfg, err := configs.Load(b.env, "", checkOwners)
	if err != nil {
		b.t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	channel := telegram.New(telegram.Options{Token: token, API: gatewaytest.PipeURL, Dial: b.net.DialContext, Log: log})
	scripted := supplier{name: "scripted", model: b.model, window: unknownWindow, price: llm.Price{Input: 1, Output: 3, CacheRead: 0.1, Known: true}}
	o := outside{chat: append([]supplier{scripted}, b.more...), channels: []gateway.Channel{b.wrap(channel)}, still: true}
	if b.beyond != nil {
		b.beyond(&o)
	}
	b.app, err = build(b.t.Context(), cfg, log, o)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel, b.ended = cancel, make(chan error, 1)
	go func() { b.ended <- b.app.serve(ctx, &servers{}) }()
	synctest.Wait()
}

func (b *bubble) stop() {
	b.cancel()
	if err := <-b.ended; err != nil {
		b.t.Errorf("serve: %v", err)
	}
	b.app.ledger.Close()
	if b.t.Failed() {
		b.t.Logf("log:\n%s", b.log)
	}
}

// pass lets time go by and everything that is due happen.
func (b *bubble) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// texts are the messages that a user sees.
func (b *bubble) texts(user int64) []string {
	var list []string
	for _, s := range b.api.Sent() {
		if s.Chat == user {
			list = append(list, s.Text)
		}
	}
	return list
}

// expect compares what a user sees with what they should see, by beginnings.
func (b *bubble) expect(user int64, want ...string) {
	b.t.Helper()
	got := b.texts(user)
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		b.t.Errorf("user %d sees %q, want %q", user, got, want)
	}
}

// question is the newest question that was asked on Telegram, by its buttons.
func (b *bubble) question() nacre.ReplyID {
	b.t.Helper()
	for _, c := range b.api.Calls("sendMessage") {
		if _, data, ok := strings.Cut(c.Params["reply_markup"], `"callback_data":"a/`); ok {
			return nacre.ReplyID(strings.Split(data, "/")[0])
		}
	}
	b.t.Fatal("no buttons were sent")
	return ""
}

// say is a user writing, and everything that follows at once.
func (b *bubble) say(user int64, text string) {
	b.api.Text(user, text)
	b.pass(time.Millisecond)
}

func TestStrangersAreKeptOut(t *testing.T) {
	for _, owners := range []string{"", "telegram:1001"} {
		live(t, func(b *bubble) {
			b.say(5005, "let me in")
			b.say(5005, "please")
			if got := b.texts(5005); len(got) != 1 || !strings.Contains(got[0], "nacre pair ") {
				t.Errorf("the stranger sees %q, want one pairing code", got)
			}
			// A username that looks like an owner's number, a group with an
			// owner's id, a stranger in a group: ids of persons alone count.
			b.api.Inject(`{"message":{"message_id":1,"date":1,"from":{"id":5006,"is_bot":false,"first_name":"1001","username":"1001"},"chat":{"id":-1001,"type":"group","title":"1001"},"text":"/status"}}`)
			b.api.Inject(`{"message":{"message_id":2,"date":1,"from":{"id":5006,"is_bot":false,"first_name":"x"},"chat":{"id":-1001,"type":"group"},"text":"@nacre_test_bot hi","entities":[{"type":"mention","offset":0,"length":15}]}}`)
			b.api.Inject(`{"message":{"message_id":3,"date":1,"sender_chat":{"id":1001,"type":"channel"},"chat":{"id":1001,"type":"private"},"text":"no sender"}}`)
			b.pass(time.Second)
			if n := len(b.model.Requests()); n != 0 {
				t.Errorf("the model was asked %d times for strangers", n)
			}
			if got := b.texts(-1001); len(got) != 0 {
				t.Errorf("the group of strangers sees %q", got)
			}
			if c, err := b.app.ledger.Counts(b.t.Context()); err != nil || c.Messages != 0 {
				t.Errorf("%d messages of strangers are stored, %v", c.Messages, err)
			}
			if owners == "" {
				return
			}
			b.say(1001, "hello")
			b.expect(1001, "echo: hello")
		}, "NACRE_OWNERS="+owners)
	}
}

func TestPairingByCode(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(5005, "let me in")
		code := codeIn(t, b.texts(5005)[0])
		b.say(1002, "/pair "+code)
		b.expect(1002, "Only the person who runs me")
		b.say(1001, "/pair "+strings.ToLower(strings.ReplaceAll(code, "-", "")))
		b.expect(1001, "Admitted telegram:5005.")
		b.say(5005, "thanks")
		b.expect(5005, "Hello. I am somebody's", "You are admitted.", "echo: thanks")

		b.say(1002, "/pair")
		join := codeIn(t, b.texts(1002)[1])
		b.say(6006, "/pair WRONG-CODE")
		b.say(6006, "/pair "+join)
		b.expect(6006, "That code is wrong", "You are admitted.")
		b.say(6006, "/whoami")
		b.say(1002, "/whoami")
		if six, two := ownerIn(t, b.texts(6006)[2]), ownerIn(t, b.texts(1002)[2]); six != two {
			t.Errorf("the joined address is owner %s, not %s", six, two)
		}
		b.say(7007, "hello")
		b.pass(61 * time.Minute)
		late := codeIn(t, b.texts(7007)[0])
		b.say(1001, "/pair "+late)
		b.say(7007, "hello?")
		if got := b.texts(7007); len(got) != 2 || codeIn(t, got[1]) == late {
			t.Errorf("after an hour the stranger sees %q, want a second code", got)
		}
		b.expect(1001, "Admitted", "That code is wrong or older than an hour")
	})
}

func codeIn(t *testing.T, text string) string {
	t.Helper()
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '.' }) {
		if len(word) == 9 && word[4] == '-' && strings.ToUpper(word) == word {
			return word
		}
	}
	t.Fatalf("no code in %q", text)
	return ""
}

func ownerIn(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "Owner ")
	if !ok {
		t.Fatalf("no owner in %q", text)
	}
	return strings.Split(rest, ",")[0]
}

func TestGroupAnswersItsOwnerWhenSpokenTo(t *testing.T) {
	live(t, func(b *bubble) {
		say := func(user int, text, entities string) {
			b.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"from":{"id":%d,"is_bot":false,"first_name":"x"},"chat":{"id":-2002,"type":"supergroup","title":"g"},"text":%q,"entities":[%s]}}`,
				len(b.api.Calls(""))+1000, user, text, entities))
			b.pass(time.Millisecond)
		}
		mention := `{"type":"mention","offset":0,"length":15}`
		say(1001, "not to you", "")
		say(1001, "@nacre_test_bot one", mention)
		say(1002, "@nacre_test_bot two", mention)
		b.expect(-2002, "echo: @nacre_test_bot one")
	})
}

func TestMessagesDuringATurnAreCollected(t *testing.T) {
	live(t, func(b *bubble) {
		gate := llmtest.NewGate()
		b.model.Push(llmtest.Step{Gate: gate, Text: "first"})
		b.say(1001, "a")
		for i, text := range []string{"b", "c", "d"} {
			b.pass(10*time.Second + time.Duration(i)*time.Second)
			b.say(1001, text)
		}
		b.pass(40 * time.Second)
		gate.Open()
		b.pass(time.Millisecond)
		b.expect(1001, "first", "echo: b\nc\nd")
		if n := len(b.model.Requests()); n != 2 {
			t.Errorf("the model was asked %d times", n)
		}
		last := b.model.Requests()[1].Messages
		var texts []string
		for _, m := range last {
			texts = append(texts, m.Text)
		}
		if want := []string{"a", "first", "b", "c", "d"}; !slices.Equal(texts, want) {
			t.Errorf("the history is %q, want %q", texts, want)
		}
	})
}

// An album is one turn, although its photos come as messages of their own.
func TestAlbumIsOneTurn(t *testing.T) {
	live(t, func(b *bubble) {
		photo := func(id int, caption string) {
			b.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"media_group_id":"g","photo":[{"file_id":"f"}],"caption":%q}}`, id, caption))
		}
		photo(501, "")
		photo(502, "my holiday")
		b.pass(300 * time.Millisecond)
		photo(503, "")
		photo(504, "")
		b.pass(500 * time.Millisecond)
		b.expect(1001)
		b.pass(time.Second)
		if n := len(b.model.Requests()); n != 1 {
			t.Fatalf("the model was asked %d times", n)
		}
		m := b.model.Requests()[0].Messages
		if len(m) != 4 || !strings.Contains(m[1].Text, "my holiday") {
			t.Errorf("the turn holds %+v", m)
		}
		for _, one := range m {
			if !strings.Contains(one.Text, "[photo]") {
				t.Errorf("%q is no photo", one.Text)
			}
		}
		b.pass(4 * time.Second)
		photo(505, "late")
		b.pass(time.Second)
		if m := b.model.Requests()[1].Messages; len(m) != 6 || !strings.Contains(m[5].Text, "late") {
			t.Errorf("the late photo's turn holds %+v", m)
		}
		photo(506, "and")
		b.say(1001, "a word beside the photo does not wait")
		if n := len(b.model.Requests()); n != 3 {
			t.Errorf("the model was asked %d times", n)
		}
	})
}

// A paste that the app cut into several messages is one turn; a word behind it
// does not wait.
func TestLongPasteIsOneTurn(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, strings.Repeat("a", 4096))
		b.pass(200 * time.Millisecond)
		b.say(1001, strings.Repeat("b", 4096))
		b.pass(200 * time.Millisecond)
		b.expect(1001)
		b.say(1001, "and the end")
		if reqs := b.model.Requests(); len(reqs) != 1 || len(reqs[0].Messages) != 3 {
			t.Fatalf("%d requests", len(reqs))
		}
		b.say(1001, strings.Repeat("c", 3000))
		if n := len(b.model.Requests()); n != 2 {
			t.Errorf("a text of 3,000 characters waited")
		}
	})
}

func TestQuestionsAreAnsweredByButton(t *testing.T) {
	live(t, func(b *bubble) {
		b.model.Push(llmtest.Step{Text: "Let me ask.", Calls: []llm.ToolCall{{ID: "c1", Name: "ask_user", Args: []byte(`{"question":"Tea or coffee?","options":["Tea","Coffee"]}`)}}})
		b.say(1001, "I am thirsty")
		b.expect(1001, "Let me ask.\n\nTea or coffee?")
		open, err := b.app.ledger.Undelivered(b.t.Context())
		if err != nil || len(open) != 0 {
			t.Fatalf("undelivered %v, %v", open, err)
		}
		q := b.question()
		press := func(user string, option int) string {
			text, err := b.app.gateway.Press(b.t.Context(), nacre.Press{Author: nacre.Address{Channel: nacre.Telegram, ID: user},
				Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1001"}, Private: true, Question: q, Option: option})
			b.pass(time.Millisecond)
			if err != nil {
				return err.Error()
			}
			return text
		}
		if got := press("1002", 1); !strings.Contains(got, "Only the person who was asked") {
			t.Errorf("another owner's press: %q", got)
		}
		if got := press("9999", 1); !strings.Contains(got, "Only the person who was asked") {
			t.Errorf("a stranger's press: %q", got)
		}
		if got := press("1001", 7); !strings.Contains(got, "no such answer") {
			t.Errorf("a press that names no option: %q", got)
		}
		if n := len(b.model.Requests()); n != 1 {
			t.Errorf("refused presses asked the model %d times", n-1)
		}
		for range 2 { // the second comes late, for the other option
			if got := press("1001", 1); got != "Coffee" {
				t.Errorf("press: %q", got)
			}
		}
		if got := press("1001", 0); got != "Coffee" {
			t.Errorf("a press after the choice: %q", got)
		}
		b.expect(1001, "Let me ask.", `echo: [quoted: "Tea or coffee?"]`)
		reqs := b.model.Requests()
		if m := reqs[1].Messages; len(m) < 2 || m[len(m)-2].Role != llm.Assistant || m[len(m)-2].Text != "Tea or coffee?" {
			t.Errorf("the question does not stand before the choice: %+v", m)
		}
		if m := reqs[1].Messages; len(reqs) != 2 || m[len(m)-1].Text != "[quoted: \"Tea or coffee?\"]\n[prefill: \"Coffee\"]" {
			t.Errorf("%d requests, the last %+v", len(reqs), m)
		}
	})
}

func TestFilesGoOutWithTheAnswer(t *testing.T) {
	live(t, func(b *bubble) {
		b.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "c1", Name: "send_file", Args: []byte(`{"name":"../../list.md","content":"- milk"}`)}}}, llmtest.Step{Text: "Here it is."})
		b.say(1001, "send me the list as a file")
		calls := b.api.Calls("sendDocument")
		if len(calls) != 1 || len(b.texts(1001)) == 0 || !strings.Contains(strings.Join(b.texts(1001), ""), "Here it is.") {
			t.Errorf("%d documents, texts %q", len(calls), b.texts(1001))
		}
	})
}

func TestEditsTakeEffectWhereTheyCan(t *testing.T) {
	live(t, func(b *bubble) {
		edit := func(id, at int, text string) {
			b.api.Inject(fmt.Sprintf(`{"edited_message":{"message_id":%d,"date":1,"edit_date":%d,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"text":%q}}`, id, at, text))
			b.pass(time.Millisecond)
		}
		said := func(id int, text string) {
			b.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"text":%q}}`, id, text))
			b.pass(time.Millisecond)
		}
		gate := llmtest.NewGate()
		b.model.Push(llmtest.Step{Gate: gate, Text: "first"})
		said(501, "a")
		said(502, "helo")
		edit(502, 2, "hello")
		gate.Open()
		b.pass(time.Millisecond)
		b.expect(1001, "first", "echo: hello")
		edit(502, 3, "hello!")
		edit(502, 4, "/stop")
		b.pass(time.Hour)
		b.expect(1001, "first", "echo: hello")
		said(503, "next")
		b.expect(1001, "first", "echo: hello", "echo: [edit of an earlier message]\n/stop\nnext")
	})
}

func TestReactionsCostNoTurn(t *testing.T) {
	live(t, func(b *bubble) {
		react := func(at int) {
			b.api.Inject(fmt.Sprintf(`{"message_reaction":{"chat":{"id":1001,"type":"private"},"message_id":7,"user":{"id":1001,"is_bot":false,"first_name":"x"},"date":%d,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]}}`, at))
			b.pass(time.Millisecond)
		}
		react(1)
		b.say(1001, "/whoami")
		if n := len(b.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times for a reaction and a command", n)
		}
		for i := range 250 {
			react(i + 2)
		}
		b.expect(1001, "You are telegram:1001")
		if n := len(b.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times for reactions", n)
		}
		b.say(1001, "thanks")
		reqs := b.model.Requests()
		if len(reqs) != 1 {
			t.Errorf("%d requests", len(reqs))
		} else if m := reqs[0].Messages; !strings.Contains(m[0].Text, "reaction 👍") || m[len(m)-1].Text != "thanks" {
			t.Errorf("the request begins with %+v and ends with %+v", m[0], m[len(m)-1])
		}
	})
}

func TestForwardedCommandIsOnlyText(t *testing.T) {
	live(t, func(b *bubble) {
		b.api.Inject(`{"message":{"message_id":501,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"forward_origin":{"type":"user","date":1,"sender_user":{"id":9,"is_bot":false,"first_name":"y"}},"text":"/pair"}}`)
		b.pass(time.Millisecond)
		b.expect(1001, "echo: [forwarded: \"/pair\"]")
		b.say(1001, "/pair")
		if got := b.texts(1001); !strings.Contains(got[1], "send me this there") {
			t.Errorf("the typed command gave %q", got[1])
		}
	})
}

func TestFollowUpIsSeenAfterTheToolStep(t *testing.T) {
	live(t, func(b *bubble) {
		gate := llmtest.NewGate()
		b.model.Push(
			llmtest.Step{Gate: gate, Calls: []llm.ToolCall{{ID: "c1", Name: "now", Args: []byte(`{"zone":"Asia/Tokyo"}`)}}},
			llmtest.Step{Text: "both done"})
		b.say(1001, "what time is it in Tokyo?")
		b.pass(20 * time.Second)
		b.say(1001, "still there?")
		gate.Open()
		b.pass(time.Millisecond)
		b.expect(1001, "both done")
		reqs := b.model.Requests()
		if len(reqs) != 2 {
			t.Fatalf("the model was asked %d times", len(reqs))
		}
		m := reqs[1].Messages
		if len(m) != 4 || m[2].Role != llm.Tool || !strings.Contains(m[2].Text, "Asia/Tokyo, UTC+09:00") || m[3].Text != "still there?" {
			t.Errorf("the second request holds %+v", m)
		}
	})
}

func TestStopAndNewActAtOnce(t *testing.T) {
	live(t, func(b *bubble) {
		b.model.Push(llmtest.Step{Gate: llmtest.NewGate()}, llmtest.Step{Gate: llmtest.NewGate()})
		b.say(1001, "long work")
		b.pass(time.Minute)
		b.say(1001, "more of it")
		b.say(1001, "/stop")
		b.expect(1001, "Stopped.")
		b.pass(time.Hour)
		b.expect(1001, "Stopped.")

		b.say(1001, "long work again")
		b.say(1001, "/new")
		b.say(1001, "hello")
		b.expect(1001, "Stopped.", "A fresh start", "echo: hello")
		reqs := b.model.Requests()
		if m := reqs[len(reqs)-1].Messages; len(m) != 1 {
			t.Errorf("after /new the model sees %+v", m)
		}
	})
}

func TestUselessAnswersAreAskedForOnceMore(t *testing.T) {
	now := []llm.ToolCall{{ID: "c1", Name: "now", Args: []byte(`{}`)}}
	cases := []struct {
		name  string
		steps []llmtest.Step
		want  string
	}{
		{"empty, then an answer", []llmtest.Step{{}, {Text: "here"}}, "here"},
		{"empty twice", []llmtest.Step{{}, {}}, "The language model gave no answer"},
		{"white space twice", []llmtest.Step{{Text: " \n"}, {Text: "\t"}}, "The language model gave no answer"},
		{"tool, then empty twice", []llmtest.Step{{Calls: now}, {}, {}}, "The language model gave no answer"},
		{"cut without text twice", []llmtest.Step{{Stop: llm.StopLength}, {Stop: llm.StopLength}}, "The language model gave no answer"},
		{"cut with text twice", []llmtest.Step{{Text: "half", Stop: llm.StopLength}, {Text: "half", Stop: llm.StopLength}}, "half\n\n(My answer was cut off"},
		{"nothing visible", []llmtest.Step{{Text: "\u200b\u2800"}, {Text: "\u2800"}}, "The language model gave no answer"},
		{"refused", []llmtest.Step{{Stop: llm.StopRefused}}, "The language model declined"},
		{"panic", []llmtest.Step{{Panic: "boom"}}, "Something went wrong on my side."},
		{"no credit", []llmtest.Step{{Err: &llm.Error{Cause: llm.Billing}}}, "The account for the language model has no credit"},
		{"unknown tool, bad arguments", []llmtest.Step{{Calls: []llm.ToolCall{{ID: "1", Name: "nope", Args: []byte(`{}`)}, {ID: "2", Name: "now", Args: []byte(`{`)}}}, {Text: "fine"}}, "fine"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			live(t, func(b *bubble) {
				b.model.Push(c.steps...)
				b.say(1001, "question")
				b.expect(1001, c.want)
				typing := len(b.api.Calls("sendChatAction"))
				b.pass(time.Minute)
				if more := len(b.api.Calls("sendChatAction")); more != typing {
					t.Error("typing goes on after the answer")
				}
				b.say(1001, "next")
				if got := b.texts(1001); len(got) != 2 || !strings.HasSuffix(got[1], "next") {
					t.Errorf("the conversation does not go on: %q", got)
				}
			})
		})
	}
}

func TestTurnHasADeadline(t *testing.T) {
	live(t, func(b *bubble) {
		b.model.Push(llmtest.Step{Gate: llmtest.NewGate()})
		b.say(1001, "question")
		b.pass(4 * time.Minute)
		b.expect(1001)
		if n := len(b.api.Calls("sendChatAction")); n < 50 || n > 70 {
			t.Errorf("typing was shown %d times in four minutes", n)
		}
		b.pass(2 * time.Minute)
		b.expect(1001, "The language model did not begin to answer in time")
	})
}

func TestOneBusyUserBlocksNobody(t *testing.T) {
	live(t, func(b *bubble) {
		gate := llmtest.NewGate()
		b.model.Push(llmtest.Step{Gate: gate, Text: "slow"})
		b.say(1001, "a")
		b.say(1002, "b")
		b.expect(1002, "echo: b")
		b.expect(1001)
		gate.Open()
		b.pass(time.Millisecond)
		b.expect(1001, "slow")
	})
}

func TestFloodIsWaitedOutForThatChatAlone(t *testing.T) {
	live(t, func(b *bubble) {
		b.api.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 250})
		b.say(1001, "a")
		b.say(1002, "b")
		b.expect(1002, "echo: b")
		b.pass(240 * time.Second)
		b.expect(1001)
		b.pass(20 * time.Second)
		b.expect(1001, "echo: a")
		if v := b.api.Violations(); len(v) != 0 {
			t.Errorf("calls during the pause: %v", v)
		}
	})
}

func TestLostAnswerOfTheNetworkGivesOneLabelledRepeat(t *testing.T) {
	cases := []struct {
		name   string
		faults []gatewaytest.Fault
		want   []string
		dead   int
	}{
		{"accepted, answer lost", []gatewaytest.Fault{{Kind: gatewaytest.DropAfter}}, []string{"echo: a", label + "echo: a"}, 0},
		{"accepted twice, answers lost", []gatewaytest.Fault{{Kind: gatewaytest.DropAfter, Times: -1}}, []string{"echo: a", label + "echo: a"}, 1},
		{"not accepted, then the network is down for a while", []gatewaytest.Fault{{Kind: gatewaytest.DropBefore}}, []string{label + "echo: a"}, 0},
		{"only sending is down for a minute", []gatewaytest.Fault{{Kind: gatewaytest.HTML, Times: 6}}, []string{label + "echo: a"}, 0},
		{"credentials refused once", []gatewaytest.Fault{{Kind: gatewaytest.Refuse, Code: 401, Words: "Unauthorized"}}, []string{"echo: a"}, 0},
		{"refused for now", []gatewaytest.Fault{{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error", Times: 3}}, []string{"echo: a"}, 0},
		{"blocked by the user", []gatewaytest.Fault{{Kind: gatewaytest.Refuse, Code: 403, Words: "Forbidden: bot was blocked by the user"}}, nil, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			live(t, func(b *bubble) {
				b.api.Fail("sendMessage", c.faults...)
				if strings.Contains(c.name, "network is down") {
					b.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.HTML, Times: 3})
				}
				b.say(1001, "a")
				if n := len(b.api.Calls("sendMessage")); n != 1 {
					t.Errorf("%d sends at once", n)
				}
				b.pass(time.Hour)
				b.expect(1001, c.want...)
				counts, err := b.app.ledger.Counts(b.t.Context())
				if err != nil || counts.Dead != c.dead || counts.Waiting != 0 {
					t.Errorf("counts %+v, %v; want %d dead", counts, err, c.dead)
				}
				if n := len(b.model.Requests()); n != 1 {
					t.Errorf("the model was asked %d times", n)
				}
				b.api.Heal("sendMessage")
				b.say(1001, "b")
				b.expect(1001, append(c.want, "echo: b")...)
			})
		})
	}
}

func TestPollingSurvivesWhatTelegramDoes(t *testing.T) {
	live(t, func(b *bubble) {
		// No bytes for ten minutes.
		b.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Hang})
		b.pass(3 * time.Minute)
		b.say(1001, "a")
		b.expect(1001, "echo: a")
		b.api.Release()

		// Half an hour of silence is no fault.
		before := len(b.api.Calls("getMe"))
		b.pass(30 * time.Minute)
		if n := len(b.api.Calls("getMe")); n != before {
			t.Errorf("reconnected %d times for want of messages", n-before)
		}
		// Another program polls for a while, then the server is broken.
		b.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 409, Words: "Conflict: terminated by other getUpdates request"},
			gatewaytest.Fault{Kind: gatewaytest.HTML}, gatewaytest.Fault{Kind: gatewaytest.Truncated}, gatewaytest.Fault{Kind: gatewaytest.NotOK})
		b.say(1001, "b")
		b.pass(10 * time.Minute)
		b.expect(1001, "echo: a", "echo: b")
		// The token is refused for a moment, as services do by mistake.
		b.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 401, Words: "Unauthorized"})
		b.pass(2 * time.Minute)
		b.say(1001, "c")
		b.pass(6 * time.Minute)
		b.expect(1001, "echo: a", "echo: b", "echo: c")
		if n := b.api.MostPolls(); n != 1 {
			t.Errorf("%d polls were in flight at once", n)
		}
	})
}

// A refusal right after the start is a mistake in the configuration only if the
// channel never worked.
func TestATokenThatWorkedIsTriedAgain(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "a")
		b.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 401, Words: "Unauthorized"})
		b.say(1001, "b") // ends the poll that is under way
		b.say(1001, "c")
		b.pass(6 * time.Minute)
		if got := strings.Join(b.texts(1001), "|"); !strings.HasPrefix(got, "echo: a|echo: b") || !strings.HasSuffix(got, "c") {
			t.Errorf("user 1001 sees %q", got)
		}
		if !strings.Contains(b.log.String(), "channel stopped") {
			t.Error("the refusal was not met, so this test saw too little")
		}
	})
}

func TestUpdatesOfEveryKindAreSurvived(t *testing.T) {
	live(t, func(b *bubble) {
		var last int64
		for _, u := range []string{
			`{"channel_post":{"message_id":1,"date":1,"chat":{"id":-5,"type":"channel"},"text":"x"}}`,
			`{"edited_message":{"message_id":1,"date":1,"edit_date":2,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"text":"x"}}`,
			`{"my_chat_member":{"chat":{"id":1001,"type":"private"},"from":{"id":1001,"is_bot":false,"first_name":"x"},"date":1}}`,
			`{"message_reaction":{"chat":{"id":1001,"type":"private"},"message_id":1,"date":1,"old_reaction":[],"new_reaction":[]}}`,
			`{"poll":{"id":"1","question":"q","options":[]}}`,
			`{"callback_query":{"id":"1","from":{"id":999,"is_bot":false,"first_name":"x"},"data":"approve"}}`,
			`{"some_new_thing":{"a":[1,{"b":null}]}}`,
			`{"message":{"message_id":"not a number","text":7}}`,
			`{"message":{"message_id":2,"date":1,"chat":{"id":-7,"type":"supergroup"},"sender_chat":{"id":-7,"type":"supergroup"},"text":"@nacre_test_bot x"}}`,
			`{"message":{"message_id":3,"date":1,"chat":{"id":1001,"type":"private"}}}`,
			`{"message":null}`,
		} {
			last = b.api.Inject(u)
		}
		b.pass(time.Second)
		if n := b.api.Pending(); n != 0 {
			t.Errorf("%d updates are not confirmed", n)
		}
		if last == 0 || len(b.model.Requests()) != 0 {
			t.Errorf("the model was asked for %+v", b.model.Requests())
		}
		b.say(1001, "hello")
		b.expect(1001, "echo: [edit of an earlier message]\nx\nhello")
	})
}

// One conversation out of every kind of update that was captured.
func TestACapturedConversation(t *testing.T) {
	live(t, func(b *bubble) {
		files, err := filepath.Glob("../../gateway/telegram/testdata/*.json")
		if err != nil || len(files) < 90 {
			b.t.Fatalf("%d captured updates, %v", len(files), err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				b.t.Fatal(err)
			}
			var update map[string]json.RawMessage
			if err := json.Unmarshal(raw, &update); err != nil {
				b.t.Fatalf("%s: %v", f, err)
			}
			delete(update, "update_id") // the double counts for itself
			raw, err = json.Marshal(update)
			if err != nil {
				b.t.Fatal(err)
			}
			b.api.Inject(string(raw))
			b.pass(time.Second)
			if n := b.api.Pending(); n != 0 {
				t.Errorf("%s is not confirmed", f)
			}
		}
		b.pass(time.Minute)
		if log := b.log.String(); strings.Contains(log, "panic") {
			t.Error("something panicked")
		}
		answers := len(b.texts(1001))
		if answers < 30 {
			t.Errorf("%d answers in all", answers)
		}
		b.say(1001, "still there?")
		if got := b.texts(1001); len(got) != answers+1 || !strings.HasSuffix(got[answers], "still there?") {
			t.Errorf("afterwards the answer is %q", got[answers:])
		}
		counts, err := b.app.ledger.Counts(b.t.Context())
		if err != nil || counts.Pending != 0 || counts.Waiting != 0 {
			t.Errorf("left over: %+v, %v", counts, err)
		}
	})
}

func TestLongAnswersArriveWholeAndInOrder(t *testing.T) {
	for _, n := range []int{1, 4096, 4097, 5151, 40_000} {
		live(t, func(b *bubble) {
			words := strings.Repeat("word ", n/5+1)[:n]
			b.model.Push(llmtest.Step{Text: strings.TrimSpace(words)})
			b.say(1001, "x")
			b.pass(time.Second)
			got := b.texts(1001)
			if strings.Join(strings.Fields(strings.Join(got, " ")), " ") != strings.TrimSpace(words) {
				t.Errorf("%d characters arrived changed, in %d parts", n, len(got))
			}
			if want := (n + 4095) / 4096; len(got) > want+1 {
				t.Errorf("%d characters came in %d parts", n, len(got))
			}
		})
	}
}

func TestHostileTextsAreAnswered(t *testing.T) {
	long := strings.Repeat("ä", 20_000)
	live(t, func(b *bubble) {
		b.say(1001, long)
		b.api.Inject(`{"message":{"message_id":501,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"text":"half \ud83c of a pair"}}`)
		b.api.Inject(`{"message":{"message_id":502,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"text":""}}`)
		b.say(1001, "nul \x00 byte")
		b.say(1001, "end")
		b.pass(time.Second)
		all := strings.Join(b.texts(1001), "")
		if strings.Count(all, "ä") != 20_000 || !strings.Contains(all, "half \ufffd of a pair") || !strings.Contains(all, "end") {
			t.Errorf("answers: %d characters in %d messages", len(all), len(b.texts(1001)))
		}
	})
}

func TestIdleSessionsAreRetiredAndComeBack(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "a")
		b.pass(time.Hour)
		b.say(1001, "b")
		b.expect(1001, "echo: a", "echo: b")
		reqs := b.model.Requests()
		if m := reqs[1].Messages; len(m) != 3 || m[0].Text != "a" || m[1].Text != "echo: a" {
			t.Errorf("after an hour the model sees %+v", m)
		}
	})
}

// What piles up is answered a hundred messages at a time.
func TestAPileOfMessagesIsAnsweredInTurns(t *testing.T) {
	live(t, func(b *bubble) {
		gate := llmtest.NewGate()
		b.model.Push(llmtest.Step{Gate: gate, Text: "first"})
		b.say(1001, "first")
		for i := range 250 {
			b.api.Text(1001, fmt.Sprintf("m%d.", i))
		}
		b.pass(time.Second)
		gate.Open()
		b.pass(time.Second)
		if n := len(b.model.Requests()); n != 4 {
			t.Errorf("the model was asked %d times, want once and three times for 250 messages", n)
		}
		all := strings.Join(b.texts(1001), "")
		for i := range 250 {
			if m := fmt.Sprintf("m%d.", i); strings.Count(all, m) != 1 {
				t.Errorf("%s is answered %d times", m, strings.Count(all, m))
			}
		}
	})
}

// panicky is a channel with faults of its own.
type panicky struct {
	gateway.Channel
	render, send, run bool
}

func (p *panicky) Render(r nacre.Reply) []nacre.Part {
	if p.render && strings.Contains(r.Text, "poison") {
		panic("render")
	}
	return p.Channel.Render(r)
}

func (p *panicky) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	if p.send && strings.Contains(d.Part.Text, "poison") {
		panic("send")
	}
	return p.Channel.Send(ctx, d, repeat)
}

func (p *panicky) Run(ctx context.Context, h gateway.Host) error {
	if p.run {
		p.run = false
		panic("run")
	}
	return p.Channel.Run(ctx, h)
}

func TestPanicsCostLittle(t *testing.T) {
	cases := []struct {
		name    string
		channel panicky
		want    []string
		dead    int
	}{
		{"in Render", panicky{render: true}, []string{"Something went wrong on my side.", "clean"}, 0},
		{"in Send", panicky{send: true}, []string{"clean"}, 1},
		{"in Run", panicky{run: true}, []string{"poison", "clean"}, 0},
		{"nowhere", panicky{}, []string{"poison", "clean"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBubble(t)
				b.wrap = func(inner gateway.Channel) gateway.Channel {
					c.channel.Channel = inner
					return &c.channel
				}
				b.start()
				b.pass(time.Minute)
				b.model.Push(llmtest.Step{Text: "poison"}, llmtest.Step{Text: "clean"})
				b.say(1001, "one")
				b.pass(time.Minute)
				b.say(1001, "two")
				b.pass(time.Minute)
				b.expect(1001, c.want...)
				if counts, err := b.app.ledger.Counts(t.Context()); err != nil || counts.Dead != c.dead || counts.Pending != 0 {
					t.Errorf("counts %+v, %v", counts, err)
				}
				b.stop()
			})
		})
	}
}

// A turn that outlasts the end of the program is not answered and not lost.
func TestATurnLongerThanTheDrainIsRepeated(t *testing.T) {
	live(t, func(b *bubble) {
		b.model.Push(llmtest.Step{Gate: llmtest.NewGate()})
		b.say(1001, "question")
		began := time.Now()
		b.stop()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the end took %s", took)
		}
		b.expect(1001)
		b.start()
		b.expect(1001, "echo: question")
	})
}

func TestRefusedTokenEndsTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBubble(t)
		b.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 401, Words: "Unauthorized"})
		b.start()
		err := <-b.ended
		if err == nil || report(b.log, err) != exitUsage || !strings.Contains(err.Error(), "@BotFather") {
			t.Errorf("a refused token: %v", err)
		}
		b.app.ledger.Close()
	})
}
