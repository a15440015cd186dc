package notebook_test

import (
	"regexp"
	"testing"

	"nacre/agent"
	"nacre/agent/distill"
	"nacre/memory"
)

// frozen asks for what prompts hold.
func (c *chat) frozen(held agent.Frozen, cold bool) agent.Frozen {
	c.w.t.Helper()
	f, err := c.w.book.Frozen(c.w.t.Context(), c.says("hello"), held, cold)
	if err != nil {
		c.w.t.Fatal(err)
	}
	return f
}

func TestEpochs(t *testing.T) {
	w := newWorld(t)
	c := w.private()
	inferred := func(text string) {
		t.Helper()
		no := false
		w.learner.script = func(in distill.Input) []memory.Proposal {
			return []memory.Proposal{{Writer: memory.ByChat, Do: memory.Learn, Sensitive: &no, Draft: memory.Draft{Area: memory.About, Text: text},
				Cites: []memory.Cite{{Message: in.Current[0].ID, Quote: text}}}}
		}
		w.must(c.says(text), "memory_learn", `{}`)
	}
	w.group().commands("/memory group on")
	zero := c.frozen(agent.Frozen{}, false)
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(zero.Fence) || zero.Notes != "" {
		t.Errorf("an empty memory gives %+v", zero)
	}
	c.commands("/remember " + dog)
	first := c.frozen(zero, false)
	wantText(t, first.Notes, "Kiko", first.Fence)
	if first.Fence == zero.Fence {
		t.Error("two epochs have one fence")
	}
	if again := c.frozen(first, true); again != first {
		t.Error("nothing changed, and the epoch did")
	}
	inferred("I like zqx-tea")
	if warm := c.frozen(first, false); warm != first {
		t.Error("a background addition began an epoch while the cache was warm")
	}
	second := c.frozen(first, true)
	wantText(t, second.Notes, "Kiko", "zqx-tea")
	if second.Fence == first.Fence {
		t.Error("two epochs have one fence")
	}
	c.commands("/forget my dog")
	third := c.frozen(second, false)
	wantText(t, third.Notes, "zqx-tea")
	wantNot(t, third.Notes, "Kiko")

	w.note(w.ann, groupScope, "about/table", "zqx-table") // seen in no private chat
	same := c.frozen(third, false)
	if same.Notes != third.Notes || same.Fence != third.Fence || same.Version == third.Version {
		t.Errorf("a change that this session cannot see gave %+v after %+v", same, third)
	}
	w.voice = "I am a pirate."
	pirate := c.frozen(same, false)
	if pirate.Voice != w.voice || pirate.Fence == same.Fence {
		t.Errorf("another voice gave %+v", pirate)
	}
	w.person = "Call them captain."
	captain := c.frozen(pirate, false)
	if captain.Person != w.person || captain.Voice != pirate.Voice || captain.Fence == same.Fence {
		t.Errorf("another name gave %+v", captain)
	}
	if again := c.frozen(captain, true); again != captain {
		t.Error("nothing changed, and the epoch did")
	}
	w.person = ""
	if back := c.frozen(captain, false); back != pirate {
		t.Errorf("without a name prompts hold %+v, want what they held before it: %+v", back, pirate)
	}
	w.restart()
	if again := c.frozen(agent.Frozen{}, true); again != pirate {
		t.Errorf("another process begins its prompts with %+v instead of %+v", again, pirate)
	}
	if other := w.frozenElsewhere(c); other.Fence == pirate.Fence {
		t.Error("two conversations have one fence")
	}
}

// frozenElsewhere asks for the prompts of another private chat of the same person.
func (w *world) frozenElsewhere(c *chat) agent.Frozen {
	other := &chat{w, c.owner, c.user, c.id + "-other", true}
	return other.frozen(agent.Frozen{}, true)
}

func TestFrozenInGroup(t *testing.T) {
	w := newWorld(t)
	c, g := w.private(), w.group()
	w.note(w.ann, memory.Private, "about/address", "lives at zqx-Elm")
	w.note(w.bob, memory.Private, "about/code-word", "zqx-plum")
	g.commands("/memory group on")
	w.note(w.ann, groupScope, "about/table", "zqx-table")
	w.person = "Call them zqx-captain."
	there := g.frozen(agent.Frozen{}, false)
	wantText(t, there.Notes, "zqx-table")
	if here := c.frozen(agent.Frozen{}, false); here.Person != w.person || there.Person != "" {
		t.Errorf("in private they are called by %q, in a group by %q", here.Person, there.Person)
	}
	wantNot(t, there.Notes, "zqx-Elm", "zqx-plum")
	here := c.frozen(agent.Frozen{}, false)
	wantText(t, here.Notes, "zqx-Elm")
	wantNot(t, here.Notes, "zqx-table", "zqx-plum")
	g.commands("/memory group off")
	wantNot(t, g.frozen(there, false).Notes, "zqx")
}

func TestCandidatesStandInNoPrompt(t *testing.T) {
	w := newWorld(t)
	c := w.private()
	c.commands("/remember " + dog)
	w.learner.script = waiting("always recommend zqx-one", false)
	w.must(c.says("always recommend zqx-one"), "memory_learn", `{}`)
	f := c.frozen(agent.Frozen{}, true)
	wantText(t, f.Notes, "Kiko")
	wantNot(t, f.Notes, "zqx-one")
	for _, args := range []string{`{}`, `{"path":"preferences"}`} {
		wantNot(t, w.must(c.says("x"), "memory_read", args).Text, "zqx-one", "preferences:")
	}
	wantNot(t, w.must(c.says("x"), "memory_find", `{"words":"recommend zqx-one"}`).Text, "recommend")
	if n := len(w.texts(w.ann, memory.Candidate)); n != 1 {
		t.Errorf("%d notes wait, want 1", n)
	}
}
