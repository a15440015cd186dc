package configs

import (
	"fmt"
	"strings"
)

// setting is one row of the table of everything that can be configured.
type setting struct {
	key      string // its name in the file, after a dot where it stands in a table
	env      string // the variable that overrides the file
	fallback string // the default as text, empty for none; {data} is the data directory
	field    field
	source   string // where the value came from; empty while nobody gave one
}

// A secret may also be given as the path of a file that holds it, by these
// endings of its two names.
const (
	fileKey = "_file"
	fileEnv = "_FILE"
)

// newSettings is the table. Keys without a dot come first and tables stay
// together, so that the dump is a valid file; data precedes what stands on it.
func newSettings(c *Config, home string, checkOwners func(string) error) []setting {
	owners := func(text string) (string, error) { return text, checkOwners(text) }
	path := func(text string) (string, error) { return parsePath(text, home) }
	return []setting{
		row("data", "NACRE_DATA", defaultData, &c.Data, path),
		row("keys", "NACRE_KEYS", "{data}/keys.nacre", &c.Keys, path),
		row("master_key", "NACRE_MASTER_KEY", "", &c.MasterKey, newSecret),
		row("zone", "TZ", "Local", &c.Zone, parseZone),
		row("owners", "NACRE_OWNERS", "", &c.Owners, owners),
		row("model", "NACRE_MODEL", "", &c.Model, parseModel),
		row("fallback", "NACRE_FALLBACK", "", &c.Fallback, parseModels),
		row("memory_model", "NACRE_MEMORY_MODEL", "", &c.MemoryModel, parseModel),
		row("models_file", "NACRE_MODELS", "", &c.ModelsFile, path),

		row("log.level", "NACRE_LOG_LEVEL", "info", &c.Log.Level, parseLevel),
		row("log.format", "NACRE_LOG_FORMAT", "text", &c.Log.Format, parseFormat),

		row("telegram.token", "NACRE_TELEGRAM_TOKEN", "", &c.Telegram.Token, parseBotToken),
		row("telegram.api", "NACRE_TELEGRAM_API", "https://api.telegram.org", &c.Telegram.API, parseURL),
		row("telegram.webhook", "NACRE_TELEGRAM_WEBHOOK", "", &c.Telegram.Webhook, parseWebhook),

		row("whatsapp.number", "NACRE_WHATSAPP", "own", &c.WhatsApp.Number, parseNumber),

		row("web.listen", "NACRE_WEB_LISTEN", "127.0.0.1:8080", &c.Web.Listen, parseListen),
		row("web.url", "NACRE_WEB_URL", "", &c.Web.URL, parseOrigin),
		row("web.token", "NACRE_WEB_TOKEN", "", &c.Web.Token, parseToken),
		row("web.tls_cert", "NACRE_WEB_TLS_CERT", "", &c.Web.TLSCert, path),
		row("web.tls_key", "NACRE_WEB_TLS_KEY", "", &c.Web.TLSKey, path),
		row("web.proxy", "NACRE_WEB_PROXY", "", &c.Web.Proxy, parseTruth),

		row("openai.key", "OPENAI_API_KEY", "", &c.OpenAI.Key, parseToken),
		row("openai.base_url", "OPENAI_BASE_URL", "https://api.openai.com/v1", &c.OpenAI.BaseURL, parseURL),

		row("anthropic.key", "ANTHROPIC_API_KEY", "", &c.Anthropic.Key, parseToken),
		row("anthropic.base_url", "ANTHROPIC_BASE_URL", "https://api.anthropic.com", &c.Anthropic.BaseURL, parseURL),

		row("deepseek.key", "DEEPSEEK_API_KEY", "", &c.DeepSeek.Key, parseToken),
		row("deepseek.base_url", "DEEPSEEK_BASE_URL", "https://api.deepseek.com", &c.DeepSeek.BaseURL, parseURL),

		row("openrouter.key", "OPENROUTER_API_KEY", "", &c.OpenRouter.Key, parseToken),
		row("openrouter.base_url", "OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1", &c.OpenRouter.BaseURL, parseURL),

		row("ollama.base_url", "OLLAMA_HOST", "http://127.0.0.1:11434", &c.Ollama, parseOllama),

		row("local.key", "NACRE_LOCAL_KEY", "", &c.Local.Key, parseToken),
		row("local.base_url", "NACRE_LOCAL_URL", "", &c.Local.BaseURL, parseURL),

		row("agent.turn_timeout", "NACRE_TURN_TIMEOUT", "5m", &c.Agent.TurnTimeout, parseTimeout),
		row("agent.window", "NACRE_WINDOW", "", &c.Agent.Window, parseWindow),

		row("budget.day", "NACRE_BUDGET_DAY", "", &c.Budget.Day, parseLimit),
		row("budget.month", "NACRE_BUDGET_MONTH", "", &c.Budget.Month, parseLimit),
		row("budget.owner_day", "NACRE_BUDGET_OWNER_DAY", "", &c.Budget.OwnerDay, parseLimit),
		row("budget.owner_month", "NACRE_BUDGET_OWNER_MONTH", "", &c.Budget.OwnerMonth, parseLimit),

		row("transcribe.model", "NACRE_TRANSCRIBE", "", &c.Transcribe.Model, parseTranscribe),
		row("transcribe.key", "NACRE_TRANSCRIBE_KEY", "", &c.Transcribe.Key, parseToken),
		row("transcribe.base_url", "NACRE_TRANSCRIBE_URL", "", &c.Transcribe.BaseURL, parseURL),

		row("recall.select", "NACRE_RECALL_SELECT", "auto", &c.Recall.Select, parseSwitch),
		row("recall.check", "NACRE_RECALL_CHECK", "auto", &c.Recall.Check, parseSwitch),
		row("recall.embed", "NACRE_EMBED", "", &c.Recall.Embed, parseEmbed),
		row("recall.languages", "NACRE_LANGUAGES", "", &c.Recall.Languages, parseLanguages),
		row("recall.keys", "NACRE_RECALL_KEYS", "", &c.Recall.Keys, parseKeys),

		row("heartbeat.every", "NACRE_HEARTBEAT", "30m", &c.Heartbeat.Every, parseBeat),
		row("heartbeat.hours", "NACRE_ACTIVE_HOURS", "08:00-22:00", &c.Heartbeat.Hours, ParseHours),
		row("heartbeat.calls", "NACRE_HEARTBEAT_CALLS", "24", &c.Heartbeat.Calls, parseCount),
		row("heartbeat.messages", "NACRE_HEARTBEAT_MESSAGES", "8", &c.Heartbeat.Messages, parseCount),

		row("search.searxng", "NACRE_SEARXNG_URL", "", &c.Search.SearXNG, parseURL),
		row("search.brave_key", "BRAVE_API_KEY", "", &c.Search.BraveKey, parseToken),

		row("backup.dir", "NACRE_BACKUP", "{data}/backups", &c.Backup.Dir, path),
		row("backup.every", "NACRE_BACKUP_EVERY", "24h", &c.Backup.Every, parseBackup),
		row("backup.keep", "NACRE_BACKUP_KEEP", "7", &c.Backup.Keep, parseKeep),

		row("debug.pprof", "NACRE_PPROF", "", &c.Pprof, parseLoopback),

		row("google.url", "NACRE_GOOGLE_URL", "", &c.Google, parseURL),
	}
}

func row[T any](key, env, fallback string, to *T, parse func(string) (T, error)) setting {
	return setting{key: key, env: env, fallback: fallback, field: &bound[T]{to, parse}}
}

// field is the place of a setting in the Config.
type field interface {
	set(text string) error // parses, checks and stores; the error is a phrase without secrets
	fmt.Stringer           // the value in effect; a Secret hides itself
}

type bound[T any] struct {
	to    *T
	parse func(string) (T, error)
}

func (b *bound[T]) set(text string) error {
	value, err := b.parse(text)
	if err == nil {
		*b.to = value
	}
	return err
}

func (b *bound[T]) String() string {
	if list, ok := any(*b.to).([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(*b.to)
}

func (s *setting) secret() bool {
	_, ok := s.field.(*bound[Secret])
	return ok
}

// split cuts the key into its table, empty at the top, and its name there.
func (s *setting) split() (table, name string) {
	table, name, dotted := strings.Cut(s.key, ".")
	if !dotted {
		return "", s.key
	}
	return table, name
}

// variables maps every variable that may be set to its key in the file, which
// gives all the keys as well.
func variables(settings []setting) map[string]string {
	vars := map[string]string{}
	for _, s := range settings {
		vars[s.env] = s.key
		if s.secret() {
			vars[s.env+fileEnv] = s.key + fileKey
		}
	}
	return vars
}
