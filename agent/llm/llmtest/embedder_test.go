package llmtest

import (
	"strings"
	"testing"
)

func TestEmbedderRefusesWhatServersRefuse(t *testing.T) {
	for _, c := range []struct {
		name, path, body string
		want             int
	}{
		{"OpenAI", "/v1/embeddings", `{"model":"m","input":["a","b"]}`, 200},
		{"Ollama", "/api/embed", `{"model":"m","input":["a"],"dimensions":4}`, 200},
		{"another path", "/v1/embed", `{"model":"m","input":["a"]}`, 404},
		{"no model", "/v1/embeddings", `{"input":["a"]}`, 400},
		{"no texts", "/v1/embeddings", `{"model":"m","input":[]}`, 400},
		{"an empty text", "/api/embed", `{"model":"m","input":["a",""]}`, 400},
		{"a text that is no list", "/api/embed", `{"model":"m","input":"a"}`, 400},
		{"too many", "/v1/embeddings", `{"model":"m","input":["a"` + strings.Repeat(`,"a"`, mostInput) + `]}`, 400},
		{"too long", "/v1/embeddings", `{"model":"m","input":["aaaaaa"]}`, 400},
		{"a field that nobody knows", "/v1/embeddings", `{"model":"m","inputs":["a"]}`, 400},
		{"no JSON", "/v1/embeddings", `{`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, body, err := postTo(t, &Embedder{MaxText: 5}, c.path, c.body)
			if err != nil || code != c.want {
				t.Errorf("got %d, %s, %v; want %d", code, body, err, c.want)
			}
		})
	}
	if code, _, _, err := postTo(t, &Embedder{Key: "k"}, "/v1/embeddings", `{"model":"m","input":["a"]}`); err != nil || code != 401 {
		t.Errorf("without its key: %d, %v", code, err)
	}
}

func TestEmbedderAnswers(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/v1/embeddings", `{"data":[{"embedding":[0.5,1],"index":1,"object":"embedding"},{"embedding":[0.5,0],"index":0,"object":"embedding"}],` +
			`"model":"m","object":"list","usage":{"prompt_tokens":9,"total_tokens":9}}` + "\n"},
		{"/api/embed", `{"embeddings":[[0.5,0],[0.5,1]],"model":"m","prompt_eval_count":9}` + "\n"},
	} {
		_, _, body, err := postTo(t, &Embedder{Dimensions: 2}, c.path, `{"model":"m","input":[" ","word"]}    `)
		if err != nil || body != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.path, body, err, c.want)
		}
	}
}
