#!/usr/bin/env bash
# A small initrd for the appliance: initrd.sh ROOT KERNEL OUT. It loads what a card or a virtual disk needs, checks the
# data partition, mounts the system for reading and lays /etc and /var of the data partition over it, and hands over.
# update-initramfs would take longer under emulation than everything else.
set -euo pipefail
root=$1 kernel=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,proc,sys,dev,etc,root,mods}
cp "$root/usr/bin/busybox" "$work/bin/busybox"
cp "$root/usr/sbin/e2fsck.static" "$work/bin/e2fsck" 2>/dev/null || cp "$root/sbin/e2fsck.static" "$work/bin/e2fsck"
ln -s /proc/mounts "$work/etc/mtab"
depmod -b "$root" "$kernel"
for module in virtio_pci virtio_mmio virtio_blk mmc_block bcm2835 sdhci-iproc ext4 overlay; do
  modprobe -d "$root" -S "$kernel" --show-depends "$module" 2>/dev/null | awk '/^insmod/{print $2}' || true
done | awk '!seen[$0]++' | while read -r file; do
  cp "$file" "$work/mods/"
  basename "$file" >>"$work/order"
done
cp "$(dirname "$0")/init" "$work/init"
chmod 755 "$work/init"
(cd "$work" && find . | cpio -o -H newc --quiet | gzip -1) >"$out"
