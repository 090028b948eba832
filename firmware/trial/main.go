// Command trial boots the card's image in an emulated machine as a club would: a card with settings filled in, a
// plug, presses, the plug pulled, the plug again. It says what it saw, and fails at the first thing that is not so.
//
//	trial [-patience 20m] [-buttons BUTTONS.cpio] IMAGE
//
// IMAGE.vmlinuz and IMAGE.initrd stand beside the image; IMAGE itself is not changed. BUTTONS.cpio comes from
// firmware/build/buttons.sh.
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
	flag.Parse()
	if flag.NArg() != 1 || *buttons == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *buttons, *patience); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		stop()
		os.Exit(1)
	}
}

// run does what a club would do with the card.
func run(ctx context.Context, image, buttons string, patience time.Duration) (err error) {
	folder, err := os.MkdirTemp(filepath.Dir(image), "trial-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	card, err := newCard(image, folder)
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
