#!/usr/bin/env bash
# Makes the card's image for a Raspberry Pi 3 or 4 from Debian's arm64 packages and davar's own: image.sh DAVAR.deb OUT.img
# Root is needed (chroot by user emulation); no loop device, no network beyond the mirror of packages.
set -euo pipefail
deb=$(realpath "$1") out=$2
here=$(cd "$(dirname "$0")" && pwd)
base=$("$here/root.sh")
"$here/emulate.sh" on
work=$(mktemp -d -p "${DAVAR_CACHE:-/var/cache/davar}")
trap 'rm -rf "$work"' EXIT
root=$work/root
cp -a --reflink=auto "$base" "$root"
rm -f "$root/.ready"

cp "$deb" "$root/tmp/davar.deb"
chroot "$root" dpkg --install --force-unsafe-io /tmp/davar.deb
rm "$root/tmp/davar.deb"
printf 'LABEL=DAVARROOT / ext4 noatime 0 1\nLABEL=DAVARBOOT /boot/firmware vfat noatime,umask=0077 0 2\ntmpfs /tmp tmpfs nosuid,nodev 0 0\n' >"$root/etc/fstab"
echo davar >"$root/etc/hostname"
: >"$root/etc/machine-id"
chroot "$root" systemctl --quiet enable NetworkManager avahi-daemon systemd-timesyncd

kernel=$(basename "$(echo "$root"/usr/lib/modules/*)")
boot=$work/boot
mkdir -p "$boot/overlays"
cp "$root"/usr/lib/raspi-firmware/* "$boot/"
cp "$root"/usr/lib/linux-image-"$kernel"/broadcom/bcm27*.dtb "$root"/usr/lib/linux-image-"$kernel"/broadcom/bcm283*.dtb "$boot/" 2>/dev/null || true
cp "$root/boot/vmlinuz-$kernel" "$boot/vmlinuz"
cp "$root"/usr/share/davar/overlays/*.dtbo "$boot/overlays/"
cp "$root/usr/share/doc/davar/davar-setup.txt" "$boot/" 2>/dev/null || cp "$here/../deb/davar-setup.txt" "$boot/"
"$here/initrd.sh" "$root" "$kernel" "$boot/initrd.img"
cat >"$boot/config.txt" <<'CONFIG'
arm_64bit=1
upstream_kernel=1
kernel=vmlinuz
initramfs initrd.img followkernel
dtparam=i2c_arm=on
gpio=17,22,27=ip,pu
enable_uart=1
CONFIG
echo 'console=ttyS1,115200 console=tty0 root=LABEL=DAVARROOT rw panic=10' >"$boot/cmdline.txt"

boot_mb=256 root_mb=$(($(du -sm "$root" | cut -f1) * 13 / 10 + 400))
truncate -s ${boot_mb}M "$work/boot.fs"
mkfs.vfat -F 32 -n DAVARBOOT "$work/boot.fs" >/dev/null
(cd "$boot" && mcopy -s -i "$work/boot.fs" ./* ::)
rm -rf "$root/boot/firmware"
mkdir "$root/boot/firmware"
truncate -s ${root_mb}M "$work/root.fs"
mke2fs -q -t ext4 -L DAVARROOT -d "$root" "$work/root.fs"
size=512
while [ $size -lt $((boot_mb + root_mb + 8)) ]; do size=$((size * 2)); done # an emulated card must be a power of two
mkdir -p "$(dirname "$out")"
rm -f "$out"
truncate -s ${size}M "$out"
printf 'label: dos\nstart=4MiB, size=%dMiB, type=c, bootable\nstart=%dMiB, size=%dMiB, type=83\n' $boot_mb $((4 + boot_mb)) $root_mb | sfdisk -q "$out"
dd if="$work/boot.fs" of="$out" bs=1M seek=4 conv=notrunc,sparse status=none
dd if="$work/root.fs" of="$out" bs=1M seek=$((4 + boot_mb)) conv=notrunc,sparse status=none
cp "$boot/vmlinuz" "$out.vmlinuz"
cp "$boot/initrd.img" "$out.initrd"
ls -lsh "$out"
