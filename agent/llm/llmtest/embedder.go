package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre/agent/llm"
)

// Embedder is an http.Handler that makes vectors, in OpenAI's format at any path
// that ends in /embeddings and in Ollama's at /api/embed. It refuses with 400 what
// a server refuses, and fields that no server knows. Vectors are the closer the
// more words two texts share. Of a Reply it uses what belongs to a refusal, and
// the Usage. Set the exported fields before it serves.
type Embedder struct {
	Script
	Key        string // refuse with 401 any other key, if set
	Dimensions int    // of vectors whose length nobody chose; 0 means 32
	MaxText    int    // characters of a text that is not too long; 0 means any
}

// embedding is the body of a request.
type embedding struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions"`
}

// mostInput is how many texts OpenAI takes at once.
const mostInput = 2048

// ServeHTTP implements http.Handler.
func (e *Embedder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ours := r.URL.Path == "/api/embed"
	if r.Method != http.MethodPost || !ours && !strings.HasSuffix(r.URL.Path, "/embeddings") {
		http.Error(w, "404 page not found", http.StatusNotFound)
		return
	}
	body, err := e.receive(r)
	if err != nil {
		return
	}
	in, reply := e.reply(r.Header, body)
	if reply.Gate.pass(r.Context()) != nil {
		return
	}
	switch {
	case reply.refuses() && ours:
		reply.refuse(w, object{"error": reply.Message})
	case reply.refuses():
		reply.refuse(w, object{"error": object{"message": reply.Message, "type": "invalid_request_error", "code": reply.Code}})
	case ours:
		send(w, http.StatusOK, object{"model": in.Model, "embeddings": e.vectors(in), "prompt_eval_count": reply.Usage.Input})
	default:
		send(w, http.StatusOK, e.backwards(in, reply.Usage.Input))
	}
}

// reply returns the reply to a request. One that the server itself refuses takes
// none from the script.
func (e *Embedder) reply(h http.Header, body []byte) (embedding, Reply) {
	var in embedding
	if e.Key != "" && h.Get("Authorization") != "Bearer "+e.Key {
		return in, Reply{Status: http.StatusUnauthorized, Message: "Incorrect API key provided", Code: "invalid_api_key"}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(&in)
	if err == nil {
		err = e.check(in)
	}
	if err != nil {
		return in, Reply{Status: http.StatusBadRequest, Message: err.Error()}
	}
	return in, e.next(llm.Request{}, body)
}

func (e *Embedder) check(in embedding) error {
	switch {
	case in.Model == "":
		return errors.New("you must provide a model parameter")
	case len(in.Input) == 0 || len(in.Input) > mostInput:
		return fmt.Errorf("'$.input' is invalid: %d texts", len(in.Input))
	case slices.Contains(in.Input, ""):
		return errors.New("'$.input' is invalid: input cannot be an empty string")
	case in.Dimensions < 0:
		return errors.New("'$.dimensions' is invalid")
	}
	for _, text := range in.Input {
		if e.MaxText > 0 && utf8.RuneCountInString(text) > e.MaxText {
			return errors.New("this model's maximum context length is 8192 tokens, however you requested more")
		}
	}
	return nil
}

func (e *Embedder) vectors(in embedding) [][]float32 {
	list := make([][]float32, len(in.Input))
	for i, text := range in.Input {
		list[i] = vector(text, cmp.Or(in.Dimensions, e.Dimensions, 32))
	}
	return list
}

// backwards is an answer in OpenAI's format whose vectors come in another order
// than the texts, which it allows.
func (e *Embedder) backwards(in embedding, tokens int) object {
	data := []object{}
	for i, v := range e.vectors(in) {
		data = append(data, object{"object": "embedding", "index": i, "embedding": v})
	}
	slices.Reverse(data)
	return object{"object": "list", "data": data, "model": in.Model, "usage": object{"prompt_tokens": tokens, "total_tokens": tokens}}
}

// vector counts the words of a text, each at a place that follows from it.
func vector(text string, dimensions int) []float32 {
	v := make([]float32, dimensions)
	v[0] = 0.5 // no text has a vector without a length
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%uint32(dimensions)]++
	}
	return v
}
