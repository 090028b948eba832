package mqtt

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
	"golang.org/x/crypto/bcrypt"
)

// Role is what a user of the embedded broker may do. Nobody else may write anything; everybody may read the
// public topics.
type Role int

// The roles.
const (
	Director Role = iota // reads everything, sends commands
	Table                // a table's own program: reads everything, writes below Root, but no commands, and its description for Home Assistant
)

// User is an account on the embedded broker.
type User struct {
	Name     string
	Password string // in clear, or its bcrypt hash ("$2...")
	Role     Role
}

// access is the broker's door: who may come in, read and write. It sees every connection, publication,
// subscription and delivery.
type access struct {
	broker.HookBase
	users   map[string]User
	clients *broker.Clients
	hashing sync.Mutex // one bcrypt at a time: guessing passwords must not take the processor away
	log     *slog.Logger
}

func newAccess(users []User, clients *broker.Clients, log *slog.Logger) (*access, error) {
	a := &access{users: map[string]User{}, clients: clients, log: log}
	for _, u := range users {
		if u.Name == "" || u.Password == "" {
			return nil, fmt.Errorf("user %q: give a name and a password", u.Name)
		}
		if _, twice := a.users[u.Name]; twice {
			return nil, fmt.Errorf("user %q is given twice", u.Name)
		}
		a.users[u.Name] = u
	}
	return a, nil
}

// ID names the hook in the broker's log.
func (a *access) ID() string { return "davar-access" }

// Provides lists what the hook decides.
func (a *access) Provides(what byte) bool {
	return what == broker.OnConnectAuthenticate || what == broker.OnACLCheck || what == broker.OnPublish
}

// OnConnectAuthenticate lets a connection in: nameless ones as readers, named ones with the right password. A
// last will is a publication to come and needs the same right. A client identifier that is in use stays with the
// account it belongs to, or a stranger could take over its session and the messages waiting in it.
func (a *access) OnConnectAuthenticate(cl *broker.Client, pk packets.Packet) bool {
	name := string(pk.Connect.Username)
	if name != "" && !a.knows(name, pk.Connect.Password) {
		a.log.Warn("mqtt: refused a client: wrong user or password", "user", name, "address", cl.Net.Remote)
		return false
	}
	if pk.Connect.WillFlag && !a.mayWrite(name, pk.Connect.WillTopic) {
		a.log.Warn("mqtt: refused a client: its last will is for a topic it may not write", "user", name, "topic", pk.Connect.WillTopic)
		return false
	}
	if other, ok := a.clients.Get(cl.ID); ok && string(other.Properties.Username) != name {
		a.log.Warn("mqtt: refused a client: its identifier is another account's", "user", name, "client", cl.ID)
		return false
	}
	return true
}

func (a *access) knows(name string, password []byte) bool {
	user, ok := a.users[name]
	if !ok {
		return false
	}
	if strings.HasPrefix(user.Password, "$2") {
		a.hashing.Lock()
		defer a.hashing.Unlock()
		return bcrypt.CompareHashAndPassword([]byte(user.Password), password) == nil
	}
	want, got := sha256.Sum256([]byte(user.Password)), sha256.Sum256(password)
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// OnACLCheck decides a publication, a subscription, and each single delivery to a subscriber: a nameless one may
// subscribe to davar/# and gets what is public of it.
func (a *access) OnACLCheck(cl *broker.Client, topic string, write bool) bool {
	name := string(cl.Properties.Username)
	if write {
		return a.mayWrite(name, topic)
	}
	if _, known := a.users[name]; known {
		return !strings.HasPrefix(topic, "$SYS")
	}
	return matchesPublic(topic)
}

func (a *access) mayWrite(name, topic string) bool {
	user, known := a.users[name]
	if !known || strings.ContainsAny(topic, "+#") {
		return false
	}
	if user.Role == Table {
		return strings.HasPrefix(topic, Root+"/") && !isCommand(topic) || isDiscovery(topic)
	}
	return isCommand(topic)
}

// OnPublish writes into each command who really sent it, over whatever the sender claims; whom he speaks for is his to say,
// for only directors send commands. A command is for now: it is not retained.
func (a *access) OnPublish(cl *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if cl.Net.Inline || !isCommand(pk.TopicName) {
		return pk, nil
	}
	pk.FixedHeader.Retain = false
	var fields map[string]json.RawMessage
	if json.Unmarshal(pk.Payload, &fields) != nil || fields == nil {
		return pk, nil // the table answers what is wrong with it
	}
	by, err := json.Marshal(string(cl.Properties.Username))
	if err != nil {
		return pk, packets.ErrRejectPacket
	}
	// Field names are matched without regard to case when they are read: no other spelling may be left.
	for key := range fields {
		if strings.EqualFold(key, "by") {
			delete(fields, key)
		}
	}
	fields["by"] = by
	if pk.Payload, err = json.Marshal(fields); err != nil {
		return pk, packets.ErrRejectPacket
	}
	return pk, nil
}

var _ broker.Hook = (*access)(nil)
