package render_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"nacre/memory"
	"nacre/memory/render"
)

// TestWhy holds that every reason of memory has words of its own.
func TestWhy(t *testing.T) {
	all := reasons(t)
	if len(all) < 30 {
		t.Fatalf("only %d reasons were found", len(all))
	}
	said := map[string]memory.Reason{render.Why("no reason at all"): "an unknown one"}
	for _, r := range all {
		why := render.Why(r)
		if other, twice := said[why]; twice {
			t.Errorf("%s says the same as %s: %q", r, other, why)
		}
		said[why] = r
		if why == "" || len(why) > 100 || strings.HasSuffix(why, ".") || strings.ToLower(why[:1]) != why[:1] && !strings.HasPrefix(why, "You") {
			t.Errorf("%s is no short clause: %q", r, why)
		}
	}
}

// reasons reads the reasons where they are declared, so that none is missed.
func reasons(t *testing.T) []memory.Reason {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../op.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []memory.Reason
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Reason" {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, memory.Reason(value))
		}
		return false
	})
	return all
}
