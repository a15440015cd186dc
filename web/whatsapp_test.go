package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rsc.io/qr"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// linkDesk is a Desk whose linking a test plays.
type linkDesk struct {
	plainDesk
	phones  chan string // with which linking began
	steps   chan nacre.LinkStep
	ends    chan error // nil: as linked
	dropped chan struct{}

	mu       sync.Mutex // guards all below
	whatsapp *WhatsApp  // nil: off
	words    string
	refused  error // what unlinking says
}

func newLinkDesk() *linkDesk {
	return &linkDesk{phones: make(chan string, 1), steps: make(chan nacre.LinkStep), ends: make(chan error), dropped: make(chan struct{}, 1),
		whatsapp: &WhatsApp{}, words: "not linked yet"}
}

func (d *linkDesk) LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	d.phones <- phone
	for {
		select {
		case s := <-d.steps:
			show(s)
		case err := <-d.ends:
			return err
		case <-ctx.Done():
			d.dropped <- struct{}{}
			return ctx.Err()
		}
	}
}

func (d *linkDesk) UnlinkWhatsApp(context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refused == nil {
		d.whatsapp, d.words = &WhatsApp{Own: d.whatsapp.Own}, "not linked"
	}
	return d.refused
}

func (d *linkDesk) Status(context.Context) (Status, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := Status{WhatsApp: d.whatsapp, Channels: []ChannelStatus{
		{Name: nacre.Web, OK: true, Words: "1 page is open"},
		{Name: nacre.Telegram, OK: true, Words: "connected as @nacre_test_bot"},
	}}
	if d.whatsapp != nil {
		s.Channels = append(s.Channels, ChannelStatus{Name: nacre.WhatsApp, OK: !strings.Contains(d.words, "unlinked on the phone"), Words: d.words})
	}
	return s, nil
}

// set changes how WhatsApp is.
func (d *linkDesk) set(w *WhatsApp, words string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whatsapp, d.words = w, words
}

// refuse lets unlinking fail; nil lets it succeed.
func (d *linkDesk) refuse(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused = err
}

func (d *linkDesk) linked() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.whatsapp.Linked
}

// linking is a call of LinkWhatsApp that runs.
type linking struct {
	shown chan nacre.LinkStep
	err   chan error
}

func startLink(ctx context.Context, d Desk, phone string) linking {
	l := linking{make(chan nacre.LinkStep, 10), make(chan error, 1)}
	go func() { l.err <- d.LinkWhatsApp(ctx, phone, func(s nacre.LinkStep) { l.shown <- s }) }()
	return l
}

// Each step arrives while the next has not happened, and whole.
func TestLinkingOverTheSocket(t *testing.T) {
	d := newLinkDesk()
	l := startLink(t.Context(), serveControl(t, d), "+15550000001")
	if phone := <-d.phones; phone != "+15550000001" {
		t.Errorf("linking began with %q", phone)
	}
	until := time.Now().Add(time.Minute).UTC().Truncate(time.Second)
	for _, s := range []nacre.LinkStep{{QR: "one", Until: until}, {QR: "two", Until: until}, {Code: "ABCD-EFGH", Until: until}, {Account: "+15550000001"}} {
		d.steps <- s
		if got := <-l.shown; got != s {
			t.Errorf("shown %+v, want %+v", got, s)
		}
	}
	d.ends <- nil
	if err := <-l.err; err != nil {
		t.Errorf("LinkWhatsApp = %v", err)
	}
}

func TestLinkingFails(t *testing.T) {
	for _, kind := range []nacre.Kind{nacre.Invalid, nacre.Denied, nacre.NotFound, nacre.Conflict, nacre.Transient, nacre.Internal} {
		for _, begun := range []bool{false, true} {
			t.Run(fmt.Sprint(kind, begun), func(t *testing.T) {
				d := newLinkDesk()
				l := startLink(t.Context(), serveControl(t, d), "")
				<-d.phones
				if begun {
					d.steps <- nacre.LinkStep{QR: "one"}
					<-l.shown
				}
				fault, want := nacre.Errorf(kind, "a sentence"), "a sentence"
				if kind == nacre.Internal {
					fault, want = errors.New("secret words"), "something went wrong inside; see the log of the server"
				}
				d.ends <- fault
				if err := <-l.err; nacre.KindOf(err) != kind || err.Error() != want {
					t.Errorf("LinkWhatsApp = %v (%v), want %q (%v)", err, nacre.KindOf(err), want, kind)
				}
			})
		}
	}
}

func TestLinkingOfWhatCannotBeDrawn(t *testing.T) {
	d := newLinkDesk()
	l := startLink(t.Context(), serveControl(t, d), "")
	<-d.phones
	d.steps <- nacre.LinkStep{QR: strings.Repeat("x", 3000)}
	if err := <-l.err; nacre.KindOf(err) != nacre.Internal {
		t.Errorf("LinkWhatsApp = %v, want an Internal error", err)
	}
	<-d.dropped
}

func TestLinkingEndsWhenTheClientGoes(t *testing.T) {
	d := newLinkDesk()
	ctx, cancel := context.WithCancel(t.Context())
	l := startLink(ctx, serveControl(t, d), "")
	<-d.phones
	d.steps <- nacre.LinkStep{QR: "one"}
	<-l.shown
	cancel()
	if err := <-l.err; !errors.Is(err, context.Canceled) {
		t.Errorf("LinkWhatsApp = %v, want that it was cancelled", err)
	}
	<-d.dropped
}

// A server that goes away has linked nothing, unless it has said so.
func TestLinkingWhenTheServerGoes(t *testing.T) {
	for _, last := range []nacre.LinkStep{{QR: "one"}, {Account: "+15550000001"}} {
		d := newLinkDesk()
		dir := t.TempDir()
		listener, err := ListenSocket(dir)
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: Control(d, nil, slog.New(slog.DiscardHandler))}
		go s.Serve(listener)
		l := startLink(t.Context(), NewClient(dir), "")
		<-d.phones
		d.steps <- last
		<-l.shown
		s.Close()
		if err := <-l.err; (err == nil) != (last.Account != "") || err != nil && nacre.KindOf(err) != nacre.Transient {
			t.Errorf("after %+v LinkWhatsApp = %v", last, err)
		}
		<-d.dropped
	}
}

// Proxies see something of a person who takes their time.
func TestLinkingIsNeverSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := gatewaytest.NewPipeNet()
		d := newLinkDesk()
		net.Serve(t, Control(d, nil, slog.New(slog.DiscardHandler)))
		client := &http.Client{Transport: &http.Transport{DialContext: net.DialContext}}
		t.Cleanup(client.CloseIdleConnections)
		go func() {
			d.steps <- nacre.LinkStep{Code: "ABCD-EFGH", Until: time.Now().Add(160 * time.Second)}
			time.Sleep(159 * time.Second)
			d.ends <- nacre.Errorf(nacre.Transient, "too late")
		}()
		resp, err := client.Post(gatewaytest.PipeURL+"/api/whatsapp/link", "application/json", strings.NewReader(`{"phone":"+1"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got := resp.Header.Get("Content-Type"); got != "application/x-ndjson" {
			t.Errorf("the answer is %s", got)
		}
		var lines []string
		last := time.Now()
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			lines = append(lines, in.Text())
			if silence := time.Since(last); silence > 30*time.Second {
				t.Errorf("nothing came for %v", silence)
			}
			last = time.Now()
		}
		want := []string{`{"code":"ABCD-EFGH","until":"2000-01-01T00:02:40Z","left_ms":160000}`, "", "", "", "", "", "", `{"error":"too late","kind":"transient"}`}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", lines, want)
		}
	})
}

func TestUnlinking(t *testing.T) {
	d := newLinkDesk()
	c := serveControl(t, d)
	d.set(&WhatsApp{Linked: true}, "connected")
	if err := c.UnlinkWhatsApp(t.Context()); err != nil {
		t.Errorf("UnlinkWhatsApp = %v", err)
	}
	if s, err := c.Status(t.Context()); err != nil || *s.WhatsApp != (WhatsApp{}) {
		t.Errorf("Status = %+v, %v", s.WhatsApp, err)
	}
	d.refuse(nacre.Errorf(nacre.NotFound, "nothing is linked"))
	if err := c.UnlinkWhatsApp(t.Context()); nacre.KindOf(err) != nacre.NotFound || err.Error() != "nothing is linked" {
		t.Errorf("UnlinkWhatsApp = %v", err)
	}
}

// Only the operator reaches WhatsApp, from a page of ours or with the token.
func TestWhatsAppOnThePage(t *testing.T) {
	s := newStreet(t, nil)
	operator, stranger := "Cookie: nacre="+s.session(ann), "Cookie: nacre="+s.session(bob)
	const program = "Authorization: Bearer the-token"
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"the operator", []string{operator, "Origin: " + s.site.Origin()}, 200},
		{"a program with the token", []string{program}, 200},
		{"a wrong token", []string{program + "x"}, 401},
		{"nobody", nil, 401},
		{"another owner", []string{stranger}, 403},
		{"a page of others", []string{operator, "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"}, 403},
		{"by another name", []string{operator, "Host: evil.example"}, 421},
	} {
		for _, r := range []struct{ path, asks, says string }{
			{"/api/whatsapp/link", `{"phone":"+1"}`, `{"account":"linked +1"}`},
			{"/api/whatsapp/unlink", "", "{}"},
		} {
			resp, body := s.do("POST", r.path, r.asks, c.headers...)
			if resp.StatusCode != c.want || (strings.TrimSpace(body) == r.says) != (c.want == 200) {
				t.Errorf("%s, %s: %s %q, want %d", r.path, c.name, resp.Status, body, c.want)
			}
		}
	}
	for path, want := range map[string]int{"/channels": 303, "/channels.js": 401} {
		if resp, _ := s.do("GET", path, ""); resp.StatusCode != want {
			t.Errorf("%s without a login: %s", path, resp.Status)
		}
		if resp, _ := s.do("GET", path, "", operator); resp.StatusCode != 200 {
			t.Errorf("%s with one: %s", path, resp.Status)
		}
	}
}

// A picture has the modules of the code that it stands for, dark on white, and a
// white margin.
func TestDrawSVG(t *testing.T) {
	for _, text := range []string{"1", "hello", "https://wa.me/settings/linked_devices#2@" + strings.Repeat("aB3/", 60)} {
		svg, err := drawSVG(text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := qr.Encode(text, qr.L)
		if err != nil {
			t.Fatal(err)
		}
		side := code.Size + 8
		if head := fmt.Sprintf(`viewBox="0 0 %d %d" shape-rendering="crispEdges"><rect width="%d" height="%d" fill="#fff"/>`, side, side, side, side); !strings.Contains(svg, head) {
			t.Errorf("%.20q: the picture lacks %s", text, head)
		}
		dark := modules(t, svg)
		for y := -4; y < code.Size+4; y++ {
			for x := -4; x < code.Size+4; x++ {
				if got, want := dark[[2]int{x + 4, y + 4}], code.Black(x, y); got != want {
					t.Fatalf("%.20q: module %d, %d is dark: %v, want %v", text, x, y, got, want)
				}
			}
		}
	}
}

var bar = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`)

// modules are the dark ones of a picture that has nothing but bars.
func modules(t *testing.T, svg string) map[[2]int]bool {
	t.Helper()
	_, path, _ := strings.Cut(svg, `<path d="`)
	path, end, _ := strings.Cut(path, `"`)
	if rest := bar.ReplaceAllString(path, ""); rest != "" || end != "/></svg>" || path == "" {
		t.Fatalf("the picture has %q and ends with %q", rest, end)
	}
	dark := map[[2]int]bool{}
	for _, m := range bar.FindAllStringSubmatch(path, -1) {
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+1])
		}
		if n[2] != n[3] {
			t.Fatalf("%s is no bar", m[0])
		}
		for i := range n[2] {
			dark[[2]int{n[0] + i, n[1]}] = true
		}
	}
	return dark
}
