package mqtt

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"davar/rules/referee"
)

// mosquitto is a real Mosquitto with the settings of firmware/deploy, on a port of its own.
type mosquitto struct {
	t       *testing.T
	program string
	folder  string
	address string
	process *exec.Cmd
}

// tableAccount is the tables' account of firmware/deploy.
var tableAccount = User{Name: "table", Password: "board"}

func newMosquitto(t *testing.T) *mosquitto {
	t.Helper()
	program, err := exec.LookPath("mosquitto")
	if err != nil {
		program = "/usr/sbin/mosquitto"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: Mosquitto is not installed (apt install mosquitto mosquitto-clients); only the embedded broker is tested")
	}
	m := &mosquitto{t: t, program: program, folder: t.TempDir(), address: freeAddress(t)}
	_, port, _ := net.SplitHostPort(m.address)
	conf, err := os.ReadFile("../../firmware/deploy/mosquitto/mosquitto.conf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(
		"listener 1883", "listener "+port+" 127.0.0.1",
		"password_file ", "password_file "+m.folder+"/", "acl_file ", "acl_file "+m.folder+"/",
		"persistence true", "persistence true\npersistence_location "+m.folder+"/",
	).Replace(string(conf))
	if os.Getuid() == 0 {
		text += "user root\n" // or it would change to a user who may not read the test's files
	}
	m.write("mosquitto.conf", text)
	acl, err := os.ReadFile("../../firmware/deploy/mosquitto/mosquitto.acl")
	if err != nil {
		t.Fatal(err)
	}
	m.write("mosquitto.acl", string(acl))
	m.write("mosquitto.passwd", "")
	for _, u := range []User{director, tableAccount} {
		out, err := exec.Command("mosquitto_passwd", "-b", m.path("mosquitto.passwd"), u.Name, u.Password).CombinedOutput()
		if err != nil {
			t.Skipf("SKIPPED: mosquitto_passwd cannot make accounts: %v %s", err, out)
		}
	}
	t.Cleanup(m.kill)
	return m
}

func (m *mosquitto) path(name string) string { return filepath.Join(m.folder, name) }

func (m *mosquitto) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(m.path(name), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// start starts it and waits until it listens.
func (m *mosquitto) start() {
	m.t.Helper()
	m.process = exec.Command(m.program, "-c", m.path("mosquitto.conf"))
	if err := m.process.Start(); err != nil {
		m.t.Fatal(err)
	}
	waitFor(m.t, "Mosquitto", func() bool {
		conn, err := net.Dial("tcp", m.address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// kill ends it at once.
func (m *mosquitto) kill() {
	if m.process != nil {
		_ = m.process.Process.Kill()
		_ = m.process.Wait()
		m.process = nil
	}
}

func TestMosquittoIsKilledTenTimesAndEveryEventArrives(t *testing.T) {
	m := newMosquitto(t)
	m.start()
	// The table's line is closed while Mosquitto restarts, so that the viewer is back before the table is: what
	// a viewer misses while he is away himself he sees in the state.
	line := newWire(t, m.address)
	all := rollsOf("m", 1, 1100)
	server := deviceAt(line.address)
	server.User, server.Password = tableAccount.Name, tableAccount.Password
	p := startPublisher(t, Options{Server: server, Backfill: book(all...)})
	viewer := subscribe(t, "tcp://"+m.address, User{}, "davar/#")
	topic := place.Topic(EventLeaf)
	var record []heard
	for i := range 11 {
		for _, e := range all[i*100 : (i+1)*100] {
			p.Publish(e)
		}
		p.SetState(referee.State{Match: "m", Seq: int64((i + 1) * 100)}, time.Now(), 1)
		if i == 10 {
			break
		}
		viewer.until("some of it", hasEvent(t, topic, int64(i*100+10)))
		line.cut()
		// Let the viewer hear all that Mosquitto has taken before it dies with it.
		viewer.must(viewer.client.Subscribe("davar/end", 1, nil))
		m.kill()
		viewer.untilLost()
		record = append(record, viewer.heard()...)
		m.start()
		viewer = subscribe(t, "tcp://"+m.address, User{}, "davar/#")
		line.mend()
	}
	viewer.until("the last event", hasEvent(t, topic, 1100))
	viewer.untilBody(place.Topic(StateLeaf), `"seq":1100`)
	eventsOnce(t, append(record, viewer.heard()...), topic, 1100)
}

func TestMosquittoKeepsTheSameDoorAsTheEmbeddedBroker(t *testing.T) {
	m := newMosquitto(t)
	m.start()
	url := "tcp://" + m.address
	// Mosquitto retains a command if told so. It is old by the time the table hears it.
	boss := subscribe(t, url, director, "davar/#")
	boss.must(boss.client.Publish(place.Topic(CommandLevel, "resume"), 1, true, `{"transaction":"old"}`))
	boss.untilBody(place.Topic(CommandLevel, "resume"), "old")
	var o office
	p := startPublisher(t, Options{
		Server: Server{URL: url, User: tableAccount.Name, Password: tableAccount.Password}, Handle: o.handle,
	})
	stranger := subscribe(t, url, User{}, "davar/#")
	stranger.untilBody(place.Topic(AvailableLeaf), Online)
	forger, unit := connect(t, url, User{}), connect(t, url, tableAccount)
	forger.must(forger.client.Publish(place.Topic(StateLeaf), 1, true, "forged"))
	forger.must(forger.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, `{"transaction":"forged"}`))
	unit.must(unit.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, `{"transaction":"forged","by":"director","person":"sara"}`))
	boss.must(boss.client.Publish(place.Topic(CommandLevel, "pause"), 1, false, `{"transaction":"t1","by":"director"}`))
	if r := boss.answer("pause", "t1"); !r.OK {
		t.Errorf("answer %+v", r)
	}
	p.Publish(ruling(1, "director"))
	p.Publish(roll("m", 2))
	boss.until("both", hasEvent(t, place.Topic(PrivateLevel, EventLeaf), 2))
	for _, h := range stranger.until("event 2", hasEvent(t, place.Topic(EventLeaf), 2)) {
		if h.body == "forged" || strings.Contains(h.topic, PrivateLevel) || strings.Contains(h.topic, CommandLevel) ||
			strings.Contains(h.topic, ResponseLevel) {
			t.Errorf("a stranger heard %+v", h)
		}
	}
	if decisions, _ := o.taken(); len(decisions) != 1 {
		t.Errorf("carried out: %+v", decisions)
	}
	closePublisher(t, p)
	stranger.untilBody(place.Topic(AvailableLeaf), Stopped)
}

func TestMosquittoRefusesAWrongPasswordAndTheTablePlaysOn(t *testing.T) {
	m := newMosquitto(t)
	m.start()
	p := startPublisher(t, Options{Server: Server{URL: "tcp://" + m.address, User: "table", Password: "guess"}})
	waitFor(t, "the refusal", func() bool { return strings.Contains(p.Status().Problem, "user or password") })
	p.Publish(roll("m", 1))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}
