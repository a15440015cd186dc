package configs

import (
	"slices"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	secret := write(t, t.TempDir(), "secret", "1:"+canary)
	doc := `zone = "Europe/Berlin"
master_key = "` + canary + `"
fallback = "offline, ollama/qwen3:8b"
[openai]
base_url = "https://me:` + canary + `@proxy/v1"
[anthropic]
base_url = "https://` + canary + `@proxy"
[agent]
window = "0"
[budget]
day = "1500k tokens,$.5"
`
	c := mustLoad(t, doc, "NACRE_DATA=/srv/it's", "NACRE_TELEGRAM_TOKEN_FILE="+secret, "NACRE_TRANSCRIBE=off", "NACRE_EMBED=off", "NACRE_LANGUAGES=en, de", "BRAVE_API_KEY="+canary)
	got := strings.ReplaceAll(c.Dump(), c.File, "FILE")
	want := `data = "/srv/it's" # NACRE_DATA
keys = "/srv/it's/keys.nacre" # default
# master_key is set # FILE line 2
zone = 'Europe/Berlin' # FILE line 1
# owners is not set
# model is not set
fallback = 'offline,ollama/qwen3:8b' # FILE line 3
# memory_model is not set
# models_file is not set

[log]
level = 'INFO' # default
format = 'text' # default

[telegram]
# token is set # NACRE_TELEGRAM_TOKEN_FILE
api = 'https://api.telegram.org' # default
# webhook is not set

[whatsapp]
number = 'own' # default

[web]
listen = '127.0.0.1:8080' # default
# url is not set
# token is not set
# tls_cert is not set
# tls_key is not set
# proxy is not set

[openai]
# key is not set
base_url = 'https://hidden@proxy/v1' # FILE line 5

[anthropic]
# key is not set
base_url = 'https://hidden@proxy' # FILE line 7

[deepseek]
# key is not set
base_url = 'https://api.deepseek.com' # default

[openrouter]
# key is not set
base_url = 'https://openrouter.ai/api/v1' # default

[ollama]
base_url = 'http://127.0.0.1:11434' # default

[local]
# key is not set
# base_url is not set

[agent]
turn_timeout = '5m0s' # default
window = '0' # FILE line 9

[budget]
day = '$0.50, 1.5M tokens' # FILE line 11
# month is not set
# owner_day is not set
# owner_month is not set

[transcribe]
model = 'off' # NACRE_TRANSCRIBE
# key is not set
# base_url is not set

[recall]
select = 'auto' # default
check = 'auto' # default
embed = 'off' # NACRE_EMBED
languages = 'en,de' # NACRE_LANGUAGES
# keys is not set

[heartbeat]
every = '30m0s' # default
hours = '08:00-22:00' # default
calls = '24' # default
messages = '8' # default

[search]
# searxng is not set
# brave_key is set # BRAVE_API_KEY

[backup]
dir = "/srv/it's/backups" # default
every = '24h0m0s' # default
keep = '7' # default

[debug]
# pprof is not set

[google]
# url is not set
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c.OpenAI.BaseURL != "https://me:"+canary+"@proxy/v1" || c.MasterKey.Reveal() != canary {
		t.Error("the configuration itself has lost a secret")
	}
	again := mustLoad(t, c.Dump())
	if again.Keys != c.Keys || again.Zone.String() != "Europe/Berlin" || !slices.Equal(again.Fallback, c.Fallback) || again.Budget != c.Budget || !slices.Equal(again.Recall.Languages, c.Recall.Languages) {
		t.Errorf("read again: got %s, %s, %s and %v", again.Keys, again.Zone, again.Fallback, again.Budget)
	}
}

func TestDumpShowsOff(t *testing.T) {
	if got := mustLoad(t, "web.listen = 'off'").Dump(); !strings.Contains(got, "listen = 'off'") {
		t.Errorf("a page that is off is dumped as\n%s", got)
	}
}
