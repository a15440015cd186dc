package web

import "strings"

// known names what a part of a User-Agent gives away. Most browsers also claim to be
// those that stand below them.
type known struct{ part, name string }

var (
	browsers = []known{
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"},
		{"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"},
		{"Chrome/", "Chrome"}, {"CriOS/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = []known{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// browserName is what a browser is called among others, such as "Firefox, Linux":
// names of ours, and nothing else of what it says of itself. It is empty for one
// that is not known.
func browserName(userAgent string) string {
	var names []string
	for _, list := range [][]known{browsers, systems} {
		for _, k := range list {
			if strings.Contains(userAgent, k.part) {
				names = append(names, k.name)
				break
			}
		}
	}
	return strings.Join(names, ", ")
}
