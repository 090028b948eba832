package hub

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"davar/device/mqtt"
)

// natsChild names the environment variable by which the test's program becomes a node of NATS.
const natsChild = "DAVAR_TEST_NATS"

// beNATS is the node's whole program: what nats-server -c does.
func beNATS(conf string) {
	flags := flag.NewFlagSet("nats", flag.ExitOnError)
	options, err := nats.ConfigureOptions(flags, []string{"-c", conf}, func() {}, func() {}, func() {})
	if err == nil {
		var node *nats.Server
		if node, err = nats.NewServer(options); err == nil {
			node.ConfigureLogger()
			node.Start()
			node.WaitForShutdown()
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// cluster is three nodes of NATS with the settings of firmware/deploy, each a process of its own.
type cluster struct {
	t     *testing.T
	nodes [3]node
}

type node struct {
	conf    string
	mqtt    string // address
	process *exec.Cmd
	log     string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	text, err := os.ReadFile("../../firmware/deploy/nats/davar.conf")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	c := &cluster{t: t}
	var client, http, route [3]string
	for i := range c.nodes {
		client[i], http[i], route[i], c.nodes[i].mqtt = freeAddress(t), freeAddress(t), freeAddress(t), freeAddress(t)
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		name := string(rune('a' + i))
		n.conf, n.log = filepath.Join(folder, name+".conf"), filepath.Join(folder, name+".log")
		own := strings.NewReplacer(
			"0.0.0.0:4222", client[i], "127.0.0.1:8222", http[i], "0.0.0.0:6222", route[i], "0.0.0.0:1883", n.mqtt,
			"node-a:6222", route[0], "node-b:6222", route[1], "node-c:6222", route[2],
		).Replace(string(text))
		if err := os.WriteFile(n.conf, []byte(own+"\nlog_file: \""+n.log+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for i := range c.nodes {
			c.kill(i)
		}
		if t.Failed() {
			for _, n := range c.nodes {
				log, _ := os.ReadFile(n.log)
				t.Logf("%s:\n%s", n.log, log[max(0, len(log)-6000):])
			}
		}
	})
	return c
}

func (c *cluster) start(i int) {
	c.t.Helper()
	n := &c.nodes[i]
	name := strings.TrimSuffix(filepath.Base(n.conf), ".conf")
	n.process = exec.Command(os.Args[0])
	n.process.Env = append(os.Environ(), natsChild+"="+n.conf, "DAVAR_NODE="+name, "DAVAR_STORE="+filepath.Join(filepath.Dir(n.conf), name),
		"DAVAR_TABLES_PASSWORD=board", "DAVAR_DIRECTORS_PASSWORD=open-sesame")
	n.process.Stdout, n.process.Stderr = io.Discard, os.Stderr
	if err := n.process.Start(); err != nil {
		c.t.Fatal(err)
	}
}

// kill ends a node at once, as if its power had gone.
func (c *cluster) kill(i int) {
	if p := c.nodes[i].process; p != nil {
		_ = p.Process.Kill()
		_ = p.Wait()
		c.nodes[i].process = nil
	}
}

// freeze has a node do nothing more and close nothing, as if its power or its cable had gone.
func (c *cluster) freeze(i int) {
	c.t.Helper()
	if err := c.nodes[i].process.Process.Signal(syscall.SIGSTOP); err != nil {
		c.t.Fatal(err)
	}
}

// urls is the address of all nodes, as settings have it.
func (c *cluster) urls() string {
	var urls []string
	for _, n := range c.nodes {
		urls = append(urls, "tcp://"+n.mqtt)
	}
	return strings.Join(urls, ",")
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

var killNodes = flag.Bool("kill-nodes", false, "kill one node of NATS after the other while tables play")

// One node after the other ends while tables play, and comes back: it is killed, and its connections with it, or it falls
// silent. Spectators of a hub hear each event once, in order, and never wait for more than ten seconds after a node was killed, or fifteen after one has fallen silent: that has
// to be noticed first.
func TestAClusterOfNATSLosesANodeAndSpectatorsLoseNothing(t *testing.T) {
	if !*killNodes {
		t.Skip("SKIPPED: killing nodes of NATS takes a minute of a quiet machine; run go test ./device/hub -kill-nodes")
	}
	c := newCluster(t)
	for i := range c.nodes {
		c.start(i)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	tables := []*table{
		seat(t, mqtt.Server{URL: c.urls(), User: "table", Password: "board"}, "1"),
		seat(t, mqtt.Server{URL: c.urls(), User: "table", Password: "board"}, "2"),
	}
	h := openHub(t, Settings{Broker: mqtt.Server{URL: c.urls()}})
	// While the cluster finds its leaders what is retained may not reach everybody yet: the tables play on.
	for limit := time.Now().Add(patience); !has(t, h, "1") || !has(t, h, "2"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the hub never shows both tables")
		}
		tables[0].play(1)
		tables[1].play(1)
	}
	spectators := []*spectator{watch(ctx, t, h, "1"), watch(ctx, t, h, "2")}
	begun := []int64{tables[0].seq + 1, tables[1].seq + 1}
	const pace = 100 * time.Millisecond
	for round := range 4 * len(c.nodes) {
		for range 30 {
			for _, table := range tables {
				table.play(1)
			}
			time.Sleep(pace)
		}
		switch node := round / 2 % len(c.nodes); {
		case round%2 == 0 && round < 2*len(c.nodes):
			c.kill(node)
		case round%2 == 0:
			c.freeze(node)
		default:
			c.kill(node) // where it is only frozen
			c.start(node)
			for i, s := range spectators { // all hear the newest: the cluster is whole enough to lose another
				s.until(tables[i].seq)
			}
			what, wait := "killed", max(spectators[0].longestWait(), spectators[1].longestWait())
			if round > 2*len(c.nodes) {
				what = "silent"
			} else if wait > 10*time.Second {
				t.Errorf("a node was killed, and spectators waited for %v", wait)
			}
			t.Logf("node %d %s: the longest wait so far %v", node, what, wait.Round(time.Millisecond))
		}
	}
	for i, s := range spectators {
		s.until(tables[i].seq)
		s.eachOnce(begun[i], tables[i].seq)
		if wait := s.longestWait(); wait > 15*time.Second {
			t.Errorf("table %d: spectators waited for %v", i+1, wait)
		} else {
			t.Logf("table %d: %d events, the longest wait %v", i+1, tables[i].seq, wait.Round(time.Millisecond))
		}
		s.untilState(tables[i].seq)
	}
	late := openHub(t, Settings{Broker: mqtt.Server{URL: c.urls()}}) // stateless: it has all from what is retained
	watch(ctx, t, late, "2").untilState(tables[1].seq)
}

// has reports whether a hub shows a table.
func has(t *testing.T, h *Hub, table string) bool {
	t.Helper()
	answer, err := http.Get(h.URL() + "/t/c/" + table + "/state.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func TestANATSClusterKeepsTheSameDoorAsTheEmbeddedBroker(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: three nodes of NATS take a while; run without -short")
	}
	c := newCluster(t)
	for i := range c.nodes {
		c.start(i)
	}
	checkDoor(t, c.urls(), "board", "open-sesame")
}
