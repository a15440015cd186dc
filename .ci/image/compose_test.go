package main

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The compose file runs the image as it is meant to: as its user, on a file system that
// it cannot write but for its volume, and with the health check that the image brings.
func TestComposeFileFitsTheImage(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Build, Entrypoint, Command, Healthcheck any
			User                                    string
			Ports, Volumes                          []string
			ReadOnly                                bool     `yaml:"read_only"`
			CapDrop                                 []string `yaml:"cap_drop"`
			SecurityOpt                             []string `yaml:"security_opt"`
			StopGracePeriod                         string   `yaml:"stop_grace_period"`
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../configs/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	nacre, image := file.Services["nacre"], config("1.2.3")
	if want := "${NACRE_USER:-" + image.User + "}"; nacre.User != want {
		t.Errorf("it runs as %q, want %q", nacre.User, want)
	}
	if !nacre.ReadOnly || !slices.Equal(nacre.CapDrop, []string{"ALL"}) || !slices.Contains(nacre.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("it may too much: %+v", nacre)
	}
	if nacre.Build != nil || nacre.Entrypoint != nil || nacre.Command != nil || nacre.Healthcheck != nil {
		t.Errorf("it does not leave to the image what that says itself: %+v", nacre)
	}
	for volume := range image.Volumes {
		if !slices.ContainsFunc(nacre.Volumes, func(v string) bool { return strings.HasSuffix(v, ":"+volume) }) {
			t.Errorf("nothing is at %s: %q", volume, nacre.Volumes)
		}
	}
	for port := range image.ExposedPorts {
		number, _, _ := strings.Cut(port, "/")
		if want := "127.0.0.1:" + number + ":" + number; !slices.Equal(nacre.Ports, []string{want}) {
			t.Errorf("it opens %q, want %q alone", nacre.Ports, want)
		}
	}
	if _, ok := file.Volumes["nacre"]; !ok {
		t.Error("there is no volume named nacre")
	}
}
