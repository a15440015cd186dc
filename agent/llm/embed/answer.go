package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"nacre/agent/llm/wire"
)

// request is the body of a request in either format.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// answer is what both formats say.
type answer struct {
	vectors [][]float32
	tokens  int // 0 if the server tells none
}

// openAIAnswer is OpenAI's format, in which vectors may come in any order.
type openAIAnswer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
	Usage struct {
		PromptTokens int `json:"prompt_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// ollamaAnswer is Ollama's, in which they come in order.
type ollamaAnswer struct {
	Embeddings      [][]float32     `json:"embeddings"`
	PromptEvalCount int             `json:"prompt_eval_count"`
	Error           json.RawMessage `json:"error"`
}

// read takes the answer of a server to a request with many texts.
func read(kind Kind, in io.Reader, many int) (a answer, err error) {
	raw, err := io.ReadAll(in)
	if err != nil {
		return a, err
	}
	if kind == Ollama {
		a, err = readOllama(raw)
	} else {
		a, err = readOpenAI(raw, many)
	}
	if err != nil {
		return answer{}, err
	}
	if err := sound(a.vectors, many); err != nil {
		return answer{}, wire.Senseless(err.Error(), nil)
	}
	a.tokens = max(0, a.tokens)
	return a, nil
}

func readOllama(raw []byte) (answer, error) {
	var in ollamaAnswer
	if err := json.Unmarshal(raw, &in); err != nil {
		return answer{}, wire.Senseless("vectors that are not in the format of Ollama", err)
	}
	if wire.Present(in.Error) {
		return answer{}, wire.Complained(raw)
	}
	return answer{in.Embeddings, in.PromptEvalCount}, nil
}

func readOpenAI(raw []byte, many int) (answer, error) {
	var in openAIAnswer
	if err := json.Unmarshal(raw, &in); err != nil {
		return answer{}, wire.Senseless("vectors that are not in the format of OpenAI", err)
	}
	if wire.Present(in.Error) {
		return answer{}, wire.Complained(raw)
	}
	vectors := make([][]float32, many)
	for _, d := range in.Data {
		if d.Index < 0 || d.Index >= many || vectors[d.Index] != nil {
			return answer{}, wire.Senseless("a vector for a text that was not sent", nil)
		}
		vectors[d.Index] = d.Embedding
	}
	return answer{vectors, in.Usage.PromptTokens}, nil
}

// sound refuses vectors that nobody can compare.
func sound(vectors [][]float32, many int) error {
	if len(vectors) != many {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), many)
	}
	for _, v := range vectors {
		if len(v) == 0 {
			return errors.New("a text without a vector")
		}
		for _, x := range v {
			if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
				return errors.New("a vector with a number that is none")
			}
		}
	}
	return equallyLong(vectors)
}

func equallyLong(vectors [][]float32) error {
	for _, v := range vectors {
		if len(v) != len(vectors[0]) {
			return errors.New("vectors of different lengths")
		}
	}
	return nil
}
