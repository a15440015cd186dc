package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nacre/web"
)

func TestVerify(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		out := w.says("verify")
		if !strings.HasPrefix(out, "The audit log is in order: 4 entries.\nRoot: ") || !strings.Contains(out, "Compared with no checkpoint") {
			t.Errorf("verify prints %q", out)
		}
		var v web.Verification
		if err := json.Unmarshal([]byte(w.says("verify", "--json")), &v); err != nil || !v.OK || v.Size != 4 || v.Anchored != 0 || v.Findings == nil {
			t.Errorf("verify --json: %+v, %v", v, err)
		}
		signed, errs, code := w.shell("", "verify", "--sign")
		if code != exitOK || !strings.HasPrefix(signed, "nacre/") || !strings.Contains(signed, v.Root) || !strings.HasPrefix(errs, "The audit log is in order") {
			t.Fatalf("verify --sign: %d %q %q", code, signed, errs)
		}
		w.says("memory", "add", "about/home", "I live in Bern.")
		file := w.file("checkpoint", signed)
		if out := w.says("verify", "--checkpoint", file); !strings.Contains(out, "in order: 5 entries") || !strings.Contains(out, "Proven by checkpoints: 4 entries.") {
			t.Errorf("verify --checkpoint prints %q", out)
		}
		for _, copied := range []string{"Checkpoint of my memory's log, to keep:\n\n```" + strings.TrimSpace(signed) + "```", strings.TrimSpace(signed)} {
			if out := w.says("verify", "--checkpoint", w.file("copied", copied)); !strings.Contains(out, "Proven by checkpoints: 4 entries.") {
				t.Errorf("of one that was copied from a chat, verify prints %q", out)
			}
		}
	})
}

// Whatever is wrong is said in sentences and ends with 1, and nothing is signed.
func TestVerifyFindsWhatIsWrong(t *testing.T) {
	w := newMemory(t)
	w.says("verify") // from then on the log has its key
	older := t.TempDir()
	copyFiles(t, w.env["NACRE_DATA"], older)
	w.says("memory", "add", "about/home", "I live in Bern.")
	signed := w.file("checkpoint", w.says("verify", "--sign"))
	foreign := w.file("foreign", newMemory(t).says("verify", "--sign"))

	w.env["NACRE_DATA"] = older
	for _, c := range []struct {
		name string
		args []string
		says string
		code int
	}{
		{"an older copy", []string{"--checkpoint", signed}, "- Rolled back: leaf 4 is gone", exitFault},
		{"an older copy, to be signed", []string{"--sign", "--checkpoint", signed}, "- Rolled back", exitFault},
		{"another installation's", []string{"--checkpoint", foreign}, "- Not ours: checkpoint 1", exitFault},
		{"no file", []string{"--checkpoint", filepath.Join(older, "none")}, "cannot be read", exitUsage},
		{"no checkpoint", []string{"--checkpoint", filepath.Join(older, "nacre.db")}, "is no checkpoint", exitUsage},
		{"an older copy without a checkpoint", nil, "in order: 4 entries", exitOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, code := w.shell("", append([]string{"verify"}, c.args...)...)
			if code != c.code || !strings.Contains(out+errs, c.says) || strings.Contains(out, "—") {
				t.Errorf("exit code %d, want %d; %q %q lacks %q", code, c.code, out, errs, c.says)
			}
		})
	}
	var v web.Verification
	out, _, code := w.shell("", "verify", "--json", "--sign", "--checkpoint", signed)
	if err := json.Unmarshal([]byte(out), &v); err != nil || v.OK || len(v.Findings) != 1 || v.Signed != "" || code != exitFault {
		t.Errorf("verify --json: %+v, %v, exit code %d", v, err, code)
	}
}

// copyFiles copies the files of a directory, not those below.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	list, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !f.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRebuild(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		before := w.says("memory", "list", "--status", "all", "--json")
		file := filepath.Join(strings.TrimSpace(w.says("memory", "path")), "MEMORY.md")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		got := w.says("rebuild")
		if !strings.HasPrefix(got, "Made 3 notes anew from the log, and wrote MEMORY.md anew.\n") || !strings.HasSuffix(got, "\nThe notes in use were the same.\n") {
			t.Errorf("rebuild prints %q", got)
		}
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "Ann is my sister") {
			t.Errorf("MEMORY.md holds %q, %v", text, err)
		}
		if after := w.says("memory", "list", "--status", "all", "--json"); after != before {
			t.Errorf("memory was\n%s\nand is\n%s", before, after)
		}
	})
}
