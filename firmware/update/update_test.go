package update

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test be a real version of the program: one that works.
func TestMain(m *testing.M) {
	if os.Getenv("DAVAR_STORE") != "" && os.Getenv("DAVAR_TEST_HEALTHY") != "" {
		proveHealthy()
		return
	}
	os.Exit(m.Run())
}

// proveHealthy is a version that works: it says who it is and that it is well.
func proveHealthy() {
	store := Store{Dir: os.Getenv("DAVAR_STORE")}
	version := os.Getenv("DAVAR_LAUNCHED")
	fmt.Println("running", version)
	if err := store.Healthy(version); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bench is a machine with davar-launch, a store and a key.
type bench struct {
	t       *testing.T
	store   Store
	private ed25519.PrivateKey
	launch  string
	own     string
	env     []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	b := &bench{t: t, private: private, store: Store{Dir: filepath.Join(folder, "store"), Key: public}, launch: filepath.Join(folder, "davar-launch")}
	if out, err := exec.Command("go", "build", "-o", b.launch, "../davar-launch").CombinedOutput(); err != nil {
		t.Fatalf("build davar-launch: %v\n%s", err, out)
	}
	if err := os.MkdirAll(b.store.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	b.own = filepath.Join(folder, "own")
	if err := os.WriteFile(b.own, []byte("#!/bin/sh\necho running own\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	key, version := filepath.Join(folder, "update.pub"), filepath.Join(folder, "version")
	if err := errors.Join(os.WriteFile(key, []byte(FormatKey(public)), 0o644), os.WriteFile(version, []byte("1.0.0\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	b.env = append(os.Environ(), "DAVAR_STORE="+b.store.Dir, "DAVAR_OWN="+b.own, "DAVAR_OWN_VERSION="+version, "DAVAR_KEY="+key, "DAVAR_TEST_HEALTHY=1")
	return b
}

// works returns a real program that proves itself: this test.
func (b *bench) works() []byte {
	b.t.Helper()
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		b.t.Fatal(err)
	}
	return program
}

func (b *bench) install(program []byte, version string) error {
	b.t.Helper()
	var release bytes.Buffer
	if err := Pack(&release, program, version, runtime.GOARCH, b.private); err != nil {
		b.t.Fatal(err)
	}
	_, err := b.store.Install(&release, runtime.GOARCH, "1.0.0", false)
	return err
}

// start is one start by systemd, which gives a program that hangs no time: what ran is returned.
func (b *bench) start() string {
	b.t.Helper()
	cmd := exec.Command(b.launch)
	cmd.Env = b.env
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	watchdog := time.AfterFunc(3*time.Second, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	_ = cmd.Wait() // how a version fails is not of interest
	return strings.TrimSpace(out.String())
}

func TestAVersionThatProvesItselfIsKept(t *testing.T) {
	b := newBench(t)
	if got := b.start(); got != "running own" {
		t.Fatalf("before any update: %q", got)
	}
	if err := b.install(b.works(), "1.1.0"); err != nil {
		t.Fatal(err)
	}
	for range MaxTries + 2 {
		if got := b.start(); got != "running 1.1.0" {
			t.Fatalf("after the update: %q", got)
		}
	}
	if state := b.store.State(); state.Good != "1.1.0" || state.Trying != "" {
		t.Errorf("the store remembers %+v", state)
	}
}

func TestAVersionThatDoesNotBecomeHealthyIsLeftForTheLastGoodOne(t *testing.T) {
	for name, broken := range map[string]string{
		"it ends at once":        "#!/bin/sh\nexit 1\n",
		"it hangs":               "#!/bin/sh\nexec sleep 60\n",
		"it is no program":       "\x7fELF this is none",
		"it runs but never well": "#!/bin/sh\nexit 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if err := b.install(b.works(), "1.1.0"); err != nil {
				t.Fatal(err)
			}
			b.start() // 1.1.0 proves itself
			if err := b.install([]byte(broken), "1.2.0"); err != nil {
				t.Fatal(err)
			}
			for try := range MaxTries {
				if got := b.start(); got != "" {
					t.Fatalf("try %d: %q", try, got)
				}
			}
			if got := b.start(); got != "running 1.1.0" {
				t.Errorf("after %d tries: %q; want the last good version", MaxTries, got)
			}
			if err := b.install([]byte(broken), "1.2.0"); err == nil || !strings.Contains(err.Error(), "did not work here") {
				t.Errorf("the broken version is installed again: %v", err)
			}
			if err := b.install(b.works(), "1.2.1"); err != nil {
				t.Fatal(err)
			}
			if got := b.start(); got != "running 1.2.1" {
				t.Errorf("the version that mends it: %q", got)
			}
		})
	}
}

func TestOnlySignedAndWholeVersionsAreStarted(t *testing.T) {
	b := newBench(t)
	stranger := *b
	_, stranger.private, _ = ed25519.GenerateKey(nil)
	if err := stranger.install(b.works(), "1.1.0"); !errors.Is(err, ErrUnsigned) {
		t.Errorf("a stranger's release: %v", err)
	}
	var release bytes.Buffer
	if err := Pack(&release, []byte("#!/bin/sh\necho running good\n"), "1.1.0", runtime.GOARCH, b.private); err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(release.Bytes(), []byte("running good"), []byte("running evil"), 1)
	if _, err := b.store.Install(bytes.NewReader(forged), runtime.GOARCH, "", false); !errors.Is(err, ErrUnsigned) {
		t.Errorf("a program that was changed: %v", err)
	}
	for cut := range release.Len() / 512 {
		if _, err := b.store.Install(bytes.NewReader(release.Bytes()[:cut*512]), runtime.GOARCH, "", false); err == nil && cut*512 < release.Len()-1024 {
			t.Errorf("a release cut to %d bytes is installed", cut*512)
		}
	}
	if _, err := b.store.Install(bytes.NewReader(release.Bytes()), "riscv64", "", false); err == nil || !strings.Contains(err.Error(), "this machine is riscv64") {
		t.Errorf("another machine's release: %v", err)
	}
	if err := b.install(b.works(), "0.9.0"); err == nil || !strings.Contains(err.Error(), "not newer") {
		t.Errorf("an older release: %v", err)
	}
	if err := b.install([]byte("#!/bin/sh\necho running good\n"), "1.1.0"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.store.folder("1.1.0"), programFile), []byte("#!/bin/sh\necho running evil\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := b.start(); got != "running own" {
		t.Errorf("a program changed on the disk is started: %q", got)
	}
}

func TestAPackageThatIsNewerThanTheStoreWins(t *testing.T) {
	b := newBench(t)
	if err := b.install(b.works(), "1.1.0"); err != nil {
		t.Fatal(err)
	}
	b.start()
	if got := b.store.Choose("/own", "1.2.0"); got.Path != "/own" {
		t.Errorf("chosen is %+v", got)
	}
	if got := b.store.Choose("/own", ""); got.Version != "1.1.0" {
		t.Errorf("chosen is %+v", got)
	}
}

func FuzzInstall(f *testing.F) {
	public, private, _ := ed25519.GenerateKey(nil)
	var release bytes.Buffer
	if err := Pack(&release, []byte("x"), "1.0.0", "arm64", private); err != nil {
		f.Fatal(err)
	}
	f.Add(release.Bytes())
	f.Add([]byte("no tar"))
	f.Fuzz(func(t *testing.T, text []byte) {
		store := Store{Dir: t.TempDir(), Key: public}
		if m, err := store.Install(bytes.NewReader(text), "arm64", "", false); err == nil {
			if _, err := store.Program(m.Version); err != nil {
				t.Errorf("%+v is installed and cannot be started: %v", m, err)
			}
		}
	})
}
