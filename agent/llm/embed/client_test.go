package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
)

const testKey = "sk-secret-0123456789"

// both calls a test for each format.
func both(t *testing.T, test func(t *testing.T, o Options)) {
	for _, o := range []Options{
		{Kind: OpenAI, BaseURL: "http://double/v1/", Model: "small", Key: testKey},
		{Kind: Ollama, BaseURL: "http://double", Model: "small", Key: testKey},
	} {
		t.Run(string(o.Kind), func(t *testing.T) { test(t, o) })
	}
}

// connected is a Client whose server is h.
func connected(t *testing.T, o Options, h http.Handler) *Client {
	t.Helper()
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	o.Client = &http.Client{Transport: transport}
	return New(o)
}

// inputs are the texts of each request that a double got.
func inputs(t *testing.T, double *llmtest.Embedder) (list [][]string) {
	t.Helper()
	for _, r := range double.Received() {
		var in request
		if err := json.Unmarshal(r.Body, &in); err != nil {
			t.Fatal(err)
		}
		list = append(list, in.Input)
	}
	return list
}

func failure(t *testing.T, err error) *llm.Error {
	t.Helper()
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Fatalf("got error %v; want an *llm.Error", err)
	}
	if strings.Contains(err.Error(), testKey) {
		t.Errorf("%v shows the key", err)
	}
	return e
}

func TestVectorsBelongToTheirTexts(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		double := &llmtest.Embedder{Key: testKey}
		c := connected(t, o, double)
		texts := []string{"the cat sleeps", "dinner on Friday", "The CAT sleeps", ""}
		got, err := c.Embed(t.Context(), "ann", texts)
		if err != nil || len(got) != 4 {
			t.Fatalf("got %d, %v", len(got), err)
		}
		if !slices.Equal(got[0], got[2]) || slices.Equal(got[0], got[1]) || len(got[3]) != len(got[0]) {
			t.Errorf("got %v", got)
		}
		again, err := c.Embed(t.Context(), "ann", texts[1:2])
		if err != nil || !slices.Equal(again[0], got[1]) {
			t.Errorf("alone %v, %v; among others %v", again, err, got[1])
		}
		if none, err := c.Embed(t.Context(), "ann", nil); err != nil || len(none) != 0 || len(double.Received()) != 2 {
			t.Errorf("of no texts: %v, %v, after %d requests", none, err, len(double.Received()))
		}
	})
}

func TestChosenDimensions(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		plain := New(o).Name()
		o.Dimensions = 7
		c := connected(t, o, &llmtest.Embedder{Key: testKey})
		got, err := c.Embed(t.Context(), "ann", []string{"a"})
		if err != nil || len(got[0]) != 7 {
			t.Errorf("got %v, %v", got, err)
		}
		if want := string(o.Kind) + "/small"; plain != want || c.Name() != want+"@7" {
			t.Errorf("names %q and %q", plain, c.Name())
		}
		o.Provider = "local"
		if got := New(o).Name(); got != "local/small@7" {
			t.Errorf("name %q", got)
		}
	})
}

func TestBatches(t *testing.T) {
	many := func(n int, text string) []string { return slices.Repeat([]string{text}, n) }
	for _, c := range []struct {
		name  string
		texts []string
		want  []int // texts of each request
	}{
		{"one", many(1, "a"), []int{1}},
		{"as many as go", many(64, "a"), []int{64}},
		{"one more", many(65, "a"), []int{64, 1}},
		{"long ones", many(30, strings.Repeat("long ", 1500)), []int{26, 4}},
		{"one beyond all bounds", many(2, strings.Repeat("x", 300_000)), []int{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			both(t, func(t *testing.T, o Options) {
				double := &llmtest.Embedder{Key: testKey}
				got, err := connected(t, o, double).Embed(t.Context(), "ann", c.texts)
				if err != nil || len(got) != len(c.texts) {
					t.Fatalf("got %d, %v", len(got), err)
				}
				var sizes []int
				for _, in := range inputs(t, double) {
					sizes = append(sizes, len(in))
				}
				if !slices.Equal(sizes, c.want) {
					t.Errorf("requests of %v, want %v", sizes, c.want)
				}
			})
		})
	}
}

func TestTextsAreMadeFit(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "tea & cake <3", "tea & cake <3"},
		{"empty", "", " "},
		{"as long as goes", strings.Repeat("ü", 8000), strings.Repeat("ü", 8000)},
		{"longer", strings.Repeat("ü", 8001), strings.Repeat("ü", 8000)},
		{"no text", "a\xffb", "a\uFFFDb"},
		{"cut inside of no text", strings.Repeat("\xff", 8001), "\uFFFD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := beginnings([]string{c.text}, longText)[0]; got != c.want {
				t.Errorf("got %.40q, want %.40q", got, c.want)
			}
		})
	}
}

func TestTextTooLongForTheModel(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		double := &llmtest.Embedder{Key: testKey, MaxText: 2000}
		got, err := connected(t, o, double).Embed(t.Context(), "ann", []string{"short", strings.Repeat("語", 9000)})
		sent := inputs(t, double)
		if err != nil || len(got) != 2 || len(sent) != 2 || sent[1][1] != strings.Repeat("語", 2000) || sent[1][0] != "short" {
			t.Errorf("%d vectors after %d requests, %v", len(got), len(sent), err)
		}
		double.MaxText = 1
		_, err = connected(t, o, double).Embed(t.Context(), "ann", []string{"short"})
		if e := failure(t, err); e.Cause != llm.TooLong || len(double.Received()) != 4 {
			t.Errorf("%v after %d requests", e, len(double.Received()))
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name    string
		replies []llmtest.Reply
		tries   int
		cause   llm.Cause // empty if it works in the end
	}{
		{"busy once", []llmtest.Reply{{Status: 429, RetryAfter: "3"}}, 2, ""},
		{"fault twice", []llmtest.Reply{{Status: 500}, {Status: 503, HTML: true}}, 3, ""},
		{"busy for long", []llmtest.Reply{{Status: 429, RetryAfter: "90"}}, 1, llm.Overloaded},
		{"always busy", slices.Repeat([]llmtest.Reply{{Status: 503}}, 9), 4, llm.Overloaded},
		{"no such model", []llmtest.Reply{{Status: 404, Message: "model 'small' not found"}}, 1, llm.BadRequest},
		{"nothing left", []llmtest.Reply{{Status: 429, Message: "insufficient_quota"}}, 1, llm.Billing},
		{"key refused", []llmtest.Reply{{Status: 401, Message: "wrong key " + testKey}}, 1, llm.Refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			both(t, func(t *testing.T, o Options) {
				synctest.Test(t, func(t *testing.T) {
					double := &llmtest.Embedder{Key: testKey}
					double.Push(c.replies...)
					got, err := connected(t, o, double).Embed(t.Context(), "ann", []string{"a"})
					if n := len(double.Received()); n != c.tries {
						t.Errorf("%d tries, want %d", n, c.tries)
					}
					if c.cause == "" && (err != nil || len(got) != 1) {
						t.Errorf("got %v, %v", got, err)
					}
					if c.cause != "" && failure(t, err).Cause != c.cause {
						t.Errorf("got %v, want %s", err, c.cause)
					}
				})
			})
		})
	}
}

func TestAnswersThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		name         string
		kind         Kind
		body, words  string
		makesNoSense bool
	}{
		{"fine", OpenAI, `{"data":[{"index":1,"embedding":[2]},{"index":0,"embedding":[1]}]}`, "", false},
		{"fine", Ollama, `{"embeddings":[[1],[2]]}`, "", false},
		{"no JSON", OpenAI, `oops`, "format", true},
		{"no JSON", Ollama, `oops`, "format", true},
		{"nothing", OpenAI, `{}`, "without a vector", true},
		{"nothing", Ollama, `{}`, "0 vectors for 2 texts", true},
		{"one of two", OpenAI, `{"data":[{"index":1,"embedding":[2]}]}`, "without a vector", true},
		{"one of two", Ollama, `{"embeddings":[[1]]}`, "1 vectors", true},
		{"three of two", Ollama, `{"embeddings":[[1],[2],[3]]}`, "3 vectors", true},
		{"one twice", OpenAI, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}`, "not sent", true},
		{"one beyond", OpenAI, `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[2]}]}`, "not sent", true},
		{"one before", OpenAI, `{"data":[{"index":-1,"embedding":[1]}]}`, "not sent", true},
		{"different lengths", OpenAI, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[2,3]}]}`, "lengths", true},
		{"different lengths", Ollama, `{"embeddings":[[1],[2,3]]}`, "lengths", true},
		{"an empty one", Ollama, `{"embeddings":[[],[]]}`, "without a vector", true},
		{"a huge number", Ollama, `{"embeddings":[[1e99],[2]]}`, "format", true},
		{"an error under 200", Ollama, `{"error":"it died"}`, "it died", false},
	} {
		t.Run(string(c.kind)+" "+c.name, func(t *testing.T) {
			got, err := read(c.kind, strings.NewReader(c.body), 2)
			if c.words == "" {
				if err != nil || got.vectors[0][0] != 1 || got.vectors[1][0] != 2 {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, %v; want an error with %q", got, err, c.words)
			}
		})
	}
}

func TestBatchesOfDifferentLengths(t *testing.T) {
	n := 0
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in request
		json.NewDecoder(r.Body).Decode(&in)
		n++
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"embeddings":[`+strings.TrimSuffix(strings.Repeat("["+strings.TrimSuffix(strings.Repeat("1,", n), ",")+"],", len(in.Input)), ",")+`]}`)
	})
	c := connected(t, Options{Kind: Ollama, BaseURL: "http://double", Model: "small"}, server)
	_, err := c.Embed(t.Context(), "ann", slices.Repeat([]string{"a"}, 65))
	if e := failure(t, err); e.Cause != llm.BadAnswer {
		t.Errorf("got %v", err)
	}
}

func TestUsageIsCountedAndBounded(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		double := &llmtest.Embedder{Key: testKey}
		double.Push(llmtest.Reply{Usage: llm.Usage{Input: 11}}, llmtest.Reply{Status: 400, Message: "no"}, llmtest.Reply{Usage: llm.Usage{Output: 1}})
		var used []int
		var refuse error
		o.Count = func(account string, u llm.Usage) {
			if account != "ann" {
				t.Errorf("counted for %q", account)
			}
			used = append(used, u.Input+1000*u.Output)
		}
		o.Allow = func(_ context.Context, account string) error {
			if account != "ann" {
				t.Errorf("%q was asked about", account)
			}
			return refuse
		}
		c := connected(t, o, double)
		for range 3 {
			c.Embed(t.Context(), "ann", []string{strings.Repeat("word ", 100)})
		}
		if len(used) != 2 || used[0] != 11 || used[1] < 100 || used[1] > 200 {
			t.Errorf("counted %v, want what was told and an estimate", used)
		}
		refuse = fmt.Errorf("the budget is used up")
		if _, err := c.Embed(t.Context(), "ann", []string{"a"}); !errors.Is(err, refuse) || len(double.Received()) != 3 {
			t.Errorf("beyond the budget: %v after %d requests", err, len(double.Received()))
		}
	})
}

func TestServerThatStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		double := &llmtest.Embedder{}
		double.Push(slices.Repeat([]llmtest.Reply{{Gate: llmtest.NewGate()}}, 9)...)
		c := connected(t, Options{Kind: Ollama, BaseURL: "http://double", Model: "small"}, double)
		began := time.Now()
		_, err := c.Embed(t.Context(), "ann", []string{"a"})
		if e := failure(t, err); e.Cause != llm.Network || time.Since(began) > longest {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Embed(ctx, "ann", []string{"a"}); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil {
			t.Errorf("within a second: %v", err)
		}
	})
}

// FuzzRead: whatever a server sends, what is taken for vectors can be compared.
func FuzzRead(f *testing.F) {
	for _, body := range []string{`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[0.5]}],"usage":{"prompt_tokens":-3}}`,
		`{"embeddings":[[1],[2]],"prompt_eval_count":7}`, `{"error":{"message":"x"}}`, `[]`, `{"embeddings":[[1e39],[2]]}`} {
		f.Add(body, true)
		f.Add(body, false)
	}
	f.Fuzz(func(t *testing.T, body string, openAI bool) {
		kind := Ollama
		if openAI {
			kind = OpenAI
		}
		got, err := read(kind, strings.NewReader(body), 2)
		if err != nil {
			if got.vectors != nil {
				t.Errorf("vectors beside the error %v", err)
			}
			return
		}
		if len(got.vectors) != 2 || len(got.vectors[0]) == 0 || len(got.vectors[0]) != len(got.vectors[1]) || got.tokens < 0 {
			t.Errorf("got %v", got)
		}
	})
}
