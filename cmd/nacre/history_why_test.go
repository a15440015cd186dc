package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// says says something in the operator's chat on the page, as a script does, and
// returns what it is answered.
func (b *bubble) says(text string) web.Answer {
	b.t.Helper()
	site, err := web.NewSite(web.Serving{Listen: "localhost:80"})
	if err != nil {
		b.t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://localhost/api/chat", strings.NewReader(asJSON(map[string]any{"text": text})))
	r.Header.Set("Authorization", "Bearer the-token")
	out := httptest.NewRecorder()
	web.Public(web.Options{Desk: b.app, Chat: b.app.page, Porter: b.app.porter, Site: site, Token: "the-token",
		Operator: func() nacre.OwnerID { return b.app.operator }, Log: b.app.log}).ServeHTTP(out, r)
	var a web.Answer
	var both struct {
		ID string
		*web.Answer
	}
	both.Answer = &a
	if err := json.NewDecoder(out.Body).Decode(&both); err != nil || out.Code != http.StatusOK {
		b.t.Fatalf("%d, %v", out.Code, err)
	}
	return a
}

// The page tells what was in front of the model when it answered there last, what
// was forgotten since counted; and a script hears also what is no answer of a model.
func TestWhyOnThePage(t *testing.T) {
	live(t, func(b *bubble) {
		ctx := b.t.Context()
		h := web.Hand{By: memory.ByPage}
		m, history := b.app.Memory(h), b.app.History(h)
		for path, text := range map[string]string{"about/bike": "The bike is green.", "about/home": "I live in Bern."} {
			if out, err := m.Propose(ctx, web.Change{Do: memory.Learn, Path: path, Text: text}); err != nil || out.Refused != "" {
				t.Fatalf("%+v, %v", out, err)
			}
		}
		if a := b.says("/memory"); !a.Done || !strings.Contains(a.Text, "I live in Bern") {
			t.Errorf("a command is answered %+v", a)
		}
		if why, err := history.Why(ctx); kindOf(t, err) != nacre.NotFound {
			t.Errorf("why, before anything was answered: %+v, %v", why, err)
		}
		if a := b.says("hello"); !a.Done || a.Text != "echo: hello" {
			t.Errorf("answered %+v", a)
		}
		notes := func() []string {
			t.Helper()
			why, err := history.Why(ctx)
			if err != nil || why.Found == nil || why.Always == nil || why.Messages == nil {
				t.Errorf("%+v, %v", why, err)
			}
			list := lined(append(why.Found, why.Always...))
			slices.Sort(list)
			if why.Gone > 0 {
				list = append(list, "gone")
			}
			return list
		}
		if got := notes(); !slices.Equal(got, []string{"about/bike The bike is green.", "about/home I live in Bern."}) {
			t.Errorf("in front were %q", got)
		}
		bike, err := m.Note(ctx, web.NoteName{Name: "about/bike"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Forget(ctx, web.Forgetting{Size: memory.SizeNote, Note: bike.Note.ID, Base: bike.Version}); err != nil {
			t.Fatal(err)
		}
		if got := notes(); !slices.Equal(got, []string{"about/home I live in Bern.", "gone"}) {
			t.Errorf("then were %q", got)
		}
		if c, err := history.Recent(ctx, web.RecentQuery{}); err != nil || !slices.Equal(spoken(c.Sayings), []string{"you: hello", "nacre: echo: hello"}) {
			t.Errorf("the chat is %+v, %v", c, err)
		}
	})
}
