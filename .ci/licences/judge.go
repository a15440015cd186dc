package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// compatible are the licences, in SPDX's names, whose works may become part of one
// under GPL-3.0-or-later.
var compatible = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "GPL-3.0",
	"GPL-3.0-or-later", "ISC", "LGPL-3.0", "MIT", "MIT-0", "MPL-2.0", "Unicode-DFS-2016", "Unlicense", "Zlib"}

// readByPerson are texts that a person read, because no program knows them, and what they were found to be.
var readByPerson = map[string]string{
	"modernc.org/sqlite LICENSE-SQLITE": "blessing", // SQLite is in the public domain
	"modernc.org/memory LICENSE-LOGO":   "",         // of a picture that is not linked
}

// leastCovered is how many percent of a text must be a licence's own words, so that
// no condition that somebody added goes unseen.
const leastCovered = 75

// judge recognises the licences of all parts and reports them. It is an error if one
// has none, or one that is unknown or does not go together with ours.
func judge(list []*part, report io.Writer) error {
	var wrong []error
	for _, p := range list {
		for i := range p.texts {
			t := &p.texts[i]
			if err := p.recognise(t); err != nil {
				wrong = append(wrong, fmt.Errorf("%s, %s: %w", p.path, t.path, err))
			}
		}
		if len(p.ids()) == 0 {
			wrong = append(wrong, fmt.Errorf("%s: says nowhere what is allowed", p.path))
		}
		fmt.Fprintf(report, "%-58s %s\n", p.path, strings.Join(p.ids(), ", "))
	}
	return errors.Join(wrong...)
}

// recognise finds out which licences a text is.
func (p *part) recognise(t *text) error {
	if id, ok := readByPerson[p.path+" "+t.path]; ok {
		if id != "" {
			t.ids = []string{id}
		}
		return nil
	}
	name := strings.ToUpper(path.Base(t.path))
	if strings.HasPrefix(name, "NOTICE") {
		return nil // it is passed on, and grants nothing
	}
	found := licensecheck.Scan([]byte(t.content))
	for _, m := range found.Match {
		if !slices.Contains(compatible, m.ID) {
			return fmt.Errorf("%s does not go together with our licence", m.ID)
		}
		if !slices.Contains(t.ids, m.ID) {
			t.ids = append(t.ids, m.ID)
		}
	}
	// A list of others' licences has their names between them.
	if len(t.ids) == 0 || found.Percent < leastCovered && !strings.Contains(name, "3RD-PARTY") {
		return fmt.Errorf("only %.0f %% of it is of a licence that is known", found.Percent)
	}
	return nil
}

// ids are the licences of a part, sorted.
func (p *part) ids() (ids []string) {
	for _, t := range p.texts {
		ids = append(ids, t.ids...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
