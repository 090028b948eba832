package mqtt

import (
	"context"
	"strings"
	"testing"
)

func TestABrokerIsTriedBySigningInAndOut(t *testing.T) {
	broker, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Users: []User{{Name: "director", Password: "secret", Role: Director}}})
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	server := Server{URL: broker.Server().URL, User: "director", Password: "secret"}
	if err := Probe(context.Background(), server); err != nil {
		t.Error(err)
	}
	server.Password = "wrong"
	if err := Probe(context.Background(), server); err == nil || !strings.Contains(err.Error(), "mqtt.user") {
		t.Errorf("a wrong password is told as %v", err)
	}
	server.URL = "tcp://127.0.0.1:1"
	if err := Probe(context.Background(), server); err == nil || !strings.Contains(err.Error(), "nothing listens there") {
		t.Errorf("no broker is told as %v", err)
	}
	if err := Probe(context.Background(), Server{URL: "here"}); err == nil {
		t.Error("an address that is none is tried")
	}
}
