package main

import (
	"slices"
	"strings"

	"nacre"
)

// language is one in which an owner can be spoken to.
type language struct{ code, name string } // of ISO 639-1, and in English

// languages are those that most models speak, by code.
var languages = []language{
	{"ar", "Arabic"}, {"bg", "Bulgarian"}, {"bn", "Bengali"}, {"ca", "Catalan"}, {"cs", "Czech"}, {"da", "Danish"},
	{"de", "German"}, {"el", "Greek"}, {"en", "English"}, {"es", "Spanish"}, {"et", "Estonian"}, {"fa", "Persian"},
	{"fi", "Finnish"}, {"fr", "French"}, {"he", "Hebrew"}, {"hi", "Hindi"}, {"hr", "Croatian"}, {"hu", "Hungarian"},
	{"id", "Indonesian"}, {"is", "Icelandic"}, {"it", "Italian"}, {"ja", "Japanese"}, {"ko", "Korean"}, {"lt", "Lithuanian"},
	{"lv", "Latvian"}, {"ms", "Malay"}, {"nl", "Dutch"}, {"no", "Norwegian"}, {"pl", "Polish"}, {"pt", "Portuguese"},
	{"ro", "Romanian"}, {"ru", "Russian"}, {"sk", "Slovak"}, {"sl", "Slovenian"}, {"sr", "Serbian"}, {"sv", "Swedish"},
	{"sw", "Swahili"}, {"ta", "Tamil"}, {"th", "Thai"}, {"tr", "Turkish"}, {"uk", "Ukrainian"}, {"ur", "Urdu"},
	{"vi", "Vietnamese"}, {"zh", "Chinese"},
}

// readLanguage takes the code of a language, or its English name.
func readLanguage(text string) (code string, err error) {
	i := slices.IndexFunc(languages, func(l language) bool { return strings.EqualFold(l.code, text) || strings.EqualFold(l.name, text) })
	switch {
	case text == "":
		return "", nil
	case i < 0:
		return "", nacre.Errorf(nacre.Invalid, "I do not know that language; name it in English, or by two letters such as de.")
	}
	return languages[i].code, nil
}

// languageName is the English name of a language; empty for no code.
func languageName(code string) string {
	for _, l := range languages {
		if l.code == code {
			return l.name
		}
	}
	return ""
}

// languageCodes are all languages, by their codes.
func languageCodes() []string {
	codes := make([]string, len(languages))
	for i, l := range languages {
		codes[i] = l.code
	}
	return codes
}
