package moving

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
)

// detect tells what each entry is. What is not known is told once for each kind of
// file, and so is what is known and not taken over.
func (p *Parcel) detect() error {
	if done, err := p.ours(); done || err != nil {
		return err
	}
	d := detection{parcel: p, beside: map[*pattern]bool{}, left: map[string]int{}}
	for _, e := range p.entries {
		f, ok, err := d.formOf(e)
		switch {
		case err != nil:
			return err
		case !ok:
			d.loose = append(d.loose, e)
		case f.why == nested && e.lone:
			return nacre.Errorf(nacre.Invalid, "Nacre cannot unpack this; pack it as a zip.")
		case f.why != "":
			d.leave(f.kind(e), e, f.why)
		default:
			p.files = append(p.files, file{e, f})
		}
	}
	if err := d.settle(); err != nil {
		return err
	}
	for _, f := range p.files {
		p.all += f.size
	}
	slices.SortStableFunc(p.files, func(a, b file) int { return int(a.form.stage - b.form.stage) })
	return nil
}

// ours reports whether the Parcel is an archive that Nacre wrote. All in it is read by
// one reader then, and nothing is taken for what it is called.
func (p *Parcel) ours() (bool, error) {
	for _, e := range p.entries {
		for _, f := range archiveForms {
			if !f.path.MatchString(strings.ToLower(e.name)) {
				continue
			}
			head, err := p.head(e)
			if err != nil {
				return false, err
			}
			if f.head(head) {
				p.files = []file{{e, f}}
				for _, e := range p.entries {
					p.all += e.size
				}
				return true, nil
			}
		}
	}
	return false, nil
}

// detection is a Parcel while it is told what its entries are.
type detection struct {
	parcel *Parcel
	beside map[*pattern]bool // whether a file that matches is there
	left   map[string]int    // kinds of files that are told, and where in Parcel.left
	count  []int             // how many of them there are, beside Parcel.left
	loose  []entry           // of no form
}

// formOf is the form of an entry; false if it has none. One that comes alone may be
// called anything.
func (d *detection) formOf(e entry) (form, bool, error) {
	c := candidate{parcel: d.parcel, entry: e}
	name := strings.ToLower(e.name)
	for _, f := range forms {
		if !f.path.MatchString(name) || !d.isThere(f.beside) {
			continue
		}
		if ok, err := c.begins(f); ok || err != nil {
			return f, ok, err
		}
	}
	for _, f := range forms {
		if !e.lone || f.source == "" || f.head == nil || f.beside != nil {
			continue
		}
		if ok, err := c.begins(f); ok || err != nil {
			return f, ok, err
		}
	}
	return form{}, false, nil
}

// candidate is an entry of which the beginning is read when it is first asked for.
type candidate struct {
	parcel *Parcel
	entry  entry
	head   []byte
}

// begins reports whether the entry begins as a form does.
func (c *candidate) begins(f form) (bool, error) {
	if f.head == nil {
		return true, nil
	}
	if c.head == nil {
		var err error
		if c.head, err = c.parcel.head(c.entry); err != nil {
			return false, err
		}
	}
	return f.head(c.head), nil
}

// isThere reports whether any entry matches.
func (d *detection) isThere(p *pattern) bool {
	if p == nil {
		return true
	}
	there, known := d.beside[p]
	if !known {
		there = slices.ContainsFunc(d.parcel.entries, func(e entry) bool { return p.MatchString(strings.ToLower(e.name)) })
		d.beside[p] = there
	}
	return there
}

// settle decides on what has no form. If nothing else is there, plain texts are notes;
// a file that comes alone is, if it is a text at all.
func (d *detection) settle() error {
	p := d.parcel
	known := len(p.files) > 0
	for _, e := range d.loose {
		switch plain, err := d.plain(e, known); {
		case err != nil:
			return err
		case plain:
			p.files = append(p.files, file{e, form{source: FromText, stage: notes, read: texts}})
		case e.lone:
			return nacre.Errorf(nacre.Invalid, "Nacre does not know what this is. Bring a text of notes, a file of an assistant, or a zip of its folder or its export.")
		default:
			d.leave(path.Ext(e.name), e, unknown)
		}
	}
	for i, n := range d.count {
		if n > 1 {
			p.left[len(p.left)-len(d.count)+i].What = plural(n, "file") + " like this"
		}
	}
	if len(p.files) == 0 && len(p.left) == 0 {
		return nacre.Errorf(nacre.Invalid, "There is nothing in it.")
	}
	return nil
}

var plainName = named(`[^/]*\.(?:md|markdown|txt)|[^/.]*`)

// plain reports whether a file of no form is taken for notes; known is whether others
// have one.
func (d *detection) plain(e entry, known bool) (bool, error) {
	switch {
	case !e.lone && (known || !plainName.MatchString(strings.ToLower(e.name))):
		return false, nil
	case e.lone && e.size > MaxText:
		return false, errTooLong
	}
	head, err := d.parcel.head(e)
	return isText(head), err
}

// leave tells of a file that is not taken over, once for its kind.
func (d *detection) leave(kind string, e entry, why string) {
	i, known := d.left[kind]
	if !known {
		i = len(d.count)
		d.left[kind] = i
		d.count = append(d.count, 0)
		d.parcel.left = append(d.parcel.left, Left{e.place(0), "the file", why})
	}
	d.count[i]++
}

// isText reports whether bytes are how a text begins that people wrote, and no data.
func isText(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
	if bytes.IndexByte(head, 0) >= 0 || len(head) > 0 && head[0] == '{' || jsonList.Match(head) {
		return false
	}
	odd := 0
	for _, r := range string(head) {
		if r == utf8.RuneError || r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			odd++
		}
	}
	return odd*10 <= len(head)
}

// jsonList is how a list of JSON begins, which no list of people does.
var jsonList = regexp.MustCompile(`^\[\s*[{"\[]`)
