package mqtt

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// retention keeps the retained messages of the embedded broker. The library (2.7.9) has a store of its own, but
// looks wildcard subscriptions up in it without a lock while publications change it; a reader can meet a
// half-written string. Here the library never sees a retained message: each is kept, passed on as an ordinary
// one, and given to new subscribers from here.
type retention struct {
	broker.HookBase
	server *broker.Server
	door   *access

	mu     sync.RWMutex
	topics map[string]packets.Packet
}

func newRetention(server *broker.Server, door *access) *retention {
	return &retention{server: server, door: door, topics: map[string]packets.Packet{}}
}

// ID names the hook in the broker's log.
func (r *retention) ID() string { return "davar-retention" }

// Provides lists what the hook takes part in.
func (r *retention) Provides(what byte) bool {
	return what == broker.OnPublish || what == broker.OnWill || what == broker.OnPacketProcessed
}

// OnPublish keeps a message that is to be retained; an empty one ends that.
func (r *retention) OnPublish(_ *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain {
		r.keep(pk.TopicName, pk.Payload, pk.FixedHeader.Qos)
		pk.FixedHeader.Retain = false
	}
	return pk, nil
}

// OnWill does the same for a last will. Wills are not delayed here.
func (r *retention) OnWill(_ *broker.Client, will broker.Will) (broker.Will, error) {
	if will.Retain {
		r.keep(will.TopicName, will.Payload, will.Qos)
		will.Retain = false
	}
	will.WillDelayInterval = 0
	return will, nil
}

// OnPacketProcessed gives what is retained to a client whose subscription was answered.
func (r *retention) OnPacketProcessed(cl *broker.Client, pk packets.Packet, err error) {
	if pk.FixedHeader.Type != packets.Subscribe || err != nil {
		return
	}
	for _, sub := range pk.Filters {
		// The options are those of the protocol's version 5; 2 means that the client wants none.
		if broker.IsValidFilter(sub.Filter, false) && sub.RetainHandling != 2 && r.door.OnACLCheck(cl, sub.Filter, false) {
			r.give(cl, sub)
		}
	}
}

func (r *retention) keep(topic string, payload []byte, qos byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(payload) == 0 {
		delete(r.topics, topic)
		return
	}
	r.topics[topic] = packets.Packet{
		FixedHeader: packets.FixedHeader{Type: packets.Publish, Retain: true, Qos: qos},
		TopicName:   topic, Payload: slices.Clone(payload),
	}
}

// matching returns what is retained below a filter, in the order of topics.
func (r *retention) matching(filter string) (found []packets.Packet) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for topic, pk := range r.topics {
		if filterMatches(filter, topic) {
			found = append(found, pk)
		}
	}
	slices.SortFunc(found, func(a, b packets.Packet) int { return strings.Compare(a.TopicName, b.TopicName) })
	return found
}

// give writes to the client on its own goroutine: one that does not read holds up itself alone.
func (r *retention) give(cl *broker.Client, sub packets.Subscription) {
	for _, pk := range r.matching(sub.Filter) {
		if !r.door.OnACLCheck(cl, pk.TopicName, false) {
			continue
		}
		pk.FixedHeader.Qos = min(pk.FixedHeader.Qos, sub.Qos)
		if pk.FixedHeader.Qos > 0 {
			id, err := cl.NextPacketID()
			if err != nil {
				return // too much of what it got is not confirmed
			}
			pk.PacketID = uint16(id)
			if cl.State.Inflight.Set(pk) {
				atomic.AddInt64(&r.server.Info.Inflight, 1)
				cl.State.Inflight.DecreaseSendQuota()
			}
		}
		if cl.WritePacket(pk) != nil {
			return
		}
	}
}

// filterMatches reports whether a subscription to filter gets what is published to topic.
func filterMatches(filter, topic string) bool {
	for {
		want, filterRest, filterGoesOn := strings.Cut(filter, "/")
		if want == "#" {
			return true
		}
		name, topicRest, topicGoesOn := strings.Cut(topic, "/")
		if want != "+" && want != name {
			return false
		}
		if !topicGoesOn {
			return !filterGoesOn || filterRest == "#" // a/# gets a too
		}
		if !filterGoesOn {
			return false
		}
		filter, topic = filterRest, topicRest
	}
}

var _ broker.Hook = (*retention)(nil)
