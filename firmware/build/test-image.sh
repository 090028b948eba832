#!/usr/bin/env bash
# Boots the image in QEMU's "virt" machine, twice, the second time after the plug was pulled, and waits each time until
# davar says that it is well: test-image.sh IMAGE [SECONDS]
set -euo pipefail
image=$1 patience=${2:-900}
disk=$(mktemp -p "$(dirname "$image")" --suffix=.img)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -f "$disk"' EXIT
cp --sparse=always "$image" "$disk"
port=$((20000 + RANDOM % 20000))
for boot in first second; do
  begun=$SECONDS
  # Emulation alone: nested virtual machines do not start here, and what a Pi does is no faster.
  qemu-system-aarch64 -M virt -cpu cortex-a72 -smp 2 -m 1024 -accel tcg,thread=multi,tb-size=512 -kernel "$image.vmlinuz" -initrd "$image.initrd" \
    -append "console=ttyAMA0 root=LABEL=DAVARROOT rw quiet" -drive file="$disk",if=none,id=d,format=raw -device virtio-blk-pci,drive=d \
    -nic user,hostfwd=tcp:127.0.0.1:$port-:8080 -display none -monitor none -serial "file:$image.$boot.log" -no-reboot </dev/null &
  pid=$!
  until curl -sf -m 5 "http://127.0.0.1:$port/healthz" >/dev/null; do
    kill -0 $pid 2>/dev/null || { echo "test-image: the $boot boot ended by itself; see $image.$boot.log" >&2; exit 1; }
    [ $((SECONDS - begun)) -lt "$patience" ] || { echo "test-image: nothing in $patience s at the $boot boot; see $image.$boot.log" >&2; exit 1; }
    sleep 2
  done
  echo "test-image: the $boot boot is well after $((SECONDS - begun)) s"
  kill -9 $pid # the plug is pulled
  wait $pid 2>/dev/null || true
  pid=
done
