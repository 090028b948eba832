package mqtt

import (
	"net"
	"strings"
	"testing"

	paho "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/crypto/bcrypt"

	"davar/rules/referee"
)

func TestOnlyPublicTopicsAreMatchedByAStrangersSubscription(t *testing.T) {
	for filter, want := range map[string]bool{
		"davar/c/1/state": true, "davar/c/1/event": true, "davar/c/1/ruling": true, "davar/c/1/matches": true, "davar/c/1/available": true,
		"davar/#": true, "#": true, "+/+/+/+": true, "davar/+/1/state": true, "davar/c/1/#": true, "davar/c/1/+": true,
		"davar/c/1/state/#": true,

		"davar/c/1/private/state": false, "davar/c/1/private/#": false, "davar/c/1/command/pause": false,
		"davar/c/1/response/#": false, "davar/c/1/+/state": false, "davar/+/+/+/+": false, "davar/c/1": false,
		"davar/c/1/state/x": false, "other/#": false, "$SYS/#": false, "$share/g/davar/#": false, "": false, "davar": false,
		"davar/c/1/stateful": false, "Davar/c/1/state": false, "davar/c/1/private": false, "davar/c/1/state/+": false,
	} {
		if got := matchesPublic(filter); got != want {
			t.Errorf("%q: %v, want %v", filter, got, want)
		}
	}
}

func FuzzMatchesPublic(f *testing.F) {
	for _, topic := range []string{"davar/c/1/state", "davar/c/1/private/state", "#", "+/+/+/+", "a/b/c/d/#", "////", "$SYS/x"} {
		f.Add(topic)
	}
	f.Fuzz(func(t *testing.T, topic string) {
		if strings.ContainsAny(topic, "+#") {
			matchesPublic(topic)
			return
		}
		levels := strings.Split(topic, "/")
		want := len(levels) == 4 && levels[0] == Root && publicLeaf(levels[3])
		if got := matchesPublic(topic); got != want {
			t.Errorf("%q: %v, want %v", topic, got, want)
		}
		if want && isCommand(topic) {
			t.Errorf("%q is public and a command", topic)
		}
	})
}

func TestAStrangerCannotSubscribeToWhatIsNotPublic(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	s := connect(t, b.Server().URL, User{})
	for _, filter := range []string{
		place.Topic(PrivateLevel, "#"), place.Topic(CommandLevel, "+"), place.Topic(ResponseLevel, "pause"), "$SYS/#",
	} {
		token := s.client.Subscribe(filter, 1, nil)
		token.WaitTimeout(patience)
		if result := token.(*paho.SubscribeToken).Result()[filter]; result != 0x80 {
			t.Errorf("%s: granted with %#x", filter, result)
		}
	}
}

func TestAStrangerCannotWrite(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	watch := subscribe(t, b.Server().URL, device, "davar/#")
	for _, topic := range []string{
		place.Topic(StateLeaf), place.Topic(AvailableLeaf), place.Topic(CommandLevel, "pause"), place.Topic(PrivateLevel, StateLeaf),
	} {
		for _, qos := range []byte{0, 1, 2} {
			s := connect(t, b.Server().URL, User{})
			s.client.Publish(topic, qos, true, "forged")
			if qos > 0 {
				s.untilLost() // 3.1.1 knows no other refusal
				continue
			}
			s.must(s.client.Subscribe("davar/#", 1, nil)) // it was taken or not when this is answered
		}
	}
	// What was sent before on other connections is through when this comes back.
	watch.must(watch.client.Publish("davar/end", 1, false, "end"))
	for _, h := range watch.until("the end", func(all []heard) bool { return len(all) > 0 }) {
		if h.body == "forged" {
			t.Errorf("a stranger wrote to %s", h.topic)
		}
	}
}

// What stands at a table has the right to tell of it, and none to decide, in whosever name.
func TestATablesAccountDecidesNothing(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	var o office
	startPublisher(t, Options{Server: b.Server(), Handle: o.handle})
	s := subscribe(t, b.Server().URL, director, place.Topic(ResponseLevel, "+"), place.Topic(AvailableLeaf))
	s.untilBody(place.Topic(AvailableLeaf), Online)
	board := connect(t, b.Server().URL, device)
	board.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, `{"transaction":"forged","by":"director","person":"sara"}`)
	board.untilLost()
	s.must(s.client.Publish(place.Topic(CommandLevel, "resume"), 1, false, `{"transaction":"own"}`))
	s.answer("resume", "own")
	if decisions, who := o.taken(); len(decisions) != 1 || who[0] != director.Name {
		t.Errorf("carried out: %+v by %v", decisions, who)
	}
}

// tryConnect connects with the options changed and returns the error.
func tryConnect(t *testing.T, url string, u User, change func(*paho.ClientOptions)) error {
	t.Helper()
	options := paho.NewClientOptions().AddBroker(url).SetUsername(u.Name).SetPassword(u.Password).
		SetProtocolVersion(4).SetAutoReconnect(false).SetConnectTimeout(patience)
	change(options)
	client := paho.NewClient(options)
	token := client.Connect()
	if !token.WaitTimeout(patience) {
		t.Fatal("no answer")
	}
	t.Cleanup(func() { client.Disconnect(0) })
	return token.Error()
}

func TestTheDoorOfTheBroker(t *testing.T) {
	hash, err := bcrypt.GenerateFromPassword([]byte("hashed"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Log: quiet, Users: []User{
		director, device, {Name: "hashed", Password: string(hash), Role: Director},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	same := func(*paho.ClientOptions) {}
	will := func(topic string) func(*paho.ClientOptions) {
		return func(o *paho.ClientOptions) { o.SetWill(topic, "forged", 1, true) }
	}
	persistent := func(o *paho.ClientOptions) { o.SetClientID("console").SetCleanSession(false) }
	for _, c := range []struct {
		name   string
		user   User
		change func(*paho.ClientOptions)
		in     bool
	}{
		{"a stranger", User{}, same, true},
		{"the director", director, same, true},
		{"a password kept as a hash", User{Name: "hashed", Password: "hashed"}, same, true},
		{"the hash itself as the password", User{Name: "hashed", Password: string(hash)}, same, false},
		{"a wrong password", User{Name: director.Name, Password: "guess"}, same, false},
		{"no password", User{Name: director.Name}, same, false},
		{"an unknown user", User{Name: "nobody", Password: "x"}, same, false},
		{"a stranger with a last will for the state", User{}, will(place.Topic(StateLeaf)), false},
		{"a stranger with a last will elsewhere", User{}, will("x"), false},
		{"the director with a last will for the state", director, will(place.Topic(StateLeaf)), false},
		{"a table with its last will", device, will(place.Topic(AvailableLeaf)), true},
		{"the director's console", director, persistent, true},
		{"a stranger under the console's identifier", User{}, persistent, false},
		{"the director's console again", director, persistent, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := tryConnect(t, b.Server().URL, c.user, c.change); (err == nil) != c.in {
				t.Errorf("got %v, let in should be %v", err, c.in)
			}
		})
	}
}

func TestATakenPortIsSaidPlainly(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	for listen, says := range map[string]string{
		b.Addr():           "the port is taken",
		"192.0.2.1:1883":   "no such address",
		"127.0.0.1:999999": "port",
		"nonsense":         "missing port",
	} {
		_, err := StartBroker(BrokerOptions{Listen: listen, Log: quiet})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want it to say %q", listen, err, says)
		}
	}
	if _, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Users: []User{{Name: "x"}}, Log: quiet}); err == nil {
		t.Error("a user without a password is taken")
	}
}

func TestASubscriberWhoDoesNotReadHoldsNobodyUpNorDoesASilentConnection(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	silent, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	deaf := newWire(t, b.Addr())
	s := subscribe(t, "tcp://"+deaf.address, User{}, "davar/#")
	deaf.stall()
	table := connect(t, b.Server().URL, device)
	for range 200 {
		table.must(table.client.Publish(place.Topic(EventLeaf), 1, false, make([]byte, 100<<10)))
	}
	returns(t, "closing", func() { stopBroker(b) })
	deaf.cut()
	s.untilLost()
}

func TestAHugeOrBrokenMessageHarmsNobody(t *testing.T) {
	b := startBroker(t, "127.0.0.1:0")
	p := startPublisher(t, Options{Server: b.Server(), Handle: accept})
	watch := subscribe(t, b.Server().URL, User{}, "davar/#")
	s := connect(t, b.Server().URL, director)
	s.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, make([]byte, maxPacket+1))
	s.untilLost()
	p.Publish(referee.Event{Seq: 1, Match: "m", Type: referee.Roll})
	watch.until("event 1", hasEvent(t, place.Topic(EventLeaf), 1))
}
