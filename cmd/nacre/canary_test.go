package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// observed is a world whose program is looked at from all sides.
type observed struct {
	*world
	wa           *wadouble.Server
	me, friend   *wadouble.Account
	number       int    // of the newest update
	page, pprof  string // addresses
	secret, word map[string]string
}

// newObserved makes a world in which everything private is a canary.
func newObserved(t *testing.T) *observed {
	w := &observed{world: newWorld(t), wa: wadouble.New(), page: freePort(t), pprof: freePort(t)}
	w.secret = map[string]string{"bot token": token[5:], "model key": "sk-Zirkonschluessel", "web token": "Turmalin-Turmalin-Turmalin-Turmalin", "master key": "Granatmeister-Granatmeister-Granat"}
	w.word = map[string]string{"message": "Zirkonlerche", "forgotten word": "Quarzfinke", "first name": "Topasdrossel", "user name": "opal_amsel", "file name": "Achatotter",
		"words of a file": "Opalwiesel", "words on WhatsApp": "Jadekauz", "words on the page": "Beryllmeise", "name on WhatsApp": "Rubinstar", "argument of a tool": "Korallenspecht", "words of a provider": "Onyxreiher"}
	w.model.Key = w.secret["model key"]
	for name, value := range map[string]string{reachWhatsApp: w.wa.Listen(t), "OPENAI_API_KEY": w.secret["model key"], "NACRE_WEB_LISTEN": w.page, "NACRE_WEB_TOKEN": w.secret["web token"],
		"NACRE_MASTER_KEY": w.secret["master key"], "NACRE_PPROF": w.pprof} {
		w.env[name] = value
	}
	return w
}

// get reads what the program serves.
func (w *observed) get(address, path string) string {
	w.t.Helper()
	resp, err := http.Get("http://" + address + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// writes is an update of a person whose name is a canary too.
func (w *observed) writes(user int64, content string) {
	w.t.Helper()
	w.number++
	w.confirmed(w.api.Inject(fmt.Sprintf(`{"message":{"message_id":%d,"date":1790000000,"from":{"id":%d,"is_bot":false,"first_name":%q,"username":%q},"chat":{"id":%[2]d,"type":"private","first_name":%[3]q},%[5]s}}`,
		9000+w.number, user, w.word["first name"], w.word["user name"], content)))
}

// pages says something by the API, as a script does.
func (w *observed) pages(text string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://"+w.page+"/api/chat", strings.NewReader(fmt.Sprintf(`{"text":%q}`, text)))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.secret["web token"])
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || !strings.Contains(string(b), text) {
		w.t.Fatalf("the page is answered %s %s", resp.Status, b)
	}
}

// happens is a day with everything that can go wrong, on all channels.
func (w *observed) happens() {
	w.t.Helper()
	says := func(name string) string { return fmt.Sprintf(`"text":%q`, w.word[name]) }
	w.api.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error: cannot send \"" + w.word["message"] + "\""})
	w.model.Push(llmtest.Reply{Status: 429, Message: "slow down, " + w.secret["model key"]}, llmtest.Reply{Status: 500, Message: w.secret["model key"] + " broke"},
		llmtest.Reply{Status: 400, Message: w.word["words of a provider"] + " cannot be said to " + w.secret["model key"]})
	w.writes(1001, says("message"))
	w.sent(1)
	w.model.Push(llmtest.Reply{Status: 401, Message: "Incorrect API key provided: " + w.secret["model key"]})
	w.writes(1001, says("message"))
	w.sent(2)
	w.model.Push(llmtest.Reply{Calls: []llm.ToolCall{{ID: "c1", Name: w.word["argument of a tool"], Args: []byte(`{}`)}, {ID: "c2", Name: "now", Args: fmt.Appendf(nil, `{"zone":%q}`, w.word["argument of a tool"])}}})
	w.writes(1001, says("message"))
	w.sent(3)
	w.api.Keep("f", gatewaytest.File{Data: []byte("There is a " + w.word["words of a file"])})
	w.writes(1001, fmt.Sprintf(`"document":{"file_id":"f","file_unique_id":"u","file_name":"%s.txt","mime_type":"text/plain","file_size":30},"caption":"see"`, w.word["file name"]))
	w.sent(4)
	w.writes(5005, says("message")) // a stranger
	w.sent(5)
	w.me.Say(w.me.LID(), w.word["words on WhatsApp"])
	w.phoneShows(w.wa, w.me)(2)
	w.friend.Say(w.me.LID(), w.word["words on WhatsApp"]) // to the owner, not to us
	w.pages(w.word["words on the page"])
	w.writes(1001, fmt.Sprintf(`"text":"/remember my cat is called %s"`, w.word["forgotten word"]))
	w.sent(6)
	w.says("memory", "forget", w.word["forgotten word"], "--yes")
}

// arrived are the positive controls: the canaries were where they belong.
func (w *observed) arrived() {
	w.t.Helper()
	var asked strings.Builder
	for _, r := range w.model.Received() {
		asked.Write(r.Body)
	}
	for _, name := range []string{"message", "file name", "words of a file", "words on WhatsApp", "words on the page", "argument of a tool"} {
		if !strings.Contains(asked.String(), w.word[name]) {
			w.t.Errorf("the model was not asked with the %s", name)
		}
	}
	if texts := w.sent(6); !strings.Contains(texts[5], w.word["forgotten word"]) {
		w.t.Errorf("the note is confirmed with %q", texts[5])
	}
}

// TestNothingPrivateIsShown looks for words, names, numbers and secrets in all that shows
// how the program is.
func TestNothingPrivateIsShown(t *testing.T) {
	for _, format := range []string{"json", "text"} {
		t.Run(format, func(t *testing.T) {
			w := newObserved(t)
			w.env["NACRE_LOG_FORMAT"] = format
			p := w.start()
			w.me, w.friend = w.linked(w.wa), w.wa.Account("15550000007")
			w.friend.Named(w.word["name on WhatsApp"])
			w.happens()
			shown := map[string]string{"/metrics": w.get(w.page, "/metrics"), "/readyz": w.get(w.page, "/readyz"), "/healthz": w.get(w.page, "/healthz")}
			for _, of := range []string{"goroutine?debug=2", "cmdline", "heap?debug=1", ""} {
				shown["pprof "+of] = w.get(w.pprof, "/debug/pprof/"+of)
			}
			shown["status"], _ = w.run("", "status", "--json")
			shown["doctor"], _ = w.run("", "doctor", "--json")
			p.stop()
			shown["log"] = p.log.String()
			w.arrived()
			for where, text := range shown {
				for _, canaries := range []map[string]string{w.secret, w.word, {"pairing code": codeIn(t, w.sent(5)[4]), "number of a friend": "15550000007"}} {
					for name, canary := range canaries {
						if strings.Contains(text, canary) {
							t.Errorf("%s holds the %s", where, name)
						}
					}
				}
				// Whose account is linked is the operator's to know.
				if strings.Contains(text, "15550000001") && where != "status" && where != "doctor" {
					t.Errorf("%s holds the number of the linked account", where)
				}
			}
			for where, part := range map[string]string{"/metrics": "nacre_turn_duration_seconds", "/readyz": `"ready":true`, "/healthz": "ok", "pprof goroutine?debug=2": "goroutine ",
				"pprof cmdline": "serve", "pprof heap?debug=1": "heap profile", "pprof ": "goroutine", "status": `"whatsapp"`, "doctor": "telegram", "log": "nacre is running"} {
				if !strings.Contains(shown[where], part) {
					t.Errorf("%s lacks %q, so this test saw too little: %s", where, part, shown[where])
				}
			}
			if format == "json" {
				logged(t, shown["log"])
			}
		})
	}
}

// logged looks at the lines that must be there, and at whose they are.
func logged(t *testing.T, log string) {
	t.Helper()
	ofTurns := []string{"turn failed", "turn committed", "tool failed", "a model failed and rests"}
	var seen []string
	for line := range strings.Lines(log) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("no JSON: %s", line)
			continue
		}
		message, _ := l["msg"].(string)
		seen = append(seen, message)
		if slices.Contains(ofTurns, message) && (l["turn"] == nil || l["session"] == nil) {
			t.Errorf("it is not told whose this is: %s", line)
		}
		if message == "part not delivered" && l["reply"] == nil {
			t.Errorf("it is not told what this belongs to: %s", line)
		}
	}
	for _, message := range append(ofTurns, "part not delivered", "stranger was shown a pairing code") {
		if !slices.Contains(seen, message) {
			t.Errorf("the log lacks %q, so this test saw too little", message)
		}
	}
}
