package recall

// trim drops the messages of owners who did not search for the longest time until
// the rest is within Options.Memory. It never drops the ones that are being asked
// for, however large.
func (x *Index) trim(keep *chats) {
	x.mu.Lock()
	defer x.mu.Unlock()
	total := x.weight()
	for total > x.opts.Memory {
		oldest := keep
		for _, c := range x.owners {
			if c != keep && (oldest == keep || c.used < oldest.used) {
				oldest = c
			}
		}
		if oldest == keep {
			return
		}
		total -= oldest.bytes.Load()
		delete(x.owners, oldest.owner)
		oldest.stop()
	}
}

// Bytes is the memory that is taken by what is known of all owners' messages.
func (x *Index) Bytes() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.weight()
}

// weight is Bytes. The caller holds mu.
func (x *Index) weight() (total int64) {
	for _, c := range x.owners {
		total += c.bytes.Load()
	}
	return total
}
