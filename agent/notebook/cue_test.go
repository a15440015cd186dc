package notebook_test

import (
	"testing"

	"nacre"
	"nacre/memory"
)

// A place that is not quite right leads to the note, says so, and counts the note
// as shown; one that is wrong leads nowhere.
func TestReadWhatIsMeant(t *testing.T) {
	w := newWorld(t)
	w.note(w.ann, memory.Private, "about/python-version", "the server runs python zqx-3")
	w.note(w.ann, memory.Private, "people/cat", "the cat is zqx-Mimi")
	c := w.private()
	for _, path := range []string{"about/pyhton-version", "lessons/python-version", "python version", "about/python"} {
		text := w.must(c.says("x"), "memory_read", `{"path":"`+path+`"}`).Text
		wantText(t, text, "No note stands in that place.", "about/python-version", "zqx-3", "Status: ")
	}
	wantNot(t, w.must(c.says("x"), "memory_read", `{"path":"about/python-version"}`).Text, "No note stands")
	hits, err := w.ledger.Hits(t.Context(), w.ann)
	if err != nil || len(hits) != 1 {
		t.Errorf("hits %v, %v; want those of one note", hits, err)
	}
	for _, path := range []string{"about/vacation-plans", "what about my vacation plans", "about/weather"} {
		if r, err := w.use(c.says("x"), "memory_read", `{"path":"`+path+`"}`); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%q: %q, %v; want that there is no such place", path, r.Text, err)
		}
	}
}

// Only what a session may see is resolved.
func TestResolvesWithinScope(t *testing.T) {
	w := newWorld(t)
	w.note(w.ann, memory.Private, "about/code-word", "the code word is zqx-plum")
	w.note(w.bob, memory.Private, "about/pass-phrase", "the pass phrase is zqx-pear")
	w.set(memory.GroupSetting(groupScope), true)
	w.note(w.ann, groupScope, "about/table", "the table is zqx-oak")
	for _, tc := range []struct {
		name, path, want string
		in               *chat
	}{
		{"the owner's own", "about/code-wrod", "zqx-plum", w.private()},
		{"the other owner's", "about/pass-phrsae", "", w.private()},
		{"their own", "about/pass-phrsae", "zqx-pear", w.bobs()},
		{"private in a group", "about/code-wrod", "", w.group()},
		{"the group's", "about/tabel", "zqx-oak", w.group()},
		{"the group's in private", "about/tabel", "", w.private()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := w.use(tc.in.says("x"), "memory_read", `{"path":"`+tc.path+`"}`)
			if tc.want == "" && nacre.KindOf(err) != nacre.NotFound {
				t.Errorf("it reads %q, %v", r.Text, err)
			}
			wantText(t, r.Text, tc.want)
		})
	}
}

// A slip in what is to be forgotten leads to a question, and to nothing else.
func TestForgetWithASlipAsks(t *testing.T) {
	w := newWorld(t)
	c := w.private()
	w.note(w.ann, memory.Private, "people/hairdresser", "the hairdresser is zqx-Yara")
	w.note(w.ann, memory.Private, "people/cat", "the cat is zqx-Mimi")
	for _, words := range []string{"hairdreser", "my hairderser"} {
		r := c.commands("/forget " + words)
		if r.Ask == nil {
			t.Fatalf("%q asks nobody: %q", words, r.Text)
		}
		wantText(t, r.Ask.Question, "Shall I forget this?", "zqx-Yara")
		wantNot(t, r.Ask.Question, "Mimi")
		w.wantLive("the hairdresser is zqx-Yara", "the cat is zqx-Mimi")
	}
	r := w.must(c.says("Forget my hairdreser"), "memory_forget", `{"about":"hairdreser cat"}`)
	if r.Ask == nil {
		t.Fatalf("nobody is asked: %q", r.Text)
	}
	wantNot(t, r.Ask.Question, "Mimi")
	w.wantLive("the hairdresser is zqx-Yara", "the cat is zqx-Mimi")
	if _, took := c.presses(r.Ask, "Forget it"); !took {
		t.Error("the answer was not taken")
	}
	w.wantLive("the cat is zqx-Mimi")
	for _, words := range []string{"vacation plans", "concatenation"} {
		if r := c.commands("/forget " + words); r.Ask != nil {
			t.Errorf("/forget %s asks %+v", words, r.Ask)
		}
	}
}

func TestFindForgivesSlips(t *testing.T) {
	w, c := twoThings(t)
	w.note(w.ann, memory.Private, "people/hairdresser", "goes to zqx-Yara")
	find := func(words string) string { return w.must(c.says("x"), "memory_find", `{"words":"`+words+`"}`).Text }
	wantText(t, find("hairdreser"), "zqx-Yara")
	for _, words := range []string{"what about my vacation plans", "weather forecast tomorrow"} {
		if got := find(words); got != "Nothing is remembered about that." {
			t.Errorf("%q finds %q", words, got)
		}
	}
	w.library.Watch(memory.Hooks{})
	c.commands("/forget my dog")
	wantText(t, find("kiko"), "Nothing is remembered about that.")
	wantText(t, find("bike"), "zqx-green")
}
