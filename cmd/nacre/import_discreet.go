package main

import (
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/web"
)

// What stands in the place of what would show a secret.
const (
	someFile = "a file"
	unclear  = "It cannot be read."
)

// discreetly bounds the characters of a text in which secrets are looked for before its
// beginning is shown: those that are shown, and as many as a secret that begins there
// may have.
const discreetly = importedLength + 500

// fileOf is the name of a file as it may be shown. Most come many times in a row.
func (b *bringing) fileOf(name string) string {
	if b.named[0] != name {
		b.named = [2]string{name, unsecret(name, someFile)}
	}
	return b.named[1]
}

// unsecret is a text, or another if there is a secret in it.
func unsecret(text, other string) string {
	if _, secret := canon.Secret(text); secret {
		return other
	}
	return text
}

// discreet is a line as it may be shown, with the beginning of its text: of one that is
// left out, for whatever reason, without its words if there is a secret in them. Its
// place leads to it.
func discreet(l web.ImportedLine, text string) web.ImportedLine {
	if l.What == web.ImportLeft {
		text = unsecret(firstRunes(text, discreetly), "")
		l.Words = unsecret(l.Words, unclear)
	}
	if l.Reason != memory.IsSecret {
		l.Text = shortened(text)
	}
	return l
}

// shortened is the beginning of a text of what is imported.
func shortened(text string) string {
	short := firstRunes(text, importedLength)
	if short != text {
		short += "…"
	}
	return short
}

// firstRunes are the first n characters of a text.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
