package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// fontConfig is all that the browser knows of fonts: those of a folder, for whatever is
// asked. Its form is that of fontconfig, https://www.freedesktop.org/software/fontconfig/fontconfig-user.html.
const fontConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>%[1]s</dir>
<cachedir>%[1]s</cachedir>
<alias binding="strong"><family>monospace</family><prefer><family>Go Mono</family></prefer></alias>
<match target="pattern"><test qual="all" name="family" compare="not_eq"><string>Go Mono</string></test>
<edit name="family" mode="append"><string>Go</string></edit></match>
</fontconfig>
`

// fonts writes the fonts of the tests and returns where their configuration lies, so
// that pages look the same whatever fonts a machine has.
func fonts(t *testing.T) (config string) {
	t.Helper()
	dir := t.TempDir()
	config = filepath.Join(dir, "fonts.conf")
	for path, content := range map[string][]byte{
		filepath.Join(dir, "regular.ttf"): goregular.TTF,
		filepath.Join(dir, "bold.ttf"):    gobold.TTF,
		filepath.Join(dir, "mono.ttf"):    gomono.TTF,
		config:                            fmt.Appendf(nil, fontConfig, dir),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config
}
