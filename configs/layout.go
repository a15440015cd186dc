package configs

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

const bom = "\ufeff"

// span is a run of bytes of a document.
type span struct{ from, to int }

// layout is where things stand in a document, by offset.
type layout struct {
	values map[string]span // texts, with their quotes, by dotted key
	inline map[string]int  // behind the opening brace of a table in braces
	loose  map[string]int  // behind the last key of a table whose keys are written with dots at the top
	tables map[string]span // from behind the header of a table to behind its last key
	ends   map[string]int  // where the next header begins, or the document ends
	top    span            // behind the last key outside tables, and where the first header begins
}

// layoutOf reads a document, which may have errors at its end.
func layoutOf(doc []byte) *layout {
	skip := 0
	if bytes.HasPrefix(doc, []byte(bom)) {
		skip = len(bom)
	}
	l := &layout{values: map[string]span{}, inline: map[string]int{}, loose: map[string]int{}, tables: map[string]span{},
		ends: map[string]int{}, top: span{skip, len(doc)}}
	var p unstable.Parser
	p.Reset(doc[skip:])
	table, headed := "", false
	for p.NextExpression() {
		node := p.Expression()
		parts, from, to := keyOf(node)
		if node.Kind == unstable.KeyValue {
			l.note(table, headed, parts, node, skip)
			continue
		}
		begin := lineStart(doc, from+skip)
		if !headed {
			l.top.to = begin
		} else {
			l.ends[table] = begin
		}
		table, headed = strings.Join(parts, "."), true
		end := lineEnd(doc, to+skip)
		l.tables[table], l.ends[table] = span{end, end}, len(doc)
	}
	for name, s := range l.tables {
		l.tables[name] = span{s.from, lineEnd(doc, s.to)}
	}
	for name, at := range l.loose {
		l.loose[name] = lineEnd(doc, at)
	}
	if l.top.from > skip {
		l.top.from = lineEnd(doc, l.top.from)
	}
	return l
}

// keyOf is the key of an expression in its parts, and where it stands.
func keyOf(node *unstable.Node) (parts []string, from, to int) {
	from = -1
	for key := node.Key(); key.Next(); {
		raw := key.Node().Raw
		if from < 0 {
			from = int(raw.Offset)
		}
		to = int(raw.Offset + raw.Length)
		parts = append(parts, string(key.Node().Data))
	}
	return parts, from, to
}

// note notes a key with its value.
func (l *layout) note(table string, headed bool, parts []string, node *unstable.Node, skip int) {
	end := int(node.Raw.Offset+node.Raw.Length) + skip
	full := parts
	if headed {
		full = append([]string{table}, parts...)
		l.tables[table] = span{l.tables[table].from, end}
	} else {
		l.top.from = end
		if len(parts) == 2 {
			l.loose[parts[0]] = end
		}
	}
	name := strings.Join(full, ".")
	switch value := node.Value(); value.Kind {
	case unstable.String:
		from := int(value.Raw.Offset) + skip
		l.values[name] = span{from, from + int(value.Raw.Length)}
	case unstable.InlineTable:
		l.inline[name] = int(value.Raw.Offset) + skip + 1
		for inner := value.Children(); inner.Next(); {
			key, _, _ := keyOf(inner.Node())
			if v := inner.Node().Value(); v.Kind == unstable.String {
				from := int(v.Raw.Offset) + skip
				l.values[name+"."+strings.Join(key, ".")] = span{from, from + int(v.Raw.Length)}
			}
		}
	}
}

// put returns the document with a setting at its best place.
func (l *layout) put(doc []byte, key, text string) []byte {
	table, name, inTable := strings.Cut(key, ".")
	if !inTable {
		table, name = "", key
	}
	line := assignment(name, text)
	if s, ok := l.values[key]; ok {
		_, value, _ := strings.Cut(line, " = ")
		return splice(doc, s, value)
	}
	if at, ok := l.inline[table]; ok {
		if rest := bytes.TrimLeft(doc[at:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
			line += ", "
		}
		return splice(doc, span{at, at}, line)
	}
	if at, ok := l.loose[table]; ok {
		return insert(doc, at, table+"."+line)
	}
	if !inTable {
		return insert(doc, sample(doc, span{0, l.top.to}, name, l.top.from), line)
	}
	if s, ok := l.tables[table]; ok {
		return insert(doc, sample(doc, span{s.from, l.ends[table]}, name, s.to), line)
	}
	return insert(doc, len(doc), "\n["+table+"]\n"+line)
}

// sample is behind the commented samples of a setting in a part of a document, else
// otherwise.
func sample(doc []byte, in span, name string, otherwise int) int {
	found := regexp.MustCompile(`(?m)^#`+regexp.QuoteMeta(name)+`(_file)? = .*$`).FindAllIndex(doc[in.from:in.to], -1)
	if len(found) == 0 {
		return otherwise
	}
	return lineEnd(doc, in.from+found[len(found)-1][1])
}

// insert puts a line at the beginning of one.
func insert(doc []byte, at int, line string) []byte {
	if at > 0 && doc[at-1] != '\n' && !bytes.HasSuffix(doc[:at], []byte(bom)) {
		line = "\n" + line
	}
	return splice(doc, span{at, at}, line+"\n")
}

func splice(doc []byte, s span, text string) []byte {
	return bytes.Join([][]byte{doc[:s.from], []byte(text), doc[s.to:]}, nil)
}

// lineEnd is behind the line break that ends the line of an offset.
func lineEnd(doc []byte, at int) int {
	if i := bytes.IndexByte(doc[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(doc)
}

func lineStart(doc []byte, at int) int { return bytes.LastIndexByte(doc[:at], '\n') + 1 }
