package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"davar/firmware/update"
)

// provenAfter is how long a new version must have worked before it counts as good.
const provenAfter = 20 * time.Second

// proven tells the store that the version davar-launch started works.
func (s *station) proven() {
	store, version := os.Getenv("DAVAR_STORE"), os.Getenv("DAVAR_LAUNCHED")
	if store == "" || version == "" {
		return
	}
	if err := (update.Store{Dir: store}).Healthy(version); err != nil {
		s.log.Error("this version works and that cannot be remembered: it may be given up", "version", version, "error", err)
		return
	}
	s.log.Info("this version has proved itself", "version", version)
}

// updateOptions are the flags of davar update.
type updateOptions struct {
	store, key string
	anyway     bool
	restart    bool
}

func newUpdateCommand() *cobra.Command {
	var o updateOptions
	cmd := &cobra.Command{
		Use:   "update [FILE or https://ADDRESS]",
		Short: "Install a signed release; without one, say what is installed",
		Long: "Install a release that is signed with the makers' key. It is started next time; a version that does not work\n" +
			"within three starts is left for the last good one by itself.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return o.status(cmd.OutOrStdout())
			}
			return o.install(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	f := cmd.PersistentFlags()
	f.StringVar(&o.store, "store", "/var/lib/davar/update", "folder with the versions that were installed")
	f.StringVar(&o.key, "key", "/etc/davar/update.pub", "public key of those who may sign")
	cmd.Flags().BoolVar(&o.anyway, "anyway", false, "install an older version, or one that did not work before")
	cmd.Flags().BoolVar(&o.restart, "restart", false, "start it now (systemctl restart davar)")
	cmd.AddCommand(newKeygenCommand(), newPackCommand())
	return cmd
}

func (o *updateOptions) open() (update.Store, error) {
	text, err := os.ReadFile(o.key)
	if err != nil {
		return update.Store{}, fmt.Errorf("read the key of those who may sign: %w; --key says where it lies", err)
	}
	key, err := update.ParsePublicKey(string(text))
	return update.Store{Dir: o.store, Key: key}, err
}

func (o *updateOptions) status(out io.Writer) error {
	store, err := o.open()
	if err != nil {
		return err
	}
	state := store.State()
	fmt.Fprintf(out, "running: %s\n", programVersion())
	for _, line := range []struct{ what, version string }{
		{"good", state.Good}, {"to be tried", state.Trying}, {"did not work", strings.Join(state.Bad, ", ")},
	} {
		if line.version != "" {
			fmt.Fprintf(out, "%s: %s\n", line.what, line.version)
		}
	}
	return nil
}

func (o *updateOptions) install(ctx context.Context, out io.Writer, from string) error {
	store, err := o.open()
	if err != nil {
		return err
	}
	release, err := openRelease(ctx, from)
	if err != nil {
		return err
	}
	defer release.Close()
	m, err := store.Install(release, runtime.GOARCH, version, o.anyway)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "version %s is installed and starts next time\n", m.Version)
	if !o.restart {
		return nil
	}
	if text, err := exec.CommandContext(ctx, "systemctl", "restart", "davar").CombinedOutput(); err != nil {
		return fmt.Errorf("start it: %w: %s", err, strings.TrimSpace(string(text)))
	}
	return nil
}

// openRelease opens a file or an address. The signature, not the way it came, makes it to be believed.
func openRelease(ctx context.Context, from string) (io.ReadCloser, error) {
	if !strings.Contains(from, "://") {
		return os.Open(from)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, usageError{err}
	}
	answer, err := (&http.Client{Timeout: 10 * time.Minute}).Do(request)
	if err != nil {
		return nil, fmt.Errorf("get the release: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("get the release: %s says %s", from, answer.Status)
	}
	return answer.Body, nil
}

func newKeygenCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "keygen NAME",
		Short: "Make a pair of keys for releases: NAME.key to sign, NAME.pub for the tables",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			public, private, err := ed25519.GenerateKey(nil)
			if err != nil {
				return err
			}
			return errors.Join(
				createFile(args[0]+".key", update.FormatKey(private), 0o600),
				createFile(args[0]+".pub", update.FormatKey(public), 0o644),
			)
		},
	}
}

// createFile writes a file that must not be there yet.
func createFile(path, text string, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func newPackCommand() *cobra.Command {
	var sign, arch, out string
	cmd := &cobra.Command{
		Use:   "pack PROGRAM VERSION",
		Short: "Sign a built program as a release",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(sign)
			if err != nil {
				return fmt.Errorf("read the key that signs: %w; davar update keygen makes one", err)
			}
			key, err := update.ParsePrivateKey(string(text))
			if err != nil {
				return err
			}
			program, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				out = fmt.Sprintf("davar-%s-%s.update", args[1], arch)
			}
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			if err := errors.Join(update.Pack(f, program, args[1], arch, key), f.Close()); err != nil {
				return errors.Join(err, os.Remove(out))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", out)
			return nil
		},
	}
	cmd.Flags().StringVar(&sign, "sign", "release.key", "private key of the release")
	cmd.Flags().StringVar(&arch, "arch", "arm64", "machine the program was built for")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: davar-VERSION-ARCH.update)")
	return cmd
}
