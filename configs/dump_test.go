package configs

import (
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	secret := write(t, t.TempDir(), "secret", "1:"+canary)
	doc := `zone = "Europe/Berlin"
master_key = "` + canary + `"
[openai]
base_url = "https://me:` + canary + `@proxy/v1"
[anthropic]
base_url = "https://` + canary + `@proxy"
`
	c := mustLoad(t, doc, "NACRE_DATA=/srv/it's", "NACRE_TELEGRAM_TOKEN_FILE="+secret)
	got := strings.ReplaceAll(c.Dump(), c.File, "FILE")
	want := `data = "/srv/it's" # NACRE_DATA
keys = "/srv/it's/keys.nacre" # default
# master_key is set # FILE line 2
zone = 'Europe/Berlin' # FILE line 1
# owners is not set
# model is not set
# memory_model is not set

[log]
level = 'INFO' # default
format = 'text' # default

[telegram]
# token is set # NACRE_TELEGRAM_TOKEN_FILE
api = 'https://api.telegram.org' # default
# webhook is not set

[web]
listen = '127.0.0.1:8080' # default
# url is not set
# token is not set

[openai]
# key is not set
base_url = 'https://hidden@proxy/v1' # FILE line 4

[anthropic]
# key is not set
base_url = 'https://hidden@proxy' # FILE line 6

[agent]
turn_timeout = '5m0s' # default
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c.OpenAI.BaseURL != "https://me:"+canary+"@proxy/v1" || c.MasterKey.Reveal() != canary {
		t.Error("the configuration itself has lost a secret")
	}
	if again := mustLoad(t, c.Dump()); again.Keys != c.Keys || again.Zone.String() != "Europe/Berlin" {
		t.Errorf("read again: got %s and %s", again.Keys, again.Zone)
	}
}

func TestDumpShowsOff(t *testing.T) {
	if got := mustLoad(t, "web.listen = 'off'").Dump(); !strings.Contains(got, "listen = 'off'") {
		t.Errorf("a page that is off is dumped as\n%s", got)
	}
}
