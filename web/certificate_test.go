package web

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
)

// pair is a certificate of a serial number, and its key, in PEM.
func pair(t *testing.T, serial int64) (cert, key []byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, k.Public(), k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// A certificate that is renewed is shown to the next who comes, and one that is
// broken, or renewed by half, to nobody.
func TestCertificateIsRenewed(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	put := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewCertificate(certFile, keyFile, nil); nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "NACRE_WEB_TLS_CERT") {
		t.Errorf("without files: %v", err)
	}
	cert, key := pair(t, 1)
	put(certFile, cert)
	put(keyFile, key)
	var log bytes.Buffer
	c, err := NewCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), TLSConfig: c.Config(), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	ended := make(chan error)
	go func() { ended <- server.ServeTLS(l, "", "") }()
	defer func() { server.Close(); <-ended }()
	shown := func(versions ...uint16) int64 {
		t.Helper()
		o := &tls.Config{InsecureSkipVerify: true}
		if len(versions) > 0 {
			o.MinVersion, o.MaxVersion = versions[0], versions[0]
		}
		conn, err := tls.Dial("tcp", l.Addr().String(), o)
		if err != nil {
			return 0
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	for version, want := range map[uint16]int64{tls.VersionTLS13: 1, tls.VersionTLS12: 1, tls.VersionTLS11: 0} {
		if got := shown(version); got != want {
			t.Errorf("by %s certificate %d is shown, want %d", tls.VersionName(version), got, want)
		}
	}
	cert, key = pair(t, 2)
	put(certFile, cert)
	for range 2 {
		if got := shown(); got != 1 {
			t.Errorf("renewed by half, certificate %d is shown", got)
		}
	}
	if n := strings.Count(log.String(), "not usable"); n != 1 {
		t.Errorf("told %d times: %s", n, &log)
	}
	put(keyFile, key)
	if got := shown(); got != 2 {
		t.Errorf("renewed, certificate %d is shown", got)
	}
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != 2 {
		t.Errorf("without a file, certificate %d is shown", got)
	}
}
