package gateway

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What names of files may be.
const (
	nameLimit = 100    // bytes
	noName    = "file" // of a file without one
)

// FileName is the name of a file as it is shown and sent: without a path and without what could make it look like
// another, at most 100 bytes long with its ending.
func FileName(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Trim(strings.Map(nameRune, name), " .")
	if name == "" {
		return noName
	}
	if len(name) <= nameLimit {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > nameLimit/2 {
		ending = ""
	}
	n := nameLimit - len(ending)
	for !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n] + ending
}

func nameRune(r rune) rune {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	case strings.ContainsRune(`"<>:|?*`, r), unicode.IsSpace(r):
		return ' '
	}
	return r
}
