package ledger

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"nacre/memory"
)

// redaction takes what a Needle finds out of the content of one row.
type redaction struct {
	shelf  *shelf
	needle *memory.Needle
	found  bool
}

// redacted returns content without what is looked for, and whether that was in
// it. Content that is no JSON holds nothing.
func (r *redaction) redacted(plain []byte) ([]byte, bool) {
	if r.shelf.raw {
		return nil, r.inFile(plain)
	}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber() // so that what is not changed comes out as it went in
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	v = r.value(v, false)
	if !r.found {
		return nil, false
	}
	withoutBlobs(v)
	out, err := json.Marshal(v)
	return out, err == nil
}

// value walks JSON. Words is whether every text below is somebody's words.
func (r *redaction) value(v any, words bool) any {
	switch v := v.(type) {
	case string:
		return r.text(v)
	case []any:
		for i := range v {
			v[i] = r.value(v[i], words)
		}
	case map[string]any:
		for k, e := range v {
			if words || !slices.Contains(r.shelf.codes, k) {
				v[k] = r.value(e, words || k == "args")
			}
		}
	}
	return v
}

func (r *redaction) text(s string) string {
	if r.shelf.packed {
		if file, err := base64.StdEncoding.DecodeString(s); err == nil && r.inFile(file) {
			r.found = true
			return ""
		}
	}
	if isData(s) {
		return s
	}
	s, found := r.needle.Redact(s)
	r.found = r.found || found
	return s
}

// inFile reports whether a file says it: as a text, or as bytes among others.
func (r *redaction) inFile(b []byte) bool {
	if utf8.Valid(b) {
		return r.needle.Finds(string(b))
	}
	return newLiterals(r.needle).in(b, false)
}

// dataLength is from which length on a text without a space is no words.
const dataLength = 256

// isData tells keys, signatures and pictures from words: short names stand in
// enough random letters by chance.
func isData(s string) bool {
	return len(s) >= dataLength && strings.IndexFunc(s, notData) < 0
}

func notData(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+/-_=", r))
}

// withoutBlobs drops what providers signed: half of it blanked, they would
// refuse the conversation for ever.
func withoutBlobs(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			withoutBlobs(e)
		}
	case map[string]any:
		delete(v, "blob")
		for _, e := range v {
			withoutBlobs(e)
		}
	}
}

// unescaped is encoded JSON as one text in which the words of its strings stand
// as they were written.
func unescaped(raw []byte) []byte {
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return raw
	}
	out := append(make([]byte, 0, len(raw)), raw[:at]...)
	for raw = raw[at:]; len(raw) > 1; raw = raw[at:] {
		var r rune
		r, raw = escape(raw)
		out = utf8.AppendRune(out, r)
		if at = bytes.IndexByte(raw, '\\'); at < 0 {
			at = len(raw)
		}
		out = append(out, raw[:at]...)
	}
	return out
}

// escape reads the escape that raw begins with.
func escape(raw []byte) (r rune, rest []byte) {
	switch raw[1] {
	case 'n', 'r', 't', 'b', 'f':
		return ' ', raw[2:]
	case 'u':
		r, rest = unit(raw), raw[min(6, len(raw)):]
		if utf16.IsSurrogate(r) && len(rest) > 1 && rest[1] == 'u' {
			r, rest = utf16.DecodeRune(r, unit(rest)), rest[min(6, len(rest)):]
		}
		return r, rest
	}
	return rune(raw[1]), raw[2:]
}

// unit is the number in an escape \uXXXX.
func unit(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[2:min(6, len(raw))]), 16, 16)
	return rune(n)
}
