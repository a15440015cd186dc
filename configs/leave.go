package configs

import (
	"os"
	"syscall"
)

// leave gives a file that root made to the owner of its directory, who is to read it.
func leave(f *os.File, dir string) error {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return f.Chown(int(st.Uid), int(st.Gid))
	}
	return nil
}
