package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// settings are what the helper of a club fills in.
const (
	club     = "trial"
	table    = "7"
	password = "open sesame 7"
	settings = "club = " + club + "\ntable = " + table + "\npassword = " + password + "\nhost_name = davar-7\nbroker = yes\nwifi_name = Club\nwifi_password = very secret\n"
)

// bigger is how much larger than the image the card is.
const bigger = 1 << 30

// card is a card with the image on it.
type card struct {
	path  string
	parts map[string]part // boot, system, data
}

type part struct{ start, size int64 } // bytes

// newCard copies the image to a card that has so many bytes more.
func newCard(image, folder string, bigger int64) (*card, error) {
	path := filepath.Join(folder, "card.img")
	if out, err := exec.Command("cp", "--sparse=always", image, path).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copy the image: %w: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := os.Truncate(path, info.Size()+bigger); err != nil {
		return nil, err
	}
	c := &card{path: path}
	return c, c.readParts()
}

// readParts reads the card's table of partitions.
func (c *card) readParts() error {
	f, err := os.Open(c.path)
	if err != nil {
		return err
	}
	defer f.Close()
	sector := make([]byte, 512)
	if _, err := io.ReadFull(f, sector); err != nil {
		return err
	}
	c.parts = map[string]part{}
	for i, name := range []string{"boot", "system", "data"} {
		entry := sector[446+16*i:]
		c.parts[name] = part{int64(binary.LittleEndian.Uint32(entry[8:])) * 512, int64(binary.LittleEndian.Uint32(entry[12:])) * 512}
		if c.parts[name].size == 0 {
			return fmt.Errorf("the card has no partition %s", name)
		}
	}
	return nil
}

// sum returns the digest of a partition.
func (c *card) sum(name string) (string, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, c.parts[name].start, c.parts[name].size)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// boot names the boot partition for mtools.
func (c *card) boot() string { return fmt.Sprintf("%s@@%d", c.path, c.parts["boot"].start) }

// fillIn writes davar-setup.txt as somebody does who has the card in his computer.
func (c *card) fillIn(text string) error {
	copying := exec.Command("mcopy", "-o", "-i", c.boot(), "-", "::davar-setup.txt")
	copying.Stdin = strings.NewReader(text)
	if out, err := copying.CombinedOutput(); err != nil {
		return fmt.Errorf("fill in davar-setup.txt: %w: %s", err, out)
	}
	return nil
}

// copyBoot copies a file from the boot partition.
func (c *card) copyBoot(name, to string) error {
	if out, err := exec.Command("mcopy", "-n", "-i", c.boot(), "::"+name, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copy %s from the card: %w: %s", name, err, out)
	}
	return nil
}

func (c *card) bootFile(name string) (string, error) {
	var wrong bytes.Buffer
	show := exec.Command("mtype", "-i", c.boot(), "::"+name)
	show.Stderr = &wrong
	text, err := show.Output()
	if err != nil {
		return "", fmt.Errorf("read %s from the card: %w: %s", name, err, &wrong)
	}
	return string(text), nil
}

// firstStartDone looks at the card after its first start: settings applied, passwords gone from the part that any computer
// shows, and the data partition as large as the card allows.
func (c *card) firstStartDone() error {
	result, err := c.bootFile("davar-setup-result.txt")
	if err != nil {
		return err
	}
	page, err := c.bootFile("davar-setup-result.html")
	if err != nil {
		return err
	}
	left, err := c.bootFile("davar-setup.txt")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(result, "Applied.") || !strings.Contains(result, "davar-7.local") {
		return fmt.Errorf("the first start says %q", result)
	}
	if !strings.Contains(page, "<svg") || strings.Contains(page, password) || strings.Contains(page, "very secret") {
		return fmt.Errorf("the page with codes for phones says %q", page)
	}
	if strings.Contains(left, password) || strings.Contains(left, "very secret") || !strings.Contains(left, "club = "+club) {
		return fmt.Errorf("the card keeps %q", left)
	}
	say("davar-setup.txt was applied, and its passwords are gone from it")
	before := c.parts["data"].size
	if err := c.readParts(); err != nil {
		return err
	}
	if grown := c.parts["data"].size; grown < before+bigger*9/10 {
		return fmt.Errorf("the data partition has %d MB, had %d: it does not fill the card", grown>>20, before>>20)
	}
	blocks, err := c.dataBlocks()
	if err != nil {
		return err
	}
	if blocks < before+bigger*9/10 {
		return fmt.Errorf("the data partition grew, its file system has %d MB", blocks>>20)
	}
	say("the data partition fills the card: %d MB, before %d MB", blocks>>20, before>>20)
	return nil
}

// dataBlocks returns the size that ext4 on the data partition says it has.
func (c *card) dataBlocks() (int64, error) {
	f, err := os.Open(c.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	super := make([]byte, 1024)
	if _, err := f.ReadAt(super, c.parts["data"].start+1024); err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint16(super[0x38:]) != 0xef53 {
		return 0, fmt.Errorf("the data partition holds no ext4")
	}
	return int64(binary.LittleEndian.Uint32(super[4:])) * (1024 << binary.LittleEndian.Uint32(super[0x18:])), nil
}
