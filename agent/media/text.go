package media

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"nacre"
)

// maxPrefix is how many bytes of a text are looked at: enough for maxText
// characters in every encoding.
const maxPrefix = maxText * utf8.UTFMax

// readText decodes a text file of any kind: plain, Markdown, CSV, JSON, HTML,
// source code. It is shown as it is, cut where it is too long.
func readText(data []byte) (string, error) {
	text := decode(data[:min(len(data), maxPrefix)], len(data) > maxPrefix)
	if !readable(text) {
		return "", nacre.Errorf(nacre.Invalid, "I cannot read that kind of file; text, PDF and Word files and pictures work.")
	}
	text = clean(text)
	if text == "" {
		return "", nacre.Errorf(nacre.Invalid, "That file holds no text.")
	}
	text, short := cut(text)
	if short || len(data) > maxPrefix {
		text += fmt.Sprintf("\n[cut after %d characters; the whole file has %d bytes]", utf8.RuneCountInString(text), len(data))
	}
	return text, nil
}

// decode returns the characters of a text in UTF-8, be it damaged in places, in
// UTF-16 with a byte order mark, or else in Windows-1252, in which almost all
// other files of Western languages are. more says that the file goes on after
// data.
func decode(data []byte, more bool) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return decodeUTF16(data[2:], binary.BigEndian)
	}
	if more {
		data = wholeRunes(data)
	}
	if mostlyUTF8(data) {
		return string(bytes.ToValidUTF8(data, []byte(string(utf8.RuneError))))
	}
	var out strings.Builder
	for _, b := range data {
		out.WriteRune(charmap.Windows1252.DecodeByte(b))
	}
	return out.String()
}

// mostlyUTF8 reports whether at most one in five of the characters beyond ASCII
// is damaged, if data is UTF-8. In a text of another encoding nearly all would
// be, because it seldom has the letters and signs next to each other that make
// up a character of UTF-8.
func mostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		switch {
		case c == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return bad*4 <= good
}

func decodeUTF16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// wholeRunes leaves out a character that is cut off at the end.
func wholeRunes(data []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ {
		last := data[len(data)-i:]
		if utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return data[:len(data)-i]
			}
			return data
		}
	}
	return data
}

// readable reports whether s looks like text: no NUL, and at most one character
// in 20 that no text needs. Logs with colours have a few.
func readable(s string) bool {
	odd := 0
	for _, c := range s {
		switch {
		case c == 0:
			return false
		case c == utf8.RuneError, unicode.IsControl(c) && !strings.ContainsRune("\t\n\v\f\r", c):
			odd++
		}
	}
	return odd*20 <= utf8.RuneCountInString(s)
}
