package configs

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var (
	switchedOff = regexp.MustCompile(`(?m)^#([a-z])`)
	secretFiles = regexp.MustCompile(`(?m)^[a-z_]*(key|token)_file = .*\n`)
	otherSearch = regexp.MustCompile(`(?m)^brave_key = .*\n`) // of two searches one can be set
	indented    = regexp.MustCompile(`(?m)^#   (.*)$`)
	mentioned   = regexp.MustCompile(`(?m)^# ([A-Z_]+)(:|$)`)
)

func TestExampleAsIs(t *testing.T) {
	c, none := mustLoad(t, Example()), mustLoad(t, "")
	if got, want := strings.ReplaceAll(c.Dump(), c.File, ""), strings.ReplaceAll(none.Dump(), none.File, ""); got != want {
		t.Errorf("the example changes the defaults:\n%s\nwant\n%s", got, want)
	}
}

func TestExampleNamesEverything(t *testing.T) {
	var root map[string]any
	if err := toml.Unmarshal([]byte(switchedOff.ReplaceAllString(Example(), "$1")), &root); err != nil {
		t.Fatal(err)
	}
	settings := newSettings(&Config{}, "", checkOwners)
	got, want := slices.Sorted(maps.Keys(flatten(root))), slices.Sorted(maps.Values(variables(settings)))
	if !slices.Equal(got, want) {
		t.Errorf("the example has the keys\n%q\nwant\n%q", got, want)
	}
	var vars []string
	for _, m := range mentioned.FindAllStringSubmatch(Example(), -1) {
		vars = append(vars, m[1])
	}
	for i, s := range settings {
		if i >= len(vars) || vars[i] != s.env {
			t.Fatalf("the example names the variables %q, and not %s as number %d", vars, s.env, i)
		}
	}
}

func TestExampleSwitchedOn(t *testing.T) {
	doc := secretFiles.ReplaceAllString(switchedOff.ReplaceAllString(Example(), "$1"), "")
	doc = strings.Replace(doc, "~/.nacre/models.toml", write(t, t.TempDir(), "models.toml", ownModels(t)), 1)
	doc = otherSearch.ReplaceAllString(doc, "")
	c, none := mustLoad(t, doc), mustLoad(t, "")
	for i, s := range c.settings {
		if (s.source == "" || s.source == "default") && s.key != "search.brave_key" {
			t.Errorf("%s is not in the example", s.key)
		}
		if got, want := s.field.String(), none.settings[i].field.String(); s.fallback != "" && got != want {
			t.Errorf("%s: the example says %s, the default is %s", s.key, got, want)
		}
	}
	eachUnset(reflect.ValueOf(*c), "Config", func(name string) {
		// The level called info is the zero of its type.
		if name != "Config.Log.Level" && name != "Config.Warnings" && name != "Config.Search.BraveKey" {
			t.Errorf("no setting fills %s", name)
		}
	})
	model, ok := c.Models.Lookup("openai/name-of-the-model")
	if !ok || model.Window == 0 || model.Output == 0 || !model.Blind || *model.Price != (Price{1.25, 10, 0.125, 1.25}) {
		t.Errorf("the example of a file of models gives %+v", model)
	}
}

// ownModels is the file of models that the example shows.
func ownModels(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, m := range indented.FindAllStringSubmatch(Example(), -1) {
		b.WriteString(m[1] + "\n")
	}
	if b.Len() == 0 {
		t.Fatal("the example shows no file of models")
	}
	return b.String()
}

// eachUnset calls report for every exported field that has its zero value.
func eachUnset(v reflect.Value, name string, report func(name string)) {
	if _, secret := v.Interface().(Secret); v.Kind() == reflect.Struct && !secret {
		for field, value := range v.Fields() {
			if field.IsExported() {
				eachUnset(value, name+"."+field.Name, report)
			}
		}
		return
	}
	if v.IsZero() {
		report(name)
	}
}
