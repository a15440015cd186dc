package main

import (
	"archive/tar"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// compile builds a program that does nothing.
func compile(t *testing.T, env ...string) (path string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, source)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// static are the variables that make a binary fit for the image.
func static(arch string) []string {
	return []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=" + arch, "GOARM=7"}
}

// authorities makes a directory with two certificates.
func authorities(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, c := range []string{"A", "B"} {
		if err := os.WriteFile(filepath.Join(dir, c+".crt"), []byte("certificate "+c+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// licence stands for the licences of what others wrote.
const licence = "../../LICENSE"

// files reads a whole directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		all[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSameBinariesGiveTheSameBytes(t *testing.T) {
	binaries := []string{compile(t, static("amd64")...), compile(t, static("arm64")...)}
	trusted := authorities(t)
	build := func(epoch string) map[string]string {
		t.Helper()
		out := t.TempDir()
		if err := run(append([]string{"-out", out, "-authorities", trusted, "-others", licence}, binaries...), epoch, io.Discard); err != nil {
			t.Fatal(err)
		}
		return files(t, out)
	}
	first := build("")
	again := build("0")
	later := build("1790000000")
	for path, content := range first {
		if again[path] != content {
			t.Errorf("%s differs", path)
		}
	}
	if len(first) != len(again) || len(first) < 10 {
		t.Errorf("%d files, then %d", len(first), len(again))
	}
	if later["oci/index.json"] == first["oci/index.json"] {
		t.Error("another date gives the same index")
	}
}

func TestLayoutAndArchivesHoldTheImages(t *testing.T) {
	out := t.TempDir()
	args := []string{"-out", out, "-version", "1.2.3", "-authorities", authorities(t), "-others", licence}
	for _, arch := range []string{"amd64", "arm64", "arm"} {
		args = append(args, compile(t, static(arch)...))
	}
	var report strings.Builder
	if err := run(args, "1790000000", &report); err != nil {
		t.Fatal(err)
	}
	index := readLayout(t, filepath.Join(out, "oci"), "1.2.3")
	if err := validate.Index(index); err != nil {
		t.Errorf("the index is not valid: %v", err)
	}
	m, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, d := range m.Manifests {
		platforms = append(platforms, d.Platform.String())
		if !strings.Contains(report.String(), d.Digest.String()) {
			t.Errorf("the report lacks %s:\n%s", d.Digest, &report)
		}
		img, err := index.Image(d.Digest)
		if err != nil {
			t.Fatal(err)
		}
		compareArchive(t, img, filepath.Join(out, "nacre-"+strings.ReplaceAll(d.Platform.String(), "/", "-")+".tar"), "nacre:1.2.3")
		compareConfig(t, img, d.Platform)
	}
	if want := []string{"linux/amd64", "linux/arm64", "linux/arm/v7"}; !slices.Equal(platforms, want) {
		t.Errorf("platforms %q, want %q", platforms, want)
	}
}

// readLayout returns the only entry of a layout, which must have a name.
func readLayout(t *testing.T, dir, named string) v1.ImageIndex {
	t.Helper()
	l, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Manifests) != 1 || m.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != named {
		t.Fatalf("the layout holds %+v", m.Manifests)
	}
	index, err := l.ImageIndex(m.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// compareArchive requires an archive to hold an image under a tag.
func compareArchive(t *testing.T, img v1.Image, path, tagged string) {
	t.Helper()
	tag, err := name.NewTag(tagged)
	if err != nil {
		t.Fatal(err)
	}
	archived, err := tarball.ImageFromPath(path, &tag)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	got, _ := archived.ConfigName()
	want, err := img.ConfigName()
	if got != want || err != nil {
		t.Errorf("%s holds the image %s, want %s (%v)", path, got, want, err)
	}
}

// compareConfig requires an image to name its platform and its date.
func compareConfig(t *testing.T, img v1.Image, p *v1.Platform) {
	t.Helper()
	c, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Platform(); !got.Equals(*p) {
		t.Errorf("the image of %s says %s", p, got)
	}
	if c.Created.Unix() != 1790000000 || len(c.History) != 1 || c.Config.Labels["org.opencontainers.image.version"] != "1.2.3" {
		t.Errorf("%s: configuration %+v", p, c)
	}
}

func TestLayerHoldsTheTree(t *testing.T) {
	changed := time.Unix(1790000000, 0)
	want := tree([]byte("binary"), []byte("authorities"), []byte("licence"), []byte("others"))
	if !slices.IsSortedFunc(want, func(a, b entry) int { return strings.Compare(a.path, b.path) }) {
		t.Error("the tree is not sorted")
	}
	l, err := layer(want, changed)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := l.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	r := tar.NewReader(archive)
	for _, e := range want {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("%s: %v", e.path, err)
		}
		content, err := io.ReadAll(r)
		got := fmt.Sprintf("%s %o %d:%d %q %v", h.Name, h.Mode, h.Uid, h.Gid, content, err)
		if want := fmt.Sprintf("%s %o %d:%d %q <nil>", e.path, e.mode, e.owner, e.owner, e.content); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		if !h.ModTime.Equal(changed) || (h.Typeflag == tar.TypeDir) != strings.HasSuffix(e.path, "/") {
			t.Errorf("%s: changed %v, type %c", h.Name, h.ModTime, h.Typeflag)
		}
	}
	if h, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("there is more: %v, %v", h, err)
	}
}

func TestAuthoritiesAreJoined(t *testing.T) {
	got, err := readAuthorities(authorities(t))
	if want := "certificate A\ncertificate B\n"; string(got) != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestLargeImageIsRefused(t *testing.T) {
	noise := make([]byte, maxSize)
	rand.Read(noise)
	for _, c := range []struct {
		name string
		size int
		want bool
	}{{"below", maxSize - 100_000, true}, {"above", maxSize, false}} {
		t.Run(c.name, func(t *testing.T) {
			p := program{noise[:c.size], v1.Platform{OS: "linux", Architecture: "amd64"}}
			img, err := recipe{}.build(p)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(img, p.platform, io.Discard); (err == nil) != c.want {
				t.Errorf("%d bytes: %v", c.size, err)
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	good, trusted := compile(t, static("amd64")...), authorities(t)
	dynamic := compile(t, "CGO_ENABLED=1", "GOOS=linux", "GOARCH=amd64")
	for _, c := range []struct {
		name, epoch string
		args        []string
		says        string // empty if it is none
	}{
		{"none", "1", []string{good}, ""},
		{"no binary", "", nil, "name a binary"},
		{"missing binary", "", []string{good + "x"}, "no such file"},
		{"no Go binary", "", []string{filepath.Join(trusted, "A.crt")}, "A.crt"},
		{"binary with libraries", "", []string{dynamic}, "CGO_ENABLED"},
		{"malformed date", "yesterday", []string{good}, "SOURCE_DATE_EPOCH"},
		{"version that is no tag", "", []string{"-version", "1 2", good}, "1 2"},
		{"no licences of others", "", []string{"-others", filepath.Join(trusted, "none"), good}, "no such file"},
		{"no authorities", "", []string{"-authorities", t.TempDir(), good}, "authorities"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := run(append([]string{"-out", t.TempDir(), "-authorities", trusted, "-others", licence}, c.args...), c.epoch, io.Discard)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}
