package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var comment = regexp.MustCompile(`(?m)^#.*\n`)

// stages reads the Dockerfile: its directives, each on one line, by stage.
func stages(t *testing.T) [][]string {
	t.Helper()
	text := comment.ReplaceAllString(read(t, "../../Dockerfile"), "")
	text = strings.ReplaceAll(text, "\\\n", "")
	var all [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "FROM ") {
			all = append(all, nil)
		}
		if line != "" {
			all[len(all)-1] = append(all[len(all)-1], line)
		}
	}
	if len(all) != 2 {
		t.Fatalf("the Dockerfile has %d stages", len(all))
	}
	return all
}

func TestDockerfileSetsTheSame(t *testing.T) {
	var got v1.Config
	for _, line := range stages(t)[1] {
		name, value, _ := strings.Cut(strings.ReplaceAll(line, "$VERSION", "1.2.3"), " ")
		if err := set(&got, name, value); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if want := config("1.2.3"); !reflect.DeepEqual(got, want) {
		t.Errorf("the Dockerfile says\n%+v %+v\nwant\n%+v %+v", got, got.Healthcheck, want, want.Healthcheck)
	}
}

// set does what a directive says.
func set(c *v1.Config, name, value string) error {
	switch name {
	case "FROM", "ARG": // these set nothing
	case "COPY":
		if value != "--from=build /rootfs /" {
			return errors.New("not the tree that the other stage installs")
		}
	case "ENV":
		c.Env = append(c.Env, value)
	case "LABEL":
		key, text, _ := strings.Cut(value, "=")
		put(&c.Labels, key, text)
	case "VOLUME":
		put(&c.Volumes, value, struct{}{})
	case "EXPOSE":
		put(&c.ExposedPorts, value+"/tcp", struct{}{})
	case "USER":
		c.User = value
	case "WORKDIR":
		c.WorkingDir = value
	case "ENTRYPOINT":
		return json.Unmarshal([]byte(value), &c.Entrypoint)
	case "CMD":
		return json.Unmarshal([]byte(value), &c.Cmd)
	case "HEALTHCHECK":
		return setHealthcheck(c, value)
	default:
		return errors.New("unknown directive")
	}
	return nil
}

func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

func setHealthcheck(c *v1.Config, value string) error {
	options, command, _ := strings.Cut(value, " CMD ")
	h := &v1.HealthConfig{}
	flags := flag.NewFlagSet("HEALTHCHECK", flag.ContinueOnError)
	flags.DurationVar(&h.Interval, "interval", 0, "")
	flags.DurationVar(&h.Timeout, "timeout", 0, "")
	flags.DurationVar(&h.StartPeriod, "start-period", 0, "")
	flags.IntVar(&h.Retries, "retries", 0, "")
	if err := flags.Parse(strings.Fields(options)); err != nil {
		return err
	}
	var args []string
	err := json.Unmarshal([]byte(command), &args)
	h.Test = append([]string{"CMD"}, args...)
	c.Healthcheck = h
	return err
}

var (
	installed = regexp.MustCompile(`install (-[dD]) -m (\d+)(?: -o (\d+) -g (\d+))? (?:\S+ )?/rootfs(/\S+)`)
	compiled  = regexp.MustCompile(`(CGO_ENABLED=.*\sgo build .*) -o (\S+) \./cmd/nacre`)
)

func TestDockerfileInstallsTheSame(t *testing.T) {
	got := map[string]string{}
	for _, line := range stages(t)[0] {
		if m := compiled.FindStringSubmatch(line); m != nil {
			got[strings.TrimPrefix(m[2], "/rootfs")] = "755 0:0"
		}
		for _, m := range installed.FindAllStringSubmatch(line, -1) {
			file, owner, group := m[5], m[3], m[4]
			if m[1] == "-D" {
				for dir := path.Dir(file); dir != "/"; dir = path.Dir(dir) {
					got[dir] = "755 0:0"
				}
			}
			got[file] = fmt.Sprintf("%s %d:%d", strings.TrimLeft(m[2], "0"), number(owner), number(group))
		}
	}
	want := map[string]string{}
	for _, e := range tree(nil, nil, nil, nil) {
		want[path.Clean("/"+e.path)] = fmt.Sprintf("%o %d:%d", e.mode, e.owner, e.owner)
	}
	if !maps.Equal(got, want) {
		t.Errorf("the Dockerfile installs\n%v\nwant\n%v", got, want)
	}
}

// number is the owner that a text names, root where it is empty.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func TestDockerfileCompilesTheSame(t *testing.T) {
	ours := compiled.FindStringSubmatch(strings.ReplaceAll(read(t, "compile"), "\\\n", ""))
	theirs := compiled.FindStringSubmatch(strings.Join(stages(t)[0], "\n"))
	if ours == nil || theirs == nil {
		t.Fatal("a call of go build is missing")
	}
	names := strings.NewReplacer("$VERSION", "$version", "TARGETOS", "os", "TARGETARCH", "arch", "TARGETVARIANT", "variant")
	got, want := strings.Fields(names.Replace(theirs[1])), strings.Fields(ours[1])
	if !slices.Equal(got, want) {
		t.Errorf("the Dockerfile compiles with\n%q\nand build with\n%q", got, want)
	}
}

func TestDockerfileHasTheToolchainOfTheModule(t *testing.T) {
	major := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../../go.mod"))
	if major == nil {
		t.Fatal("go.mod names no version of Go")
	}
	if from := stages(t)[0][0]; !strings.Contains(from, " golang:"+major[1]+" ") {
		t.Errorf("%q does not name Go %s", from, major[1])
	}
}
