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
chroot "$root" dpkg --install --force-unsafe-io --path-include='/usr/share/doc/davar/*' /tmp/davar.deb
rm "$root/tmp/davar.deb"
cat >"$root/etc/fstab" <<'FSTAB'
LABEL=DAVARROOT / ext4 ro,noatime 0 0
LABEL=DAVARDATA /data ext4 noatime,nofail,x-systemd.device-timeout=5min 0 0
LABEL=DAVARBOOT /boot/firmware vfat noatime,umask=0077,nofail,x-systemd.device-timeout=5min 0 0
tmpfs /tmp tmpfs nosuid,nodev 0 0
FSTAB
mkdir "$root/data"
install -Dm644 "$here/../systemd/watchdog-davar.conf" "$root/etc/systemd/system.conf.d/davar.conf"
echo davar >"$root/etc/hostname"
: >"$root/etc/machine-id"
chroot "$root" systemctl --quiet enable NetworkManager avahi-daemon systemd-timesyncd davar-grow
# A system that is never written needs no upkeep, and a match no download of package lists in its midst.
chroot "$root" systemctl --quiet disable apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service

kernel=$(basename "$(echo "$root"/usr/lib/modules/*)")
boot=$work/boot
mkdir -p "$boot/overlays"
cp "$root"/usr/lib/raspi-firmware/* "$boot/"
cp "$root"/usr/lib/linux-image-"$kernel"/broadcom/bcm27*.dtb "$root"/usr/lib/linux-image-"$kernel"/broadcom/bcm283*.dtb "$boot/" 2>/dev/null || true
cp "$root/boot/vmlinuz-$kernel" "$boot/vmlinuz"
cp "$root"/usr/share/davar/overlays/*.dtbo "$boot/overlays/"
cp "$root/usr/share/davar/davar-setup.txt" "$boot/"
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
echo 'console=ttyS1,115200 console=tty0 root=LABEL=DAVARROOT ro panic=10' >"$boot/cmdline.txt"

rm -rf "$root/boot/firmware"
mkdir "$root/boot/firmware"
# The data partition begins small; at its first start the table has it fill the card.
boot_mb=256 root_mb=$(($(du -sm "$root" | cut -f1) * 12 / 10 + 64)) data_mb=128
truncate -s ${boot_mb}M "$work/boot.fs"
mkfs.vfat -F 32 -n DAVARBOOT "$work/boot.fs" >/dev/null
(cd "$boot" && mcopy -s -i "$work/boot.fs" ./* ::)
truncate -s ${root_mb}M "$work/root.fs"
mke2fs -q -t ext4 -L DAVARROOT -m 0 -d "$root" "$work/root.fs"
truncate -s ${data_mb}M "$work/data.fs"
mke2fs -q -t ext4 -L DAVARDATA -E resize=32G "$work/data.fs"
size=512
while [ $size -lt $((4 + boot_mb + root_mb + data_mb)) ]; do size=$((size * 2)); done # an emulated card must be a power of two
mkdir -p "$(dirname "$out")"
rm -f "$out"
truncate -s ${size}M "$out"
at=4
for part in "boot $boot_mb c" "root $root_mb 83" "data $data_mb 83"; do
  read -r name mb type <<<"$part"
  echo "start=${at}MiB, size=${mb}MiB, type=$type" >>"$work/parts"
  dd if="$work/$name.fs" of="$out" bs=1M seek=$at conv=notrunc,sparse status=none
  at=$((at + mb))
done
{ echo 'label: dos'; cat "$work/parts"; } | sfdisk -q "$out"
cp "$boot/vmlinuz" "$out.vmlinuz"
cp "$boot/initrd.img" "$out.initrd"
echo "$kernel" >"$out.kernel"
ls -lsh "$out"
