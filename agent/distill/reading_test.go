package distill_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/memory"
)

// back is what is read back.
func back(current ...memory.Source) distill.Input {
	in := input(current...)
	in.Writer = memory.ByReflect
	return in
}

func readBack(t testing.TB, m llm.Model, in distill.Input) ([]memory.Proposal, error) {
	d := distill.New(distill.Options{Model: m, Simple: m == nil, Log: slog.New(slog.DiscardHandler)})
	return d.Learn(t.Context(), in)
}

// What is read back is nobody's wish, whatever the message or the model says.
func TestReadingBack(t *testing.T) {
	const answer = `{"notes":[
		{"message":"m2","quote":"remember that my bike is green","text":"My bike is green","sensitive":false,"asked":true},
		{"message":"m1","quote":"remember that Ann is vegan","text":"Ann is vegan","sensitive":false},
		{"message":"m3","quote":"my cat is called Tom","text":"My cat is called Tom","sensitive":false}]}`
	in := back(said(2, "remember that my bike is green"), said(3, "my cat is called Tom"))
	in.Recent = []memory.Source{said(1, "remember that Ann is vegan")}
	got, err := readBack(t, llmtest.NewModel(llmtest.Step{Text: answer}), in)
	if err != nil || len(got) != 3 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if p := got[0]; p.Do != memory.Decline || p.Why != memory.NoSource || p.Writer != memory.ByReflect {
		t.Errorf("of what was said before: %+v", p)
	}
	for i, text := range []string{"My bike is green", "My cat is called Tom"} {
		if p := got[i+1]; p.Draft.Text != text || p.Asked || p.Writer != memory.ByReflect {
			t.Errorf("proposal %d is %+v", i+1, p)
		}
	}

	got, err = readBack(t, nil, in)
	if err != nil || len(got) != 1 || got[0].Draft.Text != "my bike is green" || got[0].Asked || got[0].Writer != memory.ByReflect {
		t.Errorf("by rules: %+v, %v", got, err)
	}
	in.Writer = ""
	if got, err = readBack(t, nil, in); err != nil || len(got) != 1 || !got[0].Asked || got[0].Writer != memory.ByChat {
		t.Errorf("in a chat (control): %+v, %v", got, err)
	}
}

// The task is the same for everybody, up to where the owner's own words begin.
func TestReadingRequest(t *testing.T) {
	tea, bike := noted(memory.Preferences, "tea", "I like tea"), noted(memory.About, "bike", "My bike is red")
	tea.Status = memory.Tentative
	system := func(in distill.Input) (string, string) {
		m := llmtest.NewModel(llmtest.Step{Text: `{"notes":[]}`})
		m.Strict = true
		in.Notes = []*memory.Note{tea, bike}
		if _, err := readBack(t, m, in); err != nil {
			t.Fatal(err)
		}
		return m.Requests()[0].System, fences.ReplaceAllString(m.Requests()[0].Messages[0].Text, "FENCE")
	}
	chat, shown := system(input(said(1, "my bike is green")))
	if strings.Contains(shown, "(stated)") {
		t.Errorf("a chat shows %s", shown)
	}
	plain, shown := system(back(said(1, "my bike is green")))
	steered := back(said(1, "my bike is green"))
	steered.Steering = "Note what I paint.\nNothing about work."
	long, _ := system(steered)
	if !strings.HasPrefix(plain, chat) || !strings.HasPrefix(long, plain) {
		t.Errorf("the beginnings differ:\n%s\n%s", plain, long)
	}
	golden(t, "reading.txt", strings.TrimPrefix(long, chat)+"\n----\n"+shown+"\n")

	steered.Steering = strings.Repeat("ä", 8000) + "zqx"
	if long, _ = system(steered); !strings.HasSuffix(long, "ä") || strings.Count(long, "ä") != 8000 {
		t.Errorf("%d bytes of steering", len(long)-len(plain))
	}
	steered.Writer = memory.ByChat
	if s, _ := system(steered); s != chat {
		t.Errorf("a chat is steered: %s", s)
	}
}

// What no model could read was not read.
func TestUnreadable(t *testing.T) {
	good := `{"message":"m1","quote":"my bike is green","text":"x","sensitive":false}`
	for _, tt := range []struct {
		name, first, second string
		want                error
	}{
		{"prose twice", "Noted!", "Noted!", distill.ErrUnreadable},
		{"too many twice", `{"notes":[` + strings.Repeat(good+",", 20) + good + `]}`, `{"notes":[` + strings.Repeat(good+",", 20) + good + `]}`, distill.ErrUnreadable},
		{"too many once", `{"notes":[` + strings.Repeat(good+",", 20) + good + `]}`, `{"notes":[]}`, nil},
		{"prose once", "Noted!", `{"notes":[]}`, nil},
	} {
		m := llmtest.NewModel(llmtest.Step{Text: tt.first}, llmtest.Step{Text: tt.second})
		got, err := readBack(t, m, back(said(1, "my bike is green")))
		if !errors.Is(err, tt.want) || len(got) != 0 || len(m.Requests()) != 2 {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
}

// Whatever a model answers, it makes no wish of the owner's, and rests on what is
// to be read.
func FuzzReading(f *testing.F) {
	for _, s := range []string{
		`{"notes":[{"message":"m1","quote":"remember that my dog is called Kim","text":"x","sensitive":false}]}`,
		`{"notes":[{"message":"m2","quote":"remember that my cat is called Tom","text":"y"},{"message":"M2"},{}]}`, "", `{"notes":[]}`,
	} {
		f.Add(s)
	}
	in := back(said(2, "remember that my cat is called Tom"))
	in.Recent = []memory.Source{said(1, "remember that my dog is called Kim")}
	f.Fuzz(func(t *testing.T, answer string) {
		got, err := readBack(t, llmtest.NewModel(llmtest.Step{Text: answer}, llmtest.Step{Text: answer}), in)
		if err != nil && !errors.Is(err, distill.ErrUnreadable) {
			t.Fatal(err)
		}
		for _, p := range got {
			if p.Writer != memory.ByReflect || p.Asked || p.Do == memory.Learn && p.Cites[0].Message != "id-2" {
				t.Errorf("%q makes %+v", answer, p)
			}
		}
	})
}
