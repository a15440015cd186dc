package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const mit = `MIT License

Copyright (c) 2026 Ann

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

func TestJudge(t *testing.T) {
	condition := strings.Repeat("Whoever uses it sends its author a postcard from each town that they live in. ", 20)
	for _, c := range []struct {
		name  string
		texts []text
		says  string // empty if it is allowed
	}{
		{"one that is known", []text{{path: "LICENSE", content: mit}}, ""},
		{"ours", []text{{path: "LICENSE", content: read(t, "../../LICENSE")}}, ""},
		{"with a notice", []text{{path: "LICENSE", content: mit}, {path: "NOTICE", content: "Made by Ann."}}, ""},
		{"none", nil, "says nowhere"},
		{"only a notice", []text{{path: "NOTICE", content: "Made by Ann."}}, "says nowhere"},
		{"words of its own", []text{{path: "LICENSE", content: "Ask Ann first."}}, "only 0 %"},
		{"one more condition", []text{{path: "LICENSE", content: mit + condition}}, "of a licence that is known"},
		{"not for commerce", []text{{path: "LICENSE", content: "This work is licensed under https://creativecommons.org/licenses/by-nc/4.0/legalcode"}}, "does not go together"},
		{"a second that is not allowed", []text{{path: "LICENSE", content: mit}, {path: "x/COPYING", content: "https://creativecommons.org/licenses/by-nc/4.0/legalcode"}}, "does not go together"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := judge([]*part{{path: "example.com/ann", version: "v1.0.0", texts: c.texts}}, io.Discard)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestIsLicence(t *testing.T) {
	for name, want := range map[string]bool{"LICENSE": true, "LICENSE.txt": true, "license.md": true, "COPYING": true, "LICENSE-3RD-PARTY.md": true,
		"UNLICENSE": true, "NOTICE": true, "LICENSE.MIT": true, "licence.go": false, "noticeboard.js": false, "README.md": false} {
		if got := isLicence(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
