package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// listening returns the addresses at which a process waits for others, TCP and UDP, as /proc writes them.
func listening(t *testing.T, pid int) (addresses []string) {
	t.Helper()
	own := map[string]bool{}
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil && strings.HasPrefix(target, "socket:[") {
			own[strings.Trim(target, "socket:[]")] = true
		}
	}
	const waiting, unconnected = "0A", "07" // of include/net/tcp_states.h
	for table, state := range map[string]string{"tcp": waiting, "tcp6": waiting, "udp": unconnected, "udp6": unconnected} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n")[1:] {
			if f := strings.Fields(line); len(f) > 9 && f[3] == state && own[f[9]] {
				addresses = append(addresses, table+" "+f[1])
			}
		}
	}
	slices.Sort(addresses)
	return addresses
}

// procAddress writes an address of this machine as /proc does.
func procAddress(t *testing.T, address string) string {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ip := a.IP.To4()
	return fmt.Sprintf("tcp %02X%02X%02X%02X:%04X", ip[3], ip[2], ip[1], ip[0], a.Port)
}

// printed collects what a program prints.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// TestARunningTableListensWhereItIsToldAndKeepsItsSecrets runs a table as a service, with a camera behind a password,
// tries doors rightly and wrongly, and looks at its sockets, its entry in the list of processes and its log.
func TestARunningTableListensWhereItIsToldAndKeepsItsSecrets(t *testing.T) {
	folder := t.TempDir()
	secret := func(name, text string) string { return write(t, name, text+"\n") }
	page, broker, status, notify := freePort(t), freePort(t), freePort(t), filepath.Join(folder, "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	settings := write(t, "davar.yaml", fmt.Sprintf(`camera: {source: "http://eye:swordfish@127.0.0.1:1/live?key=sesame"}
journal: {path: %s/davar.db}
web: {listen: %q, password_file: %s}
mqtt: {listen: %q, password_file: %s}
metrics: {listen: %q}
log: {level: debug}
`, folder, page, secret("web", "open-rhubarb"), broker, secret("mqtt", "shut-rhubarb"), status))
	out := &printed{}
	davar := exec.Command(os.Args[0], "run", "--config", settings)
	davar.Env = append(os.Environ(), "DAVAR_TEST_PROGRAM=1", "NOTIFY_SOCKET="+notify)
	davar.Stdout, davar.Stderr = out, out
	if err := davar.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- davar.Wait() }()
	defer func() {
		_ = davar.Process.Signal(syscall.SIGTERM)
		<-ended
	}()
	untilHealthy(t, "http://"+status+"/healthz")

	for _, password := range []string{"open-rhubarb", "wrong-rhubarb"} {
		if answer, err := http.PostForm("http://"+page+"/signin", url.Values{"password": {password}}); err != nil {
			t.Error(err)
		} else {
			answer.Body.Close()
		}
	}
	for _, password := range []string{"shut-rhubarb", "wrong-rhubarb"} {
		client := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + broker).SetUsername("director").SetPassword(password).SetAutoReconnect(false))
		if !client.Connect().WaitTimeout(20 * time.Second) {
			t.Error("the broker does not answer")
		}
		client.Disconnect(0)
	}
	want := []string{procAddress(t, page), procAddress(t, broker), procAddress(t, status)}
	slices.Sort(want)
	if got := listening(t, davar.Process.Pid); !slices.Equal(got, want) {
		t.Errorf("it listens at %v, was told %v", got, want)
	}
	for _, file := range []string{"cmdline", "environ"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", davar.Process.Pid, file))
		if err != nil {
			t.Fatal(err)
		}
		noSecret(t, "its "+file+" in the list of processes", string(text))
	}
	if said := out.String(); !strings.Contains(said, "wrong password") {
		t.Errorf("the log does not tell of a wrong password:\n%s", said)
	}
	noSecret(t, "its log", out.String())
	_, metrics := fetch(t, "http://"+status+"/metrics")
	_, doctor := fetch(t, "http://"+status+"/doctor.json")
	noSecret(t, "what it tells of itself", metrics+doctor)
}

// noSecret looks for what the table of the test must not tell.
func noSecret(t *testing.T, where, text string) {
	t.Helper()
	for _, secret := range []string{"rhubarb", "swordfish", "sesame"} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("%s: %q stands in …%s…", where, secret, text[max(0, at-80):min(len(text), at+80)])
		}
	}
}

// untilHealthy waits until a program says that it is well.
func untilHealthy(t *testing.T, address string) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); ; <-time.After(50 * time.Millisecond) {
		answer, err := http.Get(address)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(limit) {
			t.Fatalf("it never becomes healthy: %v", err)
		}
	}
}
