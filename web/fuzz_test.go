package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/memory"
)

// canary is what nobody but an owner may see.
func canary(owner nacre.OwnerID) string { return "canary of " + string(cmp.Or(owner, ann)) }

// canaryDesk has everything of everybody, each with its canary. What belongs to no
// owner has the operator's.
type canaryDesk struct{}

func (canaryDesk) Me(_ context.Context, h Hand) (Me, error) { return Me{Name: canary(h.Owner)}, nil }
func (canaryDesk) Memory(h Hand) Memory                     { return canaryMemory{Note{Text: canary(h.Owner)}} }
func (canaryDesk) Files(h Hand) Files                       { return canaryFiles(canary(h.Owner)) }
func (canaryDesk) History(h Hand) History                   { return canaryHistory(canary(h.Owner)) }
func (canaryDesk) Jobs(h Hand) Jobs                         { return canaryJobs(canary(h.Owner)) }
func (canaryDesk) Settings(h Hand) Settings                 { return canarySettings(canary(h.Owner)) }
func (canaryDesk) Access(h Hand) Access                     { return canaryAccess(canary(h.Owner)) }
func (canaryDesk) Usage(_ context.Context, h Hand, _ UsageQuery) (Usage, error) {
	return Usage{Models: []ModelUsage{{Model: canary(h.Owner)}}}, nil
}
func (canaryDesk) Login(_ context.Context, h Hand) (string, error) { return canary(h.Owner), nil }
func (canaryDesk) Status(context.Context) (Status, error)          { return Status{Data: canary(ann)}, nil }
func (canaryDesk) Pair(_ context.Context, code string) (string, error) {
	return canary(ann) + code, nil
}
func (canaryDesk) Strangers(context.Context) ([]Stranger, error) {
	return []Stranger{{ID: canary(ann)}}, nil
}
func (canaryDesk) Backups() Backups                                 { return canaryBackups{} }
func (canaryDesk) Decide(context.Context, Decision) (string, error) { return canary(ann), nil }
func (canaryDesk) UnlinkWhatsApp(context.Context) error             { return nil }
func (canaryDesk) LinkWhatsApp(_ context.Context, phone string, show func(nacre.LinkStep)) error {
	show(nacre.LinkStep{Account: canary(ann) + phone})
	return nil
}

type canaryBackups struct{}

func (canaryBackups) List(context.Context) (BackupList, error) {
	return BackupList{Dir: canary(ann)}, nil
}
func (canaryBackups) Make(context.Context, BackupOrder) (Backup, error) {
	return Backup{Path: canary(ann)}, nil
}
func (canaryBackups) SetRecovery(context.Context, Recovery) error {
	return nacre.Errorf(nacre.Conflict, "%s", canary(ann))
}

type canaryMemory struct{ note Note }

func (m canaryMemory) Notes(context.Context, NoteQuery) (Listing, error) {
	return Listing{Notes: []Note{m.note}}, nil
}
func (m canaryMemory) Note(context.Context, NoteName) (Sheet, error) { return Sheet{Note: m.note}, nil }
func (m canaryMemory) Log(context.Context, LogQuery) ([]Entry, error) {
	return []Entry{{Path: m.note.Text}}, nil
}
func (m canaryMemory) Propose(context.Context, Change) (Outcome, error) {
	return Outcome{Note: &m.note}, nil
}
func (m canaryMemory) Plan(context.Context, Forgetting) (Plan, error) {
	return Plan{Notes: []Note{m.note}}, nil
}
func (m canaryMemory) Forget(context.Context, Forgetting) (memory.Receipt, error) {
	return memory.Receipt{Prose: []string{m.note.Text}}, nil
}
func (m canaryMemory) Verify(_ context.Context, c Check) (Verification, error) {
	return Verification{Findings: append(c.Checkpoints, m.note.Text)}, nil
}
func (m canaryMemory) Rebuild(context.Context) (Rebuilt, error) {
	return Rebuilt{Edits: m.note.Text}, nil
}
func (m canaryMemory) Export(context.Context) (string, error)  { return m.note.Text, nil }
func (m canaryMemory) Review(context.Context) ([]Sheet, error) { return []Sheet{{Note: m.note}}, nil }
func (m canaryMemory) Pinned(context.Context) (Pinned, error) {
	return Pinned{Notes: []PinnedNote{{Note: m.note}}}, nil
}
func (m canaryMemory) Search(context.Context, NoteSearch) ([]Note, error) {
	return []Note{m.note}, nil
}

type canaryFiles string

func (f canaryFiles) Read(context.Context) ([]File, error) { return []File{{Text: string(f)}}, nil }
func (f canaryFiles) Write(_ context.Context, w FileWrite) (File, error) {
	return File{Text: string(f) + w.Text}, nil
}

type canaryHistory string

func (h canaryHistory) chat() Conversation {
	return Conversation{Sayings: []Saying{{Text: string(h)}}}
}
func (h canaryHistory) Recent(context.Context, RecentQuery) (Conversation, error) {
	return h.chat(), nil
}
func (h canaryHistory) Around(context.Context, AroundQuery) (Conversation, error) {
	return h.chat(), nil
}
func (h canaryHistory) Search(context.Context, SearchQuery) (Found, error) {
	return Found{Hits: []FoundSaying{{Saying: Saying{Text: string(h)}}}}, nil
}
func (h canaryHistory) Why(context.Context) (Why, error) {
	return Why{Messages: h.chat().Sayings}, nil
}
func (h canaryHistory) Answer(context.Context, nacre.ExternalID) (Answer, error) {
	return Answer{true, string(h)}, nil
}

type canaryJobs string

func (j canaryJobs) List(context.Context, JobQuery) (JobListing, error) {
	return JobListing{Jobs: []Job{{Text: string(j)}}}, nil
}
func (j canaryJobs) Show(context.Context, JobNumber) (JobSheet, error) {
	return JobSheet{Job: Job{Text: string(j)}}, nil
}
func (j canaryJobs) Runs(context.Context, RunQuery) ([]JobRun, error) {
	return []JobRun{{Words: string(j)}}, nil
}
func (j canaryJobs) Add(_ context.Context, w JobWish) (Job, error) {
	return Job{Text: string(j) + w.Text}, nil
}
func (j canaryJobs) Edit(_ context.Context, w JobWish) (Job, error) {
	return Job{Text: string(j) + w.Text}, nil
}
func (j canaryJobs) Do(context.Context, JobDeed) (Job, error)        { return Job{Text: string(j)}, nil }
func (j canaryJobs) Round(context.Context, JobRound) (string, error) { return string(j), nil }
func (j canaryJobs) Aside(context.Context) ([]AsideBatch, error) {
	return []AsideBatch{{Words: string(j)}}, nil
}
func (j canaryJobs) Again(context.Context) (string, error) { return string(j), nil }

type canarySettings string

func (s canarySettings) Show(context.Context) (SettingsSheet, error) {
	return SettingsSheet{Name: string(s)}, nil
}
func (s canarySettings) Change(context.Context, SettingsChange) (SettingsSheet, error) {
	return SettingsSheet{Name: string(s)}, nil
}

type canaryAccess string

func (a canaryAccess) List(context.Context) (AccessListing, error) {
	return AccessListing{Password: string(a)}, nil
}
func (a canaryAccess) Revoke(context.Context, Revocation) error { return nil }
func (a canaryAccess) MakeToken(context.Context, TokenWish) (Token, error) {
	return Token{Token: string(a)}, nil
}
func (a canaryAccess) SetPassword(context.Context, Password) error { return nil }
func (a canaryAccess) DropPassword(context.Context) error          { return nil }

// Whatever somebody asks who is not the operator, in whatever way, the server
// neither fails nor shows what is another's, and what it refuses it refuses in
// JSON.
func FuzzAPI(f *testing.F) {
	handler, token := fuzzed(f)
	for pattern, r := range everyRoute() {
		method, path, _ := strings.Cut(pattern, " ")
		f.Add(method, path, "", emptyQuestion(f, pattern, r))
		f.Add(method, path+"/", "owner=owner-ann", []byte(`{"owner":"owner-ann"}`))
	}
	f.Add("POST", "/api/chat", "", []byte(`{"text":"hi","wait":0}`))
	f.Add("POST", "/api/chat", "", []byte(`{"files":[{"name":"../\u202ea","data":"aGk="},null],"wait":0}`))
	f.Add("POST", "/api/memory/verify", "", []byte(`{"checkpoints":["`+strings.Repeat("a", 100)+`"],"sign":true}`))
	f.Add("POST", "/api/jobs/do", "", []byte(`{"job":1e999,"do":"\ud800"}`))
	f.Add("POST", "/api/jobs/do", "", []byte(strings.Repeat(`{"do":`, 50)))
	f.Add("GET", "/api/memory", "which=all&after=-1&known_at=2026-02-30", []byte{})
	f.Add("GET", "//api/../api/memory", "which=%00;", []byte{})
	for _, path := range []string{"/ws", "/login", "/logout", "/healthz", "/", "/memory/x", "/app.js", "/telegram", "/nothing"} {
		f.Add("GET", path, "", []byte{})
		f.Add("POST", path, "", []byte("link=x"))
	}
	f.Fuzz(func(t *testing.T, method, path, query string, body []byte) {
		r := (&http.Request{Method: method, URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{"Authorization": {"Bearer " + token}},
			Host: "localhost", RemoteAddr: "127.0.0.1:1", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(bytes.NewReader(body))}).WithContext(t.Context())
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		answer := w.Body.Bytes()
		if w.Code >= 500 {
			t.Errorf("%s %q: %d %s", method, path, w.Code, answer)
		}
		if bytes.Contains(answer, []byte(canary(ann))) {
			t.Errorf("%s %q shows what is another's: %s", method, path, answer)
		}
		kind := w.Header().Get("Content-Type")
		if w.Code >= 400 {
			var p problem
			if err := json.Unmarshal(answer, &p); err != nil || kind != "application/json" || p.Version != apiVersion || p.Kind == "" || p.Text == "" {
				t.Errorf("%s %q is refused with %d, %s, %q", method, path, w.Code, kind, answer)
			}
		}
		if kind == "application/json" && len(answer) > 0 && !json.Valid(answer) {
			t.Errorf("%s %q is answered with %q", method, path, answer)
		}
	})
}

// fuzzed is a server and the token of an owner who is not the operator.
func fuzzed(f *testing.F) (_ http.Handler, token string) {
	f.Helper()
	log, logins := slog.New(slog.DiscardHandler), newLogins()
	chat := NewChat(log)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- chat.Run(ctx, gatewaytest.NewHost()) }()
	f.Cleanup(func() { cancel(); <-ended })
	site, err := NewSite(Serving{Listen: "localhost:80"})
	if err != nil {
		f.Fatal(err)
	}
	porter := NewPorter(logins, logins, chat, log)
	secret := tokenPrefix + newSecret()
	if _, err := porter.open(ctx, nacre.Login{Kind: nacre.LoginToken, Owner: bob, Seen: time.Now()}, secret); err != nil {
		f.Fatal(err)
	}
	h := Public(Options{Desk: canaryDesk{}, Chat: chat, Porter: porter, Operator: func() nacre.OwnerID { return ann }, Site: site, Log: log})
	for owner, want := range map[nacre.OwnerID]bool{ann: true, bob: false} { // the canary sings
		s := tokenPrefix + newSecret()
		porter.open(ctx, nacre.Login{Kind: nacre.LoginToken, Owner: owner, Seen: time.Now()}, s)
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://localhost/api/memory", nil)
		r.Header.Set("Authorization", "Bearer "+s)
		if h.ServeHTTP(w, r); strings.Contains(w.Body.String(), canary(ann)) != want {
			f.Fatalf("%s reads %s", owner, w.Body)
		}
	}
	return h, secret
}

// emptyQuestion is what a route asks, with every name and nothing said.
func emptyQuestion(f *testing.F, pattern string, r route) []byte {
	in := untyped[pattern]
	if ty, ok := r.serve.(typed); ok {
		in, _ = ty.types()
	}
	said := map[string]any{}
	for name, field := range namesOf(in) {
		said[name] = reflect.Zero(field.Type).Interface()
	}
	b, err := json.Marshal(said)
	if err != nil {
		f.Fatal(err)
	}
	return b
}
