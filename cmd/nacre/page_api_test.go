package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"nacre"
	"nacre/agent/gmail/gmailtest"
	"nacre/memory/backup"
)

// asker asks the running program as one of its users and holds each question, and
// each answer, to the description of the API.
type asker struct {
	*site
	google *gmailtest.Google // in which a few letters were sent
	doc    *openapi3.T
	user   string
	asked  map[string]bool // by method and path
}

// newAsker starts the program.
func newAsker(t *testing.T, s *site) *asker {
	t.Helper()
	g := gmailtest.New(t)
	sends(g, sentLetters...)
	s.env["NACRE_GOOGLE_URL"] = g.URL
	doc, err := openapi3.NewLoader().LoadFromFile("../../web/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.start()
	return &asker{s, g, doc, "1001", map[string]bool{}}
}

// wants asks something and wants a status. It returns the answer, if that is JSON.
func (a *asker) wants(status int, request, body string) (answer any) {
	a.t.Helper()
	resp, text := a.ask(a.user, request, body)
	if resp.StatusCode != status {
		a.t.Errorf("%s %s: %s %s, want %d", request, body, resp.Status, text, status)
	}
	route := a.route(resp.Request)
	if route == nil {
		a.t.Fatalf("%s is not described", request)
	}
	asked := &openapi3filter.RequestValidationInput{Request: resp.Request, QueryParams: resp.Request.URL.Query(), Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	if status == http.StatusOK {
		a.asked[route.Method+" "+route.Path] = true
		resp.Request.Body = io.NopCloser(strings.NewReader(body))
		resp.Request.Header.Set("Content-Type", "application/json")
		if route.Path == "/api/import" {
			resp.Request.Header.Set("Content-Type", "application/octet-stream")
		}
		if err := openapi3filter.ValidateRequest(a.t.Context(), asked); err != nil {
			a.t.Errorf("%s %s is not asked as described: %v", request, body, err)
		}
	}
	isJSON := resp.Header.Get("Content-Type") == "application/json"
	err := openapi3filter.ValidateResponse(a.t.Context(), &openapi3filter.ResponseValidationInput{RequestValidationInput: asked, Status: resp.StatusCode,
		Header: resp.Header, Body: io.NopCloser(strings.NewReader(text)), Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: !isJSON}})
	if err != nil {
		a.t.Errorf("%s %s is not answered as described: %v\n%s", request, body, err, text)
	}
	if isJSON && json.Unmarshal([]byte(text), &answer) != nil {
		a.t.Errorf("%s is answered with %q", request, text)
	}
	return answer
}

// route is what is described of a request; nil for nothing.
func (a *asker) route(r *http.Request) *routers.Route {
	item := a.doc.Paths.Find(r.URL.Path)
	if item == nil || item.GetOperation(r.Method) == nil {
		return nil
	}
	return &routers.Route{Spec: a.doc, Path: r.URL.Path, PathItem: item, Method: r.Method, Operation: item.GetOperation(r.Method)}
}

// routes are what the API describes, by method and path.
func (a *asker) routes(each func(request string, op *openapi3.Operation)) {
	for path, item := range a.doc.Paths.Map() {
		for method, op := range item.Operations() {
			if strings.HasPrefix(path, "/api/") {
				each(method+" "+path, op)
			}
		}
	}
}

// at reads a place of an answer, such as notes.0.id.
func at(answer any, place string) any {
	for _, step := range strings.Split(place, ".") {
		switch v := answer.(type) {
		case map[string]any:
			answer = v[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				return nil
			}
			answer = v[i]
		}
	}
	return answer
}

// said is a template filled in with what was answered.
func filled(template string, values ...any) string {
	parts := make([]any, len(values))
	for i, v := range values {
		b, _ := json.Marshal(v)
		parts[i] = string(b)
	}
	return fmt.Sprintf(template, parts...)
}

// Every route of a real program is asked and answered as openapi.yaml says, when
// there is nothing and when there is something.
func TestAPIIsAsDescribed(t *testing.T) {
	s := newSite(t)
	a := newAsker(t, s)
	a.routes(func(request string, op *openapi3.Operation) {
		if method, path, _ := strings.Cut(request, " "); method == http.MethodGet && path != "/api/history/around" && path != "/api/why" {
			a.wants(200, request, "")
		}
	})
	a.wants(404, "GET /api/why", "")
	a.talk()
	a.remember()
	a.plan()
	a.rule()
	a.mail()
	a.forget()
	a.wants(404, "POST /api/whatsapp/link", `{"phone":"+15550000001"}`)
	a.wants(404, "POST /api/whatsapp/unlink", "")
	a.routes(func(request string, op *openapi3.Operation) {
		if !a.asked[request] && !strings.Contains(request, "/whatsapp/") {
			t.Errorf("%s is never asked with success", request)
		}
		if method, path, _ := strings.Cut(request, " "); method == http.MethodPost && path != "/api/import" {
			a.wants(400, request, `{"nonsense":1}`)
		} else {
			a.wants(400, method+" "+path+"?nonsense=1", "")
		}
	})
}

// talk asks what has to do with the chat.
func (a *asker) talk() {
	a.t.Helper()
	first := a.wants(200, "POST /api/chat", `{"id":"morning","text":"Remember that my bike is green."}`)
	if at(first, "id") != "morning" || at(first, "done") != true || at(first, "text") == "" {
		a.t.Errorf("the chat answered %v", first)
	}
	again := a.wants(200, "POST /api/chat", `{"id":"morning","text":"Remember that my bike is green."}`)
	alone := a.wants(200, "POST /api/chat", `{"id":"morning","wait":0}`)
	if at(again, "text") != at(first, "text") || at(alone, "text") != at(first, "text") {
		a.t.Errorf("asked again the chat answered %v and %v, want %v", again, alone, first)
	}
	if who := a.wants(200, "POST /api/chat", `{"text":"/whoami"}`); !strings.Contains(at(who, "text").(string), "You are") {
		a.t.Errorf("the command was answered with %v", who)
	}
	a.wants(404, "POST /api/chat", `{"id":"never-said"}`)
	chat := a.wants(200, "GET /api/history?most=10", "")
	if n := len(at(chat, "sayings").([]any)); n != 2 { // commands are no conversation
		a.t.Errorf("the chat holds %d sayings, want a question and its answer: %v", n, chat)
	}
	a.wants(200, "GET /api/history/around?each=3&message="+url.QueryEscape(at(chat, "sayings.0.message").(string)), "")
	a.wants(200, "POST /api/chat", `{"text":"My list.","files":[{"name":"../list.txt","data":"bWlsaw=="}]}`)
	if list := a.wants(200, "GET /api/history?most=2", ""); at(list, "sayings.0.files.0") != "list.txt" || at(list, "sayings.0.text") != "My list." {
		a.t.Errorf("a message with a file reads as %v", list)
	}
	a.wants(404, "GET /api/history/around?message=no-such-message", "")
	a.wants(200, "POST /api/history/search", `{"words":"green bike","newest":true}`)
	a.wants(200, "POST /api/chat", `{"text":"What colour is my bike?"}`)
	a.wants(200, "GET /api/why", "")
}

// remember asks what has to do with memory.
func (a *asker) remember() {
	a.t.Helper()
	change := func(verb string, outcome any, more string) any {
		a.t.Helper()
		return a.wants(200, "POST /api/memory/"+verb, filled(`{"note":%s,"hash":%s`, at(outcome, "note.id"), at(outcome, "note.hash"))+more+"}")
	}
	note := a.wants(200, "POST /api/memory/add", `{"path":"people/mira","text":"Mira is my sister."}`)
	a.wants(200, "POST /api/memory/note", `{"name":"people/mira"}`)
	a.wants(404, "POST /api/memory/note", `{"name":"people/nobody"}`)
	a.wants(400, "POST /api/memory/add", `{"path":"nowhere","text":"x"}`)
	note = change("edit", note, `,"text":"Mira is my little sister."`)
	for _, verb := range []string{"pin", "unpin", "confirm", "archive", "restore"} {
		if note = change(verb, note, ""); at(note, "refused") != nil {
			a.t.Errorf("%s was refused: %v", verb, note)
		}
	}
	if stale := change("edit", map[string]any{"note": map[string]any{"id": at(note, "note.id"), "hash": "wrong"}}, `,"text":"x"`); at(stale, "refused") != "stale" {
		a.t.Errorf("a stale edit became %v", stale)
	}
	for _, verb := range []string{"keep", "reject"} { // of what does not wait
		change(verb, note, "")
	}
	a.wants(200, "POST /api/memory/set", `{"setting":"sensitive","on":true}`)
	a.wants(200, "POST /api/memory/undo", "")
	a.wants(400, "POST /api/memory/pin", filled(`{"note":%s}`, at(note, "note.id")))
	a.wants(200, "POST /api/import?name=notes.md&dry=true", "# About\n- I live in Bremen.\n- my password is hunter2hunter2\n\n# People\n- Mira is my little sister.\n")
	a.wants(200, "POST /api/import", "# About\n- I live in Bremen.\n")
	a.wants(400, "POST /api/import?size=12", "- Not all.\n")
	for _, which := range []string{"live", "waiting", "archived", "all"} {
		a.wants(200, "GET /api/memory?which="+which, "")
	}
	listing := a.wants(200, "GET /api/memory?area=people&as_of=2099", "")
	a.wants(200, fmt.Sprintf("GET /api/memory?after=%.0f", at(listing, "version")), "")
	a.wants(400, "GET /api/memory?area=nowhere", "")
	a.wants(400, "GET /api/memory?known_at=soon", "")
	a.wants(200, "POST /api/memory/search", `{"words":"sister","which":"all","most":5}`)
	a.wants(200, "GET /api/memory/review", "")
	a.wants(200, "GET /api/memory/pinned", "")
	a.wants(200, "POST /api/memory/log", `{"refusals":true}`)
	a.wants(200, "POST /api/memory/verify", `{"sign":true}`)
	a.wants(200, "POST /api/memory/rebuild", "")
	a.wants(200, "GET /api/memory/export", "")
}

// plan asks what has to do with jobs.
func (a *asker) plan() {
	a.t.Helper()
	a.wants(200, "POST /api/jobs/add", `{"text":"tomorrow 9:00 call Mira"}`)
	a.wants(200, "POST /api/jobs/add", `{"kind":"task","text":"look at the sky","every":"2h"}`)
	a.wants(200, "POST /api/jobs/add", `{"text":"stretch","cron":"0 9 * * 1","zone":"Asia/Tokyo","grace":"1h"}`)
	a.wants(400, "POST /api/jobs/add", `{"text":"whenever"}`)
	a.wants(200, "POST /api/jobs/edit", `{"job":1,"text":"call Mira and Ann"}`)
	a.wants(200, "POST /api/jobs/show", `{"job":1}`)
	a.wants(404, "POST /api/jobs/show", `{"job":77}`)
	for _, deed := range []string{"pause", "resume", "run", "delete"} {
		a.wants(200, "POST /api/jobs/do", `{"job":1,"do":"`+deed+`"}`)
	}
	a.wants(400, "POST /api/jobs/do", `{"job":2,"do":"dance"}`)
	a.wants(200, "GET /api/jobs?over=true", "")
	a.wants(200, "GET /api/jobs/runs?most=5", "")
	a.wants(200, "POST /api/jobs/round", `{"round":"repair"}`)
	a.wants(404, "POST /api/jobs/round", `{"round":"robin"}`)
	a.wants(200, "POST /api/jobs/again", "")
	a.wants(200, "GET /api/usage?days=7", "")
}

// rule asks what has to do with files, settings, access and the operator.
func (a *asker) rule() {
	a.t.Helper()
	files := a.wants(200, "GET /api/files", "")
	a.wants(200, "POST /api/files/write", filled(`{"name":%s,"text":"Be brief.","was":%s}`, at(files, "0.name"), at(files, "0.hash")))
	a.wants(409, "POST /api/files/write", filled(`{"name":%s,"text":"Be long.","was":%s}`, at(files, "0.name"), at(files, "0.hash")))
	a.wants(200, "POST /api/settings", `{"name":"Ada","zone":"Europe/Berlin","language":"de","hours":"07:00-21:00"}`)
	a.wants(400, "POST /api/settings", `{"zone":"Mars/Olympus"}`)
	a.wants(200, "GET /api/me", "")
	made := a.wants(200, "POST /api/access/token", `{"name":"backup"}`)
	a.wants(200, "POST /api/access/password", `{"name":"ada","password":"correct horse battery"}`)
	a.wants(400, "POST /api/access/password", `{"name":"ada","password":"short"}`)
	a.wants(200, "GET /api/access", "")
	a.wants(200, "POST /api/access/password/drop", "")
	a.wants(200, "POST /api/access/revoke", filled(`{"id":%s}`, at(made, "id")))
	a.wants(404, "POST /api/access/revoke", filled(`{"id":%s}`, at(made, "id")))
	a.wants(200, "POST /api/login", "")
	a.api.Text(5005, "let me in")
	a.sent(1)
	waiting := a.wants(200, "GET /api/strangers", "")
	a.wants(200, "POST /api/strangers/decide", filled(`{"id":%s,"admit":true}`, at(waiting, "0.id")))
	a.wants(404, "POST /api/strangers/decide", filled(`{"id":%s,"admit":true}`, at(waiting, "0.id")))
	a.wants(400, "POST /api/backups/recovery", `{"recipient":"nobody","replace":false}`)
	_, recipient, err := backup.NewRecovery()
	if err != nil {
		a.t.Fatal(err)
	}
	a.wants(200, "POST /api/backups/recovery", filled(`{"recipient":%s,"replace":false}`, recipient))
	a.wants(403, "POST /api/backups/make", filled(`{"to":%s}`, a.t.TempDir()))
	a.wants(200, "POST /api/backups/make", `{"to":""}`)
	a.wants(200, "GET /api/backups", "")
	a.wants(200, "POST /api/pair", `{}`)
	a.wants(200, "GET /api/status", "")
}

// googleClient is the double's client, as one names it to connect Gmail.
var googleClient = filled(`{"client_id":%s,"client_secret":%s}`, gmailtest.ClientID, gmailtest.Secret)

// consented is what one brings back of a consent page that the API named.
func (a *asker) consented(consent any) string {
	a.t.Helper()
	page, _ := at(consent, "url").(string)
	return filled(`{"url":%s}`, a.google.Consent(page, gmailtest.Choice{}))
}

// mail asks what has to do with Gmail.
func (a *asker) mail() {
	a.t.Helper()
	a.wants(404, "POST /api/mail/learn", "")
	a.wants(400, "POST /api/mail/connect", `{"client_id":"me"}`)
	a.wants(403, "POST /api/mail/finish", `{"url":"http://127.0.0.1:8080/gmail?state=a&code=b"}`)
	if sheet := a.wants(200, "POST /api/mail/finish", a.consented(a.wants(200, "POST /api/mail/connect", googleClient))); at(sheet, "address") != gmailtest.Address {
		a.t.Errorf("the consent became %v", sheet)
	}
	a.learned()
	a.wants(200, "POST /api/mail/learn", "")
	if sheet := a.wants(200, "GET /api/mail", ""); at(sheet, "learned") == nil || at(sheet, "style") == nil {
		a.t.Errorf("of what was sent was learned %v", sheet)
	}
	if gone := a.wants(200, "POST /api/mail/disconnect", ""); at(gone, "revoked") != true {
		a.t.Errorf("Google does not know: %v", gone)
	}
	a.wants(404, "POST /api/mail/disconnect", "")
}

// learned waits until what was sent was read in the background, and that is over.
func (a *asker) learned() {
	a.t.Helper()
	for ctx := a.patience(); ctx.Err() == nil; {
		runs, _ := a.wants(200, "GET /api/jobs/runs?most=50", "").([]any)
		if !slices.ContainsFunc(runs, func(run any) bool { return at(run, "name") == roundNames[nacre.RoundStyle] }) {
			continue
		}
		if resp, _ := a.ask(a.user, "POST /api/mail/learn", ""); resp.StatusCode != http.StatusConflict {
			return
		}
	}
	a.t.Fatal("nothing is learned of what was sent")
}

// forget asks what has to do with forgetting.
func (a *asker) forget() {
	a.t.Helper()
	plan := a.wants(200, "POST /api/memory/plan", `{"size":"about","words":"Mira"}`)
	a.wants(409, "POST /api/memory/forget", `{"size":"about","words":"Mira","base":1}`)
	a.wants(200, "POST /api/memory/forget", filled(`{"size":"about","words":"Mira","base":%s}`, at(plan, "base")))
	a.wants(400, "POST /api/memory/plan", `{"size":"huge"}`)
}

// The examples of API.md work as they stand there, but that the client and the consent
// are the double's.
func TestGuideWorks(t *testing.T) {
	s := newSite(t)
	a := newAsker(t, s)
	guide, err := os.ReadFile("../../web/API.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile(`(?m)^curl -H "\$AUTH" "\$NACRE(/api/[^"]*)"(?: -d '([^']*)')?`).FindAllStringSubmatch(string(guide), -1)
	if n := strings.Count(string(guide), "\ncurl "); len(examples) != n || n < 10 {
		t.Errorf("%d of %d examples are understood", len(examples), n)
	}
	var consent any
	for _, e := range examples {
		method, path, body := "GET", e[1], e[2]
		if body != "" {
			method = "POST"
		}
		switch path {
		case "/api/mail/connect":
			consent = a.wants(200, method+" "+path, googleClient)
			continue
		case "/api/mail/finish":
			body = a.consented(consent)
		}
		a.wants(200, method+" "+path, body)
	}
}
