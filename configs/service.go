package configs

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed nacre.service
var service string

//go:embed compose.yaml
var compose string

// Compose returns the compose file, which is the same for everybody: what differs
// stands in a file .env beside it.
func Compose() string { return compose }

// Service is what differs between one unit of systemd and another. All paths are
// absolute.
type Service struct {
	System    bool     // a service of the machine, with a user of its own, and not of one person
	Program   string   // the executable file
	Data      string   // the data directory; below /var/lib for a System one
	Config    string   // the configuration file; empty for the one in Data
	MasterKey string   // the file that holds the master key; empty for none
	Writes    []string // what it writes besides
	Reads     []string // what it reads besides
}

// stateRoot is where systemd keeps the data of services.
const stateRoot = "/var/lib/"

// MayBeSystem reports whether a data directory is one that systemd can give to a
// service of the machine.
func MayBeSystem(data string) bool {
	return strings.HasPrefix(data, stateRoot) && data == filepath.Clean(data)
}

// Unit is the unit file. It shuts the program in as far as systemd can: it sees
// nobody's files, writes nothing but its own, and gets no new rights.
func (s Service) Unit() string {
	unit := template.Must(template.New("unit").Funcs(template.FuncMap{"exec": execWord, "quote": quoteWord, "path": bindPath}).Parse(service))
	_, state, _ := strings.Cut(s.Data, stateRoot)
	if !s.System {
		s.Writes = append([]string{s.Data}, s.Writes...)
		s.Reads = append([]string{s.Program}, s.Reads...)
	}
	s.Writes, s.Reads = s.beside(s.Writes), s.beside(s.Reads)
	var b strings.Builder
	err := unit.Execute(&b, struct {
		Service
		State string
	}{s, state})
	if err != nil {
		panic(err) // the template is part of the program
	}
	return b.String()
}

// beside are paths, each once, without those that lie in the data directory.
func (s Service) beside(paths []string) []string {
	var out []string
	for _, p := range paths {
		if p != "" && !strings.HasPrefix(p, s.Data+"/") && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// quoteWord writes a word for systemd, which reads "%" as the beginning of a name of
// its own, and backslashes as C does.
func quoteWord(word string) string {
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(word)
	if strings.ContainsAny(word, " \t'\"\\;#") {
		return `"` + word + `"`
	}
	return word
}

// execWord is quoteWord in a command line, where "$" begins a variable.
func execWord(word string) string { return quoteWord(strings.ReplaceAll(word, "$", "$$")) }

// bindPath is quoteWord where a colon separates two paths.
func bindPath(path string) string { return quoteWord(strings.ReplaceAll(path, ":", `\:`)) }
