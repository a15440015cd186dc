package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"charm.land/huh/v2"
)

// dialog asks a person at a terminal. Where TERM or a variable says that the terminal
// or its reader wants plain lines, each question is one, and so is each answer.
type dialog struct {
	ctx   context.Context
	in    *os.File // nil where nobody can be asked
	keys  *keyboard
	out   io.Writer
	plain bool
}

func newDialog(c call) *dialog {
	in, _ := c.in.(*os.File)
	plain := c.getenv("TERM") == "dumb" || c.getenv("TERM") == "" || c.getenv("NO_COLOR") != "" || c.getenv("ACCESSIBLE") != ""
	return &dialog{ctx: c.ctx, in: in, keys: newKeyboard(in), out: c.out, plain: plain}
}

// say shows a line of ours.
func (d *dialog) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// option is one of the answers to choose from.
type option struct{ value, words string }

// choose asks for one of several answers; Enter takes preset.
func (d *dialog) choose(title, about, preset string, options ...option) (string, error) {
	value := preset
	field := huh.NewSelect[string]().Title(title).Value(&value)
	list := make([]huh.Option[string], len(options))
	for i, o := range options {
		list[i] = huh.NewOption(o.words, o.value)
		if d.plain && o.value == preset {
			list[i].Key += " (Enter)"
		}
	}
	field.Options(list...)
	if !d.plain {
		field.Description(about)
	}
	if err := d.run(d.ctx, about, field); err != nil {
		return "", err
	}
	for _, o := range options {
		if o.value == value && !d.plain {
			d.say("%s  %s", title, o.words)
		}
	}
	return value, nil
}

// sure asks for a yes or no.
func (d *dialog) sure(title, about string) (bool, error) {
	value, err := d.choose(title, about, "yes", option{"yes", "Yes"}, option{"no", "No"})
	return value == "yes", err
}

// line asks for a line; Enter takes preset.
func (d *dialog) line(title, about, preset string, check func(string) error) (string, error) {
	value := preset
	shown := title
	if d.plain && preset != "" {
		shown += " (Enter: " + preset + ")"
	}
	field := huh.NewInput().Title(shown).Value(&value).Validate(func(text string) error {
		if text = strings.TrimSpace(text); text == "" {
			text = preset
		}
		return check(text)
	})
	if !d.plain {
		field.Description(about)
	}
	if err := d.run(d.ctx, about, field); err != nil {
		return "", err
	}
	if value = strings.TrimSpace(value); value == "" {
		value = preset
	}
	if !d.plain {
		d.say("%s  %s", title, value)
	}
	return value, nil
}

// secret asks for a line that is not shown; it may be empty.
func (d *dialog) secret(title, about string, check func(string) error) (string, error) {
	value := ""
	field := huh.NewInput().Title(title).EchoMode(huh.EchoModePassword).Value(&value).Validate(func(text string) error { return check(strings.TrimSpace(text)) })
	if !d.plain {
		field.Description(about)
	}
	err := d.run(d.ctx, about, field)
	if shown := "nothing"; err == nil && !d.plain {
		if value != "" {
			shown = "••••••••"
		}
		d.say("%s  %s", title, shown)
	}
	return strings.TrimSpace(value), err
}

// wait shows what is waited for until ctx ends or the person does not want to wait
// any more, which it reports. It is not for plain lines, of which none can be taken
// back once it is being read.
func (d *dialog) wait(ctx context.Context, title, about string) (skipped bool, err error) {
	value := "skip"
	field := huh.NewSelect[string]().Title(title).Description(about).Options(huh.NewOption("Skip this for now", value)).Value(&value)
	err = d.run(ctx, about, field)
	if d.ctx.Err() == nil && ctx.Err() != nil {
		return false, nil
	}
	return err == nil, err
}

// run asks one question.
func (d *dialog) run(ctx context.Context, about string, field huh.Field) error {
	if d.plain {
		return d.runPlain(ctx, about, field)
	}
	err := d.keys.during(ctx, func(ctx context.Context, in io.Reader) error {
		return huh.NewForm(huh.NewGroup(field)).WithInput(in).WithOutput(d.out).RunWithContext(ctx)
	})
	if errors.Is(err, huh.ErrUserAborted) || d.ctx.Err() != nil || errors.Is(err, huh.ErrTimeout) && ctx.Err() == nil {
		return errStopped
	}
	return err
}

// runPlain asks in plain lines. The library takes the end of the input for an answer,
// and knows of no context.
func (d *dialog) runPlain(ctx context.Context, about string, field huh.Field) error {
	if about != "" {
		d.say("%s", about)
	}
	in := &ending{File: d.in}
	done := make(chan error, 1)
	go func() { done <- field.RunAccessible(d.out, in) }()
	select {
	case err := <-done:
		d.say("")
		if in.ended || errors.Is(err, io.EOF) {
			return errStopped
		}
		return err
	case <-ctx.Done():
		d.say("")
		return errStopped
	}
}

// ending notes that an input has ended.
type ending struct {
	*os.File
	ended bool
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.File.Read(p)
	e.ended = e.ended || err != nil
	return n, err
}

// tame makes what strangers call themselves fit to be shown in a terminal.
func tame(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
	return fmt.Sprintf("%.60s", text)
}
