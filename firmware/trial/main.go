// Command trial boots the card's image in an emulated machine as a club would: a card with settings filled in, a
// plug, presses, the plug pulled, the plug again. It says what it saw, and fails at the first thing that is not so.
//
//	trial [-patience 20m] -buttons BUTTONS.cpio IMAGE
//	trial [-patience 20m] -pi IMAGE
//
// With -pi the machine is an emulated Raspberry Pi 3, as far as one is emulated. IMAGE.vmlinuz and IMAGE.initrd stand
// beside the image; IMAGE itself is not changed. BUTTONS.cpio comes from firmware/build/buttons.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	patience := flag.Duration("patience", 20*time.Minute, "how long each thing may take")
	buttons := flag.String("buttons", "", "initrd with simulated buttons")
	pi := flag.Bool("pi", false, "start it in a Raspberry Pi 3, without buttons")
	flag.Parse()
	if flag.NArg() != 1 || *buttons == "" && !*pi {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	try := func(folder string) error { return evenings(ctx, flag.Arg(0), folder, *buttons, *patience) }
	if *pi {
		try = func(folder string) error { return onAPi(ctx, flag.Arg(0), folder, machine{patience: *patience}) }
	}
	if err := inFolder(filepath.Dir(flag.Arg(0)), try); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		stop()
		os.Exit(1)
	}
}

// inFolder lends a folder beside the image.
func inFolder(beside string, try func(folder string) error) error {
	folder, err := os.MkdirTemp(beside, "trial-")
	if err != nil {
		return err
	}
	return errors.Join(try(folder), os.RemoveAll(folder))
}

// evenings does what a club would do with the card.
func evenings(ctx context.Context, image, folder, buttons string, patience time.Duration) error {
	card, err := newCard(image, folder, bigger)
	if err != nil {
		return err
	}
	system, err := card.sum("system")
	if err != nil {
		return err
	}
	if err := card.fillIn(settings); err != nil {
		return err
	}
	m := machine{card: card, kernel: image + ".vmlinuz", initrds: []string{image + ".initrd", buttons}, folder: folder, patience: patience}

	before, err := firstEvening(ctx, m)
	if err != nil {
		return fmt.Errorf("first start: %w", err)
	}
	if err := card.firstStartDone(); err != nil {
		return err
	}
	if err := secondEvening(ctx, m, before); err != nil {
		return fmt.Errorf("start after the plug was pulled: %w", err)
	}
	after, err := card.sum("system")
	if err != nil {
		return err
	}
	if after != system {
		return errors.New("the system's partition was written to; it is to be read only")
	}
	say("the system's partition is what it was, byte for byte")
	return nil
}

// say tells what was seen, and when.
func say(format string, a ...any) {
	fmt.Printf("%s  %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, a...))
}
