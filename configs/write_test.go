package configs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open(t *testing.T, doc string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nacre.toml")
	if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Each setting goes where a person would have written it, and nothing else moves.
func TestSetChangesOneLine(t *testing.T) {
	for _, c := range []struct{ name, doc, key, text, want string }{
		{"in place", "a = \"x\" # why\nzone = 'UTC' # here\n", "zone", "Europe/Berlin", "a = \"x\" # why\nzone = 'Europe/Berlin' # here\n"},
		{"empty file", "", "zone", "UTC", "zone = 'UTC'\n"},
		{"top, before tables", "data = \"/d\"\n\n# on logs\n[log]\nlevel = \"info\"\n", "zone", "UTC", "data = \"/d\"\nzone = 'UTC'\n\n# on logs\n[log]\nlevel = \"info\"\n"},
		{"end of its table", "[web]\nurl = \"u\"\n\n[log]\nlevel = \"info\"\n", "web.listen", "off", "[web]\nurl = \"u\"\nlisten = 'off'\n\n[log]\nlevel = \"info\"\n"},
		{"below its sample", "[web]\n# where\n#listen = \"x\"\n\n# url\n#url = \"y\"\n", "web.listen", "off", "[web]\n# where\n#listen = \"x\"\nlisten = 'off'\n\n# url\n#url = \"y\"\n"},
		{"new table", "zone = \"UTC\"", "telegram.token", "1:x", "zone = \"UTC\"\n\n[telegram]\ntoken = '1:x'\n"},
		{"braces", "web = {url = \"u\"}\n", "web.listen", "off", "web = {listen = 'off', url = \"u\"}\n"},
		{"inside braces", "web = {listen = \"u\"}\n", "web.listen", "off", "web = {listen = 'off'}\n"},
		{"dots", "web.url = \"u\"\nzone = \"UTC\"\n", "web.listen", "off", "web.url = \"u\"\nweb.listen = 'off'\nzone = \"UTC\"\n"},
		{"mark at the beginning", "\ufeffzone = \"UTC\"\n", "model", "offline", "\ufeffzone = \"UTC\"\nmodel = 'offline'\n"},
		{"line breaks of elsewhere", "zone = \"UTC\"\r\n[log]\r\n", "zone", "Asia/Tokyo", "zone = 'Asia/Tokyo'\r\n[log]\r\n"},
		{"quotes", "", "owners", `a"b'c\`, "owners = \"a\\\"b'c\\\\\"\n"},
		{"the same", "zone = \"\"\"UTC\"\"\"\n", "zone", "UTC", "zone = \"\"\"UTC\"\"\"\n"},
		{"nothing where nothing is", "zone = \"UTC\"\n", "model", "", "zone = \"UTC\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, c.doc)
			if err := f.Set(c.key, c.text); err != nil {
				t.Fatal(err)
			}
			if got := string(f.Bytes()); got != c.want {
				t.Errorf("got\n%q, want\n%q", got, c.want)
			}
			if f.Get(c.key) != c.text || f.Changed() != (c.doc != c.want) {
				t.Errorf("reads %q, changed %v", f.Get(c.key), f.Changed())
			}
		})
	}
}

// A value in another form is not overwritten by guess.
func TestSetLeavesAloneWhatItCannotChange(t *testing.T) {
	f := open(t, "zone = [\"UTC\"]\n")
	if err := f.Set("zone", "Asia/Tokyo"); err == nil || !strings.Contains(err.Error(), "by hand") || f.Changed() {
		t.Errorf("error %v, changed %v", err, f.Changed())
	}
}

// Every setting can be added to the annotated example, in any order, and the file
// stays what it was but for the added lines.
func TestSetInTheExample(t *testing.T) {
	f := open(t, Example())
	for _, s := range newSettings(&Config{}, "", nil) {
		if err := f.Set(s.key, "value of "+s.key); err != nil {
			t.Fatal(err)
		}
	}
	left := string(f.Bytes())
	for _, s := range newSettings(&Config{}, "", nil) {
		_, name := s.split()
		left = strings.Replace(left, assignment(name, "value of "+s.key)+"\n", "", 1)
	}
	if left != Example() {
		t.Error("more changed than the lines of the settings")
	}
	_, line, _ := strings.Cut(string(f.Bytes()), "#token_file = \"/run/secrets/telegram_token\"\n")
	if !strings.HasPrefix(line, "token = 'value of telegram.token'\n") {
		t.Errorf("the token does not follow its sample: %.60q", line)
	}
}

func TestWriteAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a", "first"), filepath.Join(dir, "second")
	drafts := []Draft{{first, []byte("one"), 0o600}, {second, []byte("two"), 0o644}}
	if err := os.Mkdir(second, 0o700); err != nil { // where no file can be put
		t.Fatal(err)
	}
	if err := WriteAll(drafts); err == nil {
		t.Fatal("a directory was overwritten")
	}
	if _, err := os.Stat(first); err == nil {
		t.Error("the first file was written without the second")
	}
	os.Remove(second)
	if err := WriteAll(drafts); err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		info, err := os.Stat(d.Path)
		data, _ := os.ReadFile(d.Path)
		if err != nil || info.Mode().Perm() != d.Mode || !bytes.Equal(data, d.Data) {
			t.Errorf("%s: %v %q %v", d.Path, info.Mode(), data, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".setup-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What is tried in the environment wins over it and over the file, also where the
// secret lay in a file of its own.
func TestOverride(t *testing.T) {
	environ := Override([]string{"HOME=/h", "OPENAI_API_KEY_FILE=/x", "TZ=UTC"}, map[string]string{"openai.key": "sk-1", "zone": "Asia/Tokyo", "openai.key_file": ""})
	if got, want := strings.Join(environ, " "), "HOME=/h OPENAI_API_KEY=sk-1 TZ=Asia/Tokyo"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Variable("telegram.token_file"); got != "NACRE_TELEGRAM_TOKEN_FILE" {
		t.Error(got)
	}
}
