package mqtt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// BenchmarkEventToSubscriber measures from Publish to a subscriber's callback, over the embedded broker on
// loopback, with the event on the private and the public topic.
func BenchmarkEventToSubscriber(b *testing.B) {
	broker := startBroker(b, "127.0.0.1:0")
	p := startPublisher(b, Options{Server: broker.Server()})
	s := connect(b, broker.Server().URL, User{})
	arrived := make(chan string, 1)
	s.must(s.client.Subscribe("davar/+/+/event", 1, func(_ paho.Client, m paho.Message) { arrived <- string(m.Payload()) }))
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		p.Publish(roll("m", int64(i+1)))
		body := <-arrived
		took = append(took, time.Since(began))
		if want := fmt.Sprintf(`"seq":%d,`, i+1); !strings.Contains(body, want) {
			b.Fatalf("%s came, want %s", body, want)
		}
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
}

// BenchmarkPublish measures what the table's goroutine pays for an event while no broker is there.
func BenchmarkPublish(b *testing.B) {
	p := startPublisher(b, Options{Server: deviceAt(freeAddress(b))})
	e := roll("m", 1)
	for i := range b.N {
		e.Seq = int64(i + 1)
		p.Publish(e)
	}
}
