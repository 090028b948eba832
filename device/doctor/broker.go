package doctor

import (
	"context"
	"net"
	"net/url"
	"time"
)

// Broker is the check of the broker at the address. Embedded says that the program starts it itself: then nothing may
// listen there yet, unless davar itself runs. Connect, for a broker elsewhere, signs in and out again.
func Broker(address string, embedded bool, connect func(ctx context.Context) error) Check {
	const name = "broker"
	return Check{Name: name, Look: func(ctx context.Context) []Finding {
		switch {
		case address == "":
			return []Finding{{Check: name, State: Skipped, Key: "broker_none"}}
		case embedded:
			return []Finding{ownBroker(name, address)}
		}
		shown := withoutUser(address)
		begun := time.Now()
		if err := connect(ctx); err != nil {
			return []Finding{{Check: name, State: Fault, Key: "broker_silent", Params: params("address", shown, "error", err)}}
		}
		took := time.Since(begun).Milliseconds()
		return []Finding{{Check: name, State: Good, Key: "broker_works", Params: params("address", shown, "n", took), Measured: map[string]int64{"ms": took}}}
	}}
}

// ownBroker tells whether the embedded broker can listen.
func ownBroker(check, address string) Finding {
	l, err := net.Listen("tcp", address)
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		return Finding{Check: check, State: Warning, Key: "broker_port", Params: params("address", address, "error", err)}
	}
	return Finding{Check: check, State: Good, Key: "broker_own", Params: params("address", address)}
}

// withoutUser takes name and password out of a broker's address.
func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "?"
	}
	u.User = nil
	return u.String()
}
