// Command davar-firstboot applies davar-setup.txt from the boot partition when it is new or has changed, blanks the
// passwords in it, and says beside it what was wrong. It runs as root before the network starts, and needs nothing.
//
//	davar-firstboot [FOLDER OF THE BOOT PARTITION]
package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"davar/device/durable"
	"davar/firmware/firstboot"
)

// Where the boot partition may be mounted: Debian and Raspberry Pi OS 12, older ones.
var bootFolders = []string{"/boot/firmware", "/boot"}

const (
	setupFile = "davar-setup.txt"
	saysFile  = "davar-setup-result.txt"
	pageFile  = "davar-setup-result.html"              // the same as codes for phones, to be printed
	applied   = "/var/lib/davar-firstboot/applied.txt" // the blanked file that was applied last
	keyFile   = "/var/lib/davar-firstboot/network.key"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folders []string) error {
	if len(folders) == 0 {
		folders = bootFolders
	}
	for _, folder := range folders {
		text, err := os.ReadFile(filepath.Join(folder, setupFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = apply(folder, text)
		}
		if err != nil {
			return fmt.Errorf("davar-firstboot: %w", err)
		}
		return nil
	}
	return nil // nobody wrote one
}

func apply(folder string, text []byte) error {
	blank := firstboot.Blank(text)
	if before, err := os.ReadFile(applied); err == nil && bytes.Equal(before, blank) && bytes.Equal(text, blank) {
		return nil // nothing is new
	}
	settings, err := firstboot.Parse(text)
	if err != nil {
		// A message that cannot be left there still is in the system's log.
		return errors.Join(err, durable.Write(filepath.Join(folder, saysFile), []byte("Not applied:\n"+err.Error()+"\n"), 0o644))
	}
	key, err := networkKey()
	if err != nil {
		return err
	}
	if err := firstboot.Write("/", settings.Files(key), groupOf("davar")); err != nil {
		return err
	}
	if err := tellSystem(settings); err != nil {
		return err
	}
	says := fmt.Sprintf("Applied. The table's page: http://%s.local:8080\n", settings.HostName)
	if settings.Hotspot {
		says += fmt.Sprintf("The table's own network: Davar %s, password %s\n", settings.Table, key)
	}
	page, err := settings.Page(key)
	if err != nil {
		return err
	}
	return errors.Join(
		durable.Write(filepath.Join(folder, saysFile), []byte(says), 0o644),
		durable.Write(filepath.Join(folder, pageFile), []byte(page), 0o644),
		durable.Write(filepath.Join(folder, setupFile), blank, 0o644),
		durable.Write(applied, blank, 0o600),
	)
}

// networkKey returns the password of the table's own network, made once.
func networkKey() (string, error) {
	if err := os.MkdirAll(filepath.Dir(keyFile), 0o700); err != nil {
		return "", err
	}
	if text, err := os.ReadFile(keyFile); err == nil && len(text) >= 8 {
		return strings.TrimSpace(string(text)), nil
	}
	key := strings.ToLower(rand.Text()[:10])
	return key, durable.Write(keyFile, []byte(key+"\n"), 0o600)
}

// tellSystem has names and time zone hold at once.
func tellSystem(s firstboot.Settings) error {
	name := exec.Command("hostname", s.HostName).Run() // at the next start it holds anyhow
	if name != nil {
		fmt.Fprintf(os.Stderr, "davar-firstboot: the name holds after the next start: %v\n", name)
	}
	if s.TimeZone == "" {
		return nil
	}
	zone := filepath.Join("/usr/share/zoneinfo", s.TimeZone)
	if _, err := os.Stat(zone); err != nil {
		return fmt.Errorf("there is no time zone %s", s.TimeZone)
	}
	_ = os.Remove("/etc/localtime.new")
	return errors.Join(os.Symlink(zone, "/etc/localtime.new"), os.Rename("/etc/localtime.new", "/etc/localtime"))
}

func groupOf(name string) int {
	g, err := user.LookupGroup(name)
	if err != nil {
		return -1
	}
	id, err := strconv.Atoi(g.Gid)
	if err != nil {
		return -1
	}
	return id
}
