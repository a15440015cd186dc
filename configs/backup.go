package configs

import (
	"fmt"
	"net"
	"strconv"
	"time"
)

// Backup says where copies of the data go, how often, and how many are kept.
type Backup struct {
	Dir   string        // directory that holds them, made when it is needed
	Every time.Duration // 0 for never by itself
	Keep  int           // the newest so many stay, at least 1
}

// The bounds of the time between two backups.
const (
	leastBackup = time.Hour
	mostBackup  = 31 * 24 * time.Hour
)

// parseBackup reads how often to back up; off is 0.
func parseBackup(text string) (time.Duration, error) {
	if text == off {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d == 0 {
		return 0, nil // as off is dumped
	}
	if err != nil || d < leastBackup || d > mostBackup || d%time.Second != 0 {
		return 0, fmt.Errorf("%.60q is not how often to back up; write a time from 1h to 744h, such as 24h, or off", text)
	}
	return d, nil
}

// mostKept bounds how many backups are kept.
const mostKept = 1000

func parseKeep(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostKept {
		return 0, fmt.Errorf("%.60q is not how many backups to keep; write a number from 1 to %d", text, mostKept)
	}
	return n, nil
}

// parseLoopback reads an address on which only this machine is to reach something;
// empty and off are none.
func parseLoopback(text string) (string, error) {
	if text == off {
		return "", nil
	}
	host, port, err := net.SplitHostPort(text)
	n, numErr := strconv.ParseUint(port, 10, 16)
	ip := net.ParseIP(host)
	if err != nil || numErr != nil || n == 0 || ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("%.60q is not an address of this machine alone; write one such as 127.0.0.1:6060, or off", text)
	}
	return text, nil
}
