package web

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

const program = "Authorization: Bearer the-token"

// What is not exactly a question is refused, and the refusal is one of ours.
func TestQuestionsAreReadStrictly(t *testing.T) {
	s := newStreet(t, nil)
	for _, c := range []struct {
		name, request, body string
		want                int
		says                string
	}{
		{"as it should be", "POST /api/jobs/do", `{"job":3,"do":"pause"}`, 200, `"text":"pause"`},
		{"with blanks around", "POST /api/jobs/do", " \n{ \"do\" : \"pause\" }\r\n", 200, `"text":"pause"`},
		{"an owner in the request", "POST /api/jobs/do", `{"job":3,"do":"pause","owner":"bob"}`, 400, `\"owner\" is not known`},
		{"a misspelt name", "POST /api/jobs/do", `{"jbo":3}`, 400, `\"jbo\" is not known`},
		{"a name in capitals", "POST /api/jobs/do", `{"Do":"pause"}`, 400, `\"Do\" is not known`},
		{"a name that is no part of it", "POST /api/memory/edit", `{"Do":"pin"}`, 400, `\"Do\" is not known`},
		{"a dash for a name", "POST /api/memory/edit", `{"-":"pin"}`, 400, `\"-\" is not known`},
		{"the same name twice", "POST /api/jobs/do", `{"job":3,"job":4}`, 400, "comes twice"},
		{"a number in words", "POST /api/jobs/do", `{"job":"3"}`, 400, "not the JSON"},
		{"half a number", "POST /api/jobs/do", `{"job":3.5}`, 400, "not the JSON"},
		{"a huge number", "POST /api/jobs/do", `{"job":1e999}`, 400, "not the JSON"},
		{"a number of many digits", "POST /api/jobs/do", `{"job":` + strings.Repeat("9", 40) + `}`, 400, "not the JSON"},
		{"an object in a text", "POST /api/jobs/do", `{"do":{"a":1}}`, 400, "not the JSON"},
		{"deep nesting", "POST /api/jobs/do", `{"do":` + strings.Repeat("[", 20_000), 400, "not the JSON"},
		{"half an object", "POST /api/jobs/do", `{"do":"pause"`, 400, "not the JSON"},
		{"something behind it", "POST /api/jobs/do", `{"do":"pause"} x`, 400, "not the JSON"},
		{"another behind it", "POST /api/jobs/do", `{"do":"pause"}{}`, 400, "not the JSON"},
		{"a list", "POST /api/jobs/do", `[]`, 400, "not the JSON"},
		{"null", "POST /api/jobs/do", `null`, 400, "not the JSON"},
		{"a form", "POST /api/jobs/do", `do=pause`, 400, "not the JSON"},
		{"nothing", "POST /api/jobs/do", "", 400, "not the JSON"},
		{"too long", "POST /api/jobs/do", `{"do":"` + strings.Repeat("a", maxRequest) + `"}`, 400, "at most 65536 bytes"},
		{"as long as a text to import may be", "POST /api/memory/verify", `{"checkpoints":["` + strings.Repeat("a", maxRequest) + `"]}`, 200, `"ok":false`},
		{"too long even so", "POST /api/memory/verify", `{"checkpoints":["` + strings.Repeat("a", 1<<20) + `"]}`, 400, "at most 1048576 bytes"},
		{"in the address", "POST /api/jobs/do?job=3", `{"do":"pause"}`, 400, "not in its address"},

		{"nothing where nothing is asked", "POST /api/jobs/again", "", 200, "read"},
		{"an empty object there", "POST /api/jobs/again", "{}", 200, "read"},
		{"something there", "POST /api/jobs/again", `{"job":3}`, 400, `\"job\" is not known`},

		{"a query", "GET /api/jobs?over=true", "", 200, "Text:true"},
		{"a misspelt query", "GET /api/jobs?ovre=true", "", 400, `\"ovre\" is not known`},
		{"a query of two", "GET /api/jobs?over=true&over=false", "", 400, "comes twice"},
		{"a query of the wrong kind", "GET /api/jobs?over=perhaps", "", 400, `\"over\" is neither`},
		{"a huge number in a query", "GET /api/jobs/runs?job=" + strings.Repeat("9", 40), "", 400, `\"job\" is neither`},
		{"a query that is none", "GET /api/jobs?over=%zz", "", 400, "not written as queries are"},
		{"half of a query", "GET /api/jobs?over=true;job=3", "", 400, "not written as queries are"},

		{"a query in the body", "GET /api/jobs", "over=true", 400, "not in the body"},

		{"another method", "GET /api/jobs/do", "", 405, "asked in another way"},
		{"an unheard method", "BREW /api/jobs/do", "", 405, "asked in another way"},
		{"a path that is not there", "POST /api/jobs/dance", "{}", 404, "nothing of that name"},
		{"a path below", "POST /api/jobs/do/", "{}", 404, "nothing of that name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, path, _ := strings.Cut(c.request, " ")
			resp, body := s.do(method, path, c.body, program)
			if resp.StatusCode != c.want || !strings.Contains(body, c.says) {
				t.Errorf("%s %.300q, want %d and %q", resp.Status, body, c.want, c.says)
			}
			var p problem
			if err := json.Unmarshal([]byte(body), &p); c.want != 200 && (err != nil || p.Version != apiVersion || p.Kind == "" || p.Text == "") {
				t.Errorf("the problem is %.300q", body)
			}
			if got := resp.Header.Get("Content-Type"); got != "application/json" {
				t.Errorf("the answer is %s", got)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	s := newStreet(t, nil)
	for _, c := range []struct {
		request, allow string
		want           int
	}{
		{"OPTIONS /api/jobs", "GET, HEAD, OPTIONS", 204},
		{"OPTIONS /api/jobs/do", "OPTIONS, POST", 204},
		{"DELETE /api/jobs/do", "OPTIONS, POST", 405},
		{"POST /api/jobs", "GET, HEAD, OPTIONS", 405},
		{"HEAD /api/jobs", "", 200},
		{"HEAD /api/jobs/do", "OPTIONS, POST", 405},
		{"OPTIONS /api/nothing", "", 404},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		resp, body := s.do(method, path, "", program)
		if resp.StatusCode != c.want || resp.Header.Get("Allow") != c.allow {
			t.Errorf("%s: %s, Allow %q, want %d and %q", c.request, resp.Status, resp.Header.Get("Allow"), c.want, c.allow)
		}
		if method == http.MethodHead && (body != "" || resp.ContentLength <= 0) {
			t.Errorf("%s: %d bytes are announced and %d come", c.request, resp.ContentLength, len(body))
		}
	}
}

// Long answers are compressed for those who take that, and for nobody else.
func TestLongAnswersAreCompressed(t *testing.T) {
	s := newStreet(t, nil)
	long := "/api/memory?area=" + strings.Repeat("a", 2*worthPacking)
	for _, c := range []struct {
		name, path, accept string
		packed             bool
	}{
		{"long", long, "gzip, br", true},
		{"long, not asked for", long, "identity", false},
		{"short", "/api/memory", "gzip", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := s.do("GET", c.path, "", program, "Accept-Encoding: "+c.accept)
			if got := resp.Header.Get("Content-Encoding") == "gzip"; got != c.packed {
				t.Errorf("the answer is compressed: %v", got)
			}
			if resp.Header.Get("Vary") != "Accept-Encoding" || resp.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("the headers are %v", resp.Header)
			}
			if c.packed {
				unpacked, err := gzip.NewReader(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				all, err := io.ReadAll(unpacked)
				if err != nil {
					t.Fatal(err)
				}
				body = string(all)
			}
			if !json.Valid([]byte(body)) || !strings.Contains(body, `"version":7`) {
				t.Errorf("the answer is %.100q", body)
			}
		})
	}
}

// A whole memory is 5,000 notes; compressing it must not be what one waits for.
func BenchmarkLongAnswer(b *testing.B) {
	var list Listing
	for i := range 5000 {
		list.Notes = append(list.Notes, Note{ID: nacre.NoteID(nacre.NewID(time.Now())), Path: fmt.Sprintf("people/friend-%d", i), Status: memory.Stated,
			Text: fmt.Sprintf("Friend number %d lives in street %x and likes %d kinds of tea.", i, i*7919, i%13), Hash: fmt.Sprintf("%016x", i*2654435761), Recorded: time.Now()})
	}
	body, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("written", func(b *testing.B) {
		for b.Loop() {
			json.Marshal(list)
		}
		b.ReportMetric(float64(len(body)), "bytes")
	})
	b.Run("compressed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			packed(body)
		}
		b.ReportMetric(float64(len(packed(body))), "bytes")
	})
}
