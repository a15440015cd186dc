package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// logsIn reports whether a browser comes in by a name and a password.
func (s *site) logsIn(name, password string) bool {
	s.t.Helper()
	body := url.Values{"name": {name}, "password": {password}}.Encode()
	r, err := http.NewRequestWithContext(s.t.Context(), "POST", s.base+"/login/password", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.base)
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusSeeOther
}

// Who is taken off NACRE_OWNERS has no access any more, by whatever they have.
func TestWhoIsTakenOffTheListIsOut(t *testing.T) {
	s := newSite(t)
	running := s.start()
	s.answered("1002", "POST /api/access/password", `{"name":"bea","password":"a long password"}`)
	if !s.logsIn("bea", "a long password") {
		t.Fatal("who is on the list does not come in")
	}
	running.kill()
	s.env["NACRE_OWNERS"] = "telegram:1001"
	s.start()
	s.answered("1001", "GET /api/me", "")
	for request, body := range map[string]string{"GET /api/me": "", "POST /api/chat": `{"text":"hello","wait":0}`, "POST /api/memory/add": `{"path":"about/x","text":"Still here."}`, "GET /ws": ""} {
		if resp, answer := s.ask("1002", request, body); resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s is answered with %s %s", request, resp.Status, answer)
		}
	}
	if s.logsIn("bea", "a long password") {
		t.Error("the password of who was taken off the list is good")
	}
}

// A name to log in by is one person's, however it is written.
func TestNamesToLogInByAreTold(t *testing.T) {
	s := newSite(t)
	s.start()
	s.answered("1001", "POST /api/access/password", `{"name":"iris","password":"password of ann"}`)
	for _, name := range []string{"IRIS", "\u0130ris", "\u0131ris"} {
		if resp, answer := s.ask("1002", "POST /api/access/password", `{"name":"`+name+`","password":"password of bea"}`); resp.StatusCode != http.StatusConflict {
			t.Errorf("%s is taken: %s %s", name, resp.Status, answer)
		}
		if !s.logsIn(name, "password of ann") || s.logsIn(name, "password of bea") {
			t.Errorf("%s does not log in whose it is", name)
		}
	}
}

// What is set, and by which name somebody logs in, is forgotten like what was said,
// and they are told of it before and after.
func TestForgettingTellsOfNames(t *testing.T) {
	s := newSite(t)
	s.start()
	setUp := func() {
		s.answered("1001", "POST /api/settings", `{"name":"Fribblet"}`)
		s.answered("1001", "POST /api/access/token", `{"name":"Fribblet"}`)
		s.answered("1001", "POST /api/access/password", `{"name":"Fribblet","password":"a long password"}`)
	}
	wants := func(what, answer string, parts ...string) {
		t.Helper()
		for _, want := range parts {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %s, want %q", what, answer, want)
			}
		}
	}
	const counts = `{"logins":1,"passwords":1,"settings":1}`
	const lost = "A password goes with its name"
	setUp()
	plan := s.answered("1001", "POST /api/memory/plan", `{"size":"about","words":"Fribblet"}`)
	wants("the plan", plan, `"counts":`+counts)
	wants("the receipt of a shell", s.says("memory", "forget", "--yes", "Fribblet"), "Erased: 1 setting, 1 login name, 1 password", lost)
	wants("the settings", s.answered("1001", "GET /api/settings", ""), `"name":""`)
	setUp()
	wants("the question in the chat", s.answered("1001", "POST /api/chat", `{"text":"/forget Fribblet","wait":10}`), "it stands in 1 setting, 1 login name, 1 password", lost)
	wants("the receipt in the chat", s.answered("1001", "POST /api/chat", `{"text":"yes","wait":10}`), "1 setting, 1 login name, 1 password", lost)
	if s.logsIn("Fribblet", "a long password") {
		t.Error("the password is good still")
	}
}
