package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"nacre"
)

// sickDesk is a Desk whose WhatsApp waits for an account, and whose clock runs.
type sickDesk struct {
	plainDesk
	linked bool
	clock  bool
}

func (s sickDesk) Status(context.Context) (Status, error) {
	return Status{WhatsApp: &WhatsApp{Linked: s.linked}, Channels: []ChannelStatus{{nacre.Telegram, true, "connected as @bot"}, {nacre.WhatsApp, true, "no account is linked"}}}, nil
}

func (s sickDesk) Ready(context.Context) (bool, map[nacre.JobID]bool) {
	return s.clock, map[nacre.JobID]bool{nacre.RoundRepair: false}
}

func TestReady(t *testing.T) {
	for _, c := range []struct {
		desk sickDesk
		want int
	}{{sickDesk{linked: true, clock: true}, 200}, {sickDesk{linked: false, clock: true}, 503}, {sickDesk{linked: true, clock: false}, 503}} {
		s := newStreet(t, func(o *Options) { o.Desk = c.desk })
		resp, body := s.do("GET", "/readyz", "", "Host: 10.0.0.7:80") // as an orchestrator asks
		var got Readiness
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if resp.StatusCode != c.want || got.Ready != (c.want == 200) || !got.Database || got.Clock != c.desk.clock || got.Channels[nacre.WhatsApp] != c.desk.linked ||
			!got.Channels[nacre.Telegram] || got.Rounds[nacre.RoundRepair] || got.Why != nil {
			t.Errorf("%+v: %s %s", c.desk, resp.Status, body)
		}
		_, body = s.do("GET", "/readyz", "", "Authorization: Bearer the-token")
		if got = (Readiness{}); json.Unmarshal([]byte(body), &got) != nil || (got.Why[nacre.WhatsApp] == "no account is linked") == c.desk.linked {
			t.Errorf("%+v: the operator reads %s", c.desk, body)
		}
	}
}

// What is counted is for the operator, and for this machine where nothing is in between.
func TestWhoMayScrape(t *testing.T) {
	counts := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "counts") })
	serving := func(p Serving) *street {
		return newStreet(t, func(o *Options) {
			o.Metrics = counts
			for host := range o.Site.own {
				if strings.HasPrefix(host, "127.0.0.1:") {
					p.Listen = host
				}
			}
			var err error
			if o.Site, err = NewSite(p); err != nil {
				t.Fatal(err)
			}
		})
	}
	local, public, proxied := serving(Serving{}), serving(Serving{URL: "https://" + publicName}), serving(Serving{Proxy: true})
	for _, c := range []struct {
		name, header string
		at           *street
		want         int
	}{
		{"this machine", "", local, 200},
		{"another name", "Host: evil.example", local, 421},
		{"a proxy that tells", "X-Forwarded-For: 192.0.2.1", local, 401},
		{"a proxy that tells as the standard says", "Forwarded: for=192.0.2.1", local, 401},
		{"a public page", "", public, 401},
		{"a page behind a proxy", "", proxied, 401},
		{"the token of the configuration", "Authorization: Bearer the-token", public, 200},
		{"a wrong token", "Authorization: Bearer another", local, 401},
		{"the operator's token", "Authorization: Bearer " + public.token(ann).Token, public, 200},
		{"another owner's token", "Authorization: Bearer " + local.token(bob).Token, local, 403},
	} {
		var headers []string
		if c.header != "" {
			headers = []string{c.header}
		}
		if resp, body := c.at.do("GET", "/metrics", "", headers...); resp.StatusCode != c.want || (body == "counts") != (c.want == 200) {
			t.Errorf("%s: %s %s, want %d", c.name, resp.Status, body, c.want)
		}
	}
}
