package web

import (
	"encoding/json"
	"testing"

	"nacre"
	"nacre/gateway/live"
)

// FuzzRequest feeds the reader what a stranger could send. What it accepts has
// sound ids and, if it was said, words; what it refuses has a sentence and no
// id but a sound one.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"t":"say","id":"a-1","text":"hello"}`, `{"t":"shown","id":"d-1"}`, `{"t":"press","question":"q-1","option":2}`,
		`{"t":"say","id":"a-1","text":"\u200b"}`, `{"t":"say","id":"../x","text":"y"}`, `{"t":"press","question":"","option":-1}`,
		`[]`, `null`, `{"t":{}}`, `{"T":"say","ID":"x","TEXT":"y"}`, "{\"t\":\"say\",\"id\":\"\xff\"}", `{"t":"press","question":"q","option":1e99}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseRequest(data)
		if err != nil {
			if nacre.KindOf(err) != nacre.Invalid || r.ID != "" && !live.SoundID(r.ID) || r.T != "" || r.Text != "" {
				t.Errorf("refused with %v and %+v", err, r)
			}
			return
		}
		switch r.T {
		case frameSay:
			if !live.SoundID(r.ID) || !live.Visible(r.Text) {
				t.Errorf("accepted %+v", r)
			}
		case frameShown:
			if !live.SoundID(r.ID) {
				t.Errorf("accepted %+v", r)
			}
		case framePress:
			if !live.SoundID(string(r.Question)) {
				t.Errorf("accepted %+v", r)
			}
		default:
			t.Errorf("accepted %+v", r)
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if r2, err := parseRequest(again); err != nil || r2 != r {
			t.Errorf("%s was read as %+v, %v", again, r2, err)
		}
	})
}
