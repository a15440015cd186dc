package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"nacre"
	"nacre/configs"
	"nacre/web"
)

// patience is how long each check waits for an answer, from the network or
// from the running server.
const patience = 5 * time.Second

type doctorCommand struct {
	Security bool `help:"Look at how safe everything is, instead of how well."`
	Deep     bool `help:"Verify the audit log of memory from its beginning too, which takes longer."`
	Fix      bool `help:"First put right what can be put right without losing or sending anything."`
	DryRun   bool `help:"With --fix: only say what it would do."`
	JSON     bool `help:"Print it as JSON."`
}

// Run looks at everything that Nacre stands on and says what to do where it is
// not well. Problems end it with exit code 1, and a configuration that cannot
// be read with 2; warnings are fine.
func (d doctorCommand) Run(c call) error {
	var dx diagnosis
	cfg, err := configs.Load(c.environ, c.file, checkOwners)
	if err == nil {
		dx = d.diagnose(c.ctx, cfg, unitPaths(c.getenv))
	} else {
		dx = diagnoseUnconfigured(err)
	}
	if d.JSON {
		e := json.NewEncoder(c.out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(dx); err != nil {
			return err
		}
	} else if err := newSheet(c).print(dx); err != nil {
		return err
	}
	return dx.verdict(err == nil)
}

// diagnosis is everything that the doctor found.
type diagnosis struct {
	Version  string    `json:"version"`
	Go       string    `json:"go"`
	Platform string    `json:"platform"`
	Fixed    []string  `json:"fixed,omitempty"` // what --fix did, would do or could not do
	Findings []finding `json:"findings"`
}

// finding is the result of one check.
type finding struct {
	Group string `json:"group"`
	Name  string `json:"name"`
	Level level  `json:"level"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do, or a hint; empty where Found says it
}

// level says how bad a finding is.
type level string

// The levels. Only a problem keeps Nacre from doing its work.
const (
	fine    level = "ok"
	warning level = "warning"
	problem level = "problem"
)

func (d *diagnosis) add(group string, findings ...finding) {
	for _, f := range findings {
		f.Group = group
		d.Findings = append(d.Findings, f)
	}
}

func (d *diagnosis) count(l level) (n int) {
	for _, f := range d.Findings {
		if f.Level == l {
			n++
		}
	}
	return n
}

// summary is the last line.
func (d *diagnosis) summary() string {
	return fmt.Sprintf("%s and %s", number(d.count(problem), "problem", "problems"), number(d.count(warning), "warning", "warnings"))
}

// verdict is the error that sets the exit code and is printed behind the
// findings; nil if there is no problem.
func (d *diagnosis) verdict(configured bool) error {
	switch {
	case !configured:
		return nacre.Errorf(nacre.Invalid, "%s; nothing else can be looked at before the configuration is right", d.summary())
	case d.count(problem) > 0:
		return errors.New(d.summary() + "; do what the lines say, then run nacre doctor again")
	}
	return nil
}

// number counts things, in English.
func number(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

func newDiagnosis() diagnosis {
	return diagnosis{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
}

// diagnoseUnconfigured says what is wrong with a configuration, and the little
// that can be said without one.
func diagnoseUnconfigured(err error) diagnosis {
	d := newDiagnosis()
	var problems configs.Problems
	if !errors.As(err, &problems) {
		problems = configs.Problems{err.Error()}
	}
	for _, p := range problems {
		d.add("Configuration", finding{Name: "setting", Level: problem, Found: p})
	}
	d.add("Time", checkClock(time.Now(), nil))
	return d
}

// examination is one run of the doctor with a configuration that can be used.
type examination struct {
	cfg     *configs.Config
	models  []string    // that answer, the usual one first
	deep    bool        // the audit log is verified too
	units   []string    // where a unit of systemd for Nacre would be
	running bool        // a server answers on the socket
	status  *web.Status // what it says; nil if it does not

	mu     sync.Mutex
	clocks []clockOffset // guarded by mu
}

// check is one look at something, told under the heading of its group.
type check struct {
	group string
	look  func(context.Context) []finding
}

// diagnose asks for a running server first, because other checks depend on it.
// All the others run at once; what the clock says comes last, when the clocks
// of others are known.
func (d doctorCommand) diagnose(ctx context.Context, cfg *configs.Config, units []string) diagnosis {
	x := &examination{cfg: cfg, models: modelNames(ctx, cfg), deep: d.Deep, units: units}
	var done []string
	if d.Fix {
		done = x.fix(d.DryRun)
	}
	server := x.askServer(ctx)
	if d.Security {
		dx := examine(ctx, x.safety())
		dx.Fixed = done
		return dx
	}
	dx := examine(ctx, x.health(server))
	dx.Fixed = done
	dx.add("Time", checkZone(time.Now(), cfg.Zone), checkClock(time.Now(), x.clocks))
	return dx
}

// health are the checks of whether all works.
func (x *examination) health(server []finding) []check {
	return []check{
		{"Configuration", x.settings},
		{"Data", x.directory},
		{"Data", x.space},
		{"Data", x.database},
		{"Data", x.keyFile},
		{"Data", x.folders},
		{"Data", x.litter},
		{"Data", x.backups},
		{"Server", func(context.Context) []finding { return server }},
		{"Server", x.page},
		{"Server", x.certificate},
		{"Server", x.work},
		{"Server", x.service},
		{"Channels", x.telegram},
		{"Channels", x.whatsapp},
		{"Model", x.model},
		{"Tools", x.tools},
	}
}

// safety are the checks of who could read what is nobody else's business, or do
// what only owners may.
func (x *examination) safety() []check {
	return []check{
		{"Files", x.modes},
		{"Files", x.keyPlace},
		{"Secrets", x.secrets},
		{"Secrets", x.weakSettings},
		{"Network", x.listeners},
		{"Network", x.plainHosts},
		{"People", x.admission},
		{"Program", x.user},
		{"Program", x.protocol},
		{"Program", x.memoryDumps},
	}
}

// examine runs the checks at once, and keeps their order.
func examine(ctx context.Context, checks []check) diagnosis {
	found := make([][]finding, len(checks))
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() { found[i] = c.look(ctx) })
	}
	all.Wait()
	d := newDiagnosis()
	for i, c := range checks {
		d.add(c.group, found[i]...)
	}
	return d
}

// settings tells where the configuration comes from, and its warnings. That it
// has no problems is why there is one.
func (x *examination) settings(context.Context) []finding {
	file := finding{Name: "file", Level: fine, Found: x.cfg.File}
	if x.cfg.File == "" {
		file.Found = "none; the environment and the defaults are used"
		file.Do = "nacre config --example prints one to begin with"
	}
	list := []finding{file}
	for _, w := range x.cfg.Warnings {
		list = append(list, finding{Name: "setting", Level: warning, Found: w})
	}
	return append(list, x.owners())
}

// owners counts who is admitted by name. The database may know more, who came
// in by a code.
func (x *examination) owners() finding {
	list, _ := nacre.ParseOwners(x.cfg.Owners) // read without an error when it was loaded
	addresses := 0
	for _, o := range list {
		addresses += len(o)
	}
	f := finding{Name: "owners", Level: fine, Found: number(len(list), "owner", "owners") + " with " + number(addresses, "address", "addresses")}
	if addresses == 0 {
		f.Found = "the configuration names none"
		f.Do = "write to the bot, and admit yourself with the code that it shows: nacre pair CODE"
	}
	return f
}
