package mqtt

import (
	"context"
	"errors"
	"fmt"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// Probe signs in to the broker and out again. Its error says what to do about a broker that does not let us in.
func Probe(ctx context.Context, server Server) error {
	if err := server.Check(); err != nil {
		return fmt.Errorf("mqtt: try the broker: %w", err)
	}
	secure, err := server.tls()
	if err != nil {
		return fmt.Errorf("mqtt: try the broker: %w", err)
	}
	client := paho.NewClient(paho.NewClientOptions().AddBroker(server.URL).SetUsername(server.User).SetPassword(server.Password).
		SetTLSConfig(secure).SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).SetConnectTimeout(connectTimeout))
	defer client.Disconnect(0)
	token := client.Connect()
	select {
	case <-token.Done():
		err = token.Error()
	case <-ctx.Done():
		err = errors.New("it does not answer in time: check address, network and firewall")
	}
	if err != nil {
		return fmt.Errorf("mqtt: try the broker: %w", explainConnect(err))
	}
	return nil
}
