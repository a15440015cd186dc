// Command nacre is the personal assistant: one program that serves, and the
// subcommands that speak with it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // zones work where the system has none

	"github.com/alecthomas/kong"

	"nacre"
	"nacre/configs"
)

// version is set when a release is built.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Environ(), console{os.Stdin, os.Stdout, os.Stderr}))
}

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// Exit codes.
const (
	exitOK    = 0
	exitFault = 1 // something failed
	exitUsage = 2 // the command line, the configuration or the machine must be changed first
)

type commands struct {
	Config string `help:"Configuration file." placeholder:"FILE"`

	Serve       serveCommand   `cmd:"" default:"withargs" help:"Run the assistant (the default)."`
	Setup       setupCommand   `cmd:"" help:"Set everything up by answering a few questions; it may be run again at any time."`
	Chat        chatCommand    `cmd:"" help:"Talk to the assistant in this terminal."`
	Pair        pairCommand    `cmd:"" help:"Admit the person who was shown a code, or link another app of yours."`
	Status      statusCommand  `cmd:"" help:"Show how the assistant is doing."`
	Memory      memoryCommand  `cmd:"" help:"Look at what is remembered, correct it and forget it."`
	Jobs        jobsCommand    `cmd:"" help:"Look at reminders and tasks, make, change and run them."`
	Import      importCommand  `cmd:"" help:"Bring over what other assistants know about you, and what you said to them."`
	Gmail       gmailCommand   `cmd:"" help:"Connect Gmail, from which Nacre learns how you write, and disconnect it."`
	Export      exportCommand  `cmd:"" help:"Print all that is remembered, or take everything along as an archive."`
	Backup      backupCommand  `cmd:"" help:"Make a copy of everything while Nacre runs, and see to the recovery key."`
	Restore     restoreCommand `cmd:"" help:"Bring a backup back, or rehearse it."`
	Verify      verifyCommand  `cmd:"" help:"Check that the audit log of memory was not tampered with."`
	Rebuild     rebuildCommand `cmd:"" help:"Make notes and files anew from the log of memory."`
	Web         webCommand     `cmd:"" help:"Open the web page, and see who else may."`
	Healthcheck healthCommand  `cmd:"" help:"Exit with 0 if the assistant runs and is well."`
	Doctor      doctorCommand  `cmd:"" help:"Look for what is wrong, and say what to do about it."`
	Settings    settingsCmd    `cmd:"" name:"config" help:"Print the configuration in effect, without secrets."`
	Version     versionCmd     `cmd:"" help:"Print the version."`

	ExtractPDF extractCommand `cmd:"" name:"extract-pdf" hidden:""`
}

// call is what every subcommand gets.
type call struct {
	ctx     context.Context
	environ []string
	file    string
	older   bool // a database from before the newest forgetting will do
	anew    bool // where there is no data directory yet, one is made
	console
}

// config loads the configuration and shows its warnings.
func (c call) config() (*configs.Config, error) {
	cfg, err := configs.Load(c.environ, c.file, checkOwners)
	if err != nil {
		return nil, err
	}
	for _, w := range cfg.Warnings {
		fmt.Fprintln(c.err, "nacre: warning:", w)
	}
	return cfg, nil
}

func checkOwners(text string) error {
	_, err := nacre.ParseOwners(text)
	return err
}

// getenv looks a variable up, the last of its name.
func (c call) getenv(name string) (value string) {
	for _, v := range c.environ {
		if k, val, _ := strings.Cut(v, "="); k == name {
			value = val
		}
	}
	return value
}

// run is the program without its process: tests call it.
func run(ctx context.Context, args, environ []string, c console) int {
	var cmds commands
	exited := false
	parser, err := kong.New(&cmds, kong.Name("nacre"),
		kong.Description("A personal assistant that you host yourself and talk to on Telegram and in the terminal."),
		kong.Writers(c.out, c.err), kong.Exit(func(int) { exited = true }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		fmt.Fprintln(c.err, "nacre:", err)
		return exitFault
	}
	parsed, err := parser.Parse(args)
	if exited { // --help was printed
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(c.err, "nacre: %s; see nacre --help\n", err)
		return exitUsage
	}
	return report(c.err, parsed.Run(call{ctx: ctx, environ: environ, file: cmds.Config, console: c}))
}

// report prints an error as its sentence and picks the exit code.
func report(w io.Writer, err error) int {
	var known *nacre.Error
	var problems configs.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &problems), errors.As(err, &known) && known.Kind != nacre.Internal:
		fmt.Fprintln(w, "nacre:", err)
		return exitUsage
	}
	fmt.Fprintln(w, "nacre:", err)
	return exitFault
}

type settingsCmd struct {
	Example bool `help:"Print the annotated example instead."`
}

// Run prints the configuration.
func (s settingsCmd) Run(c call) error {
	if s.Example {
		_, err := fmt.Fprint(c.out, configs.Example())
		return err
	}
	cfg, err := c.config()
	if err == nil {
		_, err = fmt.Fprint(c.out, cfg.Dump())
	}
	return err
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(c call) error {
	_, err := fmt.Fprintln(c.out, "nacre", version)
	return err
}
