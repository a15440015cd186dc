package web

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// described is openapi.yaml.
func described(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// everyRoute is all that the API serves, by method and path.
func everyRoute() map[string]route {
	all := map[string]route{}
	for _, r := range append(routes(plainDesk{}), talkRoute(nil, plainDesk{}, nil)) {
		all[r.pattern] = r
	}
	return all
}

// typed is a route whose question and answer have types.
type typed interface{ types() (in, out reflect.Type) }

func (exchange[Part, In, Out]) types() (in, out reflect.Type) {
	return reflect.TypeFor[In](), reflect.TypeFor[Out]()
}

// untyped are the routes that serve something else than JSON, with what they ask.
var untyped = map[string]reflect.Type{
	"POST /api/whatsapp/link": reflect.TypeFor[linkRequest](),
	"GET /api/memory/export":  reflect.TypeFor[struct{}](),
	"GET /api/export/archive": reflect.TypeFor[struct{}](),
	"POST /api/import":        reflect.TypeFor[ImportWish](), // in its query
}

func TestDescriptionIsSound(t *testing.T) {
	if err := described(t).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDescriptionHasEveryRoute(t *testing.T) {
	served := slices.Collect(maps.Keys(everyRoute()))
	served = append(served, "GET /healthz", "GET /gmail", "POST /gmail", "GET /login", "POST /login", "POST /login/password", "POST /logout", "GET /ws")
	var told []string
	for path, item := range described(t).Paths.Map() {
		for method := range item.Operations() {
			told = append(told, method+" "+path)
		}
	}
	slices.Sort(served)
	slices.Sort(told)
	for _, r := range served {
		if !slices.Contains(told, r) {
			t.Errorf("%s is not described", r)
		}
	}
	for _, r := range told {
		if !slices.Contains(served, r) {
			t.Errorf("%s is described and not there", r)
		}
	}
}

// What is described of each route is what the types of the program say: every
// name that goes in or comes out, of what kind it is, and who may ask.
func TestDescriptionHasEveryName(t *testing.T) {
	doc := described(t)
	for pattern, r := range everyRoute() {
		t.Run(pattern, func(t *testing.T) {
			method, path, _ := strings.Cut(pattern, " ")
			op := doc.Paths.Find(path).GetOperation(method)
			if got := slices.Contains(op.Tags, "Operator"); got != r.operator {
				t.Errorf("it is described as the operator's alone: %v", got)
			}
			in := untyped[pattern]
			if ty, ok := r.serve.(typed); ok {
				var out reflect.Type
				in, out = ty.types()
				answer := op.Responses.Status(200).Value.Content.Get("application/json")
				compare(t, "answer", answer.Schema, out, true)
			}
			if pattern == "POST /api/import" {
				lines := op.Responses.Status(200).Value.Content.Get("application/x-ndjson")
				compare(t, "line", lines.Schema, reflect.TypeFor[importLine](), true)
				method = "GET"
			}
			question(t, op, method, in)
		})
	}
}

// question compares what a route asks with its description.
func question(t *testing.T, op *openapi3.Operation, method string, in reflect.Type) {
	t.Helper()
	names := namesOf(in)
	switch {
	case method == "GET":
		for _, p := range op.Parameters {
			f, ok := names[p.Value.Name]
			if !ok {
				t.Errorf("%q is described and not asked for", p.Value.Name)
				continue
			}
			compare(t, p.Value.Name, p.Value.Schema, f.Type, false)
			delete(names, p.Value.Name)
		}
		for name := range names {
			t.Errorf("%q is not described", name)
		}
	case len(names) == 0:
		if op.RequestBody != nil {
			t.Error("a question is described and not asked for")
		}
	case op.RequestBody == nil:
		t.Error("no question is described")
	default:
		compare(t, "question", op.RequestBody.Value.Content.Get("application/json").Schema, in, false)
	}
}

// compare compares a type with its schema, and all that it is made of.
func compare(t *testing.T, at string, ref *openapi3.SchemaRef, typ reflect.Type, answer bool) {
	t.Helper()
	s := ref.Value
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	want := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer",
		reflect.Slice: "array", reflect.Map: "object", reflect.Struct: "object"}[typ.Kind()]
	bytes := typ == reflect.TypeFor[[]byte]()
	if bytes || typ == reflect.TypeFor[time.Time]() {
		want = "string"
	}
	switch {
	case !s.Type.Is(want):
		t.Errorf("%s is described as %v, want %s", at, s.Type, want)
	case typ == reflect.TypeFor[time.Time]():
		if s.Format != "date-time" {
			t.Errorf("%s is described as %q, want a time", at, s.Format)
		}
	case bytes:
		if s.Format != "byte" {
			t.Errorf("%s is described as %q, want base64", at, s.Format)
		}
	case typ.Kind() == reflect.Slice:
		compare(t, at+"[]", s.Items, typ.Elem(), answer)
	case typ.Kind() == reflect.Map:
		compare(t, at+"{}", s.AdditionalProperties.Schema, typ.Elem(), answer)
	case typ.Kind() == reflect.Struct:
		compareFields(t, at, s, typ, answer)
	}
}

func compareFields(t *testing.T, at string, s *openapi3.Schema, typ reflect.Type, answer bool) {
	t.Helper()
	if s.AdditionalProperties.Has == nil || *s.AdditionalProperties.Has {
		t.Errorf("%s is described as open for other names", at)
	}
	names := namesOf(typ)
	for name, p := range s.Properties {
		f, ok := names[name]
		if !ok {
			t.Errorf("%s.%s is described and not there", at, name)
			continue
		}
		if always := !strings.Contains(f.Tag.Get("json"), ",omit"); answer && slices.Contains(s.Required, name) != always {
			t.Errorf("%s.%s is always there: %v; the description says otherwise", at, name, always)
		}
		compare(t, at+"."+name, p, f.Type, answer)
		delete(names, name)
	}
	for name := range names {
		t.Errorf("%s.%s is not described", at, name)
	}
}

// namesOf are the fields of a type by their names in JSON.
func namesOf(typ reflect.Type) map[string]reflect.StructField {
	names := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous || name == "-":
		case name == "":
			names[f.Name] = f
		default:
			names[name] = f
		}
	}
	return names
}

// Frames are described in words; these must have all of their names.
func TestFramesAreDescribed(t *testing.T) {
	for _, k := range []frameKind{frameReady, frameSay, frameStored, frameSaid, framePart, frameShown, framePress, frameChosen, frameStream, frameTyping, frameChange, frameError} {
		if !strings.Contains(guide(t), `{"t":"`+string(k)+`"`) {
			t.Errorf("API.md does not tell of the frame %q", k)
		}
	}
	for name := range namesOf(reflect.TypeFor[frame]()) {
		if !strings.Contains(guide(t), `"`+name+`":`) {
			t.Errorf("API.md does not tell what %q is in a frame", name)
		}
	}
	for _, topic := range []Topic{TopicMemory, TopicFiles, TopicJobs, TopicSettings, TopicAccess, TopicChannels, TopicForgotten} {
		if !strings.Contains(guide(t), "`"+string(topic)+"`") {
			t.Errorf("API.md does not tell of the topic %q", topic)
		}
	}
}

// What the guide for people has of paths and kinds is there.
func TestGuideIsRight(t *testing.T) {
	doc := described(t)
	for _, word := range strings.FieldsFunc(guide(t), func(r rune) bool { return strings.ContainsRune(" \n\"'`?),|", r) }) {
		if _, path, ok := strings.Cut(word, "$NACRE"); ok && doc.Paths.Find(path) == nil {
			t.Errorf("API.md has %q, which is not described", word)
		}
	}
	for _, kind := range kindCodes {
		if !strings.Contains(guide(t), "`"+kind+"`") {
			t.Errorf("API.md does not tell of problems of the kind %q", kind)
		}
	}
}

func guide(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
