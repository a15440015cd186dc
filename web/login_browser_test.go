package web

import (
	"strings"
	"testing"
)

func TestBrowserName(t *testing.T) {
	for userAgent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0":                                                                     "Firefox, Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                            "Chrome, Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":              "Edge, Windows",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/125.0.0.0":                        "Opera, Linux",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15":                      "Safari, macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1":    "Safari, iPhone",
		"Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1":          "Chrome, iPad",
		"Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": "Samsung Internet, Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                             "Chrome, ChromeOS",
		"curl/8.14.1": "", "": "", "Anna's machine (Windows)": "Windows",
	} {
		if got := browserName(userAgent); got != want {
			t.Errorf("%s is called %q, want %q", userAgent, got, want)
		}
	}
}

// Of what a browser says nothing is kept but words of ours.
func FuzzBrowserName(f *testing.F) {
	f.Add("Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0")
	f.Add("Firefox/, Linux <script>")
	ours := map[string]bool{"": true}
	for _, k := range append(browsers[:len(browsers):len(browsers)], systems...) {
		ours[k.name] = true
	}
	f.Fuzz(func(t *testing.T, userAgent string) {
		for _, word := range strings.Split(browserName(userAgent), ", ") {
			if !ours[word] {
				t.Errorf("it is called %q", word)
			}
		}
	})
}
