package nacre_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed says which packages of Nacre a room may import, and which modules
// from outside. "" is the root package. A room that is not listed may not
// exist yet; a new one is argued for here first.
var allowed = map[string]struct{ rooms, modules []string }{
	"":                             {nil, nil},
	"agent":                        {[]string{"", "memory", "agent/llm", "agent/prompt"}, []string{"github.com/google/jsonschema-go"}},
	"agent/agenda":                 {[]string{"", "agent", "agent/llm", "agent/phrase", "jobs/timetable", "memory/render"}, nil},
	"agent/browse":                 {[]string{"", "agent", "agent/llm"}, []string{"codeberg.org/readeck/go-readability/v2", "github.com/JohannesKaufmann/html-to-markdown/v2", "golang.org/x/net"}},
	"agent/calc":                   {[]string{"", "agent", "agent/llm"}, nil},
	"agent/distill":                {[]string{"", "memory", "memory/canon", "agent/llm", "agent/phrase"}, nil},
	"agent/gmail":                  {[]string{"", "agent", "agent/llm", "agent/phrase"}, []string{"google.golang.org/api", "golang.org/x/oauth2", "github.com/emersion/go-message"}},
	"agent/gmail/gmailtest":        {nil, nil},
	"agent/heartbeat":              {[]string{"", "agent", "agent/llm"}, nil},
	"agent/notebook":               {[]string{"", "memory", "memory/canon", "memory/recall/keys", "memory/render", "agent", "agent/distill", "agent/llm", "agent/phrase"}, []string{"golang.org/x/text"}},
	"agent/recollect":              {[]string{"", "memory", "memory/canon", "memory/recall", "memory/recall/keys", "memory/recall/terms", "memory/render", "agent", "agent/llm", "agent/phrase", "agent/prompt"}, nil},
	"agent/reflect":                {[]string{"", "memory", "agent/distill", "agent/llm", "agent/phrase"}, nil},
	"agent/llm":                    {nil, nil},
	"agent/llm/anthropic":          {[]string{"agent/llm", "agent/llm/wire"}, nil},
	"agent/llm/embed":              {[]string{"agent/llm", "agent/llm/wire"}, nil},
	"agent/llm/llmtest":            {[]string{"agent/llm"}, nil},
	"agent/llm/offline":            {[]string{"agent/llm", "agent/phrase"}, nil},
	"agent/llm/ollama":             {[]string{"agent/llm", "agent/llm/wire"}, nil},
	"agent/llm/openai":             {[]string{"agent/llm", "agent/llm/wire"}, nil},
	"agent/llm/wire":               {[]string{"agent/llm"}, nil},
	"agent/mail":                   {nil, []string{"github.com/emersion/go-message", "golang.org/x/net", "golang.org/x/text"}},
	"agent/media":                  {[]string{"", "agent/llm"}, []string{"github.com/ledongthuc/pdf", "golang.org/x/image", "golang.org/x/text"}},
	"agent/phrase":                 {[]string{""}, nil},
	"agent/prompt":                 {[]string{"", "agent/llm"}, nil},
	"agent/style":                  {[]string{"", "memory", "memory/canon", "agent/llm", "agent/mail", "agent/prompt"}, nil},
	"cmd/nacre":                    {[]string{"*"}, []string{"charm.land/huh/v2", "github.com/alecthomas/kong", "github.com/rivo/uniseg", "github.com/schollz/progressbar/v3", "golang.org/x/term", "rsc.io/qr"}},
	"configs":                      {nil, []string{"github.com/pelletier/go-toml/v2", "github.com/agnivade/levenshtein"}},
	"gateway":                      {[]string{""}, nil},
	"gateway/gatewaytest":          {[]string{"", "gateway"}, nil},
	"gateway/gatewaytest/wadouble": {[]string{"gateway/gatewaytest"}, []string{"go.mau.fi/whatsmeow", "go.mau.fi/libsignal", "google.golang.org/protobuf", "github.com/gorilla/websocket"}},
	"gateway/live":                 {[]string{"", "gateway"}, nil},
	"gateway/markup":               {[]string{""}, []string{"github.com/yuin/goldmark", "github.com/rivo/uniseg"}},
	"gateway/telegram":             {[]string{"", "gateway", "gateway/markup"}, []string{"github.com/go-telegram-bot-api/telegram-bot-api/v5"}},
	"gateway/terminal":             {[]string{"", "gateway", "gateway/live"}, []string{"golang.org/x/term"}},
	"gateway/whatsapp":             {[]string{"", "gateway", "gateway/markup"}, []string{"go.mau.fi/util", "go.mau.fi/whatsmeow", "go.mau.fi/libsignal", "google.golang.org/protobuf", "modernc.org/sqlite"}},
	"jobs":                         {[]string{"", "jobs/timetable", "memory/render"}, []string{"github.com/go-co-op/gocron/v2", "github.com/google/uuid", "github.com/jonboulle/clockwork"}},
	"jobs/timetable":               {[]string{""}, []string{"github.com/robfig/cron/v3"}},
	"memory":                       {[]string{"", "memory/canon"}, nil},
	"memory/audit":                 {[]string{""}, []string{"golang.org/x/mod"}},
	"memory/backup":                {[]string{""}, []string{"filippo.io/age"}},
	"memory/canon":                 {nil, []string{"github.com/blevesearch/snowballstem", "golang.org/x/text"}},
	"memory/folder":                {[]string{"", "memory", "memory/canon", "memory/render"}, []string{"github.com/fsnotify/fsnotify"}},
	"memory/ledger":                {[]string{"", "memory", "memory/audit", "memory/vault"}, []string{"modernc.org/sqlite"}},
	"memory/moving":                {[]string{"", "memory"}, nil},
	"memory/recall":                {[]string{"", "memory", "memory/recall/terms"}, nil},
	"memory/recall/keys":           {[]string{"memory", "memory/recall/terms"}, nil},
	"memory/recall/recallbench":    {[]string{"", "memory", "memory/recall"}, nil},
	"memory/recall/terms":          {[]string{"memory/canon"}, []string{"github.com/blevesearch/snowballstem", "golang.org/x/text"}},
	"memory/render":                {[]string{"", "memory"}, nil},
	"memory/vault":                 {[]string{""}, nil},
	"web":                          {[]string{"", "gateway", "gateway/live", "memory", "memory/render"}, []string{"github.com/gorilla/websocket", "golang.org/x/crypto", "golang.org/x/text", "rsc.io/qr"}},
	"web/metrics":                  {[]string{""}, []string{"github.com/prometheus/client_golang"}},
	"web/webtest":                  {nil, []string{"github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "golang.org/x/image"}},
}

// TestDirections compares every import, tests left out, with the table.
func TestDirections(t *testing.T) {
	packages := list(t)
	if len(packages) != len(allowed) {
		t.Errorf("%d packages exist and %d are in the table", len(packages), len(allowed))
	}
	for _, p := range packages {
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "nacre"), "/")
		may, ok := allowed[room]
		if !ok {
			t.Errorf("package %q is not in the table of directions", room)
			continue
		}
		for _, i := range p.Imports {
			if !permitted(i, may.rooms, may.modules) {
				t.Errorf("%q must not import %q", room, i)
			}
		}
	}
}

func TestDirectionsCanFail(t *testing.T) {
	for _, c := range []struct {
		path string
		want bool
	}{
		{"fmt", true}, {"net/http", true}, {"nacre", true}, {"nacre/memory", true}, {"golang.org/x/term", true},
		{"nacre/agent", false}, {"nacre/memory/ledger", false}, {"golang.org/x/text", false}, {"modernc.org/sqlite/lib", false},
	} {
		if got := permitted(c.path, []string{"", "memory"}, []string{"golang.org/x/term"}); got != c.want {
			t.Errorf("%s permitted: %v, want %v", c.path, got, c.want)
		}
	}
}

// permitted reports whether an import is of the standard library, of a listed
// room, or of a listed module.
func permitted(path string, rooms, modules []string) bool {
	if room, ours := strings.CutPrefix(path, "nacre/"); ours || path == "nacre" {
		if path == "nacre" {
			room = ""
		}
		return slices.Contains(rooms, "*") || slices.Contains(rooms, room)
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return true
	}
	return slices.ContainsFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
