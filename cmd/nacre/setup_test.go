package main

import (
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"nacre/agent/llm/llmtest"
	"nacre/configs"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// Keys that a person presses.
const (
	enter = "\r"
	down  = "\x1b[B"
	stop  = "\x03"
)

// person sits before a terminal in which the program runs.
type person struct {
	t       *testing.T
	tty     *os.File
	seen    *buffer
	from    int // of seen, without what moves the cursor
	answers int
	done    chan int
}

// newSetupWorld is a world in which nothing is configured but where the networks are.
func newSetupWorld(t *testing.T) *world {
	w := newWorld(t)
	for _, name := range []string{"NACRE_OWNERS", "NACRE_TELEGRAM_TOKEN", "NACRE_MODEL", "OPENAI_API_KEY", "NACRE_WEB_LISTEN", "TZ"} {
		delete(w.env, name)
	}
	maps.Copy(w.env, map[string]string{"TERM": "xterm-256color", "OLLAMA_HOST": "127.0.0.1:1"})
	w.model.Tail = ""
	return w
}

// sit runs the program in a terminal of so many columns.
func (w *world) sit(columns uint16, args ...string) *person {
	w.t.Helper()
	cmd := w.command(args...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: columns})
	if err != nil {
		w.t.Fatal(err)
	}
	p := &person{t: w.t, tty: tty, seen: &buffer{}, done: make(chan int, 1)}
	go func() {
		io.Copy(p.seen, tty) // ends with the program
		cmd.Wait()
		p.done <- cmd.ProcessState.ExitCode()
	}()
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		tty.Close()
		if w.t.Failed() {
			w.t.Logf("the screen:\n%s", p.screen())
		}
	})
	return p
}

var moves = regexp.MustCompile("\x1b\\[[0-9;?<=>]*[ -/]*[@-~]|\x1b[^\\[]|[\\s┃│\x00]+")

// screen is all that was ever shown, without blanks: those are cursor movements as
// well.
func (p *person) screen() string { return moves.ReplaceAllString(p.seen.String(), "") }

// sees waits until something is shown.
func (p *person) sees(text string) {
	p.t.Helper()
	text = moves.ReplaceAllString(text, "")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if i := strings.Index(p.screen()[p.from:], text); i >= 0 {
			p.from += i + len(text)
			return
		}
	}
	p.t.Fatalf("%q is not shown", text)
}

// answer sees a question and answers it.
func (p *person) answer(question, keys string) {
	p.t.Helper()
	p.sees(question)
	p.answers++
	io.WriteString(p.tty, keys)
}

// ends waits for the end of the program.
func (p *person) ends(code int) {
	p.t.Helper()
	select {
	case got := <-p.done:
		if got != code {
			p.t.Errorf("exit code %d, want %d", got, code)
		}
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program does not end")
	}
}

// files are all that setup may write, by path.
func (w *world) files() map[string]string {
	all := map[string]string{}
	for _, path := range []string{filepath.Join(w.env["NACRE_DATA"], "nacre.toml"), filepath.Join(w.env["NACRE_DATA"], "compose.yaml"),
		filepath.Join(w.env["HOME"], ".config", "systemd", "user", "nacre.service")} {
		if data, err := os.ReadFile(path); err == nil {
			all[path] = string(data)
		}
	}
	return all
}

// A newcomer answers at most ten questions, starts what was written, and the first
// message, which set them up, is answered. A second run changes nothing.
func TestSetupReachesAWorkingBot(t *testing.T) {
	w := newSetupWorld(t)
	p := w.sit(100, "setup")
	p.answer("What shall I call you?", "Ann"+enter)
	p.answer("Your time zone?", strings.Repeat("\x7f", 20)+"Europe/Berlin"+enter)
	p.answer("Which language model", down+enter)
	p.answer("The key of openai?", "sk-test-secret"+enter)
	p.sees("It answers.")
	p.answer("The token of your Telegram bot?", token+enter)
	p.sees("https://t.me/" + gatewaytest.BotUsername)
	p.sees("I am waiting")
	w.api.Text(1001, "hello")
	p.answer("A message came from Ann. Is that you?", enter)
	p.answer("WhatsApp, too?", enter)
	p.answer("a web page", down+enter)
	p.answer("start Nacre by itself?", down+enter)
	p.answer("Write that?", enter)
	p.sees("Written.")
	p.sees("enable --now nacre")
	p.ends(exitOK)
	if p.answers > 10 {
		t.Errorf("%d questions", p.answers)
	}
	if s := p.screen(); strings.Contains(s, "sk-test-secret") || strings.Contains(s, token) {
		t.Error("a secret is shown")
	}

	before := w.files()
	toml := before[filepath.Join(w.env["NACRE_DATA"], "nacre.toml")]
	for _, line := range []string{"zone = 'Europe/Berlin'", "owners = 'telegram:1001'", "token = '" + token + "'", "key = 'sk-test-secret'", "number = 'off'", "listen = 'off'", "model = '" + defaultOpenAI + "'"} {
		if !strings.Contains(toml, line+"\n") {
			t.Errorf("nacre.toml lacks %s:\n%s", line, toml)
		}
	}
	if info, err := os.Stat(filepath.Join(w.env["NACRE_DATA"], "nacre.toml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if len(before) != 2 {
		t.Errorf("%d files were written, want the settings and the unit", len(before))
	}

	p = w.sit(100, "setup")
	for _, question := range []string{"What shall I call you?", "Your time zone?", "Which language model", "another Telegram bot?", "WhatsApp, too?", "a web page", "start Nacre by itself?"} {
		p.answer(question, enter)
	}
	p.sees("Nothing is to be changed.")
	p.ends(exitOK)
	if after := w.files(); !maps.Equal(before, after) {
		t.Errorf("files changed:\n%v\n%v", before, after)
	}

	w.model.Tail = "[now: "
	run := w.start()
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	if out, _ := w.run("", "config"); !strings.Contains(out, "Europe/Berlin") {
		t.Error("the zone is not in effect")
	}
	run.stop()
}

// Whatever goes wrong is said, and can be mended or left.
func TestSetupMeetsTrouble(t *testing.T) {
	w := newSetupWorld(t)
	ollama := httptest.NewServer(&llmtest.Ollama{Models: []llmtest.OllamaModel{{Name: "small", Window: 8192, Capabilities: []string{"completion", "tools"}}}})
	t.Cleanup(ollama.Close)
	w.env["OLLAMA_HOST"] = ollama.URL
	p := w.sit(40, "setup") // as narrow as a phone
	p.answer("What shall I call you?", enter)
	p.answer("Your time zone?", strings.Repeat("\x7f", 20)+"Nowhere"+enter)
	p.sees("is not a time zone")
	p.answer("", strings.Repeat("\x7f", 20)+"UTC"+enter)
	p.sees("Ollama, on this machine: small")
	p.answer("", down+enter)
	p.answer("The key of openai?", "sk-wrong"+enter)
	p.sees("does not take this key")
	p.answer("What now?", enter)
	p.answer("Which language model", enter)
	p.sees("It answers.")
	p.answer("The token of your Telegram bot?", "9:Wrong"+enter)
	p.sees("@BotFather")
	p.answer("What now?", enter)
	p.answer("The token of your Telegram bot?", token+enter)
	p.sees("I am waiting")
	w.api.Text(5005, "I am nobody")
	p.answer("Is that you?", down+enter)
	p.sees("I am waiting")
	p.answer("Skip this", enter)
	p.answer("WhatsApp, too?", enter)
	p.answer("a web page", stop)
	p.sees("stopped; nothing was changed")
	p.ends(exitUsage)
	if made := w.files(); len(made) > 0 {
		t.Errorf("stopped, and written: %v", made)
	}
	if _, err := os.Stat(w.env["NACRE_DATA"]); err == nil {
		t.Error("stopped, and the data directory was made")
	}
}

// In plain lines the same is asked, and neither the end of the input nor Ctrl+C is an
// answer.
func TestSetupInPlainLines(t *testing.T) {
	w := newSetupWorld(t)
	w.env["TERM"] = "dumb"
	for _, end := range []string{"\x04", stop} {
		p := w.sit(80, "setup")
		p.answer("What shall I call you?", "Ann\r")
		p.answer("Your time zone?", end)
		p.sees("stopped; nothing was changed")
		p.ends(exitUsage)
	}
	w.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.DropBefore})
	p := w.sit(80, "setup")
	p.answer("What shall I call you?", "Ann\r")
	p.answer("Your time zone?", "UTC\r")
	p.answer("between 1 and 5:", "\r")
	p.answer("The token of your Telegram bot?", token+"\r")
	p.sees("cannot be reached")
	p.answer("between 1 and 2:", "1\r")
	p.answer("The token of your Telegram bot?", token+"\r")
	w.api.Text(1001, "hello")
	p.answer("Press Enter once you have written", "\r")
	p.answer("Is that you?", "1\r")
	p.answer("WhatsApp, too?", "\r")
	p.answer("a web page", "2\r")
	p.answer("start Nacre by itself?", "3\r")
	p.answer("Write that?", "1\r")
	p.sees("docker compose")
	p.ends(exitOK)
	for path, text := range w.files() {
		if strings.HasSuffix(path, "nacre.toml") && !strings.Contains(text, "owners = 'telegram:1001'") {
			t.Errorf("%s:\n%s", path, text)
		}
	}
}

// WhatsApp is linked once all is written, and what is written stays where that is
// stopped.
func TestSetupLinksWhatsApp(t *testing.T) {
	w := newSetupWorld(t)
	wa := wadouble.New()
	w.env[reachWhatsApp] = wa.Listen(t)
	p := w.sit(100, "setup", "--whatsapp", "own", "--yes")
	p.sees("nacre pair whatsapp")
	p.ends(exitOK)
	p = w.sit(100, "setup")
	for _, question := range []string{"What shall I call you?", "Your time zone?", "Which language model", "your Telegram bot?", "WhatsApp, too?", "a web page", "start Nacre by itself?"} {
		p.answer(question, enter)
	}
	p.sees("Nothing is to be changed.")
	p.answer("Scan this code", stop)
	p.sees("WhatsApp is not linked: stopped before anything was linked")
	p.sees("Start it with:")
	p.ends(exitOK)
	if toml := w.files()[filepath.Join(w.env["NACRE_DATA"], "nacre.toml")]; !strings.Contains(toml, "number = 'own'") {
		t.Errorf("nacre.toml is\n%s", toml)
	}
}

// Without a terminal the flags answer; what is wrong with them is said before anything
// is written, and what stands in the file stays.
func TestSetupByFlags(t *testing.T) {
	w := newSetupWorld(t)
	key, bot := filepath.Join(w.env["HOME"], "key"), filepath.Join(w.env["HOME"], "bot")
	for path, secret := range map[string]string{key: "sk-test-secret\n", bot: token + "\n"} {
		if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := []string{"setup", "--name", "Ann", "--zone", "Europe/Berlin", "--model", "openai/test", "--key-file", key, "--telegram-token-file", bot,
		"--owner", "telegram:1001", "--whatsapp", "off", "--web", "off", "--autostart", "none", "--yes"}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"setup"}, "--telegram-token-file"},
		{good[:len(good)-1], "--yes"},
		{append(good[:len(good):len(good)], "--zone", "Nowhere"), "not a time zone"},
		{append(good[:len(good):len(good)], "--owner", "me"), "me"},
		{append(good[:len(good):len(good)], "--web", "perhaps"), "neither on nor off"},
		{append(good[:len(good):len(good)], "--autostart", "cron"), "systemd, compose or none"},
		{append(good[:len(good):len(good)], "--key-file", key+"2"), "cannot be read"},
		{[]string{"setup", "--model", "anthropic/x", "--yes"}, "ANTHROPIC_API_KEY"},
	} {
		if out, code := w.run("", c.args...); code != exitUsage || !strings.Contains(out, c.says) {
			t.Errorf("%v: %d %s", c.args, code, out)
		}
		if made := w.files(); len(made) > 0 {
			t.Fatalf("%v wrote %v", c.args, made)
		}
	}
	if out, code := w.run("", good...); code != exitOK {
		t.Fatalf("%d %s", code, out)
	}
	path := filepath.Join(w.env["NACRE_DATA"], "nacre.toml")
	mine := "# mine\n" + w.files()[path]
	if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := w.run("", good...); code != exitOK || !strings.Contains(out, "Nothing is to be changed") || w.files()[path] != mine {
		t.Errorf("again: %d %s\n%s", code, out, w.files()[path])
	}
	if out, code := w.run("", "setup", "--zone", "Asia/Tokyo", "--yes"); code != exitOK || w.files()[path] != strings.Replace(mine, "Europe/Berlin", "Asia/Tokyo", 1) {
		t.Errorf("another zone: %d %s\n%s", code, out, w.files()[path])
	}
	w.env["TZ"] = "UTC"
	if out, _ := w.run("", "setup", "--zone", "Europe/Paris", "--yes"); !strings.Contains(out, "The variable TZ is set here and wins") {
		t.Errorf("a variable that wins: %s", out)
	}
	delete(w.env, "TZ")

	unit := filepath.Join(w.env["HOME"], ".config", "systemd", "user", "nacre.service")
	if _, code := w.run("", "setup", "--autostart", "systemd", "--yes"); code != exitOK || !strings.Contains(w.files()[unit], "BindReadOnlyPaths="+key) {
		t.Errorf("the unit does not let the key be read:\n%s", w.files()[unit])
	}
	if err := os.WriteFile(unit, []byte("# mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := w.run("", "setup", "--autostart", "systemd", "--yes")
	if _, err := os.Stat(unit + ".new"); code != exitOK || !strings.Contains(out, "differs and was kept") || err != nil || w.files()[unit] != "# mine" {
		t.Errorf("a unit of one's own: %d %s %v", code, out, err)
	}
	if _, code := w.run("", "setup", "--autostart", "compose", "--yes"); code != exitOK || w.files()[filepath.Join(w.env["NACRE_DATA"], "compose.yaml")] != configs.Compose() {
		t.Errorf("compose: %d", code)
	}

	w.model.Tail = "[now: "
	run := w.start()
	w.confirmed(w.api.Text(1001, "hello"))
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	if out, code := w.run("", "setup", "--zone", "UTC", "--yes"); code != exitOK || !strings.Contains(out, "start it again") {
		t.Errorf("beside a server: %d %s", code, out)
	}
	run.stop()
}
