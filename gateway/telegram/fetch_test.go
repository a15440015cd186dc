package telegram

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

var _ gateway.Fetcher = (*Channel)(nil)

func TestFetch(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		want := bytes.Repeat([]byte("page "), 300_000)
		r.tg.Keep("D1", gatewaytest.File{Data: want})
		r.tg.Keep("odd name?#%", gatewaytest.File{Data: want, Mute: true})
		r.tg.Keep("E", gatewaytest.File{})
		for _, ref := range []string{"D1", "odd name?#%"} {
			if got, err := r.c.Fetch(r.Context(), ref, int64(len(want))); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, %v", ref, len(got), len(want), err)
			}
		}
		if got, err := r.c.Fetch(r.Context(), "E", 10); err != nil || len(got) != 0 {
			t.Errorf("an empty file has %d bytes, %v", len(got), err)
		}
	})
}

func TestFetchFailures(t *testing.T) {
	refuse := func(code int, words string, times int) gatewaytest.Fault {
		return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: code, Words: words, Times: times}
	}
	const gone, large = "please send it again", "too large"
	tests := []struct {
		name    string
		method  string
		fault   gatewaytest.Fault
		kind    nacre.Kind
		words   string
		fetched bool // it works after all
		asked   int  // calls of getFile
	}{
		{"expired link", "download", refuse(404, "Not Found", 1), 0, "", true, 2},
		{"unavailable for a moment", "getFile", refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable", 1), 0, "", true, 2},
		{"link that stays expired", "download", refuse(404, "Not Found", -1), nacre.NotFound, gone, false, 2},
		{"unavailable", "getFile", refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable", -1), nacre.NotFound, gone, false, 2},
		{"too big for a bot", "getFile", refuse(400, "Bad Request: file is too big", -1), nacre.Invalid, large, false, 1},
		{"token refused", "getFile", refuse(401, "Unauthorized", -1), nacre.Denied, "401", false, 1},
		{"pause", "getFile", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 7}, nacre.Transient, "just now", false, 1},
		{"server error", "download", refuse(500, "Internal Server Error", -1), nacre.Transient, "just now", false, 1},
		{"page of a web server", "download", gatewaytest.Fault{Kind: gatewaytest.HTML}, nacre.Transient, "just now", false, 1},
		{"cut file", "download", gatewaytest.Fault{Kind: gatewaytest.Truncated}, nacre.Transient, "just now", false, 1},
		{"no answer", "download", gatewaytest.Fault{Kind: gatewaytest.DropBefore, Times: -1}, nacre.Transient, "just now", false, 1},
		{"silence", "download", gatewaytest.Fault{Kind: gatewaytest.Hang}, nacre.Transient, "just now", false, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Keep("D1", gatewaytest.File{Data: []byte("the words")})
				r.tg.Fail(test.method, test.fault)
				began := time.Now()
				data, err := r.c.Fetch(r.Context(), "D1", 100)
				if n := len(r.tg.Calls("getFile")); n != test.asked {
					t.Errorf("the link was asked for %d times, want %d", n, test.asked)
				}
				if took := time.Since(began); took > fetchTime {
					t.Errorf("it took %v", took)
				}
				if test.fetched != (err == nil) {
					t.Fatalf("Fetch = %q, %v", data, err)
				}
				if test.fetched {
					if string(data) != "the words" {
						t.Errorf("Fetch = %q", data)
					}
					return
				}
				if data != nil || nacre.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.words) {
					t.Errorf("Fetch = %q, %v of kind %v; want %v with %q", data, err, nacre.KindOf(err), test.kind, test.words)
				}
				if got, want := nacre.RetryAfter(err), time.Duration(test.fault.Seconds)*time.Second; got != want {
					t.Errorf("RetryAfter = %v, want %v", got, want)
				}
				if strings.Contains(err.Error(), testSecret) {
					t.Errorf("the token shows in %v", err)
				}
			})
		})
	}
}

func TestFetchTooLarge(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		data := bytes.Repeat([]byte("x"), 1001)
		tests := []struct {
			name      string
			file      gatewaytest.File
			downloads int
		}{
			{"told before", gatewaytest.File{Data: data}, 0},
			{"told nothing", gatewaytest.File{Data: data, Mute: true}, 1},
			{"told less", gatewaytest.File{Data: data, Size: 7}, 1},
			{"larger than Telegram gives", gatewaytest.File{Size: fetchLimit + 1}, 0},
		}
		for _, test := range tests {
			r.tg.Keep("D1", test.file)
			before := len(r.tg.Calls("download"))
			got, err := r.c.Fetch(r.Context(), "D1", 1000)
			if got != nil || nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "too large") {
				t.Errorf("%s: %d bytes, %v", test.name, len(got), err)
			}
			if n := len(r.tg.Calls("download")) - before; n != test.downloads {
				t.Errorf("%s: %d downloads, want %d", test.name, n, test.downloads)
			}
		}
		if _, err := r.c.Fetch(r.Context(), "", 1000); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("without a handle: %v", err)
		}
		r.tg.Keep("D1", gatewaytest.File{Data: data[:1000], Size: 900})
		if got, err := r.c.Fetch(r.Context(), "D1", 1000); err != nil || len(got) != 1000 {
			t.Errorf("one that just fits: %d bytes, %v", len(got), err)
		}
	})
}

// TestFetchFollowsNoRedirect: it would carry the token to another server.
func TestFetchFollowsNoRedirect(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		asked := 0
		net := gatewaytest.NewPipeNet()
		net.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			asked++
			if strings.HasPrefix(req.URL.Path, "/file/") {
				http.Redirect(w, req, "/elsewhere"+req.URL.Path, http.StatusFound)
				return
			}
			w.Write([]byte(`{"ok":true,"result":{"file_path":"a/b"}}`))
		}))
		c := New(Options{Token: testToken, API: gatewaytest.PipeURL, Dial: net.DialContext})
		_, err := c.Fetch(r.Context(), "D1", 1000)
		if nacre.KindOf(err) != nacre.Transient || asked != 2 || strings.Contains(err.Error(), testSecret) {
			t.Errorf("%v after %d requests, want Transient after 2", err, asked)
		}
	})
}
