package configs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestProblem makes one mistake at a time. Each case must give exactly the one
// problem that it names, and none once the mistake is mended.
func TestProblem(t *testing.T) {
	for _, v := range []struct{ name, doc, environ, want, mended string }{
		// The file itself.
		{"no closing bracket", "[web\n", "",
			`FILE line 1 column 5: this is not valid TOML, expected ']' to close table name: [web`, "[web]\n"},
		{"no quotes", "[telegram]\ntoken = 12:abc\n", "",
			`FILE line 2 column 12: this is not valid TOML, expected newline but got U+0061 'a': token = …`, "[telegram]\ntoken = '12:abc'\n"},
		{"cut text", "model = 'offline\n", "",
			`FILE line 1 column 17: this is not valid TOML, literal strings cannot have new lines: model = '…`, "model = 'offline'\n"},
		{"number that quotes itself", "web.token = 12345e6789\n", "",
			`FILE line 1 column 13: this is not valid TOML, unable to parse float: web.token = …`, "web.token = '12345e6789'\n"},
		{"doubled key", "model = 'offline'\nmodel = 'offline'\n", "",
			`FILE line 2 column 1: this is not valid TOML, key model is already defined: model = '…'`, "model = 'offline'\n"},
		{"line break in a key", "\"a\\nb\" = 1\n\"a\\nb\" = 2\n", "",
			`FILE line 2 column 1: this is not valid TOML, key a b is already defined: "…" = …`, ""},
		{"too large", strings.Repeat("#", maxFile+1), "",
			`the configuration file "FILE" cannot be read (it is larger than 64 KiB); check its path and permissions`, strings.Repeat("#", maxFile)},

		// Keys.
		{"slip", "\n\n[telegram]\n\ntokn = '1:a'\n", "",
			`FILE line 5: unknown key "telegram.tokn"; did you mean "telegram.token"?`, "[telegram]\ntoken = '1:a'\n"},
		{"slip in the table", "[telegrm]\ntoken = '1:a'\n", "",
			`FILE line 2: unknown key "telegrm.token"; did you mean "telegram.token"?`, "[telegram]\ntoken = '1:a'\n"},
		{"slip in an inline table", "\ntelegram = {tokn = '1:a'}\n", "",
			`FILE line 2: unknown key "telegram.tokn"; did you mean "telegram.token"?`, "telegram = {token = '1:a'}\n"},
		{"capitals", "Model = 'offline'\n", "",
			`FILE line 1: unknown key "Model"; did you mean "model"?`, "model = 'offline'\n"},
		{"below a table", "[log]\nmodel = 'offline'\n", "",
			`FILE line 2: unknown key "log.model"; did you mean "model"?`, "model = 'offline'\n[log]\n"},
		{"unlike any key", "weather = 'fine'\n", "",
			`FILE line 1: unknown key "weather"; remove it`, ""},
		{"unknown empty table", "[weather]\n", "",
			`FILE line 1: unknown key "weather"; remove it`, "[web]\n"},
		{"dot in quotes", "'log.level' = 'info'\n", "",
			`FILE line 1: unknown key "\"log.level\""; did you mean "log.level"?`, "log.level = 'info'\n"},
		{"file of no secret", "log.level_file = '/x'\n", "",
			`FILE line 1: unknown key "log.level_file"; remove it`, "log.level = 'info'\n"},

		// Types.
		{"number", "web.listen = 8080\n", "",
			`FILE line 1 (web.listen): the value must be a text in quotes`, "web.listen = '127.0.0.1:8080'\n"},
		{"array", "owners = ['telegram:1']\n", "",
			`FILE line 1 (owners): the value must be a text in quotes`, "owners = 'telegram:1'\n"},
		{"setting as a table", "[model]\n", "",
			`FILE line 1 (model): the value must be a text in quotes`, ""},
		{"number for a file", "web.token_file = 1\n", "",
			`FILE line 1 (web.token): the value must be a text in quotes`, "web.token = 'x'\n"},
		{"number for a file beside a text", "[web]\ntoken = 'x'\ntoken_file = 1\n", "",
			`FILE line 3 (web.token): the value must be a text in quotes`, "[web]\ntoken = 'x'\n"},
		{"table as a text", "log = 'info'\n", "",
			`FILE line 1: log is a table; write [log] once, on a line of its own, and its settings below`, "[log]\nlevel = 'info'\n"},
		{"table in double brackets", "[[log]]\nlevel = 'info'\n", "",
			`FILE line 1: log is a table; write [log] once, on a line of its own, and its settings below`, "[log]\nlevel = 'info'\n"},

		// Values.
		{"line break", "model = \"offline\\n\"\n", "",
			`FILE line 1 (model): the text holds a line break or another character that cannot be seen; write it on one line`, "model = 'offline'\n"},
		{"bytes that are no text", "", "NACRE_OWNERS=telegram:1\xff",
			`NACRE_OWNERS (owners): the text holds a line break or another character that cannot be seen; write it on one line`, ""},
		{"zone", "", "TZ=CET-1CEST,M3.5.0",
			`TZ (zone): "CET-1CEST,M3.5.0" is not a time zone; write its name, such as Europe/Berlin`, "zone = 'CET'\n"},
		{"blank owner", "owners = 'telegram:1,'\n", "",
			`FILE line 1 (owners): "" is not an address; write owners as telegram:1001+whatsapp:15550001,telegram:1002`, "owners = 'telegram:1'\n"},
		{"no provider", "model = 'gpt'\n", "",
			`FILE line 1 (model): this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline`, "model = 'ollama/gpt'\n"},
		{"no model", "", "NACRE_MEMORY_MODEL=ollama/",
			`NACRE_MEMORY_MODEL (memory_model): the name of the model is missing or holds a space; write it like ollama/name-of-the-model`, "memory_model = 'ollama/x'\n"},
		{"slip in a provider", "model = 'opnai/gpt'\n", "",
			`FILE line 1 (model): this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline; did you mean "openai"?`, "model = 'openai/gpt'\nopenai.key = 'k'\n"},
		{"slip in offline", "", "NACRE_MODEL=ofline",
			`NACRE_MODEL (model): this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline; did you mean "offline"?`, "model = 'offline'\n"},
		{"blank fallback", "fallback = 'offline,'\n", "",
			`FILE line 1 (fallback): number 2 of the list: this begins with no provider that is known; write openai, anthropic, deepseek, openrouter, ollama or local, a slash and the model, or only offline`, "fallback = 'offline'\n"},
		{"fallback without a model", "", "NACRE_FALLBACK=openrouter/ , offline",
			`NACRE_FALLBACK (fallback): number 1 of the list: the name of the model is missing or holds a space; write it like openrouter/name-of-the-model`, "fallback = 'ollama/a:b , offline'\n"},
		{"level", "log.level = 'loud'\n", "",
			`FILE line 1 (log.level): "loud" is not a level of the log; write debug, info, warn or error`, "log.level = 'error'\n"},
		{"format", "", "NACRE_LOG_FORMAT=xml",
			`NACRE_LOG_FORMAT (log.format): "xml" is not a format of the log; write text or json`, "log.format = 'text'\n"},
		{"no URL", "telegram.api = 'http://a b/'\n", "",
			`FILE line 1 (telegram.api): this is not a URL; write it like https://example.com/v1`, "telegram.api = 'http://ab/'\n"},
		{"scheme", "", "NACRE_TELEGRAM_API=localhost:8081",
			`NACRE_TELEGRAM_API (telegram.api): the URL must begin with https:// or http://`, "telegram.api = 'http://localhost:8081'\n"},
		{"no host", "openai.base_url = 'https:///v1'\n", "",
			`FILE line 1 (openai.base_url): the URL names no host; write it like https://example.com/v1`, "openai.base_url = 'https://h/v1'\n"},
		{"query", "anthropic.base_url = 'https://h/?'\n", "",
			`FILE line 1 (anthropic.base_url): paths are added to this URL; remove the part that begins with ? or #`, "anthropic.base_url = 'https://h/'\n"},
		{"fragment", "anthropic.base_url = 'https://h/#'\n", "",
			`FILE line 1 (anthropic.base_url): paths are added to this URL; remove the part that begins with ? or #`, "anthropic.base_url = 'https://h/'\n"},
		{"webhook without https", "telegram.webhook = 'http://h/telegram'\n", "",
			`FILE line 1 (telegram.webhook): Telegram calls https URLs only, and ours ends in /telegram; write it like https://nacre.example.com/telegram`, "telegram.webhook = 'https://h/telegram'\n"},
		{"webhook without a page", "telegram.webhook = 'https://h/telegram'\nweb.listen = 'off'\n", "",
			`FILE line 1 (telegram.webhook): Telegram's calls arrive at the web page, which is off; set web.listen or NACRE_WEB_LISTEN`, ""},
		{"a number instead of whose", "whatsapp.number = '+15550001'\n", "",
			`FILE line 1 (whatsapp.number): "+15550001" is none of own, separate and off; write one of them`, "whatsapp.number = 'separate'\n"},
		{"capitals of whose", "", "NACRE_WHATSAPP=Own",
			`NACRE_WHATSAPP (whatsapp.number): "Own" is none of own, separate and off; write one of them`, "whatsapp.number = 'off'\n"},
		{"page with a path", "", "NACRE_WEB_URL=https://h/nacre",
			`NACRE_WEB_URL (web.url): only the beginning is wanted, without a path; write it like https://nacre.example.com`, "web.url = 'https://h/'\n"},
		{"no port", "web.listen = 'localhost'\n", "",
			`FILE line 1 (web.listen): "localhost" is not a place to listen; write host:port with a port up to 65535, such as 127.0.0.1:8080, or off`, "web.listen = 'localhost:1'\n"},
		{"high port", "", "NACRE_WEB_LISTEN=localhost:65536",
			`NACRE_WEB_LISTEN (web.listen): "localhost:65536" is not a place to listen; write host:port with a port up to 65535, such as 127.0.0.1:8080, or off`, ""},
		{"no unit", "agent.turn_timeout = '90'\n", "",
			`FILE line 1 (agent.turn_timeout): "90" is not a length of time; write one above zero, such as 90s or 5m`, "agent.turn_timeout = '90s'\n"},
		{"no time", "agent.turn_timeout = '0s'\n", "",
			`FILE line 1 (agent.turn_timeout): "0s" is not a length of time; write one above zero, such as 90s or 5m`, "agent.turn_timeout = '1ns'\n"},

		{"Ollama", "", "OLLAMA_HOST=box:port",
			`OLLAMA_HOST (ollama.base_url): this is not where an Ollama is; write host:port, such as 127.0.0.1:11434`, "ollama.base_url = 'box:1'\n"},
		{"scheme of Ollama", "ollama.base_url = 'tcp://box:1'\n", "",
			`FILE line 1 (ollama.base_url): the URL must begin with https:// or http://`, "ollama.base_url = 'https://box:1'\n"},
		{"small window", "agent.window = '1999'\n", "",
			`FILE line 1 (agent.window): "1999" is not a window; write its tokens, from 2000 to 2000000, or 0 for what the model has`, "agent.window = '2000'\n"},
		{"large window", "", "NACRE_WINDOW=2000001",
			`NACRE_WINDOW (agent.window): "2000001" is not a window; write its tokens, from 2000 to 2000000, or 0 for what the model has`, "agent.window = '2000000'\n"},
		{"words for a window", "", "NACRE_WINDOW=128k",
			`NACRE_WINDOW (agent.window): "128k" is not a window; write its tokens, from 2000 to 2000000, or 0 for what the model has`, "agent.window = '0'\n"},
		{"budget", "", "NACRE_BUDGET_DAY=5 USD",
			`NACRE_BUDGET_DAY (budget.day): "5 USD" is not a budget; write dollars, tokens or both, above zero, such as $5, 3M tokens`, "budget.day = '$5'\n"},
		{"who writes down", "transcribe.model = 'anthropic/x'\n", "",
			`FILE line 1 (transcribe.model): only openai and local can write down what is said; write it like openai/gpt-4o-mini-transcribe or local/whisper-1, or off`, "transcribe.model = 'off'\n"},
		{"slip in who writes down", "", "NACRE_TRANSCRIBE=loacl/x",
			`NACRE_TRANSCRIBE (transcribe.model): only openai and local can write down what is said; write it like openai/gpt-4o-mini-transcribe or local/whisper-1, or off; did you mean "local"?`, ""},
		{"nobody writes down", "transcribe.model = 'local/'\n", "",
			`FILE line 1 (transcribe.model): the name of the model is missing or holds a space; write it like local/name-of-the-model`, "transcribe.model = 'local/x'\nlocal.base_url = 'http://box'\n"},
		{"neither on nor off", "recall.select = 'yes'\n", "",
			`FILE line 1 (recall.select): "yes" is none of auto, on and off; write one of them`, "recall.select = 'on'\n"},
		{"neither on nor off, of the other", "", "NACRE_RECALL_CHECK=true",
			`NACRE_RECALL_CHECK (recall.check): "true" is none of auto, on and off; write one of them`, "recall.check = 'auto'\n"},
		{"who makes vectors", "recall.embed = 'anthropic/x'\n", "",
			`FILE line 1 (recall.embed): only openai, openrouter, local and ollama can make vectors; write it like openai/text-embedding-3-small or ollama/nomic-embed-text, or off`, "recall.embed = 'off'\n"},
		{"slip in who makes vectors", "", "NACRE_EMBED=olama/x",
			`NACRE_EMBED (recall.embed): only openai, openrouter, local and ollama can make vectors; write it like openai/text-embedding-3-small or ollama/nomic-embed-text, or off; did you mean "ollama"?`, "recall.embed = 'ollama/x'\n"},
		{"nobody makes vectors", "", "NACRE_EMBED=ollama/",
			`NACRE_EMBED (recall.embed): the name of the model is missing or holds a space; write it like ollama/name-of-the-model`, ""},
		{"languages by name", "", "NACRE_LANGUAGES=en, german",
			`NACRE_LANGUAGES (recall.languages): number 2 of the list is no language; write codes of two letters (ISO 639-1), such as en,de,es`, "recall.languages = 'en, de'\n"},
		{"a language twice", "recall.languages = 'en,de,EN'\n", "",
			`FILE line 1 (recall.languages): the list names en twice; keep one of them`, "recall.languages = 'EN'\n"},
		{"a step that is none", "", "NACRE_RECALL_KEYS=exact,fuzy",
			`NACRE_RECALL_KEYS (recall.keys): number 2 of the list is no step; write exact, words, overlap, fuzzy, hologram in any order, or some of them; did you mean "fuzzy"?`, "recall.keys = 'hologram, exact'\n"},
		{"a step twice", "recall.keys = 'words,exact,words'\n", "",
			`FILE line 1 (recall.keys): the list names words twice; keep one of them`, "recall.keys = 'words'\n"},
		{"a heartbeat without end", "heartbeat.every = '1s'\n", "",
			`FILE line 1 (heartbeat.every): "1s" is not how often to look; write a time from 5m to 24h, such as 30m, or off`, "heartbeat.every = '5m'\n"},
		{"hours that are none", "", "NACRE_ACTIVE_HOURS=8-22",
			`NACRE_ACTIVE_HOURS (heartbeat.hours): "8-22" are not hours of a day; write them such as 08:00-22:00`, "heartbeat.hours = '22:00-22:00'\n"},
		{"backups too often", "", "NACRE_BACKUP_EVERY=5m",
			`NACRE_BACKUP_EVERY (backup.every): "5m" is not how often to back up; write a time from 1h to 744h, such as 24h, or off`, "backup.every = '24h'\n"},
		{"no backup kept", "", "NACRE_BACKUP_KEEP=0",
			`NACRE_BACKUP_KEEP (backup.keep): "0" is not how many backups to keep; write a number from 1 to 1000`, "backup.keep = '1'\n"},
		{"a profile for everybody", "", "NACRE_PPROF=0.0.0.0:6060",
			`NACRE_PPROF (debug.pprof): "0.0.0.0:6060" is not an address of this machine alone; write one such as 127.0.0.1:6060, or off`, "debug.pprof = '127.0.0.1:6060'\n"},
		{"a number that is none", "", "NACRE_HEARTBEAT_CALLS=-1",
			`NACRE_HEARTBEAT_CALLS (heartbeat.calls): "-1" is not a number for a day; write one from 0 to 1000`, "heartbeat.calls = '0'\n"},
		{"no file of models", "", "NACRE_MODELS=/none/models.toml",
			`NACRE_MODELS (models_file): the file cannot be read (no such file or directory); check its path and permissions`, ""},

		// Settings that do not go together.
		{"open to all", "web.listen = ':8080'\n", "",
			`FILE line 1 (web.listen): others can reach :8080, and read what is sent there; set web.tls_cert and web.tls_key (NACRE_WEB_TLS_CERT and NACRE_WEB_TLS_KEY), or web.proxy (NACRE_WEB_PROXY) to true behind a proxy that speaks https, or listen on 127.0.0.1`, "web.listen = ':8080'\nweb.proxy = 'true'\nweb.url = 'https://nacre.example'\n"},
		{"open to all, with a token", "web.listen = ':8080'\nweb.token = 'x'\nweb.proxy = 'false'\n", "",
			`FILE line 1 (web.listen): others can reach :8080, and read what is sent there; set web.tls_cert and web.tls_key (NACRE_WEB_TLS_CERT and NACRE_WEB_TLS_KEY), or web.proxy (NACRE_WEB_PROXY) to true behind a proxy that speaks https, or listen on 127.0.0.1`, "web.listen = ':8080'\nweb.tls_cert = '/c'\nweb.tls_key = '/k'\n"},
		{"a certificate without a key", "web.listen = ':8080'\nweb.tls_cert = '/c'\n", "",
			`FILE line 2 (web.tls_cert): a certificate is of no use without its key; set web.tls_key or NACRE_WEB_TLS_KEY`, ""},
		{"a key without a certificate", "", "NACRE_WEB_TLS_KEY=/k",
			`NACRE_WEB_TLS_KEY (web.tls_key): a key is of no use without its certificate; set web.tls_cert or NACRE_WEB_TLS_CERT`, ""},
		{"a certificate for http", "web.tls_cert = '/c'\nweb.tls_key = '/k'\n", "NACRE_WEB_URL=http://nacre.example",
			`NACRE_WEB_URL (web.url): the page has a certificate, so its address begins with https://`, "web.tls_cert = '/c'\nweb.tls_key = '/k'\nweb.url = 'https://nacre.example'\n"},
		{"a proxy without an address", "web.proxy = 'true'\n", "",
			`FILE line 1 (web.proxy): say by which address browsers reach the proxy, which has to speak https where other machines can: set web.url (NACRE_WEB_URL), such as https://nacre.example.com, or http://localhost:8080 for this machine alone`, "web.proxy = 'true'\nweb.listen = 'off'\n"},
		{"a proxy without https", "web.listen = ':8080'\nweb.url = 'http://nacre.example'\n", "NACRE_WEB_PROXY=true",
			`NACRE_WEB_PROXY (web.proxy): say by which address browsers reach the proxy, which has to speak https where other machines can: set web.url (NACRE_WEB_URL), such as https://nacre.example.com, or http://localhost:8080 for this machine alone`, "web.listen = ':8080'\nweb.url = 'http://localhost'\nweb.proxy = 'true'\n"},
		{"a proxy at a name that only looks like this machine's", "web.url = 'http://localhost.example:8080'\nweb.proxy = 'true'\n", "",
			`FILE line 2 (web.proxy): say by which address browsers reach the proxy, which has to speak https where other machines can: set web.url (NACRE_WEB_URL), such as https://nacre.example.com, or http://localhost:8080 for this machine alone`, "web.proxy = 'true'\nweb.tls_cert = '/c'\nweb.tls_key = '/k'\n"},
		{"neither true nor false", "web.proxy = 'yes'\n", "",
			`FILE line 1 (web.proxy): "yes" says neither true nor false; write one of the two`, "web.proxy = 'false'\n"},
		{"openai without a key", "model = 'openai/x'\n", "",
			`FILE line 1 (model): the models of api.openai.com need a key; set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none`, "model = 'openai/x'\nopenai.base_url = 'http://box/v1'\n"},
		{"anthropic without a key", "", "NACRE_MEMORY_MODEL=anthropic/x",
			`NACRE_MEMORY_MODEL (memory_model): the models of api.anthropic.com need a key; set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL to a server that needs none`, "memory_model = 'anthropic/x'\nanthropic.key = 'k'\n"},
		{"deepseek without a key", "model = 'deepseek/x'\n", "",
			`FILE line 1 (model): the models of api.deepseek.com need a key; set DEEPSEEK_API_KEY, or DEEPSEEK_BASE_URL to a server that needs none`, "model = 'deepseek/x'\ndeepseek.key = 'k'\n"},
		{"openrouter without a key, twice in a list", "fallback = 'openrouter/x,offline,openrouter/y'\n", "",
			`FILE line 1 (fallback): the models of openrouter.ai need a key; set OPENROUTER_API_KEY, or OPENROUTER_BASE_URL to a server that needs none`, "fallback = 'openrouter/x'\nopenrouter.base_url = 'http://127.0.0.1:1'\n"},
		{"the provider's own service, written otherwise", "model = 'openai/x'\nopenai.base_url = 'https://API.openai.com:443/v1'\n", "",
			`FILE line 1 (model): the models of api.openai.com need a key; set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none`, "model = 'openai/x'\nopenai.base_url = 'https://api.openai.com.box/v1'\n"},
		{"a local model nowhere", "model = 'local/x'\nlocal.key = 'k'\n", "",
			`FILE line 1 (model): the models of local need the address of their server; set local.base_url or NACRE_LOCAL_URL`, "model = 'local/x'\nlocal.base_url = 'http://box'\n"},
		{"a local model at an address that is refused", "model = 'local/x'\nlocal.base_url = 'box'\n", "",
			`FILE line 2 (local.base_url): the URL must begin with https:// or http://`, "model = 'ollama/x'\n"},
		{"voice notes without a key", "", "NACRE_TRANSCRIBE=openai/x",
			`NACRE_TRANSCRIBE (transcribe.model): the models of api.openai.com need a key; set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none`, "transcribe.model = 'openai/x'\ntranscribe.base_url = 'http://box'\n"},
		{"vectors without a key", "", "NACRE_EMBED=openai/x",
			`NACRE_EMBED (recall.embed): the models of api.openai.com need a key; set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none`, "recall.embed = 'openai/x'\nopenai.key = 'k'\n"},
		{"vectors nowhere", "recall.embed = 'local/x'\n", "",
			`FILE line 1 (recall.embed): the models of local need the address of their server; set local.base_url or NACRE_LOCAL_URL`, "recall.embed = 'local/x'\nlocal.base_url = 'http://box'\n"},
		{"voice notes nowhere", "transcribe.model = 'local/x'\n", "",
			`FILE line 1 (transcribe.model): the models of local need the address of their server; set local.base_url or NACRE_LOCAL_URL`, "transcribe.model = 'local/x'\ntranscribe.base_url = 'http://box'\n"},
		{"two searches", "search.searxng = 'http://box'\n", "BRAVE_API_KEY=k",
			`FILE line 1 (search.searxng): BRAVE_API_KEY names another search, and only one is asked; keep one of the two`, "search.searxng = 'http://box'\n"},
	} {
		t.Run(v.name, func(t *testing.T) {
			if got := problems(t, v.doc, v.environ); !slices.Equal(got, []string{v.want}) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), v.want)
			}
			mustLoad(t, v.mended)
		})
	}
}

// TestUnread shows that a file that cannot be understood hides no problem of
// the environment, and that nothing is missed because it may be in the file.
func TestUnread(t *testing.T) {
	got := problems(t, "[web", "NACRE_WEB_LISTEN=:80", "NACRE_LOG_LEVEL=loud")
	if len(got) != 2 || !strings.HasPrefix(got[0], "FILE line 1 column 4") || !strings.HasPrefix(got[1], "NACRE_LOG_LEVEL") {
		t.Errorf("got %q, want the syntax and the level", got)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	empty := write(t, dir, "empty", "\n")
	full := write(t, dir, "full", "1:a\n")
	none := filepath.Join(dir, "none")
	for _, v := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"configuration", []string{"HOME=/", "NACRE_CONFIG=" + none},
			`the configuration file "` + none + `" cannot be read (no such file or directory); check its path and permissions`},
		{"configuration is a directory", []string{"HOME=/", "NACRE_CONFIG=" + dir},
			`the configuration file "` + dir + `" cannot be read (is a directory); check its path and permissions`},
		{"home", nil,
			`default (data): the path begins with ~ but HOME is not set; write the full path`},
		{"home of the configuration", []string{"NACRE_CONFIG=~/x", "NACRE_DATA=" + dir},
			`the configuration file "~/x" cannot be read (the path begins with ~ but HOME is not set; write the full path); check its path and permissions`},
		{"secret", []string{"HOME=/", "NACRE_TELEGRAM_TOKEN_FILE=" + none},
			`NACRE_TELEGRAM_TOKEN_FILE (telegram.token): the file that should hold the secret cannot be read (no such file or directory); check its path and permissions`},
		{"words of a secret", []string{"HOME=/", "NACRE_TELEGRAM_TOKEN_FILE=" + empty},
			`NACRE_TELEGRAM_TOKEN_FILE (telegram.token): the file that should hold the secret is empty; write the secret into it`},
		{"choice between secrets", []string{"HOME=/", "NACRE_TELEGRAM_TOKEN_FILE=" + full, "NACRE_TELEGRAM_TOKEN=1:a"},
			`NACRE_TELEGRAM_TOKEN (telegram.token): the secret is also given as a file by NACRE_TELEGRAM_TOKEN_FILE; keep one of the two`},
	} {
		t.Run(v.name, func(t *testing.T) {
			if _, err := Load(v.environ, "", checkOwners); err == nil || err.Error() != v.want {
				t.Errorf("got  %v\nwant %s", err, v.want)
			}
		})
	}
}
