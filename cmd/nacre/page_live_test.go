package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/memory"
	"nacre/web"
)

// site is a world with the page, as scripts use it.
type site struct {
	*world
	base  string            // of the page, without a slash at the end
	token map[string]string // by the Telegram user whose it is
}

// newSite makes one, with a token for each owner; nothing runs yet.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{world: newWorld(t), token: map[string]string{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.base = "http://" + l.Addr().String()
	l.Close()
	for name, value := range map[string]string{"WEB_LISTEN": l.Addr().String(), "MODEL": "offline", "HEARTBEAT": "off", "WHATSAPP": "off", "LOG_LEVEL": "warn"} {
		s.env["NACRE_"+name] = value
	}
	s.alone(func(a *app) {
		for _, user := range []string{"1001", "1002"} {
			made, err := a.Access(web.Hand{Owner: s.owner(a, user), By: memory.ByPage}).MakeToken(t.Context(), web.TokenWish{Name: "script"})
			if err != nil {
				t.Fatal(err)
			}
			s.token[user] = made.Token
		}
	})
	return s
}

// ask asks the API as a user; body is empty for a GET.
func (s *site) ask(user, request, body string) (*http.Response, string) {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token[user])
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(b)
}

// answered asks what has to be answered.
func (s *site) answered(user, request, body string) string {
	s.t.Helper()
	resp, answer := s.ask(user, request, body)
	if resp.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %s", request, resp.Status, answer)
	}
	return answer
}

// tiding is what a websocket of a user hears: topics, and when.
type tiding struct {
	topic web.Topic
	at    time.Time
}

// attach opens a page without a browser, and waits until it is attached.
func (s *site) attach(user string) <-chan tiding {
	s.t.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.base, "http")+"/ws", http.Header{"Authorization": {"Bearer " + s.token[user]}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	var ready struct{ T string }
	if err := conn.ReadJSON(&ready); err != nil || ready.T != "ready" {
		s.t.Fatalf("the first frame is %+v, %v", ready, err)
	}
	news := make(chan tiding, 1000)
	go func() {
		defer close(news)
		for {
			var f struct{ Topics []web.Topic }
			if conn.ReadJSON(&f) != nil {
				return
			}
			for _, topic := range f.Topics {
				news <- tiding{topic, time.Now()}
			}
		}
	}()
	return news
}

// hears waits until a topic is heard, and returns when.
func (s *site) hears(news <-chan tiding, topic web.Topic) time.Time {
	s.t.Helper()
	for late := s.patience().Done(); ; {
		select {
		case h := <-news:
			if h.topic == topic {
				return h.at
			}
		case <-late:
			s.t.Fatalf("nothing was heard of %s", topic)
		}
	}
}

// A change is heard on the owner's pages, soon, and on nobody else's.
func TestPagesHearOfCommits(t *testing.T) {
	s := newSite(t)
	p := s.start()
	mine, theirs := s.attach("1001"), s.attach("1002")
	var took []time.Duration
	for i := range 9 {
		asked := time.Now()
		s.answered("1001", "POST /api/memory/add", fmt.Sprintf(`{"path":"about/bike-%d","text":"Rides bike number %d."}`, i, i))
		took = append(took, s.hears(mine, web.TopicMemory).Sub(asked))
		time.Sleep(30 * time.Millisecond) // behind the rest of the page
	}
	slices.Sort(took)
	t.Logf("from the request to the frame: median %v, longest %v", took[len(took)/2], took[len(took)-1])

	s.world.api.Text(1001, "/remind tomorrow 9:00 call Mira")
	s.hears(mine, web.TopicJobs)
	for _, deed := range []string{"pause", "resume", "run", "delete"} {
		s.answered("1001", "POST /api/jobs/do", `{"job":1,"do":"`+deed+`"}`)
		s.hears(mine, web.TopicJobs)
	}
	s.attach("1002") // the channel of the page says how many there are
	s.hears(mine, web.TopicChannels)

	s.answered("1002", "POST /api/memory/add", `{"path":"about/boat","text":"Sails a boat."}`)
	s.hears(theirs, web.TopicMemory)
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	for h := range theirs {
		t.Errorf("the other owner's page heard of %s", h.topic)
	}
}

// What the clock does is heard as well.
func TestPagesHearOfWhatComesDue(t *testing.T) {
	live(t, func(b *bubble) {
		site, err := web.NewSite(web.Serving{Listen: "localhost:80"})
		if err != nil {
			b.t.Fatal(err)
		}
		net := gatewaytest.NewPipeNet()
		net.Serve(b.t, web.Public(web.Options{Desk: b.app, Chat: b.app.page, Porter: b.app.porter, Site: site, Token: "the-token",
			Operator: func() nacre.OwnerID { return b.app.operator }, Log: b.app.log}))
		dialer := websocket.Dialer{NetDialContext: net.DialContext}
		conn, _, err := dialer.DialContext(b.t.Context(), "ws://localhost/ws", http.Header{"Authorization": {"Bearer the-token"}})
		if err != nil {
			b.t.Fatal(err)
		}
		defer conn.Close()
		var due []time.Duration // when jobs were different, since the reminder was made
		begin := time.Now()
		go func() {
			for {
				var f struct{ Topics []web.Topic }
				if conn.ReadJSON(&f) != nil {
					return
				}
				if slices.Contains(f.Topics, web.TopicJobs) {
					due = append(due, time.Since(begin).Round(time.Minute))
				}
			}
		}()
		b.say(1001, "/remind in 1 hour call Mira")
		b.pass(2 * time.Hour)
		if !slices.Equal(due, []time.Duration{0, time.Hour}) {
			b.t.Errorf("the page heard of jobs after %v, want when the reminder was made and when it was due", due)
		}
	}, "NACRE_HEARTBEAT=off")
}

// Two hundred open pages cost the server little memory.
func TestOpenPagesTakeLittle(t *testing.T) {
	const pages, most = 200, 20.0
	s := newSite(t)
	p := s.start()
	for range 5 { // what the first pages need is needed once
		s.attach("1001")
		s.answered("1001", "GET /api/status", "")
	}
	before := p.resident(t)
	var all []<-chan tiding
	for i := range pages {
		all = append(all, s.attach([]string{"1001", "1002"}[i%2]))
	}
	open := p.resident(t) - before
	s.answered("1001", "POST /api/memory/add", `{"path":"about/bike","text":"Rides a bike."}`)
	s.answered("1002", "POST /api/memory/add", `{"path":"about/boat","text":"Sails a boat."}`)
	for _, news := range all {
		s.hears(news, web.TopicMemory)
	}
	told := p.resident(t) - before
	t.Logf("%d pages take %.1f MiB, %.1f when all were told something; %.0f KiB each", pages, open, told, told*1024/pages)
	if build, _ := debug.ReadBuildInfo(); slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return // the race detector takes several times as much
	}
	if told > most {
		t.Errorf("%d pages take %.1f MiB, at most %.0f are allowed", pages, told, most)
	}
}

// resident is the memory of a process, in MiB.
func (p *process) resident(t *testing.T) float64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "status"))
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("the checks measure memory: %v", err)
	}
	if err != nil {
		t.Skipf("memory is measured where /proc tells of it: %v", err)
	}
	_, rest, _ := bytes.Cut(b, []byte("VmRSS:"))
	kib, err := strconv.ParseFloat(strings.Fields(string(rest))[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib / 1024
}
