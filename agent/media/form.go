package media

import "github.com/ledongthuc/pdf"

// maxForms bounds forms inside each other, which a hostile file may tie into a
// loop.
const maxForms = 10

// resources are what operators call by name, in a page or in a form (ISO
// 32000-1, 7.8.3). Each is read once.
type resources struct {
	dict  pdf.Value
	fonts map[string]*font
	forms map[string]*form
}

// form is a stream of operators that a page draws as if it were a picture (ISO
// 32000-1, 8.10). Some programs put all text of a page into one.
type form struct {
	stream pdf.Value
	matrix matrix
	own    *resources
}

func newResources(dict pdf.Value) *resources {
	return &resources{dict: dict, fonts: map[string]*font{}, forms: map[string]*form{}}
}

func (r *resources) font(name string) *font {
	f, ok := r.fonts[name]
	if !ok {
		f = newFont(pdf.Font{V: r.dict.Key("Font").Key(name)})
		r.fonts[name] = f
	}
	return f
}

// form returns nil for a picture, and for a name that is not known.
func (r *resources) form(name string) *form {
	f, ok := r.forms[name]
	if !ok {
		f = r.newForm(r.dict.Key("XObject").Key(name))
		r.forms[name] = f
	}
	return f
}

// newForm reads a form. One without resources uses those of what draws it, as
// was usual in the beginning.
func (r *resources) newForm(stream pdf.Value) *form {
	if stream.Key("Subtype").Name() != "Form" {
		return nil
	}
	f := &form{stream: stream, matrix: identity(), own: r}
	if m := stream.Key("Matrix"); m.Len() == 6 {
		args := make(operands, 6)
		for i := range args {
			args[i] = m.Index(i)
		}
		f.matrix = args.matrix()
	}
	if dict := stream.Key("Resources"); !dict.IsNull() {
		f.own = newResources(dict)
	}
	return f
}

// doForm draws a form, and goes on behind it even if the form is broken.
func (l *layout) doForm(name string) {
	f := l.named.form(name)
	if f == nil {
		return
	}
	if l.depth == maxForms {
		l.torn = true
		return
	}
	outer, state, saved := l.named, l.graphics, l.saved
	defer func() {
		l.depth--
		l.image = false
		l.named, l.graphics, l.saved = outer, state, saved
		if fault := recover(); fault != nil {
			if fault == (enough{}) {
				panic(fault)
			}
			l.torn = true
		}
	}()
	l.depth++
	l.named, l.ctm, l.saved = f.own, f.matrix.mul(l.ctm), nil
	l.interpret(f.stream)
}
