package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"nacre/configs"
)

// pages are all texts of the project for people, by their paths from its root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	root := os.DirFS("../..")
	found := map[string]string{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := fs.ReadFile(root, path)
			found[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil || found["README.md"] == "" {
		t.Fatalf("%d pages, %v", len(found), err)
	}
	return found
}

// A link within the project is in brackets behind the words, or a picture's source.
var linked = regexp.MustCompile(`\]\(([^)\s]+)\)|src="([^"]+)"`)

// broken is where the links of a page lead to nothing.
func broken(path, text string) (list []string) {
	for _, m := range linked.FindAllStringSubmatch(text, -1) {
		to, anchor, _ := strings.Cut(m[1]+m[2], "#")
		if strings.Contains(to, "://") {
			continue
		}
		file := filepath.Join("../..", filepath.Dir(path), to)
		if to == "" {
			file = filepath.Join("../..", path)
		}
		body, err := os.ReadFile(file)
		if st, statErr := os.Stat(file); statErr == nil && st.IsDir() {
			err = nil
		}
		if err != nil || anchor != "" && !slices.Contains(anchors(string(body)), anchor) {
			list = append(list, m[0])
		}
	}
	return list
}

var heading = regexp.MustCompile(`(?m)^#+ (.+)$`)

// anchors are the names by which a page's headings can be linked.
func anchors(text string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(strings.ReplaceAll(m[1], " ", "-"))
		list = append(list, regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(name, ""))
	}
	return list
}

func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	if got := broken("docs/x.md", "[a](using.md) [b](nowhere.md) [c](memory.md#forgetting) [d](memory.md#flying)"); len(got) != 2 {
		t.Errorf("of four links, two of which are broken, %q are", got)
	}
	for path, text := range pages(t) {
		if list := broken(path, text); len(list) > 0 {
			t.Errorf("%s has links to nothing: %q", path, list)
		}
	}
}

// Each subcommand is told of, and no setting is that does not exist.
func TestPagesAreTrue(t *testing.T) {
	all := strings.Builder{}
	for path, text := range pages(t) {
		if path == "README.md" || strings.HasPrefix(path, "docs") || path == "SECURITY.md" {
			all.WriteString(text)
		}
	}
	var cmds commands
	parser, err := kong.New(&cmds)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parser.Model.Children {
		if !c.Hidden && !strings.Contains(all.String(), "`nacre "+c.Name) && !strings.Contains(all.String(), "nacre "+c.Name+" ") {
			t.Errorf("nothing is said of nacre %s", c.Name)
		}
	}
	known := configs.Example()
	for _, name := range regexp.MustCompile(`\bNACRE_[A-Z_]+`).FindAllString(all.String(), -1) {
		if name = strings.TrimSuffix(name, "_FILE"); !strings.Contains(known, name+":") && name != "NACRE_CONFIG" {
			t.Errorf("%s is no setting", name)
		}
	}
}
