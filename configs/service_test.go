package configs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func unitLines(s Service) []string { return strings.Split(s.Unit(), "\n") }

// A unit shuts the program in, whoever it is for.
func TestUnitIsHardened(t *testing.T) {
	both := []string{"NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
		"SystemCallFilter=@system-service", "MemoryDenyWriteExecute=yes", "Restart=on-failure", "TimeoutStopSec=20s", "UMask=0077"}
	for _, c := range []struct {
		name           string
		unit           Service
		holds, without []string
	}{
		{"of the machine", Service{System: true, Program: "/usr/local/bin/nacre", Data: "/var/lib/nacre"},
			[]string{"DynamicUser=yes", "StateDirectory=nacre", "StateDirectoryMode=0700", "ProtectHome=yes", "CapabilityBoundingSet=", "WantedBy=multi-user.target",
				"ExecStart=/usr/local/bin/nacre serve", "Environment=NACRE_DATA=/var/lib/nacre"},
			[]string{"ProtectHome=tmpfs", "Environment=NACRE_MASTER_KEY_FILE=%d/master_key"}},
		{"of a person", Service{Program: "/home/ann/bin/nacre", Data: "/home/ann/.nacre", MasterKey: "/etc/key", Reads: []string{"/home/ann/token", "/home/ann/.nacre/key"}, Writes: []string{"/mnt/copies"}},
			[]string{"ProtectHome=tmpfs", "BindPaths=/home/ann/.nacre", "BindPaths=/mnt/copies", "BindReadOnlyPaths=/home/ann/bin/nacre", "BindReadOnlyPaths=/home/ann/token",
				"LoadCredential=master_key:/etc/key", "Environment=NACRE_MASTER_KEY_FILE=%d/master_key", "WantedBy=default.target"},
			[]string{"DynamicUser=yes", "BindReadOnlyPaths=/home/ann/.nacre/key"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := unitLines(c.unit)
			for _, line := range slices.Concat(both, c.holds) {
				if !slices.Contains(lines, line) {
					t.Errorf("lacks %s", line)
				}
			}
			for _, line := range c.without {
				if slices.Contains(lines, line) {
					t.Errorf("holds %s", line)
				}
			}
		})
	}
}

func TestUnitEscapesPaths(t *testing.T) {
	lines := unitLines(Service{Program: `/opt/my $tools/100%/nacre`, Data: `/home/ann/a "b" c:d`, Config: `/etc/na\cre.toml`})
	for _, line := range []string{
		`ExecStart="/opt/my $$tools/100%%/nacre" serve`,
		`Environment="NACRE_DATA=/home/ann/a \"b\" c:d"`,
		`Environment="NACRE_CONFIG=/etc/na\\cre.toml"`,
		`BindPaths="/home/ann/a \"b\" c\\:d"`,
	} {
		if !slices.Contains(lines, line) {
			t.Errorf("lacks %s", line)
		}
	}
}

// systemd itself reads the units without complaint, where it is installed.
func TestUnitVerifies(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("systemd-analyze is not installed, and the checks need it")
		}
		t.Skip("systemd-analyze is not installed")
	}
	dir := filepath.Join(t.TempDir(), "100% a b:c")
	program := filepath.Join(dir, "nacre")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Service{
		"system": {System: true, Program: program, Data: "/var/lib/nacre"},
		"person": {Program: program, Data: dir, MasterKey: filepath.Join(dir, "key"), Writes: []string{dir + "2"}},
	} {
		verify := func(unit string) string {
			path := filepath.Join(t.TempDir(), "nacre.service")
			if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
				t.Fatal(err)
			}
			out, _ := exec.Command("systemd-analyze", "verify", "--man=no", path).CombinedOutput()
			var ours []string
			for _, line := range strings.Split(string(out), "\n") {
				if strings.Contains(line, "nacre.service") && !strings.Contains(line, "'RestartSteps'") && !strings.Contains(line, "'RestartMaxDelaySec'") { // not known before 254
					ours = append(ours, line)
				}
			}
			return strings.Join(ours, "\n")
		}
		if out := verify(s.Unit()); out != "" {
			t.Errorf("%s: systemd says\n%s", name, out)
		}
		if verify(strings.Replace(s.Unit(), "PrivateTmp=yes", "PrivateTmp=perhaps", 1)) == "" {
			t.Error("systemd says nothing of a wrong unit, so this test sees nothing")
		}
	}
}

// Every variable that the compose file gives to Nacre is one that it knows.
func TestComposeNamesKnownVariables(t *testing.T) {
	known := variables(newSettings(&Config{}, "", nil))
	_, environment, _ := strings.Cut(Compose(), "environment:\n")
	environment, _, _ = strings.Cut(environment, "    ports:")
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(environment), "\n") {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), ":"); !strings.HasPrefix(name, "#") {
			n++
			if known[name] == "" {
				t.Errorf("%s means nothing", name)
			}
		}
	}
	if n < 5 {
		t.Errorf("only %d variables were found", n)
	}
}
