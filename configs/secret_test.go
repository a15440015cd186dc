package configs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const canary = "canary-7f3a"

func TestSecretHides(t *testing.T) {
	secret, err := newSecret(canary)
	if err != nil || secret.Reveal() != canary {
		t.Fatalf("got %v, want the secret", err)
	}
	type exported struct{ Secret Secret }
	type hidden struct{ secret Secret }
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, value := range []any{secret, &secret, exported{secret}, hidden{secret}, []Secret{secret}, map[string]Secret{"a": secret}} {
			if got := fmt.Sprintf(verb, value); strings.Contains(got, canary) || strings.Contains(got, fmt.Sprintf("%x", canary)) {
				t.Errorf("%s of %T shows the secret: %s", verb, value, got)
			}
		}
		if got := fmt.Sprintf(verb, secret); got != "[set]" {
			t.Errorf("%s: got %q, want [set]", verb, got)
		}
		if got := fmt.Sprintf(verb, Secret{}); got != "[not set]" {
			t.Errorf("%s of none: got %q, want [not set]", verb, got)
		}
	}
	if got := secret.GoString(); got != "[set]" {
		t.Errorf("GoString: got %q", got)
	}
	text, err := json.Marshal(exported{secret})
	if got, want := string(text), `{"Secret":"[set]"}`; err != nil || got != want {
		t.Errorf("JSON: got %s and %v, want %s", got, err, want)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "secret", secret, "all", exported{secret})
	if got := log.String(); !strings.Contains(got, "secret=[set]") || strings.Contains(got, canary) {
		t.Errorf("log: got %s", got)
	}
}

// TestSecretsStayOut puts the canary into every place where a secret can be,
// or is put by mistake, with a shape that is refused.
func TestSecretsStayOut(t *testing.T) {
	for _, variable := range []string{
		"NACRE_TELEGRAM_TOKEN=" + canary,
		"NACRE_TELEGRAM_TOKEN_FILE=" + canary,
		"NACRE_MASTER_KEY_FILE=1:" + canary,
		"NACRE_WEB_TOKEN=two " + canary,
		"OPENAI_API_KEY=" + canary + "\n",
		"ANTHROPIC_API_KEY_FILE=" + strings.Repeat(canary, 1000),
		"OPENAI_BASE_URL=https://me:" + canary + "@host/?x",
		"ANTHROPIC_BASE_URL=https://" + canary + "@ho st/",
		"NACRE_TELEGRAM_API=ftp://" + canary + "@host",
		"NACRE_MODEL=" + canary,
		"NACRE_FALLBACK=offline," + canary,
		"NACRE_TRANSCRIBE=" + canary,
		"OLLAMA_HOST=http://me:" + canary + "@ho st",
		"DEEPSEEK_API_KEY=" + canary + " " + canary,
		"OPENROUTER_API_KEY_FILE=" + canary,
		"NACRE_LOCAL_URL=me:" + canary + "@box",
		"BRAVE_API_KEY=" + canary + "\n",
	} {
		name, _, _ := strings.Cut(variable, "=")
		_, err := load(t, "", variable)
		if err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: got %v, want a problem", name, err)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("%s: the problem shows the secret: %v", name, err)
		}
	}
	if c := mustLoad(t, "", "NACRE_TELEGRAM_TOKN="+canary); len(c.Warnings) != 1 || strings.Contains(c.Warnings[0], canary) {
		t.Errorf("got %q, want one warning without the secret", c.Warnings)
	}
}
