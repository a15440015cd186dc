package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/recall"
)

// What recall is given, and by whom.
var (
	_ recall.Store   = archive{}
	_ recall.Vectors = archive{}
)

// inGroup is a message of the group -100 by a Telegram user; by nobody without one.
func inGroup(owner nacre.OwnerID, external, user string) nacre.Inbound {
	m := nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), Chat: nacre.Chat{Channel: nacre.Telegram, ID: "-100"},
		External: nacre.ExternalID(external), Sent: time.Now(), Received: time.Now(), Segments: []nacre.Segment{{Provenance: nacre.InGroup, Text: "by " + user}}}
	if user != "" {
		m.Author = nacre.Address{Channel: nacre.Telegram, ID: user}
	}
	return nacre.Inbound{Owner: owner, Message: m}
}

// TestArchiveGivesRecallWhatAgentsStore reads what was said as recall does.
func TestArchiveGivesRecallWhatAgentsStore(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(t.Context(), ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.SyncOwners(t.Context(), [][]nacre.Address{{{Channel: nacre.Telegram, ID: "1001"}}})
	if err != nil {
		t.Fatal(err)
	}
	owner := all[0].ID
	in := []nacre.Inbound{inGroup(owner, "1", "1001"), inGroup(owner, "2", "77"), inGroup(owner, "3", "")}
	if err := l.Put(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	history, err := json.Marshal([]llm.Message{{Role: llm.User, Text: "by 1001"}, {Role: llm.Assistant, Text: "the answer"}})
	if err != nil {
		t.Fatal(err)
	}
	turn := nacre.Turn{ID: "turn", Session: in[0].Session.ID, Owner: owner, Messages: []nacre.MessageID{in[0].Message.ID}, Outcome: nacre.Answered, Started: time.Now(), History: history}
	if _, err := l.Commit(t.Context(), turn); err != nil {
		t.Fatal(err)
	}

	a := archive{l.Archive(agent.AnswerOf)}
	var docs []recall.Doc
	end, err := a.Since(t.Context(), owner, recall.Mark{}, func(d recall.Doc) { docs = append(docs, d) })
	if err != nil || len(docs) != 4 {
		t.Fatalf("%+v, %v", docs, err)
	}
	scope := memory.GroupScope(in[0].Message.Chat)
	for i, want := range []struct{ author, text string }{
		{recall.ByOwner, "by 1001"}, {"telegram:77", "by 77"}, {"", "by "}, {recall.ByAssistant, "the answer"},
	} {
		if d := docs[i]; d.Author != want.author || d.Text != want.text || d.Scope != scope || d.Session != in[0].Session.ID {
			t.Errorf("%d: got %+v, want %+v", i, d, want)
		}
	}
	n := 0
	err = a.Before(t.Context(), owner, end, func(recall.Doc) bool { n++; return true })
	if m, marked := a.Mark(t.Context(), owner); err != nil || marked != nil || n != 4 || m.Answered != end.Answered {
		t.Errorf("%d before %v, %v; marked %v, %v", n, end, err, m, marked)
	}
	key := docs[0].Key
	texts, err := a.Texts(t.Context(), owner, []recall.Key{key, 1 << 40})
	if got := texts[key]; err != nil || len(texts) != 1 || got.Doc != docs[0] || got.Message != in[0].Message.ID || got.Turn != turn.ID {
		t.Errorf("texts %+v, %v", texts, err)
	}
	if near, err := a.Near(t.Context(), owner, scope, key, 1); err != nil || len(near) != 2 || near[1].Doc != docs[1] {
		t.Errorf("near %+v, %v", near, err)
	}
	if err := a.PutVectors(t.Context(), owner, "small", map[recall.Key][]float32{key: {1}}); err != nil {
		t.Fatal(err)
	}
	found := 0
	err = a.Vectors(t.Context(), owner, "small", func(k recall.Key, v []float32) {
		if k == key && len(v) == 1 && v[0] == 1 {
			found++
		}
	})
	if err != nil || found != 1 {
		t.Errorf("%d vectors, %v", found, err)
	}
}
