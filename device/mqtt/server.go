package mqtt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

// Server is a broker and how to sign in to it.
type Server struct {
	// URL is tcp://, ssl://, ws:// or wss:// with host and port (mqtt:// and mqtts:// mean tcp and ssl); those of a
	// cluster's nodes with commas between: any of them will do.
	URL      string
	User     string // empty: no account
	Password string
	CAFile   string // PEM; trusted instead of the system's authorities
	CertFile string // PEM; our own certificate, with KeyFile
	KeyFile  string
}

// Check returns what is wrong with the settings as far as that can be told without the network.
func (s Server) Check() error {
	for _, address := range s.urls() {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return fmt.Errorf("%q is no broker's address: write it like tcp://broker.example:1883", address)
		}
		switch u.Scheme {
		case "tcp", "mqtt", "ssl", "tls", "mqtts", "ws", "wss":
		default:
			return fmt.Errorf("%q: unknown kind of connection %q: use tcp, ssl, ws or wss", address, u.Scheme)
		}
	}
	_, err := s.tls()
	return err
}

// urls lists the addresses of the nodes.
func (s Server) urls() []string {
	urls := strings.Split(s.URL, ",")
	for i := range urls {
		urls[i] = strings.TrimSpace(urls[i])
	}
	return urls
}

// patience is how long a connection may take to come about, each node being tried once.
func (s Server) patience() time.Duration {
	return time.Duration(len(s.urls())+1) * s.impatience().connect
}

// impatience is how soon a broker is given up that says nothing.
type impatience struct{ connect, keepAlive, ping time.Duration }

// impatience is greater towards a node of a cluster: another one takes over, and a node whose power has gone says nothing
// at all. A single broker is waited for; a network that is slow for some seconds is no reason to leave it.
func (s Server) impatience() impatience {
	if s.isCluster() {
		return impatience{clusterConnect, clusterAlive, clusterPing}
	}
	return impatience{connectTimeout, keepAlive, keepAlive / 2}
}

// isCluster tells whether several nodes make the broker.
func (s Server) isCluster() bool { return len(s.urls()) > 1 }

// slowest is the longest wait between two attempts to connect. In a cluster another node takes over within seconds, and
// who waits longer than that between two attempts finds out late.
func (s Server) slowest() time.Duration {
	if s.isCluster() {
		return clusterRetry
	}
	return lastRetry
}

// tls reads the certificate files. They are read anew for each connection, so that renewed ones are taken up.
func (s Server) tls() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.CAFile != "" {
		pem, err := os.ReadFile(s.CAFile)
		if err != nil {
			return nil, fmt.Errorf("read the broker's CA: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read the broker's CA: %s holds no PEM certificate", s.CAFile)
		}
	}
	if s.CertFile != "" || s.KeyFile != "" {
		pair, err := tls.LoadX509KeyPair(s.CertFile, s.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read our certificate for the broker: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// options returns how to connect to the server. Reconnecting is left to whoever connects: the library's own would go by
// its own rules.
func (s Server) options(clientID string) (*paho.ClientOptions, error) {
	secure, err := s.tls()
	if err != nil {
		return nil, err
	}
	options := paho.NewClientOptions()
	urls := s.urls()
	rand.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] }) // nodes of a cluster share the load
	for _, address := range urls {
		options.AddBroker(address)
	}
	waits := s.impatience()
	return options.
		SetClientID(clientID).
		SetUsername(s.User).
		SetPassword(s.Password).
		SetTLSConfig(secure).
		SetProtocolVersion(4).
		SetCleanSession(true).
		SetAutoReconnect(false).
		SetConnectRetry(false).
		SetConnectTimeout(waits.connect).
		SetWriteTimeout(writeTimeout).
		SetKeepAlive(waits.keepAlive).
		SetPingTimeout(waits.ping), nil
}

// isRefused tells whether a broker has answered that this account may not connect.
func isRefused(err error) bool {
	return errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword) || errors.Is(err, packets.ErrorRefusedNotAuthorised)
}

// explainConnect says what to do about a connection that failed. The table plays on in any case.
func explainConnect(err error) error {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var name *net.DNSError
	advice := ""
	switch {
	case isRefused(err):
		advice = "the broker refuses user or password: check mqtt.user (hub.user) and the password file"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		advice = "the broker's certificate is expired or this computer's clock is wrong"
	case errors.As(err, &unknown):
		advice = "the broker's certificate is signed by nobody we trust: give its CA in mqtt.ca_file (hub.ca_file)"
	case errors.As(err, &host):
		advice = "the broker's certificate is for another host name"
	case errors.As(err, &name):
		advice = "the broker's name is not known: check the address and the network"
	case errors.Is(err, syscall.ECONNREFUSED):
		advice = "nothing listens there: start the broker or check the port"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		advice = "the broker does not answer: check address, network and firewall"
	default:
		return err
	}
	return fmt.Errorf("%s (%w)", advice, err)
}
