package moving

import (
	"encoding/base64"
	"strings"
	"testing"
)

// store is where nanobot keeps the session of a key.
func store(key string) string {
	return "home/sessions/0123456789abcdef0123456789abcdef/" + base64.RawURLEncoding.EncodeToString([]byte(key)) + ".jsonl"
}

func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

func TestNanobotSessions(t *testing.T) {
	hi := `{"role":"user","content":"Hi","timestamp":"2026-05-01T09:30:01.250000"}`
	ho := `{"role":"assistant","content":"<think>x</think>Ho","timestamp":"2026-05-01T09:30:02"}`
	const q, a = "nanobot/telegram:7 owner 0501T073001 Hi", "nanobot/telegram:7 assistant 0501T073002 Ho"
	about := func(key string) string {
		return `{"_type":"metadata","key":"` + key + `","created_at":"2026-05-01T09:30:00"}`
	}
	for _, c := range []struct {
		name, path, file string
		want             []string
	}{
		{"a session", store("telegram:7"), lines(about("telegram:7"), `{"_type":"provider_state","state":{}}`, hi, ho), []string{q, a}},
		{"known by its name", store("telegram:7"), lines(`{"_type":"metadata"}`, hi, ho), []string{q, a}},
		{"an older one", "w/sessions/telegram_7.jsonl", lines(`{"_type":"metadata","created_at":"x"}`, hi, ho), []string{q, a}},
		{"a name that is no base64", "sessions/0123456789abcdef0123456789abcdef/telegram_7.jsonl", lines(hi), []string{q}},
		{"alone", store("telegram:7"), hi, []string{q}},
		{"parts", store("telegram:7"), lines(`{"role":"user","content":[{"type":"text","text":"H"},{"type":"image_url"},{"type":"text","text":"i"}],"timestamp":"2026-05-01T09:30:01"}`), []string{"nanobot/telegram:7 owner 0501T073001 H\n\ni"}},
		{"other roles", store("telegram:7"), lines(`{"role":"tool","content":"X","timestamp":"2026-05-01T09:30:01"}`, `{"role":"system","content":"X"}`, `{"role":"user","_command":true,"content":"/new"}`, hi), []string{q}},
		{"what was added", store("telegram:7"), lines(`{"role":"user","content":"Hi\n\n[Runtime Context — metadata only, not instructions]\nNow\n[/Runtime Context]","timestamp":"2026-05-01T09:30:01"}`,
			`{"role":"user","content":"Hey\n\nNow","_runtime_context":{"version":1,"suffix":"Now"},"timestamp":"2026-05-01T09:30:01"}`), []string{q, "nanobot/telegram:7 owner 0501T073001 Hey"}},
		{"only thoughts", store("telegram:7"), lines(hi, `{"role":"assistant","content":"<think>x","timestamp":"2026-05-01T09:30:02"}`), []string{q}},
		{"no time", store("telegram:7"), lines(about("telegram:7"), `{"role":"user","content":"Hi"}`, hi, `{"role":"assistant","content":"Ho"}`), []string{"nanobot/telegram:7 owner 0501T073000 Hi", q, "nanobot/telegram:7 assistant 0501T073001 Ho"}},
		{"no time at all", store("telegram:7"), lines(`{"role":"user","content":"Hi"}`, hi), []string{"(F:1 a message: It does not say when it was said.)", q}},
		{"malformed", store("telegram:7"), lines("{", "", "7", "[]", `{"role":7}`, `{"role":"user","content":{}}`, `{"role":"user","content":"x","timestamp":"soon"}`, hi[:20], hi), []string{
			"(F:1 a line: " + badMessage + ")", "(F:3 a line: " + badMessage + ")", "(F:4 a line: " + badMessage + ")", "(F:5 a line: " + badMessage + ")",
			"(F:6 a message: " + badMessage + ")", "(F:7 a message: " + badTime + ")", "(F:8 a line: " + badMessage + ")", q}},
		{"bytes that are no text", store("telegram:7"), lines(strings.Replace(hi, "Hi", "H\xff", 1)), []string{"nanobot/telegram:7 owner 0501T073001 H\uFFFD"}},
		{"a long line", store("telegram:7"), lines(strings.Replace(hi, "Hi", strings.Repeat("x", MaxEntry), 1), hi), []string{"(F:1 a line: " + tooLong + ")", q}},
		{"a group", store("telegram:-7"), lines(hi), []string{"nanobot/telegram:-7 others 0501T073001 Hi"}},
		{"mails", store("email:eve@example.com"), lines(hi), []string{"nanobot/email:eve@example.com others 0501T073001 Hi"}},
		{"its own jobs", store("cron:x"), lines(about("cron:x"), hi, ho), nil},
		{"its own jobs, older", "sessions/heartbeat.jsonl", lines(hi, ho), nil},
		{"its own dreams", "sessions/dream_1.jsonl", lines(hi, ho), nil},
	} {
		for i := range c.want {
			c.want[i] = strings.Replace(c.want[i], "(F:", "("+c.path+":", 1)
		}
		same(t, c.name, took(t, "nanobot.zip", packed(t, c.path, c.file)), c.want)
	}
}

func TestUserOfSession(t *testing.T) {
	for key, want := range map[string]Who{
		"telegram:7": Owner, "telegram:7:topic:1": Owner, "telegram:-1007": Others, "whatsapp:41790000000@s.whatsapp.net": Owner, "whatsapp:1-2@g.us": Others, "cli:direct": Owner,
		"websocket:x": Owner, "slack:D1": Owner, "slack:C1": Others, "discord:1": Others, "email:a": Others, "": Others, "unified:default": Owner,
	} {
		if got := userOf(key); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
}

func TestNanobotHistory(t *testing.T) {
	const h = "nanobot/history assistant 0501T0730"
	same(t, "lines of JSON", took(t, "n.zip", packed(t, "memory/history.jsonl", lines(
		`{"cursor":1,"timestamp":"2026-05-01 09:30","content":"<think>x</think>Ann rows."}`, `{"cursor":"bad","timestamp":"2026-05-01 09:30","content":"Bob sails."}`,
		`{"cursor":3.5,"timestamp":"2026-05-01 09:30","content":"Cy rides.","session_key":"telegram:7"}`, `{"cursor":null,"timestamp":"2026-05-01 09:30","content":"Dreamt.","session_key":"dream:1"}`,
		`{"cursor":5,"timestamp":"2026-05-01 09:30","content":7}`, `{"cursor":6,"timestamp":"soon","content":"x"}`, `{"cursor":7,"content":"x"}`, `{"cursor`, `{"cursor":8,"timestamp":"2026-05-01 09:31","content":"<think>x</think>"}`))), []string{
		h + "00 Ann rows.", h + "00 Bob sails.", h + "00 Cy rides.", "(memory/history.jsonl:5 a line: " + badMessage + ")", "(memory/history.jsonl:6 a summary: " + timeless + ")",
		"(memory/history.jsonl:7 a summary: " + timeless + ")", "(memory/history.jsonl:8 a line: " + badMessage + ")"})
	same(t, "text", took(t, "n.zip", packed(t, "memory/HISTORY.md", "# History\n\n[2026-05-01 09:30] Ann rows.\nOften.\n\n[2026-05-01 09:30] Z\xfcrich.\n[2026-13-01 09:30] Never.\n")), []string{
		h + "00 Ann rows.\nOften.", h + "00 Z\uFFFDrich.", "(memory/HISTORY.md:7 a summary: " + timeless + ")"})
	same(t, "a long one", took(t, "n.zip", packed(t, "HISTORY.md", "[2026-05-01 09:30] "+strings.Repeat("x\n", MaxSaid)+"[2026-05-01 09:30] Ann rows.\n")), []string{
		"(HISTORY.md:1 a message: It is longer than 256 KB.)", h + "00 Ann rows."})
}

// A summary is the same in both forms of the file, so that it is taken over once.
func TestNanobotHistoryIDs(t *testing.T) {
	var ids []string
	for _, f := range [][2]string{{"memory/history.jsonl", `{"timestamp":"2026-05-01 09:30","content":"Ann rows."}`}, {"memory/HISTORY.md", "[2026-05-01 09:30] Ann rows.\n\n"}} {
		for _, s := range saidIn(t, packed(t, f[0], f[1])) {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) != 2 || ids[0] != ids[1] {
		t.Error(ids)
	}
}
