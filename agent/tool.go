package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// Tool is something the model may ask for during a turn.
type Tool interface {
	// Spec is constant.
	Spec() llm.ToolSpec
	// Call runs the tool for a caller, which comes from the session and never
	// from the arguments. An error's text goes to the model, so that it can
	// mend its arguments. It runs under the turn's deadline; caller.Turn together
	// with the arguments is its idempotency key, because a turn that a crash
	// interrupted runs again.
	Call(ctx context.Context, caller nacre.Caller, args json.RawMessage) (Result, error)
}

// Result is what a tool gives back.
type Result struct {
	Text   string       // for the model
	Source llm.Source   // of Text; empty means FromTool
	Files  []nacre.File // for the person, with the turn's answer
	Ask    *Ask         // ends the turn with a question

	// Tell is what the person reads of a tool, as it is, behind the model's answer.
	Tell string

	// Ends ends an errand: all that it was for is done. Where people talk it does
	// nothing.
	Ends bool
}

// Ask is a question with answers to choose from. What the person chooses, or
// writes instead, begins the next turn.
type Ask struct {
	Question string
	Options  []string
}

// Asker asks people things that it can do without a model once they answer.
type Asker interface {
	// Answer takes a message which answers something that was asked in this
	// session; false if it does not. It is called before a turn begins, and no
	// model sees what it took.
	Answer(ctx context.Context, caller nacre.Caller, m nacre.Message) (reply Result, took bool, err error)
}

// Func is a Tool made of two functions.
type Func struct {
	About func() llm.ToolSpec
	Run   func(ctx context.Context, caller nacre.Caller, args json.RawMessage) (Result, error)
}

// Spec implements Tool.
func (f Func) Spec() llm.ToolSpec { return f.About() }

// Call implements Tool.
func (f Func) Call(ctx context.Context, caller nacre.Caller, args json.RawMessage) (Result, error) {
	return f.Run(ctx, caller, args)
}

// ReadArgs reads the arguments of a tool: an object with the fields of into and no
// others. The error is for the model.
func ReadArgs(args json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if !bytes.HasPrefix(bytes.TrimSpace(args), []byte("{")) || d.Decode(into) != nil {
		return nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object as the tool's schema describes it")
	}
	return nil
}

// toolbox is the tools of an installation, in the order in which the model is
// told of them.
type toolbox struct {
	specs []llm.ToolSpec
	tools map[string]checkedTool
}

// checkedTool is a tool with the schema that its arguments must fit.
type checkedTool struct {
	Tool
	schema *jsonschema.Resolved
}

func newToolbox(tools []Tool) toolbox {
	b := toolbox{tools: map[string]checkedTool{}}
	for _, t := range tools {
		spec := t.Spec()
		var schema jsonschema.Schema
		err := json.Unmarshal(spec.Schema, &schema)
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", spec.Name, err))
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", spec.Name, err))
		}
		b.specs = append(b.specs, spec)
		b.tools[spec.Name] = checkedTool{t, resolved}
	}
	return b
}

// only is the tools with these names, and more of them behind those.
func (b toolbox) only(named func(string) bool, more []Tool) toolbox {
	kept := newToolbox(more)
	kept.specs = append(slices.DeleteFunc(slices.Clone(b.specs), func(s llm.ToolSpec) bool { return !named(s.Name) }), kept.specs...)
	for name, t := range b.tools {
		if named(name) {
			kept.tools[name] = t
		}
	}
	return kept
}

// find returns the tool that a call names, if its arguments fit. The error is
// for the model.
func (b toolbox) find(call llm.ToolCall) (Tool, error) {
	t, ok := b.tools[call.Name]
	if !ok {
		names := slices.Sorted(maps.Keys(b.tools))
		return nil, nacre.Errorf(nacre.NotFound, "there is no tool %q; there are %s", call.Name, strings.Join(names, ", "))
	}
	var args any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the arguments are not valid JSON")
	}
	if err := t.schema.Validate(args); err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the arguments do not fit the tool's schema: %v", err)
	}
	return t, nil
}

// Now is the tool that tells the date and the time. Zone is where an owner
// lives, unless the model names another place.
type Now struct {
	Zone func(owner nacre.OwnerID) *time.Location
}

// Spec implements Tool.
func (Now) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "now",
		Description: "Tells the current date, weekday and time, in the person's own time zone or in another one.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string","description":"IANA time zone such as Asia/Tokyo; leave it out for the person's own"}},"additionalProperties":false}`),
	}
}

// Call implements Tool.
func (n Now) Call(_ context.Context, c nacre.Caller, args json.RawMessage) (Result, error) {
	var in struct {
		Zone string `json:"zone"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with an optional text \"zone\"")
	}
	zone := n.Zone(c.Owner)
	if in.Zone != "" {
		var err error
		if zone, err = time.LoadLocation(in.Zone); err != nil {
			return Result{}, nacre.Errorf(nacre.Invalid, "there is no time zone %q; use an IANA name such as Asia/Tokyo", in.Zone)
		}
	}
	t := time.Now().In(zone)
	name := prompt.ZoneName(t)
	if zone != time.Local {
		name += t.Format(", UTC-07:00")
	}
	return Result{Text: t.Format("Monday, 2 January 2006, 15:04") + " (" + name + ")"}, nil
}

// AskUser is the tool that asks the person to choose. It has no state; what is
// asked ends the turn.
type AskUser struct{}

// askUser is the name of that tool.
const askUser = "ask_user"

// Limits of a question, within those of every platform's buttons.
const (
	maxQuestion = 1000 // characters
	maxOptions  = 8
	maxOption   = 60 // characters
)

// Spec implements Tool.
func (AskUser) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        askUser,
		Description: "Asks the person to choose, by buttons, and ends your turn; the choice comes as their next message. For decisions that are theirs, not for small talk.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"},"options":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":8}},"required":["question","options"],"additionalProperties":false}`),
	}
}

// Call implements Tool.
func (AskUser) Call(_ context.Context, _ nacre.Caller, args json.RawMessage) (Result, error) {
	var in struct {
		Question string   `json:"question"`
		Options  []string `json:"options"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with a text \"question\" and a list of texts \"options\"")
	}
	if strings.TrimSpace(in.Question) == "" || utf8.RuneCountInString(in.Question) > maxQuestion || len(in.Options) < 2 || len(in.Options) > maxOptions {
		return Result{}, nacre.Errorf(nacre.Invalid, "a question has at most %d characters and 2 to %d options", maxQuestion, maxOptions)
	}
	for i, o := range in.Options {
		in.Options[i] = strings.Join(strings.Fields(o), " ")
		if in.Options[i] == "" || utf8.RuneCountInString(in.Options[i]) > maxOption {
			return Result{}, nacre.Errorf(nacre.Invalid, "an option has 1 to %d characters on one line", maxOption)
		}
	}
	return Result{Text: "Asked. The answer comes as the next message.", Ask: &Ask{in.Question, in.Options}}, nil
}

// SendFile is the tool that sends the person a text as a file.
type SendFile struct{}

// sendFile is the name of that tool.
const sendFile = "send_file"

// maxFile bounds the characters of a file that the model writes.
const maxFile = 200_000

// Spec implements Tool.
func (SendFile) Spec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        sendFile,
		Description: "Sends the person a text file, such as notes, a list or a program, together with your answer. Only when they want a file.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"file name with its ending"},"content":{"type":"string"}},"required":["name","content"],"additionalProperties":false}`),
	}
}

// Call implements Tool.
func (SendFile) Call(_ context.Context, _ nacre.Caller, args json.RawMessage) (Result, error) {
	var in struct {
		Name    string `json:"name"`
		Content string `json:"content"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return Result{}, nacre.Errorf(nacre.Invalid, "the arguments are not a JSON object with the texts \"name\" and \"content\"")
	}
	name := path.Base(path.Clean("/" + strings.ReplaceAll(in.Name, "\\", "/")))
	if name == "/" || name == "." || len(name) > 100 || in.Content == "" || utf8.RuneCountInString(in.Content) > maxFile {
		return Result{}, nacre.Errorf(nacre.Invalid, "a file has a name of at most 100 bytes and 1 to %d characters", maxFile)
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}
	return Result{Text: "The file goes out with your answer.", Files: []nacre.File{{Name: name, MIME: kind, Data: []byte(in.Content)}}}, nil
}
