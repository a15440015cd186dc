package markup

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// target names a link's definition. The address is part of the name, because
// of several definitions with one label only the first is used.
type target struct{ label, address string }

func newTarget(label, address []byte) target {
	return target{util.ToLinkReference(label), string(address)}
}

// definition writes a link's definition that no link uses, because it may be
// an ordinary line that only looks like one.
func (w *walker) definition(n *ast.LinkReferenceDefinition) {
	if !w.cited[newTarget(n.Label, n.Destination)] {
		w.verbatim(string(n.Lines().Value(w.source)))
	}
}

// cited returns the definitions that the links and images of an answer use.
func cited(all []piece) map[target]bool {
	used := map[target]bool{}
	for _, p := range all {
		if p.root == nil {
			continue
		}
		ast.Walk(p.root, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
			if r, address := reference(n); r != nil {
				used[newTarget(r.Value, address)] = true
			}
			return ast.WalkContinue, nil
		})
	}
	return used
}

// reference returns how a link or an image names its definition; nil if it
// does not.
func reference(n ast.Node) (r *ast.ReferenceLink, address []byte) {
	switch n := n.(type) {
	case *ast.Link:
		return n.Reference, n.Destination
	case *ast.Image:
		return n.Reference, n.Destination
	}
	return nil, nil
}

// definitionLine is what authors write as the definition of a link: on one
// line, with or without a title.
var definitionLine = regexp.MustCompile(`(?m)^ {0,3}\[([^\[\]\n]+)\]:[ \t]+(?:<(\S+)>|(\S+))(?:[ \t]+["'(].*)?[ \t]*$`)

// definitions returns those of a whole answer, because most stand at its end.
// The parser finds them too, but only in the piece that it reads.
func definitions(all []piece) []parser.Reference {
	var found []parser.Reference
	for _, p := range all {
		if p.kind != prose || !strings.Contains(p.text, "]:") {
			continue
		}
		for _, m := range definitionLine.FindAllStringSubmatch(p.text, -1) {
			found = append(found, parser.NewReference([]byte(m[1]), []byte(m[2]+m[3]), nil))
		}
	}
	return found
}
