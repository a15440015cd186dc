package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"nacre"
)

// State is how everything is at a moment.
type State struct {
	Pending  int // messages that are not answered yet
	Waiting  int // parts that are not delivered yet
	Oldest   time.Time
	Dead     int
	Channels map[nacre.ChannelName]bool // whether they work
	Jobs     map[nacre.JobState]int
	Due      int   // runs whose time has come and that have not ended
	Notes    int   // that are believed, of all owners; less than 0 if that is not known
	Index    int64 // bytes that the search indices take
	Pages    int   // websockets of pages that are open

	Database, WAL, Free int64 // bytes; free ones of the disk that has the data

	Backup      time.Time // the newest; zero for none
	BackupBytes int64
}

// lookup is the part of the metrics that is read when it is asked for.
type lookup struct {
	version, toolchain string
	state              func(context.Context) (State, error)
}

// lookupTime bounds reading it: who scrapes waits.
const lookupTime = 2 * time.Second

var (
	buildInfo   = described("build_info", "Always 1; which program it is.", "version", "go")
	pending     = described("messages_pending", "Messages that are not answered yet.")
	waiting     = described("outbox_parts", "Parts of answers that are not delivered yet.")
	oldest      = described("outbox_oldest_age_seconds", "How long the oldest of them waits.")
	deadLetters = described("outbox_dead_letters", "Parts that could not be delivered and were given up.")
	channelUp   = described("channel_up", "Whether a channel works.", "channel")
	jobs        = described("jobs", "Reminders, tasks and heartbeats.", "state")
	jobsDue     = described("jobs_due", "Runs of jobs whose time has come and that have not ended.")
	notes       = described("notes", "Notes that are believed; missing while something is being forgotten.")
	index       = described("search_index_size_bytes", "Memory that the search indices take.")
	pages       = described("web_pages", "Web pages that are open.")
	database    = described("database_size_bytes", "The database, without its log.")
	wal         = described("database_wal_size_bytes", "The log of the database.")
	diskFree    = described("disk_free_bytes", "Free on the disk that has the data.")
	backupAge   = described("backup_age_seconds", "How old the newest backup is.")
	backupSize  = described("backup_size_bytes", "The newest backup.")
)

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// Describe implements prometheus.Collector.
func (l lookup) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{buildInfo, pending, waiting, oldest, deadLetters, channelUp, jobs, jobsDue, notes, index, pages, database, wal, diskFree, backupAge, backupSize} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (l lookup) Collect(out chan<- prometheus.Metric) {
	put := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	put(buildInfo, 1, l.version, l.toolchain)
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	s, err := l.state(ctx)
	if err != nil {
		return
	}
	put(pending, float64(s.Pending))
	put(waiting, float64(s.Waiting))
	put(oldest, age(s.Oldest))
	put(deadLetters, float64(s.Dead))
	for name, ok := range s.Channels {
		put(channelUp, truth(ok), string(name))
	}
	for state, n := range s.Jobs {
		put(jobs, float64(n), string(state))
	}
	put(jobsDue, float64(s.Due))
	if s.Notes >= 0 {
		put(notes, float64(s.Notes))
	}
	put(index, float64(s.Index))
	put(pages, float64(s.Pages))
	put(database, float64(s.Database))
	put(wal, float64(s.WAL))
	put(diskFree, float64(s.Free))
	if !s.Backup.IsZero() {
		put(backupAge, age(s.Backup))
		put(backupSize, float64(s.BackupBytes))
	}
}

// age is how long ago an instant was; 0 for none.
func age(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return max(0, time.Since(at).Seconds())
}

func truth(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}
