package configs

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the machine may have no database of zones
)

// write puts a file into dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load loads doc as the file named on the command line.
func load(t *testing.T, doc string, environ ...string) (*Config, error) {
	t.Helper()
	return Load(append(environ, "HOME=/home/ada"), write(t, t.TempDir(), "nacre.toml", doc), checkOwners)
}

// checkOwners stands for the check that the caller of Load brings.
func checkOwners(text string) error {
	for entry := range strings.SplitSeq(text, ",") {
		if !strings.Contains(entry, ":") {
			return fmt.Errorf("%.60q is not an address; write owners as telegram:1001+whatsapp:15550001,telegram:1002", entry)
		}
	}
	return nil
}

func mustLoad(t *testing.T, doc string, environ ...string) *Config {
	t.Helper()
	c, err := load(t, doc, environ...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	c, err := Load([]string{"HOME=/home/ada"}, "", checkOwners)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct{ name, got, want string }{
		{"file", c.File, ""},
		{"data", c.Data, "/home/ada/.nacre"},
		{"keys", c.Keys, "/home/ada/.nacre/keys.nacre"},
		{"owners", c.Owners, ""},
		{"model", c.Model, ""},
		{"memory model", c.MemoryModel, ""},
		{"log format", c.Log.Format, "text"},
		{"telegram api", c.Telegram.API, "https://api.telegram.org"},
		{"whatsapp", string(c.WhatsApp.Number), "own"},
		{"listen", c.Web.Listen, "127.0.0.1:8080"},
		{"openai", c.OpenAI.BaseURL, "https://api.openai.com/v1"},
		{"anthropic", c.Anthropic.BaseURL, "https://api.anthropic.com"},
		{"deepseek", c.DeepSeek.BaseURL, "https://api.deepseek.com"},
		{"openrouter", c.OpenRouter.BaseURL, "https://openrouter.ai/api/v1"},
		{"ollama", c.Ollama, "http://127.0.0.1:11434"},
		{"local", c.Local.BaseURL, ""},
		{"fallback", strings.Join(c.Fallback, ","), ""},
		{"transcribe", c.Transcribe.Model + c.Transcribe.BaseURL, ""},
		{"recall", fmt.Sprint(c.Recall), "{auto auto  [] []}"},
		{"search", c.Search.SearXNG, ""},
		{"backup.every", fmt.Sprint(c.Backup.Every), "24h0m0s"},
		{"backup.keep", fmt.Sprint(c.Backup.Keep), "7"},
		{"debug.pprof", c.Pprof, ""},
		{"google", c.Google, ""},
		{"more secrets", c.DeepSeek.Key.Reveal() + c.OpenRouter.Key.Reveal() + c.Local.Key.Reveal() + c.Transcribe.Key.Reveal() + c.Search.BraveKey.Reveal(), ""},
		{"secrets", c.MasterKey.Reveal() + c.Telegram.Token.Reveal() + c.Web.Token.Reveal() + c.OpenAI.Key.Reveal() + c.Anthropic.Key.Reveal(), ""},
	} {
		if v.got != v.want {
			t.Errorf("%s: got %q, want %q", v.name, v.got, v.want)
		}
	}
	if c.Zone != time.Local || c.Log.Level != slog.LevelInfo || c.Agent != (Agent{TurnTimeout: 5 * time.Minute}) || c.Budget != (Budget{}) || len(c.Warnings) != 0 {
		t.Errorf("got zone %v, level %v, agent %v, budget %v, warnings %v", c.Zone, c.Log.Level, c.Agent, c.Budget, c.Warnings)
	}
}

// TestNames sets every variable, and in a file every key, and finds each value
// in its place.
func TestNames(t *testing.T) {
	secret := write(t, t.TempDir(), "secret", "77:from-a-file\r\n")
	models := write(t, t.TempDir(), "models.toml", "['local/llama']\n")
	for _, v := range []struct {
		variable, key, text string
		get                 func(*Config) string
		want                string
	}{
		{"NACRE_DATA", "data", "/srv/nacre/", func(c *Config) string { return c.Data }, "/srv/nacre"},
		{"NACRE_DATA", "data", "~/n", func(c *Config) string { return c.Keys }, "/home/ada/n/keys.nacre"},
		{"NACRE_DATA", "data", "~", func(c *Config) string { return c.Data }, "/home/ada"},
		{"NACRE_KEYS", "keys", "~/k", func(c *Config) string { return c.Keys }, "/home/ada/k"},
		{"NACRE_MASTER_KEY", "master_key", "two words", func(c *Config) string { return c.MasterKey.Reveal() }, "two words"},
		{"NACRE_MASTER_KEY_FILE", "master_key_file", secret, func(c *Config) string { return c.MasterKey.Reveal() }, "77:from-a-file"},
		{"TZ", "zone", "Europe/Berlin", func(c *Config) string { return c.Zone.String() }, "Europe/Berlin"},
		{"TZ", "zone", ":America/New_York", func(c *Config) string { return c.Zone.String() }, "America/New_York"},
		{"TZ", "zone", "/usr/share/zoneinfo/Asia/Tokyo", func(c *Config) string { return c.Zone.String() }, "Asia/Tokyo"},
		{"TZ", "zone", ":/etc/localtime", func(c *Config) string { return c.Zone.String() }, "Local"},
		{"NACRE_OWNERS", "owners", "telegram:1+whatsapp:+15550001,telegram:2", func(c *Config) string { return c.Owners }, "telegram:1+whatsapp:+15550001,telegram:2"},
		{"NACRE_MODEL", "model", "ollama/qwen3:8b", func(c *Config) string { return c.Model }, "ollama/qwen3:8b"},
		{"NACRE_MODEL", "model", "offline/", func(c *Config) string { return c.Model }, "offline"},
		{"NACRE_MODEL", "model", "ollama/hf.co/ada/llama:Q4_K_M", func(c *Config) string { return c.Model }, "ollama/hf.co/ada/llama:Q4_K_M"},
		{"NACRE_FALLBACK", "fallback", "ollama/qwen3:8b, offline", func(c *Config) string { return strings.Join(c.Fallback, "|") }, "ollama/qwen3:8b|offline"},
		{"NACRE_MODELS", "models_file", models, func(c *Config) string { return c.ModelsFile }, models},
		{"NACRE_MODELS", "models_file", models, func(c *Config) string { return c.Models["local/llama"].Name }, "local/llama"},
		{"NACRE_MEMORY_MODEL", "memory_model", "offline", func(c *Config) string { return c.MemoryModel }, "offline"},
		{"NACRE_LOG_LEVEL", "log.level", "Warn", func(c *Config) string { return c.Log.Level.String() }, "WARN"},
		{"NACRE_LOG_FORMAT", "log.format", "json", func(c *Config) string { return c.Log.Format }, "json"},
		{"NACRE_TELEGRAM_TOKEN", "telegram.token", "1:a_B-9", func(c *Config) string { return c.Telegram.Token.Reveal() }, "1:a_B-9"},
		{"NACRE_TELEGRAM_TOKEN_FILE", "telegram.token_file", secret, func(c *Config) string { return c.Telegram.Token.Reveal() }, "77:from-a-file"},
		{"NACRE_TELEGRAM_API", "telegram.api", "http://127.0.0.1:4000/", func(c *Config) string { return c.Telegram.API }, "http://127.0.0.1:4000"},
		{"NACRE_WHATSAPP", "whatsapp.number", "own", func(c *Config) string { return string(c.WhatsApp.Number) }, string(OwnNumber)},
		{"NACRE_WHATSAPP", "whatsapp.number", "separate", func(c *Config) string { return string(c.WhatsApp.Number) }, string(SeparateNumber)},
		{"NACRE_WHATSAPP", "whatsapp.number", "off", func(c *Config) string { return string(c.WhatsApp.Number) }, string(NoNumber)},
		{"NACRE_WEB_LISTEN", "web.listen", "off", func(c *Config) string { return c.Web.Listen }, ""},
		{"NACRE_WEB_LISTEN", "web.listen", "[::1]:0", func(c *Config) string { return c.Web.Listen }, "[::1]:0"},
		{"NACRE_WEB_LISTEN", "web.listen", "localhost:65535", func(c *Config) string { return c.Web.Listen }, "localhost:65535"},
		{"NACRE_WEB_TOKEN", "web.token", "word", func(c *Config) string { return c.Web.Token.Reveal() }, "word"},
		{"NACRE_WEB_PROXY", "web.proxy", "false", func(c *Config) string { return fmt.Sprint(c.Web.Proxy) }, "false"},
		{"NACRE_WEB_TOKEN_FILE", "web.token_file", secret, func(c *Config) string { return c.Web.Token.Reveal() }, "77:from-a-file"},
		{"OPENAI_API_KEY", "openai.key", "sk-1", func(c *Config) string { return c.OpenAI.Key.Reveal() }, "sk-1"},
		{"OPENAI_API_KEY_FILE", "openai.key_file", secret, func(c *Config) string { return c.OpenAI.Key.Reveal() }, "77:from-a-file"},
		{"OPENAI_BASE_URL", "openai.base_url", "http://box:11434/v1//", func(c *Config) string { return c.OpenAI.BaseURL }, "http://box:11434/v1"},
		{"ANTHROPIC_API_KEY", "anthropic.key", "sk-2", func(c *Config) string { return c.Anthropic.Key.Reveal() }, "sk-2"},
		{"ANTHROPIC_API_KEY_FILE", "anthropic.key_file", secret, func(c *Config) string { return c.Anthropic.Key.Reveal() }, "77:from-a-file"},
		{"ANTHROPIC_BASE_URL", "anthropic.base_url", "https://u:p@proxy/a", func(c *Config) string { return c.Anthropic.BaseURL }, "https://u:p@proxy/a"},
		{"NACRE_TURN_TIMEOUT", "agent.turn_timeout", "90s", func(c *Config) string { return c.Agent.TurnTimeout.String() }, "1m30s"},
		{"DEEPSEEK_API_KEY", "deepseek.key", "sk-3", func(c *Config) string { return c.DeepSeek.Key.Reveal() }, "sk-3"},
		{"DEEPSEEK_API_KEY_FILE", "deepseek.key_file", secret, func(c *Config) string { return c.DeepSeek.Key.Reveal() }, "77:from-a-file"},
		{"DEEPSEEK_BASE_URL", "deepseek.base_url", "http://box/", func(c *Config) string { return c.DeepSeek.BaseURL }, "http://box"},
		{"OPENROUTER_API_KEY", "openrouter.key", "sk-4", func(c *Config) string { return c.OpenRouter.Key.Reveal() }, "sk-4"},
		{"OPENROUTER_API_KEY_FILE", "openrouter.key_file", secret, func(c *Config) string { return c.OpenRouter.Key.Reveal() }, "77:from-a-file"},
		{"OPENROUTER_BASE_URL", "openrouter.base_url", "http://box/v1", func(c *Config) string { return c.OpenRouter.BaseURL }, "http://box/v1"},
		{"OLLAMA_HOST", "ollama.base_url", "box", func(c *Config) string { return c.Ollama }, "http://box:11434"},
		{"NACRE_LOCAL_KEY", "local.key", "sk-5", func(c *Config) string { return c.Local.Key.Reveal() }, "sk-5"},
		{"NACRE_LOCAL_KEY_FILE", "local.key_file", secret, func(c *Config) string { return c.Local.Key.Reveal() }, "77:from-a-file"},
		{"NACRE_LOCAL_URL", "local.base_url", "http://box:8000/v1/", func(c *Config) string { return c.Local.BaseURL }, "http://box:8000/v1"},
		{"NACRE_WINDOW", "agent.window", "2000", func(c *Config) string { return fmt.Sprint(c.Agent.Window) }, "2000"},
		{"NACRE_WINDOW", "agent.window", "2000000", func(c *Config) string { return fmt.Sprint(c.Agent.Window) }, "2000000"},
		{"NACRE_BUDGET_DAY", "budget.day", "$5", func(c *Config) string { return fmt.Sprint(c.Budget) }, "{$5   }"},
		{"NACRE_BUDGET_MONTH", "budget.month", "$5", func(c *Config) string { return fmt.Sprint(c.Budget) }, "{ $5  }"},
		{"NACRE_BUDGET_OWNER_DAY", "budget.owner_day", "$5", func(c *Config) string { return fmt.Sprint(c.Budget) }, "{  $5 }"},
		{"NACRE_BUDGET_OWNER_MONTH", "budget.owner_month", "$5", func(c *Config) string { return fmt.Sprint(c.Budget) }, "{   $5}"},
		{"NACRE_TRANSCRIBE", "transcribe.model", "off", func(c *Config) string { return c.Transcribe.Model }, TranscribeOff},
		{"NACRE_TRANSCRIBE_KEY", "transcribe.key", "sk-6", func(c *Config) string { return c.Transcribe.Key.Reveal() }, "sk-6"},
		{"NACRE_TRANSCRIBE_KEY_FILE", "transcribe.key_file", secret, func(c *Config) string { return c.Transcribe.Key.Reveal() }, "77:from-a-file"},
		{"NACRE_TRANSCRIBE_URL", "transcribe.base_url", "http://box:8001/v1/", func(c *Config) string { return c.Transcribe.BaseURL }, "http://box:8001/v1"},
		{"NACRE_RECALL_SELECT", "recall.select", "on", func(c *Config) string { return string(c.Recall.Select) }, "on"},
		{"NACRE_RECALL_CHECK", "recall.check", "off", func(c *Config) string { return string(c.Recall.Check) }, "off"},
		{"NACRE_EMBED", "recall.embed", "ollama/nomic-embed-text:v1.5", func(c *Config) string { return c.Recall.Embed }, "ollama/nomic-embed-text:v1.5"},
		{"NACRE_EMBED", "recall.embed", "off", func(c *Config) string { return c.Recall.Embed }, ""},
		{"NACRE_LANGUAGES", "recall.languages", "EN, de", func(c *Config) string { return strings.Join(c.Recall.Languages, "|") }, "en|de"},
		{"NACRE_RECALL_KEYS", "recall.keys", "hologram, exact", func(c *Config) string { return strings.Join(c.Recall.Keys, "|") }, "hologram|exact"},
		{"NACRE_HEARTBEAT", "heartbeat.every", "2h", func(c *Config) string { return c.Heartbeat.Every.String() }, "2h0m0s"},
		{"NACRE_HEARTBEAT", "heartbeat.every", "off", func(c *Config) string { return c.Heartbeat.Every.String() }, "0s"},
		{"NACRE_ACTIVE_HOURS", "heartbeat.hours", "22:30 - 6:05", func(c *Config) string { return fmt.Sprint(c.Heartbeat.Hours.From, c.Heartbeat.Hours.To) }, "1350 365"},
		{"NACRE_HEARTBEAT_CALLS", "heartbeat.calls", "0", func(c *Config) string { return fmt.Sprint(c.Heartbeat.Calls) }, "0"},
		{"NACRE_HEARTBEAT_MESSAGES", "heartbeat.messages", "1000", func(c *Config) string { return fmt.Sprint(c.Heartbeat.Messages) }, "1000"},
		{"NACRE_SEARXNG_URL", "search.searxng", "http://box:8888/", func(c *Config) string { return c.Search.SearXNG }, "http://box:8888"},
		{"BRAVE_API_KEY", "search.brave_key", "bsa", func(c *Config) string { return c.Search.BraveKey.Reveal() }, "bsa"},
		{"BRAVE_API_KEY_FILE", "search.brave_key_file", secret, func(c *Config) string { return c.Search.BraveKey.Reveal() }, "77:from-a-file"},
		{"NACRE_BACKUP", "backup.dir", "/mnt/copies", func(c *Config) string { return c.Backup.Dir }, "/mnt/copies"},
		{"NACRE_BACKUP_EVERY", "backup.every", "168h", func(c *Config) string { return c.Backup.Every.String() }, "168h0m0s"},
		{"NACRE_BACKUP_EVERY", "backup.every", "off", func(c *Config) string { return c.Backup.Every.String() }, "0s"},
		{"NACRE_BACKUP_KEEP", "backup.keep", "30", func(c *Config) string { return fmt.Sprint(c.Backup.Keep) }, "30"},
		{"NACRE_PPROF", "debug.pprof", "[::1]:6060", func(c *Config) string { return c.Pprof }, "[::1]:6060"},
		{"NACRE_GOOGLE_URL", "google.url", "http://box:9000/", func(c *Config) string { return c.Google }, "http://box:9000"},
	} {
		t.Run(v.variable+"="+v.text, func(t *testing.T) {
			if got := v.get(mustLoad(t, "", v.variable+"="+v.text)); got != v.want {
				t.Errorf("from the environment: got %q, want %q", got, v.want)
			}
			doc := v.key + " = '" + v.text + "'\n"
			if got := v.get(mustLoad(t, doc)); got != v.want {
				t.Errorf("from the file: got %q, want %q", got, v.want)
			}
		})
	}
}

// A certificate and its key are given together, or not at all.
func TestNamesOfTheCertificate(t *testing.T) {
	for where, c := range map[string]*Config{
		"environment": mustLoad(t, "", "NACRE_WEB_TLS_CERT=~/c.pem", "NACRE_WEB_TLS_KEY=/k.pem", "NACRE_WEB_LISTEN=:443"),
		"file":        mustLoad(t, "[web]\ntls_cert = '~/c.pem'\ntls_key = '/k.pem'\nlisten = ':443'\n"),
	} {
		if c.Web != (Web{Listen: ":443", TLSCert: "/home/ada/c.pem", TLSKey: "/k.pem"}) {
			t.Errorf("from the %s: %+v", where, c.Web)
		}
	}
}

// A proxy is told of with the address by which browsers reach it.
func TestNamesOfTheProxy(t *testing.T) {
	for _, url := range []string{"https://nacre.example.com", "http://localhost:9000", "http://127.0.0.1:8080", "http://[::1]"} {
		for where, c := range map[string]*Config{
			"environment": mustLoad(t, "", "NACRE_WEB_PROXY=true", "NACRE_WEB_LISTEN=0.0.0.0:8080", "NACRE_WEB_URL="+url),
			"file":        mustLoad(t, "[web]\nproxy = 'true'\nlisten = '0.0.0.0:8080'\nurl = '"+url+"'\n"),
		} {
			if c.Web != (Web{Listen: "0.0.0.0:8080", URL: url, Proxy: true}) {
				t.Errorf("from the %s: %+v", where, c.Web)
			}
		}
	}
}

func TestPrecedence(t *testing.T) {
	secret := write(t, t.TempDir(), "secret", "2:file")
	for _, v := range []struct {
		name, doc string
		environ   []string
		want      string
	}{
		{"file alone", "telegram.token = '1:doc'", nil, "1:doc"},
		{"table", "[telegram]\ntoken = '1:doc'", nil, "1:doc"},
		{"inline table", "telegram = {token = '1:doc'}", nil, "1:doc"},
		{"byte order mark and CRLF", "\ufeff[telegram]\r\ntoken = '1:doc'\r\n", nil, "1:doc"},
		{"variable over file", "telegram.token = '1:doc'", []string{"NACRE_TELEGRAM_TOKEN=3:env"}, "3:env"},
		{"variable of a file over file", "telegram.token = '1:doc'", []string{"NACRE_TELEGRAM_TOKEN_FILE=" + secret}, "2:file"},
		{"variable over a wrong file", "telegram.token = 5", []string{"NACRE_TELEGRAM_TOKEN=3:env"}, "3:env"},
		{"empty variable", "telegram.token = '1:doc'", []string{"NACRE_TELEGRAM_TOKEN="}, "1:doc"},
		{"empty text", "telegram.token = ''", nil, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			if got := mustLoad(t, v.doc, v.environ...).Telegram.Token.Reveal(); got != v.want {
				t.Errorf("got %q, want %q", got, v.want)
			}
		})
	}
}

func TestFile(t *testing.T) {
	home := t.TempDir()
	data := filepath.Join(home, ".nacre")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	standard := write(t, data, "nacre.toml", "model = 'ollama/standard'")
	moved := write(t, home, "nacre.toml", "model = 'ollama/moved'")
	named := write(t, home, "named.toml", "model = 'ollama/named'")
	flag := write(t, home, "flag.toml", "model = 'ollama/flag'")
	for _, v := range []struct {
		name, flag string
		environ    []string
		file       string
		model      string
	}{
		{"default data directory", "", nil, standard, "ollama/standard"},
		{"other data directory", "", []string{"NACRE_DATA=" + home}, moved, "ollama/moved"},
		{"data directory without a file", "", []string{"NACRE_DATA=" + filepath.Join(home, "none")}, "", ""},
		{"variable", "", []string{"NACRE_CONFIG=~/named.toml", "NACRE_DATA=" + home}, named, "ollama/named"},
		{"command line", flag, []string{"NACRE_CONFIG=" + named}, flag, "ollama/flag"},
	} {
		t.Run(v.name, func(t *testing.T) {
			c, err := Load(append(v.environ, "HOME="+home), v.flag, checkOwners)
			if err != nil {
				t.Fatal(err)
			}
			if c.File != v.file || c.Model != v.model {
				t.Errorf("got %s with %q, want %s with %q", c.File, c.Model, v.file, v.model)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	const secrets = "telegram.token = '1:a'\n"
	for _, v := range []struct {
		name, doc string
		mode      os.FileMode
		environ   []string
		want      string // one warning that holds this, or none
	}{
		{"secrets kept to oneself", secrets, 0o600, nil, ""},
		{"secrets for the group", secrets, 0o640, nil, "holds secrets and others on this machine can read it; make it yours alone with chmod 600"},
		{"secrets for all", secrets, 0o604, nil, "chmod 600"},
		{"no secrets for all", "model = 'offline'\n", 0o644, nil, ""},
		{"path of a secret for all", "master_key_file = '/dev/fd/0/none'\n", 0o644, []string{"NACRE_MASTER_KEY=x"}, ""},
		{"slip in a variable", "", 0o600, []string{"NACRE_TELEGRAM_TOKN=1:a"}, `the variable "NACRE_TELEGRAM_TOKN" means nothing to Nacre; did you mean "NACRE_TELEGRAM_TOKEN"?`},
		{"unlike any variable", "", 0o600, []string{"NACRE_SERVICE_PORT_HTTP=1"}, `the variable "NACRE_SERVICE_PORT_HTTP" means nothing to Nacre; remove it`},
		{"variables of others", "", 0o600, []string{"OPENAI_API_KEI=1", "NACREOUS=1"}, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			path := write(t, t.TempDir(), "nacre.toml", v.doc)
			if err := os.Chmod(path, v.mode); err != nil {
				t.Fatal(err)
			}
			c, err := Load(append(v.environ, "HOME=/home/ada", "NACRE_CONFIG="+path), "", checkOwners)
			if err != nil {
				t.Fatal(err)
			}
			if v.want == "" && len(c.Warnings) != 0 || v.want != "" && (len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], v.want)) {
				t.Errorf("got %q, want one with %q", c.Warnings, v.want)
			}
		})
	}
}

// problems loads a configuration that must be refused; FILE stands for its
// path in what is returned.
func problems(t *testing.T, doc string, environ ...string) []string {
	t.Helper()
	path := write(t, t.TempDir(), "nacre.toml", doc)
	c, err := Load(append(environ, "HOME=/home/ada"), path, checkOwners)
	list, ok := errors.AsType[Problems](err)
	if !ok || c != nil {
		t.Fatalf("got %v and error %v, want only Problems", c, err)
	}
	return strings.Split(strings.ReplaceAll(strings.Join(list, "\n"), path, "FILE"), "\n")
}

func TestAllProblemsAtOnce(t *testing.T) {
	doc := `zone = "Europe/Berln"
zoen = "UTC"
[telegram]
tokn = "1:a"
token = 'not a token'
[log]
level = 3
`
	want := []string{
		`FILE line 2: unknown key "zoen"; did you mean "zone"?`,
		`FILE line 4: unknown key "telegram.tokn"; did you mean "telegram.token"?`,
		`FILE line 1 (zone): "Europe/Berln" is not a time zone; write its name, such as Europe/Berlin`,
		`NACRE_MODEL (model): this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline`,
		`FILE line 7 (log.level): the value must be a text in quotes`,
		`FILE line 5 (telegram.token): this is not a bot token, which is digits, a colon, then letters, digits, _ and -; copy it again from @BotFather`,
		`NACRE_WEB_LISTEN (web.listen): others can reach 0.0.0.0:80, and read what is sent there; set web.tls_cert and web.tls_key (NACRE_WEB_TLS_CERT and NACRE_WEB_TLS_KEY), or web.proxy (NACRE_WEB_PROXY) to true behind a proxy that speaks https, or listen on 127.0.0.1`,
	}
	got := problems(t, doc, "NACRE_MODEL=gpt", "NACRE_WEB_LISTEN=0.0.0.0:80")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestProblemsError(t *testing.T) {
	if got, want := (Problems{"one"}).Error(), "one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (Problems{"one", "two"}).Error(), "the configuration has these problems:\n- one\n- two"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
