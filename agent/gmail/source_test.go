package gmail_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// sends reports whether a source calls anything named Send, such as Messages.Send and
// Drafts.Send of the API, or imports what speaks SMTP.
func sends(t *testing.T, name string, source []byte) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || strings.HasPrefix(n.Sel.Name, "Send")
		case *ast.ImportSpec:
			found = found || strings.Contains(n.Path.Value, "smtp")
		}
		return true
	})
	return found
}

// Nothing in this package can send a mail.
func TestNothingSends(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		looked++
		if sends(t, f.Name(), source) {
			t.Errorf("%s sends", f.Name())
		}
	}
	if looked < 5 {
		t.Errorf("only %d files were looked at", looked)
	}
	for source, want := range map[string]bool{
		`package x; func f() { s.Users.Drafts.Send("me", d).Do() }`: true,
		`package x; var f = s.Users.Messages.Send`:                  true,
		`package x; import "net/smtp"`:                              true,
		`package x; func f() { s.Users.Drafts.Create("me", d) }`:    false,
	} {
		if got := sends(t, "x.go", []byte(source)); got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}
