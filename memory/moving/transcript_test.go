package moving

import (
	"bytes"
	"strings"
	"testing"
)

// saidIn is what was said in a Parcel.
func saidIn(t testing.TB, file []byte) (list []Said) {
	t.Helper()
	p, err := Open("a.zip", bytes.NewReader(file), int64(len(file)))
	if err == nil {
		err = p.Read(bern(t), Receiver{Said: func(s Said) error { list = append(list, s); return nil }})
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNuumTranscript(t *testing.T) {
	const q, a = "nuum/ag owner 0501T073001 Hi", "nuum/ag assistant 0501T073003 Ho"
	hi := `{"type":"user","id":"1","seq":1,"createdAt":1777620601000,"text":"Hi"}`
	note := `{"type":"assistant","id":"2","seq":2,"createdAt":1777620602000,"parts":[{"type":"thinking","text":"Hm"},{"type":"text","text":"Well"},{"type":"tool_call","name":"x"}]}`
	ho := `{"type":"message","id":"3","seq":3,"createdAt":1777620603000,"payload":{"type":"text","content":"Ho"}}`
	const at = "data/agents/ag/transcript.jsonl"
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"a message", lines(hi, note, ho), []string{q, a}},
		{"notes behind a message", lines(hi, ho, note), []string{q, a}},
		{"no messages", lines(hi, note), []string{q, "nuum/ag assistant 0501T073002 Well"}},
		{"no messages, twice", lines(hi, note, strings.Replace(hi, "601000", "605000", 1)), []string{q, "nuum/ag assistant 0501T073002 Well", "nuum/ag owner 0501T073005 Hi"}},
		{"payloads", lines(strings.Replace(ho, `"content":"Ho"`, `"text":"Ho"`, 1), strings.Replace(ho, `"content":"Ho"`, `"type":"attachment","path":"/x","caption":"Ho"`, 1),
			strings.Replace(ho, `"content":"Ho"`, `"widget":{"prompt":"Ho"}`, 1), strings.Replace(ho, `"content":"Ho"`, `"widget":"x"`, 1)), []string{a, a, a}},
		{"other events", lines(hi, `{"type":"tool","createdAt":1777620602000,"content":"X"}`, `{"type":"wake","createdAt":1777620602000,"text":"X"}`, `{"type":"compact","summary":"X"}`, `{"type":"profile"}`, ho), []string{q, a}},
		{"the older form", lines(`{"role":"user","content":"Hi","createdAt":1777620601000}`, `{"role":"assistant","content":"<think>x</think>Ho","createdAt":1777620603000}`, `{"role":"tool","content":"X"}`), []string{q, a}},
		{"malformed", lines("{", "7", "{}", `{"type":"user","text":7,"createdAt":1777620601000}`, `{"type":"user","text":"x","createdAt":"soon"}`, `{"type":"user","text":"x"}`, `{"type":"assistant","parts":7}`, "", hi), []string{
			"(:1 a line: " + badMessage + ")", "(:2 a line: " + badMessage + ")", "(:3 a line: " + badMessage + ")", "(:5 a message: " + badTime + ")", "(:6 a message: It does not say when it was said.)", "(:7 a message: " + badMessage + ")", q}},
		{"events that nobody knows", lines(hi, `{"type":"dance","createdAt":1777620602000,"text":"X"}`, `{"type":"sing"}`, ho), []string{q, a, "(:0 2 lines: Nacre does not know what such lines say.)"}},
		{"many notes", lines(hi) + strings.Repeat(note+"\n", maxPrivate) + lines(ho), append(append([]string{q}, strings.Split(strings.Repeat("nuum/ag assistant 0501T073002 Well;", maxPrivate), ";")[:maxPrivate]...), a)},
	} {
		for i := range c.want {
			c.want[i] = strings.Replace(c.want[i], "(:", "("+at+":", 1)
		}
		same(t, c.name, took(t, "nuum.zip", packed(t, at, c.file)), c.want)
	}
}
