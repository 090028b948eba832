# Davar. `make demo` and `make test` do everything on a fresh Debian 12 or Raspberry Pi OS machine that has Go.

BIN := bin/davar
SPEED := 1
PRESSES := 10000
HOURS := 1
OUT := bin/bench.json
SHOTS := bin/screenshots
NEED := libopencv-dev pkg-config g++ 
NEED_TEST := $(NEED) chromium mosquitto mosquitto-clients gnubg device-tree-compiler gstreamer1.0-tools gstreamer1.0-plugins-base

.PHONY: deb test-deb test-arm64 test-cameras test-debian13 image test-image test-image-pi demo test test-gpio screenshots build lint bench soak clean

## demo: referee a filmed match with a live page on http://localhost:8080
demo: build
	$(BIN) demo --speed $(SPEED)

## test: everything that can be tested on this machine
test: lint
	go test -race -timeout 20m ./...
	go test -tags matprofile -run Mat ./vision ./device/camera ./cmd/davar/feed

## test-gpio: the real driver of buttons and lamps with the clock, in a small virtual machine with simulated lines
test-gpio: .need-build
	DAVAR_PRESSES=$(PRESSES) device/gpio/testvm.sh -test.v; s=$$?; \
	  [ $$s = 77 ] && echo "NOT TESTED: buttons on real lines, for want of a virtual machine" || exit $$s

## test-cameras: cameras by the kernel's own video drivers, plugged in and out in a virtual machine; then a filmed game, of
## which the whole program sees WATCHED (0: all of it) through /dev/video0
WATCHED := 0
test-cameras: .need-build
	device/camera/testvm.sh -test.v -test.run 'Kernel|Format|Unplugged|Unloaded|Faults|AutomaticExposure|Stalls' && \
	  device/camera/testfilm.sh -test.v -test.run FilmedGame -watched $(WATCHED); s=$$?; \
	  [ $$s = 77 ] && echo "NOT TESTED: cameras by real drivers, for want of a virtual machine" || exit $$s

## screenshots: each page in both languages and themes, and on a telephone, into SHOTS
screenshots: .need-test
	mkdir -p $(SHOTS)
	DAVAR_SHOTS=$(abspath $(SHOTS)) go test -count=1 -timeout 40m ./device/web

## build: the program, bin/davar
build: .need-build
	go build -o $(BIN) ./cmd/davar

## lint: gofmt, go vet, staticcheck
lint: .need-test
	@unformatted=$$(gofmt -l cmd vision device rules clock config firmware 2>/dev/null); \
	  if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

## bench: everything the README claims, measured; BASE=old.json compares with an earlier run, ONLY=clock measures a part
bench: build
	go run ./cmd/davar/bench -davar $(BIN) -out $(OUT) -base "$(BASE)" -only "$(ONLY)"

## soak: a simulated table drives the whole program for HOURS while what it leans on fails on a schedule
soak: build
	go run ./cmd/davar/soak -davar $(BIN) -hours $(HOURS)

# Version and architecture of packages; UPDATE_KEY=FILE puts the public key of signed releases in.
VERSION := 0.9.0
CACHE := $(if $(DAVAR_CACHE),$(DAVAR_CACHE),/var/cache/davar)
NEED_FIRMWARE := mmdebstrap device-tree-compiler mtools dosfstools fdisk e2fsprogs cpio kmod qemu-user-static qemu-system-arm arch-test uidmap

## deb: the package for a Raspberry Pi (arm64), built on any Debian machine (as root)
deb: .need-firmware
	firmware/build/cross.sh build $(CACHE)/stage/davar $(VERSION)
	firmware/deb/build.sh $(CACHE)/stage $(VERSION) arm64 bin/davar_$(VERSION)_arm64.deb

## test-arm64: the program built for a Pi reads a picture as this machine's does (by emulation, as root)
test-arm64: build .need-firmware
	firmware/build/cross.sh build $(CACHE)/stage/davar $(VERSION)
	firmware/build/same-reading.sh $(BIN) vision/testdata/oblique.jpg

## image: a card's image for a Raspberry Pi 3 or 4 (as root)
image: deb
	firmware/build/image.sh bin/davar_$(VERSION)_arm64.deb bin/davar_$(VERSION).img

## test-image: boot the image in an emulated machine: press, pull the plug, boot again (some ten minutes)
test-image: .need-firmware
	firmware/build/test-image.sh bin/davar_$(VERSION).img

## test-deb: install, upgrade, remove and purge the package in a Debian of its own (as root)
test-deb: build .need-firmware
	firmware/deb/native.sh $(BIN) 0.9.1 bin/native-old.deb
	firmware/deb/native.sh $(BIN) 0.9.2 bin/native-new.deb
	firmware/deb/test.sh bin/native-old.deb bin/native-new.deb vision/testdata/oblique.jpg

## test-image-pi: boot the image in an emulated Raspberry Pi 3, as far as one is emulated
test-image-pi: .need-firmware
	go run ./firmware/trial -pi bin/davar_$(VERSION).img

## test-debian13: the same source with Debian 13's OpenCV: it builds, and the tests of all that sees pass (as root)
test-debian13: .need-firmware
	firmware/build/debian.sh trixie ./vision/... ./device/camera/...

clean:
	rm -rf bin .need-build .need-test .need-firmware

# What is missing is installed once; a file remembers that nothing was.
.need-build: Makefile
	@.ci/need $(NEED) && touch $@
.need-test: Makefile
	@.ci/need $(NEED_TEST) && touch $@ .need-build
.need-firmware: Makefile
	@.ci/need $(NEED_FIRMWARE) && touch $@
