package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"nacre"
	"nacre/web"
)

// user tells whether a mistake of ours could reach the whole machine.
func (x *examination) user(context.Context) []finding {
	f := finding{Name: "user", Level: fine, Found: userName(os.Geteuid())}
	if os.Geteuid() == 0 {
		f.Level, f.Found = warning, "root, who may do everything on this machine"
		f.Do = "run Nacre as a user of its own; nacre setup writes a service that does"
	}
	return []finding{f}
}

// memoryDumps tells whether what is in memory may get to a disk.
func (x *examination) memoryDumps(context.Context) []finding {
	f := finding{Name: "core dumps", Level: fine, Found: "off"}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &limit); err == nil && limit.Cur > 0 {
		f.Found, f.Do = "allowed, and one would hold keys and messages", "forbid them: LimitCORE=0 in the service, or ulimit -c 0"
	}
	list := []finding{f}
	if devices := plainSwap(); devices != nil {
		list = append(list, finding{Name: "swap", Level: fine, Found: "what is in memory may be written to " + strings.Join(devices, ", "),
			Do: "see that it is encrypted, or turn it off with swapoff"})
	}
	return list
}

// plainSwap lists the places of swap that may lie on a disk as they are. Those of the
// device mapper are left out, as encrypted ones are of that kind, and compressed memory.
func plainSwap() (devices []string) {
	text, err := os.ReadFile("/proc/swaps")
	if err != nil {
		return nil
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		device, _, _ := strings.Cut(line, " ")
		if i > 0 && !strings.HasPrefix(device, "/dev/dm-") && !strings.HasPrefix(device, "/dev/zram") {
			devices = append(devices, device)
		}
	}
	return devices
}

// oldProtocol is from what age WhatsApp may refuse a library soon.
const oldProtocol = 180 * 24 * time.Hour

// protocol looks at the age of the library that speaks with WhatsApp.
func (x *examination) protocol(context.Context) []finding {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, m := range info.Deps {
		if m.Path == "go.mau.fi/whatsmeow" {
			return checkProtocol(m.Version, time.Now(), x.status)
		}
	}
	return nil
}

// checkProtocol says what a module version tells of its age, and WhatsApp of it.
func checkProtocol(version string, now time.Time, s *web.Status) []finding {
	made, err := madeAt(version)
	if err != nil {
		return nil
	}
	f := finding{Name: "WhatsApp", Level: fine, Found: "its library is of " + made.Format(time.DateOnly)}
	if now.Sub(made) > oldProtocol {
		f.Level, f.Found, f.Do = warning, fmt.Sprintf("%s, which is %d days ago", f.Found, int(now.Sub(made).Hours()/24)), "upgrade Nacre before WhatsApp refuses it"
	}
	if refusesUs(s) {
		f.Level, f.Found, f.Do = problem, f.Found+", and WhatsApp accepts it no longer", "upgrade Nacre"
	}
	return []finding{f}
}

// refusesUs reports whether the server was told by WhatsApp that it is too old.
func refusesUs(s *web.Status) bool {
	return s != nil && slices.ContainsFunc(s.Channels, func(c web.ChannelStatus) bool {
		return c.Name == nacre.WhatsApp && !c.OK && strings.Contains(c.Words, "upgrade Nacre")
	})
}

// madeAt reads the time in a pseudo-version such as
// v0.0.0-20260821141805-33cfac511629.
func madeAt(version string) (time.Time, error) {
	parts := strings.Split(version, "-")
	if len(parts) < 3 {
		return time.Time{}, fmt.Errorf("%s holds no time", version)
	}
	at := parts[len(parts)-2]
	return time.Parse("20060102150405", at[strings.LastIndex(at, ".")+1:])
}
