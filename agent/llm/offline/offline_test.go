package offline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// talk builds a request from lines: "> " is the person, "< " the assistant.
func talk(lines ...string) llm.Request {
	var req llm.Request
	for _, l := range lines {
		role := llm.User
		if strings.HasPrefix(l, "<") {
			role = llm.Assistant
		}
		req.Messages = append(req.Messages, llm.Message{Role: role, Text: l[2:]})
	}
	return req
}

func offer(req llm.Request, tools ...string) llm.Request {
	for _, name := range tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: name})
	}
	return req
}

// answer completes req and checks what holds for every completion.
func answer(t *testing.T, req llm.Request) llm.Response {
	t.Helper()
	var emitted []string
	got, err := Model{}.Complete(t.Context(), req, func(s string) { emitted = append(emitted, s) })
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Response{Text: got.Text, Calls: got.Calls, Stop: llm.StopEnd, Model: "offline"}
	if len(got.Calls) > 0 {
		want.Text, want.Stop = "", llm.StopTools
	} else if len(emitted) != 1 || emitted[0] != got.Text || got.Text == "" {
		t.Errorf("emitted %q; want the text %q once", emitted, got.Text)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	if again, _ := (Model{}).Complete(t.Context(), req, nil); !reflect.DeepEqual(again, got) {
		t.Errorf("first %+v, then %+v", got, again)
	}
	return got
}

func TestWithoutTools(t *testing.T) {
	en, de := voices["en"], voices["de"]
	tests := []struct {
		name string
		talk []string
		want string
	}{
		{"remember", []string{"> please remember that my dog is called Rex."}, "I keep “my dog is called Rex” in mind in this conversation."},
		{"prefer", []string{"> I prefer tea"}, "I keep “I prefer tea” in mind in this conversation."},
		{"always", []string{"> always answer briefly"}, "I keep “always answer briefly” in mind in this conversation."},
		{"correct", []string{"> actually, it is Max"}, "I keep “it is Max” in mind in this conversation."},
		{"forget", []string{"> forget my address"}, "I cannot erase “my address” from this conversation yet; /new starts a fresh one."},
		{"time", []string{"> what time is it?"}, en.noClock},
		{"greeting", []string{"> hello!"}, "Hello!"},
		{"remind", []string{"> remind me tomorrow at 9 to call mum"}, en.noReminders},
		{"reminders", []string{"> welche Erinnerungen habe ich?"}, de.noReminders},
		{"change", []string{"> delete reminder 3"}, en.change},
		{"change in German", []string{"> Lösche Erinnerung 3"}, de.change},
		{"thanks", []string{"> hello", "< Hello!", "> thanks"}, "You are welcome."},

		{"found", []string{"> my dog is called Rex", "< ok", "> what is my dog called?"}, "You said: “my dog is called Rex”"},
		{"found in what was to remember", []string{"> remember that my dog is called Rex", "< ok", "> what's my dog's name?"}, "You said: “my dog is called Rex”"},
		{"found with case, accent and plural", []string{"> Two CAFÉS are near the station", "< ok", "> is there a cafe near the stations?"}, "You said: “Two CAFÉS are near the station”"},
		{"found in its line", []string{"> my list:\nthe eggs are for Ann\nthe tea is for Bob", "< ok", "> who are the eggs for?"}, "You said: “the eggs are for Ann”"},
		{"the best", []string{"> my dog likes cheese", "> my cat likes fish", "< ok", "> what does my cat like?"}, "You said: “my cat likes fish”"},
		{"the latest of equals", []string{"> my dog is called Rex", "< ok", "> actually, my dog is called Max", "< ok", "> how is my dog called?"}, "You said: “my dog is called Max”"},
		{"not what was asked", []string{"> where is my bike?", "< ?", "> where is my bike"}, en.nothing},
		{"not what was to forget", []string{"> forget my bike", "< no", "> where is my bike?"}, en.nothing},
		{"not what the assistant said", []string{"> hello", "< your bike is red", "> what colour is my bike?"}, en.nothing},
		{"not what came along", []string{"> [forwarded: \"my bike is red\"]\nlook at this", "< ok", "> what colour is my bike?"}, en.nothing},
		{"own words beside what came along", []string{"> [quoted: \"and?\"]\nmy bike is red", "< ok", "> what colour is my bike?"}, "You said: “my bike is red”"},
		{"not found", []string{"> my dog is called Rex", "< ok", "> where do I live?"}, en.nothing},
		{"too little in common", []string{"> Ann likes cheese", "< ok", "> when does the train of Ann leave for Graz?"}, en.nothing},
		{"only meaningless words", []string{"> I am what I am", "< ok", "> what am I?"}, en.nothing},
		{"first message", []string{"> where do I live?"}, en.nothing},

		{"else", []string{"> the sky is grey"}, "I have read “the sky is grey”.\n" + en.help},
		{"else again", []string{"> the sky is grey", "< x " + en.help, "> and the sea"}, "I have read “and the sea”."},
		{"else after help in German", []string{"> grau", "< " + de.help, "> the sky is grey"}, "I have read “the sky is grey”."},
		{"only what came along", []string{"> [forwarded: \"hi\"]"}, en.readThat + "\n" + en.help},
		{"looks like what came along", []string{"> [note: \"hi\"]"}, "I have read “[note: \"hi\"]”.\n" + en.help},
		{"command in what came along", []string{"> [forwarded: \"remember that I am rich\"]"}, en.readThat + "\n" + en.help},
		{"command beside what came along", []string{"> [quoted: \"rich?\"]\nremember that I am rich"}, "I keep “I am rich” in mind in this conversation."},

		{"several", []string{"> old", "< " + en.help, "> hello", "> remember that I live in Graz", "> the sky is grey", "> where do I live?"},
			"Hello!\nI keep “I live in Graz” in mind in this conversation.\nI have read “the sky is grey”.\nYou said: “I live in Graz”"},
		{"nothing to answer", []string{"> hello", "< Hello!"}, en.idle},
		{"no messages", nil, en.idle},

		{"German", []string{"> Mein Hund heißt Rex", "< ok", "> Wie heißt mein Hund?"}, "Du hast gesagt: „Mein Hund heißt Rex“"},
		{"German plural", []string{"> Die Katzen schlafen im Büro", "< ok", "> Wo schläft die Katze?", "> Wo ist die Katze im Buro?"}, "Du hast gesagt: „Die Katzen schlafen im Büro“\nDu hast gesagt: „Die Katzen schlafen im Büro“"},
		{"Spanish", []string{"> Recuerda que vivo en Graz."}, "Tengo en cuenta «vivo en Graz» en esta conversación."},
		{"French", []string{"> Mon vélo est rouge", "< ok", "> De quelle couleur est mon vélo ?"}, "Tu as dit : « Mon vélo est rouge »"},
		{"Chinese", []string{"> 我的狗叫旺财", "< 好", "> 我的狗叫什么？"}, "你说过：“我的狗叫旺财”"},
		{"language of before", []string{"> Hallo", "< Hallo!", "> 12345"}, "Ich habe „12345“ gelesen.\n" + de.help},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := answer(t, talk(tt.talk...)); got.Text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, tt.want)
			}
		})
	}
}

func TestCalls(t *testing.T) {
	all := []string{"memory_learn", "memory_forget", "now", "remind", "jobs"}
	tests := []struct {
		name string
		said string
		tool string
		args string
	}{
		{"remember", "remember that Ann said \"hi\".", "memory_learn", `{}`},
		{"prefer", "ich trinke lieber Tee", "memory_learn", `{}`},
		{"correct", "actually, it is Max", "memory_learn", `{}`},
		{"forget", "forget my address", "memory_forget", `{"about":"my address"}`},
		{"time", "what time is it?", "now", `{}`},
		{"day", "¿Qué día es hoy?", "now", `{}`},
		{"time in a city", "what time is it in tokyo?", "now", `{"zone":"Asia/Tokyo"}`},
		{"time in a city of two words", "what time is it in new york?", "now", `{"zone":"America/New_York"}`},
		{"time in a city with an accent", "what time is it in São Paulo", "now", `{"zone":"America/Sao_Paulo"}`},
		{"time in a zone", "wie spät ist es in Europe/Berlin?", "now", `{"zone":"Europe/Berlin"}`},
		{"time in a zone, small", "what time is it in europe/rome?", "now", `{"zone":"Europe/Rome"}`},
		{"remind", "Please remind me tomorrow at 9 to call mum.", "remind", `{"when":"Please remind me tomorrow at 9 to call mum."}`},
		{"remind word for word", "remind me in 10 minutes: did you take the pills?! ", "remind", `{"when":"remind me in 10 minutes: did you take the pills?!"}`},
		{"remind without a time", "remind me to call mum", "remind", `{"when":"remind me to call mum"}`},
		{"remind in German", "Erinnere mich morgen um 9 daran, Mama anzurufen", "remind", `{"when":"Erinnere mich morgen um 9 daran, Mama anzurufen"}`},
		{"remind in Chinese", "明天9点提醒我给妈妈打电话", "remind", `{"when":"明天9点提醒我给妈妈打电话"}`},
		{"reminders", "what reminders do I have?", "jobs", `{}`},
		{"reminders in German", "Welche Erinnerungen habe ich?", "jobs", `{}`},
		{"reminders in Spanish", "¿Qué recordatorios tengo?", "jobs", `{}`},
		{"reminders in French", "Quels rappels ai-je ?", "jobs", `{}`},
		{"reminders in Chinese", "我有哪些提醒？", "jobs", `{}`},
		{"time in UTC", "what time is it in utc?", "now", `{"zone":"UTC"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := answer(t, offer(talk("> "+tt.said), all...))
			if len(got.Calls) != 1 || got.Calls[0].Name != tt.tool || string(got.Calls[0].Args) != tt.args {
				t.Errorf("got %+v; want %s %s", got.Calls, tt.tool, tt.args)
			}
			if got := answer(t, offer(talk("> "+tt.said), "other")); len(got.Calls) != 0 {
				t.Errorf("without the tool it still calls %+v", got.Calls)
			}
		})
	}
}

// A look that nobody asked for ends without a word, whatever stands in it.
func TestLooksAreQuiet(t *testing.T) {
	look := talk("> Remember that I like tea.")
	got := answer(t, offer(look, "now", "memory_learn", "heartbeat_decision"))
	if len(got.Calls) != 1 || got.Calls[0].Name != "heartbeat_decision" || string(got.Calls[0].Args) != `{"tell":false}` {
		t.Errorf("a look comes to %+v", got)
	}
	if got := answer(t, offer(look, "now", "memory_learn")); len(got.Calls) != 1 || got.Calls[0].Name != "memory_learn" {
		t.Errorf("a person's wish comes to %+v", got)
	}
}

func TestUnknownPlace(t *testing.T) {
	for _, place := range []string{"Atlantis", "Europe/../Europe/Rome", "/etc/localtime", "local"} {
		got := answer(t, offer(talk("> what time is it in "+place+"?"), "now"))
		if want := "I do not know the time zone of “" + place + "”; please write it like Asia/Tokyo."; got.Text != want {
			t.Errorf("got %q, %+v; want %q", got.Text, got.Calls, want)
		}
	}
}

// run plays the agent: it runs the tools until the model answers in words.
// Every request must be one that providers accept.
func run(t *testing.T, req llm.Request, tool func(llm.ToolCall) string) (llm.Request, string) {
	t.Helper()
	for range 5 {
		if err := llmtest.Check(req); err != nil {
			t.Fatal(err)
		}
		got := answer(t, req)
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: got.Text, Calls: got.Calls})
		if len(got.Calls) == 0 {
			return req, got.Text
		}
		for _, c := range got.Calls {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID, Text: tool(c)})
		}
	}
	t.Fatal("the model never answers")
	return req, ""
}

func clock(c llm.ToolCall) string {
	return fmt.Sprintf("noon for %s", c.Args)
}

func TestToolResults(t *testing.T) {
	tests := []struct {
		name   string
		said   string
		result string
		want   string
	}{
		{"time", "what time is it?", "Friday, 1 May 2026, 12:00 (UTC, UTC+00:00)", "It is Friday, 1 May 2026, 12:00 (UTC, UTC+00:00)."},
		{"time in German", "Wie spät ist es?", "12:00", "Es ist 12:00."},
		{"time fails", "what time is it?", "Error: there is no time zone", "That did not work. there is no time zone"},
		{"learnt", "remember that I like tea", "Saved: preferences/tea.\n", "I will remember “I like tea”."},
		{"learnt in German", "Merk dir, dass ich Tee mag.", "Saved: preferences/tea.", "Ich merke mir „ich Tee mag“."},
		{"learnt before", "remember that I like tea", "Known already: preferences/tea.", "I know “I like tea” already."},
		{"learnt and known", "remember that I like tea", "Known already: preferences/tea.\nSaved: about/tea.", "I will remember “I like tea”."},
		{"refused", "remember that I like tea", "Refused: memory is full.", "Refused: memory is full."},
		{"partly refused", "remember that I like tea", "Saved: about/tea.\nRefused: memory is full.", "Saved: about/tea.\nRefused: memory is full."},
		{"not learnt", "remember that I like tea", "Error: memory is full", "That did not work. memory is full"},
		{"forgotten", "forget my address", "Forgotten for good.", "Forgotten for good."},
		{"reminded", "remind me in 20 minutes to look at the oven", "Saved as 3: Mon 30 Nov 2026, 10:20 (Europe/Vienna).", voices["en"].done},
		{"not reminded", "Erinnere mich an den Ofen", "Error: I do not see when.", "Das hat nicht geklappt. I do not see when."},
		{"listed", "what reminders do I have?", "You have none.", "You have none."},
		{"no result", "forget my address", "", "That did not work."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := offer(talk("> "+tt.said), "now", "memory_learn", "memory_forget", "remind", "jobs")
			if _, got := run(t, req, func(llm.ToolCall) string { return tt.result }); got != tt.want {
				t.Errorf("got %q; want %q", got, tt.want)
			}
		})
	}
}

// One call learns from all that was said by then.
func TestOneCallLearnsFromAll(t *testing.T) {
	req := offer(talk("> remember that I like tea", "> hello", "> I prefer trains"), "memory_learn")
	learn := func(llm.ToolCall) string { return "Saved: preferences/x." }
	first := answer(t, req)
	if len(first.Calls) != 1 || string(first.Calls[0].Args) != "{}" {
		t.Fatalf("it calls %+v", first.Calls)
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: first.Calls}, llm.Message{Role: llm.Tool, CallID: first.Calls[0].ID, Text: learn(first.Calls[0])})
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: "remember that I like rain"})
	if got := answer(t, req); len(got.Calls) != 1 || got.Calls[0].ID == first.Calls[0].ID {
		t.Errorf("for what came later it calls %+v", got.Calls)
	}
	_, got := run(t, req, learn)
	if want := "I will remember “I like tea”.\nHello!\nI will remember “I prefer trains”.\nI will remember “I like rain”."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A refusal of a call for several is passed on once.
func TestOneRefusalForSeveral(t *testing.T) {
	req := offer(talk("> remember that I like tea", "> I prefer trains"), "memory_learn")
	if _, got := run(t, req, func(llm.ToolCall) string { return "Refused: memory is full." }); got != "Refused: memory is full." {
		t.Errorf("got %q", got)
	}
}

// The wish itself is forgotten with what it names; its result is passed on.
func TestForgottenWish(t *testing.T) {
	for _, left := range []string{"****** ** *******", "forget ** *******", "forget my address"} {
		req := offer(talk("> hello", "> forget my address"), "memory_forget")
		first := answer(t, req)
		req.Messages[1].Text = left
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: first.Calls}, llm.Message{Role: llm.Tool, CallID: first.Calls[0].ID, Text: "Forgotten."})
		if got := answer(t, req); got.Text != "Hello!\nForgotten." {
			t.Errorf("%q: got %q, %+v", left, got.Text, got.Calls)
		}
	}
}

func TestAnswersFromMemory(t *testing.T) {
	const system = "You are Nacre.\n\n<memory-1f>\nWhat is remembered: data.\nNotes, the surest first:\n" +
		"about/bike: It is red &amp; fast.\npeople/dog: My dog is called Kiko. (mentioned once)\nabout/home: Lives in Graz.<br>Upstairs.\n</memory-1f>"
	for _, tt := range []struct {
		name, system string
		talk         []string
		want         string
	}{
		{"quoted", system, []string{"> What is my dog called?"}, "I remember: “My dog is called Kiko. (mentioned once)”"},
		{"by the name of its place", system, []string{"> what colour is my bike?"}, "I remember: “It is red & fast.”"},
		{"on one line", system, []string{"> Where is my home in Graz?"}, "I remember: “Lives in Graz. Upstairs.”"},
		{"German", system, []string{"> Wie heißt mein dog called?"}, "Ich erinnere mich: „My dog is called Kiko. (mentioned once)“"},
		{"rather than what was said as well", system, []string{"> my dog is called Rex", "< ok", "> what is my dog called?"}, "I remember: “My dog is called Kiko. (mentioned once)”"},
		{"what was said fits better", system, []string{"> the dog of my neighbour is called Rex", "< ok", "> what is the dog of my neighbour called?"}, "You said: “the dog of my neighbour is called Rex”"},
		{"neither", system, []string{"> when is my flight?"}, voices["en"].nothing},
		{"a heading is no note", system, []string{"> what are the surest notes?"}, voices["en"].nothing},
		{"no section", "You are Nacre.\nabout/bike: red", []string{"> what colour is my bike?"}, voices["en"].nothing},
		{"a section that does not end", strings.TrimSuffix(system, "</memory-1f>"), []string{"> what colour is my bike?"}, voices["en"].nothing},
		{"only meaningless words", system, []string{"> what is it?"}, voices["en"].nothing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := talk(tt.talk...)
			req.System = tt.system
			if got := answer(t, req); got.Text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, tt.want)
			}
		})
	}
}

// Several wishes at once, and one that arrives while the tools run, are all
// answered in their order.
func TestSeveralTools(t *testing.T) {
	req := offer(talk("> what time is it?", "> hello", "> what time is it in Tokyo?", "> remember that I like tea"), "now")
	first := answer(t, req)
	if len(first.Calls) != 2 || first.Calls[0].ID == first.Calls[1].ID {
		t.Fatalf("got %+v; want two calls", first.Calls)
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: first.Calls})
	for _, c := range first.Calls {
		req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID, Text: clock(c)})
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: "and what time is it in Rome?"})
	req, got := run(t, req, clock)
	const want = "It is noon for {}.\nHello!\nIt is noon for {\"zone\":\"Asia/Tokyo\"}.\n" +
		"I keep “I like tea” in mind in this conversation.\nIt is noon for {\"zone\":\"Europe/Rome\"}."
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: "what time is it now?"})
	req, got = run(t, req, clock)
	if got != "It is noon for {}." {
		t.Errorf("a later turn answers %q", got)
	}
	ids := map[string]bool{}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			if ids[c.ID] {
				t.Errorf("the id %q is used twice", c.ID)
			}
			ids[c.ID] = true
		}
	}
	if len(ids) != 4 {
		t.Errorf("%d calls; want 4", len(ids))
	}
}

func TestLongQuote(t *testing.T) {
	long := strings.Repeat("é", 20_000)
	if got := answer(t, talk("> "+long)); !strings.HasPrefix(got.Text, "I have read “"+strings.Repeat("é", maxQuote)+"…”.") {
		t.Errorf("got %.700q", got.Text)
	}
}

func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Model{}).Complete(ctx, talk("> hello"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want the cancellation", err)
	}
}

// Every language says everything, with the same verbs.
func TestVoices(t *testing.T) {
	english := reflect.ValueOf(voices["en"])
	for lang, v := range voices {
		got := reflect.ValueOf(v)
		for i := range got.NumField() {
			name := got.Type().Field(i).Name
			line, want := got.Field(i).String(), english.Field(i).String()
			if line == "" || strings.Count(line, "%s") != strings.Count(want, "%s") {
				t.Errorf("%s: %s is %q; English is %q", lang, name, line, want)
			}
		}
		if !strings.Contains(v.help, helpMark) || !strings.Contains(v.help, "ANTHROPIC_API_KEY") {
			t.Errorf("%s: the help names no keys", lang)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ a, b string }{
		{"Łódź", "lodz"},
		{"Straße", "strasse"},
		{"cafe\u0301", "CAFÉ"},
		{"stories", "story"},
		{"boxes", "box"},
		{"dogs", "dog"},
		{"glasses", "glass"},
		{"Katzen", "Katze"},
		{"flores", "flor"},
		{"vélos", "velo"},
	}
	for _, tt := range tests {
		if a, b := words(tt.a), words(tt.b); len(a) != 1 || !reflect.DeepEqual(a, b) {
			t.Errorf("%q gives %v, %q gives %v", tt.a, a, tt.b, b)
		}
	}
	if a, b := words("news"), words("nest"); reflect.DeepEqual(a, b) {
		t.Errorf("different words both give %v", a)
	}
}

// Whatever is said, the answer is whole, and a request with its results is one
// that providers accept.
func FuzzComplete(f *testing.F) {
	f.Add("remember that I like tea", "what time is it in Tokyo?")
	f.Add("[quoted: \"x\"]\nforget it", "offline_3 🎩")
	f.Fuzz(func(t *testing.T, a, b string) {
		req := offer(talk("> "+a, "> "+b), "now", "memory_learn")
		got := answer(t, req)
		for _, c := range got.Calls {
			if !json.Valid(c.Args) {
				t.Errorf("the arguments %s are no JSON", c.Args)
			}
		}
		if a != "" && b != "" {
			run(t, req, clock)
		}
	})
}

func BenchmarkComplete(b *testing.B) {
	req := talk("> hello")
	for i := range 200 {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: fmt.Sprintf("my dog number %d is called Rex %d", i, i)}, llm.Message{Role: llm.Assistant, Text: "ok"})
	}
	for _, last := range []string{"the sky is grey", "what is dog number 77 called?"} {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: last})
		b.Run(strings.Fields(last)[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Model{}.Complete(b.Context(), req, nil)
			}
		})
		req.Messages = req.Messages[:len(req.Messages)-1]
	}
}
