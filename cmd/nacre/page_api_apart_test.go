package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The canary is in everything that belongs to the operator.
const wordOfMine = "Quetzalfink"

// newSecrets is a site where the operator has the canary in everything.
func newSecrets(t *testing.T) *asker {
	t.Helper()
	s := newSite(t)
	s.alone(func(app *app) {
		s.learn(app, "1001", "about/pet", "The pet is called "+wordOfMine+".", "My pet is called "+wordOfMine)
		s.learn(app, "1002", "about/pet", "The pet is called "+othersWord+".", "My pet is called "+othersWord)
	})
	a := newAsker(t, s)
	a.wants(200, "POST /api/chat", `{"id":"mine","text":"My pet `+wordOfMine+` sleeps."}`)
	files := a.wants(200, "GET /api/files", "")
	a.wants(200, "POST /api/files/write", filled(`{"name":%s,"text":"Speak of `+wordOfMine+`.","was":%s}`, at(files, "0.name"), at(files, "0.hash")))
	a.wants(200, "POST /api/jobs/add", `{"text":"tomorrow 9:00 feed `+wordOfMine+`"}`)
	a.wants(200, "POST /api/settings", `{"name":"`+wordOfMine+`"}`)
	a.wants(200, "POST /api/access/token", `{"name":"`+wordOfMine+`"}`)
	return a
}

// An owner who is not the operator is refused what is the operator's, and reads
// nothing of theirs, by whatever name they ask for it.
func TestAPIKeepsOwnersApart(t *testing.T) {
	a := newSecrets(t)
	mine := a.names()
	a.user = "1002"
	if _, text := a.ask("1002", "GET /api/memory", ""); !strings.Contains(text, othersWord) {
		t.Fatalf("the other owner does not read what is theirs: %s", text)
	}
	a.routes(func(request string, op *openapi3.Operation) {
		for _, question := range a.questions(request, op, mine) {
			resp, text := a.reads("1002", question.request, question.body)
			switch {
			case strings.Contains(text, wordOfMine):
				t.Errorf("%.300s shows what is another's: %.300s", question, text)
			case slices.Contains(op.Tags, "Operator") != (resp.StatusCode == http.StatusForbidden), resp.StatusCode >= 500:
				t.Errorf("%.300s is answered with %s %.300s", question, resp.Status, text)
			}
		}
	})
	for request, body := range map[string]string{"GET /api/memory": "", "GET /api/memory/export": "", "GET /api/export/archive": "", "GET /api/history": "", "POST /api/history/search": `{"words":"pet"}`,
		"GET /api/files": "", "GET /api/jobs": "", "GET /api/settings": "", "GET /api/access": "", "POST /api/chat": `{"id":"mine"}`} {
		if _, text := a.reads("1001", request, body); !strings.Contains(text, wordOfMine) {
			t.Errorf("%s: the operator does not read what is theirs any more: %s", request, text)
		}
	}
}

// reads asks as a user, and unpacks what is packed.
func (a *asker) reads(user, request, body string) (*http.Response, string) {
	a.t.Helper()
	resp, text := a.ask(user, request, body)
	if resp.Header.Get("Content-Type") == "application/zip" {
		text = unzipped(a.t, text)
	}
	return resp, text
}

// names are those by which the operator's things are asked for.
func (a *asker) names() []string {
	a.t.Helper()
	names := []string{"mine", "about/pet", "pet", "sleeps", "1", "SOUL.md", "../1001/SOUL.md"}
	for request, places := range map[string][]string{
		"GET /api/memory":  {"notes.0.id", "notes.0.hash"},
		"GET /api/history": {"sayings.0.message", "sayings.1.turn"},
		"GET /api/jobs":    {"jobs.0.id"},
		"GET /api/files":   {"0.hash"},
		"GET /api/access":  {"logins.0.id"},
		"GET /api/me":      {"owner"},
	} {
		answer := a.wants(200, request, "")
		for _, place := range places {
			name, ok := at(answer, place).(string)
			if !ok {
				a.t.Fatalf("%s has no %s", request, place)
			}
			names = append(names, name)
		}
	}
	return names
}

type apiQuestion struct{ request, body string }

// nasty is what nobody in their right mind says.
var nasty = []string{"", "\x00", strings.Repeat("x", 5000), "\u202eevil\u202c", "<script>alert(1)</script>", "'; DROP TABLE inbox; --", "%00", "-1", "9223372036854775807", "../../../etc/passwd", "all", "0001-01-01", "9999-12-31", "*", "\"", "NOT", "a OR", "\xff"}

// questions are all ways to ask a route for something by one of some names, or in
// one of the nasty ways.
func (a *asker) questions(request string, op *openapi3.Operation, names []string) (list []apiQuestion) {
	list = append(list, apiQuestion{request, ""}, apiQuestion{request, "{}"})
	fields := map[string]*openapi3.Schema{}
	if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil { // else it is what is imported
		for name, p := range op.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
			fields[name] = p.Value
		}
	}
	for _, word := range append(slices.Clone(names), nasty...) {
		for _, p := range op.Parameters {
			list = append(list, apiQuestion{request + "?" + url.Values{p.Value.Name: {word}}.Encode(), ""})
		}
		if len(fields) == 0 {
			continue
		}
		said := map[string]any{} // every text at once: what is missing would hide the rest
		for name, f := range fields {
			switch {
			case name == "wait":
				said[name] = 0
			case name == "password": // too short, since to hash a right one takes long
				said[name] = word[:min(9, len(word))]
			case f.Type.Is("string") && f.Enum != nil && word != "":
				said[name] = f.Enum[len(f.Enum)-1]
			case f.Type.Is("string"):
				said[name] = word
			}
		}
		all, _ := json.Marshal(said)
		list = append(list, apiQuestion{request, string(all)})
		for name, f := range fields {
			if f.Type.Is("string") {
				one, _ := json.Marshal(map[string]any{name: word, "job": 1})
				if _, ok := fields["job"]; !ok {
					one, _ = json.Marshal(map[string]any{name: word})
				}
				list = append(list, apiQuestion{request, string(one)})
			}
		}
	}
	return list
}
