package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/web"
)

// linkDesk is a running Nacre, as far as pairing asks it.
type linkDesk struct {
	web.Desk
	status web.Status
	steps  []nacre.LinkStep // that linking takes
	fault  error            // what it ends with, and unlinking too
	hang   bool             // linking goes on until the person stops it

	mu    sync.Mutex // guards all below
	asked []string   // what was asked, in order
}

func (d *linkDesk) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, what)
}

func (d *linkDesk) Status(context.Context) (web.Status, error) { return d.status, nil }
func (d *linkDesk) Pair(_ context.Context, c string) (string, error) {
	d.note("pair " + c)
	return "paired " + c, nil
}
func (d *linkDesk) UnlinkWhatsApp(context.Context) error { d.note("unlink"); return d.fault }
func (d *linkDesk) LinkWhatsApp(ctx context.Context, phone string, show func(nacre.LinkStep)) error {
	d.note("link " + phone)
	for _, s := range d.steps {
		show(s)
	}
	if d.hang {
		<-ctx.Done()
	}
	return d.fault
}

// serve runs the desk in a data directory of its own, and returns the
// environment that leads there.
func (d *linkDesk) serve(t *testing.T) (environ []string) {
	t.Helper()
	dir := t.TempDir()
	l, err := web.ListenSocket(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: web.Control(d, nil, slog.New(slog.DiscardHandler))}
	ended := make(chan error)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() { s.Close(); <-ended })
	return []string{"NACRE_DATA=" + dir, "HOME=" + dir, "TZ=UTC"}
}

// pair runs the command before the desk.
func (d *linkDesk) pair(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var b buffer
	code = run(t.Context(), append([]string{"pair"}, args...), d.serve(t), console{nil, &b, &b})
	return b.String(), code
}

// What is typed after pair is a code, unless it is the name of a channel.
func TestPairArguments(t *testing.T) {
	for _, c := range []struct {
		args, asked string
		code        int
	}{
		{"", "pair ", exitOK},
		{"ABCD-EFGH", "pair ABCD-EFGH", exitOK},
		{"code ABCD-EFGH", "pair ABCD-EFGH", exitOK},
		{"ABCD EFGH", "", exitUsage},
		{"whatsapp", "link ", exitOK},
		{"whatsapp --phone=+15550000001", "link +15550000001", exitOK},
		{"whatsapp --phone +15550000001", "link +15550000001", exitOK},
		{"whatsapp --unlink", "unlink", exitOK},
		{"whatsapp --phone=", "", exitUsage},
		{"whatsapp --unlink --phone=+1", "", exitUsage},
		{"whatsapp ABCD-EFGH", "", exitUsage},
		{"--unlink", "", exitUsage},
	} {
		d := &linkDesk{status: web.Status{WhatsApp: &web.WhatsApp{}}, steps: []nacre.LinkStep{{Account: "+15550000001"}}}
		out, code := d.pair(t, strings.Fields(c.args)...)
		if asked := strings.Join(d.asked, ", "); code != c.code || asked != c.asked {
			t.Errorf("pair %s: exit code %d and asked %q, want %d and %q; output %q", c.args, code, asked, c.code, c.asked, out)
		}
	}
}

func TestPairWhatsAppSaysWhatItMeansAndWhatIsNext(t *testing.T) {
	until := time.Now().Add(time.Hour)
	for _, c := range []struct {
		name  string
		own   bool
		since time.Time
		steps []nacre.LinkStep
		says  []string // in this order
	}{
		{"own number", true, time.Now(), []nacre.LinkStep{{QR: "one", Until: until}, {QR: "two", Until: until}, {Account: "+15550000001"}},
			[]string{"your own number", "ban a number", "Scan this code:", "█", "It is good for ", "Scan this code:", "Linked as +15550000001. Now write to yourself on WhatsApp"}},
		{"separate number", false, time.Now(), []nacre.LinkStep{{Code: "ABCD-EFGH", Until: until}, {Account: "+15550000001"}},
			[]string{"Nacre's alone", "ban\nthe number", "Do not link the one", "phone\nnumber instead", "\n    ABCD-EFGH\n", "It is good for ", "Linked as +15550000001. Now write to +15550000001", "nacre pair CODE"}},
		{"without a server", true, time.Time{}, []nacre.LinkStep{{Account: "+15550000001"}}, []string{"your own number", "Now start Nacre, and write to yourself"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &linkDesk{status: web.Status{Since: c.since, WhatsApp: &web.WhatsApp{Own: c.own}}, steps: c.steps}
			out, code := d.pair(t, "whatsapp")
			rest := out
			for _, says := range c.says {
				_, after, ok := strings.Cut(rest, says)
				if !ok {
					t.Fatalf("%q is not said after what comes before it in:\n%s", says, out)
				}
				rest = after
			}
			if meaning, _, _ := strings.Cut(out, "\n\n"); code != exitOK || strings.Count(meaning, "\n") != 2 {
				t.Errorf("exit code %d, and not three lines before the first step:\n%s", code, meaning)
			}
			for line := range strings.Lines(out) {
				if wide := len([]rune(strings.TrimSpace(line))); wide > 80 && !strings.Contains(line, "Linked as") {
					t.Errorf("%d columns: %q", wide, line)
				}
			}
		})
	}
}

func TestGood(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		for left, want := range map[time.Duration]string{160 * time.Second: "160 seconds", 1400 * time.Millisecond: "1 second", 0: "no seconds"} {
			if got := good(time.Now().Add(left)); got != "It is good for "+want+"." {
				t.Errorf("%v: %q", left, got)
			}
		}
	})
}

func TestPairWhatsAppFails(t *testing.T) {
	linked := &web.WhatsApp{Linked: true}
	for _, c := range []struct {
		name string
		desk *linkDesk
		args []string
		want string
		code int
	}{
		{"off", &linkDesk{}, nil, "nacre: " + errNoWhatsApp.Error(), exitUsage},
		{"linked already", &linkDesk{status: web.Status{WhatsApp: linked}, fault: nacre.Errorf(nacre.Conflict, "an account is linked already")}, nil,
			"nacre: an account is linked already", exitUsage},
		{"nothing to unlink", &linkDesk{status: web.Status{WhatsApp: linked}, fault: nacre.Errorf(nacre.NotFound, "no account is linked")}, []string{"--unlink"},
			"nacre: no account is linked", exitUsage},
	} {
		if out, code := c.desk.pair(t, append([]string{"whatsapp"}, c.args...)...); strings.TrimSpace(out) != c.want || code != c.code {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, out, c.code, c.want)
		}
	}
	if out, code := (&linkDesk{status: web.Status{WhatsApp: linked}}).pair(t, "whatsapp", "--phone", ""); code != exitUsage || !strings.HasPrefix(out, "nacre: --phone needs the number to link") {
		t.Errorf("an empty number: %d %q", code, out)
	}
	d := &linkDesk{status: web.Status{WhatsApp: linked}, steps: []nacre.LinkStep{{Code: "ABCD-EFGH"}}, fault: nacre.Errorf(nacre.Transient, "nobody used the code in time")}
	if out, code := d.pair(t, "whatsapp"); code != exitUsage || !strings.HasSuffix(out, "\nnacre: nobody used the code in time\n") || !strings.Contains(out, "ABCD-EFGH") {
		t.Errorf("%d %q", code, out)
	}
}

// Who stops the command has linked nothing, and hears so.
func TestPairWhatsAppIsStopped(t *testing.T) {
	d := &linkDesk{status: web.Status{WhatsApp: &web.WhatsApp{}}, steps: []nacre.LinkStep{{Code: "ABCD-EFGH"}}, hang: true}
	ctx, cancel := context.WithCancel(t.Context())
	out := &leaver{until: "ABCD-EFGH", leave: cancel}
	if code := run(ctx, []string{"pair", "whatsapp"}, d.serve(t), console{nil, out, out}); code != exitFault || !strings.HasSuffix(out.String(), "nacre: stopped before anything was linked\n") {
		t.Errorf("%d %q", code, out.String())
	}
}

// leaver is where a person reads who goes when they have seen something.
type leaver struct {
	buffer
	until string
	leave func()
}

func (l *leaver) Write(p []byte) (int, error) {
	if strings.Contains(string(p), l.until) {
		l.leave()
	}
	return l.buffer.Write(p)
}

func TestPairWhatsAppThatIsOffWithoutAServer(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_WHATSAPP"] = "off"
	w.start().stop()
	for _, args := range [][]string{{"pair", "whatsapp"}, {"pair", "whatsapp", "--unlink"}} {
		if out, code := w.run("", args...); code != exitUsage || fmt.Sprint(problems(out)) != fmt.Sprintf("[nacre: %s\n]", errNoWhatsApp) {
			t.Errorf("%v: %d %q", args, code, out)
		}
	}
}
