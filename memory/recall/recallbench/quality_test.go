package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/agnivade/levenshtein"
)

// The conversations of other languages, made for this, are found as well as English
// ones: with and without misspelling.
func TestReachInOtherLanguages(t *testing.T) {
	for _, name := range []string{"zh", "de", "mixed"} {
		t.Run(name, func(t *testing.T) {
			r, err := quality(t.Context(), filepath.Join("..", "testdata", name+".json"), false, false)
			if err != nil {
				t.Fatal(err)
			}
			if r.Overall.Questions < 200 || r.LeftOut > 0 {
				t.Errorf("%d questions, %d left out", r.Overall.Questions, r.LeftOut)
			}
			if r.Overall.Recall10 < 0.75 {
				t.Errorf("recall@10 is %v", r.Overall.Recall10)
			}
		})
	}
}

func TestQualityKeepsAdversarialQuestionsApart(t *testing.T) {
	r, err := quality(t.Context(), written(t, tiny), false, false)
	if err != nil {
		t.Fatal(err)
	}
	if r.Overall.Questions != 1 || r.Adversarial.Questions != 1 || r.LeftOut != 1 || len(r.Categories) != 2 {
		t.Errorf("report: %+v", r)
	}
	if r.Overall.Recall5 != 1 {
		t.Errorf("the piano is not found: %+v", r.Overall)
	}
}

func TestMisspellEditsOneWord(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	changed := 0
	for range 200 {
		const text = "Which instrument did Ana sell"
		got := misspell(text, random)
		if d := levenshtein.ComputeDistance(text, got); d > 2 { // a swap is two
			t.Errorf("%q is %d edits away", got, d)
		} else if d > 0 {
			changed++
		}
		if got[:6] != "Which " || got[len(got)-13:] != " did Ana sell" {
			t.Errorf("%q has another word changed", got)
		}
	}
	if changed < 150 {
		t.Errorf("only %d of 200 were changed", changed)
	}
	if got := misspell("Who is it", random); got != "Who is it" {
		t.Errorf("a question without long words became %q", got)
	}
}

func TestRunPrintsJSON(t *testing.T) {
	for _, args := range [][]string{{"-locomo", written(t, tiny)}, {"-scale", "500"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		var report map[string]any
		if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report) == 0 {
			t.Errorf("%v prints %s: %v", args, out.Bytes(), err)
		}
	}
	for _, args := range [][]string{nil, {"-scale", "500", "more"}, {"-locomo", written(t, "[]")}} {
		if err := run(context.Background(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
}
