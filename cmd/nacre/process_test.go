package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// asProgram makes the test binary be the program, so that tests can run, kill
// and restart real processes without building anything.
const asProgram = "TEST_AS_NACRE"

// reachWhatsApp makes the program take the server at this address for WhatsApp's.
const reachWhatsApp = "TEST_WHATSAPP"

func TestMain(m *testing.M) {
	wadouble.Trust()
	if addr := os.Getenv(reachWhatsApp); addr != "" {
		http.DefaultTransport = wadouble.Reach(addr)
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

const token = "7001:TestTokenTestTokenTestTokenTest"

// world is both networks and one data directory, between which processes come
// and go.
type world struct {
	t     *testing.T
	api   *gatewaytest.BotAPI
	model *llmtest.OpenAI
	env   map[string]string
}

// newWorld admits the Telegram users 1001 (the operator) and 1002.
func newWorld(t *testing.T) *world {
	w := &world{t: t, api: gatewaytest.NewBotAPI(token), model: &llmtest.OpenAI{Strict: true, Key: "sk-test-secret", Tail: "[now: "}}
	models := httptest.NewServer(w.model)
	t.Cleanup(models.Close)
	w.env = map[string]string{
		asProgram: "1", "HOME": t.TempDir(), "PATH": os.Getenv("PATH"), "TZ": "UTC",
		"NACRE_DATA": filepath.Join(t.TempDir(), "data"), "NACRE_WEB_LISTEN": "off",
		"NACRE_TELEGRAM_API": w.api.Serve(t), "NACRE_TELEGRAM_TOKEN": token, "NACRE_OWNERS": "telegram:1001,telegram:1002",
		"NACRE_MODEL": "openai/test", "OPENAI_BASE_URL": models.URL + "/v1", "OPENAI_API_KEY": "sk-test-secret",
		"NACRE_LOG_LEVEL": "debug",
	}
	return w
}

// process is one run of the program.
type process struct {
	w    *world
	cmd  *exec.Cmd
	log  *buffer
	done chan error
}

// buffer is a bytes.Buffer that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	for k, v := range w.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// start runs the program and returns once it polls.
func (w *world) start() *process {
	w.t.Helper()
	p := &process{w: w, cmd: w.command("serve"), log: &buffer{}, done: make(chan error, 1)}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	polls := len(w.api.Calls("getUpdates"))
	if err := p.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	w.t.Cleanup(func() {
		p.cmd.Process.Kill()
		if w.t.Failed() {
			w.t.Logf("log of process %d:\n%s", p.cmd.Process.Pid, p.log)
		}
	})
	if err := w.api.WaitCalls(w.patience(), "getUpdates", polls+1); err != nil {
		w.t.Fatalf("the program does not poll: %v", err)
	}
	return p
}

// patience bounds a wait in a test that would else hang for ever.
func (w *world) patience() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	w.t.Cleanup(cancel)
	return ctx
}

// kill is kill -9.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// stop is SIGTERM; it returns how the program ended.
func (p *process) stop() error {
	p.w.t.Helper()
	p.cmd.Process.Signal(syscall.SIGTERM)
	return p.ended()
}

// ended waits for the end after a SIGTERM.
func (p *process) ended() error {
	p.w.t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(15 * time.Second):
		p.w.t.Fatal("the program does not end after SIGTERM")
		return nil
	}
}

// sent waits for n messages of the bot and returns their texts.
func (w *world) sent(n int) []string {
	w.t.Helper()
	list, err := w.api.WaitSent(w.patience(), n)
	if err != nil {
		w.t.Fatalf("waiting for %d messages, %d are there: %v", n, len(w.api.Sent()), err)
	}
	var texts []string
	for _, s := range list {
		texts = append(texts, s.Text)
	}
	return texts
}

// confirmed waits until the network knows that we have an update.
func (w *world) confirmed(update int64) {
	w.t.Helper()
	if err := w.api.WaitConfirmed(w.patience(), update); err != nil {
		w.t.Fatalf("update %d is not confirmed: %v", update, err)
	}
}

// reached waits until a completion is held at a gate.
func (w *world) reached(g *llmtest.Gate) {
	w.t.Helper()
	select {
	case <-g.Reached():
	case <-w.patience().Done():
		w.t.Fatal("the model was not asked")
	}
}

// run runs a subcommand to its end.
func (w *world) run(stdin string, args ...string) (out string, code int) {
	w.t.Helper()
	cmd := w.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	b, _ := cmd.CombinedOutput()
	return string(b), cmd.ProcessState.ExitCode()
}

// settled waits until everything that was sent is known to be sent, so that a
// kill afterwards leaves nothing in flight.
func (w *world) settled() {
	w.t.Helper()
	for ctx := w.patience(); ctx.Err() == nil; {
		if out, _ := w.run("", "status"); strings.Contains(out, "Outbox: empty") {
			return
		}
	}
	w.t.Fatal("the outbox does not become empty")
}

// label is how a possible repeat begins.
const label = "(This may be a repeat.) "

func TestMessageIsAnswered(t *testing.T) {
	w := newWorld(t)
	p := w.start()
	w.confirmed(w.api.Text(1001, "hello"))
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	if err := p.stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// A replayed update, as Telegram sends it when the confirmation was lost, gets
// no second answer, across a kill and across a command.
func TestReplayedUpdateIsAnsweredOnce(t *testing.T) {
	w := newWorld(t)
	p := w.start()
	update := `{"update_id":100,"message":{"message_id":7,"date":1790000000,"from":{"id":1001,"is_bot":false,"first_name":"A"},"chat":{"id":1001,"type":"private"},"text":"/status"}}`
	w.confirmed(w.api.Inject(update))
	first := w.sent(1)
	w.settled()
	p.kill()

	p = w.start()
	w.api.Inject(update)
	w.confirmed(w.api.Text(1001, "after"))
	got := w.sent(2)
	if len(got) != 2 || !strings.HasPrefix(first[0], "Nacre") || got[1] != "echo: after" {
		t.Errorf("sent %q", got)
	}
	p.stop()
}

// Updates that were fetched together and not yet answered survive a kill.
func TestKillDuringATurnLosesNothing(t *testing.T) {
	w := newWorld(t)
	gate := llmtest.NewGate()
	w.model.Push(llmtest.Reply{Gate: gate})
	p := w.start()
	w.api.Text(1001, "one")
	w.reached(gate)
	w.confirmed(w.api.Text(1002, "two"))
	w.confirmed(w.api.Text(1001, "three"))
	w.sent(1)
	w.settled()
	p.kill()

	p = w.start()
	got := w.sent(2)
	slices.Sort(got)
	if want := []string{"echo: one\nthree", "echo: two"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	p.stop()
}

// An answer that was being sent when the process died is sent once more, says
// that it may be a repeat, and costs no second model call.
func TestKillDuringASendRepeatsWithLabel(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault gatewaytest.FaultKind
		want  []string
	}{
		{"before the network took it", gatewaytest.Hang, []string{label + "echo: hello"}},
		{"after the network took it", gatewaytest.HangAfter, []string{"echo: hello", label + "echo: hello"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.api.Fail("sendMessage", gatewaytest.Fault{Kind: c.fault})
			p := w.start()
			w.confirmed(w.api.Text(1001, "hello"))
			if err := w.api.WaitCalls(w.patience(), "sendMessage", 1); err != nil {
				t.Fatal(err)
			}
			if c.fault == gatewaytest.HangAfter {
				w.sent(1)
			}
			p.kill()
			p = w.start()
			if got := w.sent(len(c.want)); !slices.Equal(got, c.want) {
				t.Errorf("sent %q, want %q", got, c.want)
			}
			if n := len(w.model.Received()); n != 1 {
				t.Errorf("the model was asked %d times", n)
			}
			p.stop()
		})
	}
}

// What was delivered, and said so, is never sent again.
func TestRestartRepeatsNothingDelivered(t *testing.T) {
	w := newWorld(t)
	p := w.start()
	for i := range 10 {
		w.confirmed(w.api.Text(1001, fmt.Sprint("n", i)))
		w.sent(i + 1)
	}
	p.stop()
	p = w.start()
	w.confirmed(w.api.Text(1001, "last"))
	if got := w.sent(11); len(got) != 11 || got[10] != "echo: last" {
		t.Errorf("sent %q", got)
	}
	p.stop()
}

// Another bot on the same data counts its messages anew; they are no replays.
func TestMessagesOfAnotherBotAreNew(t *testing.T) {
	w := newWorld(t)
	update := `{"message":{"message_id":7,"date":1790000000,"from":{"id":1001,"is_bot":false,"first_name":"A"},"chat":{"id":1001,"type":"private"},"text":"hello"}}`
	p := w.start()
	w.confirmed(w.api.Inject(update))
	w.sent(1)
	p.stop()

	other := gatewaytest.NewBotAPI("7002:AnotherTokenAnotherTokenAnother")
	w.env["NACRE_TELEGRAM_API"], w.env["NACRE_TELEGRAM_TOKEN"] = other.Serve(t), "7002:AnotherTokenAnotherTokenAnother"
	w.api = other
	p = w.start()
	w.confirmed(w.api.Inject(update))
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("the other bot says %q", got)
	}
	p.stop()
}

// A chat without a server leaves alone what came in on Telegram.
func TestChatAloneLeavesOtherChannelsPending(t *testing.T) {
	w := newWorld(t)
	gate := llmtest.NewGate()
	w.model.Push(llmtest.Reply{Gate: gate})
	p := w.start()
	w.confirmed(w.api.Text(1001, "question"))
	w.reached(gate)
	p.kill()
	if out, code := w.run("hi\n", "chat"); code != exitOK || strings.TrimSpace(out) != "echo: hi" {
		t.Errorf("chat: %d %q", code, out)
	}
	p = w.start()
	if got := w.sent(1); got[0] != "echo: question" {
		t.Errorf("sent %q", got)
	}
	p.stop()
}

// SIGTERM lets a turn finish and its answer go out.
func TestStopFinishesTheTurn(t *testing.T) {
	w := newWorld(t)
	gate := llmtest.NewGate()
	w.model.Push(llmtest.Reply{Gate: gate})
	p := w.start()
	w.confirmed(w.api.Text(1001, "hello"))
	w.reached(gate)
	p.cmd.Process.Signal(syscall.SIGTERM)
	for !strings.Contains(p.log.String(), "nacre is ending") {
		time.Sleep(time.Millisecond)
	}
	gate.Open()
	if got := w.sent(1); got[0] != "echo: hello" {
		t.Errorf("answer %q", got)
	}
	if err := p.ended(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// No secret and no word of a person is in any log, whatever goes wrong.
func TestLogsHoldNoSecretsAndNoWords(t *testing.T) {
	w := newWorld(t)
	const canary = "Zirkonlerche"
	w.api.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.DropBefore}, gatewaytest.Fault{Kind: gatewaytest.HTML})
	w.api.Fail("getUpdates", gatewaytest.Fault{Kind: gatewaytest.Truncated}, gatewaytest.Fault{Kind: gatewaytest.NotOK})
	w.api.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: "Internal Server Error"})
	w.model.Push(llmtest.Reply{Status: 400, Message: "bad request about " + canary},
		llmtest.Reply{Calls: []llm.ToolCall{{ID: "c1", Name: canary, Args: []byte(`{}`)}, {ID: "c2", Name: "now", Args: []byte(`{"zone":"` + canary + `"}`)}}})
	p := w.start()
	w.api.Text(1001, canary)
	w.sent(1)
	w.api.Text(5005, canary) // a stranger
	got := w.sent(2)
	w.run("", "pair", "WRONG-CODE")
	w.api.Text(1001, canary+" again")
	w.sent(3)
	status, _ := w.run("", "status", "--json")
	config, _ := w.run("", "config")
	p.stop()
	code := codeIn(t, got[1])
	log := p.log.String() + status + config
	for name, secret := range map[string]string{"bot token": token, "half of the bot token": token[5:], "model key": "sk-test-secret",
		"person's word": canary, "pairing code": code} {
		if strings.Contains(log, secret) {
			t.Errorf("log, status or config hold the %s", name)
		}
	}
	for _, shown := range []string{"NACRE_TELEGRAM_TOKEN", "\"channels\"", "nacre is running", "turn failed", "tool failed", "part not delivered", "stranger was shown"} {
		if !strings.Contains(log, shown) {
			t.Errorf("log, status and config lack %q, so this test saw too little", shown)
		}
	}
}
