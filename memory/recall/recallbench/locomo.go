package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/recall"
)

// conversation is one of a file, with its questions.
type conversation struct {
	store     *store
	end       time.Time // of the last message
	questions []question
	skipped   int // questions without any valid evidence
}

// question is one whose answer stands in known messages.
type question struct {
	text     string
	category int
	evidence map[recall.Key]bool
}

// Format of LoCoMo (Maharana et al., ACL 2024): a list of samples.
type sample struct {
	Conversation map[string]json.RawMessage `json:"conversation"` // session_N, session_N_date_time
	QA           []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

type utterance struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// load reads the conversations of a file.
func load(file string, captions bool) ([]conversation, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var samples []sample
	if err := json.Unmarshal(raw, &samples); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	list := make([]conversation, len(samples))
	for i, s := range samples {
		if list[i], err = s.read(captions); err != nil {
			return nil, fmt.Errorf("%s: sample %d: %w", file, i+1, err)
		}
	}
	return list, nil
}

func (s sample) read(captions bool) (conversation, error) {
	c := conversation{store: &store{}}
	keys := map[string]recall.Key{}
	for n := 1; ; n++ {
		session, there := s.Conversation[fmt.Sprintf("session_%d", n)]
		if !there {
			break
		}
		start, err := s.start(n)
		if err != nil {
			return c, err
		}
		var said []utterance
		if err := json.Unmarshal(session, &said); err != nil {
			return c, fmt.Errorf("session %d: %w", n, err)
		}
		for i, u := range said {
			c.end = start.Add(time.Duration(i) * time.Minute)
			keys[u.ID] = c.store.add(u.doc(n, c.end, captions))
		}
	}
	for _, q := range s.QA {
		c.ask(question{q.Question, q.Category, evidence(q.Evidence, keys)})
	}
	return c, nil
}

// start is when a session began.
func (s sample) start(session int) (time.Time, error) {
	var text string
	name := fmt.Sprintf("session_%d_date_time", session)
	if err := json.Unmarshal(s.Conversation[name], &text); err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", name, err)
	}
	return time.Parse("3:04 pm on 2 January, 2006", text)
}

func (u utterance) doc(session int, sent time.Time, captions bool) recall.Doc {
	text := u.Text
	if captions && u.Caption != "" {
		text += "\n" + u.Caption
	}
	return recall.Doc{Session: nacre.SessionID(fmt.Sprint(session)), Scope: memory.Private, Author: u.Speaker, Sent: sent, Text: text}
}

func (c *conversation) ask(q question) {
	if len(q.evidence) == 0 {
		c.skipped++
		return
	}
	c.questions = append(c.questions, q)
}

// named is the name of a message in evidence; some have a colon or blanks too
// many, or are several in one.
var named = regexp.MustCompile(`D:?(\d+):0*(\d+)`)

// evidence repairs what is clear and leaves out what is not there.
func evidence(ids []string, keys map[string]recall.Key) map[recall.Key]bool {
	found := map[recall.Key]bool{}
	for _, id := range ids {
		for _, m := range named.FindAllStringSubmatch(id, -1) {
			if key, there := keys["D"+m[1]+":"+m[2]]; there {
				found[key] = true
			}
		}
	}
	return found
}
