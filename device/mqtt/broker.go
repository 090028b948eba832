package mqtt

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
)

// Limits of the embedded broker, for one club on one small computer.
const (
	maxPacket      = 256 << 10 // bytes of one message; a state at the end of a long game has some 20 KiB
	maxWaiting     = 8192      // messages kept for one slow client; beyond them single ones would be missing, so its mailbox is to end it before
	sessionExpiry  = 3600      // seconds a persistent session outlives its connection
	sysInterval    = 60        // seconds; gathering these figures stops the program for a moment
	maxConnections = 2048
	closingTimeout = time.Second
)

// BrokerOptions say how the embedded broker listens.
type BrokerOptions struct {
	Listen string       // address and port such as ":1883"
	TLS    *tls.Config  // nil: plain
	Users  []User       // accounts besides the publisher's own
	Log    *slog.Logger // nil: slog.Default
}

// Broker is an MQTT broker (3.1.1 and 5) in this program. Anyone may read the public topics; nobody without an
// account may write or read anything else.
type Broker struct {
	server *mochi.Server
	own    User
	url    string
	addr   string
}

// StartBroker starts a broker and returns when it listens. It fails in plain words when the port is taken.
// It keeps nothing on disk: a Publisher fills it again.
func StartBroker(o BrokerOptions) (*Broker, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	b := &Broker{own: User{Name: "davar-" + rand.Text(), Password: rand.Text(), Role: Table}}
	if err := b.start(o); err != nil {
		if b.server != nil {
			_ = b.server.Close()
		}
		return nil, fmt.Errorf("mqtt: broker on %s: %w", o.Listen, explainListen(err))
	}
	return b, nil
}

func (b *Broker) start(o BrokerOptions) error {
	capabilities := mochi.NewDefaultServerCapabilities()
	capabilities.MaximumMessageExpiryInterval = 0 // nothing is too old to be delivered
	capabilities.MaximumSessionExpiryInterval = sessionExpiry
	capabilities.MaximumPacketSize = maxPacket
	capabilities.MaximumInflight = maxWaiting
	capabilities.MaximumClientWritesPending = maxWaiting
	b.server = mochi.New(&mochi.Options{
		Capabilities:           capabilities,
		SysTopicResendInterval: sysInterval,
		// The library warns of every client that goes away; what matters is logged here.
		Logger: slog.New(errorsOnly{o.Log.Handler()}),
	})
	door, err := newAccess(append([]User{b.own}, o.Users...), b.server.Clients, o.Log)
	if err != nil {
		return err
	}
	for _, hook := range []mochi.Hook{door, newRetention(b.server, door)} { // in the order they are asked
		if err := b.server.AddHook(hook, nil); err != nil {
			return err
		}
	}
	public := newListener("public", o.Listen, o.TLS, maxConnections)
	if err := b.server.AddListener(public); err != nil {
		return err
	}
	b.addr = public.Address()
	own := b.addr
	if o.TLS != nil {
		// Our own publisher need not trust the certificate that strangers see.
		loopback := newListener("own", "127.0.0.1:0", nil, maxConnections)
		if err := b.server.AddListener(loopback); err != nil {
			return err
		}
		own = loopback.Address()
	}
	if b.url, err = dialable(own); err != nil {
		return err
	}
	return b.server.Serve()
}

// dialable turns a listening address into the URL by which this machine reaches it.
func dialable(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "tcp://" + net.JoinHostPort(host, port), nil
}

// Server is how this program's own publisher reaches the broker, with an account that lives as long as it.
func (b *Broker) Server() Server {
	return Server{URL: b.url, User: b.own.Name, Password: b.own.Password}
}

// Addr is the address it listens on, with the port that was chosen for ":0".
func (b *Broker) Addr() string { return b.addr }

// Close disconnects all clients and ends the broker. It waits a second at most for clients that do not read.
func (b *Broker) Close() error {
	if err := b.server.Close(); err != nil {
		return fmt.Errorf("mqtt: close the broker: %w", err)
	}
	return nil
}

func explainListen(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("the port is taken, perhaps by another broker or another davar: stop it, or set mqtt.listen to a free port, or mqtt.broker to that broker's address (%w)", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("this user may not listen there: choose a port above 1023 for mqtt.listen (%w)", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("this machine has no such address: set mqtt.listen to \":1883\" or one of its own (%w)", err)
	}
	return err
}

// errorsOnly lets the errors of a library through and nothing less.
type errorsOnly struct{ slog.Handler }

// Enabled reports whether a record of this level is an error.
func (h errorsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the limit.
func (h errorsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return errorsOnly{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the limit.
func (h errorsOnly) WithGroup(name string) slog.Handler { return errorsOnly{h.Handler.WithGroup(name)} }
