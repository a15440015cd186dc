package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/memory"
)

// echoMoving gives back what it is asked, and by whose hand.
type echoMoving struct {
	hand Hand
	err  error // after all was read
}

// movingDesk is a Desk of an echoMoving.
type movingDesk struct {
	plainDesk
	err error
}

func (d movingDesk) Moving(h Hand) Moving { return echoMoving{h, d.err} }

func (m echoMoving) Import(_ context.Context, w ImportWish, body io.Reader, tell func(ImportProgress)) (Imported, error) {
	if w.Name == "refused" {
		return Imported{}, nacre.Errorf(nacre.Conflict, "not now")
	}
	n, err := io.Copy(io.Discard, body)
	if err != nil {
		return Imported{}, err
	}
	tell(ImportProgress{ImportReads, n, 2 * n})
	return Imported{Dry: w.Dry, Sources: []string{w.Name, string(m.hand.Owner), string(m.hand.By)}, Lines: []ImportedLine{}, Said: int(n), Chats: int(w.Size)}, m.err
}

func (m echoMoving) Archive(_ context.Context, w io.Writer) error {
	if m.err != nil && nacre.KindOf(m.err) == nacre.Conflict {
		return m.err
	}
	io.WriteString(w, "zip by "+string(m.hand.By))
	return m.err
}

func (canaryDesk) Moving(h Hand) Moving { return canaryMoving(canary(h.Owner)) }

type canaryMoving string

func (m canaryMoving) Import(_ context.Context, w ImportWish, body io.Reader, tell func(ImportProgress)) (Imported, error) {
	text, err := io.ReadAll(body)
	tell(ImportProgress{ImportReads, int64(len(text)), w.Size})
	return Imported{Sources: []string{string(m)}, Lines: []ImportedLine{{Text: string(text)}}}, err
}

func (m canaryMoving) Archive(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(m))
	return err
}

// Moving gives the same over the socket as without it, however long the body is.
func TestMovingOverTheSocket(t *testing.T) {
	remote := serveControl(t, movingDesk{}).Moving(Hand{By: memory.ByShell})
	local := movingDesk{}.Moving(Hand{By: memory.ByShell})
	for _, size := range []int{0, 5, 3 << 20} {
		wish := ImportWish{Name: "a b&c=ü.json", Size: int64(size), Dry: size == 5}
		body := strings.Repeat("x", size)
		var told []ImportProgress
		got, err := remote.Import(t.Context(), wish, strings.NewReader(body), func(p ImportProgress) { told = append(told, p) })
		want, _ := local.Import(t.Context(), wish, strings.NewReader(body), func(ImportProgress) {})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes: %+v, %v; want %+v", size, got, err, want)
		}
		n := len(told)
		if n < 2 || told[n-1] != (ImportProgress{ImportReads, int64(size), 2 * int64(size)}) || told[n-2] != (ImportProgress{ImportTakes, int64(size), int64(size)}) {
			t.Errorf("%d bytes: it was told %+v", size, told)
		}
	}
	if _, err := remote.Import(t.Context(), ImportWish{}, strings.NewReader("x"), nil); err != nil {
		t.Errorf("nobody listens: %v", err)
	}
	var zip strings.Builder
	if err := remote.Archive(t.Context(), &zip); err != nil || zip.String() != "zip by shell" {
		t.Errorf("the archive is %q, %v", zip.String(), err)
	}
}

// What goes wrong with an import keeps its kind and its words, when nothing has been
// answered and when something has.
func TestImportGoesWrong(t *testing.T) {
	ask := func(desk Desk, name string, body io.Reader) error {
		_, err := serveControl(t, desk).Moving(Hand{}).Import(t.Context(), ImportWish{Name: name}, body, nil)
		return err
	}
	broken := nacre.Errorf(nacre.Invalid, "the folder cannot be read")
	for _, c := range []struct {
		name string
		err  error
		kind nacre.Kind
		says string
	}{
		{"refused at once", ask(movingDesk{}, "refused", strings.NewReader(strings.Repeat("x", 4<<20))), nacre.Conflict, "not now"},
		{"read and refused", ask(movingDesk{err: nacre.Errorf(nacre.Invalid, "that is nothing")}, "", strings.NewReader("x")), nacre.Invalid, "that is nothing"},
		{"broken inside", ask(movingDesk{err: errors.New("secret words")}, "", strings.NewReader("x")), nacre.Internal, inside},
		{"what is sent cannot be read", ask(movingDesk{}, "", io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken))), nacre.Invalid, broken.Error()},
	} {
		if c.err == nil || nacre.KindOf(c.err) != c.kind || c.err.Error() != c.says {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := serveControl(t, movingDesk{}).Moving(Hand{}).Import(gone, ImportWish{}, strings.NewReader("x"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("one who is gone is told %v", err)
	}
}

// An archive that breaks off is not taken for a whole one.
func TestArchiveGoesWrong(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind nacre.Kind
		got  string
	}{
		{nacre.Errorf(nacre.Conflict, "not now"), nacre.Conflict, ""},
		{errors.New("secret words"), nacre.Transient, "zip by shell"},
	} {
		var zip strings.Builder
		err := serveControl(t, movingDesk{err: c.err}).Moving(Hand{}).Archive(t.Context(), &zip)
		if nacre.KindOf(err) != c.kind || err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %q, %v", c.err, zip.String(), err)
		}
	}
}

// Moving is for whoever is logged in, by their own hand, and on a page of ours.
func TestWaysToMove(t *testing.T) {
	s := newStreet(t, func(o *Options) { o.Desk = movingDesk{} })
	cookie := func(owner nacre.OwnerID) string { return "Cookie: nacre=" + s.session(owner) }
	own, foreign := "Origin: http://"+s.host, "Origin: https://example.com"
	for _, c := range []struct {
		name, request string
		headers       []string
		want          int
		says          string
	}{
		{"a token", "POST /api/import?name=a&size=3", []string{program}, 200, `{"imported":{"sources":["a","owner-ann","page"],"lines":[],"added":0,"known":0,"left":0,"jobs":0,"said":3,"said_here":0,"chats":3}}`},
		{"a browser", "POST /api/import", []string{cookie(bob), own}, 200, `"owner-bob"`},
		{"progress", "POST /api/import?dry=true", []string{program}, 200, `{"progress":{"step":"reading","done":3,"all":6}}`},
		{"a page of others", "POST /api/import", []string{cookie(ann), foreign}, 403, `"denied"`},
		{"a browser that does not say", "POST /api/import", []string{cookie(ann)}, 403, `"denied"`},
		{"nobody", "POST /api/import", []string{own}, 401, `"denied"`},
		{"a wrong token", "POST /api/import", []string{"Authorization: Bearer nacre_x"}, 401, `"denied"`},
		{"an owner in the request", "POST /api/import?owner=owner-bob", []string{program}, 400, `\"owner\" is not known`},
		{"a misspelt name", "POST /api/import?dyr=true", []string{program}, 400, `\"dyr\" is not known`},
		{"refused at once", "POST /api/import?name=refused", []string{program}, 409, "not now"},
		{"another method", "GET /api/import", []string{program}, 405, "asked in another way"},
		{"an archive", "GET /api/export/archive", []string{program}, 200, "zip by page"},
		{"an archive for a browser", "GET /api/export/archive", []string{cookie(bob)}, 200, "zip by page"},
		{"an archive for nobody", "GET /api/export/archive", nil, 401, `"denied"`},
		{"an archive of another", "GET /api/export/archive?owner=owner-bob", []string{program}, 400, "not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, path, _ := strings.Cut(c.request, " ")
			body := ""
			if method == http.MethodPost {
				body = "abc"
			}
			resp, text := s.do(method, path, body, c.headers...)
			if resp.StatusCode != c.want || !strings.Contains(text, c.says) {
				t.Errorf("%s %.300q, want %d and %q", resp.Status, text, c.want, c.says)
			}
			kind := map[bool]string{true: "application/x-ndjson"}[c.want == 200 && method == "POST"]
			if c.want == 200 && method == "GET" {
				kind = "application/zip"
			}
			if c.want != 200 {
				kind = "application/json"
			}
			if got := resp.Header.Get("Content-Type"); got != kind {
				t.Errorf("the answer is %s, want %s", got, kind)
			}
		})
	}
}

// What is imported may come in as slowly as anything else that is long, and no slower.
func TestImportsComeInSlowly(t *testing.T) {
	for _, c := range []struct {
		name   string
		second int // bytes that come in each second
		want   string
	}{
		{"just fast enough", slowest + 4096, `"said":11796480`},
		{"too slow", slowest / 2, "did not come in whole"},
		{"not at all", 0, "did not come in whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := gatewaytest.NewPipeNet()
				net.Serve(t, Control(movingDesk{}, nil, slog.New(slog.DiscardHandler)))
				conn, err := net.DialContext(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				const seconds = 180
				begin := time.Now()
				var sending sync.WaitGroup
				sending.Go(func() {
					fmt.Fprintf(conn, "POST /api/import HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", seconds*slowest)
					for piece := make([]byte, c.second); ; time.Sleep(time.Second) {
						if _, err := conn.Write(piece); err != nil || time.Since(begin) > time.Hour {
							return
						}
					}
				})
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				answer, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
				if took := time.Since(begin); !strings.Contains(string(answer), c.want) || took > (seconds+1)*time.Second {
					t.Errorf("after %v: %s", took, answer)
				}
				conn.Close()
				sending.Wait()
				time.Sleep(time.Minute) // the server lingers when it cuts somebody off
			})
		})
	}
}
