package web

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"

	"nacre"
)

// Certificate is one for https, in two files of PEM. It is read anew when they
// change, as they do when it is renewed.
type Certificate struct {
	cert, key string // paths
	log       *slog.Logger

	mu     sync.Mutex // guards what follows
	pair   *tls.Certificate
	loaded stamp // of what was read last, whether it was good or not
}

// stamp tells versions of the two files apart.
type stamp struct {
	changed [2]time.Time
	size    [2]int64
}

// NewCertificate reads the files of a certificate with its chain, and of its key. The
// error is Invalid and is a sentence for the operator. A later version of the files
// that is not usable is told to log, and the one before goes on.
func NewCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	if err := c.load(); err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the certificate of the page cannot be used (%w); see NACRE_WEB_TLS_CERT and NACRE_WEB_TLS_KEY", err)
	}
	return c, nil
}

// Config has a server speak https with it.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.load(); err != nil {
			c.log.Error("new certificate of the page not usable", "err", err)
		}
		return c.pair, nil
	}}
}

// load reads the files if they changed.
func (c *Certificate) load() error {
	now := stampOf(c.cert, c.key)
	if c.pair != nil && now == c.loaded {
		return nil
	}
	c.loaded = now
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err == nil {
		c.pair = &pair
	}
	return err
}

func stampOf(paths ...string) (s stamp) {
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil {
			s.changed[i], s.size[i] = info.ModTime(), info.Size()
		}
	}
	return s
}
