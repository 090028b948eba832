#!/usr/bin/env bash
# A small initrd for the appliance: initrd.sh ROOT KERNEL OUT. It loads what a card or a virtual disk needs and hands over.
# update-initramfs would take longer under emulation than everything else.
set -euo pipefail
root=$1 kernel=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,proc,sys,dev,root,mods}
cp "$root/usr/bin/busybox" "$work/bin/busybox"
depmod -b "$root" "$kernel"
for module in virtio_pci virtio_mmio virtio_blk mmc_block bcm2835 sdhci-iproc ext4; do
  modprobe -d "$root" -S "$kernel" --show-depends "$module" 2>/dev/null | awk '/^insmod/{print $2}' || true
done | awk '!seen[$0]++' | while read -r file; do
  cp "$file" "$work/mods/"
  basename "$file" >>"$work/order"
done
cat >"$work/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
while read -r module; do insmod "/mods/$module"; done </order
i=0
while [ $i -lt 100 ]; do disk=$(findfs LABEL=DAVARROOT 2>/dev/null) && break; sleep 0.1; i=$((i + 1)); done
mount -t ext4 -o noatime "$disk" /root || exec sh
for d in dev proc sys; do mount --move /$d /root/$d; done
exec switch_root /root /sbin/init
INIT
chmod 755 "$work/init"
(cd "$work" && find . | cpio -o -H newc --quiet | gzip -1) >"$out"
