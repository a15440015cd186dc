package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// unitPaths are where a unit of systemd for Nacre may be: the machine's, and the user's
// own.
func unitPaths(getenv func(string) string) []string {
	base := getenv("XDG_CONFIG_HOME")
	if base == "" {
		base = filepath.Join(getenv("HOME"), ".config")
	}
	return []string{systemUnit, filepath.Join(base, "systemd", "user", "nacre.service")}
}

const systemUnit = "/etc/systemd/system/nacre.service"

// service looks at what starts Nacre by itself, as setup writes it, and at what is left
// of such files.
func (x *examination) service(context.Context) (list []finding) {
	var starts []string
	for _, path := range append(x.units[:len(x.units):len(x.units)], filepath.Join(x.cfg.Data, "compose.yaml")) {
		if text, err := os.ReadFile(path); err == nil {
			starts = append(starts, path)
			list = append(list, checkUnit(path, string(text))...)
		}
		if fresh := path + ".new"; length(fresh) > 0 {
			list = append(list, finding{Name: "autostart", Level: fine, Found: fresh + " is how setup would write " + path + " now", Do: "take over what you want of it, then delete it"})
		}
	}
	if len(starts) > 1 {
		list = append(list, finding{Name: "autostart", Level: warning, Found: "more than one file starts Nacre by itself: " + strings.Join(starts, ", "),
			Do: "keep one and remove the others, as only one Nacre can have the data"})
	}
	return list
}

// checkUnit looks whether the program that a unit starts is there. What is no unit says
// nothing.
func checkUnit(path, text string) []finding {
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "ExecStart=")
		if !ok {
			continue
		}
		program, ok := strings.CutSuffix(command, " serve")
		program = strings.NewReplacer("%%", "%", "$$", "$").Replace(strings.Trim(program, `"`))
		if _, err := os.Stat(program); ok && missing(err) {
			return []finding{{Name: "autostart", Level: problem, Found: path + " starts " + program + ", which is not there",
				Do: "put Nacre there, or write the file anew with nacre setup --autostart systemd"}}
		}
	}
	return nil
}
