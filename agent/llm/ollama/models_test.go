package ollama

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm/llmtest"
)

func TestModels(t *testing.T) {
	double := &llmtest.Ollama{Models: []llmtest.OllamaModel{
		{Name: "all:8b", Size: 5e9, Window: 131072, Capabilities: []string{"completion", "tools", "vision"}},
		{Name: "vectors", Size: 3e8, Window: 2048, Capabilities: []string{"embedding"}},
		{Name: "old", Size: 1e9},
		{Name: "far:cloud", RemoteHost: "https://ollama.com", Capabilities: []string{"completion", "tools"}},
	}}
	client := connect(t, double)
	got, err := Models(t.Context(), "http://double/", client)
	if err != nil {
		t.Fatal(err)
	}
	if want := []ModelInfo{{Name: "all:8b", Size: 5e9}, {Name: "vectors", Size: 3e8}, {Name: "old", Size: 1e9}, {Name: "far:cloud", Remote: true}}; !reflect.DeepEqual(got, want) {
		t.Errorf("listed %+v; want %+v", got, want)
	}
	want := []ModelInfo{
		{Name: "all:8b", Size: 5e9, Chat: true, Tools: true, Vision: true, Window: 131072},
		{Name: "vectors", Size: 3e8, Window: 2048},
		{Name: "old", Size: 1e9, Chat: true},
		{Name: "far:cloud", Remote: true, Chat: true, Tools: true},
	}
	for i := range got {
		if m, err := Show(t.Context(), "http://double", client, got[i]); err != nil || m != want[i] {
			t.Errorf("shown %+v, %v; want %+v", m, err, want[i])
		}
	}
	if _, err := Show(t.Context(), "http://double", client, ModelInfo{Name: "gone"}); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a model that is not there: %v", err)
	}
}

func TestModelsOfOthers(t *testing.T) {
	other := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") })
	if _, err := Models(t.Context(), "http://double", connect(t, other)); err == nil {
		t.Error("a web page is a list of models")
	}
	if got, err := Models(t.Context(), "http://double", connect(t, &llmtest.Ollama{})); err != nil || got != nil {
		t.Errorf("an Ollama without models: %v, %v", got, err)
	}
}

// What listens but says nothing does not hold up the start.
func TestModelsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mute := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := Models(ctx, "http://double", connect(t, mute)); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}
