package main

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nacre/memory/recall"
)

func TestEvidenceIsRepaired(t *testing.T) {
	keys := map[string]recall.Key{"D1:1": 1, "D8:6": 2, "D9:17": 3, "D11:26": 4}
	tests := []struct {
		ids  []string
		want map[recall.Key]bool
	}{
		{[]string{"D1:1"}, keysOf(1)},
		{[]string{"D1:1", "D1:1 "}, keysOf(1)},
		{[]string{"D8:6; D9:17"}, keysOf(2, 3)},
		{[]string{"D8:6 D9:17"}, keysOf(2, 3)},
		{[]string{"D:11:26"}, keysOf(4)},
		{[]string{"D1:01"}, keysOf(1)},
		{[]string{"D2:1"}, keysOf()},
		{[]string{"D"}, keysOf()},
		{nil, keysOf()},
	}
	for _, test := range tests {
		if got := evidence(test.ids, keys); !maps.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.ids, got, test.want)
		}
	}
}

const tiny = `[{"sample_id": "x", "conversation": {
	"speaker_a": "Ana", "speaker_b": "Ben",
	"session_1_date_time": "1:56 pm on 8 May, 2023",
	"session_1": [
		{"speaker": "Ana", "dia_id": "D1:1", "text": "I sold the piano.", "blip_caption": "an empty corner"},
		{"speaker": "Ben", "dia_id": "D1:2", "text": "What a pity!"}],
	"session_2_date_time": "9:05 am on 1 June, 2023",
	"session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Look, a heron."}]},
	"qa": [
		{"question": "What did Ana sell?", "evidence": ["D1:1"], "category": 4},
		{"question": "Which bird was it?", "evidence": ["D2:1"], "category": 5},
		{"question": "Who is lost?", "evidence": ["D3:1"], "category": 1}]}]`

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLoad(t *testing.T) {
	file := written(t, tiny)
	list, err := load(file, false)
	if err != nil {
		t.Fatal(err)
	}
	c := list[0]
	if len(c.store.docs) != 3 || len(c.questions) != 2 || c.skipped != 1 {
		t.Fatalf("%d messages, %d questions, %d left out", len(c.store.docs), len(c.questions), c.skipped)
	}
	second := c.store.docs[1]
	if want := time.Date(2023, 5, 8, 13, 57, 0, 0, time.UTC); !second.Sent.Equal(want) || second.Author != "Ben" || second.Session != "1" {
		t.Errorf("second message: %+v", second)
	}
	if !c.questions[1].evidence[3] || !c.end.Equal(c.store.docs[2].Sent) {
		t.Errorf("evidence %v, end %v", c.questions[1].evidence, c.end)
	}
	if captioned, err := load(file, true); err != nil || captioned[0].store.docs[0].Text != "I sold the piano.\nan empty corner" {
		t.Errorf("with captions: %q, %v", captioned[0].store.docs[0].Text, err)
	}
}

func TestLoadRefusesWhatItCannotRead(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":    `{`,
		"no time":    `[{"conversation": {"session_1": []}}]`,
		"wrong time": `[{"conversation": {"session_1_date_time": "noon", "session_1": []}}]`,
		"no session": `[{"conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": 1}}]`,
	} {
		if _, err := load(written(t, text), false); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
