package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
)

// provider is the double of a server, and how the program finds it.
type provider struct {
	name   string
	script *llmtest.Script
	serve  http.Handler
	env    func(url string) map[string]string
}

func providers() []provider {
	openai := &llmtest.OpenAI{Strict: true, Key: "sk-test-secret", Tail: "[now: "}
	anthropic := &llmtest.Anthropic{Key: "sk-ant-secret", Tail: "[now: "}
	ollama := &llmtest.Ollama{Strict: true, Tail: "[now: ", Models: []llmtest.OllamaModel{{Name: "test", Window: 32_768, Capabilities: []string{"completion", "tools", "vision"}}}}
	local := &llmtest.OpenAI{Strict: true, Tail: "[now: "}
	return []provider{
		{"openai", &openai.Script, openai, func(url string) map[string]string {
			return map[string]string{"NACRE_MODEL": "openai/test", "OPENAI_BASE_URL": url + "/v1"}
		}},
		{"anthropic", &anthropic.Script, anthropic, func(url string) map[string]string {
			return map[string]string{"NACRE_MODEL": "anthropic/test", "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-ant-secret"}
		}},
		{"ollama", &ollama.Script, ollama, func(url string) map[string]string {
			return map[string]string{"NACRE_MODEL": "ollama/test", "OLLAMA_HOST": url}
		}},
		{"local", &local.Script, local, func(url string) map[string]string {
			return map[string]string{"NACRE_MODEL": "local/test", "NACRE_LOCAL_URL": url + "/v1"}
		}},
	}
}

// Every provider answers, runs tools, sees a picture and breaks off in the
// middle, and leaves a conversation that goes on, over a restart as well.
func TestEveryProvider(t *testing.T) {
	for _, p := range providers() {
		t.Run(p.name, func(t *testing.T) {
			w := newWorld(t)
			server := httptest.NewServer(p.serve)
			t.Cleanup(server.Close)
			for k, v := range p.env(server.URL) {
				w.env[k] = v
			}
			run := w.start()
			say := func(text string) {
				w.api.Text(1001, text)
				w.sent(len(w.api.Sent()) + 1)
			}
			say("hello")
			p.script.Push(
				llmtest.Reply{Reasoning: "the clock", Text: "I look.", Calls: []llm.ToolCall{{ID: "c1", Name: "now", Args: []byte(`{}`)}, {ID: "c2", Name: "calc", Args: []byte(`{"expression":"0.1+0.2"}`)}}},
				llmtest.Reply{Text: "It is noon, and 0.3."})
			say("what time is it?")
			p.script.Push(llmtest.Reply{Text: "one two three four five six", Cut: true}, llmtest.Reply{Text: "whole"})
			say("count")
			p.script.Push(llmtest.Reply{Calls: []llm.ToolCall{{ID: "c3", Name: "unknown", Args: []byte(`{"a":1}`)}}}, llmtest.Reply{Text: "no such thing"})
			say("try something")
			p.script.Push(llmtest.Reply{Reasoning: "hm"}, llmtest.Reply{Reasoning: "hm"})
			say("think")
			w.api.Keep("P", gatewaytest.File{Data: picture()})
			w.api.Inject(`{"message":{"message_id":900,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"photo":[{"file_id":"P","file_unique_id":"u","width":4,"height":4}],"caption":"what is it?"}}`)
			w.sent(6)
			run.stop()
			run = w.start()
			say("still there?")
			run.stop()
			want := []string{"echo: hello", "It is noon, and 0.3.", "whole", "no such thing", "The language model gave no answer, twice.", "echo: ", "echo: still there?"}
			for i, got := range w.sent(7) {
				if !strings.HasPrefix(got, want[i]) {
					t.Errorf("answer %d is %q, want %q", i, got, want[i])
				}
			}
			all := p.script.Received()
			seen := base64.StdEncoding.EncodeToString(picture())[:20] // a PNG begins so, whoever wrote it
			for _, i := range []int{len(all) - 2, len(all) - 1} {
				if !bytes.Contains(all[i].Body, []byte(seen)) {
					t.Errorf("request %d holds no picture", i)
				}
			}
			if log := run.log.String(); strings.Contains(log, "secret") {
				t.Error("a key stands in the log")
			}
		})
	}
}

// picture is a PNG file.
func picture() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 4, 4))
	img.Set(1, 1, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(fmt.Sprint(err))
	}
	return b.Bytes()
}

// A voice note is heard and answered, what that cost is counted, and a budget
// holds it back as it does the model.
func TestVoiceNotes(t *testing.T) {
	w := newWorld(t)
	var heard atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		heard.Add(1)
		if r.Header.Get("Authorization") != "Bearer sk-voice" || r.FormValue("model") != "whisper-1" {
			http.Error(rw, "{}", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(rw, `{"text":"buy milk","usage":{"type":"tokens","input_tokens":5000,"output_tokens":10}}`)
	}))
	t.Cleanup(service.Close)
	w.env["NACRE_TRANSCRIBE"], w.env["NACRE_TRANSCRIBE_URL"], w.env["NACRE_TRANSCRIBE_KEY"] = "openai/whisper-1", service.URL+"/v1", "sk-voice"
	w.env["NACRE_BUDGET_OWNER_DAY"] = "5k tokens"
	p := w.start()
	w.api.Keep("V", gatewaytest.File{Data: []byte("OggS a voice note")})
	for i := range 2 {
		w.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"from":{"id":1001,"is_bot":false,"first_name":"x"},"chat":{"id":1001,"type":"private"},"voice":{"file_id":"V","file_unique_id":"u","duration":2}}}`, 900+i))
		w.sent(i + 1)
	}
	w.api.Text(1001, "/usage")
	got := w.sent(3)
	p.stop()
	// The first note alone goes beyond the budget, so the answer to it is refused.
	for i, want := range []string{"Your budget of 5,000 tokens a day is used up", "Your budget of 5,000 tokens a day is used up", "Today: 1 call, 5000 tokens in, 10 out, price unknown."} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("answer %d is %q, want %q", i, got[i], want)
		}
	}
	if n := heard.Load(); n != 1 {
		t.Errorf("%d recordings were sent out, want 1", n)
	}
}
