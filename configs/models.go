package configs

import (
	"cmp"
	"regexp"
	"strings"
)

// Models is what is known of models, by name: our own list with the operator's
// on top. It is not changed once it is loaded.
type Models map[string]Model

// Model is what is known of one model. Zero numbers are unknown.
type Model struct {
	Name   string // "provider/model", as it is listed
	Window int    // tokens of prompt and answer together
	Output int    // most tokens of an answer
	Blind  bool   // takes no images
	Price  *Price // nil is unknown
}

// Price is what a model costs, in dollars for a million tokens.
type Price struct {
	Input      float64 // of the prompt
	Output     float64
	CacheRead  float64 // of what the provider had kept of the prompt; Input where it is not listed
	CacheWrite float64 // of what it is to keep; Input where it is not listed
}

// variant is what may follow the name of a listed model: the date of a version,
// as OpenAI and Anthropic write it, and a tag, as Ollama and OpenRouter do.
var variant = regexp.MustCompile(`^(-\d{4}-\d{2}-\d{2}|-\d{8})?(:[^/:]+)?$`)

// freeTag ends the names of what OpenRouter serves for nothing.
const freeTag = ":free"

// Lookup finds a model by its own name, else by the longest listed name of which
// it is a variant. What runs on one's own machines is known to be free even
// where nothing else is known of it. It returns false if nothing is known.
func (m Models) Lookup(name string) (Model, bool) {
	model, ok := m.find(name)
	provider, _, _ := strings.Cut(name, "/")
	own := provider == "ollama" || provider == "local" || provider == offline
	if own && model.Price == nil || strings.HasSuffix(name, freeTag) && model.Name != name {
		model.Name = cmp.Or(model.Name, name)
		model.Price = &Price{}
		return model, true
	}
	return model, ok
}

func (m Models) find(name string) (found Model, ok bool) {
	for listed, model := range m {
		rest, begins := strings.CutPrefix(name, listed)
		if begins && len(listed) > len(found.Name) && variant.MatchString(rest) {
			found, ok = model, true
		}
	}
	return found, ok
}
