package configs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a parsed file.
type document struct {
	file  string
	root  map[string]any
	lines map[string]int // where the keys of the first two levels begin, by dotted name
}

// where is the place of a key, for people.
func (d document) where(key string) string { return fmt.Sprintf("%s line %d", d.file, d.lines[key]) }

// sorted puts keys into the order of the file; full makes the dotted name of
// each.
func (d document) sorted(keys iter.Seq[string], full func(key string) string) []string {
	return slices.SortedFunc(keys, func(a, b string) int {
		return cmp.Or(d.lines[full(a)]-d.lines[full(b)], strings.Compare(a, b))
	})
}

// readDocument fills the layer of the file and reports keys that are unknown.
// Of a file that is not TOML nothing is used.
func (l *loader) readDocument(doc []byte) {
	d, ok := l.decode(l.File, doc, maps.Values(l.known))
	if !ok {
		l.unread = true
		return
	}
	values := flatten(d.root)
	for _, key := range d.sorted(maps.Keys(values), func(key string) string { return key }) {
		l.readValue(key, values[key], d.where(key))
	}
}

// decode parses a file. If it is not TOML, it reports that and returns false;
// keys are the words that may be shown then.
func (l *loader) decode(file string, doc []byte, keys iter.Seq[string]) (document, bool) {
	d := document{file: file}
	doc = bytes.TrimPrefix(doc, []byte("\ufeff"))
	if err := toml.Unmarshal(doc, &d.root); err != nil {
		l.malformed(file, doc, err, keys)
		return document{}, false
	}
	d.lines = lines(doc)
	return d, true
}

// readValue puts one value into the layer, or says why it has no place there.
func (l *loader) readValue(key string, value any, where string) {
	keys := slices.Collect(maps.Values(l.known))
	text, isText := value.(string)
	_, isTable := value.(map[string]any)
	switch {
	case slices.Contains(keys, key):
		l.file[key] = given{text, where, !isText}
	case !slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, key+".") }):
		l.problemf("%s: unknown key %.60q%s", where, key, suggest(key, maps.Values(l.known)))
	case !isTable:
		l.problemf("%s: %s is a table; write [%s] once, on a line of its own, and its settings below", where, key, key)
	}
}

// flatten names the values of the two levels that settings use; what lies
// deeper stays inside its value, and so does an empty table.
func flatten(root map[string]any) map[string]any {
	values := map[string]any{}
	for name, value := range root {
		table, _ := value.(map[string]any)
		for inner, value := range table {
			values[dotted(name, inner)] = value
		}
		if len(table) == 0 {
			values[dotted(name)] = value
		}
	}
	return values
}

// dotted writes a key with dots. A dot inside quotes separates nothing.
func dotted(parts ...string) string {
	for i, part := range parts {
		if strings.Contains(part, ".") {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// lines finds the line where each key of the first two levels begins. The
// document is valid.
func lines(doc []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(doc)
	var note func(above []string, node *unstable.Node) []string
	note = func(above []string, node *unstable.Node) []string {
		parts := slices.Clone(above)
		for key := node.Key(); key.Next() && len(parts) < 2; {
			parts = append(parts, string(key.Node().Data))
			name := dotted(slices.Clone(parts)...)
			lines[name] = cmp.Or(lines[name], p.Shape(key.Node().Raw).Start.Line)
		}
		if node.Kind == unstable.KeyValue && node.Value().Kind == unstable.InlineTable {
			for inner := node.Value().Children(); inner.Next(); {
				note(parts, inner.Node())
			}
		}
		return parts
	}
	var table []string
	for p.NextExpression() {
		if node := p.Expression(); node.Kind == unstable.KeyValue {
			note(table, node)
		} else {
			table = note(nil, node)
		}
	}
	return lines
}

// malformed reports where a file stops being TOML, with the line as far as it
// holds no values.
func (l *loader) malformed(file string, doc []byte, err error, keys iter.Seq[string]) {
	var bad *toml.DecodeError
	if !errors.As(err, &bad) {
		l.problemf("%s is not a valid TOML file", file)
		return
	}
	row, column := bad.Position()
	line := strings.Split(string(doc), "\n")[row-1]
	reason, _, _ := strings.Cut(strings.TrimPrefix(bad.Error(), "toml: "), ": ") // the rest may quote a value
	l.problemf("%s line %d column %d: this is not valid TOML, %s: %s", file, row, column, oneLine(reason), mask(line, keys))
}

var word = regexp.MustCompile(`[^\s=.\[\]{}"',#]+`)

// mask makes a line of the file fit to be shown: of its words it leaves those
// that are parts of our keys, and of the rest only the punctuation.
func mask(line string, keys iter.Seq[string]) string {
	var ours []string
	for key := range keys {
		ours = append(ours, strings.Split(key, ".")...)
	}
	return oneLine(word.ReplaceAllStringFunc(line, func(w string) string {
		if slices.Contains(ours, w) {
			return w
		}
		return "…"
	}))
}

// oneLine cuts a text to 80 characters without line breaks.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
	return fmt.Sprintf("%.80s", s)
}
