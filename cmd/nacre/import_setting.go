package main

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/moving"
)

// longestName bounds the characters of a name in a file from elsewhere.
const longestName = 40

// plainName is what a name looks like that stands in a file: words alone, of which the
// longer ones after the first begin as names do. It becomes a part of what a model is
// told first, so that no sentence may come in as one.
var plainName = regexp.MustCompile(`^[\pL\pM]+` + joined + `\.?(?: (?:\p{Ll}{1,3}|[\p{Lu}\p{Lt}\p{Lo}\p{Lm}][\pL\pM]*)` + joined + `\.?){0,4}$`)

// joined is what a word of a name may go on with.
const joined = `(?:['’·.-][\pL\pM]+)*`

const noNameOfOurs = "It does not look like a name; set it yourself in the settings."

// setting sets a setting that the owner has not set here. Whatever comes in the file
// holds here too or is left out, and its words are not repeated.
func (b *bringing) setting(s moving.Setting) error {
	if !slices.Contains(settingNames, s.Name) {
		return b.leave(s.Place, "a setting", "There is none of that name here.")
	}
	what, here := "the setting "+s.Name, b.app.settings.of(b.owner).text(s.Name)
	switch {
	case s.Value == "", here == s.Value:
		return b.ctx.Err()
	case slices.Contains(b.done.Settings, s.Name):
		return b.leave(s.Place, what, "It is there twice; the first one counts.")
	case here != "":
		return b.leave(s.Place, what, "You have set it here already.")
	}
	why, err := b.unfit(s)
	if err == nil && why == "" {
		why, err = b.set(s)
	}
	switch {
	case err != nil:
		return err
	case why != "":
		return b.leave(s.Place, what, why)
	}
	b.done.Settings = append(b.done.Settings, s.Name)
	return nil
}

// unfit is why a setting may not be kept, as a sentence; empty if it may.
func (b *bringing) unfit(s moving.Setting) (string, error) {
	why, err := b.barred(s.Value)
	switch {
	case err != nil || why != "":
		return sentence(why), err
	case s.Name != "name":
		return "", nil
	case canon.Instruction(s.Value):
		return sentence(memory.IsInstruction), nil
	case !plainName.MatchString(s.Value) || utf8.RuneCountInString(s.Value) > longestName:
		return noNameOfOurs, nil
	}
	return "", nil
}

// set sets a setting, or tells why it does not hold here.
func (b *bringing) set(s moving.Setting) (why string, err error) {
	if b.dry {
		var tried own
		err = b.app.settings.set(&tried, s.Name, s.Value)
	} else {
		_, err = b.app.changeSettings(b.ctx, b.owner, map[string]string{s.Name: s.Value})
	}
	if nacre.KindOf(err) == nacre.Invalid {
		return "It does not hold here; set it yourself in the settings.", nil
	}
	return "", err
}
