package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/calc"
	"nacre/agent/gmail"
	"nacre/agent/heartbeat"
	"nacre/agent/notebook"
	"nacre/agent/recollect"
	"nacre/agent/reflect"
	"nacre/agent/style"
	"nacre/configs"
	"nacre/gateway"
	"nacre/gateway/telegram"
	"nacre/gateway/terminal"
	"nacre/gateway/whatsapp"
	"nacre/jobs"
	"nacre/memory"
	"nacre/memory/folder"
	"nacre/memory/ledger"
	"nacre/memory/recall"
	"nacre/memory/recall/terms"
	"nacre/web"
	"nacre/web/metrics"
)

// idle is how long a conversation stays in memory after its last message.
const idle = 10 * time.Minute

// app is a whole Nacre, built and wired. It is a web.Desk.
type app struct {
	cfg       *configs.Config
	log       *slog.Logger
	ledger    *ledger.Ledger
	library   *memory.Library
	folder    *folder.Folder
	notes     *notebook.Notebook
	archive   archive
	terms     *terms.Analyzer // reads all that is to be found again
	index     *recall.Index
	recalls   *recollect.Recollector
	reflector *reflect.Reflector
	board     *jobs.Board
	clock     *jobs.Clock
	heart     *heartbeat.Heartbeat
	gateway   *gateway.Gateway
	sessions  *agent.Sessions
	terminal  *terminal.Channel
	whatsapp  *whatsapp.Channel // nil while it is off
	page      *web.Chat
	porter    *web.Porter
	mail      *gmail.Gmail
	styles    *style.Learner
	learning  chan nacre.OwnerID // whose writing style is to be learned now
	hook      http.Handler       // Telegram's calls, if it calls us
	site      web.Site           // where browsers find the page; zero while it is off
	port      string             // on which the page is served; empty while it is off
	settings  *settings
	imports   runningImports
	backups   *keeper
	meter     *metrics.Meter
	well      wellness
	model     string
	writer    string    // the model that works on memory
	since     time.Time // zero while it does not serve
	operator  nacre.OwnerID
}

// outside is what lies beyond the program: the models that answer, the tools
// that reach out, and the channels besides the terminal. Tests put doubles
// there.
type outside struct {
	chat      []supplier // the usual one first
	memory    *supplier  // nil if the usual one does that work too
	tools     []agent.Tool
	embedder  recall.Embedder // nil for the one that is configured, if any
	google    *http.Client    // asks Google; nil for the usual one
	channels  []gateway.Channel
	whatsapp  *whatsapp.Options               // nil while it is off; the app fills in what it knows better
	wrapLog   func(memory.Log) memory.Log     // nil for the ledger itself
	wrapStore func(recall.Store) recall.Store // nil for the archive itself
	still     bool                            // no file system tells of changes
	older     bool                            // a database from before the newest forgetting will do
	hook      http.Handler                    // takes Telegram's calls, if it calls us
}

// reach makes the outside that a configuration names; without network it has
// no channel.
func reach(ctx context.Context, cfg *configs.Config, log *slog.Logger, network bool) (o outside, err error) {
	if o.chat, o.memory, err = suppliers(ctx, cfg); err != nil {
		return o, err
	}
	o.tools = reachingTools(cfg)
	if number := cfg.WhatsApp.Number; network && number != configs.NoNumber {
		o.whatsapp = &whatsapp.Options{Own: number == configs.OwnNumber}
	}
	if token := cfg.Telegram.Token.Reveal(); network && token != "" {
		t := telegram.Options{Token: token, API: cfg.Telegram.API, Log: log}
		if cfg.Telegram.Webhook != "" {
			t.Webhook = telegram.Webhook{URL: cfg.Telegram.Webhook, Secret: hookSecret(token)}
		}
		channel := telegram.New(t)
		o.channels = append(o.channels, channel)
		if cfg.Telegram.Webhook != "" {
			o.hook = channel
		}
	}
	return o, nil
}

func (o outside) names() []string {
	names := make([]string, len(o.chat))
	for i, s := range o.chat {
		names[i] = s.name
	}
	return names
}

// hookSecret is what Telegram shows with each call: known to whoever knows the
// token, so that there is nothing more to configure or keep.
func hookSecret(token string) string {
	sum := sha256.Sum256([]byte("nacre webhook " + token))
	return hex.EncodeToString(sum[:])
}

// build opens the data directory and wires every part; nothing runs yet.
func build(ctx context.Context, cfg *configs.Config, log *slog.Logger, o outside) (*app, error) {
	list, err := nacre.ParseOwners(cfg.Owners)
	if err != nil {
		return nil, err
	}
	a := &app{cfg: cfg, log: log, terms: terms.New(cfg.Recall.Languages), model: modelWords(o.names()), terminal: terminal.New(log), page: web.NewChat(log), hook: o.hook}
	place := ledger.Options{Dir: cfg.Data, Keys: cfg.Keys, Zone: cfg.Zone, Older: o.older, Beside: a.scrub}
	if master := cfg.MasterKey.Reveal(); master != "" {
		place.Master = []byte(master)
	}
	if a.ledger, err = ledger.Open(ctx, place); err != nil {
		return nil, err
	}
	owners, err := a.ledger.SyncOwners(ctx, list)
	if err != nil {
		a.ledger.Close()
		return nil, err
	}
	a.operator = owners[0].ID
	a.porter = web.NewPorter(a.ledger, a.ledger, a.page, log)
	a.settings = &settings{store: a.ledger, models: o.names(), log: log}
	for _, owner := range owners {
		a.settings.read(ctx, owner.ID)
	}
	a.wire(o)
	return a, nil
}

func (a *app) wire(o outside) {
	a.meter = metrics.New(version, a.measured)
	channels := append(o.channels, a.terminal)
	if o.whatsapp != nil {
		a.whatsapp = a.wireWhatsApp(*o.whatsapp)
		channels = append(channels, a.whatsapp)
	}
	if a.cfg.Web.Listen != "" {
		channels = append(channels, a.page)
	}
	a.gateway = gateway.New(meteredStore{a.ledger, a.meter}, channels, a.log)
	a.gateway.Refused = a.meter.Refused
	a.gateway.Zone = a.zoneOf
	a.gateway.Strangers = func() { a.page.Changed(a.operator, web.TopicChannels) }
	kept := meteredBook{book{a.ledger, a.cfg.Zone}, a.meter}
	models, writer := choices(a.timed(o.chat...), a.timedMemory(o.memory), kept, limits(a.cfg.Budget), a.log)
	var log memory.Log = meteredLog{a.ledger, a.meter}
	if o.wrapLog != nil {
		log = o.wrapLog(log)
	}
	a.writer = writer.Name
	notes := a.wireMemory(log, writer, o.still)
	a.wireRecall(log, writer, o)
	a.wireMail(o, writer)
	a.wireBackups()
	plans := a.wireBoard()
	commands := notes.Commands()
	maps.Copy(commands, plans.Commands())
	maps.Copy(commands, map[string]agent.CommandFunc{"pair": agent.Words(a.gateway.Pair), "status": agent.Words(a.statusCommand),
		"usage": agent.Words(a.usageCommand), "web": agent.Words(a.webCommand), "settings": a.settingsCommand(commands["memory"])})
	tools := slices.Concat([]agent.Tool{agent.Now{Zone: a.zoneOf}, agent.AskUser{}, agent.SendFile{}, calc.Tool{}}, notes.Tools(), a.recalls.Tools(), plans.Tools(), a.mail.Tools(), o.tools)
	a.sessions = agent.New(agent.Options{
		Journal:  a.ledger,
		Host:     turnHost{a.gateway, a.page},
		Media:    newMedia(a.cfg, kept),
		Models:   models,
		Usual:    a.modelOf,
		Memory:   writer,
		Notes:    notes,
		Asks:     []agent.Asker{plans, a.mail},
		Recall:   timedRecall{a.recalls, a.meter},
		Zone:     a.zoneOf,
		Tools:    tools,
		Commands: commands,
		Deadline: a.cfg.Agent.TurnTimeout,
		Flush:    a.reflector.Flush,
		Turned:   a.meter.Turned,
		Idle:     idle,
		Log:      a.log,
	})
	a.watchMemory(notes)
	a.wireClock()
}

// takeUp goes on with memory where an earlier process left it, before anything is
// done or comes in.
func (a *app) takeUp(ctx context.Context) error {
	if err := a.library.Resume(ctx); err != nil {
		return err
	}
	owners, err := a.ownerIDs(ctx)
	if err != nil {
		return err
	}
	return a.reflector.Begin(ctx, owners)
}

// start takes up what an earlier process left: deliveries and unanswered
// messages.
func (a *app) start(ctx context.Context) error {
	a.since = time.Now()
	if err := a.takeUp(ctx); err != nil {
		return err
	}
	if err := a.gateway.Start(ctx, a.sessions); err != nil {
		return err
	}
	left, err := a.ledger.Unanswered(ctx)
	if err != nil {
		return err
	}
	for _, s := range left {
		if a.gateway.Has(s.Chat.Channel) {
			a.sessions.Wake(s, nacre.Message{})
		}
	}
	a.warm()
	return nil
}

// Times of an orderly end, which is over in 10 s: turns may finish for a
// while, then what they wrote may go out.
const (
	finishTurns  = 6 * time.Second
	flushReplies = 3 * time.Second
)

// drain ends the work in order: no new turns, then the outbox.
func (a *app) drain() {
	ctx, cancel := context.WithTimeout(context.Background(), finishTurns)
	defer cancel()
	a.sessions.Drain(ctx)
	flush, cancelFlush := context.WithTimeout(context.Background(), flushReplies)
	defer cancelFlush()
	a.gateway.Drain(flush)
	a.index.Close()
}

// Pair implements web.Desk: whoever may use the data directory is the operator.
func (a *app) Pair(ctx context.Context, code string) (string, error) {
	return a.gateway.Pair(ctx, nacre.Caller{Owner: a.operator, Operator: true, Private: true,
		Author: nacre.LocalAddress(nacre.Terminal), Chat: nacre.Chat{Channel: nacre.Terminal, ID: "local"}}, code)
}

// Login implements web.Desk.
func (a *app) Login(ctx context.Context, h web.Hand) (string, error) {
	return a.loginLink(ctx, a.ownerOf(h))
}

func (a *app) loginLink(ctx context.Context, owner nacre.OwnerID) (string, error) {
	if a.cfg.Web.Listen == "" || a.since.IsZero() {
		return "", nacre.Errorf(nacre.NotFound, "The page is not being served; start Nacre, and see that NACRE_WEB_LISTEN is not off.")
	}
	return a.porter.Link(ctx, a.site, owner)
}

// webCommand sends a login link, in private only: whoever opens it first is in.
func (a *app) webCommand(ctx context.Context, c nacre.Caller, _ string) (string, error) {
	if !c.Private {
		return "", nacre.Errorf(nacre.Denied, "I send the link in a private chat only.")
	}
	link, err := a.loginLink(ctx, c.Owner)
	if err != nil {
		return "", err
	}
	return "This opens my page once, within 10 minutes:\n\n" + link, nil
}

func newLogger(cfg *configs.Config, c console, level slog.Level) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level}
	if strings.EqualFold(cfg.Log.Format, "json") {
		return slog.New(agent.LogHandler(slog.NewJSONHandler(c.err, opts)))
	}
	return slog.New(agent.LogHandler(slog.NewTextHandler(c.err, opts)))
}
