package mqtt

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs the tests' certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert, a.key = template, a.newKey()
	var der []byte
	a.cert, der = a.sign(template, a.key)
	a.file = a.save("CERTIFICATE", der)
	return a
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

func (a *authority) sign(template *x509.Certificate, key *ecdsa.PrivateKey) (*x509.Certificate, []byte) {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, der
}

func (a *authority) save(kind string, der []byte) string {
	a.t.Helper()
	path := filepath.Join(a.t.TempDir(), "pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// issue makes a certificate for a host (empty: for a client) and returns the files of it and its key.
func (a *authority) issue(host string, until time.Time) (certFile, keyFile string) {
	a.t.Helper()
	key := a.newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	_, der := a.sign(template, key)
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.save("CERTIFICATE", der), a.save("EC PRIVATE KEY", private)
}

func TestOverTLSTheTableTrustsItsAuthorityAndShowsItsOwnCertificate(t *testing.T) {
	ours, strangers := newAuthority(t), newAuthority(t)
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Minute)
	ownCert, ownKey := ours.issue("table", soon)
	forgedCert, forgedKey := strangers.issue("table", soon)
	for _, c := range []struct {
		name   string
		host   string
		until  time.Time
		server Server
		says   string // empty: it connects
	}{
		{"all is well", "127.0.0.1", soon, Server{CAFile: ours.file, CertFile: ownCert, KeyFile: ownKey}, ""},
		{"an expired certificate", "127.0.0.1", past, Server{CAFile: ours.file, CertFile: ownCert, KeyFile: ownKey}, "expired"},
		{"a certificate for another host", "elsewhere.example", soon, Server{CAFile: ours.file, CertFile: ownCert, KeyFile: ownKey}, "another host"},
		{"an unknown authority", "127.0.0.1", soon, Server{CAFile: strangers.file, CertFile: ownCert, KeyFile: ownKey}, "mqtt.ca_file"},
		{"the system's authorities", "127.0.0.1", soon, Server{CertFile: ownCert, KeyFile: ownKey}, "mqtt.ca_file"},
		{"a client certificate of a stranger", "127.0.0.1", soon, Server{CAFile: ours.file, CertFile: forgedCert, KeyFile: forgedKey}, "certificate"},
		{"no client certificate", "127.0.0.1", soon, Server{CAFile: ours.file}, "certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pair, err := tls.LoadX509KeyPair(ours.issue(c.host, c.until))
			if err != nil {
				t.Fatal(err)
			}
			clients := x509.NewCertPool()
			clients.AddCert(ours.cert)
			b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Users: []User{device}, Log: quiet, TLS: &tls.Config{
				Certificates: []tls.Certificate{pair}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert,
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { b.Close() })
			c.server.URL = "ssl://" + b.Addr()
			c.server.User, c.server.Password = device.Name, device.Password
			p := startPublisher(t, Options{Server: c.server})
			if c.says != "" {
				waitFor(t, "the refusal", func() bool { return strings.Contains(p.Status().Problem, c.says) })
				return
			}
			// The publisher of the broker's own program needs no certificate.
			own := subscribe(t, b.Server().URL, User{Name: b.Server().User, Password: b.Server().Password}, "davar/#")
			p.Publish(roll("m", 1))
			own.until("event 1", hasEvent(t, place.Topic(EventLeaf), 1))
		})
	}
}

func TestWhatCannotBeReachedIsSaidInPlainWords(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	for _, c := range []struct {
		server Server
		says   string
	}{
		{Server{URL: b.Server().URL, User: "device", Password: "guess"}, "user or password"},
		{Server{URL: "tcp://" + freeAddress(t)}, "nothing listens there"},
		{Server{URL: "tcp://no.such.host.invalid:1883"}, "not known"},
		{Server{URL: "tcp://" + muteServer(t)}, "does not answer"},
	} {
		t.Run(c.says, func(t *testing.T) {
			p := startPublisher(t, Options{Server: c.server})
			waitFor(t, c.says, func() bool { return strings.Contains(p.Status().Problem, c.says) })
			if s := p.Status(); s.Connected || strings.Contains(s.Problem, "\n") {
				t.Errorf("status %+v", s)
			}
		})
	}
}
