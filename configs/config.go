// Package configs is Nacre's configuration: plain values read from one TOML
// file and the environment, checked as a whole before anything starts.
//
// A variable of the environment wins over the file, and the file over the
// default; an empty text counts as not given, and what is overridden is not
// looked at. Every setting is one row of a table (setting.go), from which
// reading, overriding, checking, the dump and the test of the example all
// follow. What is known of models comes with it: our own list (models.toml), over
// which a second file of the operator may be laid. Only cmd imports this package;
// the other parts receive the values.
package configs

import (
	_ "embed"
	"log/slog"
	"strings"
	"time"
)

// Config is the configuration in effect. Load makes it; it is not changed
// afterwards.
type Config struct {
	File        string         // the file that was read; empty if there was none
	Data        string         // the data directory
	Keys        string         // the file that holds the record keys
	MasterKey   Secret         // seals the key file; may be unset
	Zone        *time.Location // of people who named no other
	Owners      string         // admitted people, as nacre.ParseOwners reads them
	Model       string         // "provider/model" or "offline"; empty leaves the choice to us
	Fallback    []string       // models that answer when Model cannot, in this order
	MemoryModel string         // like Model, for the work on memory
	ModelsFile  string         // the operator's own part of Models; may be empty
	Models      Models         // what is known of models
	Log         Log
	Telegram    Telegram
	WhatsApp    WhatsApp
	Web         Web
	OpenAI      Provider
	Anthropic   Provider
	DeepSeek    Provider
	OpenRouter  Provider
	Ollama      string   // base URL, without a slash at its end
	Local       Provider // of any server that speaks OpenAI's protocol; without a default URL
	Agent       Agent
	Budget      Budget
	Transcribe  Transcribe
	Recall      Recall
	Heartbeat   Heartbeat
	Search      Search
	Backup      Backup
	Pprof       string // address of this machine where the program can be profiled; empty for none
	Google      string // base URL of all that is asked of Google; empty for the real places

	// Warnings are sentences about what works but is probably not meant.
	Warnings []string

	settings []setting
}

// Log says what the log shows and how.
type Log struct {
	Level  slog.Level
	Format string // "text" or "json"
}

// Telegram says how to reach the Bot API.
type Telegram struct {
	Token Secret // unset leaves Telegram off
	API   string // base URL, without a slash at its end

	// Webhook is the https URL by which Telegram reaches our page's
	// "/telegram"; empty means that we poll.
	Webhook string
}

// Web says where the page is served.
type Web struct {
	Listen string // host:port; empty leaves the page off
	URL    string // where browsers find it, if not at Listen: scheme and host
	Token  Secret // lets scripts in as the operator; may be unset

	// Where others can reach Listen one of these is given.
	TLSCert string // file of a certificate with its chain, in PEM; set with TLSKey
	TLSKey  string // file of its key
	Proxy   bool   // browsers come through a proxy alone
}

// Provider says how to reach a provider of models.
type Provider struct {
	Key     Secret
	BaseURL string // without a slash at its end
}

// Agent sets the limits of answering.
type Agent struct {
	TurnTimeout time.Duration // longest time for one answer, above 0
	Window      int           // tokens of prompt and answer together; 0 leaves it to Models
}

// Transcribe says who writes down what was said in a voice note.
type Transcribe struct {
	Model    string // of openai or local, as "provider/model"; TranscribeOff, or empty to leave the choice to us
	Provider        // of a server for this alone; without a BaseURL it is the one of Model's provider
}

// TranscribeOff is the Model of a Transcribe that is not wanted.
const TranscribeOff = off

// Recall says how what was said is found again.
type Recall struct {
	Select    Switch   // whether the memory model chooses what of it a request gets
	Check     Switch   // whether that model compares answers with it
	Embed     string   // model of openai, openrouter, local or ollama that makes vectors, as "provider/model"; empty for none
	Languages []string // of the owners, as ISO 639-1 codes; empty leaves the choice to us
	Keys      []string // steps by which a note is found by its name, in this order; empty leaves the order to us
}

// Switch says whether something is wanted.
type Switch string

// The switches. Auto is on where a memory model of its own is configured.
const (
	Auto Switch = "auto"
	On   Switch = "on"
	Off  Switch = "off"
)

// Search says how the web is searched: by one of the two, or not at all.
type Search struct {
	SearXNG  string // base URL of a SearXNG, without a slash at its end
	BraveKey Secret // for the Brave Search API
}

// Problems is every reason why a configuration cannot be used: sentences that
// say where it is wrong and what to change, none with a line break or a secret.
type Problems []string

// Error is the one sentence, or a list with a line for each.
func (p Problems) Error() string {
	if len(p) == 1 {
		return p[0]
	}
	return "the configuration has these problems:\n- " + strings.Join(p, "\n- ")
}

//go:embed example.toml
var example string

// Example returns the annotated file that names every setting: "# " begins
// prose, and "#" right before a name begins a setting that can be switched on.
func Example() string { return example }
